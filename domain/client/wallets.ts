import * as Effect from 'effect/Effect'
import { requireUser } from '../model/Session.ts'
import * as StorageKeys from '../model/StorageKeys.ts'
import type { User } from '../model/User.ts'
import * as Wallet from '../model/Wallet.ts'
import type { SupportedWalletTypes, WalletType } from '../model/WalletTypes.ts'
import * as WalletSelection from '../model/WalletSelection.ts'
import { Api } from './ports/Api.ts'
import { Settings } from './ports/Settings.ts'
import { ShareStore } from './ports/ShareStore.ts'
import { Storage } from './ports/Storage.ts'
import { currentSession } from './touch.ts'
import { WalletState } from './WalletState.ts'

/** The user's wallets as the service has them. */
const fetchWallets = Effect.fn('wallets.fetchWallets')(function* () {
  const userId = yield* Effect.fromResult(requireUser(yield* currentSession))
  const { wallets } = yield* (yield* Api).call('listWallets', { path: { userId } })
  return wallets.map(
    (wallet): Wallet.Wallet => ({
      ...wallet,
      pregenIdentifierType: parsePregenType(wallet.pregenIdentifierType),
      cosmosPrefix: wallet.cosmosPrefix ?? null,
    }),
  )
})

/** The addresses that the service shows by wallet id, once both sides have confirmed the keys. What it lists is kept. */
export const publishedAddresses = Effect.fn('wallets.publishedAddresses')(function* () {
  const fetched = yield* fetchWallets()
  yield* keep(fetched)
  return new Map(fetched.filter(Wallet.hasAddress).map(({ id, address }) => [id, address]))
})

/** Asks for the user's wallets and keeps them. */
export const listWallets = Effect.fn('wallets.listWallets')(function* () {
  return yield* keep(yield* fetchWallets())
})

/**
 * Keeps the wallets with the addresses of the shares on this device (spec §4). Another address is only the service's word,
 * and whoever writes its database could name his own: it is not repeated (flows A4).
 */
const keep = Effect.fn('wallets.keep')(function* (fetched: readonly Wallet.Wallet[]) {
  const { local } = yield* Storage
  const held = yield* (yield* ShareStore).list
  const told = {
    ...readAddresses(yield* local.get(StorageKeys.wallets)),
    ...readAddresses(yield* local.get(StorageKeys.ed25519Wallets)),
    ...Object.fromEntries(held.map(({ walletId, address }) => [walletId, address])),
  }
  const wallets = fetched.map((wallet) => {
    const address = told[wallet.id]
    return { ...wallet, address: address ?? null, publicKey: address === undefined ? null : (wallet.publicKey ?? null) }
  })
  const { userId, email } = yield* currentSession
  const missing = Wallet.missingTypes(fetched, { userId, email }, yield* supportedWalletTypes)
  yield* (yield* WalletState).set(wallets, missing)
  yield* remember(wallets)
  return wallets
})

/** The records as other clients of this origin read them, without signers (spec §3, client storage; design 8.18). */
const remember = Effect.fn('wallets.remember')(function* (wallets: readonly Wallet.Wallet[]) {
  const { local } = yield* Storage
  const recordOf = (which: (wallet: Wallet.Wallet) => boolean) =>
    JSON.stringify(Object.fromEntries(wallets.filter(which).map((wallet) => [wallet.id, wallet])))
  yield* local.set(StorageKeys.wallets, recordOf(({ scheme }) => scheme !== 'ED25519'))
  yield* local.set(StorageKeys.ed25519Wallets, recordOf(({ scheme }) => scheme === 'ED25519'))
})

/** Addresses that were here before: of shares that were here, or of a session that was imported without them. */
const readAddresses = (text: string | undefined): Readonly<Record<string, string | undefined>> => {
  const records = text === undefined ? {} : (JSON.parse(text) as Readonly<Record<string, Wallet.Wallet>>)
  return Object.fromEntries(
    Object.entries(records).flatMap(([id, { address }]) => (typeof address === 'string' ? [[id, address]] : [])),
  )
}

/** The app's own choice of wallet types, else the partner's, as touch told it (contract-facts 1.1a). */
export const supportedWalletTypes = Effect.gen(function* () {
  const { supportedWalletTypes: own } = yield* Settings
  if (own !== undefined) return own
  const { supportedWalletTypes: told } = yield* currentSession
  return (told ?? []) satisfies SupportedWalletTypes
})

/** The wallet of a call: the one of this id, or the first usable one of the current ids (spec §5). */
export const selectWallet = Effect.fn('wallets.select')(function* (
  walletId: string | undefined,
  types?: readonly WalletType[],
) {
  const session = yield* currentSession
  const known = yield* (yield* WalletState).get
  const wallets = known.length > 0 ? known : yield* listWallets()
  const user: User = { userId: session.userId, email: session.email }
  const criteria = { user, supported: yield* supportedWalletTypes, types }
  return walletId === undefined
    ? yield* Effect.fromResult(WalletSelection.first(wallets, session.currentWalletIds ?? {}, criteria))
    : yield* Effect.fromResult(WalletSelection.select(wallets, walletId, criteria))
})

/** Types of which the service has no finished wallet of the user (spec §4, account creation). */
export const missingWalletTypes = Effect.gen(function* () {
  yield* listWallets()
  return yield* (yield* WalletState).missing
})

const parsePregenType = (type: string | null | undefined): Wallet.PregenIdentifierType | null =>
  typeof type === 'string' && Wallet.isPregenIdentifierType(type) ? type : null

