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

export const readDeployment = Effect.tryPromise({
  try: async (): Promise<Deployment> => {
    const answer = await fetch(address)
    if (!answer.ok) throw ApiError.fromAnswer({ status: answer.status, responseURL: address })
    return (await answer.json()) as Deployment
  },
  catch: (cause) => (cause instanceof ApiError.ApiError ? cause : ApiError.connectionError(address)),
})
