/** Bytes that differ a little from good ones: the same of them in every run. */
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'

/** One or two bytes changed, one left out, one added, or a range of the bytes repeated. */
export const mutationsOf = function* (good: readonly Uint8Array[], count: number): Generator<Uint8Array> {
  for (let index = 0; index < count; index++) {
    const draw = sha256(utf8ToBytes(`mutation ${index}`))
    const [kind = 0, byte = 0, other = 0, a = 0, b = 0, c = 0, d = 0, length = 0] = draw
    const bytes = good[index % good.length] ?? new Uint8Array(0)
    const [first, second] = [(256 * a + b) % bytes.length, (256 * c + d) % bytes.length]
    const [before, after] = [bytes.subarray(0, first), bytes.subarray(first)]
    if (kind % 8 < 4) yield bytes.with(first, byte)
    else if (kind % 8 === 4) yield bytes.with(first, byte).with(second, other)
    else if (kind % 8 === 5) yield concatBytes(before, after.subarray(1))
    else if (kind % 8 === 6) yield concatBytes(before, Uint8Array.of(byte), after)
    else yield concatBytes(before, bytes.subarray(second, second + (length % 40)), after)
  }
}
