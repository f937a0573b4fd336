/**
 * Polled calls answer at once, or with `Prefer: wait=n` as soon as there is news
 * (domain/service/README.md#waiting-calls).
 */
import * as Clock from 'effect/Clock'
import * as Effect from 'effect/Effect'
import * as Schedule from 'effect/Schedule'
import { Caller } from './Caller.ts'

/** How often a waiting call looks again. */
const lookEveryMs = 100

/** The longest wait, whatever was asked. */
export const maximumWaitSeconds = 20

/** Asks until `hasNews` says so or the time is up, then answers what was seen last. */
export const waitFor = <A, E, R>(
  ask: Effect.Effect<A, E, R>,
  hasNews: (answer: A) => boolean,
): Effect.Effect<A, E, R | Caller> =>
  Effect.gen(function* () {
    const { waitSeconds } = yield* Caller
    const until = (yield* Clock.currentTimeMillis) + Math.min(waitSeconds, maximumWaitSeconds) * 1000
    const isOver = Effect.map(Clock.currentTimeMillis, (now) => now >= until)
    return yield* Effect.repeat(ask, {
      schedule: Schedule.spaced(lookEveryMs),
      until: (answer) => (hasNews(answer) ? Effect.succeed(true) : isOver),
    })
  })
