/**
 * Where the protocol worker starts from. Bundlers differ in whether they bring a worker's file along, and pages in what
 * their policy allows, so each step is tried until one starts; after the last one the page computes itself.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { packagedWorker } from './packagedWorker.ts'
import type { WorkerLike } from './workerMessages.ts'

/** `name` is for people; `engine` is what the worker computes with where it can. */
export type Rung = {
  readonly name: string
  readonly engine: 'kernel' | 'noble'
  readonly start: () => WorkerLike | Promise<WorkerLike>
}

/**
 * The steps, first to last. `workerUrl` is the app's copy of the package's worker.js, which is used only if it is that of
 * this version.
 */
export const workerRungs = (workerUrl?: string): readonly Rung[] => {
  const file: Rung = { name: 'its file beside the code', engine: 'kernel', start: startFile }
  if (packagedWorker === undefined) return [file]
  const { digest, text, startNoble, nobleText } = packagedWorker
  return [
    ...(workerUrl === undefined ? [] : [ownCopy(workerUrl, digest)]),
    file,
    { name: 'its text in the code', engine: 'kernel', start: async () => startText(await text()) },
    { name: 'the file of the one without kernel', engine: 'noble', start: startNoble },
    { name: 'the text of the one without kernel', engine: 'noble', start: async () => startText(await nobleText()) },
  ]
}

/** Bundlers find the worker's file by exactly this expression. */
const startFile = (): WorkerLike => new Worker(new URL('./mpc.worker.ts', import.meta.url), { type: 'module' })

const startText = (text: string): WorkerLike => {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }))
  try {
    return new Worker(url, { type: 'module' })
  } finally {
    // The worker has its address by then; later the page's memory would keep the text.
    setTimeout(() => URL.revokeObjectURL(url), 60_000)
  }
}

/** A page starts workers of its own origin by their address alone. */
const ownCopy = (workerUrl: string, digest: string): Rung => ({
  name: workerUrl,
  engine: 'kernel',
  start: async () => {
    const url = new URL(workerUrl, location.href)
    const answer = await fetch(url, { credentials: 'omit' })
    const bytes = new Uint8Array(await answer.arrayBuffer())
    if (!answer.ok || bytesToHex(sha256(bytes)) !== digest) throw new Error('it is not the worker of this version')
    return url.origin === location.origin
      ? new Worker(url, { type: 'module' })
      : startText(new TextDecoder().decode(bytes))
  },
})
