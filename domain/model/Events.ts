/** Events for the host app, each prefixed with the provider's short name (domain/client/README.md#events). */
import { shortName } from './Provider.ts'

const name = <const N extends string>(event: N) => `${shortName}${event}` as const

export const login = name('Login')
export const accountCreation = name('AccountCreation')
export const accountSetup = name('AccountSetup')
export const logout = name('Logout')
export const signMessage = name('SignMessage')
export const signTransaction = name('SignTransaction')
export const externalWalletChange = name('ExternalWalletChange')
export const walletsChange = name('WalletsChange')
export const walletCreated = name('WalletCreated')
export const pregenWalletClaimed = name('PregenWalletClaimed')

/** Each event that is told, with its data. */
export type EventData = {
  readonly [login]: {
    readonly userId: string
    /** Ids of wallets without a backup for this credential. */
    readonly missing: readonly string[]
    /** The user has no wallet yet: they are made next. */
    readonly needsWallet: boolean
  }
  readonly [accountCreation]: { readonly userId: string }
  /** `walletIds` are those made now. The secret is told once: show it to the user, store it nowhere and send it nowhere. */
  readonly [accountSetup]: { readonly walletIds: readonly string[]; readonly recoverySecret: string | null }
  readonly [logout]: null
  readonly [signMessage]: { readonly walletId: string }
  readonly [signTransaction]: { readonly walletId: string }
  /** `walletIds` are those that are new. */
  readonly [walletsChange]: { readonly walletIds: readonly string[] }
  readonly [walletCreated]: { readonly walletId: string }
}
export type Name = keyof EventData

export const told = [
  login,
  accountCreation,
  accountSetup,
  logout,
  signMessage,
  signTransaction,
  walletsChange,
  walletCreated,
] as const satisfies readonly Name[]

/** The last two are names of the contract, and are not told. */
export const all = [...told, externalWalletChange, pregenWalletClaimed] as const

/** An event's data, and the error when the call that it reports failed. */
export type Detail<Of extends Name> = { readonly data: EventData[Of]; readonly error?: Error }
