/** Wallets of a user at a partner: made once each, listed, handed over at login (domain/service/README.md#wallets). */
import * as Clock from 'effect/Clock'
import * as Data from 'effect/Data'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import * as Result from 'effect/Result'
import { isCosmosPrefix } from '../model/Address.ts'
import * as CurrentWalletIds from '../model/CurrentWalletIds.ts'
import { NoSignedInUser } from '../model/Session.ts'
import { schemes, typeAndScheme, type Scheme } from '../model/Wallet.ts'
import * as WalletSelection from '../model/WalletSelection.ts'
import * as WalletTypes from '../model/WalletTypes.ts'
import { Caller } from './Caller.ts'
import { NotFound } from './NotFound.ts'
import * as commits from './commits.ts'
import * as portalSessions from './portalSessions.ts'
import type { PartnerRecord } from './Partner.ts'
import { provenUserOf } from './PortalSession.ts'
import { callersPartner, find as findPartner, OriginNotAllowed } from './partners.ts'
import { Audit } from './ports/Audit.ts'
import { CosignerEngine } from './ports/CosignerEngine.ts'
import { Failpoints } from './ports/Failpoints.ts'
import { KeyShares } from './ports/KeyShares.ts'
import { topicOf } from './ports/Notifications.ts'
import { ProviderShares } from './ports/ProviderShares.ts'
import { RateLimits } from './ports/RateLimits.ts'
import { Runs } from './ports/Runs.ts'
import { SecureRandom } from './ports/SecureRandom.ts'
import { TemporaryShares } from './ports/TemporaryShares.ts'
import { Transaction } from './ports/Transaction.ts'
import { Wallets } from './ports/Wallets.ts'
import { end } from './protocol/ending.ts'
import { isForgotten } from './protocol/walletStatus.ts'
import type { RecoveryRecord } from './Recovery.ts'
import type { RunRecord } from './Run.ts'
import type { SessionRecord } from './Session.ts'
import { sessionOf, startingSession } from './sessions.ts'
import { waitFor } from './waiting.ts'
import { hasKey, isLeased, leaseLife, type ActiveWallet, type WalletRecord } from './Wallet.ts'
import { Rates, userAt } from './rates.ts'

export type WalletRequest = {
  readonly type?: string | undefined
  readonly scheme?: string | null | undefined
  readonly cosmosPrefix?: string | undefined
  /** How many finished wallets of the type the caller knows of. */
  readonly known?: number | undefined
}

/**
 * A wallet of a type: the user's unfinished one, else one that the caller does not know of yet, else another. The
 * holder of the lease runs its key generation under the protocol id of the answer, and may begin it anew. Other callers
 * get a protocol id of their own that waits until the lease ends (domain/service/README.md#wallets).
 */
export const createWallet = Effect.fn('wallets.createWallet')(function* (userId: string, asked: WalletRequest) {
  yield* sessionOf(userId)
  const session = yield* startingSession
  const partner = yield* callersPartner
  const { type, scheme } = yield* Effect.fromResult(typeOf(asked))
  yield* Effect.fromResult(WalletTypes.requireSupported(partner.supportedWalletTypes, type))
  if (scheme === 'CGGMP') return yield* new SchemeNotOffered({ scheme })
  const cosmosPrefix = type === 'COSMOS' ? yield* prefixOf(asked.cosmosPrefix, partner) : null
  yield* (yield* RateLimits).take('wallets', userAt(session.partnerId, userId), (yield* Rates).R4_WALLETS)
  const identity = yield* (yield* CosignerEngine).identity
  const random = yield* SecureRandom
  const [walletId, protocolId] = [yield* random.uuid, yield* random.uuid]
  const wallets = yield* Wallets
  const failpoints = yield* Failpoints
  const now = yield* Clock.currentTimeMillis
  yield* failpoints.reach('wallets.create.before')
  const created = yield* (yield* Transaction).atomically(
    Effect.gen(function* () {
      const { partnerId } = session
      const { owned, forgotten } = yield* ownedAndForgotten(userId, partnerId)
      const slot = yield* slotOf(owned, forgotten, type, asked.known)
      const asNew = { id: walletId, userId, partnerId, type, slot, scheme, cosmosPrefix, now }
      const wallet = Option.getOrThrow(yield* wallets.lock((yield* wallets.findOrCreate(asNew)).id))
      if (wallet.id === walletId) {
        const entry = { event: 'wallet.created', partnerId, userId, sessionId: session.id, subject: walletId }
        yield* (yield* Audit).record(entry)
      }
      return { walletId: wallet.id, ...(yield* leadOf(wallet, protocolId, session.id, now)) }
    }),
  )
  yield* failpoints.reach('wallets.create.after')
  return { ...created, cosigner: identity }
})

/** The user's wallets at the partner, and those among them whose key an older database has forgotten. */
const ownedAndForgotten = Effect.fnUntraced(function* (userId: string, partnerId: string) {
  const wallets = yield* Wallets
  const seen = yield* wallets.ofUser(userId, partnerId)
  const without = yield* Effect.filter(seen, isForgotten)
  if (without.length === 0) return { owned: seen, forgotten: without }
  // A key that was confirmed between the two reads has its row before its mark.
  const owned = yield* wallets.ofUser(userId, partnerId)
  return { owned, forgotten: owned.filter((wallet) => !hasKey(wallet) && without.some(({ id }) => id === wallet.id)) }
})

/**
 * The slot of a wallet that lacks its key, of the newest one where there are more with a key than the caller knows of, or
 * else the next free one. Callers at once get the same slot, and so the same wallet. No key can be made for a forgotten one
 * (domain/service/README.md#wallets).
 */
const slotOf = (
  wallets: readonly WalletRecord[],
  forgotten: readonly WalletRecord[],
  type: WalletTypes.WalletType,
  known: number | undefined,
) => {
  const ofType = wallets.filter((wallet) => wallet.type === type)
  const finished = ofType.filter(hasKey)
  const unfinished = ofType.find((wallet) => !hasKey(wallet) && !forgotten.some(({ id }) => id === wallet.id))
  const slotsOf = (some: readonly WalletRecord[]) => some.map(({ slot }) => slot)
  if (unfinished !== undefined) return Effect.succeed(unfinished.slot)
  if (known !== undefined && finished.length > known) return Effect.succeed(Math.max(...slotsOf(finished)))
  if (finished.length >= walletsOfType) return Effect.fail(new TooManyWallets({ type }))
  return Effect.succeed(Math.max(-1, ...slotsOf(ofType)) + 1)
}

/** Whether this caller runs the key generation (`lead`), and under which protocol id. The wallet's row is locked. */
const leadOf = Effect.fnUntraced(function* (wallet: WalletRecord, protocolId: string, sessionId: string, now: number) {
  const wallets = yield* Wallets
  if (wallet.state !== 'CREATED') return { protocolId, lead: false }
  const { lease } = wallet
  if (lease !== null && isLeased(wallet, now)) {
    const runs = yield* Runs
    const begun = Option.getOrUndefined(yield* runs.find({ walletId: wallet.id, protocolId: lease.protocolId }))
    const isHolder = lease.sessionId === sessionId
    if (isHolder && begun === undefined) return { protocolId: lease.protocolId, lead: true }
    if (!isHolder || begun === undefined || !takesTurns(begun)) {
      yield* wallets.addAttempt(wallet.id, { protocolId, sessionId })
      return { protocolId, lead: false }
    }
    yield* end(begun, 'superseded', 'its session began anew')
  }
  yield* wallets.addAttempt(wallet.id, { protocolId, sessionId })
  yield* wallets.lease(wallet.id, { protocolId, sessionId, until: now + leaseLife })
  return { protocolId, lead: true }
})

/**
 * Whether it is a run of the SDK, which names a root key. The SDK's documents take turns and share the device key of
 * their session, so one that asks again has lost the run before: that run ends, and the next need not wait for the
 * lease. The public client's tabs do not take turns, and must not end each other's runs.
 */
const takesTurns = ({ rootPublicKey }: RunRecord): boolean => rootPublicKey !== ''

/**
 * `lacksBackup`: an older database may have forgotten the backups that were stored after its copy was made, and the key, which
 * the device that made it brings back first.
 */
export type ListedWallet = WalletRecord & { readonly lacksBackup?: boolean }

/**
 * Those of the session's partner only, in a recovery those of all partners. With `Prefer: wait`, answers as soon as
 * every one has its address, but for those that get none.
 */
export const listWallets = Effect.fn('wallets.listWallets')(function* (userId: string) {
  const { recovery } = yield* Caller
  if (recovery?.userId === userId) return (yield* (yield* Wallets).ofUserEverywhere(userId)).filter(hasKey)
  const { partnerId } = yield* readerOf(userId)
  const { owned: listed, forgotten } = yield* waitFor(ownedAndForgotten(userId, partnerId), {
    topic: topicOf.user(userId),
    hasNews: (found) => found.owned.every((wallet) => hasKey(wallet) || found.forgotten.includes(wallet)),
  })
  const backedUp = yield* (yield* KeyShares).sharingsOf(listed.filter(hasKey).map(({ id }) => id))
  const isBackedUp = ({ id, shareId }: WalletRecord) =>
    backedUp.some((sharing) => sharing.walletId === id && sharing.shareId === shareId)
  return listed.map((wallet): ListedWallet => ({
    ...wallet,
    lacksBackup: forgotten.includes(wallet) || (hasKey(wallet) && !isBackedUp(wallet)),
  }))
})

/** Those of all partners, for a login page whose user has proven a credential. */
export const listAllWallets = Effect.fn('wallets.listAllWallets')(function* (userId: string) {
  const { portal } = yield* Caller
  if (portal === undefined) return yield* new OriginNotAllowed()
  yield* portalSessions.verifiedPage(userId)
  return yield* (yield* Wallets).ofUserEverywhere(userId)
})

/** The partners of wallets, each once. */
export const partnersOf = Effect.fn('wallets.partnersOf')(function* (wallets: readonly WalletRecord[]) {
  const ids = new Set(wallets.flatMap((wallet) => [wallet.partnerId, wallet.lastUsedPartnerId ?? wallet.partnerId]))
  const partners = new Map<string, PartnerRecord>()
  for (const id of ids) {
    const partner = yield* findPartner(id)
    if (partner !== undefined) partners.set(id, partner)
  }
  return partners
})

export type Selection = {
  readonly walletIds: Readonly<Record<string, readonly string[]>>
  readonly needsWallet?: boolean | undefined
  readonly sessionLookupId?: string | undefined
  readonly newDeviceSessionLookupId?: string | undefined
  readonly missing?: readonly string[] | undefined
  readonly deviceCertificate?: string | undefined
  readonly sealedResult?: string | undefined
}

/** The commit of a login: the page's user becomes the session's, with these wallets, whose shares the page has left. */
export const setWallets = Effect.fn('wallets.setWallets')(function* (userId: string, selection: Selection) {
  const portal = yield* portalSessions.portalOf(['login-password', 'login-passkey'])
  if (portal.userId === null) return yield* new NoSignedInUser()
  if (portal.userId !== userId) return yield* new NotFound()
  if (yield* commits.isCommittedBy(portal.openingId, selection)) return
  const failpoints = yield* Failpoints
  yield* failpoints.reach('wallets.set.before')
  yield* (yield* Transaction).atomically(
    Effect.gen(function* () {
      const session = yield* portalSessions.sessionOfPortal(portal, selection.sessionLookupId)
      const currentWalletIds = yield* selectable(userId, session.partnerId, selection)
      const lookupId = selection.newDeviceSessionLookupId ?? session.lookupId
      yield* requireShares(lookupId, portal.openingId, CurrentWalletIds.all(currentWalletIds))
      const needsWallet = selection.needsWallet ?? CurrentWalletIds.all(currentWalletIds).length === 0
      yield* commits.commit(
        portal.openingId,
        {
          userId,
          currentWalletIds,
          needsWallet,
          deviceCertificate: selection.deviceCertificate ?? null,
          sealedResult: selection.sealedResult ?? null,
          credential: null,
        },
        selection,
      )
      yield* failpoints.reach('wallets.set.within')
    }),
  )
  yield* failpoints.reach('wallets.set.after')
})

/** The client says that the backups of the user's half are stored. The time is kept with the provider's half. */
export const distributeCapsuleShare = Effect.fn('wallets.distributeCapsuleShare')(function* (
  userId: string,
  walletId: string,
) {
  const session = yield* sessionOf(userId)
  const wallet = yield* requireOwned(userId, session.partnerId, walletId)
  if (!hasKey(wallet)) return yield* new WalletSelection.NoValidWallet()
  yield* (yield* ProviderShares).markDistributed(walletId, wallet.shareId, yield* Clock.currentTimeMillis)
})

/** The user's wallet at this partner. Another's is answered as if it did not exist. */
export const requireOwned = Effect.fn('wallets.requireOwned')(function* (
  userId: string,
  partnerId: string,
  walletId: string,
) {
  const wallet = (yield* (yield* Wallets).ofUser(userId, partnerId)).find(({ id }) => id === walletId)
  return wallet ?? (yield* new WalletSelection.WalletDoesNotExist({ walletId }))
})

/** The same, or in a recovery any wallet that the recovery is about, whatever the partner. */
export const requireOwnedOrRecovered = Effect.fn('wallets.requireOwnedOrRecovered')(function* (
  { session, recovery }: { readonly session: SessionRecord; readonly recovery: RecoveryRecord | undefined },
  userId: string,
  walletId: string,
) {
  if (recovery === undefined) return yield* requireOwned(userId, session.partnerId, walletId)
  const wallet = Option.getOrUndefined(yield* (yield* Wallets).find(walletId))
  const isRecovered = wallet?.userId === userId && recovery.walletIds.includes(walletId)
  return isRecovered ? wallet : yield* new WalletSelection.WalletDoesNotExist({ walletId })
})

/** The caller, if it may read the wallets of this user: an authenticated session, or a page of the user's. */
const readerOf = Effect.fnUntraced(function* (userId: string) {
  const { portal } = yield* Caller
  if (portal === undefined) return yield* sessionOf(userId)
  const proven = provenUserOf(portal)
  if (proven === null) return yield* new NoSignedInUser()
  return proven === userId ? portal : yield* new NotFound()
})

const typeOf = ({ type, scheme }: WalletRequest) =>
  Result.flatMap(type === undefined ? Result.succeed(undefined) : WalletTypes.parseType(type), (parsed) => {
    const known = schemes.find((name) => name === scheme)
    if (typeof scheme === 'string' && known === undefined) return Result.fail(new WalletTypes.UnsupportedWalletType())
    return typeAndScheme({ type: parsed, scheme: known })
  })

/** The prefix of a Cosmos wallet's address; the partner's where none is asked for. */
const prefixOf = Effect.fnUntraced(function* (asked: string | undefined, partner: PartnerRecord) {
  const prefix = asked ?? partner.cosmosPrefix
  return isCosmosPrefix(prefix) ? prefix : yield* new WalletTypes.UnsupportedWalletType()
})

/**
 * The current sharings of the user's wallets at the partner, which a verified login is told: the page decrypts no backup
 * of another sharing.
 */
export const activeShares = Effect.fn('wallets.activeShares')(function* (userId: string, partnerId: string) {
  const owned = yield* (yield* Wallets).ofUser(userId, partnerId)
  return owned.filter(hasKey).map(({ id, epoch, shareId }) => ({ walletId: id, epoch, shareId }))
})

/** Each id is of the type that it is listed under, owned and supported, and has its key. */
const selectable = Effect.fnUntraced(function* (userId: string, partnerId: string, { walletIds, missing }: Selection) {
  const owned = yield* (yield* Wallets).ofUser(userId, partnerId)
  const partner = yield* findPartner(partnerId)
  const supported = partner?.supportedWalletTypes ?? []
  let selected: CurrentWalletIds.CurrentWalletIds = {}
  for (const [key, ids] of Object.entries(walletIds)) {
    const type = yield* Effect.fromResult(WalletTypes.parseType(key))
    for (const id of ids) {
      const criteria = { user: { userId }, supported, types: [type], pregen: 'forbidden' } as const
      const wallet = yield* Effect.fromResult(WalletSelection.select(owned, id, criteria))
      if (!isKeyed(owned, wallet.id)) return yield* new WalletSelection.NoValidWalletId()
      selected = CurrentWalletIds.add(selected, type, id)
    }
  }
  for (const walletId of missing ?? []) {
    if (!owned.some(({ id }) => id === walletId)) return yield* new WalletSelection.WalletDoesNotExist({ walletId })
  }
  return selected
})

const isKeyed = (wallets: readonly WalletRecord[], walletId: string): boolean =>
  wallets.some((wallet): wallet is ActiveWallet => wallet.id === walletId && hasKey(wallet))

/** This very page has left one share for each wallet, and no other. */
const requireShares = Effect.fnUntraced(function* (lookupId: string, openingId: string, walletIds: readonly string[]) {
  const left = yield* (yield* TemporaryShares).ofLookupId(lookupId, yield* Clock.currentTimeMillis)
  const shares = left.filter((share) => share.openingId === openingId)
  const isComplete = shares.length === walletIds.length && shares.every(({ walletId }) => walletIds.includes(walletId))
  if (!isComplete) return yield* new SharesIncomplete()
})

/** A login brings a share for each wallet in one request. */
const walletsOfType = 16

export class TooManyWallets extends Data.TaggedError('TooManyWallets')<{ readonly type: WalletTypes.WalletType }> {
  override readonly message = `too many wallets of type ${this.type}`
}

/** CGGMP is in the contract and has no protocol here. */
export class SchemeNotOffered extends Data.TaggedError('SchemeNotOffered')<{ readonly scheme: Scheme }> {
  override readonly message = `wallet scheme ${this.scheme} is not offered by this service`
}

/** The page names wallets whose shares it did not leave, or left more than it names. */
export class SharesIncomplete extends Data.TaggedError('SharesIncomplete') {
  override readonly message = 'share count differs from wallet count'
}
