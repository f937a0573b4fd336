/**
 * What the package has in the place of effect/Effect: flows without spans. No app reads them, and what makes and prints them is 2 kB of
 * every page. Failures keep their errors, tags and codes.
 */
import * as Effect from 'effect/Effect'

export * from 'effect/Effect'

/** As `Effect.fn` with a name, which is left out. */
export const fn = (_name: string) => Effect.fnUntraced

/** As the last step of a pipe. */
export const withSpan =
  (_name: string) =>
  <A, E, R>(flow: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    flow
