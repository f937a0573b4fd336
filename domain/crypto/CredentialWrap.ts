/**
 * What a credential wraps for its user (flows 3.7): the private half of its RSA pair, to which shares are encrypted,
 * and the root key. Both name in their associated data whose they are, so that neither opens in another place.
 */
import { hkdf } from '@noble/hashes/hkdf.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { utf8 } from '@scure/base'
import * as Result from 'effect/Result'
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

/** Derives both from a credential's key-encryption key. `family` is the prefix of that credential's labels. */
export const wrappingKeys = (kek: Uint8Array, recordId: string, family: string): WrappingKeys => {
  const derive = (use: string) => hkdf(sha256, kek, utf8ToBytes(recordId), utf8ToBytes(`${family}/${use}`), 32)
  return { privateKey: derive('ewpk'), root: derive('root') }
}

/** `encryptionKeyHash`: names the wrapping key on the wire. It is over the peppered key, so it tests no guess (A5). */
export const encryptionKeyHash = (keys: WrappingKeys): Uint8Array =>
  hash('tandem/encryption-key/v1', [keys.privateKey])

/** Whose wrap it is. */
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

/** `iv`: 12 fresh random bytes. `privateKey`: pemhex. */
export const sealPrivateKey = (
  keys: WrappingKeys,
  owner: WrapOwner,
  privateKey: string,
  iv: Uint8Array,
): string => Wrap.seal({ key: keys.privateKey, aad: associatedData(owner), plaintext: utf8ToBytes(privateKey), iv })

/** The pemhex of the RSA private key. */
export const openPrivateKey = (
  keys: WrappingKeys,
  owner: WrapOwner,
  text: string,
): Result.Result<string, Wrap.SealBroken> =>
  Result.flatMap(Wrap.open({ key: keys.privateKey, aad: associatedData(owner), text }), (bytes) =>
    asText(bytes, (privateKey) => (RsaKey.privateDer(privateKey) === undefined ? undefined : privateKey)),
  )

/** `strict` names the partners whose backups must be signed (flows A4). */
export type RootBlob = {
  readonly seed: Uint8Array
  readonly strict: readonly string[]
}

export const sealRoot = (keys: WrappingKeys, owner: WrapOwner, root: RootBlob, iv: Uint8Array): string =>
  Wrap.seal({
    key: keys.root,
    aad: associatedData(owner),
    plaintext: utf8ToBytes(JSON.stringify({ v: 1, seed: bytesToHex(root.seed), strict: root.strict })),
    iv,
  })

/** Opens a root blob whose seed yields the root public key of its owner. */
export const openRoot = (
  keys: WrappingKeys,
  owner: WrapOwner,
  text: string,
): Result.Result<RootBlob, Wrap.SealBroken> =>
  Result.flatMap(Wrap.open({ key: keys.root, aad: associatedData(owner), text }), (bytes) =>
    asText(bytes, (json) => parseRoot(JSON.parse(json), owner.rootPublicKey)),
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

const parseRoot = (value: unknown, rootPublicKey: Uint8Array): RootBlob | undefined => {
  if (typeof value !== 'object' || value === null || !('v' in value) || value.v !== 1) return undefined
  const seed = 'seed' in value && typeof value.seed === 'string' ? fromHex(value.seed, 32) : undefined
  const strict: unknown = 'strict' in value ? value.strict : undefined
  if (seed === undefined || !Array.isArray(strict) || !strict.every((id) => typeof id === 'string')) return undefined
  return bytesToHex(RootKey.publicKeyOf(seed)) === bytesToHex(rootPublicKey) ? { seed, strict } : undefined
}

const asText = <A>(bytes: Uint8Array, read: (text: string) => A | undefined): Result.Result<A, Wrap.SealBroken> => {
  try {
    const value = read(utf8.encode(bytes))
    if (value !== undefined) return Result.succeed(value)
  } catch {
    // Neither text nor JSON: the same answer as for any other broken envelope.
  }
  return Result.fail(new Wrap.SealBroken({ envelope: 'v2' }))
}
