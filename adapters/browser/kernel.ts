/**
 * The arithmetic kernel, where this page's policy allows WebAssembly and its bytes are those that the package was built
 * with (design 8.28, static files pinned by digest).
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import type { Arithmetic } from '../../domain/mpc/Arithmetic.ts'
import { kernelOf } from '../../wasm/Kernel.ts'

/** What the build puts in: the SHA-256 of the kernel's file. Sources that nobody built have none. */
type Built = { readonly env?: { readonly MPC_MODULE_SHA256?: string } }
const { MPC_MODULE_SHA256: pinned } = (import.meta as Built).env ?? {}

/** The kernel that came with the package, as bundlers understand its address; then whatever the page names. */
const packaged = (): string => new URL('../../wasm/build/kernel.wasm', import.meta.url).href

export const loadKernel = async (others: readonly string[]): Promise<Arithmetic | undefined> => {
  if (pinned === undefined) return undefined
  for (const url of [packaged(), ...others]) {
    const bytes = await fetchBytes(url)
    if (bytes === undefined || bytesToHex(sha256(bytes)) !== pinned) continue
    return instantiate(bytes)
  }
  return undefined
}

/** As much of Node as is used here. It is not imported: bundlers for the browser would look for it. */
type Node = {
  readonly process?: {
    readonly getBuiltinModule?: (name: 'node:fs/promises') => {
      readonly readFile: (file: URL) => Promise<Uint8Array<ArrayBuffer>>
    }
  }
}

/** The kernel that was built beside the sources, where Node runs them: it is as trusted as they are. */
export const readKernel = async (): Promise<Arithmetic | undefined> => {
  try {
    const file = new URL(packaged())
    if (file.protocol !== 'file:') return undefined
    const bytes = await (globalThis as Node).process?.getBuiltinModule?.('node:fs/promises').readFile(file)
    return bytes === undefined ? undefined : await instantiate(bytes)
  } catch {
    return undefined
  }
}

const fetchBytes = async (url: string): Promise<Uint8Array<ArrayBuffer> | undefined> => {
  try {
    const answer = await fetch(url, { credentials: 'omit', referrerPolicy: 'no-referrer' })
    return answer.ok ? new Uint8Array(await answer.arrayBuffer()) : undefined
  } catch {
    return undefined
  }
}

const instantiate = async (bytes: Uint8Array<ArrayBuffer>): Promise<Arithmetic | undefined> => {
  try {
    return kernelOf(await WebAssembly.compile(bytes))
  } catch {
    return undefined
  }
}
