import type { Failure } from '../../../adapters/browser/connect.ts'
import { useOperator } from '../../operator.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { failureWords, isOfField } from '../words.ts'
import styles from './recover.module.css'

/** A failure above the form that may be sent again. A failure of a field is shown beneath the field instead. */
export const FailureNotice = ({ failure, stands }: FailureNoticeProps) => {
  const operator = useOperator()
  if (failure === undefined || isOfField(failure)) return null
  const { title, text, isToBeTold } = failureWords(failure, stands, operator.name)
  return (
    <Notice tone="error" title={title}>
      <p className={styles.text}>{text}</p>
      {isToBeTold === true && <p className={styles.sentence}>{failure.sentence}</p>}
    </Notice>
  )
}

export type FailureNoticeProps = {
  readonly failure: Failure | undefined
  /** What is kept although this failed. */
  readonly stands?: string | undefined
}
