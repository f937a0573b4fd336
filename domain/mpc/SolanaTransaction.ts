/**
 * Solana transactions. Layout of a message: [version byte 0x80 + n] ‖ header 3 ‖ keys (compact count, 32 each) ‖ recent
 * blockhash 32 ‖ instructions (compact count; each: program u8, accounts (compact count, u8 each), data (compact count,
 * bytes)) ‖ [address table lookups]. Of a transaction: signatures (compact count, 64 each) ‖ message.
 */
import { concatBytes } from '@noble/hashes/utils.js'

/** A transaction as the network has it. The signers are those keys of its message, in the same order as the signatures. */
export type Transaction = {
  /** 64 bytes each; zeros where a signature is still missing. */
  readonly signatures: readonly Uint8Array[]
  /** 32 bytes each. */
  readonly signers: readonly Uint8Array[]
  readonly message: Uint8Array
}

/** `undefined` if the bytes are no transaction, or have not as many signatures as its message asks for. */
export const readTransaction = (bytes: Uint8Array): Transaction | undefined => {
  const count = bytes[0] ?? 0
  const message = bytes.subarray(1 + count * signatureLength)
  // What fits into a packet has neither 128 signatures nor 128 keys, so each count is one byte.
  if (bytes.length > packetLength || count === 0 || count >= 0x80 || !isTransactionMessage(message)) return undefined
  const header = (message[0] ?? 0) >= 0x80 ? 1 : 0
  const [signers, keys = 0] = [message[header], message[header + 3]]
  const keysAt = header + 4
  if (signers !== count || keys < count || keys >= 0x80 || message.length < keysAt + keys * keyLength) return undefined
  const parts = (from: Uint8Array, at: number, length: number) =>
    Array.from({ length: count }, (_, index) => from.slice(at + index * length, at + (index + 1) * length))
  return {
    signatures: parts(bytes, 1, signatureLength),
    signers: parts(message, keysAt, keyLength),
    message: message.slice(),
  }
}

export const writeTransaction = ({ signatures, message }: Pick<Transaction, 'signatures' | 'message'>): Uint8Array =>
  concatBytes(Uint8Array.of(signatures.length), ...signatures, message)

/** What the network carries. */
const packetLength = 1232

const signatureLength = 64

/**
 * Whether bytes are the message of a transaction, legacy or versioned. A signature over them moves funds, so they are
 * never signed as a plain message.
 */
export const isTransactionMessage = (bytes: Uint8Array): boolean => {
  const first = bytes[0] ?? 0
  // No UTF-8 text begins with 0x80 to 0xbf, so such bytes are refused whatever version they name.
  if (first >= 0x80) return first < 0xc0
  return isLegacyMessage(bytes)
}

const keyLength = 32

const isLegacyMessage = (bytes: Uint8Array): boolean => {
  let offset = 3
  const skip = (length: number) => {
    offset += length
    return offset <= bytes.length
  }
  const count = (): number | undefined => {
    let value = 0
    for (let shift = 0; shift < 21; shift += 7) {
      const byte = bytes[offset]
      if (byte === undefined) return undefined
      offset += 1
      value |= (byte & 0x7f) << shift
      if (byte < 0x80) return value
    }
    return undefined
  }
  const keys = count()
  const signers = bytes[0] ?? 0
  if (keys === undefined || signers === 0 || signers > keys || !skip(keys * keyLength + keyLength)) return false
  const instructions = count()
  if (instructions === undefined) return false
  for (let index = 0; index < instructions; index++) {
    if (!skip(1)) return false
    const accounts = count()
    if (accounts === undefined || !skip(accounts)) return false
    const data = count()
    if (data === undefined || !skip(data)) return false
  }
  return offset === bytes.length
}
