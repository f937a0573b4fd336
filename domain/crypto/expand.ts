import { blake3 } from '@noble/hashes/blake3.js'
import { over, type Field } from './Transcript.ts'

/**
 * BLAKE3 over the encoding: `length` bytes of its extendable output. Protocols alone use it, so pages, whose protocols run in a
 * worker, load none of it. domain/mpc/README.md#hashing
 */
export const expand = (tag: string, fields: readonly Field[], length: number): Uint8Array =>
  over(tag, fields, (encoded) => blake3(encoded, { dkLen: length }))
