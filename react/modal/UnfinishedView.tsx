import { Button } from '../ui/Button.tsx'
import styles from './modal.module.css'
import { ProblemNotice } from './ProblemNotice.tsx'
import type { ViewProps } from './ViewProps.ts'

/** Shall we go on where you were interrupted? */
export const UnfinishedView = ({ view, flow, portalHost }: ViewProps<'unfinished'>) => (
  <>
    <p className={styles.lead}>
      You are signed in{view.email === '' ? '' : ' as '}
      <strong>{view.email}</strong>, but your wallets were not finished. Whatever was made is kept; only the rest is
      made now.
    </p>
    <ProblemNotice problem={view.problem} portalHost={portalHost} />
    <Button onClick={flow.finish}>Make my wallets</Button>
  </>
)
