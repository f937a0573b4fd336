/**
 * The pool of the co-signer's worker threads, which start with it: one order a thread, bounded queues before them. A
 * thread that dies, or works on one order for longer than a client waits, takes its order with it and is replaced; what
 * the order had claimed may be asked again. Who no longer waits leaves the queue, but a thread ends what it began.
 */
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import * as Clock from 'effect/Clock'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as CosignerKey from '../../../domain/crypto/CosignerKey.ts'
import { workerJobExpiryMs } from '../../../domain/model/Limits.ts'
import { CosignerBusy, CosignerEngine } from '../../../domain/service/ports/CosignerEngine.ts'
import { CosignerKeys } from '../../../domain/service/ports/CosignerKeys.ts'
import { SecureRandom } from '../../../domain/service/ports/SecureRandom.ts'
import { Vault } from '../../../domain/service/ports/Vault.ts'
import { cosignerKeyPlace } from '../../../domain/service/protocol/places.ts'
import { readKernel } from './kernel.ts'
import type { Equipment, Order, Report } from './messages.ts'

export type EngineOptions = Omit<Equipment, 'sealedKey' | 'kernel'> & {
  /** By default one for each core that this process may use; with none, every order is refused. */
  readonly threads?: number | undefined
  /** Orders that may wait, signatures apart from all others; more are told to come again. */
  readonly queue?: number
  readonly log?: (message: string) => void
}

export const CosignerEngineThreads = (options: EngineOptions) =>
  Layer.effect(
    CosignerEngine,
    Effect.gen(function* () {
      const { name, keyEncryptionKey, runKeysFolder } = options
      const key = yield* (yield* CosignerKeys).findOrCreate(name, makeKey(name), yield* Clock.currentTimeMillis)
      const kernel = readKernel()
      if (kernel === undefined) options.log?.('the arithmetic kernel is not built: noble computes, not in constant time')
      const equipment: Equipment = { name, keyEncryptionKey, runKeysFolder, sealedKey: key.sealed, kernel }
      const pool = yield* Effect.acquireRelease(
        Effect.sync(() => startPool(equipment, options)),
        ({ stop }) => Effect.promise(stop),
      )
      return CosignerEngine.of({
        identity: { name, publicKey: hexToBytes(key.publicKey) },
        step: Effect.fnUntraced(function* (job) {
          const now = yield* Clock.currentTimeMillis
          const report = yield* ask(pool, (id) => ({ kind: 'step', id, job, now }))
          return report.kind === 'step' ? report.outcome : yield* busy
        }),
        sign: Effect.fnUntraced(function* (request, answer) {
          const report = yield* ask(pool, (id) => ({ kind: 'sign', id, request, answer }))
          return report.kind === 'sign' ? report.signed : yield* busy
        }),
        exportShare: Effect.fnUntraced(function* (asked) {
          const report = yield* ask(pool, (id) => ({ kind: 'export', id, asked }))
          return report.kind === 'export' ? report.sealed : yield* busy
        }),
      })
    }),
  )

const makeKey = Effect.fnUntraced(function* (name: string) {
  const secretKey = yield* (yield* SecureRandom).bytes(CosignerKey.secretKeyLength)
  const publicKey = bytesToHex(CosignerKey.publicKeyOf(secretKey))
  const sealed = yield* (yield* Vault).seal(cosignerKeyPlace(name), secretKey)
  secretKey.fill(0)
  return { publicKey, sealed }
})

const ask = (pool: Pool, order: (id: number) => Order): Effect.Effect<Report, CosignerBusy> =>
  Effect.callback<Report, CosignerBusy>((resume) =>
    Effect.sync(pool.put(order, (report) => resume(report === undefined ? busy : Effect.succeed(report)))),
  )

const busy = Effect.suspend(() => Effect.fail(new CosignerBusy({ retryAfterMs: 1_000 })))

type Pool = {
  /**
   * `undefined` is reported when the pool is full, or the thread that had the order is gone. What it returns takes the
   * order back, unless a thread works on it.
   */
  readonly put: (order: (id: number) => Order, done: (report: Report | undefined) => void) => () => void
  readonly stop: () => Promise<void>
}

type Waiting = {
  readonly order: Order
  readonly done: (report: Report | undefined) => void
  readonly expiry: NodeJS.Timeout
}

type Thread = { readonly worker: Worker; waiting: Waiting | undefined }

const defaultQueue = 64
const restMs = 250

const startPool = (equipment: Equipment, options: EngineOptions): Pool => {
  const { threads = availableParallelism(), queue = defaultQueue, log } = options
  // A signature is what stands between a finished step and its client: it goes first.
  const signatures: Waiting[] = []
  const others: Waiting[] = []
  const crew: Thread[] = []
  let stopped = false
  let nextId = 1

  const settle = (one: Waiting, report: Report | undefined) => {
    clearTimeout(one.expiry)
    one.done(report)
  }

  const hire = () => {
    const thread: Thread = { worker: new Worker(workerFile, { workerData: equipment }), waiting: undefined }
    thread.worker.on('message', (report: Report) => {
      const one = thread.waiting
      if (one?.order.id !== report.id) return
      thread.waiting = undefined
      settle(one, report)
      // Whoever cheats leaves nothing behind in a thread's memory (mpc-review 20).
      if (report.kind === 'step' && report.outcome.kind === 'ban') replace(thread)
      else work()
    })
    thread.worker.on('error', (cause: Error) => log?.(`a co-signer thread ended: ${cause.message}`))
    thread.worker.on('exit', () => {
      // A thread that cannot even start does not spin.
      if (dismiss(thread)) setTimeout(refill, restMs).unref()
    })
    crew.push(thread)
  }

  const refill = () => {
    if (stopped) return
    hire()
    work()
  }

  /** Takes the thread out of the crew, with what it works on; says whether it was in it. */
  const dismiss = (thread: Thread): boolean => {
    const index = crew.indexOf(thread)
    if (index < 0) return false
    crew.splice(index, 1)
    const lost = thread.waiting
    thread.waiting = undefined
    void thread.worker.terminate()
    if (lost !== undefined) settle(lost, undefined)
    return true
  }

  const replace = (thread: Thread) => {
    if (dismiss(thread)) refill()
  }

  const work = () => {
    for (const thread of crew) {
      if (thread.waiting !== undefined) continue
      const next = signatures.shift() ?? others.shift()
      if (next === undefined) return
      thread.waiting = next
      thread.worker.postMessage(next.order)
    }
  }

  const lineOf = ({ kind }: Order) => (kind === 'sign' ? signatures : others)

  /** Takes the order out of its queue; says whether it was in it. What a thread works on keeps its expiry. */
  const withdraw = (one: Waiting): boolean => {
    const line = lineOf(one.order)
    const index = line.indexOf(one)
    if (index < 0) return false
    line.splice(index, 1)
    clearTimeout(one.expiry)
    return true
  }

  const put: Pool['put'] = (order, done) => {
    const made = order(nextId++)
    const line = lineOf(made)
    if (stopped || threads < 1 || line.length >= queue) {
      done(undefined)
      return () => undefined
    }
    const expire = () => {
      const thread = crew.find(({ waiting }) => waiting === one)
      if (thread !== undefined) replace(thread)
      else if (withdraw(one)) settle(one, undefined)
    }
    const one: Waiting = { order: made, done, expiry: setTimeout(expire, workerJobExpiryMs) }
    line.push(one)
    work()
    return () => void withdraw(one)
  }

  const stop = async () => {
    stopped = true
    for (const one of [...signatures.splice(0), ...others.splice(0)]) settle(one, undefined)
    const working = crew.splice(0)
    for (const { waiting: one } of working) if (one !== undefined) settle(one, undefined)
    await Promise.all(working.map(({ worker }) => worker.terminate()))
  }

  for (let count = threads; count > 0; count--) hire()
  return { put, stop }
}

/** Beside this file, built or not. */
const workerFile = new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js', import.meta.url)
