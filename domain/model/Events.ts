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

export const all = [
  login,
  accountCreation,
  accountSetup,
  logout,
  signMessage,
  signTransaction,
  externalWalletChange,
  walletsChange,
  walletCreated,
  pregenWalletClaimed,
] as const
export type Name = (typeof all)[number]

/** An event's data, and the error when the call that it reports failed. */
export type Detail<D> = { readonly data: D; readonly error?: Error }
