/** RSA by WebCrypto, on keys as hex of a PKCS#1 PEM. It is loaded with the first key. */
import type * as Redacted from 'effect/Redacted'
import * as Hybrid from '../../domain/crypto/Hybrid.ts'
import type { HybridEncryption } from '../../domain/crypto/Hybrid.ts'
import * as RsaKey from '../../domain/crypto/RsaKey.ts'
import { RsaRefusal, type RsaPair } from '../../domain/client/ports/Rsa.ts'

/** RSA 2048 with e 65537; both keys as hex of the UTF-8 text of a PKCS#1 PEM. */
export const generatePair = async (): Promise<RsaPair> => {
  const pair = await crypto.subtle.generateKey(
    { name: 'RSA-OAEP', modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]), hash: 'SHA-256' },
    true,
    ['encrypt', 'decrypt'],
  )
  const publicDer = RsaKey.fromSpki(new Uint8Array(await crypto.subtle.exportKey('spki', pair.publicKey)))
  const privateDer = RsaKey.fromPkcs8(new Uint8Array(await crypto.subtle.exportKey('pkcs8', pair.privateKey)))
  if (publicDer === undefined || privateDer === undefined) {
    throw new Error('WebCrypto made an RSA key of another form')
  }
  return { publicKey: RsaKey.publicPemHex(publicDer), privateKey: RsaKey.privatePemHex(privateDer) }
}

type Message = { readonly plaintext: string; readonly messageKey: Uint8Array }

/** The hybrid envelope: RSA-OAEP with SHA-1 around a message key (domain/crypto/README.md#envelopes). */
export const sealHybrid = (publicKey: string, message: Message) =>
  Hybrid.seal({ ...message, rsaEncrypt: (bytes) => oaepEncrypt(publicKey, bytes, 'SHA-1') })

export const openHybrid = (privateKey: Redacted.Redacted, encryption: HybridEncryption) =>
  Hybrid.open(encryption, (bytes) => oaepDecrypt(privateKey, bytes, 'SHA-1'))

type OaepHash = 'SHA-1' | 'SHA-256'

const oaep = (label: Uint8Array | undefined) =>
  label === undefined ? { name: 'RSA-OAEP' } : { name: 'RSA-OAEP', label: Uint8Array.from(label) }

/** A 256-byte block. Fails with RsaRefusal for a key of another form. */
export const oaepEncrypt = async (publicKey: string, message: Uint8Array, hash: OaepHash, label?: Uint8Array) => {
  const der = RsaKey.publicDer(publicKey)
  if (der === undefined) throw new RsaRefusal()
  const spki = Uint8Array.from(RsaKey.toSpki(der))
  const key = await crypto.subtle.importKey('spki', spki, { name: 'RSA-OAEP', hash }, false, ['encrypt'])
  return new Uint8Array(await crypto.subtle.encrypt(oaep(label), key, Uint8Array.from(message)))
}

/** Fails with RsaRefusal for a key of another form, and with WebCrypto's OperationError for a wrong block. */
export const oaepDecrypt = async (
  privateKey: Redacted.Redacted,
  ciphertext: Uint8Array,
  hash: OaepHash,
  label?: Uint8Array,
) => {
  const der = RsaKey.privateDer(privateKey)
  if (der === undefined) throw new RsaRefusal()
  const pkcs8 = Uint8Array.from(RsaKey.toPkcs8(der))
  const key = await crypto.subtle.importKey('pkcs8', pkcs8, { name: 'RSA-OAEP', hash }, false, ['decrypt'])
  return new Uint8Array(await crypto.subtle.decrypt(oaep(label), key, Uint8Array.from(ciphertext)))
}
