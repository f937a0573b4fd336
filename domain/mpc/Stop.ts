/**
 * How a check ends a step. Every check throws, so a caller cannot forget to look at a result; the step's wrapper
 * catches it and returns the outcome (`stoppable`). Any other exception is a bug and passes through. However a step
 * ends, the secrets that it named are overwritten then.
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

/** The value; ends the run when it is `undefined`. */
export const present = <A>(value: A | undefined, reason: string): A => {
  demand(value !== undefined, reason)
  return value
}

/** As `demand` and `present`, for the four checks that ban. domain/mpc/README.md#aborts-and-bans */
export function demandOrBan(condition: boolean, reason: string): asserts condition {
  if (!condition) throw new Stop(ban(reason))
}

export const presentOrBan = <A>(value: A | undefined, reason: string): A => {
  demandOrBan(value !== undefined, reason)
  return value
}

/**
 * Names bytes to overwrite when the step ends, and returns the first of them. Never pass the step's input or parts of
 * its answer.
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

/** The same for a client's first step, which has read no message and so cannot ban. */
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
