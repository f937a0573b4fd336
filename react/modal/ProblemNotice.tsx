import { expectReturn } from '../returning.ts'
import { Notice } from '../ui/Notice.tsx'
import styles from './modal.module.css'
import type { Problem } from './Problem.ts'

/** A failure above the question that it leads back to. */
export const ProblemNotice = ({ problem, portalHost }: ProblemNoticeProps) =>
  problem === undefined ? null : (
    <Notice
      tone="error"
      title={problem.title}
      action={
        problem.continueUrl === undefined ? undefined : (
          <a className={styles.link} href={problem.continueUrl} onClick={expectReturn}>
            Continue to {portalHost} in this tab
          </a>
        )
      }
    >
      <p>{problem.text}</p>
    </Notice>
  )

export type ProblemNoticeProps = { readonly problem: Problem | undefined; readonly portalHost: string }

/** Where the question has a field: a failure of the field is shown beneath it instead. */
export const besideField = (problem: Problem | undefined): Problem | undefined =>
  problem?.isOfField === true ? undefined : problem

/** The text beneath the field of the failure. */
export const fieldError = (problem: Problem | undefined): string | undefined =>
  problem?.isOfField === true ? `${problem.title}. ${problem.text}` : undefined
