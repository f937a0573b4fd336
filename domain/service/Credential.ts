/**
 * The two kinds of credential record (domain/service/README.md#credential-records). What a record wraps, only its owner
 * can open; a proof is checked by the sealed verifier or by the authenticator's own key.
 */
import * as Data from 'effect/Data'
import * as Schema from 'effect/Schema'
import * as Struct from 'effect/Struct'
import type { PasskeyVariant } from '../crypto/PasskeyKeys.ts'
import type { Kdf } from '../crypto/PasswordKeys.ts'
import type { Platform, Status } from '../model/Credential.ts'
import type { AssociatedData } from './ports/Vault.ts'
import { Bytes } from './Stored.ts'

/**
 * STAGED: complete, but usable only within the recovery that made it, until that is finished. REVOKED: replaced by a
 * recovery; the record has lost its keys. The wire has neither.
 */
export type CredentialStatus = Status | 'STAGED' | 'REVOKED'

/** A PENDING record lives this long, in milliseconds. */
export const pendingLife = 10 * 60_000

/** Passkeys of one user at most. */
export const maximumPasskeys = 20

/** What the portal stores of the root key and its signatures, with either kind of credential. */
const RootFields = Schema.Struct({
  rootPublicKey: Schema.String,
  wrappedRootKey: Schema.String,
  /** The root key's signature over this credential's own public key: hosts encrypt backups to no other key. */
  rootSignature: Schema.String,
})
export type RootFields = typeof RootFields.Type

export type PasswordRecord = {
  readonly id: string
  readonly userId: string
  readonly partnerId: string
  /** The session that made it: only a portal session of it may complete the record. */
  readonly sessionId: string
  readonly status: CredentialStatus
  readonly salt: string
  readonly sealedPepper: Uint8Array
  readonly createdAt: number
  readonly expiresAt: number
  readonly completion: PasswordCompletion | null
}

const StoredKdf: Schema.Codec<Kdf> = Schema.Struct({
  algorithm: Schema.Literal('argon2id'),
  memoryKiB: Schema.Int,
  iterations: Schema.Int,
  parallelism: Schema.Int,
})

export const PasswordCompletion = Schema.Struct({
  ...RootFields.fields,
  sigDerivedPublicKey: Schema.String,
  salt: Schema.String,
  kdf: StoredKdf,
  encryptedWalletPrivateKey: Schema.String,
  encryptionKeyHash: Schema.String,
  /** The Ed25519 public key that the password yields, sealed: in plain it would test guesses offline. */
  sealedVerifier: Bytes,
})
export type PasswordCompletion = typeof PasswordCompletion.Type

/** What of it has no column of its own. */
export const StoredPassword = PasswordCompletion.mapFields(Struct.omit(['sealedVerifier']))

export type PasskeyRecord = {
  readonly id: string
  readonly userId: string
  readonly partnerId: string
  readonly sessionId: string
  readonly type: Platform
  readonly status: CredentialStatus
  readonly createdAt: number
  readonly expiresAt: number
  readonly completion: PasskeyCompletion | null
}

const variants = ['prf', 'handle'] as const satisfies readonly PasskeyVariant[]

export const PasskeyCompletion = Schema.Struct({
  ...RootFields.fields,
  /** base64url, unique among all passkeys. */
  credentialId: Schema.String,
  sigDerivedPublicKey: Schema.String,
  /** COSE bytes, read from the attestation: assertions are verified with it. */
  authenticatorKey: Bytes,
  aaguid: Schema.String,
  counter: Schema.Int,
  rpId: Schema.String,
  variant: Schema.Literals(variants),
})
export type PasskeyCompletion = typeof PasskeyCompletion.Type

/** What of it has no column of its own. */
export const StoredPasskey = PasskeyCompletion.mapFields(Struct.omit(['credentialId', 'authenticatorKey', 'counter']))

/** Associated data of a password's secrets: neither opens as the other. */
export const pepperAssociatedData = (id: string): AssociatedData => ({ table: 'passwords.pepper', id })
export const verifierAssociatedData = (id: string): AssociatedData => ({ table: 'passwords.verifier', id })

/** A field is missing, malformed or too weak, or a signature does not verify. The answer does not say which. */
export class InvalidCredential extends Data.TaggedError('InvalidCredential') {
  override readonly message = 'invalid credential'
}
