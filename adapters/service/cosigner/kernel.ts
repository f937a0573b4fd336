/** The bytes of the arithmetic kernel (wasm/build.ts), or `undefined` where it was not built. */
import { existsSync, readFileSync } from 'node:fs'

export const readKernel = (): Uint8Array<ArrayBuffer> | undefined =>
  existsSync(kernelFile) ? new Uint8Array(readFileSync(kernelFile)) : undefined

/** In the folder of the sources, also for what was compiled from them into dist/. */
const kernelFile = new URL(
  import.meta.url.endsWith('.ts') ? '../../../wasm/build/kernel.wasm' : '../../../../wasm/build/kernel.wasm',
  import.meta.url,
)
