import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
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

/** The address that the service shows for a wallet, once both sides have confirmed its key. */
export const publishedAddress = Effect.fn('wallets.publishedAddress')(function* (walletId: string) {
  const wallet = (yield* fetchWallets()).find(({ id }) => id === walletId)
  return wallet !== undefined && Wallet.hasAddress(wallet) ? Option.some(wallet.address) : Option.none<string>()
})

/** Asks for the user's wallets and keeps them; the addresses of shares on this device are filled in (spec §4). */
export const listWallets = Effect.fn('wallets.listWallets')(function* () {
  const held = yield* (yield* ShareStore).list
  const wallets = (yield* fetchWallets()).map((wallet) => {
    const share = held.find(({ walletId }) => walletId === wallet.id)
    return share === undefined ? wallet : Wallet.merged({ address: share.address }, wallet)
  })
  yield* (yield* WalletState).set(wallets)
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

/** Types of which the user has no wallet yet (spec §4, account creation). */
export const missingWalletTypes = Effect.gen(function* () {
  const session = yield* currentSession
  return Wallet.missingTypes(
    yield* listWallets(),
    { userId: session.userId, email: session.email },
    yield* supportedWalletTypes,
  )
})

const parsePregenType = (type: string | null | undefined): Wallet.PregenIdentifierType | null =>
  typeof type === 'string' && Wallet.isPregenIdentifierType(type) ? type : null

