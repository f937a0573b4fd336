/** Loads the arithmetic kernel if the page's policy allows WebAssembly and the file has the pinned digest. */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import type { Arithmetic } from '../../domain/mpc/Arithmetic.ts'
import { kernelOf } from '../../wasm/Kernel.ts'
import { kernelDigest } from '../../wasm/kernelDigest.ts'

/** The package's own kernel, at an address that bundlers resolve; then the addresses that the page names. */
const packaged = (): string => new URL('../../wasm/build/kernel.wasm', import.meta.url).href

/** The first kernel that can be fetched and has the pinned digest; `undefined` if there is none. */
export const loadKernel = async (others: readonly string[]): Promise<Arithmetic | undefined> => {
  for (const url of [packaged(), ...others]) {
    const bytes = bytesIn(url) ?? (await fetchBytes(url))
    if (bytes !== undefined && isPinned(bytes)) return instantiate(bytes)
  }
  return undefined
}

/** The part of Node that is used here. It is not imported, because bundlers for the browser would try to resolve it. */
type Node = {
  readonly process?: {
    readonly getBuiltinModule?: (name: 'node:fs/promises') => {
      readonly readFile: (file: URL) => Promise<Uint8Array<ArrayBuffer>>
    }
  }
}

/** The kernel that was built beside the sources, where Node runs them. */
export const readKernel = async (): Promise<Arithmetic | undefined> => {
  try {
    const file = new URL(packaged())
    if (file.protocol !== 'file:') return undefined
    const bytes = await (globalThis as Node).process?.getBuiltinModule?.('node:fs/promises').readFile(file)
    return bytes !== undefined && isPinned(bytes) ? await instantiate(bytes) : undefined
  } catch {
    return undefined
  }
}

const isPinned = (bytes: Uint8Array): boolean => bytesToHex(sha256(bytes)) === kernelDigest

/**
 * The package has the kernel in its code, because a page's policy may forbid to fetch one: as hex, which gzip makes a tenth
 * smaller than base64.
 */
const bytesIn = (url: string): Uint8Array<ArrayBuffer> | undefined => {
  const hex = /^hex:((?:[0-9a-f]{2})+)$/.exec(url)?.[1]
  return hex === undefined ? undefined : Uint8Array.from(hexToBytes(hex))
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
