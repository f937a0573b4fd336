/**
 * Messages and states of fixed length. A codec is a table of named fields, so that decoding checks the exact length
 * before anything is computed, and a test can find and change every field of every message.
 */
import { offHeap } from '../crypto/wipe.ts'

export type Shape = Readonly<Record<string, number>>

export type Message<S extends Shape> = { readonly [K in keyof S]: Uint8Array }

export type Codec<S extends Shape> = {
  readonly shape: S
  readonly length: number
  /** Joins the fields in the order of the table. Throws when a field has another length, which is a bug. */
  readonly encode: (message: Message<S>) => Uint8Array
  /** The bytes as fields, or `undefined` when the length is not exactly that of the table. */
  readonly decode: (bytes: Uint8Array) => Message<S> | undefined
}

/** `shape` gives each field's length in bytes; a vector is one field of count times length. */
export const codec = <const S extends Shape>(shape: S): Codec<S> => {
  const entries = Object.entries(shape)
  const length = entries.reduce((sum, [, size]) => sum + size, 0)
  return {
    shape,
    length,
    encode: (message) => {
      const out = new Uint8Array(length)
      let offset = 0
      for (const [name, size] of entries) {
        const field = message[name]
        if (field?.length !== size) throw new RangeError(`field ${name} must have ${size} bytes`)
        out.set(field, offset)
        offset += size
      }
      return out
    },
    decode: (bytes) => {
      if (bytes.length !== length) return undefined
      const fields: Record<string, Uint8Array> = {}
      let offset = 0
      for (const [name, size] of entries) {
        // Some fields are secret: on a buffer of its own a field can be wiped without a copy left behind.
        const field = offHeap(size)
        field.set(bytes.subarray(offset, offset + size))
        fields[name] = field
        offset += size
      }
      return fields as Message<S>
    },
  }
}

/** Cuts a vector of equally long items. */
export const split = (vector: Uint8Array, itemLength: number): readonly Uint8Array[] =>
  Array.from({ length: vector.length / itemLength }, (_, index) =>
    vector.subarray(index * itemLength, (index + 1) * itemLength),
  )
