import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'

/** `exhausted`: its tries are used up. `wrong`: another code, an old or used one, or none at all. */
export type CodeOutcome = 'right' | 'wrong' | 'exhausted'

/** Mailed codes, one of a session at a time, known by their MAC alone (domain/service/README.md#verification-codes). */
export class Codes extends Context.Service<
  Codes,
  {
    /** Makes this the session's only code. */
    readonly replace: (code: {
      readonly sessionId: string
      readonly userId: string
      readonly mac: string
      readonly expiresAt: number
    }) => Effect.Effect<void>
    /** Takes one of the tries first, then compares. A code is right once. */
    readonly consume: (attempt: {
      readonly sessionId: string
      readonly userId: string
      readonly mac: string
      readonly now: number
      readonly tries: number
    }) => Effect.Effect<CodeOutcome>
  }
>()('tandem/service/Codes') {}
