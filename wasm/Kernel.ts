/**
 * The arithmetic of the two-party ECDSA in WebAssembly: the same port as noble's, with secrets in constant time, in
 * memory that is overwritten after each operation (mpc-review 19, 20). One instance serves one thread.
 */
import type { Arithmetic } from '../domain/mpc/dkls/Arithmetic.ts'
import { operateOn, type MemoryExports } from './Arena.ts'
import { curveOf, type CurveExports } from './CurveKernel.ts'
import { extensionOf, multiplicationOf, type OtExports } from './OtKernel.ts'

export const kernelOf = (module: WebAssembly.Module): Arithmetic => {
  const exports = new WebAssembly.Instance(module).exports as MemoryExports & CurveExports & OtExports
  const operate = operateOn(exports)
  return {
    ...curveOf(exports, operate),
    extension: extensionOf(exports, operate),
    multiplication: multiplicationOf(exports, operate),
  }
}

/** The kernel from the bytes of its file. */
export const kernelFrom = (bytes: Uint8Array<ArrayBuffer>): Arithmetic => kernelOf(new WebAssembly.Module(bytes))
