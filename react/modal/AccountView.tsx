import { useUser } from '../hooks/useUser.ts'
import { useWallets } from '../hooks/useWallets.ts'
import { hasAddress, typeOf } from '../../domain/model/Wallet.ts'
import { Address } from '../ui/Address.tsx'
import { Button } from '../ui/Button.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Stack } from '../ui/Stack.tsx'
import { walletName } from '../ui/walletName.ts'
import styles from './modal.module.css'
import { ProblemNotice } from './ProblemNotice.tsx'
import type { ViewProps } from './useFlow.ts'

/** The signed-in user, and the addresses of the wallets. */
export const AccountView = ({ view, flow, portalHost }: ViewProps<'account'>) => {
  const user = useUser()
  const wallets = useWallets().filter(hasAddress)
  const unavailable = view.busy === undefined ? undefined : 'One moment'
  return (
    <>
      {user?.email !== undefined && (
        <p className={styles.lead}>
          Signed in as <strong>{user.email}</strong>
        </p>
      )}
      <ProblemNotice problem={view.problem} portalHost={portalHost} />
      {view.missing > 0 && (
        <Notice tone="warning" title={missing(view.missing)}>
          <p>
            No backup opens with the way you signed in. Nothing is lost: sign in the way you did when it was made, or
            recover your account.
          </p>
        </Notice>
      )}
      <Stack>
        {wallets.map((wallet) => (
          <Address key={wallet.id} label={`${walletName(typeOf(wallet))} address`} address={wallet.address} />
        ))}
      </Stack>
      <Button variant="secondary" unavailable={unavailable} onClick={flow.signOut}>
        {view.busy === 'signing-out' ? 'Signing out…' : 'Sign out'}
      </Button>
      <Notice tone="success" isShown={view.isStopped === true}>
        No recovery of your account is under way. Check who else can read your email.
      </Notice>
      {view.isStopped !== true && (
        <Button variant="quiet" size="small" unavailable={unavailable} onClick={flow.stopRecovery}>
          {view.busy === 'stopping' ? 'Cancelling…' : 'Cancel a recovery I didn’t start'}
        </Button>
      )}
    </>
  )
}

const missing = (count: number): string => (count === 1 ? 'One wallet is not here' : `${count} wallets are not here`)
