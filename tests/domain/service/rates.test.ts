import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import * as Layer from 'effect/Layer'
import * as TestClock from 'effect/testing/TestClock'
import { describe, expect, it } from 'vitest'
import { ProcessLimitsMemory } from '../../../adapters/service/node/ProcessLimits.ts'
import { ProcessLimits } from '../../../domain/service/ports/ProcessLimits.ts'
import { TooManyAttempts } from '../../../domain/service/ports/RateLimits.ts'
import { operations, type Operation } from '../../../generated/operations.ts'
import { defaultRate, defaultRates, type RateName } from '../../../domain/service/rates.ts'

const limit = { burst: 2, perMs: 1_000 }

const run = <A>(flow: Effect.Effect<A, never, ProcessLimits>, capacity?: number) =>
  Effect.runPromise(Effect.provide(flow, Layer.merge(ProcessLimitsMemory(capacity), TestClock.layer())))

/** Whether one is taken from the bucket of this key. */
const isTaken = (key: string) =>
  Effect.flatMap(ProcessLimits, (limits) => Effect.map(Effect.exit(limits.take('reads', key, limit)), Exit.isSuccess))

describe('limits in memory', () => {
  it('give a burst, then one more for each while, and say when to come again', async () => {
    const taken = await run(
      Effect.gen(function* () {
        const first = [yield* isTaken('a'), yield* isTaken('a'), yield* isTaken('a'), yield* isTaken('b')]
        yield* TestClock.adjust(400)
        const refusal = yield* Effect.flip(Effect.flatMap(ProcessLimits, ({ take }) => take('reads', 'a', limit)))
        yield* TestClock.adjust(600)
        return { first, refusal, then: [yield* isTaken('a'), yield* isTaken('a')] }
      }).pipe(Effect.orDie),
    )

    expect(taken).toEqual({
      first: [true, true, false, true],
      refusal: new TooManyAttempts({ retryAfterMs: 600 }),
      then: [true, false],
    })
  })

  it('forget those that were used least recently where there are too many', async () => {
    const taken = await run(
      Effect.gen(function* () {
        for (const key of ['a', 'a', 'b', 'b', 'a', 'c']) yield* isTaken(key)
        return [yield* isTaken('a'), yield* isTaken('b')]
      }),
      2,
    )

    expect(taken).toEqual([false, true])
  })
})

describe('the rates', () => {
  it('have a row for every class of the contract that is counted', () => {
    const classes = Object.values<Operation>(operations).map(({ rate }) => rate)
    const rows = Object.keys(defaultRates).map((name) => name.split('_')[0])

    expect([...new Set(classes)].filter((rate) => rate !== 'none' && !rows.includes(rate))).toEqual([])
  })

  it('are wider in DEV where all callers share a network, and nowhere else', () => {
    const names: readonly RateName[] = ['R1', 'R6_COOLDOWN', 'R4', 'R7']
    const burst = (environment: 'DEV' | 'PROD') => names.map((name) => defaultRate(name, environment).burst)

    expect(burst('PROD')).toEqual([100, 1, 30, 3])
    expect(burst('DEV')).toEqual([10_000, 100, 30, 3])
  })
})
