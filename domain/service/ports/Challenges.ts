import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'

/** To whom a challenge was given: an opening, or a session whose client has no opening. */
export type ChallengeHolder = { readonly openingId: string } | { readonly sessionId: string }

/**
 * Challenges, of which only a nonce is stored: the challenge itself is a MAC of it. A holder has one at a time, so
 * that a new one voids the one before; consuming it is the first thing that any verification does (flows 6.4p).
 */
export class Challenges extends Context.Service<
  Challenges,
  {
    readonly replace: (challenge: {
      readonly holder: ChallengeHolder
      readonly nonce: string
      readonly expiresAt: number
    }) => Effect.Effect<void>
    /** The nonce of the live challenge of this holder, which is none from then on. */
    readonly consume: (holder: ChallengeHolder, now: number) => Effect.Effect<string | undefined>
  }
>()('tandem/service/Challenges') {}
