/**
 * The service's side of the `Api` port, played by a world of the kit: it accepts no call, and gives no answer and no
 * refusal, that the contract does not have. Its answers are held to the service's by tests/contract/successes.test.ts,
 * its refusals by fakes.test.ts.
 */
import * as Effect from 'effect/Effect'
import type { Api } from '../../domain/client/ports/Api.ts'
import { ApiError } from '../../domain/model/ApiError.ts'
import type { Input, OperationId, Success } from '../../generated/handlers.ts'
import { faultsOf, requestFaultsOf } from '../contract/Contract.ts'

/** Each gives a success, or throws the ApiError of its refusal. */
export type Answers = { readonly [Id in OperationId]?: (input: Input<Id>) => Success<Id> }

/** What a test has answered instead; `undefined` leaves the world's own answer, which only then is asked for. */
export type Instead = (operation: OperationId, input: unknown, own: () => unknown) => unknown

export const fakeApi = (answers: Answers, instead: Instead = () => undefined): Api['Service'] => ({
  call: (operation, input) =>
    Effect.try({
      try: () => {
        demand(requestFaultsOf(operation, requestOf(input)))
        const own = () => ownAnswer(answers, operation, input)
        return (instead(operation, input, own) ?? own()) as never
      },
      catch: (error) => {
        if (error instanceof ApiError) return error
        throw error
      },
    }),
})

/** A test's answers may violate the contract; the world's own answers do not. */
const ownAnswer = (answers: Answers, operation: OperationId, input: unknown): unknown => {
  const answer = answers[operation] as ((input: unknown) => unknown) | undefined
  if (answer === undefined) throw new Error(`this world has no answer to ${operation}`)
  try {
    const success = answer(input)
    demand(faultsOf(operation, { status: 200, type: 'application/json', body: bytesOf(success) }))
    return success
  } catch (error) {
    if (error instanceof ApiError) demand(faultsOf(operation, refusalOf(error)))
    throw error
  }
}

const refusalOf = ({ status = 0, message }: ApiError) => ({ status, type: 'text/plain', body: Buffer.from(message) })

/** The input of an operation, as far as the contract defines it. */
const requestOf = ({ query = {}, body }: { readonly query?: object; readonly body?: unknown }) => ({
  query: Object.keys(query),
  type: 'application/json',
  body: body === undefined ? new Uint8Array(0) : bytesOf(body),
})

const bytesOf = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value))

const demand = (faults: readonly string[]): void => {
  if (faults.length > 0) throw new Error(`outside the contract: ${faults.join('; ')}`)
}
