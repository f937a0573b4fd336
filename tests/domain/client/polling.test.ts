import * as Effect from 'effect/Effect'
import * as Fiber from 'effect/Fiber'
import * as Layer from 'effect/Layer'
import * as Logger from 'effect/Logger'
import * as Option from 'effect/Option'
import * as TestClock from 'effect/testing/TestClock'
import { describe, expect, it } from 'vitest'
import { patient, pollUntil } from '../../../domain/client/polling.ts'
import { pollIntervalMs } from '../../../domain/model/Limits.ts'
import { clocked } from '../../kit/hostStage.ts'

const late = () => 'late' as const
const limits = { every: pollIntervalMs, within: '30 seconds', onTimeout: late } as const

describe('polling', () => {
  it('asks at once, and then every 2 s, until there is an answer', async () => {
    let asked = 0
    const third = Effect.sync(() => (++asked === 3 ? Option.some('ready') : Option.none<string>()))

    await clocked(
      Layer.empty,
      Effect.gen(function* () {
        const fiber = yield* Effect.forkChild(pollUntil(third, limits))
        yield* TestClock.adjust(0)
        expect(asked).toBe(1)
        yield* TestClock.adjust(1_999)
        expect(asked).toBe(1)
        yield* TestClock.adjust(1)
        expect(asked).toBe(2)
        yield* TestClock.adjust(2_000)
        expect(yield* Fiber.join(fiber)).toBe('ready')
        yield* TestClock.adjust(60_000)
        expect(asked).toBe(3)
      }),
    )
  })

  it('ends with its caller’s error when the time runs out', async () => {
    await clocked(
      Layer.empty,
      Effect.gen(function* () {
        const fiber = yield* Effect.forkChild(Effect.flip(pollUntil(Effect.succeed(Option.none()), limits)))
        yield* TestClock.adjust(29_999)
        expect(fiber.pollUnsafe()).toBeUndefined()
        yield* TestClock.adjust(1)
        expect(yield* Fiber.join(fiber)).toBe('late')
      }),
    )
  })

  it('stops when it loses a race', async () => {
    let asked = 0
    const never = Effect.sync(() => (asked++, Option.none()))
    const closed = Effect.delay(Effect.fail('closed'), '5 seconds')

    await clocked(
      Layer.empty,
      Effect.gen(function* () {
        const fiber = yield* Effect.forkChild(Effect.flip(Effect.raceFirst(pollUntil(never, limits), closed)))
        yield* TestClock.adjust(5_000)
        expect(yield* Fiber.join(fiber)).toBe('closed')
        yield* TestClock.adjust(60_000)
        expect(asked).toBe(3)
      }),
    )
  })

  it('logs what fails and goes on', async () => {
    const logs: unknown[] = []
    let asked = 0
    const ask = Effect.suspend(() => {
      asked += 1
      return asked < 3 ? Effect.fail(`failure ${asked}`) : Effect.succeed(Option.some(asked))
    })

    await clocked(
      Logger.layer([Logger.make(({ message }) => void logs.push(message))]),
      Effect.gen(function* () {
        const fiber = yield* Effect.forkChild(pollUntil(patient(ask), limits))
        yield* TestClock.adjust(4_000)
        expect(yield* Fiber.join(fiber)).toBe(3)
        expect(logs.flat()).toEqual(['a poll failed', 'failure 1', 'a poll failed', 'failure 2'])
      }),
    )
  })
})
