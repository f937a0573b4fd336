/** The OT side of the built kernel: its members of the port, and the primitives that the port does not show. */
import { readFileSync } from 'node:fs'
import { bytesToNumberLE, numberToBytesLE } from '@noble/curves/utils.js'
import { operateOn, type MemoryExports } from '../../wasm/Arena.ts'
import { buildKernel, kernelFile } from '../../wasm/build.ts'
import { extensionOf, multiplicationOf, type OtExports } from '../../wasm/OtKernel.ts'

type Primitives = {
  readonly sha256: (to: number, input: number, length: number) => void
  readonly blake3: (to: number, toLength: number, input: number, length: number) => void
  /** On an area of 384 bytes: words of four keys side by side, then the 16 vectors whose address is the answer. */
  readonly chacha20: (area: number, counter: number) => number
  readonly hashRows: (to: number, alpha: number, rows: number, count: number) => void
  readonly transpose: (columns: number, rows: number) => void
  /** 96 bytes of pad at every 128. */
  readonly pads: (to: number, input: number, inputLength: number, columns: number, offset: number) => void
}

await buildKernel()
const module = new WebAssembly.Module(new Uint8Array(readFileSync(kernelFile)))

/** Another instance, with a memory of its own. */
export const instantiate = () => {
  const exports = new WebAssembly.Instance(module).exports as MemoryExports & OtExports & Primitives
  const operate = operateOn(exports)
  return {
    exports,
    operate,
    extension: extensionOf(exports, operate),
    multiplication: multiplicationOf(exports, operate),
  }
}

export const kernel = instantiate()

/** The consistency hash of a row under α_0 … α_3, by Horner's rule with BigInts. */
export const hashOfRow = (alpha: readonly bigint[], row: Uint8Array): Uint8Array => {
  const blocks = [row.subarray(0, 16), row.subarray(16, 32), row.subarray(32, 48), row.subarray(48, 52)]
  const values = blocks.map(bytesToNumberLE)
  let sum = 0n
  for (let power = 127n; power >= 0n; power--) {
    sum <<= 1n
    if (sum >> 128n) sum ^= 0x100000000000000000000000000000087n
    for (const [b, value] of values.entries()) if (((alpha[b] ?? 0n) >> power) & 1n) sum ^= value
  }
  return numberToBytesLE(sum ^ bytesToNumberLE(row.subarray(52)), 16)
}
