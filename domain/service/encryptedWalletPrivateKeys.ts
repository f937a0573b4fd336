/**
 * The wrapped private keys of credentials, to which shares are encrypted (domain/service/README.md#backups). The service
 * can open none of them.
 */
import * as Clock from 'effect/Clock'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import { Caller } from './Caller.ts'
import { InvalidKeyShare, ownPassword } from './keyShares.ts'
import { NotFound } from './NotFound.ts'
import { LinkExpired, pageAtWork, verifiedPage } from './portalSessions.ts'
import { EncryptedWalletPrivateKeys } from './ports/EncryptedWalletPrivateKeys.ts'
import { Passkeys } from './ports/Passkeys.ts'
import { Passwords } from './ports/Passwords.ts'
import { SecureRandom } from './ports/SecureRandom.ts'
import { Sessions } from './ports/Sessions.ts'
import { Transaction } from './ports/Transaction.ts'
import { sessionOf } from './sessions.ts'

/** A wrapped RSA-2048 key is some 4 KiB. */
const privateKeyLength = 16 * 1024

export type WrappedKey = {
  readonly encryptedWalletPrivateKey: string
  readonly encryptionKeyHash: string
  readonly biometricPublicKey?: string | undefined
  readonly passwordId?: string | undefined
}

/**
 * The page stores the wrapped private key of its record before it completes the record. The key belongs to that record
 * alone and is never answered as another credential's.
 */
export const createEncryptedWalletPrivateKey = Effect.fn('keyShares.createEncryptedWalletPrivateKey')(function* (
  userId: string,
  { encryptedWalletPrivateKey, encryptionKeyHash, biometricPublicKey, passwordId }: WrappedKey,
) {
  const portal = yield* pageAtWork(userId, ['create-password', 'create-passkey'])
  const isOfOne = (biometricPublicKey === undefined) !== (passwordId === undefined)
  if (!isOfOne || encryptedWalletPrivateKey.length > privateKeyLength) return yield* new InvalidKeyShare()
  const isOfPasskey = portal.page === 'create-passkey'
  const isOfPage = isOfPasskey ? biometricPublicKey !== undefined : portal.record === passwordId
  if (!isOfPage || portal.record === null) return yield* new NotFound()
  const { record } = portal
  const key = {
    id: yield* (yield* SecureRandom).uuid,
    userId,
    encryptedPrivateKey: encryptedWalletPrivateKey,
    encryptionKeyHash,
    biometricPublicKey: biometricPublicKey ?? null,
    passkeyId: isOfPasskey ? record : null,
    passwordId: passwordId ?? null,
    createdAt: yield* Clock.currentTimeMillis,
  }
  return yield* (yield* Transaction).atomically(
    Effect.gen(function* () {
      yield* (yield* Sessions).lock(portal.sessionId)
      const [passwords, passkeys] = [yield* Passwords, yield* Passkeys]
      const status = isOfPasskey
        ? Option.getOrUndefined(yield* passkeys.find(record))?.status
        : Option.getOrUndefined(yield* passwords.find(record))?.status
      if (status !== 'PENDING') return yield* new LinkExpired()
      const isTaken = (yield* passkeys.ofUser(userId)).some(
        ({ status: passkeyStatus, completion }) =>
          passkeyStatus === 'COMPLETE' && completion?.sigDerivedPublicKey === biometricPublicKey,
      )
      return isTaken ? yield* new InvalidKeyShare() : yield* (yield* EncryptedWalletPrivateKeys).put(key)
    }),
  )
})

/** By the id or by the hash of the wrapping key. */
export const listEncryptedWalletPrivateKeys = Effect.fn('keyShares.listEncryptedWalletPrivateKeys')(function* (
  userId: string,
  idOrHash: string,
) {
  const { portal } = yield* Caller
  if (portal === undefined) yield* sessionOf(userId)
  else yield* verifiedPage(userId)
  const stored = yield* (yield* EncryptedWalletPrivateKeys).ofUser(userId)
  return stored.filter(({ id, encryptionKeyHash }) => id === idOrHash || encryptionKeyHash === idOrHash)
})

/** The private key that a verified password wraps. */
export const getEncryptedWalletPrivateKey = Effect.fn('keyShares.getEncryptedWalletPrivateKey')(function* (
  passwordId: string,
) {
  const { portal } = yield* Caller
  const { userId } = yield* verifiedPage(portal?.userId ?? '')
  const { completion, createdAt } = yield* ownPassword(userId, passwordId)
  return {
    id: passwordId,
    userId,
    encryptedPrivateKey: completion.encryptedWalletPrivateKey,
    encryptionKeyHash: completion.encryptionKeyHash,
    biometricPublicKey: null,
    passkeyId: null,
    passwordId,
    createdAt,
  }
})
