/**
 * Envelopes and hashes that cost nothing, with the product's own formats: RSA keys are numbers of unknown factors, their
 * ciphertexts open with the text of the private key, and a password is hashed once.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Redacted from 'effect/Redacted'
import { PasswordHash } from '../../domain/client/ports/PasswordHash.ts'
import { Rsa, RsaRefusal } from '../../domain/client/ports/Rsa.ts'
import { equal } from '../../domain/crypto/Equal.ts'
import * as Hybrid from '../../domain/crypto/Hybrid.ts'
import * as RsaKey from '../../domain/crypto/RsaKey.ts'
import { expand } from '../../domain/crypto/expand.ts'

/** Where the modulus begins in either DER (`RsaKey.ts`). */
const modulusAt = { public: 9, private: 12 } as const
const exponent = hexToBytes('0203010001')

/** What the two texts of a pair have in common: 32 bytes. */
const nameOf = (der: Uint8Array, at: number): Uint8Array => sha256(der.subarray(at, at + 256))

export const pairOf = (bytes: Uint8Array) => {
  const modulus = Uint8Array.from(bytes)
  modulus[0] = (modulus[0] ?? 0) | 0x80
  modulus[255] = (modulus[255] ?? 0) | 1
  const body = concatBytes(hexToBytes('0201000282010100'), modulus, exponent)
  return {
    publicKey: RsaKey.publicPemHex(concatBytes(hexToBytes('3082010a0282010100'), modulus, exponent)),
    privateKey: RsaKey.privatePemHex(
      concatBytes(Uint8Array.of(0x30, 0x82, body.length >>> 8, body.length & 0xff), body),
    ),
  }
}

const recipientOf = (publicKey: string): Uint8Array | undefined => {
  const der = RsaKey.publicDer(publicKey)
  return der === undefined ? undefined : nameOf(der, modulusAt.public)
}

const holderOf = (privateKey: Redacted.Redacted): Uint8Array | undefined => {
  const der = RsaKey.privateDer(privateKey)
  return der === undefined ? undefined : nameOf(der, modulusAt.private)
}

const blockLength = 256
/** recipient(32) ‖ H(label)(32) ‖ length(1) ‖ message, filled up with zeros. */
const blockFor = (recipient: Uint8Array, message: Uint8Array, label: Uint8Array): Uint8Array => {
  const block = new Uint8Array(blockLength)
  block.set(recipient)
  block.set(sha256(label), 32)
  block[64] = message.length
  block.set(message, 65)
  return block
}

const opened = (holder: Uint8Array | undefined, block: Uint8Array, label: Uint8Array): Uint8Array | undefined => {
  const isOwn =
    holder !== undefined && equal(block.subarray(0, 32), holder) && equal(block.subarray(32, 64), sha256(label))
  return isOwn ? block.slice(65, 65 + (block[64] ?? 0)) : undefined
}

const orRefusal = <A>(value: A | undefined) =>
  value === undefined ? Effect.fail(new RsaRefusal()) : Effect.succeed(value)
const noLabel = new Uint8Array(0)

/** Told of each envelope that is made, so that the invariants can read it later. */
export type Sealed = (ciphertextHex: string, of: { readonly publicKey: string; readonly plaintext: string }) => void

export const toyRsa = (bytes: (length: number) => Uint8Array, sealed: Sealed) =>
  Layer.succeed(Rsa, {
    generate: Effect.sync(() => pairOf(bytes(256))),
    encrypt: (publicKey, message) =>
      Effect.flatMap(orRefusal(recipientOf(publicKey)), (recipient) =>
        Effect.promise(async () => {
          const rsaEncrypt = (key: Uint8Array) => Promise.resolve(blockFor(recipient, key, noLabel))
          const plaintext = Redacted.value(message.plaintext)
          const made = await Hybrid.seal({ messageKey: message.messageKey, plaintext, rsaEncrypt })
          sealed(made.encryptedMessageHex, { publicKey, plaintext })
          return made
        }),
      ),
    decrypt: (privateKey, encryption) =>
      Effect.flatMap(
        Effect.promise(() => openHybrid(encryption, holderOf(privateKey))),
        (text) =>
          Effect.mapBoth(Effect.fromResult(text), {
            onFailure: () => new RsaRefusal(),
            onSuccess: (opened) => Redacted.make(opened),
          }),
      ),
    seal: (publicKey, message, label) =>
      Effect.map(orRefusal(recipientOf(publicKey)), (recipient) => blockFor(recipient, message, label)),
    open: (privateKey, sealed, label) => orRefusal(opened(holderOf(privateKey), sealed, label)),
  })

const openHybrid = (encryption: Hybrid.HybridEncryption, holder: Uint8Array | undefined) =>
  Hybrid.open(encryption, (block) => {
    const key = opened(holder, block, noLabel)
    return key === undefined ? Promise.reject(new Error('of another key')) : Promise.resolve(key)
  })

export const toyPasswordHash = Layer.succeed(PasswordHash, {
  argon2id: ({ password, salt, length }) =>
    Effect.sync(() => expand('tandem/simulation/password', [bytesToHex(password), bytesToHex(salt)], length)),
})
