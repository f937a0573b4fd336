/**
 * The arithmetic of both schemes in WebAssembly: the same ports as noble's, with secrets in constant time, in memory
 * that is overwritten after each operation. One instance serves one thread. wasm/README.md#constant-time
 */
import type { Arithmetic } from '../domain/mpc/Arithmetic.ts'
import { operateOn, type MemoryExports } from './Arena.ts'
import { curveOf, type CurveExports } from './CurveKernel.ts'
import { ed25519Of, type EdExports } from './EdKernel.ts'
import { extensionOf, multiplicationOf, type OtExports } from './OtKernel.ts'

export const kernelOf = (module: WebAssembly.Module): Arithmetic => {
  const exports = new WebAssembly.Instance(module).exports as MemoryExports & CurveExports & OtExports & EdExports
  const operate = operateOn(exports)
  return {
    ...curveOf(exports, operate),
    extension: extensionOf(exports, operate),
    multiplication: multiplicationOf(exports, operate),
    ed25519: ed25519Of(exports, operate),
  }
}

/** A WebAssembly.Module, for projects without that type: compiled once, and passed to the thread that computes. */
export type KernelModule = object

export const compileKernel = (bytes: Uint8Array<ArrayBuffer>): KernelModule => new WebAssembly.Module(bytes)
