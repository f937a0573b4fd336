import type { AuthMethod } from '../../domain/model/Credential.ts'
import { useProvided } from '../context.ts'
import { Button } from '../ui/Button.tsx'
import { Notice } from '../ui/Notice.tsx'
import { RecoverLink } from '../ui/RecoverLink.tsx'
import { hasPasskeys } from './hasPasskeys.ts'
import styles from './modal.module.css'
import { PortalOwner } from './Operator.tsx'
import { ProblemNotice } from './ProblemNotice.tsx'
import type { ViewProps } from './useFlow.ts'

/** Are you the owner of this account? */
export const LoginView = ({ view, flow, portalHost }: ViewProps<'login'>) => {
  const { recoverUrl } = useProvided()
  const methods = order.filter((method) => view.methods.includes(method) && (method !== 'PASSKEY' || hasPasskeys()))
  return (
    <>
      <p className={styles.lead}>
        {view.isLocked && 'You are signed in as '}
        <strong>{view.email}</strong>
        {view.isLocked ? '.' : ' has an account.'} A window of <PortalOwner portalHost={portalHost} /> opens, in which
        you sign in; then your wallets come to this device.
      </p>
      <ProblemNotice problem={view.problem} portalHost={portalHost} />
      {methods.length === 0 && (
        <Notice tone="warning" title="This browser cannot sign you in">
          <p>Your account is protected by a passkey, and this browser has none. Use another browser or device.</p>
        </Notice>
      )}
      {methods.map((method, index) => (
        <Button
          key={method}
          variant={index === 0 ? 'primary' : 'secondary'}
          unavailable={view.isBusy ? 'One moment' : undefined}
          onClick={() => flow.openWindow(method)}
        >
          {labels[method]}
        </Button>
      ))}
      {view.isLocked ? (
        <Button
          variant="quiet"
          size="small"
          unavailable={view.isBusy ? 'One moment' : undefined}
          onClick={flow.signOut}
        >
          Sign out
        </Button>
      ) : (
        <div className={styles.ways}>
          <Button variant="quiet" size="small" width="content" onClick={() => flow.signUp(view.email)}>
            I don’t have an account yet
          </Button>
          <Button variant="quiet" size="small" width="content" onClick={flow.back}>
            Use a different email
          </Button>
        </div>
      )}
      <RecoverLink url={recoverUrl(view.email)} />
    </>
  )
}

const order: readonly AuthMethod[] = ['PASSKEY', 'PASSWORD']

const labels: { readonly [M in AuthMethod]: string } = {
  PASSKEY: 'Sign in with your passkey',
  PASSWORD: 'Sign in with your password',
}
