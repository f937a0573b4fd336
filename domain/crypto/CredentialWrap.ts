/**
 * What a credential wraps for its user: the private half of its RSA pair, which opens backups, and the root key. The
 * associated data of both names user, record and public keys, so neither opens for another record.
 * domain/crypto/README.md#wrapped-keys
 */
import { hkdf } from '@noble/hashes/hkdf.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { utf8 } from '@scure/base'
import * as Redacted from 'effect/Redacted'
import * as Result from 'effect/Result'
import * as v from 'valibot'
import * as Json from '../model/Json.ts'
import { fromHex } from './Hex.ts'
import * as RootKey from './RootKey.ts'
import * as RsaKey from './RsaKey.ts'
import { hash } from './Transcript.ts'
import * as Wrap from './Wrap.ts'

/**
 * `privateKey` wraps the RSA private key (the record's `encryptedWalletPrivateKey`), `root` the root key. 32 bytes
 * each.
 */
export type WrappingKeys = {
  readonly privateKey: Uint8Array
  readonly root: Uint8Array
}

/** Derives both from a credential's key-encryption key, 32 bytes. `family` is the prefix of that credential's labels. */
export const wrappingKeys = (kek: Uint8Array, recordId: string, family: string): WrappingKeys => {
  const derive = (use: string) => hkdf(sha256, kek, utf8ToBytes(recordId), utf8ToBytes(`${family}/${use}`), 32)
  return { privateKey: derive('ewpk'), root: derive('root') }
}

/**
 * `encryptionKeyHash`: names the wrapping key on the wire, 32 bytes. A password's key has the pepper in it, so the hash
 * is no test for a guessed password.
 */
export const encryptionKeyHash = (keys: WrappingKeys): Uint8Array => hash('tandem/encryption-key/v1', [keys.privateKey])

/** The fields of the associated data. */
export type WrapOwner = {
  readonly kind: RootKey.CredentialKind
  readonly userId: string
  readonly recordId: string
  /** Empty for a password. */
  readonly variant: 'prf' | 'handle' | ''
  /** `sigDerivedPublicKey`: pemhex of the credential's RSA public key. */
  readonly publicKey: string
  /** 32 bytes. */
  readonly rootPublicKey: Uint8Array
}

/** `iv`: 12 fresh random bytes. `privateKey`: pemhex. Gives the text of a version 2 envelope. */
export const sealPrivateKey = (
  keys: WrappingKeys,
  owner: WrapOwner,
  privateKey: Redacted.Redacted,
  iv: Uint8Array,
): string =>
  Wrap.seal({
    key: keys.privateKey,
    aad: associatedData(owner),
    plaintext: utf8ToBytes(Redacted.value(privateKey)),
    iv,
  })

/** The pemhex of the RSA private key; fails where the plaintext is no RSA-2048 key. */
export const openPrivateKey = (
  keys: WrappingKeys,
  owner: WrapOwner,
  text: string,
): Result.Result<Redacted.Redacted, Wrap.SealBroken> =>
  Result.flatMap(Wrap.open({ key: keys.privateKey, aad: associatedData(owner), text }), (bytes) =>
    asText(bytes, (text) => {
      const privateKey = Redacted.make(text, { label: 'RSA private key' })
      return RsaKey.privateDer(privateKey) === undefined ? undefined : privateKey
    }),
  )

/** `seed`: 32 bytes. `strict`: ids of partners for whose wallets an unsigned backup counts for no client. */
export type RootBlob = {
  readonly seed: Redacted.Redacted<Uint8Array>
  readonly strict: readonly string[]
}

/** `iv`: 12 fresh random bytes. Gives the text of a version 2 envelope. */
export const sealRoot = (keys: WrappingKeys, owner: WrapOwner, root: RootBlob, iv: Uint8Array): string =>
  Wrap.seal({
    key: keys.root,
    aad: associatedData(owner),
    plaintext: utf8ToBytes(JSON.stringify({ v: 1, seed: bytesToHex(Redacted.value(root.seed)), strict: root.strict })),
    iv,
  })

/** Fails, beside a wrong key, where the seed does not give `owner.rootPublicKey`. */
export const openRoot = (
  keys: WrappingKeys,
  owner: WrapOwner,
  text: string,
): Result.Result<RootBlob, Wrap.SealBroken> =>
  Result.flatMap(Wrap.open({ key: keys.root, aad: associatedData(owner), text }), (bytes) =>
    asText(bytes, (text) => parseRoot(text, owner.rootPublicKey)),
  )

const associatedData = (owner: WrapOwner): Uint8Array => {
  const pem = RsaKey.publicPem(owner.publicKey)
  if (pem === undefined) throw new RangeError('a credential has an RSA public key')
  return hash('tandem/wrap/v1', [
    owner.kind,
    owner.userId,
    owner.recordId,
    owner.variant,
    sha256(pem),
    owner.rootPublicKey,
  ])
}

const parseRoot = (text: string, rootPublicKey: Uint8Array): RootBlob | undefined => {
  const blob = Json.parse(rootBlob, text)
  const seed = blob === undefined ? undefined : fromHex(blob.seed, 32)
  if (blob === undefined || seed === undefined) return undefined
  const isOwn = bytesToHex(RootKey.publicKeyOf(seed)) === bytesToHex(rootPublicKey)
  return isOwn ? { seed: Redacted.make(seed), strict: blob.strict } : undefined
}

const rootBlob = v.object({ v: v.literal(1), seed: v.string(), strict: v.array(v.string()) })

const asText = <A>(bytes: Uint8Array, read: (text: string) => A | undefined): Result.Result<A, Wrap.SealBroken> => {
  try {
    const value = read(utf8.encode(bytes))
    if (value !== undefined) return Result.succeed(value)
  } catch {
    // Not UTF-8: the same error as for any other broken envelope.
  }
  return Result.fail(new Wrap.SealBroken({ envelope: 'v2' }))
}
