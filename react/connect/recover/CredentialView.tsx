import { hasPasskeys } from '../../modal/hasPasskeys.ts'
import { View } from '../../portal/views/View.tsx'
import { Button } from '../../ui/Button.tsx'
import { Stack } from '../../ui/Stack.tsx'
import { Steps } from '../../ui/Steps.tsx'
import { FailureNotice } from './FailureNotice.tsx'
import styles from './recover.module.css'
import { StopWay } from './StopWay.tsx'
import type { ViewProps } from './ViewProps.ts'

/** Your backups are open: what is to protect the wallets from now on? */
export const CredentialView = (props: ViewProps<'credential'>) =>
  props.state.isOpen ? <Waiting {...props} /> : <Choice {...props} />

const Choice = ({ recovery, state }: ViewProps<'credential'>) => (
  <View
    title={state.wallets.length === 0 ? 'Protect your account again' : 'Protect your wallets again'}
    lead={
      <p>
        {state.wallets.length === 0 ? 'This account has no wallets yet.' : 'Your backups are open.'} Make a new passkey
        or password in a window of <strong>{recovery.portalHost()}</strong>. Your old ones, and every device that is
        still signed in, stop working when the recovery is done.
      </p>
    }
  >
    <FailureNotice
      failure={state.failure}
      stands={state.wallets.length === 0 ? undefined : 'Your backups are still open.'}
    />
    {hasPasskeys() && (
      <div className={styles.choice}>
        <Button onClick={() => void recovery.setUp('PASSKEY')}>Use a passkey</Button>
        <p className={styles.hint}>Your fingerprint, face or device PIN. Nothing to remember.</p>
      </div>
    )}
    <div className={styles.choice}>
      <Button variant={hasPasskeys() ? 'secondary' : 'primary'} onClick={() => void recovery.setUp('PASSWORD')}>
        Use a password
      </Button>
      <p className={styles.hint}>{hasPasskeys() ? 'Works in every browser.' : 'This browser has no passkeys.'}</p>
    </div>
    <StopWay recovery={recovery} />
  </View>
)

const Waiting = ({ recovery }: ViewProps<'credential'>) => (
  <View
    title="Continue in the window"
    lead={
      <p>
        A window of <strong>{recovery.portalHost()}</strong> is open. Finish there; this page continues by itself. If
        you do not see it, look behind this window.
      </p>
    }
  >
    <Stack>
      <Steps
        label="What happens"
        steps={[{ id: 'portal', label: 'Waiting for you in the window', state: 'working' }]}
      />
      <Button variant="secondary" onClick={recovery.closeWindow}>
        Close the window and go back
      </Button>
    </Stack>
  </View>
)
