/**
 * The new recovery secret until it was shown (flows 10.7): all that it says is one record of the share store, from
 * before the finish on, so that a page that is closed at the wrong moment can still say it. There is one at most: while
 * it was not shown, no other recovery begins or ends in this browser.
 */
import { hexToBytes } from '@noble/hashes/utils.js'
import * as Data from 'effect/Data'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import * as RecoverySecret from '../../crypto/RecoverySecret.ts'
import { storagePrefix } from '../../model/Provider.ts'
import { DeviceKeys } from '../ports/DeviceKeys.ts'
import { Locks } from '../ports/Locks.ts'
import { ShareStore, type Finishing, type PendingRecovery } from '../ports/ShareStore.ts'
import { Storage } from '../ports/Storage.ts'
import { signedRecovery } from '../signedRecovery.ts'

/** A recovery whose finish is under way, or done. */
export type Untold = PendingRecovery & { readonly finishing: Finishing }

/** In local storage, where an earlier version kept whose recovery is finishing, and all of that but its key. */
const earlierKey = `${storagePrefix}tandem/recovery`

/** Whoever looks whether a secret is untold writes before another one looks. */
const untoldLock = 'tandem:recovery'

export const keepUntold = Effect.fn('recovery.keepUntold')(function* (left: Untold) {
  const keep = Effect.gen(function* () {
    yield* requireTold(secretOf(left))
    yield* (yield* ShareStore).pendingRecovery.set(left)
  })
  yield* (yield* Locks).alone(untoldLock, keep)
})

export const untold = Effect.gen(function* () {
  const { pendingRecovery } = yield* ShareStore
  const left = (yield* pendingRecovery.list).find(isUntold)
  if (left !== undefined) return Option.some(left)

  const text = yield* (yield* Storage).local.get(earlierKey)
  if (text === undefined) return Option.none<Untold>()
  const { userId, walletIds, rootPublicKey, isFinished } = JSON.parse(text) as Finishing & { readonly userId: string }
  const finishing = { sessionId: undefined, walletIds, rootPublicKey, isFinished }
  return Option.map(yield* signedRecovery(userId), (key): Untold => ({ ...key, finishing }))
})

const isUntold = (key: PendingRecovery): key is Untold => key.finishing !== undefined

/** The text of the secret, if there is one that nobody was shown. */
export const untoldSecret = Effect.gen(function* () {
  const left = yield* untold
  return Option.map(left, (known) => ({ secret: secretOf(known), isFinished: known.finishing.isFinished }))
})

/** In the form in which it was given at sign-up; it opens the backups of all wallets. */
export const secretOf = ({ secretKey, finishing: { walletIds, rootPublicKey } }: Untold): string =>
  RecoverySecret.write({
    walletId: walletIds[0] ?? '',
    backupDecryptionKey: hexToBytes(secretKey),
    rootPublicKey: hexToBytes(rootPublicKey),
  })

/**
 * No share and no key of a recovery stays on this page: its secret, `told`, was shown, or it counts for nothing. A
 * secret of another recovery, which may have been another tab's, is shown first.
 */
export const forgetRecovery = Effect.fn('recovery.forget')(function* (told?: string) {
  const forget = Effect.gen(function* () {
    const sessionId = (yield* requireTold(told))?.finishing.sessionId
    if (sessionId !== undefined) yield* (yield* DeviceKeys).remove(sessionId)
    yield* (yield* Storage).local.remove(earlierKey)
    yield* (yield* ShareStore).forgetUser({ keepPregen: false })
  })
  yield* (yield* Locks).alone(untoldLock, forget)
})

const requireTold = Effect.fn('recovery.requireTold')(function* (told: string | undefined) {
  const left = Option.getOrUndefined(yield* untold)
  return left === undefined || secretOf(left) === told ? left : yield* new EarlierSecretNotShown()
})

/** Nobody has seen the secret of a recovery before, which may be the account's only one. */
export class EarlierSecretNotShown extends Data.TaggedError('EarlierSecretNotShown') {
  override readonly message = 'the secret of an earlier recovery was not shown yet'
}
