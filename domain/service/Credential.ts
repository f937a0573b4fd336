/**
 * The two kinds of credential record (domain/service/README.md#credential-records). What a record wraps, only its owner
 * can open; a proof is checked by the sealed verifier or by the authenticator's own key.
 */
import type { PasskeyVariant } from '../crypto/PasskeyKeys.ts'
import type { Kdf } from '../crypto/PasswordKeys.ts'
import type { Platform, Status } from '../model/Credential.ts'
import type { AssociatedData } from './ports/Vault.ts'

/**
 * STAGED: complete, but usable only within the recovery that made it, until that is finished. REVOKED: replaced by a
 * recovery; the record has lost its keys. The wire has neither.
 */
export type CredentialStatus = Status | 'STAGED' | 'REVOKED'

/** A PENDING record lives this long. */
export const pendingLife = 10 * 60_000

/** Passkeys of one user at most. */
export const maximumPasskeys = 20

/** What the portal stores of the root key and its signatures, with either kind of credential. */
export type RootFields = {
  readonly rootPublicKey: string
  readonly wrappedRootKey: string
  /** The root key's signature over this credential's own public key: hosts encrypt backups to no other key. */
  readonly rootSignature: string
}

export type Password = {
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

export type PasswordCompletion = RootFields & {
  readonly sigDerivedPublicKey: string
  readonly salt: string
  readonly kdf: Kdf
  readonly encryptedWalletPrivateKey: string
  readonly encryptionKeyHash: string
  /** The Ed25519 public key that the password yields, sealed: in plain it would test guesses offline. */
  readonly sealedVerifier: Uint8Array
}

export type Passkey = {
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

export type PasskeyCompletion = RootFields & {
  /** base64url, unique among all passkeys. */
  readonly credentialId: string
  readonly sigDerivedPublicKey: string
  /** COSE bytes, read from the attestation: assertions are verified with it. */
  readonly authenticatorKey: Uint8Array
  readonly aaguid: string
  readonly counter: number
  readonly rpId: string
  readonly variant: PasskeyVariant
}

/** Associated data of a password's secrets: neither opens as the other. */
export const pepperAssociatedData = (id: string): AssociatedData => ({ table: 'passwords.pepper', id })
export const verifierAssociatedData = (id: string): AssociatedData => ({ table: 'passwords.verifier', id })
