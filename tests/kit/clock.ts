import * as Clock from 'effect/Clock'
import * as Duration from 'effect/Duration'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'

/** The machine's clock, as many milliseconds further as it was turned. Sleeping goes by the machine's own. */
export const turnableClock = (): { readonly clock: Clock.Clock; readonly advance: (ms: number) => void } => {
  const machine = Effect.runSync(Clock.Clock)
  let ahead = 0
  const now = () => machine.currentTimeMillisUnsafe() + ahead
  const nanos = () => machine.currentTimeNanosUnsafe() + BigInt(ahead) * 1_000_000n
  return {
    advance: (ms) => {
      ahead += ms
    },
    clock: {
      sleep: (duration) => machine.sleep(duration),
      monotonicTimeNanosUnsafe: () => machine.monotonicTimeNanosUnsafe(),
      monotonicTimeNanos: machine.monotonicTimeNanos,
      currentTimeMillisUnsafe: now,
      currentTimeMillis: Effect.sync(now),
      currentTimeNanosUnsafe: nanos,
      currentTimeNanos: Effect.sync(nanos),
    },
  }
}

/**
 * The machine's clock, on which pauses of 1 s and 2 s, those between two looks, pass in a tenth of their time: a world that
 * answers at once has nothing to be waited for. How long the pauses are is held on the test clock (polling, login, opener).
 */
export const hastyLooks = Layer.effect(
  Clock.Clock,
  Effect.map(Clock.Clock, (machine): Clock.Clock => ({
    sleep: (duration) => {
      const ms = Duration.toMillis(duration)
      return machine.sleep(ms === 1_000 || ms === 2_000 ? Duration.millis(ms / 10) : duration)
    },
    monotonicTimeNanosUnsafe: () => machine.monotonicTimeNanosUnsafe(),
    monotonicTimeNanos: machine.monotonicTimeNanos,
    currentTimeMillisUnsafe: () => machine.currentTimeMillisUnsafe(),
    currentTimeMillis: machine.currentTimeMillis,
    currentTimeNanosUnsafe: () => machine.currentTimeNanosUnsafe(),
    currentTimeNanos: machine.currentTimeNanos,
  })),
)
