/** The bytes of the arithmetic kernel (wasm/build.ts), or `undefined` where it was not built. */
import { existsSync, readFileSync } from 'node:fs'
import type { Environment } from '../../../domain/model/Environment.ts'
import { StartRefusal } from '../StartRefusal.ts'

export const readKernel = (): Uint8Array<ArrayBuffer> | undefined =>
  existsSync(kernelFile) ? new Uint8Array(readFileSync(kernelFile)) : undefined

/**
 * Outside of DEV a co-signer computes by the kernel or does not start: noble is not constant time (mpc-review 17, 19).
 */
export const requireKernel = (environment: Environment, file: URL = kernelFile): void => {
  if (environment === 'DEV' || existsSync(file)) return
  const what = `is missing, and no co-signer runs in ${environment} without it; npm run build:pages builds it`
  throw new StartRefusal({ message: `The arithmetic kernel, wasm/build/kernel.wasm, ${what}.` })
}

/** In the folder of the sources, also for what was compiled from them into dist/. */
const kernelFile = new URL(
  import.meta.url.endsWith('.ts') ? '../../../wasm/build/kernel.wasm' : '../../../../wasm/build/kernel.wasm',
  import.meta.url,
)
