import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'

/** `exhausted`: its tries are used up. `wrong`: another code, an old one, one used before, or none at all. */
export type CodeOutcome = 'right' | 'wrong' | 'exhausted'

/** Mailed codes, one of a session at a time, known by their MAC alone (flows 3.2). */
export class Codes extends Context.Service<
  Codes,
  {
    /** The old code of the session is dead. */
    readonly replace: (code: {
      readonly sessionId: string
      readonly userId: string
      readonly mac: string
      readonly expiresAt: number
    }) => Effect.Effect<void>
    /** Takes one of the tries first, then compares; a right code is right once (flows 3.3). */
    readonly consume: (attempt: {
      readonly sessionId: string
      readonly userId: string
      readonly mac: string
      readonly now: number
      readonly tries: number
    }) => Effect.Effect<CodeOutcome>
  }
>()('tandem/service/Codes') {}
