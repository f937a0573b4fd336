import { Button } from '../ui/Button.tsx'
import styles from './modal.module.css'
import { ProblemNotice } from './ProblemNotice.tsx'
import type { ViewProps } from './useFlow.ts'

/** Shall the wallets be made now? A sign-up that was interrupted, or that came back by redirect, goes on here. */
export const UnfinishedView = ({ view, flow, portalHost }: ViewProps<'unfinished'>) => (
  <>
    <p className={styles.lead}>
      You are signed in{view.email === '' ? '' : ' as '}
      <strong>{view.email}</strong>. Your wallets are not complete yet. What was already created is kept.
    </p>
    <ProblemNotice problem={view.problem} portalHost={portalHost} />
    <Button onClick={flow.finish}>Create my wallets</Button>
  </>
)
