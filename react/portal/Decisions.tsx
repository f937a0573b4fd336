import type { ReactNode } from 'react'
import type { Portal } from '../../adapters/browser/portal.ts'
import { Button } from '../ui/Button.tsx'
import styles from './Decisions.module.css'
import { useDecision } from './useDecision.ts'

/** The deciding button, inert until the page had the person's attention, and the way to cancel. */
export const Decisions = ({ portal, onDecide, cancel = 'Cancel', children }: DecisionsProps) => {
  const unavailable = useDecision(portal)
  return (
    <div className={styles.decisions}>
      <Button type={onDecide === undefined ? 'submit' : 'button'} unavailable={unavailable} onClick={onDecide}>
        {children}
      </Button>
      <Button variant="quiet" onClick={() => void portal.leave()}>
        {cancel}
      </Button>
    </div>
  )
}

export type DecisionsProps = {
  readonly portal: Portal
  /** Absent within a form, which is submitted. */
  readonly onDecide?: (() => void) | undefined
  readonly cancel?: string | undefined
  /** The deciding button's text. */
  readonly children: ReactNode
}
