import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import * as Schedule from 'effect/Schedule'
import type * as Duration from 'effect/Duration'

/** The only way to poll: asks, waits, asks again, until there is an answer or the time is over. */
export const pollUntil = <A, E, R, E2>(
  ask: Effect.Effect<Option.Option<A>, E, R>,
  limits: { readonly every: Duration.Input; readonly within: Duration.Input; readonly onTimeout: () => E2 },
): Effect.Effect<A, E | E2, R> =>
  ask.pipe(
    Effect.repeat({ schedule: Schedule.spaced(limits.every), until: Option.isSome }),
    Effect.map(Option.getOrThrow),
    Effect.timeoutOrElse({ duration: limits.within, orElse: () => Effect.fail(limits.onTimeout()) }),
  )

/** A failed request is logged and counts as no answer yet. */
export const patient = <A, E, R>(
  ask: Effect.Effect<Option.Option<A>, E, R>,
): Effect.Effect<Option.Option<A>, never, R> =>
  Effect.catch(ask, (error) => Effect.as(Effect.logWarning('a poll failed', error), Option.none<A>()))
