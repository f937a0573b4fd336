/** Events for the host app, each prefixed with the provider's short name (spec §1; contract-facts 2.4). */
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

/** What an event carries: its data, and the error when the verb that it tells of failed. */
export type Detail<D> = { readonly data: D; readonly error?: Error }
