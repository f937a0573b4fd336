import * as Effect from 'effect/Effect'
import type * as Redacted from 'effect/Redacted'
import * as Result from 'effect/Result'
import type { Success } from '../../../generated/handlers.ts'
import * as CredentialWrap from '../../crypto/CredentialWrap.ts'
import { fromHex } from '../../crypto/Hex.ts'
import * as RsaKey from '../../crypto/RsaKey.ts'
import { BackupDecryptionFailed } from '../../model/KeyShare.ts'
import { report } from '../ports/Progress.ts'
import type { ActiveShare } from './checkBackup.ts'

/** What the service gives to a page whose person has proven the credential. */
export type VerifiedCredential = Success<'verifyPassword'>

/** The credential as the page knows it without the service. */
export type ProvenCredential = Pick<CredentialWrap.WrapOwner, 'kind' | 'recordId' | 'variant'>

/** What a verified credential opened. */
export type Unwrapped = {
  readonly userId: string
  readonly credential: ProvenCredential & {
    /** `sigDerivedPublicKey`: the key to which backups for this credential are encrypted. */
    readonly publicKey: string
  }
  readonly root: CredentialWrap.RootBlob
  readonly rootPublicKey: Uint8Array
  readonly privateKey: Redacted.Redacted
  readonly activeShares: readonly ActiveShare[]
}

/**
 * Unwraps the root key and the private key. The wraps' associated data contain the record's root public key, so a
 * replaced one opens neither.
 */
export const unwrapKeys = Effect.fn('credentials.unwrapKeys')(function* (
  answer: VerifiedCredential,
  proven: ProvenCredential,
  keys: CredentialWrap.WrappingKeys,
) {
  yield* report({ step: 'unwrapping' })
  const { userId, wrappedRootKey, sigDerivedPublicKey: publicKey } = answer
  const rootPublicKey = fromHex(answer.rootPublicKey ?? '', 32)
  const isWhole = rootPublicKey !== undefined && RsaKey.publicDer(publicKey) !== undefined
  if (!isWhole || wrappedRootKey === undefined || answer.credentialId !== proven.recordId) {
    return yield* new BackupDecryptionFailed()
  }
  const owner: CredentialWrap.WrapOwner = { ...proven, userId, publicKey, rootPublicKey }
  const opened = Result.all({
    root: CredentialWrap.openRoot(keys, owner, wrappedRootKey),
    privateKey: CredentialWrap.openPrivateKey(keys, owner, answer.ewpk),
  })
  const { root, privateKey } = yield* Effect.mapError(Effect.fromResult(opened), () => new BackupDecryptionFailed())
  const { activeShares } = answer
  return {
    userId,
    credential: { ...proven, publicKey },
    root,
    rootPublicKey,
    privateKey,
    activeShares,
  } satisfies Unwrapped
})
