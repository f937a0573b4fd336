/**
 * How a check ends a step. Every check throws, so that none can be passed over by forgetting to look at what it
 * returned; a step catches the throw at its edge and returns the outcome (`stoppable`). Anything else that is thrown
 * is a mistake of our own and goes through.
 */
import { abort, ban, type Abort, type Ban } from './Protocol.ts'

class Stop extends Error {
  readonly outcome: Abort | Ban

  constructor(outcome: Abort | Ban) {
    super(outcome.reason)
    this.outcome = outcome
  }
}

/** Ends the run unless the condition holds. */
export function demand(condition: boolean, reason: string): asserts condition {
  if (!condition) throw new Stop(abort(reason))
}

/** The value, or the end of the run when there is none. */
export const present = <A>(value: A | undefined, reason: string): A => {
  demand(value !== undefined, reason)
  return value
}

/** As `demand` and `present`, for the four checks whose failure burns the OT records (mpc-review 9). */
export function demandOrBan(condition: boolean, reason: string): asserts condition {
  if (!condition) throw new Stop(ban(reason))
}

export const presentOrBan = <A>(value: A | undefined, reason: string): A => {
  demandOrBan(value !== undefined, reason)
  return value
}

/** A step whose checks may stop it. */
export const stoppable =
  <Input, Answer>(step: (input: Input) => Answer) =>
  (input: Input): Answer | Abort | Ban => {
    try {
      return step(input)
    } catch (error) {
      if (error instanceof Stop) return error.outcome
      throw error
    }
  }

/** The same for the first step of a client, which has read nothing that could ban. */
export const abortable =
  <Input, Answer>(step: (input: Input) => Answer) =>
  (input: Input): Answer | Abort => {
    try {
      return step(input)
    } catch (error) {
      if (error instanceof Stop) return abort(error.outcome.reason)
      throw error
    }
  }
