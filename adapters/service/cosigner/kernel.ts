/** The arithmetic kernel (wasm/build.ts) as the co-signer's threads get it. */
import { existsSync, readFileSync } from 'node:fs'
import type { Environment } from '../../../domain/model/Environment.ts'
import { compileKernel, type KernelModule } from '../../../wasm/Kernel.ts'
import { StartRefusal } from '../StartRefusal.ts'

/** Kept for the life of the process: no thread that ends takes its code away while others compute. */
let compiled: KernelModule | undefined

/** Compiled once for all threads, or `undefined` where it was not built. */
export const readKernel = (): KernelModule | undefined =>
  existsSync(kernelFile) ? (compiled ??= compileKernel(new Uint8Array(readFileSync(kernelFile)))) : undefined

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
