import * as Clock from 'effect/Clock'
import * as Effect from 'effect/Effect'

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
