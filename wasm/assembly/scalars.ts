/** The operations on scalars that the host calls: 32 bytes each, big-endian. */
import { registers } from './memory'
import { scalarInvert } from './scalarInvert'
import {
  scalarAdd,
  scalarIsCanonical,
  scalarIsZero,
  scalarLoad,
  scalarLoadWide,
  scalarMultiply,
  scalarStore,
  scalarSubtract,
} from './scalar'

const x: usize = registers + 8000
const y: usize = registers + 8040

/** Items of 64 bytes, each reduced. */
export function scalarsReduce(out: usize, wide: usize, count: u32): void {
  for (let i: u32 = 0; i < count; i++) {
    scalarLoadWide(x, wide + 64 * i)
    scalarStore(out + 32 * i, x)
  }
}

export function scalarsAreCanonical(scalars: usize, count: u32): u32 {
  let areCanonical: u32 = 1
  for (let i: u32 = 0; i < count; i++) areCanonical &= scalarIsCanonical(scalars + 32 * i)
  return areCanonical
}

export function scalarsAdd(out: usize, a: usize, b: usize): void {
  scalarLoad(x, a)
  scalarLoad(y, b)
  scalarAdd(x, x, y)
  scalarStore(out, x)
}

export function scalarsSubtract(out: usize, a: usize, b: usize): void {
  scalarLoad(x, a)
  scalarLoad(y, b)
  scalarSubtract(x, x, y)
  scalarStore(out, x)
}

export function scalarsMultiply(out: usize, a: usize, b: usize): void {
  scalarLoad(x, a)
  scalarLoad(y, b)
  scalarMultiply(x, x, y)
  scalarStore(out, x)
}

/** 0 when the scalar has no inverse, or is not below n. */
export function scalarsInvert(out: usize, a: usize): u32 {
  scalarLoad(x, a)
  scalarInvert(y, x)
  scalarStore(out, y)
  return scalarIsCanonical(a) & (1 - scalarIsZero(x))
}
