/** The deployment's configuration, as the listener of a page serves it. */
import * as Effect from 'effect/Effect'
import * as ApiError from '../../domain/model/ApiError.ts'
import type { Environment, Hosts } from '../../domain/model/Environment.ts'
import type { Operator } from '../../domain/model/Operator.ts'

export type Deployment = {
  readonly environment: Environment
  readonly hosts: Hosts
  readonly operator: Operator
}

const address = '/config.json'

/** One answer serves the whole page, while a failure is asked again. */
let asked: Promise<Deployment> | undefined

const ask = (): Promise<Deployment> =>
  (asked ??= request().catch((cause: unknown) => {
    asked = undefined
    throw cause
  }))

const request = async (): Promise<Deployment> => {
  const answer = await fetch(address)
  if (!answer.ok) throw ApiError.fromAnswer({ status: answer.status, responseURL: address })
  return (await answer.json()) as Deployment
}

export const readDeployment = Effect.tryPromise({
  try: ask,
  catch: (cause) => (cause instanceof ApiError.ApiError ? cause : ApiError.connectionError(address)),
})

/** The operator of this page; undefined where the deployment cannot be read. */
export const readOperator = (): Promise<Operator | undefined> =>
  Effect.runPromise(Effect.match(readDeployment, { onFailure: () => undefined, onSuccess: ({ operator }) => operator }))
