/**
 * What the package has in the place of effect/Effect: flows without spans, and lines for the console without Effect's loggers. What
 * makes and prints spans and causes is 5 kB of every page. Failures keep their errors, tags and codes.
 */
import * as Cause from 'effect/Cause'
import * as Effect from 'effect/Effect'
import * as LogLevel from 'effect/LogLevel'

export * from 'effect/Effect'

/** As the last step of a pipe. */
export const withSpan =
  (_name: string) =>
  <A, E, R>(flow: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    flow

type Write = (...message: readonly unknown[]) => void

/** The browser says time and place of each line. */
const lineAt =
  (level: LogLevel.LogLevel, write: Write) =>
  (...message: readonly unknown[]): Effect.Effect<void> =>
    Effect.map(LogLevel.isEnabled(level), (isEnabled) => {
      if (isEnabled) write(...message.map((part) => (Cause.isCause(part) ? Cause.squash(part) : part)))
    })

export const logDebug = lineAt('Debug', (...message) => console.debug(...message))
export const logInfo = lineAt('Info', (...message) => console.info(...message))
export const logWarning = lineAt('Warn', (...message) => console.warn(...message))

/** Effect's own can log what it ignores. */
export const ignore = <A, E, R>(flow: Effect.Effect<A, E, R>): Effect.Effect<void, never, R> =>
  Effect.matchEffect(flow, { onFailure: () => Effect.void, onSuccess: () => Effect.void })

export const ignoreCause = <A, E, R>(flow: Effect.Effect<A, E, R>): Effect.Effect<void, never, R> =>
  Effect.matchCauseEffect(flow, { onFailure: () => Effect.void, onSuccess: () => Effect.void })
