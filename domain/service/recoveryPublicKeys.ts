/** The keys of recovery secrets, to which backups are encrypted (domain/service/README.md#backups). */
import * as Clock from 'effect/Clock'
import * as Data from 'effect/Data'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import { fromHex } from '../crypto/Hex.ts'
import * as RecoverySecret from '../crypto/RecoverySecret.ts'
import * as RootKey from '../crypto/RootKey.ts'
import { RecoveryPublicKeys } from './ports/RecoveryPublicKeys.ts'
import { SecureRandom } from './ports/SecureRandom.ts'
import { Transaction } from './ports/Transaction.ts'
import { Users } from './ports/Users.ts'
import type { RecoveryRecord } from './Recovery.ts'
import { recoveringSessionOf } from './sessions.ts'

/** Of one user. */
const maximumKeys = 10

/** Adds keys that are not there yet. None is ever changed; those of a recovery are usable only when it is finished. */
export const createRecoveryPublicKeys = Effect.fn('keyShares.createRecoveryPublicKeys')(function* (
  userId: string,
  publicKeys: readonly string[],
  rootSignatures: readonly string[] = [],
) {
  const { recovery } = yield* recoveringSessionOf(userId)
  const keys = yield* RecoveryPublicKeys
  const user = Option.getOrUndefined(yield* (yield* Users).find(userId))
  const rootPublicKey = recovery === undefined ? user?.rootPublicKey : recovery.credential?.rootPublicKey
  const createdAt = yield* Clock.currentTimeMillis
  const random = yield* SecureRandom
  return yield* (yield* Transaction).atomically(
    Effect.gen(function* () {
      for (const [index, publicKey] of publicKeys.entries()) {
        const signature = rootSignatures[index] ?? null
        const mayBeUnsigned = recovery === undefined
        const isGood = isRecoveryKey(userId, rootPublicKey ?? null, publicKey, signature)
        if (!isGood || (signature === null && !mayBeUnsigned)) return yield* new InvalidRecoveryPublicKey()
        yield* keys.add({ id: yield* random.uuid, userId, publicKey, signature, createdAt }, recovery?.sessionId)
      }
      const stored = yield* recoveryKeysOf(userId, recovery)
      return stored.length > maximumKeys ? yield* new TooManyRecoveryPublicKeys() : stored
    }),
  )
})

export const listRecoveryPublicKeys = Effect.fn('keyShares.listRecoveryPublicKeys')(function* (userId: string) {
  const { recovery } = yield* recoveringSessionOf(userId)
  return yield* recoveryKeysOf(userId, recovery)
})

/** In a recovery only those that it made. */
export const recoveryKeysOf = Effect.fnUntraced(function* (userId: string, recovery: RecoveryRecord | undefined) {
  const keys = yield* RecoveryPublicKeys
  return yield* recovery === undefined ? keys.ofUser(userId) : keys.ofRecovery(userId, recovery.sessionId)
})

/** A point on the curve; with a signature, one that the root key signed for this user. */
export const isRecoveryKey = (
  userId: string,
  rootPublicKey: string | null,
  publicKey: string,
  signature: string | null,
): boolean => {
  const bytes = fromHex(publicKey, 64)
  if (bytes === undefined || !RecoverySecret.isPublicKey(bytes)) return false
  if (signature === null) return true
  const root = fromHex(rootPublicKey ?? '', 32)
  const signed = fromHex(signature, 64)
  const recipient = { kind: 'RECOVERY', userId, publicKey: bytes } as const
  return root !== undefined && signed !== undefined && RootKey.isSignedRecipient(root, recipient, signed)
}

/** Not a point on the curve, or not what the root key signed. */
export class InvalidRecoveryPublicKey extends Data.TaggedError('InvalidRecoveryPublicKey') {
  override readonly message = 'invalid recovery public key'
}

export class TooManyRecoveryPublicKeys extends Data.TaggedError('TooManyRecoveryPublicKeys') {
  override readonly message = 'too many recovery public keys'
}
