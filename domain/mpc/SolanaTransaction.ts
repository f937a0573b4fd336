/**
 * Whether bytes are the message of a Solana transaction, legacy or versioned. A signature over them moves funds, so
 * they are never signed as a plain message.
 *
 * Layout: [version byte 0x80 + n] ‖ header 3 ‖ keys (compact count, 32 each) ‖ recent blockhash 32 ‖ instructions
 * (compact count; each: program u8, accounts (compact count, u8 each), data (compact count, bytes)) ‖ [address table
 * lookups].
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
