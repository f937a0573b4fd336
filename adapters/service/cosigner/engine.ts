/**
 * The co-signer's pool of worker threads, spawned at start, and the queue before it (`queue.ts`). If a thread ends, or
 * works on one order for longer than a client waits, the order fails and the thread is replaced; the claimed round may
 * be requested again. A caller that disconnects leaves the queue; a thread finishes what it began.
 */
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import * as Clock from 'effect/Clock'
import type * as Context from 'effect/Context'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import * as Layer from 'effect/Layer'
import * as CosignerKey from '../../../domain/crypto/CosignerKey.ts'
import { workerJobExpiryMs } from '../../../domain/model/Limits.ts'
import {
  CosignerBusy,
  CosignerEngine,
  type Asker,
  type Dropped,
  type Job,
} from '../../../domain/service/ports/CosignerEngine.ts'
import {
  associatedDataOf,
  cosignerKeyLimits,
  pinnedAt,
  signingAt,
  type CosignerKey as StoredKey,
} from '../../../domain/service/CosignerKey.ts'
import { CosignerKeys } from '../../../domain/service/ports/CosignerKeys.ts'
import { SecureRandom } from '../../../domain/service/ports/SecureRandom.ts'
import { Vault } from '../../../domain/service/ports/Vault.ts'
import { cosignerKeyAssociatedData } from '../../../domain/service/protocol/associatedData.ts'
import type { HeldKeys, KeyRing } from '../vault/KeyRing.ts'
import { keyIdOf } from '../vault/sealing.ts'
import { readKernel } from './kernel.ts'
import type { Instruction, WorkerOptions, Order, Report } from './messages.ts'
import { makeQueue, type Hands, type Queue, type Step } from './queue.ts'

export type EngineOptions = Omit<WorkerOptions, 'kernel'> & {
  /** The co-signer's. */
  readonly name: string
  /** Undefined in a process without the role of the co-signer: it tells the co-signer's name and key, once there is one. */
  readonly ring: KeyRing | undefined
  /** By default one per core that this process may use. */
  readonly threads?: number | undefined
  /** How many orders may wait, signed answers counted apart; more are refused with CosignerBusy. */
  readonly queue?: number
  readonly log?: (message: string) => void
}

export const CosignerEngineThreads = (options: EngineOptions) =>
  Layer.effect(
    CosignerEngine,
    Effect.gen(function* () {
      const { name, ring, runKeysFolder, shareKeysFolder } = options
      const keys = yield* CosignerKeys
      if (ring === undefined) return CosignerEngine.of(elsewhere(identityOf(name, keysRead(name, keys))))
      yield* keys.findOrCreate(name, makeKey(name), yield* Clock.currentTimeMillis)
      // Read again once the ring has another key, so that a key of the ring is not needed when it is retired.
      const known = keysRead(name, keys, ({ sealed }) => keyIdOf(sealed) === ring.active().id)
      const signing = Effect.flatMap(known(signingAt), (key) => (key === undefined ? busy : Effect.succeed(key)))
      const kernel = readKernel()
      if (kernel === undefined)
        options.log?.('the arithmetic kernel is not built: noble computes, not in constant time')
      const workerOptions: WorkerOptions = { runKeysFolder, shareKeysFolder, kernel }
      const pool = yield* Effect.acquireRelease(
        Effect.sync(() => startPool(workerOptions, ring, options)),
        ({ stop }) => Effect.promise(stop),
      )
      return CosignerEngine.of({
        identity: identityOf(name, known),
        step: Effect.fnUntraced(function* (job, mayCompute) {
          const order = { kind: 'step', id: pool.nextId(), job, now: yield* Clock.currentTimeMillis } as const
          const ended = yield* ask(pool, order, { step: stepOf(job, mayCompute, yield* Effect.context()) })
          if (ended.kind === 'dropped') return ended
          return ended.kind === 'step' ? ended.outcome : yield* busy
        }),
        requireRoom: (of) => Effect.suspend(() => (pool.queue.hasRoom(of) ? Effect.void : busy)),
        sign: Effect.fnUntraced(function* (request, answer) {
          const key = yield* signing
          const sealedFor = associatedDataOf(name, key)
          const order = { kind: 'sign', id: pool.nextId(), request, answer, sealedKey: key.sealed, sealedFor } as const
          const report = yield* ask(pool, order)
          return report.kind === 'sign' ? report.signed : yield* busy
        }),
        exportShare: Effect.fnUntraced(function* (asked) {
          const report = yield* ask(pool, { kind: 'export', id: pool.nextId(), asked })
          return report.kind === 'export' ? report.sealed : yield* busy
        }),
        reattach: Effect.fnUntraced(function* (asked, asker) {
          const report = yield* ask(pool, { kind: 'reattach', id: pool.nextId(), asked }, { asker })
          return report.kind === 'reattach' ? report.reattached : yield* busy
        }),
        reissue: Effect.fnUntraced(function* (asked, asker) {
          const report = yield* ask(pool, { kind: 'reissue', id: pool.nextId(), asked }, { asker })
          return report.kind === 'reissue' ? report.capsule : yield* busy
        }),
        opens: Effect.fnUntraced(function* (share, asker) {
          const report = yield* ask(pool, { kind: 'opens', id: pool.nextId(), share }, { asker })
          return report.kind === 'opens' ? report.opens : yield* busy
        }),
      })
    }),
  )

type KnownKeys = (
  choose: (keys: readonly StoredKey[], now: number) => StoredKey | undefined,
) => Effect.Effect<StoredKey | undefined>

/**
 * A key of those in the database, which are read again when they may be outdated, and when the chosen one is.
 */
const keysRead = (
  name: string,
  keys: CosignerKeys['Service'],
  isCurrent: (key: StoredKey) => boolean = () => true,
): KnownKeys => {
  let known: readonly StoredKey[] = []
  let readAt = -Infinity
  return Effect.fnUntraced(function* (choose) {
    const now = yield* Clock.currentTimeMillis
    const chosen = choose(known, now)
    if (chosen !== undefined && isCurrent(chosen) && Math.abs(now - readAt) < cosignerKeyLimits.lookEvery) return chosen
    known = yield* keys.ofName(name)
    readAt = now
    return choose(known, now)
  })
}

/** This process may start before any co-signer has made a key. */
const identityOf = (name: string, known: KnownKeys): CosignerEngine['Service']['identity'] =>
  Effect.flatMap(known(pinnedAt), (key) =>
    key === undefined ? busy : Effect.succeed({ name, publicKey: hexToBytes(key.publicKey) }),
  )

/** A process without the role of the co-signer computes nothing. */
const elsewhere = (identity: CosignerEngine['Service']['identity']): CosignerEngine['Service'] => ({
  identity,
  step: () => busy,
  requireRoom: () => busy,
  sign: () => busy,
  exportShare: () => busy,
  reattach: () => busy,
  reissue: () => busy,
  opens: () => busy,
})

const makeKey = Effect.fnUntraced(function* (name: string) {
  const secretKey = yield* (yield* SecureRandom).bytes(CosignerKey.secretKeyLength)
  const publicKey = bytesToHex(CosignerKey.publicKeyOf(secretKey))
  const sealed = yield* (yield* Vault).seal(cosignerKeyAssociatedData(name), secretKey)
  secretKey.fill(0)
  return { publicKey, sealed }
})

/** Steps with the same key have the same outcome, because a run's seed and requests determine it. */
export const keyOf = ({ context, step, sealedSeed, requestHashes }: Job): string =>
  [context.walletId, context.protocolId, step, ...[sealedSeed, ...requestHashes].map(bytesToHex)].join('/')

/** Names the OT record that the step uses; a wallet has one per device. */
export const transfersOf = ({ context, sealedOt }: Job): string | undefined =>
  sealedOt === null ? undefined : `${context.walletId}/${bytesToHex(context.otId)}`

/** The step in the form that the queue takes. */
const stepOf = (job: Job, mayCompute: Effect.Effect<boolean>, context: Context.Context<never>): Step => ({
  walletId: job.context.walletId,
  userId: job.context.userId,
  partnerId: job.context.partnerId,
  transfers: transfersOf(job),
  key: keyOf(job),
  check: (done) => {
    const onExit = (exit: Exit.Exit<boolean>) => done(Exit.isSuccess(exit) && exit.value)
    Effect.runCallbackWith(context)(mayCompute, { onExit })
  },
})

const ask = (
  pool: Pool,
  order: Order,
  whose: { readonly step?: Step; readonly asker?: Asker } = {},
): Effect.Effect<Report | Dropped, CosignerBusy> =>
  Effect.callback<Report | Dropped, CosignerBusy>((resume) => {
    const withdraw = pool.queue.put({ work: order, goesFirst: order.kind === 'sign', ...whose }, (end) => {
      if (end.kind === 'busy') resume(busy)
      else resume(Effect.succeed(end.kind === 'reported' ? end.report : end))
    })
    return Effect.sync(withdraw)
  })

const busy = Effect.suspend(() => Effect.fail(new CosignerBusy({ retryAfterMs: 1_000 })))

type Pool = {
  readonly queue: Queue<Order, Report>
  /** The id of the next order. A thread's report names its order by it. */
  readonly nextId: () => number
  readonly stop: () => Promise<void>
}

const defaultQueue = 64

const startPool = (workerOptions: WorkerOptions, ring: KeyRing, options: EngineOptions): Pool => {
  const { threads = availableParallelism(), queue: waiting = defaultQueue, log } = options
  const ending = new Set<Promise<unknown>>()

  const spawn: Hands<Order, Report>['spawn'] = ({ report, lost }) => {
    const worker = new Worker(workerFile, { workerData: workerOptions })
    let given = 0
    worker.on('message', (said: Report) => {
      if (said.id === given) report(said)
    })
    worker.on('error', (cause: Error) => log?.(`a co-signer thread ended: ${cause.message}`))
    worker.on('exit', lost)
    return {
      give: (order) => {
        given = order.id
        worker.postMessage({ order, ring: keysFor(ring, order) } satisfies Instruction)
      },
      end: () => {
        const ended: Promise<unknown> = worker.terminate().finally(() => ending.delete(ended))
        ending.add(ended)
      },
    }
  }

  const after: Hands<Order, Report>['after'] = (ms, call) => {
    const timer = setTimeout(call, ms).unref()
    return () => clearTimeout(timer)
  }

  const queue = makeQueue<Order, Report>(
    { spawn, after },
    {
      threads,
      waiting,
      waitingOfWallet: 4,
      waitingOfUser: 8,
      callers: 16,
      patienceMs: workerJobExpiryMs,
      // Terminating the thread clears what the messages of a failed check left in its memory.
      isBan: (report) => report.kind === 'step' && report.outcome.kind === 'ban',
    },
  )
  let lastId = 0
  const stop = async () => {
    queue.stop()
    await Promise.all(ending)
  }
  return { queue, nextId: () => ++lastId, stop }
}

/** A key that another process has sealed by, and this one has not seen yet, is looked for first. */
const keysFor = (ring: KeyRing, order: Order): HeldKeys => {
  for (const sealed of sealedIn(order)) if (sealed !== null) ring.find(keyIdOf(sealed))
  return { keys: ring.keys(), isFiled: ring.isFiled(), takesRunsOfBefore: ring.takesRunsOfBefore() }
}

const sealedIn = (order: Order): readonly (Uint8Array | null)[] => {
  switch (order.kind) {
    case 'step':
      return [order.job.sealedSeed, order.job.sealedState, order.job.sealedShare, order.job.sealedOt]
    case 'sign':
      return [order.sealedKey]
    case 'export':
      return [order.asked.sealedShare]
    case 'reattach':
    case 'reissue':
      return [order.asked.capsule]
    case 'opens':
      return [order.share.sealed]
  }
}

/** Beside this file, as a source or compiled. */
const workerFile = new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js', import.meta.url)
