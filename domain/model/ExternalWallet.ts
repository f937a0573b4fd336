/** Wallets that users bring along: connected only, or signed in with in full (spec §3, §5 and §6). */
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

/** The user id in external-wallet-connection-only mode, which skips the login at the service (spec §5). */
export const connectionOnlyUserId = 'EXTERNAL_WALLET_CONNECTION_ONLY'

export const isConnectionOnly = (userId: string | null | undefined): boolean => userId === connectionOnlyUserId
