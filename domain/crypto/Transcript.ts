/**
 * The one encoding under everything that is hashed, signed or used as associated data. domain/mpc/README.md#hashing
 *
 * `encode(tag, fields)` is injective: u32 length of the tag ‖ tag ‖ u32 number of fields ‖ (u32 length ‖ bytes) of
 * each, all lengths big-endian. Text fields are UTF-8.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { wipe } from './wipe.ts'

/** Text is encoded as UTF-8. */
export type Field = Uint8Array | string

const toBytes = (field: Field) => (typeof field === 'string' ? utf8ToBytes(field) : field)

const writeU32 = (out: Uint8Array, offset: number, value: number) => {
  out[offset] = value >>> 24
  out[offset + 1] = value >>> 16
  out[offset + 2] = value >>> 8
  out[offset + 3] = value
}

/** A 32-bit unsigned integer as four big-endian bytes, for use as a field. */
export const u32 = (value: number): Uint8Array => {
  const out = new Uint8Array(4)
  writeU32(out, 0, value)
  return out
}

/** The bytes of the encoding above. */
export const encode = (tag: string, fields: readonly Field[]): Uint8Array => {
  const parts = [utf8ToBytes(tag), ...fields.map(toBytes)]
  const out = new Uint8Array(parts.reduce((length, part) => length + 4 + part.length, 4))
  let offset = 0
  for (const [index, part] of parts.entries()) {
    writeU32(out, offset, part.length)
    out.set(part, offset + 4)
    offset += 4 + part.length
    if (index === 0) {
      writeU32(out, offset, fields.length)
      offset += 4
    }
  }
  return out
}

/** The digest of the encoding, which is then overwritten: fields may be secret. */
export const over = (
  tag: string,
  fields: readonly Field[],
  digest: (encoded: Uint8Array) => Uint8Array,
): Uint8Array => {
  const encoded = encode(tag, fields)
  const result = digest(encoded)
  wipe(encoded)
  return result
}

/** SHA-256 over the encoding: 32 bytes. `digest` is what computes it. */
export const hash = (
  tag: string,
  fields: readonly Field[],
  digest: (encoded: Uint8Array) => Uint8Array = sha256,
): Uint8Array => over(tag, fields, digest)
