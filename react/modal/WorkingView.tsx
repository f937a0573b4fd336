import { Button } from '../ui/Button.tsx'
import { Steps } from '../ui/Steps.tsx'
import styles from './modal.module.css'
import { PortalOwner } from './Operator.tsx'
import { isWithPortal, progressLines } from './progressLines.ts'
import type { ViewProps } from './useFlow.ts'

/** The steps of the work, and whether the user has to act in the portal's window. */
export const WorkingView = ({ view, flow, portalHost }: ViewProps<'working'>) =>
  view.purpose !== 'finish' && isWithPortal(view.steps) ? (
    <>
      <p className={styles.lead}>
        A window of <PortalOwner portalHost={portalHost} /> is open. Finish there; this page continues by itself. If you
        do not see it, look behind this window.
      </p>
      <Steps
        label="What happens"
        steps={[{ id: 'portal', label: 'Waiting for you in the window', state: 'working' }]}
      />
      <Button variant="secondary" onClick={flow.back}>
        Close the window and go back
      </Button>
    </>
  ) : (
    <>
      <p className={styles.lead}>{leads[view.purpose]}</p>
      <Steps label="What happens" steps={progressLines(view.steps, portalHost)} />
    </>
  )

const leads = {
  'set-up': 'Your browser and the co-signer create each key together, each with its own half. Keep this page open.',
  login: 'Your half of each key is sent to this device, encrypted for it alone. Keep this page open.',
  finish: 'Your browser and the co-signer create each key together, each with its own half. Keep this page open.',
} as const
