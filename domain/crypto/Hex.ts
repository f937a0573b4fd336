/** Hex as the wire has it: lower-case digits, an exact number of bytes. */
import { hexToBytes } from '@noble/hashes/utils.js'

/**
 * The bytes of `text`, or `undefined` unless it is lower-case hex of exactly `length` bytes (any length without it).
 */
export const fromHex = (text: string, length?: number): Uint8Array | undefined =>
  /^(?:[0-9a-f]{2})*$/.test(text) && (length === undefined || text.length === 2 * length) ? hexToBytes(text) : undefined
