import { hexToBytes } from '@noble/hashes/utils.js'
import * as Data from 'effect/Data'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import * as Redacted from 'effect/Redacted'
import * as Result from 'effect/Result'
import * as RecoverySecret from '../crypto/RecoverySecret.ts'
import * as Frame from '../mpc/Frame.ts'
import type { Scheme } from '../mpc/Protocol.ts'
import * as ShareText from '../mpc/ShareText.ts'
import { isRefusal, type ApiError } from '../model/ApiError.ts'
import { AccountCreationFailed } from '../model/WalletKeyFailures.ts'
import * as Address from '../model/Address.ts'
import * as CurrentWalletIds from '../model/CurrentWalletIds.ts'
import * as Events from '../model/Events.ts'
import { addressTries, addressTryIntervalMs, addressWaitIntervalMs, addressWaitMs } from '../model/Limits.ts'
import { requireApiKey } from '../model/Partner.ts'
import { requireOwnUser, requireUser } from '../model/Session.ts'
import * as StorageKeys from '../model/StorageKeys.ts'
import * as Wallet from '../model/Wallet.ts'
import {
  cosmosPrefix as prefixOf,
  requireSupported,
  UnsupportedWalletType,
  type WalletType,
} from '../model/WalletTypes.ts'
import { givesRecoveryShare, type KeyGeneration } from '../model/KeyShare.ts'
import { backUp } from './backUp.ts'
import { patient, pollUntil } from './polling.ts'
import { isRefreshed, signLock } from './heldShare.ts'
import { catchUp, reattach, reconcile, settle } from './refreshKeys.ts'
import { deviceRoot, signedRecovery } from './certifiedKeys.ts'
import type { PinnedCosigner } from './cosignerKeys.ts'
import { Api } from './ports/Api.ts'
import { Events as HostEvents } from './ports/Events.ts'
import { Locks } from './ports/Locks.ts'
import { report } from './ports/Progress.ts'
import { Random } from './ports/Random.ts'
import { Settings } from './ports/Settings.ts'
import { ShareStore, type StoredShare, type UnconfirmedShare } from './ports/ShareStore.ts'
import { Storage } from './ports/Storage.ts'
import { beginningAgain, exchangeFrame, insistently, runProtocol, thisDevice } from './runProtocol.ts'
import { SessionState } from './SessionState.ts'
import { currentSession } from './touch.ts'
import { WalletState } from './WalletState.ts'
import { listWallets, missingWalletTypes, publishedAddresses, supportedWalletTypes } from './wallets.ts'

/** What a caller may ask of a new wallet. A type implies the scheme and a scheme the type. */
export type NewWallet = {
  readonly type?: WalletType | undefined
  readonly scheme?: Wallet.Scheme | undefined
  readonly cosmosPrefix?: string | undefined
}

/**
 * Makes a wallet whose key is never whole, and backs up the user's share (domain/client/README.md#wallet-creation). What
 * this device or another document of it has left unfinished, or finishes meanwhile, is the wallet that was asked for.
 */
export const createWallet = Effect.fn('wallets.createWallet')(function* (asked: NewWallet) {
  const { apiKey, supportedWalletTypes: own } = yield* Settings
  yield* Effect.fromResult(requireApiKey(apiKey))
  const userId = yield* Effect.fromResult(requireOwnUser(yield* currentSession))
  const { type } = yield* Effect.fromResult(Wallet.typeAndScheme(asked))
  if (own !== undefined) yield* Effect.fromResult(requireSupported(own, type))
  const rootPublicKey = yield* requireRoot
  const known = yield* countFinished(userId, type)
  return yield* (yield* Locks).alone(
    keygenLock(userId),
    Effect.gen(function* () {
      yield* finishWallets(userId)
      const key = yield* makeKey({ userId, rootPublicKey }, asked, known)
      yield* complete(userId, [key])
      return yield* keyGenerationOf(userId, key)
    }),
  )
})

/**
 * One wallet for each type that the user lacks. What an earlier page load left unfinished comes first. The keys are
 * made at the same time; if one cannot be made, the others are kept.
 */
export const createMissingWallets = Effect.fn('wallets.createMissingWallets')(function* () {
  yield* Effect.fromResult(requireApiKey((yield* Settings).apiKey))
  const userId = yield* Effect.fromResult(requireOwnUser(yield* currentSession))
  return yield* (yield* Locks).alone(
    keygenLock(userId),
    Effect.gen(function* () {
      // Says which of the shares here lack a backup, or their key: such a wallet is finished and not made again.
      if ((yield* (yield* ShareStore).list).length > 0) yield* listWallets()
      yield* finishWallets(userId)
      const made = yield* Effect.forEach(
        yield* missingWalletTypes,
        (type) =>
          Effect.result(
            Effect.flatMap(requireRoot, (rootPublicKey) => makeKey({ userId, rootPublicKey }, { type }, 0)),
          ),
        { concurrency: 'unbounded' },
      )
      const keys = made.flatMap((one) => (Result.isSuccess(one) ? [one.success] : []))
      if (keys.length > 0) yield* complete(userId, keys)
      for (const one of made) if (Result.isFailure(one)) return yield* Effect.fail(one.failure)
      return yield* Effect.forEach(keys, (key) => keyGenerationOf(userId, key))
    }),
  )
})

/** Finishes what an earlier page load began: keys that were not confirmed, and backups that were not stored. */
export const resumeWallets = Effect.fn('wallets.resume')(function* () {
  const userId = yield* Effect.fromResult(requireUser(yield* currentSession))
  yield* (yield* Locks).alone(keygenLock(userId), finishWallets(userId))
})

const finishWallets = Effect.fn('wallets.finish')(function* (userId: string) {
  const shares = yield* ShareStore
  for (const candidate of yield* shares.candidates) {
    if (candidate.userId !== userId) continue
    const { walletId, shareText } = candidate
    yield* isRefreshed(shareText) ? finishRefresh(walletId, reconcile(walletId)) : finishCandidate(candidate)
  }
  const pending = yield* shares.backupPending
  const own = (yield* shares.list).filter((share) => share.userId === userId && pending.includes(share.walletId))
  for (const share of own) {
    const { walletId, shareText } = share
    yield* isRefreshed(shareText)
      ? finishRefresh(walletId, settleOrCatchUp(walletId))
      : orWaits('a backup of a key share', backUpOrGiveBack(userId, share))
  }
})

/**
 * Stores the backups of a share. An older database that has forgotten the key takes none (`isForgotten`); the provider's share is
 * given back to it first, if that succeeds. That is done under the signing lock, which no flow holds while it waits for a
 * lock of key generation.
 */
export const backUpOrGiveBack = (userId: string, share: StoredShare) => {
  const stored = backUp(userId, [share])
  return Effect.catchIf(
    stored,
    isForgotten,
    Effect.fnUntraced(function* (refusal) {
      const given = Effect.mapError(reattach(share.walletId, refusal), () => refusal)
      yield* (yield* Locks).alone(signLock(share.walletId), given)
      yield* stored
    }),
  )
}

export const isForgotten = (error: unknown): error is ApiError =>
  isRefusal(error, 'NoValidWallet') || isRefusal(error, 'WalletDoesNotExist')

/** An older database that does not know the share gets it back. The wallet is refreshed before it signs. */
const settleOrCatchUp = (walletId: string) =>
  Effect.catchIf(
    settle(walletId),
    (error) => isRefusal(error, 'KeyShareOutOfDate'),
    () => catchUp(walletId),
  )

/** Under the signing lock, so that no other tab signs or refreshes meanwhile. */
const finishRefresh = Effect.fnUntraced(function* <E extends { readonly _tag: string }, R>(
  walletId: string,
  finishing: Effect.Effect<void, E, R>,
) {
  yield* (yield* Locks).alone(signLock(walletId), orWaits('a refresh of a key share', finishing))
})

/** What cannot be finished now waits and does not stop what is of other wallets. */
const orWaits = <E extends { readonly _tag: string }, R>(what: string, finishing: Effect.Effect<void, E, R>) =>
  Effect.catch(finishing, (error) => Effect.logWarning(`${what} waits`, error._tag))

/**
 * A candidate may be the only copy of the user's half. It is dropped only if the co-signer says under its key that the
 * run is dead and its address was not published. If the answer to a confirmation was lost, the published address tells.
 */
const finishCandidate = Effect.fn('wallets.finishCandidate')(function* (candidate: UnconfirmedShare) {
  const shares = yield* ShareStore
  yield* confirm(candidate).pipe(
    Effect.catch((error) =>
      Effect.gen(function* () {
        const published = (yield* publishedAddresses()).get(candidate.walletId)
        if (published === candidate.address) return yield* promote(candidate)
        const isDead = error._tag === 'ProtocolAborted' && error.by === 'cosigner'
        return yield* isDead ? shares.drop(candidate.walletId) : Effect.logWarning('a new key share waits', error._tag)
      }),
    ),
  )
})

/** Sends the bytes that confirm a candidate. It becomes the share if the answer names its own address. */
const confirm = (candidate: UnconfirmedShare) =>
  Effect.gen(function* () {
    const { walletId, address, shareText, confirmFrame } = candidate
    const { cosignerName: name, cosignerKey: publicKey } = yield* Effect.fromResult(ShareText.open(shareText))
    const body = yield* insistently(exchangeFrame({ name, publicKey }, walletId, confirmFrame))
    const confirmed = Frame.decodeConfirmed(body)
    if (confirmed?.address !== address) return yield* new AddressDiffers()
    return yield* promote(candidate, confirmed.capsule)
  }).pipe(
    Effect.onError(() => stageAgain(candidate)),
    Effect.withSpan('wallets.confirm'),
  )

/** If the storage was cleared since the candidate was staged, the one in memory is staged again. */
const promote = Effect.fn('wallets.promote')(function* (candidate: UnconfirmedShare, capsule?: Uint8Array) {
  yield* stageAgain(candidate)
  yield* (yield* ShareStore).promote(candidate.walletId, capsule)
})

/**
 * A browser may clear its storage while a key is made, and this document may hold the only copy of the user's half. A
 * stored share is not replaced: it may be a later one. A user who logged out meanwhile accepted the loss of the half,
 * so nothing is left on the device.
 */
const stageAgain = Effect.fn('wallets.stageAgain')(function* (candidate: UnconfirmedShare) {
  const { candidates, find, stage } = yield* ShareStore
  const session = yield* (yield* SessionState).get
  const isStored =
    Option.isSome(yield* find(candidate.walletId)) ||
    (yield* candidates).some(({ walletId }) => walletId === candidate.walletId)
  const isHere = Option.exists(session, ({ userId }) => userId === candidate.userId)
  if (isHere && !isStored) yield* stage(candidate)
})

/** Held while keys of a user are made, finished or deleted: by one document of a browser at a time. */
export const keygenLock = (userId: string): string => `tandem:keygen:${userId}`

/** A wallet whose key both sides have, and whose share is on this device. */
type Key = {
  readonly walletId: string
  readonly type: WalletType
  readonly scheme: Wallet.Scheme
  readonly shareText: Redacted.Redacted
  /** Set if this document made the key. */
  readonly made?: UnconfirmedShare
}

/** Wallets of the type with a key, without those that this device has to finish. */
const countFinished = Effect.fn('wallets.countFinished')(function* (userId: string, type: WalletType) {
  const shares = yield* ShareStore
  const candidates = (yield* shares.candidates).filter(({ shareText }) => !isRefreshed(shareText))
  const unfinished = [...candidates.map(({ walletId }) => walletId), ...(yield* shares.backupPending)]
  const published = yield* publishedAddresses()
  const listed = (yield* (yield* WalletState).get).filter((wallet) => Wallet.typeOf(wallet) === type)
  return listed.filter(({ id, userId: of }) => of === userId && published.has(id) && !unfinished.includes(id)).length
})

/** The root key that the session's page gave to this device, 32 bytes. */
const requireRoot = Effect.gen(function* () {
  const root = yield* deviceRoot((yield* currentSession).sessionId)
  return Option.isSome(root) ? hexToBytes(root.value) : yield* new RootKeyUnknown()
})

/** `known`: how many finished wallets of the type the caller knows of. Where the user has more, the newest is answered. */
const makeKey = Effect.fn('wallets.makeKey')(function* (
  of: Pick<WantedKey, 'userId' | 'rootPublicKey'>,
  asked: NewWallet,
  known: number,
) {
  const { type, scheme } = yield* Effect.fromResult(Wallet.typeAndScheme(asked))
  const cosmosPrefix = asked.cosmosPrefix ?? prefixOf(yield* supportedWalletTypes)
  return yield* beginningAgain(leadOrFollow({ ...of, type, scheme, cosmosPrefix }, known))
})

/** Leads the key generation of the wallet, or waits for the one that another document leads. */
const leadOrFollow = Effect.fn('wallets.leadOrFollow')(function* (wanted: WantedKey, known: number) {
  const { userId, type, scheme, cosmosPrefix } = wanted
  const created = yield* (yield* Api).call('createWallet', {
    path: { userId },
    body:
      scheme === 'ED25519'
        ? { scheme, type, known }
        : { useTwoSigners: true, scheme, type, known, ...(type === 'COSMOS' ? { cosmosPrefix } : {}) },
  })
  if (scheme === 'CGGMP') return yield* new UnsupportedWalletType()
  const { walletId } = created
  const made = created.lead
    ? yield* generateKey({
        ...wanted,
        scheme,
        walletId,
        protocolId: created.protocolId,
        cosigner: { name: created.cosigner.name, publicKey: hexToBytes(created.cosigner.publicKey) },
      }).pipe(Effect.mapError((cause) => new AccountCreationFailed({ type, userId, walletId, cause })))
    : undefined
  const shareText = made?.shareText ?? (yield* heldShare(walletId))
  const key: Key = { walletId, type, scheme, shareText, ...(made === undefined ? {} : { made }) }
  return key
})

/** Waits until the wallets' addresses are listed, stores their backups, and then emits the events. */
const complete = Effect.fn('wallets.complete')(function* (userId: string, keys: readonly Key[]) {
  const made = keys.flatMap((key) => (key.made === undefined ? [] : [key.made]))
  yield* publishAndBackUp(userId, keys).pipe(Effect.onError(() => Effect.forEach(made, stageAgain, { discard: true })))
  const events = yield* HostEvents
  for (const { walletId } of keys) {
    yield* events.emit(Events.walletCreated, { data: { walletId } })
    yield* events.emit(Events.walletsChange, { data: { walletIds: [walletId] } })
  }
})

const publishAndBackUp = Effect.fnUntraced(function* (userId: string, keys: readonly Key[]) {
  for (const { type } of keys) yield* report({ step: 'checking', type })
  yield* waitForAddresses(keys.map(({ walletId }) => walletId))
  for (const { type, walletId } of keys) yield* makeCurrent(type, walletId)
  yield* backUp(userId, keys)
})

const keyGenerationOf = Effect.fnUntraced(function* (userId: string, { walletId, scheme, shareText }: Key) {
  const hasSecret = givesRecoveryShare({ scheme, isPregen: false }) && (yield* sharesLackingBackup(userId)).length === 0
  const recoveryShare = hasSecret ? yield* recoverySecret(walletId) : null
  return { signer: Redacted.value(shareText), walletId, recoveryShare } satisfies KeyGeneration
})

type WantedKey = {
  readonly userId: string
  readonly type: WalletType
  readonly scheme: Wallet.Scheme
  readonly cosmosPrefix: string
  /** The share pins this key (32 bytes, or none for the public client): its backups go only to keys that this one signed. */
  readonly rootPublicKey: Uint8Array
}

type Keygen = WantedKey & {
  readonly walletId: string
  readonly protocolId: string
  readonly scheme: Scheme
  readonly cosigner: PinnedCosigner
}

/**
 * Key generation and its confirming call. The share is on the disk before it is confirmed, because from the
 * confirmation on the co-signer may use its half.
 */
export const generateKey = Effect.fn('wallets.generateKey')(function* (keygen: Keygen) {
  const { userId, walletId, protocolId, type, scheme, rootPublicKey, cosigner } = keygen
  const candidates = yield* (yield* ShareStore).candidates
  if (candidates.some((waiting) => waiting.walletId === walletId)) return yield* new CandidateWaits()
  const { session, thumb } = yield* thisDevice
  const partnerId = session.partnerId ?? ''

  const ended = yield* runProtocol({
    operation: 'KEYGEN',
    context: {
      kind: 'keygen',
      scheme,
      protocolId,
      walletId,
      userId,
      partnerId,
      deviceKeyThumb: thumb,
      epoch: 1,
      attempt: yield* (yield* Random).bytes(16),
      shareId: none,
      otId: none,
      rootPublicKey,
    },
    cosigner,
    firstBody: (message) => Frame.encodeKeygen({ rootPublicKey, message }),
    progress: (round, of) => ({ step: 'generating', type, round, of }),
  })
  const { result } = ended.progress
  if (ended.progress.kind !== 'confirm' || result.share === undefined) return yield* new KeygenIncomplete()

  const shareText = ShareText.write({
    share: result.share,
    userId,
    partnerId,
    cosignerName: cosigner.name,
    cosignerKey: cosigner.publicKey,
  })
  const candidate: UnconfirmedShare = {
    walletId,
    userId,
    address: Address.fromPublicKey(type, result.share.publicKey, keygen.cosmosPrefix),
    shareText,
    ...(result.ot !== undefined && result.otId !== undefined ? { ot: { otId: result.otId, record: result.ot } } : {}),
    confirmFrame: yield* ended.confirmFrame(ended.progress.request),
  }
  yield* report({ step: 'storing', type })
  yield* (yield* ShareStore).stage(candidate)
  yield* report({ step: 'confirming', type })
  yield* confirm(candidate)
  return candidate
})

/** Adds the wallet to the current ones of its type. */
const makeCurrent = Effect.fn('wallets.makeCurrent')(function* (type: WalletType, walletId: string) {
  const session = yield* currentSession
  const currentWalletIds = CurrentWalletIds.add(session.currentWalletIds ?? {}, type, walletId)
  yield* (yield* SessionState).set({ ...session, currentWalletIds, needsWallet: false })
  yield* (yield* Storage).local.set(StorageKeys.currentWalletIds, JSON.stringify(currentWalletIds))
})

/** Asks for the addresses once a second, 10 times and 15 s at most. */
const waitForAddresses = (walletIds: readonly string[]) => {
  let tries = 0
  let [lacking = ''] = walletIds
  const timedOut = () => new Wallet.WalletAddressTimedOut({ walletId: lacking })
  const allPublished = Effect.map(publishedAddresses(), (published) => {
    lacking = walletIds.find((id) => !published.has(id)) ?? ''
    return lacking === '' ? Option.some(published) : Option.none()
  })
  const ask = Effect.flatMap(patient(allPublished), (found) => {
    tries += 1
    return Option.isNone(found) && tries === addressTries ? Effect.fail(timedOut()) : Effect.succeed(found)
  })
  return pollUntil(ask, {
    every: Math.max(addressTryIntervalMs, addressWaitIntervalMs),
    within: addressWaitMs,
    onTimeout: timedOut,
  })
}

/**
 * Another document leads. Once its wallet has an address, the share is on this device if it was another tab, and
 * otherwise on another device.
 */
const heldShare = Effect.fn('wallets.heldShare')(function* (walletId: string) {
  const { find } = yield* ShareStore
  if (Option.isNone(yield* find(walletId))) yield* waitForAddresses([walletId])
  const held = yield* find(walletId)
  return Option.isSome(held) ? held.value.shareText : yield* new WalletOnOtherDevice({ walletId })
})

/**
 * The user's shares that have no backup for the recovery key that was not shown yet. A refreshed one that waits has its
 * backup: it was stored before the refresh was confirmed.
 */
export const sharesLackingBackup = Effect.fn('wallets.sharesLackingBackup')(function* (userId: string) {
  const shares = yield* ShareStore
  const pending = Option.getOrUndefined(yield* signedRecovery(userId))
  if (pending === undefined) return []
  const { lackingBackup } = pending
  const unstored = yield* shares.backupPending
  return (yield* shares.list).filter(
    (share) =>
      share.userId === userId &&
      (unstored.includes(share.walletId)
        ? !isRefreshed(share.shareText)
        : (lackingBackup?.includes(share.walletId) ?? true)),
  )
})

/**
 * The secret that opens the recovery backups, as text for the user, while this device still has it. A key that the root
 * key never signed has no backups: its secret would open nothing and is not shown.
 */
export const recoverySecret = Effect.fn('wallets.recoverySecret')(function* (walletId: string) {
  const held = yield* (yield* ShareStore).find(walletId)
  if (Option.isNone(held)) return null
  const pending = yield* signedRecovery(held.value.userId)
  if (Option.isNone(pending)) return null
  const { share } = yield* Effect.fromResult(ShareText.open(held.value.shareText))
  return RecoverySecret.write({
    walletId,
    backupDecryptionKey: hexToBytes(Redacted.value(pending.value.secretKey)),
    rootPublicKey: share.rootPublicKey,
  })
})

const none = new Uint8Array(0)

/**
 * The result of the page that made the account never came to this device. A share made now could never be backed up.
 */
export class RootKeyUnknown extends Data.TaggedError('RootKeyUnknown') {
  override readonly message = 'this device does not know the root key, log in again'
}

/**
 * A key of this wallet waits for its confirmation and may be the active one. No other replaces it before the co-signer
 * has said that its run is dead.
 */
class CandidateWaits extends Data.TaggedError('CandidateWaits') {
  override readonly message = 'a key share of this wallet is not confirmed yet'
}

/** The protocol ended without a share to confirm. */
class KeygenIncomplete extends Data.TaggedError('KeygenIncomplete') {
  override readonly message = 'key generation gave no share'
}

/** Both sides derive the address from the public key. Another address from the service is not accepted. */
class AddressDiffers extends Data.TaggedError('AddressDiffers') {
  override readonly message = 'the service names another address than the key has'
}

/** The wallet was made elsewhere. Its share is in the backups, and a login brings it here. */
export class WalletOnOtherDevice extends Data.TaggedError('WalletOnOtherDevice')<{ readonly walletId: string }> {
  override readonly message = `wallet with id ${this.walletId} was created on another device, log in again to use it here`
}
