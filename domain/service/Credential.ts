/**
 * The two kinds of credential record: PENDING for ten minutes, COMPLETE once and for good (flows, states). What a
 * record wraps, only its owner opens; what it proves, only the sealed verifier or the authenticator's own key tells.
 */
import type { PasskeyVariant } from '../crypto/PasskeyKeys.ts'
import type { Kdf } from '../crypto/PasswordKeys.ts'
import type { Platform, Status } from '../model/Credential.ts'
import type { Place } from './ports/Vault.ts'

/**
 * A recovery makes its credential whole and good for nothing, STAGED, until its end, and then revokes those that were lost
 * (flows 10.5, 10.7). A REVOKED record holds no key any more. The wire has neither.
 */
export type CredentialStatus = Status | 'STAGED' | 'REVOKED'

/** A PENDING record lives this long (flows 3.4). */
export const pendingLife = 10 * 60_000

/** At most so many passkeys of one user (security 2, biometrics). */
export const maximumPasskeys = 20

/** What the portal stores of the root key and its signatures, with either kind (flows 3.7, 3.8). */
export type RootFields = {
  readonly rootPublicKey: string
  readonly wrappedRootKey: string
  /** The root's signature over this credential's own public key: hosts encrypt to no other (flows 5.8). */
  readonly rootSignature: string
}

export type Password = {
  readonly id: string
  readonly userId: string
  readonly partnerId: string
  /** The session that made it: only its opening may complete it. */
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
  /** The Ed25519 key that the password yields, sealed: in plain it would test guesses (flows A5). */
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
  /** COSE bytes, read from the attestation itself: what assertions are checked under. */
  readonly authenticatorKey: Uint8Array
  readonly aaguid: string
  readonly counter: number
  readonly rpId: string
  readonly variant: PasskeyVariant
}

/** Where a password's secrets rest: neither opens in the place of the other. */
export const pepperPlace = (id: string): Place => ({ table: 'passwords.pepper', id })
export const verifierPlace = (id: string): Place => ({ table: 'passwords.verifier', id })
