import { Button } from '../ui/Button.tsx'
import { hasPasskeys } from './hasPasskeys.ts'
import styles from './modal.module.css'
import { PortalOwner } from './Operator.tsx'
import { ProblemNotice } from './ProblemNotice.tsx'
import type { ViewProps } from './useFlow.ts'

/** With what shall the wallets be protected? */
export const ProtectView = ({ view, flow, portalHost }: ViewProps<'protect'>) => (
  <>
    <p className={styles.lead}>
      A window of <PortalOwner portalHost={portalHost} /> opens. This page never sees your password or passkey.
    </p>
    <ProblemNotice problem={view.problem} portalHost={portalHost} />
    {hasPasskeys() && (
      <div className={styles.choice}>
        <Button onClick={() => flow.openWindow('PASSKEY')}>Use a passkey</Button>
        <p className={styles.hint}>Your fingerprint, face or device PIN. Nothing to remember.</p>
      </div>
    )}
    <div className={styles.choice}>
      <Button variant={hasPasskeys() ? 'secondary' : 'primary'} onClick={() => flow.openWindow('PASSWORD')}>
        Use a password
      </Button>
      <p className={styles.hint}>
        {hasPasskeys() ? 'Works in every browser.' : 'This browser has no passkeys.'} It can’t be reset.
      </p>
    </div>
  </>
)
