/** Claims that hold any request, and list what they are given. */
import * as Effect from 'effect/Effect'
import type { ClaimedRound, Claims } from '../../domain/service/ports/Claims.ts'

export const claimsOf = (claimed: readonly ClaimedRound[] = []): Claims['Service'] => ({
  hold: () => Effect.succeed(true),
  latest: Effect.succeed(claimed),
  unsettled: () => Effect.succeed([]),
  over: () => Effect.succeed([]),
  settle: () => Effect.void,
  sweep: () => Effect.void,
})
