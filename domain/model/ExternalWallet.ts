/** External wallets of users: only connected, or used to sign in. */
import type { ExternalWalletAuth } from './Provider.ts'
import type { WalletType } from './WalletTypes.ts'

export type ExternalWallet = ExternalWalletAuth & {
  readonly id: string
  readonly address: string
  readonly type: WalletType
  /** The wallet's provider. */
  readonly name: string
  readonly isExternal: true
  readonly signer: string
}

/** The user id in external-wallet-connection-only mode, which skips the login at the service. */
export const connectionOnlyUserId = 'EXTERNAL_WALLET_CONNECTION_ONLY'

/** Whether the user id stands for a connected wallet without a login. */
export const isConnectionOnly = (userId: string | null | undefined): boolean => userId === connectionOnlyUserId
