import * as Effect from 'effect/Effect'

/** A place of keys, as a rule a file, that this process cannot take. */
export class KeyFileRefused extends Error {
  /** `what` is the rest of a sentence that begins with the file's name. */
  constructor(setting: string, file: string, what: string) {
    super(`${setting}: ${file} ${what}.`)
  }
}

/** Handles what a use of a key file threw: its sentence is a refusal of the caller's, and all else a defect. */
export const orRefused =
  <E>(refused: (message: string) => E) =>
  (cause: unknown): Effect.Effect<never, E> =>
    cause instanceof KeyFileRefused ? Effect.fail(refused(cause.message)) : Effect.die(cause)
