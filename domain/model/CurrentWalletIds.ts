/** The wallets that a session works with: ids by type. */
import { typeOf, type Wallet } from './Wallet.ts'
import { includes, walletTypes, type SupportedWalletTypes, type WalletType } from './WalletTypes.ts'

export type CurrentWalletIds = { readonly [T in WalletType]?: readonly string[] }

/** Every id once, in the order of the types. */
export const all = (ids: CurrentWalletIds): readonly string[] => [
  ...new Set(walletTypes.flatMap((type) => ids[type] ?? [])),
]

/** The first of these wallets that is current: the one that a call without a wallet id takes. */
export const first = <W extends { readonly id: string }>(
  ids: CurrentWalletIds,
  wallets: readonly W[],
): W | undefined => {
  const id = all(ids).find((current) => wallets.some((wallet) => wallet.id === current))
  return wallets.find((wallet) => wallet.id === id)
}

/** With a wallet added to its type. Adding twice changes nothing. */
export const add = (ids: CurrentWalletIds, type: WalletType, walletId: string): CurrentWalletIds =>
  ids[type]?.includes(walletId) ? ids : { ...ids, [type]: [...(ids[type] ?? []), walletId] }

/** Only the types that the app supports. */
export const supported = (ids: CurrentWalletIds, types: SupportedWalletTypes): CurrentWalletIds =>
  fromEntries(walletTypes.filter((type) => includes(types, type)).map((type) => [type, ids[type] ?? []]))

/**
 * Reads the stored form. An old one is a bare list of ids, whose types come from the wallets.
 * @notBuilt
 */
export const fromStored = (
  stored: CurrentWalletIds | readonly string[],
  wallets: readonly Wallet[],
): CurrentWalletIds => {
  if (!isBareList(stored)) return stored
  const listed = wallets.filter(({ id }) => stored.includes(id))
  return fromEntries(
    walletTypes.map((type) => [type, listed.filter((wallet) => typeOf(wallet) === type).map(({ id }) => id)]),
  )
}

const isBareList = (stored: CurrentWalletIds | readonly string[]): stored is readonly string[] => Array.isArray(stored)

const fromEntries = (entries: readonly (readonly [WalletType, readonly string[]])[]): CurrentWalletIds =>
  Object.fromEntries(entries.filter(([, ids]) => ids.length > 0))
