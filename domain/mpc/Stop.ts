/**
 * How a check ends a step. Every check throws, so that none can be passed over by forgetting to look at what it
 * returned; a step catches the throw at its edge and returns the outcome (`stoppable`). Anything else that is thrown
 * is a mistake of our own and goes through. However a step ends, the secrets that it named are overwritten then.
 */
import { wipe } from '../crypto/wipe.ts'
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

/**
 * Names bytes to overwrite when the step ends, and gives the first of them back. What the step was given, or what is in
 * its answer, is never among them.
 */
export type WipeLater = (bytes: Uint8Array, ...others: readonly Uint8Array[]) => Uint8Array

type Step<Input, Answer> = (input: Input, wipeLater: WipeLater) => Answer

const wiping = <Input, Answer>(step: Step<Input, Answer>, input: Input): Answer => {
  const secrets: Uint8Array[] = []
  try {
    return step(input, (bytes, ...others) => {
      secrets.push(bytes, ...others)
      return bytes
    })
  } finally {
    wipe(...secrets)
  }
}

/** A step whose checks may stop it. */
export const stoppable =
  <Input, Answer>(step: Step<Input, Answer>) =>
  (input: Input): Answer | Abort | Ban => {
    try {
      return wiping(step, input)
    } catch (error) {
      if (error instanceof Stop) return error.outcome
      throw error
    }
  }

/** The same for the first step of a client, which has read nothing that could ban. */
export const abortable =
  <Input, Answer>(step: Step<Input, Answer>) =>
  (input: Input): Answer | Abort => {
    try {
      return wiping(step, input)
    } catch (error) {
      if (error instanceof Stop) return abort(error.outcome.reason)
      throw error
    }
  }
