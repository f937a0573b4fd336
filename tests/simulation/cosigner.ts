/**
 * The co-signer of one process: its queue and threads, with the arithmetic of toys. When a thread takes an order, and when its
 * report arrives, are events; a thread may be lost with the order that it works on.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import * as CosignerKey from '../../domain/crypto/CosignerKey.ts'
import { equal } from '../../domain/crypto/Equal.ts'
import * as Export from '../../domain/crypto/Export.ts'
import * as MpcFrame from '../../domain/mpc/Frame.ts'
import * as ShareRecord from '../../domain/mpc/ShareRecord.ts'
import { isAskedByUser } from '../../domain/service/Export.ts'
import { CosignerBusy, type CosignerEngine, type Job, type Outcome, type ShareExport } from '../../domain/service/ports/CosignerEngine.ts'
import { outcomeOf, type Witness } from '../kit/toyProtocols.ts'
import type { Mortal, Sim } from './Sim.ts'

const secretKey = sha256(utf8ToBytes('the co-signer of the simulation'))

/** What devices pin: the same in each schedule. */
export const identity = { name: 'toy', publicKey: CosignerKey.publicKeyOf(secretKey) }

/** The checks of the worker (`adapters/service/cosigner/worker.ts`), over a share that lies open. */
const exportShare = (asked: ShareExport, ephemeralSecretKey: Uint8Array): string | undefined => {
  const { walletId, epoch, shareId, sealedShare, answerer, answer, now } = asked
  const share = ShareRecord.decode(sealedShare)
  if (share?.walletId !== walletId || share.epoch !== epoch || !equal(share.shareId, shareId)) return undefined
  if (!isAskedByUser(share.rootPublicKey, answerer, answer, now)) return undefined
  const { sessionId, id: openingId } = answer.opening
  const { serverPublic, publicKey } = share
  const binding = { walletId, shareId, epoch, openingId, sessionId, userId: answerer.userId, serverPublic, publicKey }
  return Export.seal(binding, share.secret, { recipientPublicKey: hexToBytes(answer.recipientPublicKey), ephemeralSecretKey })
}

export type CosignerFaults = {
  readonly threads: number
  /** Orders that may wait. */
  readonly queue: number
  /** A thread is lost once in so many orders; 0 for never. */
  readonly lostThreads: number
}

type Order = { readonly job: Job; readonly done: (outcome: Effect.Effect<Outcome, CosignerBusy>) => void }

const busy = Effect.suspend(() => Effect.fail(new CosignerBusy({ retryAfterMs: 1_000 })))

export const makeCosigner = (
  sim: Sim,
  process: Mortal,
  witness: Witness,
  faults: CosignerFaults,
  /** Told of each step that is computed. */
  computed: (job: Job) => void,
): CosignerEngine['Service'] => {
  const waiting: Order[] = []
  let idle = faults.threads

  const takeNext = () => {
    if (idle === 0 || waiting.length === 0) return
    idle -= 1
    sim.add(process, 'a thread takes an order', () => {
      const order = waiting.shift()
      if (order === undefined) {
        idle += 1
        return
      }
      work(order)
    })
  }

  const work = ({ job, done }: Order) => {
    const { kind, protocolId } = job.context
    const name = `${kind} ${job.step} of ${protocolId.slice(0, 4)}`
    const free = (outcome: Effect.Effect<Outcome, CosignerBusy>) => () => {
      idle += 1
      done(outcome)
      takeNext()
    }
    if (sim.fault(faults.lostThreads)) {
      sim.add(process, `thread lost over ${name}`, free(busy))
      return
    }
    computed(job)
    const outcome = outcomeOf(job, witness)
    sim.add(process, `report of ${name}: ${outcome.kind}`, free(Effect.succeed(outcome)))
  }

  return {
    identity,
    step: (job) =>
      Effect.callback<Outcome, CosignerBusy>((resume) => {
        if (waiting.length >= faults.queue) {
          resume(busy)
          return
        }
        waiting.push({ job, done: resume })
        takeNext()
      }),
    sign: (request, answer) => Effect.sync(() => MpcFrame.signAnswer(secretKey, request, answer)),
    exportShare: (asked) => Effect.sync(() => exportShare(asked, sim.bytes(32))),
  }
}
