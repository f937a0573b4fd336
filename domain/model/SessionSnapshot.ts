/** The session as an app shows it. */
import type { CurrentWalletIds } from './CurrentWalletIds.ts'
import type { Wallet } from './Wallet.ts'

export type SessionSnapshot = {
  /**
   * `needs-setup`: what `setup` says is still to be made. `locked`: signed in, but the key shares of current wallets,
   * or the root key that new ones are pinned to, are not on this device, and a login brings them.
   */
  readonly status: 'loading' | 'anonymous' | 'needs-setup' | 'ready' | 'locked'
  /** A credential after the code was shown, or wallets after the credential was made. */
  readonly setup?: 'credential' | 'wallets'
  readonly userId?: string
  readonly email?: string
  readonly wallets: readonly Wallet[]
  /** Those of the wallets that a call without a wallet id takes; absent while no user is signed in. */
  readonly currentWalletIds?: CurrentWalletIds
  /**
   * Who runs the service: a name of 1 to 40 characters in one line, which people know from its pages and mails. Absent until the
   * service has answered for a session of this page.
   */
  readonly operator?: { readonly name: string }
}

/** Before the session is known, and always on a server. */
export const loading: SessionSnapshot = { status: 'loading', wallets: [] }

export const anonymous: SessionSnapshot = { status: 'anonymous', wallets: [] }
