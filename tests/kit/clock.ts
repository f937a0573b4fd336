import * as Clock from 'effect/Clock'
import * as Effect from 'effect/Effect'

const machine = Effect.runSync(Clock.Clock)

type Sleep = Clock.Clock['sleep']

/** A clock that stands where `now` says. Pauses take as long as on the machine's clock, unless `sleep` is given. */
export const clockAt = (now: () => number, sleep: Sleep = (duration) => machine.sleep(duration)): Clock.Clock => ({
  currentTimeMillisUnsafe: now,
  currentTimeMillis: Effect.sync(now),
  currentTimeNanosUnsafe: () => BigInt(now()) * 1_000_000n,
  currentTimeNanos: Effect.sync(() => BigInt(now()) * 1_000_000n),
  monotonicTimeNanosUnsafe: () => machine.monotonicTimeNanosUnsafe(),
  monotonicTimeNanos: machine.monotonicTimeNanos,
  sleep,
})

export type TurnableClock = {
  readonly clock: Clock.Clock
  readonly advance: (ms: number) => void
  /** From now on it goes on by `advance` alone, and no pause ends. */
  readonly stand: () => void
}

/** The machine's clock, ahead by the milliseconds that a test advanced it. */
export const turnableClock = (): TurnableClock => {
  let ahead = 0
  let stoodAt: number | undefined
  const whileGoing = Effect.suspend(() => (stoodAt === undefined ? Effect.void : Effect.never))
  return {
    advance: (ms) => {
      ahead += ms
    },
    stand: () => {
      stoodAt ??= machine.currentTimeMillisUnsafe()
    },
    clock: clockAt(
      () => (stoodAt ?? machine.currentTimeMillisUnsafe()) + ahead,
      (duration) => Effect.andThen(machine.sleep(duration), whileGoing),
    ),
  }
}
