/**
 * The co-signer of one process: the product's queue, before threads with the arithmetic of toys. When a thread computes an order,
 * and when its report arrives, are events; a thread may be lost with the order that it works on.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import { keyOf, transfersOf } from '../../adapters/service/cosigner/engine.ts'
import { makeQueue, restMs, type Hands } from '../../adapters/service/cosigner/queue.ts'
import { isUnderRoot } from '../../adapters/service/cosigner/rootOfShare.ts'
import * as CosignerKey from '../../domain/crypto/CosignerKey.ts'
import { equal } from '../../domain/crypto/Equal.ts'
import * as Export from '../../domain/crypto/Export.ts'
import { workerJobExpiryMs } from '../../domain/model/Limits.ts'
import * as MpcFrame from '../../domain/mpc/Frame.ts'
import * as ShareRecord from '../../domain/mpc/ShareRecord.ts'
import { isAskedByUser } from '../../domain/service/Export.ts'
import {
  CosignerBusy,
  type CosignerEngine,
  type Dropped,
  type Job,
  type StepOutcome,
  type Reattached,
  type Reattachment,
  type ShareExport,
} from '../../domain/service/ports/CosignerEngine.ts'
import type { Witness } from '../kit/toyProtocols.ts'
import { FullDisk, type Room } from './fullDisk.ts'
import type { Outside } from './outside.ts'
import type { Protocols } from './protocols.ts'
import { openedBy, opensUnder, openUnder, sealedOutcome, sealUnder } from './shareKeys.ts'
import type { Mortal, Sim } from './Sim.ts'
import { noble } from '../../domain/crypto/Signatures.ts'

/** The key of the co-signer's answers: the same in each schedule. */
export const secretKey = sha256(utf8ToBytes('the co-signer of the simulation'))

/** The key that devices pin. */
export const identity = { name: 'toy', publicKey: CosignerKey.publicKeyOf(secretKey) }

/** The checks of the worker (`adapters/service/cosigner/worker.ts`), over a share that lies open. */
const exportShare = (outside: Outside, asked: ShareExport, ephemeralSecretKey: Uint8Array): string | undefined => {
  const { walletId, epoch, shareId, sealedShare, answerer, answer, now } = asked
  const bytes = openUnder(outside, { walletId, epoch, shareId: bytesToHex(shareId) }, sealedShare)
  const share = bytes === undefined ? undefined : ShareRecord.decode(bytes)
  if (answer.portalSession.page !== 'export' || answer.portalSession.recordId !== walletId) return undefined
  if (share?.walletId !== walletId || share.epoch !== epoch || !equal(share.shareId, shareId)) return undefined
  if (!isAskedByUser(share.rootPublicKey, answerer, answer, now)) return undefined
  const { sessionId, id: openingId } = answer.portalSession
  const { serverPublic, publicKey } = share
  const binding = { walletId, shareId, epoch, openingId, sessionId, userId: answerer.userId, serverPublic, publicKey }
  return Export.seal(binding, share.secret, {
    recipientPublicKey: hexToBytes(answer.recipientPublicKey),
    ephemeralSecretKey,
  })
}

export type CosignerFaults = {
  readonly threads: number
  /** Orders that may wait. */
  readonly queue: number
  /** A thread is lost once in so many orders; 0 for never. */
  readonly lostThreads: number
}

type Order = { readonly job: Job }

const busy = Effect.suspend(() => Effect.fail(new CosignerBusy({ retryAfterMs: 1_000 })))

export const makeCosigner = (
  sim: Sim,
  process: Mortal,
  outside: Outside,
  room: Room,
  witness: Witness,
  protocols: Protocols,
  faults: CosignerFaults,
  /** Told of each step that is computed. */
  computed: (job: Job) => void,
): CosignerEngine['Service'] => {
  const compute = (job: Job): StepOutcome => {
    if (!outside.runKeys.has(job.generation)) return { kind: 'lapsed', reason: 'seed cannot be opened' }
    const { sealedShare, sealedOt } = job
    const opened = sealedShare === null ? null : openUnder(outside, openedBy(job), sealedShare)
    if (opened === undefined) return { kind: 'unopened' }
    const share = opened === null ? undefined : ShareRecord.decode(opened)
    if (share !== undefined && !isUnderRoot(share, job))
      return { kind: 'lapsed', reason: 'share under this root key cannot be opened' }
    const ot = sealedOt === null ? null : openUnder(outside, openedBy(job), sealedOt)
    if (ot === undefined) return { kind: 'lapsed', reason: 'OT record cannot be opened' }
    computed(job)
    const outcome = protocols.outcomeOf({ ...job, sealedShare: opened, sealedOt: ot }, witness)
    return sealedOutcome(outside, room, job, outcome)
  }

  /** `undefined`: the thread ends, and no outcome leaves it. */
  const computeOrEnd = (job: Job): StepOutcome | undefined => {
    try {
      return compute(job)
    } catch (cause) {
      if (cause instanceof FullDisk) return undefined
      throw cause
    }
  }

  const spawn: Hands<Order, StepOutcome>['spawn'] = ({ report, lost }) => {
    const thread: Mortal = { name: process.name, alive: true }
    const whileAlive = (label: string, run: () => void) =>
      sim.add(process, label, () => {
        if (thread.alive) run()
      })
    return {
      give: ({ job }) => {
        const { kind, protocolId } = job.context
        const name = `${kind} ${job.step} of ${protocolId.slice(0, 4)}`
        if (sim.fault(faults.lostThreads, `${process.name} loses a thread over ${kind} ${job.step}`)) {
          whileAlive(`thread lost over ${name}`, lost)
          return
        }
        whileAlive(`a thread computes ${name}`, () => {
          const outcome = computeOrEnd(job)
          if (outcome === undefined) return whileAlive(`the thread of ${name} ends`, lost)
          whileAlive(`report of ${name}: ${outcome.kind}`, () => report(outcome))
        })
      },
      end: () => {
        thread.alive = false
      },
    }
  }

  const queue = makeQueue<Order, StepOutcome>(
    { spawn, after: (ms, call) => sim.timer(process, ms, 'the queue looks again', call, ms > restMs) },
    {
      threads: faults.threads,
      waiting: faults.queue,
      waitingOfWallet: 4,
      waitingOfUser: 8,
      callers: 16,
      patienceMs: workerJobExpiryMs,
      isBan: ({ kind }) => kind === 'ban',
    },
  )

  return {
    identity: Effect.succeed(identity),
    step: (job, mayCompute) =>
      Effect.callback<StepOutcome | Dropped, CosignerBusy>((resume) => {
        const check = (done: (mayBegin: boolean) => void) =>
          sim.fork(process, mayCompute, (exit) => done(Exit.isSuccess(exit) && exit.value))
        const { walletId, userId, partnerId } = job.context
        const order = {
          work: { job },
          goesFirst: false,
          step: { walletId, userId, partnerId, transfers: transfersOf(job), key: keyOf(job), check },
        }
        return Effect.sync(
          queue.put(order, (end) => {
            if (end.kind === 'busy') resume(busy)
            else resume(Effect.succeed(end.kind === 'reported' ? end.report : end))
          }),
        )
      }),
    requireRoom: (of) => Effect.suspend(() => (queue.hasRoom(of) ? Effect.void : busy)),
    sign: (request, answer) => Effect.sync(() => MpcFrame.signAnswer(secretKey, request, answer, noble)),
    exportShare: (asked) => Effect.sync(() => exportShare(outside, asked, sim.bytesOf(process.name)(32))),
    reattach: (asked) =>
      Effect.suspend(() => {
        try {
          return Effect.succeed(reattach(outside, room, asked))
        } catch (cause) {
          // As the step, where the thread ends.
          if (cause instanceof FullDisk) return busy
          throw cause
        }
      }),
    reissue: (asked) => Effect.sync(() => (shareIn(asked) === undefined ? undefined : asked.capsule)),
    opens: (share) => Effect.sync(() => opensUnder(outside.shareKeys, share, share.sealed)),
  }
}

/** The checks of the worker, over a capsule that lies open. */
const shareIn = ({ walletId, epoch, shareId, of, capsule }: Reattachment): ShareRecord.ShareRecord | undefined => {
  const share = ShareRecord.decode(capsule)
  const isOfKey =
    share?.walletId === walletId &&
    share.epoch === epoch &&
    equal(share.shareId, shareId) &&
    (of === undefined || (equal(share.publicKey, of.publicKey) && equal(share.rootPublicKey, of.rootPublicKey)))
  return isOfKey ? share : undefined
}

const reattach = (outside: Outside, room: Room, asked: Reattachment): Reattached | undefined => {
  const { walletId, epoch, shareId, capsule } = asked
  const share = shareIn(asked)
  if (share === undefined) return undefined
  const { publicKey, rootPublicKey } = share
  const sealed = sealUnder(outside, room, { walletId, epoch, shareId: bytesToHex(shareId) }, capsule)
  return { sealed, publicKey, rootPublicKey }
}
