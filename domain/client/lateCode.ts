/**
 * Code that many signatures do not need: a page loads it with the first one that does. The simulation, which has a scheduler of
 * its own, gives all at once.
 */
import * as Context from 'effect/Context'
import * as Effect from 'effect/Effect'
import { connectionError, type ApiError } from '../model/ApiError.ts'

/** A failure to fetch code counts as no answer of the service. */
const late = <Code>(load: () => Promise<Code>): Effect.Effect<Code, ApiError> =>
  Effect.tryPromise({ try: load, catch: () => connectionError() })

const loadRefresh = () => import('./refreshKeys.ts')
type Refreshing = Awaited<ReturnType<typeof loadRefresh>>
const loadReview = () => import('./review.ts')
type Reviews = Awaited<ReturnType<typeof loadReview>>
const loadOthers = () => import('./otherRequests.ts')
type Others = Awaited<ReturnType<typeof loadOthers>>
const loadChain = () => import('./cosignerChain.ts')
type Chain = Awaited<ReturnType<typeof loadChain>>

/** What mends a wallet whose share here is out of date or locked, or lost at the provider. */
export const Mending = Context.Reference<Effect.Effect<Refreshing, ApiError>>('tandem/client/Mending', {
  defaultValue: () => late(loadRefresh),
})

/** What waits for the review of a signature that a policy holds. */
export const Reviewing = Context.Reference<Effect.Effect<Reviews, ApiError>>('tandem/client/Reviewing', {
  defaultValue: () => late(loadReview),
})

/** What reads and hashes what is not a message of Ethereum. */
export const OtherRequests = Context.Reference<Effect.Effect<Others, ApiError>>('tandem/client/OtherRequests', {
  defaultValue: () => late(loadOthers),
})

/** What follows the co-signer to a later key. */
export const Following = Context.Reference<Effect.Effect<Chain, ApiError>>('tandem/client/Following', {
  defaultValue: () => late(loadChain),
})

export const mending = <A, E, R>(use: (code: Refreshing) => Effect.Effect<A, E, R>) =>
  Effect.flatMap(Effect.flatten(Mending), use)

export const reviewing = <A, E, R>(use: (code: Reviews) => Effect.Effect<A, E, R>) =>
  Effect.flatMap(Effect.flatten(Reviewing), use)

export const otherRequests = <A, E, R>(use: (code: Others) => Effect.Effect<A, E, R>) =>
  Effect.flatMap(Effect.flatten(OtherRequests), use)

export const following = <A, E, R>(use: (code: Chain) => Effect.Effect<A, E, R>) =>
  Effect.flatMap(Effect.flatten(Following), use)
