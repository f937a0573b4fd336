/**
 * RSA-2048 keys as the wire has them: hex of a PKCS#1 PEM with CRLF line ends (`pemhex`). WebCrypto takes SPKI and
 * PKCS#8, which for this one size are PKCS#1 behind fixed headers. One key has one text: any other spelling is refused,
 * so thumbprints cannot differ for the same key. domain/crypto/README.md#rsa-keys-on-the-wire
 */
import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js'
import { ascii, base64 } from '@scure/base'
import * as Redacted from 'effect/Redacted'
import { fromHex } from './Hex.ts'
import { hash } from './Transcript.ts'

/** The pemhex of a PKCS#1 public key. */
export const publicPemHex = (der: Uint8Array): string => {
  if (!isPublicKey(der)) throw new RangeError('not a PKCS#1 public key of RSA-2048')
  return pemHex(publicLabel, der)
}

/** The PKCS#1 DER of a public key, or `undefined` unless it is RSA 2048 with e 65537 in exactly the text above. */
export const publicDer = (text: string): Uint8Array | undefined => derOf(publicLabel, text, isPublicKey)

/** The pemhex of a PKCS#1 private key. */
export const privatePemHex = (der: Uint8Array): Redacted.Redacted => {
  if (!isPrivateKey(der)) throw new RangeError('not a PKCS#1 private key of RSA-2048')
  return Redacted.make(pemHex(privateLabel, der), { label: 'RSA private key' })
}

/** The PKCS#1 DER of a private key, or `undefined` unless it is RSA 2048 with e 65537 in exactly that text. */
export const privateDer = (text: Redacted.Redacted): Uint8Array | undefined =>
  derOf(privateLabel, Redacted.value(text), isPrivateKey)

/** The bytes of the PEM itself: what thumbprints and the root key's signatures cover. */
export const publicPem = (text: string): Uint8Array | undefined =>
  publicDer(text) === undefined ? undefined : fromHex(text)

/** The DER of a public key from PKCS#1 to SubjectPublicKeyInfo and back; `undefined` for any other bytes. */
export const toSpki = (der: Uint8Array): Uint8Array => concatBytes(spkiHeader, der)
export const fromSpki = (spki: Uint8Array): Uint8Array | undefined => {
  const der = spki.slice(spkiHeader.length)
  return startsWith(spki, spkiHeader) && isPublicKey(der) ? der : undefined
}

/** The DER of a private key from PKCS#1 to PKCS#8 PrivateKeyInfo and back; `undefined` for any other bytes. */
export const toPkcs8 = (der: Uint8Array): Uint8Array => concatBytes(pkcs8Header(der.length), der)
export const fromPkcs8 = (pkcs8: Uint8Array): Uint8Array | undefined => {
  const der = pkcs8.slice(pkcs8HeaderLength)
  return startsWith(pkcs8, pkcs8Header(der.length)) && isPrivateKey(der) ? der : undefined
}

/** T("tandem/login-key/v1", PEM), 32 bytes; `undefined` for a text that `publicDer` refuses. */
export const loginKeyThumbprint = (text: string): Uint8Array | undefined => {
  const pem = publicPem(text)
  return pem === undefined ? undefined : hash('tandem/login-key/v1', [pem])
}

const publicLabel = 'RSA PUBLIC KEY'
const privateLabel = 'RSA PRIVATE KEY'

/** SEQUENCE { INTEGER n of 257 bytes, INTEGER 65537 }: RFC 8017 A.1.1 for RSA-2048. */
const publicHead = hexToBytes('3082010a0282010100')
const exponent = hexToBytes('0203010001')
const modulusLength = 256
const publicLength = publicHead.length + modulusLength + exponent.length
const spkiHeader = hexToBytes('30820122300d06092a864886f70d01010105000382010f00')

const lengthBytes = (length: number) => new Uint8Array([length >>> 8, length & 0xff])
const rsaEncryption = hexToBytes('020100300d06092a864886f70d01010105000482')
const pkcs8HeaderLength = 4 + rsaEncryption.length + 2
const pkcs8Header = (derLength: number) =>
  concatBytes(
    hexToBytes('3082'),
    lengthBytes(derLength + rsaEncryption.length + 2),
    rsaEncryption,
    lengthBytes(derLength),
  )

const startsWith = (bytes: Uint8Array, head: Uint8Array) =>
  bytes.length >= head.length && head.every((byte, index) => bytes[index] === byte)

/** A modulus of exactly 2048 bits, odd. */
const isModulus = (modulus: Uint8Array) => ((modulus[0] ?? 0) & 0x80) !== 0 && ((modulus.at(-1) ?? 0) & 1) !== 0

const isPublicKey = (der: Uint8Array): boolean =>
  der.length === publicLength &&
  startsWith(der, publicHead) &&
  isModulus(der.subarray(publicHead.length, -exponent.length)) &&
  startsWith(der.subarray(-exponent.length), exponent)

/** SEQUENCE { 0, n, e, d, … }: the length must be exact, and n and e those of RSA-2048 (RFC 8017 A.1.2). */
const isPrivateKey = (der: Uint8Array): boolean => {
  const head = concatBytes(hexToBytes('3082'), lengthBytes(der.length - 4), hexToBytes('0201000282010100'))
  const modulus = der.subarray(head.length, head.length + modulusLength)
  return startsWith(der, head) && isModulus(modulus) && startsWith(der.subarray(head.length + modulusLength), exponent)
}

const pemHex = (label: string, der: Uint8Array): string => {
  const lines = base64.encode(der).match(/.{1,64}/g) ?? []
  return bytesToHex(ascii.decode([`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\r\n')))
}

const derOf = (label: string, text: string, isKey: (der: Uint8Array) => boolean): Uint8Array | undefined => {
  const bytes = fromHex(text)
  if (bytes === undefined) return undefined
  try {
    const body = ascii.encode(bytes).match(/^-----BEGIN [A-Z ]+-----\r\n([^-]*)-----END /)?.[1] ?? ''
    const der = base64.decode(body.replaceAll('\r\n', ''))
    return isKey(der) && pemHex(label, der) === text ? der : undefined
  } catch {
    return undefined
  }
}
