/** One request on its way: who calls, whether they may, what they ask, the handler's flow, and the answer. */
import * as Effect from 'effect/Effect'
import { operations, type OperationId } from '../../../generated/operations.ts'
import * as Header from '../../../domain/model/Header.ts'
import { Caller } from '../../../domain/service/Caller.ts'
import { once } from '../../../domain/service/idempotency.ts'
import { Reply } from '../../../domain/service/ports/Reply.ts'
import { admit } from './admission.ts'
import { json, type Answer } from './Answer.ts'
import { callerOf } from './callerOf.ts'
import { handlers, type Refusal, type Services } from './handlers.ts'
import type { Incoming } from './Incoming.ts'
import type { RawRequest } from './RawRequest.ts'

/** The handlers' common type: what the contract promises of each is checked where they are put together. */
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
  return yield* answered.pipe(
    Effect.provideService(Caller, caller),
    Effect.provideService(Reply, reply),
  )
})

/** The same answer to the same request, as it was given first; the session's token is part of it. */
const repeated = <E, R>(id: OperationId, key: string, { method, target, body }: RawRequest, flow: Effect.Effect<Answer, E, R>) =>
  Effect.map(
    once({ operation: id, key, request: [method, target, body] }, Effect.map(flow, (answer) => JSON.stringify(answer))),
    (text) => JSON.parse(text) as Answer,
  )

/** Whether the contract lets the operation have one: its validators drop every header that it does not name. */
const takesIdempotencyKey = (input: unknown): boolean =>
  Header.idempotencyKey in ((input as { readonly header?: object }).header ?? {})

const answerOf = (id: OperationId, success: unknown, token: string | undefined): Answer => ({
  status: 200,
  ...contentOf(operations[id].success, success),
  headers: token === undefined ? {} : { [Header.session]: token },
})

/** In the media type that the contract has for it. */
const contentOf = (type: string, success: unknown): Pick<Answer, 'type' | 'body'> => {
  if (success instanceof Uint8Array) return { type, body: success }
  if (type !== 'application/json' && typeof success === 'string') return { type: `${type}; charset=utf-8`, body: success }
  return { type: json, body: JSON.stringify(success ?? {}) }
}
