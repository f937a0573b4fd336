/** Loads the arithmetic kernel (wasm/build.ts) for the co-signer's threads. */
import { existsSync, readFileSync } from 'node:fs'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import type { Environment } from '../../../domain/model/Environment.ts'
import { compileKernel, type KernelModule } from '../../../wasm/Kernel.ts'
import { kernelDigest } from '../../../wasm/kernelDigest.ts'
import { StartRefusal } from '../StartRefusal.ts'

/** Kept for the life of the process, so that a terminating thread does not free the code while others compute. */
let compiled: KernelModule | undefined

/** The module, compiled once for all threads; `undefined` if it was not built. */
export const readKernel = (): KernelModule | undefined =>
  existsSync(kernelFile) ? (compiled ??= compileKernel(new Uint8Array(readFileSync(kernelFile)))) : undefined

/**
 * Outside DEV a co-signer starts only with the pinned kernel: noble is not constant time, and a kernel of other sources
 * could be wrong or leak. The compared bytes are the ones that are compiled (domain/mpc/README.md#constant-time).
 */
export const requireKernel = (environment: Environment, file: URL = kernelFile): void => {
  if (environment === 'DEV') return
  const refusal = (what: string) =>
    new StartRefusal({
      message: `The arithmetic kernel, wasm/build/kernel.wasm, ${what}; npm run build:pages builds it.`,
    })
  if (!existsSync(file)) throw refusal(`is missing, and no co-signer runs in ${environment} without it`)
  const bytes = new Uint8Array(readFileSync(file))
  if (bytesToHex(sha256(bytes)) !== kernelDigest) {
    throw refusal(`is not the one of this version, and no co-signer runs in ${environment} with another`)
  }
  compiled ??= compileKernel(bytes)
}

/** In the folder of the sources, also for the code compiled into dist/. */
const kernelFile = new URL(
  import.meta.url.endsWith('.ts') ? '../../../wasm/build/kernel.wasm' : '../../../../wasm/build/kernel.wasm',
  import.meta.url,
)
