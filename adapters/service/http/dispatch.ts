/** The pipeline of a request: caller, authorization, validation, the handler's flow, and the answer. */
import * as Effect from 'effect/Effect'
import { operations, type OperationId } from '../../../generated/operations.ts'
import * as Header from '../../../domain/model/Header.ts'
import { Caller } from '../../../domain/service/Caller.ts'
import { once } from '../../../domain/service/idempotency.ts'
import { Reply } from '../../../domain/service/ports/Reply.ts'
import { admit } from './admission.ts'
import { json, type HttpAnswer } from './Answer.ts'
import { callerOf } from './callerOf.ts'
import { handlers, type Refusal, type Services } from './handlers.ts'
import type { Incoming } from './Incoming.ts'
import type { RawRequest } from './RawRequest.ts'

/** The handlers' common type; handlers.ts checks each against the contract. */
type Handle = (input: unknown, incoming: Incoming) => Effect.Effect<unknown, Refusal, Services | Caller | Reply>

export const dispatch = Effect.fn('http.dispatch')(function* (id: OperationId, request: RawRequest) {
  const handle = handlers[id] as Handle
  const caller = yield* callerOf(request)
  let token: string | undefined
  const reply = Reply.of({
    setSessionToken: (given) =>
      Effect.sync(() => {
        token = given
      }),
  })
  const answered = Effect.flatMap(admit(id, request), ({ input, rawBody }) => {
    const flow = Effect.map(handle(input, { rawBody }), (success) => answerOf(id, success, token))
    const key = takesIdempotencyKey(input) ? caller.idempotencyKey : undefined
    return key === undefined ? flow : repeated(id, key, request, flow)
  })
  return yield* answered.pipe(Effect.provideService(Caller, caller), Effect.provideService(Reply, reply))
})

/**
 * A repeated request with the same key gets the first answer, session token included (openapi/README.md#idempotency).
 */
const repeated = <E, R>(
  id: OperationId,
  key: string,
  { method, target, body }: RawRequest,
  flow: Effect.Effect<HttpAnswer, E, R>,
) =>
  Effect.map(
    once(
      { operation: id, key, request: [method, target, body] },
      Effect.map(flow, (answer) => JSON.stringify(answer)),
    ),
    (text) => JSON.parse(text) as HttpAnswer,
  )

/** Whether the contract gives the operation this header: its validators drop every other one. */
const takesIdempotencyKey = (input: unknown): boolean =>
  Header.idempotencyKey in ((input as { readonly header?: object }).header ?? {})

const answerOf = (id: OperationId, success: unknown, token: string | undefined): HttpAnswer => ({
  status: 200,
  ...contentOf(operations[id].success, success),
  headers: token === undefined ? {} : { [Header.session]: token },
})

/** The body in the contract's media type. */
const contentOf = (type: string, success: unknown): Pick<HttpAnswer, 'type' | 'body'> => {
  if (success instanceof Uint8Array) return { type, body: success }
  if (type !== 'application/json' && typeof success === 'string')
    return { type: `${type}; charset=utf-8`, body: success }
  return { type: json, body: JSON.stringify(success ?? {}) }
}
