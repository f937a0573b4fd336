/**
 * A process that lets a real worker thread of the co-signer carry out orders, and then searches all of its own memory for
 * secrets that it knows under a mask only. It is told both as the first line of its input, and says where it found which.
 */
import { closeSync, openSync, readFileSync, readSync } from 'node:fs'
import { deserialize, serialize } from 'node:v8'
import { Worker } from 'node:worker_threads'
import { readKernel, requireKernel } from '../../../adapters/service/cosigner/kernel.ts'
import type { Instruction, Order, Report, WorkerOptions } from '../../../adapters/service/cosigner/messages.ts'
import type { HeldKeys } from '../../../adapters/service/vault/KeyRing.ts'

export type Told = {
  readonly workerOptions: Omit<WorkerOptions, 'kernel'>
  readonly orders: readonly Order[]
  /** Of the co-signer's ring. */
  readonly ring: HeldKeys
  readonly masked: readonly { readonly name: string; readonly bytes: Uint8Array }[]
}

export type Said = {
  readonly reports: readonly Report[]
  /** Names of the secrets, one for each place in memory. */
  readonly found: readonly string[]
  readonly searched: number
}

/** Each byte of a secret is told with this one's bits turned. */
export const mask = 0xa5

const needleLength = 16

/**
 * A freed piece of memory keeps all but its first bytes, so the end of a secret is looked for, from its first byte on that
 * is not zero: most of memory is zeros, and comparing at each of them takes minutes.
 */
const needleOf = (bytes: Uint8Array): Uint8Array => {
  const end = bytes.slice(-needleLength)
  return end.subarray(end.findIndex((byte) => byte !== mask))
}

const search = (masked: Told['masked']): Pick<Said, 'found' | 'searched'> => {
  const found: string[] = []
  let searched = 0
  const memory = openSync('/proc/self/mem', 'r')
  const chunk = new Uint8Array(new ArrayBuffer(1 << 20))
  const needles = masked.map(({ name, bytes }) => ({ name, bytes: needleOf(bytes) }))
  const isFirst = new Uint8Array(256)
  for (const { bytes } of needles) isFirst[(bytes[0] ?? 0) ^ mask] = 1
  for (const line of readFileSync('/proc/self/maps', 'latin1').split('\n')) {
    const [, from = '', to = ''] = /^([0-9a-f]+)-([0-9a-f]+) rw/.exec(line) ?? []
    if (from === '') continue
    const end = BigInt(`0x${to}`)
    for (let at = BigInt(`0x${from}`); at < end; at += BigInt(chunk.length - needleLength + 1)) {
      const read = readAt(memory, chunk, at, end)
      searched += read
      for (let index = 0; index + needleLength <= read; index++) {
        if (isFirst[chunk[index] ?? 0] === 0) continue
        for (const { name, bytes } of needles) if (isAt(chunk, index, bytes)) found.push(name)
      }
    }
  }
  closeSync(memory)
  return { found, searched }
}

const isAt = (chunk: Uint8Array, at: number, masked: Uint8Array): boolean => {
  for (let index = 0; index < masked.length; index++) {
    if (((chunk[at + index] ?? 0) ^ mask) !== masked[index]) return false
  }
  return true
}

/** Pages that are reserved only cannot be read. */
const readAt = (memory: number, chunk: Uint8Array, at: bigint, end: bigint): number => {
  try {
    return readSync(memory, chunk, 0, Number(end - at < BigInt(chunk.length) ? end - at : BigInt(chunk.length)), at)
  } catch {
    return 0
  }
}

const carryOut = async (worker: Worker, { order, ring }: Instruction): Promise<Report> => {
  const report = new Promise<Report>((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
  })
  worker.postMessage({ order, ring } satisfies Instruction)
  return report
}

const isMain = process.argv[1]?.endsWith('opener.ts') === true
if (isMain) {
  // The arithmetic of development leaves secrets in numbers that nothing can overwrite.
  requireKernel('PROD')
  const { workerOptions, orders, ring, masked } = deserialize(Buffer.from(process.argv[2] ?? '', 'base64')) as Told
  const file = new URL('../../../adapters/service/cosigner/worker.ts', import.meta.url)
  const worker = new Worker(file, { workerData: { ...workerOptions, kernel: readKernel() } satisfies WorkerOptions })
  const reports: Report[] = []
  for (const order of orders) reports.push(await carryOut(worker, { order, ring }))
  const said: Said = { reports, ...search(masked) }
  await worker.terminate()
  process.stdout.write(`${serialize(said).toString('base64')}\n`)
}
