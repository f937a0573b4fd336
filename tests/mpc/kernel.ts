/** The kernel of the current sources: as the port, and as the module's own exports, which show more than the port. */
import { readFileSync } from 'node:fs'
import type { Arithmetic } from '../../domain/mpc/Arithmetic.ts'
import { noble } from '../../domain/mpc/noble.ts'
import { operateOn, type MemoryExports } from '../../wasm/Arena.ts'
import { buildKernel, kernelFile } from '../../wasm/build.ts'
import type { CurveExports } from '../../wasm/CurveKernel.ts'
import type { EdExports } from '../../wasm/EdKernel.ts'
import { kernelOf } from '../../wasm/Kernel.ts'
import { casesOf, isLong } from '../kit/long.ts'

type OneOperand = (r: number, a: number) => void
type TwoOperands = (r: number, a: number, b: number) => void
type ThreeOperands = (r: number, a: number, b: number, e: number) => void
type FourOperands = (r: number, a: number, b: number, e: number, f: number) => void

/** Field and scalar arithmetic, on addresses of elements (assembly/field.ts, scalar.ts). */
export type InnerExports = {
  readonly fieldLoad: (r: number, bytes: number) => number
  readonly fieldStore: (bytes: number, a: number) => void
  readonly fieldIsZero: (a: number, room: number) => number
  readonly fieldMultiply: TwoOperands
  readonly fieldMultiplyPlus: ThreeOperands
  readonly fieldSquare: OneOperand
  readonly fieldProducts: FourOperands
  readonly fieldProductsDifference: FourOperands
  readonly fieldCross: (r: number, a: number, b: number, e: number, f: number, g: number, h: number) => void
  readonly fieldCrossSquare: FourOperands
  readonly fieldSquares: TwoOperands
  readonly fieldScale: OneOperand
  readonly fieldAddTriple: TwoOperands
  readonly fieldCarry: OneOperand
  readonly fieldInvert: OneOperand
  readonly fieldRoot: OneOperand
  readonly scalarLoad: (r: number, bytes: number) => void
  readonly scalarStore: (bytes: number, a: number) => void
  readonly wideAdd: (w: number, a: number) => void
  readonly wideAddProduct: TwoOperands
  readonly wideReduce: OneOperand
}

/** The field of Curve25519 (assembly/edField.ts, edPower.ts). */
export type EdInnerExports = {
  readonly edFieldLoad: OneOperand
  readonly edFieldStore: OneOperand
  readonly edFieldMultiply: TwoOperands
  readonly edFieldSquare: OneOperand
  readonly edFieldInvert: OneOperand
  readonly edFieldRoot: OneOperand
}

await buildKernel()
const bytes = new Uint8Array(readFileSync(kernelFile))

export const kernel: Arithmetic = kernelOf(new WebAssembly.Module(bytes))

/** What a party may compute with: a check has to hold by both. */
export const arithmetics = [
  ['noble', noble],
  ['the kernel', kernel],
] as const

/**
 * For suites over every field of every message: the checks under test are protocol code, which is the same for both
 * arithmetics; other tests compare the two. Noble, much slower, is for the long run.
 */
export const usualArithmetics = casesOf(arithmetics, ([computer]) => computer === 'the kernel')

const instance = new WebAssembly.Instance(new WebAssembly.Module(bytes))
export const exports = instance.exports as MemoryExports & CurveExports & InnerExports & EdExports & EdInnerExports
export const operate = operateOn(exports)

/** The arithmetic of the kit's devices and co-signers; the other one in the long run. */
export const usualArithmetic: Arithmetic = isLong ? noble : kernel
