/**
 * The keys of a password. Argon2id gives the master key, which never leaves the page. One key derived from it
 * authenticates; another wraps, together with a pepper that the service gives only to a page that has authenticated.
 * domain/crypto/README.md#password-keys
 */
import { ed25519 } from '@noble/curves/ed25519.js'
import { hkdf } from '@noble/hashes/hkdf.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import * as Data from 'effect/Data'
import * as Result from 'effect/Result'
import { wrappingKeys, type WrappingKeys } from './CredentialWrap.ts'
import { verifyEd25519 } from './Signatures.ts'
import { hash } from './Transcript.ts'

/** Unicode code points of the password in NFKC. */
export const minimumCharacters = 8
/** Bytes, as the next two. */
export const saltLength = 16
export const pepperLength = 32
export const masterKeyLength = 32

/** The parameters of the key derivation, as the record and the wire have them. */
export type Kdf = {
  readonly algorithm: 'argon2id'
  readonly memoryKiB: number
  readonly iterations: number
  readonly parallelism: number
}

export const defaultKdf: Kdf = { algorithm: 'argon2id', memoryKiB: 64 * 1024, iterations: 3, parallelism: 1 }

/** Floors against a service that asks for a cheap hash, ceilings against one that asks for all memory. */
export const kdfFloor = { memoryKiB: 19 * 1024, iterations: 2 }
const kdfCeiling = { memoryKiB: 256 * 1024, iterations: 10 }

/** The parameters come from the service, so the algorithm may be any text, whatever its type says. */
export const isAcceptableKdf = (kdf: Omit<Kdf, 'algorithm'> & { readonly algorithm: string }): boolean =>
  kdf.algorithm === 'argon2id' &&
  isWithin(kdf.memoryKiB, kdfFloor.memoryKiB, kdfCeiling.memoryKiB) &&
  isWithin(kdf.iterations, kdfFloor.iterations, kdfCeiling.iterations) &&
  kdf.parallelism === 1

/** The bytes that are hashed: UTF-8 of the password in NFKC. `common` holds the refused ones in NFKC and lower case. */
export const passwordBytes = (
  password: string,
  common: ReadonlySet<string>,
): Result.Result<Uint8Array, PasswordTooShort | PasswordTooCommon> => {
  const normalised = password.normalize('NFKC')
  if ([...normalised].length < minimumCharacters) return Result.fail(new PasswordTooShort())
  if (common.has(normalised.toLowerCase())) return Result.fail(new PasswordTooCommon())
  return Result.succeed(utf8ToBytes(normalised))
}

/** Argon2id's salt, 32 bytes: salt 16 ‖ record id 16, so that a hash serves one record only. */
export const argonSalt = (salt: Uint8Array, passwordId: string): Uint8Array => {
  const record = hexToBytes(passwordId.replaceAll('-', ''))
  if (salt.length !== saltLength || record.length !== 16) throw new RangeError('salt and record id have 16 bytes each')
  return concatBytes(salt, record)
}

/**
 * The Ed25519 seed with which the page proves that it knows the password, and its public half, the verifier: 32 bytes
 * each.
 */
export type AuthKey = {
  readonly seed: Uint8Array
  readonly publicKey: Uint8Array
}

/** Throws a RangeError for a master key of fewer than 32 bytes. */
export const authKey = (masterKey: Uint8Array, passwordId: string): AuthKey => {
  const seed = derive(masterKey, passwordId, 'auth')
  return { seed, publicKey: ed25519.getPublicKey(seed) }
}

/**
 * The keys that wrap this credential's RSA and root key. The pepper is in both, so what the service stores unsealed is
 * no test for a guessed password. Master key and pepper have 32 bytes each; a shorter key or another pepper throws a
 * RangeError.
 */
export const passwordWrappingKeys = (masterKey: Uint8Array, pepper: Uint8Array, passwordId: string): WrappingKeys => {
  if (pepper.length !== pepperLength) throw new RangeError('pepper has 32 bytes')
  const wrap = derive(masterKey, passwordId, 'wrap')
  return wrappingKeys(derive(concatBytes(wrap, pepper), passwordId, 'kek'), passwordId, family)
}

/** What the proof for `passwords/verify` is bound to: one challenge, page, session and login key. */
export type PasswordProof = {
  readonly portalHost: string
  readonly partnerId: string
  readonly sessionId: string
  readonly openingId: string
  readonly passwordId: string
  /** 32 bytes. On an export page the page's own public key; empty where the portal session has no login key. */
  readonly loginKeyThumbprint: Uint8Array
  /** 32 bytes, from the service. */
  readonly challenge: Uint8Array
}

/** 64 bytes. `seed` is that of `authKey`. */
export const signPassword = (seed: Uint8Array, proof: PasswordProof): Uint8Array =>
  ed25519.sign(proofMessage(proof), seed)

/** Whether 64 bytes are the signature of the verifier, 32 bytes; false for bytes of another length. */
export const isPasswordProof = (publicKey: Uint8Array, proof: PasswordProof, signature: Uint8Array): boolean =>
  verifyEd25519(publicKey, proofMessage(proof), signature)

const family = 'tandem/password/v1'

const derive = (key: Uint8Array, passwordId: string, use: string): Uint8Array => {
  if (key.length < masterKeyLength) throw new RangeError('a key to derive from has at least 32 bytes')
  return hkdf(sha256, key, utf8ToBytes(passwordId), utf8ToBytes(`${family}/${use}`), 32)
}

const proofMessage = (proof: PasswordProof): Uint8Array =>
  hash('tandem/password-verify/v1', [
    proof.portalHost,
    proof.partnerId,
    proof.sessionId,
    proof.openingId,
    proof.passwordId,
    proof.loginKeyThumbprint,
    proof.challenge,
  ])

const isWithin = (value: number, floor: number, ceiling: number) =>
  Number.isInteger(value) && value >= floor && value <= ceiling

export class PasswordTooShort extends Data.TaggedError('PasswordTooShort') {}

export class PasswordTooCommon extends Data.TaggedError('PasswordTooCommon') {}
