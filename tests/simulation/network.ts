/**
 * The network between devices and replicas: requests and answers are events that may be lost or late, and requests may arrive
 * twice, or again when they are no longer expected. An answer comes once, because it comes on its request's connection. Any
 * replica that is up may get a request.
 */
import * as Effect from 'effect/Effect'
import type { HttpAnswer, RawRequest } from '../../adapters/service/http/message.ts'
import { connectionError, type ApiError } from '../../domain/model/ApiError.ts'
import type { OperationId } from '../../generated/operations.ts'
import type { Replica } from './replica.ts'
import type { Owner, Sim } from './Sim.ts'
import type { Swarm } from './swarm.ts'

export type Send = (
  sender: Owner,
  label: string,
  id: OperationId,
  request: RawRequest,
) => Effect.Effect<HttpAnswer, ApiError>

/** Told of each request that comes to a replica, and of each answer that one gave, whether or not it arrives. */
export type Watch = {
  readonly arrived?: (id: OperationId, request: RawRequest) => void
  readonly answered?: (id: OperationId, request: RawRequest, answer: HttpAnswer) => void
}

/** How long a device takes to notice that no answer comes: the connection broke, or it was given up. */
const silences = [200, 10_000, 40_000] as const

/** How long a browser waits for an answer of a server that is there. */
const patienceMs = 300_000

/** When a request or an answer that was held up arrives. */
const delays = [700, 5_000, 30_000, 120_000] as const

export class Network {
  readonly #sim: Sim
  readonly #swarm: Swarm
  readonly #replicas: readonly Replica[]
  readonly #watch: Watch

  constructor(sim: Sim, swarm: Swarm, replicas: readonly Replica[], watch: Watch) {
    this.#sim = sim
    this.#swarm = swarm
    this.#replicas = replicas
    this.#watch = watch
  }

  send: Send = (sender, label, id, request) =>
    Effect.callback<HttpAnswer, ApiError>((settle) => {
      const sim = this.#sim
      const givesUp = sim.timer(sender, patienceMs, `${label}: given up`, () => settle(Effect.fail(connectionError())))
      const resume = (answer: Effect.Effect<HttpAnswer, ApiError>) => {
        givesUp()
        settle(answer)
      }
      const { losses, doubles, lates } = this.#swarm
      const line: Owner = { name: 'net', alive: true }
      const name = `${sender.name} ${label}`
      const silence = (why: string, ms: number = silences[sim.choose(silences.length, `${name} is silent`)] ?? 0) =>
        void sim.timer(sender, ms, `${label}: ${why}`, () => resume(Effect.fail(connectionError())))

      const arrive = () => {
        const up = this.#replicas.filter(({ isUp }) => isUp)
        const replica = up[sim.choose(up.length, `${name}: which replica`)]
        if (replica === undefined) {
          silence('no replica is up', 0)
          return
        }
        this.#watch.arrived?.(id, request)
        replica.handle(id, request, (answer) => {
          if (answer === undefined) return silence('connection lost')
          this.#watch.answered?.(id, request, answer)
          if (sim.fault(losses, `${name}: answer lost`)) return silence('answer lost')
          const deliver = () => resume(Effect.succeed(answer))
          const said = `${label}: ${answer.status}${codeOf(answer)}`
          if (sim.fault(lates, `${name}: answer late`))
            sim.timer(sender, delays[sim.choose(delays.length, `${name}: how late the answer`)] ?? 0, said, deliver)
          else sim.add(sender, said, deliver)
        })
      }

      sim.add(line, `${name} arrives`, () => {
        if (sim.fault(losses, `${name}: request lost`)) return silence('request lost')
        if (sim.fault(doubles, `${name} doubled`)) sim.add(line, `${name} arrives again`, arrive)
        if (sim.fault(lates, `${name} late`)) {
          sim.timer(line, delays[sim.choose(delays.length, `${name}: how late`)] ?? 0, `${name} arrives late`, arrive)
          return silence('held up')
        }
        arrive()
      })
    })
}

const codeOf = ({ headers }: HttpAnswer): string => {
  const code = headers['x-error-code']
  return code === undefined ? '' : ` ${code}`
}
