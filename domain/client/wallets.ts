import * as Effect from 'effect/Effect'
import * as v from 'valibot'
import * as Json from '../model/Json.ts'
import { requireUser } from '../model/Session.ts'
import * as StorageKeys from '../model/StorageKeys.ts'
import * as Wallet from '../model/Wallet.ts'
import { includes, type SupportedWalletTypes } from '../model/WalletTypes.ts'
import { Api } from './ports/Api.ts'
import { Settings } from './ports/Settings.ts'
import { ShareStore } from './ports/ShareStore.ts'
import { Storage } from './ports/Storage.ts'
import { currentSession } from './touch.ts'
import { WalletState } from './WalletState.ts'

/** The user's wallets as the service has them. */
const fetchWallets = Effect.fnUntraced(function* () {
  const userId = yield* Effect.fromResult(requireUser(yield* currentSession))
  const { wallets } = yield* (yield* Api).call('listWallets', { path: { userId } })
  const missing = wallets.filter(({ lacksBackup }) => lacksBackup === true)
  if (missing.length > 0) yield* (yield* ShareStore).backupMissing(missing.map(({ id }) => id))
  return wallets.map(({ lacksBackup: _, ...wallet }): Wallet.Wallet => ({
    ...wallet,
    pregenIdentifierType: parsePregenType(wallet.pregenIdentifierType),
    cosmosPrefix: wallet.cosmosPrefix ?? null,
  }))
})

/**
 * The addresses by wallet id that the service lists, once both sides have confirmed the keys. The listed wallets are
 * kept.
 */
export const publishedAddresses = Effect.fnUntraced(function* () {
  const fetched = yield* fetchWallets()
  yield* keep(fetched)
  return new Map(fetched.filter(Wallet.hasAddress).map(({ id, address }) => [id, address]))
})

/** Asks for the user's wallets and keeps them. */
export const listWallets = Effect.fn('wallets.listWallets')(function* () {
  return yield* keep(yield* fetchWallets())
})

/** The same, of the types that the app itself supports. */
export const listOwnWallets = Effect.fn('wallets.listOwnWallets')(function* () {
  const wallets = yield* listWallets()
  const { supportedWalletTypes: own } = yield* Settings
  return own === undefined ? wallets : wallets.filter((wallet) => includes(own, Wallet.typeOf(wallet)))
})

/**
 * Keeps the wallets with the addresses of the shares on this device. An address that only the service gives is not
 * shown: a writer of its database could name an address of their own.
 */
const keep = Effect.fnUntraced(function* (fetched: readonly Wallet.Wallet[]) {
  const held = yield* (yield* ShareStore).list
  const told = {
    ...(yield* readAddresses),
    ...Object.fromEntries(held.map(({ walletId, address }) => [walletId, address])),
  }
  const supported = yield* supportedWalletTypes
  const wallets = Wallet.inOrder(fetched, supported).map((wallet) => {
    const address = told[wallet.id]
    return { ...wallet, address: address ?? null, publicKey: address === undefined ? null : (wallet.publicKey ?? null) }
  })
  const { userId, email } = yield* currentSession
  const missing = Wallet.missingTypes(fetched, { userId, email }, supported)
  yield* (yield* WalletState).set(wallets, missing)
  yield* remember(wallets)
  return wallets
})

/** Stores the records as other clients of this origin read them, without signers. */
const remember = Effect.fnUntraced(function* (wallets: readonly Wallet.Wallet[]) {
  const { local } = yield* Storage
  const recordOf = (which: (wallet: Wallet.Wallet) => boolean) =>
    JSON.stringify(Object.fromEntries(wallets.filter(which).map((wallet) => [wallet.id, wallet])))
  yield* local.set(
    StorageKeys.wallets,
    recordOf(({ scheme }) => scheme !== 'ED25519'),
  )
  yield* local.set(
    StorageKeys.ed25519Wallets,
    recordOf(({ scheme }) => scheme === 'ED25519'),
  )
})

/**
 * Addresses that were stored before: of shares that were here, or of a session that was imported without them. Other
 * clients of this origin write these records as well: unreadable ones are ignored.
 */
const readAddresses = Effect.gen(function* () {
  const { local } = yield* Storage
  const [others, ed25519] = [yield* local.get(StorageKeys.wallets), yield* local.get(StorageKeys.ed25519Wallets)]
  const records = [others, ed25519].flatMap((text) => (text === undefined ? [] : entriesOf(text)))
  if (records.some(([, record]) => record === undefined)) {
    yield* Effect.logWarning('wallets that another client stored on this device cannot be read')
  }
  return Object.fromEntries(
    records.flatMap(([id, record]): [string, string][] =>
      typeof record?.address === 'string' ? [[id, record.address]] : [],
    ),
  )
})

const notList = v.check((value: unknown) => !Array.isArray(value))

const addressed = v.pipe(v.unknown(), notList, v.object({ address: v.exactOptional(v.unknown()) }))

const recordsById = v.pipe(v.unknown(), notList, v.record(v.string(), v.unknown()))

/** By wallet id; a record that cannot be read is `undefined`. A text without records counts as one of these. */
const entriesOf = (text: string): readonly (readonly [string, v.InferOutput<typeof addressed> | undefined])[] => {
  const records = Json.parse(recordsById, text) ?? { '': undefined }
  return Object.entries(records).map(([id, record]) => [id, Json.check(addressed, record)])
}

/** The app's own choice of wallet types, else the partner's, as touch gave it. */
export const supportedWalletTypes = Effect.gen(function* () {
  const { supportedWalletTypes: own } = yield* Settings
  if (own !== undefined) return own
  const { supportedWalletTypes: told } = yield* currentSession
  return (told ?? []) satisfies SupportedWalletTypes
})

/** Types of which the service has no finished wallet of the user. */
export const missingWalletTypes = Effect.gen(function* () {
  yield* listWallets()
  return yield* (yield* WalletState).missing
})

const parsePregenType = (type: string | null | undefined): Wallet.PregenIdentifierType | null =>
  typeof type === 'string' && Wallet.isPregenIdentifierType(type) ? type : null
