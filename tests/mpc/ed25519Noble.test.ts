/** Which of noble's two multiplications a scalar of the port goes to: only public ones to the one in variable time. */
import { expect, it, vi } from 'vitest'
import { noble as nobleOfBoth } from '../../domain/mpc/noble.ts'
import { kernel } from './kernel.ts'

const unsafe = vi.hoisted((): bigint[] => [])
vi.mock(import('@noble/curves/ed25519.js'), async (original) => {
  const real = await original()
  const { Point } = real.ed25519
  const { BASE } = Point
  /** The base point, which tells of each multiplication in variable time. noble's own cannot be changed. */
  const base = Object.create(BASE, {
    multiply: { value: (scalar: bigint) => BASE.multiply(scalar) },
    multiplyUnsafe: {
      value: (scalar: bigint) => {
        unsafe.push(scalar)
        return BASE.multiplyUnsafe(scalar)
      },
    },
  }) as typeof BASE
  const watched = Object.create(Point, { BASE: { value: base } }) as typeof Point
  return { ...real, ed25519: { ...real.ed25519, Point: watched } }
})

const noble = nobleOfBoth.ed25519
const scalar = (value: number): Uint8Array => Uint8Array.from({ length: 32 }, (_, index) => (index === 0 ? value : 0))
const minus = (value: Uint8Array): Uint8Array => noble.scalars.subtract(scalar(0), value)
const pointOf = (value: Uint8Array): Uint8Array => noble.points.multiplyBase(value) ?? new Uint8Array(32)

it('a share that is held against its commitments is multiplied in constant time, 0 too', () => {
  const [R, c, X] = [pointOf(scalar(5)), scalar(3), pointOf(scalar(7))]

  for (const { points } of [noble, kernel.ed25519]) {
    expect(points.holds({ z: scalar(26), R, c, X })).toBe(true)
    expect(points.holds({ z: scalar(27), R, c, X })).toBe(false)
    expect(points.holds({ z: scalar(0), R, c, X })).toBe(false)
    expect(points.holds({ z: scalar(0), R: pointOf(minus(scalar(21))), c, X })).toBe(true)
  }
  expect(unsafe).toEqual([])
})
