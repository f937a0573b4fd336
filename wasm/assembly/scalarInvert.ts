/** What public scalars need beside sums and products. */
import { mark, release, reserve } from './memory'
import { scalarMultiply, scalarSize } from './scalar'

/** n − 2 and (n − 1) / 2, big-endian. */
const minusTwo: usize = memory.data<u8>([
  0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfe,
  0xba, 0xae, 0xdc, 0xe6, 0xaf, 0x48, 0xa0, 0x3b, 0xbf, 0xd2, 0x5e, 0x8c, 0xd0, 0x36, 0x41, 0x3f,
])
const half: usize = memory.data<u8>([
  0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
  0x5d, 0x57, 0x6e, 0x73, 0x57, 0xa4, 0x50, 0x1d, 0xdf, 0xe9, 0x2f, 0x46, 0x68, 0x1b, 0x20, 0xa0,
])

/** r = a^(n − 2), by the bits of the exponent, which is public: the inverse, and 0 for 0. */
export function scalarInvert(r: usize, a: usize): void {
  const at = mark()
  const power = reserve(scalarSize)
  memory.copy(power, a, scalarSize)
  // The highest bit is the copy.
  for (let k: i32 = 254; k >= 0; k--) {
    scalarMultiply(power, power, power)
    const bit = (load<u8>(minusTwo + 31 - (k >> 3)) >> <u8>(k & 7)) & 1
    if (bit) scalarMultiply(power, power, a)
  }
  memory.copy(r, power, scalarSize)
  release(at)
}

/** Whether 32 bytes, big-endian, are above n / 2. */
export function scalarIsHigh(bytes: usize): u32 {
  return <u32>(memory.compare(bytes, half, 32) > 0)
}
