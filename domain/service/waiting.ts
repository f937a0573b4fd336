/**
 * Polled calls answer at once, or with `Prefer: wait=n` as soon as there is news
 * (domain/service/README.md#waiting-calls).
 */
import * as Clock from 'effect/Clock'
import * as Effect from 'effect/Effect'
import { Caller } from './Caller.ts'
import { Notifications } from './ports/Notifications.ts'
import { Waits, type WaitLimit } from './ports/Waits.ts'

/** The longest wait, whatever was asked. */
export const maximumWaitSeconds = 20

/** How many requests wait at once; others are answered as if they had no preference. */
export const waitingLimits = {
  /** A browser opens six connections to an origin, and a session has few tabs. */
  session: 20,
  /** An office behind one network address. */
  network: 200,
  /** Each holds a socket and some kilobytes. */
  process: 2_000,
} as const

export type Wait<A> = {
  /** What is published when the answer may have changed. */
  readonly topic: string
  readonly hasNews: (answer: A) => boolean
  /** When time alone makes another answer of this one, in milliseconds since 1970. */
  readonly changesAt?: (answer: A) => number
}

/** Asks until there is news or the caller's time is up, then answers what was seen last. */
export const waitFor = <A, E, R>(ask: Effect.Effect<A, E, R>, wait: Wait<A>) =>
  Effect.flatMap(Caller, ({ waitSeconds }) => askIfRoom(Math.min(waitSeconds, maximumWaitSeconds) * 1000, ask, wait))

/**
 * As `askWithin`, but asks once where too many wait, and stops when the client is gone, which gives its place to another.
 * `patience`: milliseconds.
 */
export const askIfRoom = Effect.fnUntraced(function* <A, E, R>(
  patience: number,
  ask: Effect.Effect<A, E, R>,
  wait: Wait<A>,
) {
  const caller = yield* Caller
  const isAdmitted = patience > 0 && (yield* (yield* Waits).take(limitsOf(caller)))
  if (!isAdmitted) return yield* ask
  return yield* Effect.raceFirst(askWithin(patience, ask, wait), Effect.andThen(caller.left, ask))
}, Effect.scoped)

/**
 * Asks at once, again when the topic may have changed, and once more at the end of `patience`, which is in milliseconds.
 */
export const askWithin = Effect.fnUntraced(function* <A, E, R>(
  patience: number,
  ask: Effect.Effect<A, E, R>,
  { topic, hasNews, changesAt = () => Infinity }: Wait<A>,
) {
  // Before the first look, so that no change falls between the two.
  const changed = yield* (yield* Notifications).subscribe(topic)
  const until = (yield* Clock.currentTimeMillis) + patience
  const pauseAfter = Effect.fnUntraced(function* (answer: A) {
    const next = Math.min(until, changesAt(answer))
    yield* Effect.timeoutOption(changed, Math.max(0, next - (yield* Clock.currentTimeMillis)))
  })
  let answer = yield* ask
  while (!hasNews(answer) && (yield* Clock.currentTimeMillis) < until) {
    yield* pauseAfter(answer)
    answer = yield* ask
  }
  return answer
}, Effect.scoped)

const limitsOf = ({ session, portal, recovery, network }: Caller): readonly WaitLimit[] => {
  const sessionId = session?.id ?? portal?.sessionId ?? recovery?.sessionId
  const ofSession = sessionId === undefined ? [] : [{ key: `session/${sessionId}`, most: waitingLimits.session }]
  return [
    ...ofSession,
    { key: `network/${network}`, most: waitingLimits.network },
    { key: 'process', most: waitingLimits.process },
  ]
}
