import { useOperator } from '../../operator.tsx'
import type { Portal, PortalState } from '../../../adapters/browser/portal.ts'
import { Button } from '../../ui/Button.tsx'
import { failureWords } from '../words.ts'
import styles from './Failed.module.css'
import { View } from './View.tsx'

/** The page cannot go on. What happened, what was kept, what to do next, and the sentence that support asks for. */
export const Failed = ({ portal, state }: FailedProps) => {
  const { failure, requester } = state
  const { title, text } = failureWords(failure, requester?.app, useOperator().name)
  return (
    <View title={title} lead={text}>
      {failure.retry === 'reopen' && <Button onClick={() => void portal.retry()}>Try again</Button>}
      <Button variant="secondary" onClick={() => void portal.leave()}>
        Close this window
      </Button>
      {failure.sentence !== '' && (
        <p className={styles.report}>
          Reported as <q>{failure.sentence}</q>
        </p>
      )}
    </View>
  )
}

export type FailedProps = {
  readonly portal: Portal
  readonly state: Extract<PortalState, { readonly status: 'failed' }>
}
