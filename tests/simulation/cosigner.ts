/**
 * The co-signer of one process: its queue and threads, with the arithmetic of toys. When a thread takes an order, and when its
 * report arrives, are events; a thread may be lost with the order that it works on.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import * as CosignerKey from '../../domain/crypto/CosignerKey.ts'
import * as MpcFrame from '../../domain/mpc/Frame.ts'
import { CosignerBusy, type CosignerEngine, type Job, type Outcome } from '../../domain/service/ports/CosignerEngine.ts'
import { outcomeOf, type Witness } from '../kit/toyProtocols.ts'
import type { Mortal, Sim } from './Sim.ts'

const secretKey = sha256(utf8ToBytes('the co-signer of the simulation'))

/** What devices pin: the same in each schedule. */
export const identity = { name: 'toy', publicKey: CosignerKey.publicKeyOf(secretKey) }

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
    exportShare: () => Effect.succeed(undefined),
  }
}
