/**
 * Code that few signatures need: a page loads it with the first one that does. The simulation, which has a scheduler of its own,
 * gives both at once.
 */
import * as Context from 'effect/Context'
import * as Effect from 'effect/Effect'
import { connectionError, type ApiError } from '../model/ApiError.ts'

/** A failure to fetch code counts as no answer of the service. */
const late = <Code>(load: () => Promise<Code>): Effect.Effect<Code, ApiError> =>
  Effect.tryPromise({ try: load, catch: () => connectionError() })

type Refreshing = typeof import('./refreshKeys.ts')
type Reviews = typeof import('./review.ts')

/** What mends a wallet whose share here is out of date or locked, or lost at the provider. */
export const Mending = Context.Reference<Effect.Effect<Refreshing, ApiError>>('tandem/client/Mending', {
  defaultValue: () => late(() => import('./refreshKeys.ts')),
})

/** What waits for the review of a signature that a policy holds. */
export const Reviewing = Context.Reference<Effect.Effect<Reviews, ApiError>>('tandem/client/Reviewing', {
  defaultValue: () => late(() => import('./review.ts')),
})

export const mending = <A, E, R>(use: (code: Refreshing) => Effect.Effect<A, E, R>) =>
  Effect.flatMap(Effect.flatten(Mending), use)

export const reviewing = <A, E, R>(use: (code: Reviews) => Effect.Effect<A, E, R>) =>
  Effect.flatMap(Effect.flatten(Reviewing), use)
