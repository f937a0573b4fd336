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

/** What loads the code, and a flow that uses it. */
const lately = <Code>(name: string, load: () => Promise<Code>) => {
  const code = Context.Reference<Effect.Effect<Code, ApiError>>(`tandem/client/${name}`, {
    defaultValue: () => late(load),
  })
  const using = <A, E, R>(use: (code: Code) => Effect.Effect<A, E, R>) => Effect.flatMap(Effect.flatten(code), use)
  return [code, using] as const
}

/** What mends a wallet whose share here is out of date or locked, or lost at the provider. */
export const [Mending, mending] = lately('Mending', () => import('./refreshKeys.ts'))

/** What waits for the review of a signature that a policy holds. */
export const [Reviewing, reviewing] = lately('Reviewing', () => import('./review.ts'))

/** What reads and hashes what is not a message of Ethereum. */
export const [OtherRequests, otherRequests] = lately('OtherRequests', () => import('./otherRequests.ts'))

/** What follows the co-signer to a later key. */
export const [Following, following] = lately('Following', () => import('./cosignerChain.ts'))
