/**
 * The hybrid envelope of shares, which clients of the public API read and write to the byte: AES-128-CBC under a random
 * key of one message, and that key under RSA-OAEP with SHA-1. It has no integrity: the share text inside authenticates
 * itself. domain/crypto/README.md#envelopes
 *
 * The fixed IV is the 16 ASCII characters below, not the bytes that they spell in hex. Each key encrypts once.
 */
import { cbc } from '@noble/ciphers/aes.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { ascii } from '@scure/base'
import * as Result from 'effect/Result'
import { fromHex } from './Hex.ts'
import { SealBroken } from './Wrap.ts'

const fixedIv = ascii.decode('794241bc819a125a')
const messageKeyLength = 16
const rsaBlockLength = 256

/** Hex of the ciphertext, and hex of the RSA block of 256 bytes read as Latin-1 and written as UTF-8. */
export type HybridEncryption = {
  readonly encryptedMessageHex: string
  readonly encryptedKeyHex: string
}

/**
 * `messageKey` is 16 fresh random bytes for this one message. `plaintext` is ASCII; anything else throws. `rsaEncrypt`
 * gives a block of 256 bytes.
 */
export const seal = async (message: {
  readonly plaintext: string
  readonly messageKey: Uint8Array
  readonly rsaEncrypt: (bytes: Uint8Array) => Promise<Uint8Array>
}): Promise<HybridEncryption> => {
  const plaintext = ascii.decode(message.plaintext)
  if (message.messageKey.length !== messageKeyLength) throw new RangeError('AES-128-CBC: key 16 bytes')
  const block = await message.rsaEncrypt(message.messageKey)
  if (block.length !== rsaBlockLength) throw new RangeError('RSA-2048: block 256 bytes')
  return {
    encryptedMessageHex: bytesToHex(cbc(message.messageKey, fixedIv).encrypt(plaintext)),
    encryptedKeyHex: bytesToHex(latin1AsUtf8(block)),
  }
}

/** The ASCII plaintext. `rsaDecrypt` gets a block of 256 bytes and rejects for one that is not encrypted to its key. */
export const open = async (
  encryption: HybridEncryption,
  rsaDecrypt: (bytes: Uint8Array) => Promise<Uint8Array>,
): Promise<Result.Result<string, SealBroken>> => {
  const broken = Result.fail(new SealBroken({ envelope: 'hybrid' }))
  const ciphertext = fromHex(encryption.encryptedMessageHex)
  const block = utf8AsLatin1(fromHex(encryption.encryptedKeyHex))
  if (ciphertext === undefined || block?.length !== rsaBlockLength) return broken
  try {
    const messageKey = await rsaDecrypt(block)
    if (messageKey.length !== messageKeyLength) return broken
    return Result.succeed(ascii.encode(cbc(messageKey, fixedIv).decrypt(ciphertext)))
  } catch {
    return broken
  }
}

/** The UTF-8 encoding of the byte string read as Latin-1: bytes from 0x80 on become two. */
const latin1AsUtf8 = (bytes: Uint8Array): Uint8Array =>
  Uint8Array.from([...bytes].flatMap((byte) => (byte < 0x80 ? [byte] : [0xc0 | (byte >>> 6), 0x80 | (byte & 0x3f)])))

const utf8AsLatin1 = (bytes: Uint8Array | undefined): Uint8Array | undefined => {
  if (bytes === undefined) return undefined
  const out: number[] = []
  for (let index = 0; index < bytes.length; index++) {
    const lead = bytes[index] ?? 0
    if (lead < 0x80) {
      out.push(lead)
      continue
    }
    index += 1
    const next = bytes[index] ?? 0
    if ((lead !== 0xc2 && lead !== 0xc3) || (next & 0xc0) !== 0x80) return undefined
    out.push(((lead & 0x03) << 6) | (next & 0x3f))
  }
  return Uint8Array.from(out)
}
