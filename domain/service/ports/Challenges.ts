import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'

/** The holder of a challenge: a portal session, or a session whose client has none. */
export type ChallengeHolder = { readonly openingId: string } | { readonly sessionId: string }

/**
 * Challenges, of which only a nonce is stored: the challenge itself is a MAC of it. A holder has one at a time, so a
 * new one voids the one before. Every verification consumes it first.
 */
export class Challenges extends Context.Service<
  Challenges,
  {
    readonly replace: (challenge: {
      readonly holder: ChallengeHolder
      readonly nonce: string
      readonly expiresAt: number
    }) => Effect.Effect<void>
    /** The nonce of the holder's live challenge, which is void from then on. */
    readonly consume: (holder: ChallengeHolder, now: number) => Effect.Effect<string | undefined>
  }
>()('tandem/service/Challenges') {}
