/**
 * The last step of a login on the host's side (domain/client/README.md#received-shares): the shares that the page left
 * are accepted only if each is the very text that the sealed result names, and only if all of them are there.
 */
import { bytesToHex } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import * as Result from 'effect/Result'
import type { Success } from '../../generated/handlers.ts'
import { equal } from '../crypto/Equal.ts'
import type { PortalSessionResult, ResultWallet } from '../crypto/Opener.ts'
import * as Wrap from '../crypto/Wrap.ts'
import { pollIntervalMs } from '../model/Limits.ts'
import { sharesAreComplete } from '../model/Session.ts'
import * as ShareText from '../mpc/ShareText.ts'
import { OpenerNotProven } from './OpenerNotProven.ts'
import { portalSessionSecret } from './portalSessionSecret.ts'
import { patient, pollUntil } from './polling.ts'
import { Api } from './ports/Api.ts'
import { report } from './ports/Progress.ts'
import { Rsa, type RsaPair } from './ports/Rsa.ts'
import { ShareStore, type StoredShare } from './ports/ShareStore.ts'
import * as RedirectSeal from './redirectSeal.ts'
import type { HostSession } from './SessionState.ts'

/** How long the service keeps the shares. */
const sharesLife = '5 minutes'

type TemporaryShare = Success<'listTemporaryShares'>['temporaryShares'][number]

type Opened = { readonly stored: StoredShare; readonly record: ShareText.UserShare['share'] }

/**
 * Waits until there is a share for each wallet, checks every share, and stores them: they are durable when this
 * succeeds.
 */
export const receiveShares = Effect.fn('keyShares.receive')(function* (
  session: HostSession,
  result: PortalSessionResult,
  pair: RsaPair,
) {
  yield* report({ step: 'receiving' })
  const temporary = yield* pollUntil(patient(completeShares(session, result)), {
    every: pollIntervalMs,
    within: sharesLife,
    onTimeout: () => new OpenerNotProven(),
  })
  yield* report({ step: 'checking' })
  const opened = yield* Effect.forEach(result.wallets, (wallet) =>
    open(
      result,
      wallet,
      pair,
      temporary.find(({ walletId }) => walletId === wallet.walletId),
    ),
  )
  yield* report({ step: 'storing' })
  yield* Effect.forEach(opened, keepLatest)
  return opened.map(({ stored }) => stored)
})

/**
 * A service with an older database delivers an older share. The stored one stays, if its capsule lets the service catch
 * up. Under another root key than the delivered one's, which the person's credential has opened, the service takes
 * nothing back: a recovery on the older database has replaced the stored share.
 */
const keepLatest = Effect.fn('keyShares.keepLatest')(function* ({ stored, record }: Opened) {
  const shares = yield* ShareStore
  const held = Option.getOrUndefined(yield* shares.find(stored.walletId))
  const before = held && Result.getOrUndefined(ShareText.open(held.shareText))?.share
  const isLater =
    held?.capsule !== undefined &&
    held.userId === stored.userId &&
    before !== undefined &&
    before.epoch > record.epoch &&
    equal(before.rootPublicKey, record.rootPublicKey)
  if (!isLater) yield* shares.put(stored)
})

/** The shares, once there is one for each wallet of the result and the service lists all these wallets. */
const completeShares = Effect.fn('keyShares.complete')(function* (
  { sessionLookupId }: HostSession,
  { userId, wallets }: PortalSessionResult,
) {
  const api = yield* Api
  const listed = (yield* api.call('listWallets', { path: { userId } })).wallets
  const { temporaryShares } = yield* api.call('listTemporaryShares', { path: { userId }, query: { sessionLookupId } })
  const isListed = ({ walletId, address }: ResultWallet) =>
    listed.some((wallet) => wallet.id === walletId && wallet.address === address)
  return wallets.every(isListed) && sharesAreComplete(temporaryShares.length, wallets.length)
    ? Option.some(temporaryShares)
    : Option.none<readonly TemporaryShare[]>()
})

const open = Effect.fn('keyShares.open')(function* (
  { userId, rootPublicKey }: PortalSessionResult,
  wallet: ResultWallet,
  { privateKey }: RsaPair,
  share: TemporaryShare | undefined,
) {
  const refused = () => new OpenerNotProven()
  if (share?.encryptedKey === undefined) return yield* refused()
  const shareText = yield* (yield* Rsa)
    .decrypt(privateKey, { encryptedMessageHex: yield* unsealed(share), encryptedKeyHex: share.encryptedKey })
    .pipe(Effect.mapError(refused))
  const opened = yield* Effect.fromResult(Result.mapError(ShareText.open(shareText), refused))
  const { share: record } = opened
  const held = Option.getOrUndefined(yield* (yield* ShareStore).find(wallet.walletId))
  const isTheOne =
    // Key and address of a wallet never change.
    (held ?? wallet).address === wallet.address &&
    bytesToHex(ShareText.shareHash(shareText)) === wallet.shareHash &&
    bytesToHex(record.shareId) === wallet.shareId &&
    bytesToHex(record.publicKey) === wallet.publicKey &&
    record.epoch === wallet.epoch &&
    record.walletId === wallet.walletId &&
    opened.userId === userId &&
    bytesToHex(record.rootPublicKey) === rootPublicKey
  if (!isTheOne) return yield* refused()
  const stored: StoredShare = { walletId: wallet.walletId, userId, address: wallet.address, shareText }
  return { stored, record } satisfies Opened
})

/** After a redirect shares are sealed once more under the code. */
const unsealed = Effect.fn('keyShares.unsealed')(function* ({ walletId, encryptedShare }: TemporaryShare) {
  if (!encryptedShare.startsWith(Wrap.prefix)) return encryptedShare
  const kept = yield* portalSessionSecret
  if (Option.isNone(kept)) return yield* new OpenerNotProven()
  const { openingId, secret: code } = kept.value
  return yield* Effect.fromResult(
    Result.mapError(RedirectSeal.open({ code, openingId, walletId }, encryptedShare), () => new OpenerNotProven()),
  )
})
