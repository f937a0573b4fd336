/**
 * A process of the service: it starts, answers requests, and dies at any failpoint and before any statement. What it had begun
 * dies with it: its events never happen, and its transactions are rolled back.
 */
import * as Cause from 'effect/Cause'
import * as Clock from 'effect/Clock'
import type * as Context from 'effect/Context'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import * as Layer from 'effect/Layer'
import * as Option from 'effect/Option'
import * as Scope from 'effect/Scope'
import { DatabaseUnavailable } from '../../adapters/service/database/Database.ts'
import { answerTo } from '../../adapters/service/http/errors.ts'
import { StartRefusal } from '../../adapters/service/StartRefusal.ts'
import type { HttpAnswer, RawRequest } from '../../adapters/service/http/message.ts'
import { callerOf, respond } from '../../adapters/service/http/pipeline.ts'
import type { Job } from '../../domain/service/ports/CosignerEngine.ts'
import type { Message } from '../../domain/service/ports/Mail.ts'
import type { OperationId } from '../../generated/operations.ts'
import type { Witness } from '../kit/toyProtocols.ts'
import { makeCosigner } from './cosigner.ts'
import type { Coverage } from './coverage.ts'
import { FullDisk, type Room } from './fullDisk.ts'
import type { Outside } from './outside.ts'
import { servicePorts, type NodeAnswer } from './ports.ts'
import type { Protocols } from './protocols.ts'
import { connectionLost, type Rows } from './rows/Rows.ts'
import { kyselyOn } from './rows/kyselyOn.ts'
import type { OpenTransaction } from './rows/OpenTransaction.ts'
import type { Mortal, Sim } from './Sim.ts'
import type { Swarm } from './swarm.ts'

/** What all processes of a deployment share. */
export type Ground = {
  readonly sim: Sim
  readonly rows: Rows
  readonly outside: Outside
  readonly witness: Witness
  readonly protocols: Protocols
  readonly coverage: Coverage
  readonly swarm: Swarm
  readonly mailed: (message: Message) => void
  /** Whether the transaction is on the chain then. */
  readonly sent: (signed: Uint8Array) => boolean
  readonly computed: (job: Job) => void
  /** How far this replica's clock is ahead, in ms. */
  readonly ahead: (name: string) => number
  readonly refusesOlderFolder: (databaseGeneration: string) => boolean
  /** A write to the folder failed; and a request is answered that failed by it. */
  readonly unmarked: (what: string) => void
  readonly unwritten: (write: FullDisk) => void
  /** A claim is deleted, by the key of its round. */
  readonly swept: (round: string) => void
  /** A start was refused. */
  readonly refused: () => void
}

type Services = Layer.Success<ReturnType<typeof servicePorts>>

/** One life of the process. */
type Life = Mortal & {
  services: Context.Context<Services> | undefined
  readonly transactions: Set<OpenTransaction>
  readonly connections: Set<() => void>
}

export class Replica {
  readonly name: string
  readonly #ground: Ground
  #life: Life | undefined

  constructor(ground: Ground, name: string) {
    this.name = name
    this.#ground = ground
  }

  /** Whether it takes requests. */
  get isUp(): boolean {
    return this.#life?.alive === true && this.#life.services !== undefined
  }

  start(): void {
    const { sim, rows, swarm, outside, witness, protocols, mailed, computed, swept, ahead, refusesOlderFolder } =
      this.#ground
    const { upkeep: keepsUp, postsMail = false } = swarm
    const life: Life = {
      name: this.name,
      alive: true,
      services: undefined,
      transactions: new Set(),
      connections: new Set(),
    }
    this.#life = life
    const kysely = kyselyOn(rows, {
      pause: (what, transaction) => this.#statement(life, what, transaction),
      handOn: (what) => this.#handOn(life, what),
      begun: (transaction) => void life.transactions.add(transaction),
      shuffle: (found) => this.#shuffled(life, found),
    })
    const clock = sim.clockOf(life, { ahead: () => ahead(this.name), background: true })
    const room: Room = (what, value) => this.#requireRoom(what, value)
    const engine = makeCosigner(sim, life, outside, room, witness, protocols, swarm, computed)
    const reach = (failpoint: string) => this.#reach(life, failpoint)
    const bytes = sim.bytesOf(this.name)
    const sent = (signed: Uint8Array) => this.#sends(life, signed)
    const layer = servicePorts({
      bytes,
      kysely,
      outside,
      room,
      swept,
      engine,
      clock,
      reach,
      mailed,
      sent,
      keepsUp,
      refusesOlderFolder,
      postsMail,
    })
    const built = Effect.provideService(Layer.buildWithScope(layer, Scope.makeUnsafe()), Clock.Clock, clock)
    sim.fork(life, built, (exit) => {
      if (Exit.isSuccess(exit)) life.services = exit.value
      else if (isConnectionLost(exit)) this.kill('its start failed')
      else if (isRefused(exit)) {
        this.kill('its folder is older')
        this.#ground.refused()
      } else sim.violate('L', `a replica does not start: ${String(exit.cause)}`)
    })
  }

  kill(where: string): void {
    const { sim, coverage } = this.#ground
    const life = this.#life
    if (life?.alive !== true) return
    sim.note(`${this.name} is killed: ${where}`)
    coverage.killedAt(where)
    this.#end(life)
    sim.timer({ name: this.name, alive: true }, restartMs, 'starts again', () => this.start())
  }

  /** For good, without a restart. */
  stop(): void {
    if (this.#life !== undefined) this.#end(this.#life)
  }

  #end(life: Life): void {
    life.alive = false
    for (const transaction of life.transactions) this.#ground.rows.end(transaction, false)
    life.transactions.clear()
    for (const broken of life.connections) broken()
    life.connections.clear()
  }

  /** Runs a flow of the service beside its listeners, as the operator does. */
  run<A, E>(flow: Effect.Effect<A, E, Services>, ended: (exit: Exit.Exit<A, E>) => void): void {
    const life = this.#life
    if (life?.services === undefined) throw new Error('the replica is not up')
    this.#ground.sim.fork(life, Effect.provide(flow, life.services), ended)
  }

  /** No answer comes where the process dies meanwhile. */
  handle(id: OperationId, request: RawRequest, answered: (answer: HttpAnswer | undefined) => void): void {
    const { sim, rows } = this.#ground
    const { restores } = rows
    const connections = this.#life?.connections
    const broken = () => answered(undefined)
    connections?.add(broken)
    const answering = Effect.flatMap(callerOf(request), (caller) => respond(id, request, caller))
    this.run(answering, (exit) => {
      connections?.delete(broken)
      if (Exit.isSuccess(exit)) return answered(exit.value)
      const { answer, defect } = answerTo(exit.cause)
      if (defect instanceof FullDisk) this.#ground.unwritten(defect)
      // The rows of one request may be inconsistent when an older database is restored between its statements.
      const isExpected = defect instanceof DatabaseUnavailable || defect instanceof FullDisk
      if (defect !== undefined && !isExpected && rows.restores === restores)
        sim.violate('L', `${id} has a defect: ${Cause.pretty(exit.cause).slice(0, 300)}`)
      answered(answer)
    })
  }

  /**
   * Each statement and each commit is an event, before which the process may die. The answer to a commit may be lost: then the
   * process does not know whether it happened.
   */
  #statement(life: Life, what: string, transaction: OpenTransaction): Promise<void> {
    const { sim, swarm, rows } = this.#ground
    return new Promise((resolve, reject) =>
      sim.add(life, what, () => {
        if (sim.fault(swarm.statementKills, `${life.name} dies before ${what}`)) return this.kill(what)
        if (what !== 'commit' || !sim.fault(swarm.lostCommits, `${life.name} loses a commit`)) return resolve()
        const happens = sim.choose(2, `${life.name}: the lost commit`) === 0
        sim.note(`the answer to a commit is lost, which ${happens ? 'happens' : 'does not happen'}`)
        rows.end(transaction, happens)
        reject(connectionLost())
      }),
    )
  }

  /** A heartbeat or another request may happen between the read of a statement and its delivery to the process. */
  #handOn(life: Life, what: string): Promise<void> | undefined {
    const { sim, swarm } = this.#ground
    if (!sim.fault(swarm.lateReads, `${life.name} reads late: ${what}`)) return undefined
    const ms = latenessMs[sim.choose(latenessMs.length, `how late ${life.name} reads`)] ?? 0
    return new Promise((resolve) => sim.timer(life, ms, `what ${what} found arrives`, resolve))
  }

  #requireRoom(what: string, value?: number): void {
    const { sim, swarm, unmarked } = this.#ground
    const kind = what.replace(/\/.*/, '')
    if (!sim.fault(swarm.fullDisk ?? 0, `${this.name} has no room for ${kind}`)) return
    sim.note(`${this.name} has no room for ${kind}`)
    unmarked(what)
    throw new FullDisk(what, value)
  }

  /** The line to the node is lost before or after it has the transaction, or the node is silent for a time. */
  #sends(life: Life, signed: Uint8Array): NodeAnswer {
    const { sim, swarm, sent } = this.#ground
    if (sim.fault(swarm.losses, `${life.name} does not reach the chain`)) return 'silence'
    const isSilent = sim.fault(swarm.silentNode ?? 0, `the node of ${life.name} is silent`)
    if (isSilent && sim.choose(2, `whether the silent node of ${life.name} has it`) === 0) return 'silence'
    const answer = sent(signed) ? 'taken' : 'refused'
    return isSilent || sim.fault(swarm.losses, `${life.name} is not answered by the chain`) ? 'silence' : answer
  }

  /** Rows without an order come in any: as they are, or the other way round. */
  #shuffled<A>(life: Life, found: readonly A[]): readonly A[] {
    const { sim, swarm } = this.#ground
    return swarm.shuffles && found.length > 1 && sim.choose(2, `${life.name} shuffles`) === 1
      ? found.toReversed()
      : found
  }

  #reach(life: Life, failpoint: string): Effect.Effect<void> {
    const { sim, swarm, coverage } = this.#ground
    return Effect.callback<void>((resume) =>
      sim.add(life, failpoint, () => {
        coverage.reached(failpoint)
        const oneIn = isInRound.test(failpoint) ? swarm.kills : (swarm.rareKills ?? swarm.kills)
        if (sim.fault(oneIn, `${life.name} dies at ${failpoint}`)) this.kill(failpoint)
        else resume(Effect.void)
      }),
    )
  }
}

const restartMs = 1_000

/** Failpoints of a round are reached in each schedule; the others in few, and in fewer still where processes die in rounds. */
const isInRound = /^(sign|attach|keygen|refresh|confirm)\.(claim|compute|commit)\./

/** The last is longer than a beat takes to come. */
const latenessMs = [1, 20, 400, 2_500]

const isRefused = (exit: Exit.Failure<unknown, unknown>): boolean =>
  Option.exists(Cause.findErrorOption(exit.cause), (error) => error instanceof StartRefusal)

const isConnectionLost = (exit: Exit.Failure<unknown, unknown>): boolean =>
  String(exit.cause).includes('does not answer')
