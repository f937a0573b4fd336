/**
 * New shares for every wallet of the user under her new root key, backed up to the new credential and the new recovery key, and
 * then all of them in place of the old ones at once (flows 10.6, 10.7). Until the last wallet is finished the old sharing
 * stands, and from then on it is worth nothing to whoever has an old device.
 */
import { hexToBytes } from '@noble/hashes/utils.js'
import * as Data from 'effect/Data'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import * as Ref from 'effect/Ref'
import { deviceRoot } from '../deviceRoot.ts'
import { OpenerNotProven } from '../OpenerNotProven.ts'
import { Api } from '../ports/Api.ts'
import { Locks } from '../ports/Locks.ts'
import { report } from '../ports/Progress.ts'
import { ShareStore } from '../ports/ShareStore.ts'
import { confirmBackedUp, prepareAttempt, signLock } from '../refreshKeys.ts'
import { insistently } from '../runProtocol.ts'
import { signedRecovery } from '../signedRecovery.ts'
import { currentSession } from '../touch.ts'
import type { OpenedBackups, OpenedWallet } from './openBackups.ts'
import { keepUntold, secretOf, untold, untoldSecret, type Untold } from './untoldSecret.ts'

/** The wallets whose new shares are prepared already, by id: another try goes on with the others. */
export type Prepared = Ref.Ref<ReadonlySet<string>>

/** Gives the new recovery secret, which is said once. A failure names the wallet at which it came. */
export const recoverWallets = Effect.fn('recovery.recoverWallets')(function* (
  { userId, wallets }: OpenedBackups,
  prepared: Prepared,
) {
  const { sessionId } = yield* currentSession
  const root = yield* deviceRoot(sessionId)
  const pending = Option.getOrUndefined(yield* signedRecovery(userId))
  if (Option.isNone(root) || pending === undefined) return yield* new OpenerNotProven()

  const rootPublicKey = hexToBytes(root.value)
  const walletIds = wallets.map(({ wallet }) => wallet.walletId)
  const finishing = { sessionId, walletIds, rootPublicKey: root.value, isFinished: false }
  const left: Untold = { ...pending, finishing }
  yield* Effect.forEach(wallets, (opened) => prepareOnce(opened, rootPublicKey, prepared))
  yield* finishWallets(left)
  return secretOf(left)
})

/** Each of them is said to be ready, and with the last one all of them change. To say it again changes nothing. */
const finishWallets = Effect.fn('recovery.finishWallets')(function* (left: Untold) {
  const { userId, finishing } = left
  const { walletIds } = finishing
  const [api, shares] = [yield* Api, yield* ShareStore]
  yield* report({ step: 'finishing' })
  // Another tab of this page may have begun a recovery meanwhile, and forgotten this one.
  yield* keepUntold(left)
  yield* Effect.forEach(walletIds, (walletId) =>
    insistently(api.call('finishRecovery', { path: { userId, walletId } })).pipe(
      Effect.mapError((cause) => new RecoveryStopped({ walletId, at: 'finish', cause })),
    ),
  )
  // Whatever another tab has left now: the secret that counts is shown.
  yield* Effect.ignore(keepUntold({ ...left, finishing: { ...finishing, isFinished: true } }))
  yield* Effect.forEach(walletIds, shares.drop)
})

/**
 * When the page begins: a recovery whose finish was under way as the page went away is brought to its end, as far as its
 * session can. Gives the secret that was not shown yet, if there is one.
 */
export const resumeRecovery = Effect.fn('recovery.resume')(function* () {
  const left = Option.getOrUndefined(yield* untold)
  if (left?.finishing.isFinished === false) yield* Effect.ignore(finishWallets(left))
  return yield* untoldSecret
})

/** A refresh that the finish commits: the new share is confirmed, and signs nothing yet. */
const prepareOnce = Effect.fn('recovery.prepareWallet')(function* (
  { wallet: { walletId, address }, user }: OpenedWallet,
  rootPublicKey: Uint8Array,
  prepared: Prepared,
) {
  if ((yield* Ref.get(prepared)).has(walletId)) return
  yield* report({ step: 'recovering', walletId })
  const renewing = Effect.flatMap(prepareAttempt({ user, address, rootPublicKey }), ({ candidate }) => confirmBackedUp(candidate))
  yield* (yield* Locks).alone(signLock(walletId), renewing).pipe(
    Effect.mapError((cause) => new RecoveryStopped({ walletId, at: 'refresh', cause })),
  )
  yield* Ref.update(prepared, (ids) => new Set(ids).add(walletId))
})

/** The recovery stopped at this wallet. Until the finish of the last one the old shares stand; `cause` is what stopped it. */
export class RecoveryStopped extends Data.TaggedError('RecoveryStopped')<{
  readonly walletId: string
  readonly at: 'refresh' | 'finish'
  readonly cause: unknown
}> {
  override readonly message = 'the recovery stopped at a wallet'
}
