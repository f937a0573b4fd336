/**
 * The new recovery secret until it was shown: one record of the share store has all of it from before the finish on, so
 * that a page that is closed in between can still show it. There is one at most: until it was shown, no other recovery
 * begins or ends in this browser.
 */
import { hexToBytes } from '@noble/hashes/utils.js'
import * as Data from 'effect/Data'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import * as Redacted from 'effect/Redacted'
import * as v from 'valibot'
import * as RecoverySecret from '../../crypto/RecoverySecret.ts'
import * as Json from '../../model/Json.ts'
import { storagePrefix } from '../../model/Provider.ts'
import { DeviceKeys } from '../ports/DeviceKeys.ts'
import { Locks } from '../ports/Locks.ts'
import { ShareStore, type Finishing, type PendingRecovery } from '../ports/ShareStore.ts'
import { Storage } from '../ports/Storage.ts'
import { signedRecovery } from '../certifiedKeys.ts'

/** A recovery whose finish is under way, or done. */
export type UnacknowledgedRecovery = PendingRecovery & { readonly finishing: Finishing }

/** In local storage, where an earlier version kept the user and the fields of `Finishing`, without the key. */
const earlierKey = `${storagePrefix}tandem/recovery`

/** Held from the check for an unacknowledged secret to the write after it. */
const unacknowledgedLock = 'tandem:recovery'

export const keepUnacknowledged = Effect.fn('recovery.keepUnacknowledged')(function* (left: UnacknowledgedRecovery) {
  const keep = Effect.gen(function* () {
    yield* requireAcknowledged(secretOf(left))
    yield* (yield* ShareStore).pendingRecovery.set(left)
  })
  yield* (yield* Locks).alone(unacknowledgedLock, keep)
})

export const unacknowledgedRecovery = Effect.gen(function* () {
  const { pendingRecovery } = yield* ShareStore
  const left = (yield* pendingRecovery.list).find(isUnacknowledged)
  if (left !== undefined) return Option.some(left)

  const text = yield* (yield* Storage).local.get(earlierKey)
  if (text === undefined) return Option.none<UnacknowledgedRecovery>()
  const earlier = Json.parse(earlierForm, text)
  if (earlier === undefined) return yield* Effect.die(new Error(`${earlierKey} in local storage cannot be read`))
  const { userId, ...finishing } = earlier
  return Option.map(yield* signedRecovery(userId), (key): UnacknowledgedRecovery => ({ ...key, finishing }))
})

const earlierForm = v.object({
  userId: v.string(),
  walletIds: v.array(v.string()),
  rootPublicKey: v.string(),
  isFinished: v.boolean(),
})

const isUnacknowledged = (key: PendingRecovery): key is UnacknowledgedRecovery => key.finishing !== undefined

/** The text of the secret, if there is one that was not shown. */
export const unacknowledgedSecret = Effect.gen(function* () {
  const left = yield* unacknowledgedRecovery
  return Option.map(left, (known) => ({ secret: secretOf(known), isFinished: known.finishing.isFinished }))
})

/** In the form in which it is given at sign-up; it opens the backups of all wallets. */
export const secretOf = ({ secretKey, finishing: { walletIds, rootPublicKey } }: UnacknowledgedRecovery): string =>
  RecoverySecret.write({
    walletId: walletIds[0] ?? '',
    backupDecryptionKey: hexToBytes(Redacted.value(secretKey)),
    rootPublicKey: hexToBytes(rootPublicKey),
  })

/**
 * Deletes every share and key of a recovery on this page, once its secret, `told`, was shown or counts for nothing. A
 * secret of another recovery, perhaps of another tab, has to be shown first.
 */
export const forgetRecovery = Effect.fn('recovery.forget')(function* (acknowledged?: string) {
  const forget = Effect.gen(function* () {
    const sessionId = (yield* requireAcknowledged(acknowledged))?.finishing.sessionId
    if (sessionId !== undefined) yield* (yield* DeviceKeys).remove(sessionId)
    yield* (yield* Storage).local.remove(earlierKey)
    yield* (yield* ShareStore).forgetAll
  })
  yield* (yield* Locks).alone(unacknowledgedLock, forget)
})

const requireAcknowledged = Effect.fn('recovery.requireAcknowledged')(function* (acknowledged: string | undefined) {
  const left = Option.getOrUndefined(yield* unacknowledgedRecovery)
  return left === undefined || secretOf(left) === acknowledged ? left : yield* new EarlierSecretNotShown()
})

/** The secret of an earlier recovery was not shown, and it may be the account's only one. */
export class EarlierSecretNotShown extends Data.TaggedError('EarlierSecretNotShown') {
  override readonly message = 'the secret of an earlier recovery was not shown yet'
}
