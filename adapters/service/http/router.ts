/** The routes of a role, from the contract; each runs its flow on the process's runtime. */
import type * as Context from 'effect/Context'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { operations, type Operation, type OperationId } from '../../../generated/operations.ts'
import type { HttpAnswer } from './Answer.ts'
import { dispatch } from './dispatch.ts'
import { answerTo, type Answered } from './errors.ts'
import type { Services } from './handlers.ts'
import type { RawRequest } from './RawRequest.ts'
import { logDefect, write } from './server.ts'

export type RouterOptions = {
  readonly listener: Operation['listener']
  readonly services: Context.Context<Services>
  readonly log: Logger
  /** Aborted when the process stops; ends requests that still wait. */
  readonly stopping: AbortSignal
  /** Called with every answer before it is written. */
  readonly observe?: ((id: OperationId, answer: HttpAnswer) => void) | undefined
}

export const addRoutes = (
  server: FastifyInstance,
  { listener, services, log, stopping, observe }: RouterOptions,
): void => {
  const run = Effect.runPromiseExitWith(services)
  for (const [id, operation] of Object.entries(operations) as [OperationId, Operation][]) {
    if (operation.listener !== listener) continue
    server.route({
      method: operation.method,
      url: operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      handler: async (request, reply) => {
        const exit = await run(dispatch(id, rawRequest(request)), { signal: stopping })
        const { answer, defect }: Answered = Exit.isSuccess(exit) ? { answer: exit.value } : answerTo(exit.cause)
        if (defect !== undefined) logDefect(log, request.id, defect)
        observe?.(id, answer)
        return write(reply, answer)
      },
    })
  }
}

const rawRequest = (request: FastifyRequest): RawRequest => ({
  method: request.method,
  target: request.raw.url ?? '',
  path: request.params as Readonly<Record<string, string>>,
  query: request.query,
  headers: request.headers,
  body: request.body instanceof Uint8Array ? request.body : new Uint8Array(0),
  ip: request.ip,
})
