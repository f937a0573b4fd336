import { Icon } from './Icon.tsx'
import styles from './Steps.module.css'

/** Steps with their states. A screen reader reads each one as it begins, and how it ended. */
export const Steps = ({ label, steps }: StepsProps) => (
  <div>
    <ol className={styles.steps} aria-label={label}>
      {steps.map(({ id, label, state, detail }) => (
        <li key={id} className={styles.step} data-state={state} aria-current={state === 'working' ? 'step' : undefined}>
          <span className={styles.mark}>
            {state === 'done' && <Icon name="check" size={14} />}
            {state === 'failed' && <Icon name="cross" size={14} />}
          </span>
          <span className={styles.label}>
            {label}
            <span className={styles.spoken}>{spoken[state]}</span>
          </span>
          {detail !== undefined && <span className={styles.detail}>{detail}</span>}
        </li>
      ))}
    </ol>
    <p className={styles.spoken} role="status">
      {announcement(steps)}
    </p>
  </div>
)

export type StepState = 'waiting' | 'working' | 'done' | 'failed'

export type Step = {
  readonly id: string
  /** The step in plain words: "Creating your keys". */
  readonly label: string
  readonly state: StepState
  /** Its progress: "round 2 of 3". */
  readonly detail?: string | undefined
}

export type StepsProps = {
  /** The accessible name of the list. */
  readonly label: string
  readonly steps: readonly Step[]
}

const spoken: { readonly [S in StepState]: string } = {
  waiting: ', not begun',
  working: ', under way',
  done: ', done',
  failed: ', failed',
}

/** The last thing that changed, in one sentence. */
const announcement = (steps: readonly Step[]): string => {
  const current = steps.find(({ state }) => state === 'working' || state === 'failed')
  if (current !== undefined) return `${current.label}${spoken[current.state]}`
  return steps.length > 0 && steps.every(({ state }) => state === 'done') ? 'All steps done' : ''
}
