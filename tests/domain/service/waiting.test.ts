import * as Effect from 'effect/Effect'
import * as Fiber from 'effect/Fiber'
import * as TestClock from 'effect/testing/TestClock'
import { describe, expect, it } from 'vitest'
import { Caller } from '../../../domain/service/Caller.ts'
import { waitFor } from '../../../domain/service/waiting.ts'

/** The n-th answer is n; news is whatever is at least `news`. Counted in asks and in milliseconds until the answer. */
const asking = (waitSeconds: number, news: number) =>
  Effect.runPromise(
    Effect.gen(function* () {
      let asks = 0
      const fiber = yield* Effect.forkChild(
        waitFor(
          Effect.sync(() => ++asks),
          (answer) => answer >= news,
        ).pipe(Effect.provideService(Caller, { waitSeconds } as Caller)),
      )
      let ms = 0
      for (; fiber.pollUnsafe() === undefined && ms < 60_000; ms += 100) yield* TestClock.adjust(100)
      return { answer: yield* Fiber.join(fiber), ms }
    }).pipe(Effect.provide(TestClock.layer())),
  )

describe('a polled call', () => {
  it('answers at once where the caller did not ask it to wait', async () => {
    expect((await asking(0, 5)).answer).toBe(1)
  })

  it('answers at once where the state changed already', async () => {
    expect((await asking(20, 1)).answer).toBe(1)
  })

  it('answers as soon as the state changes', async () => {
    const { answer, ms } = await asking(20, 5)

    expect(answer).toBe(5)
    expect(ms).toBeLessThanOrEqual(600)
  })

  it('answers with the current state when the time is up', async () => {
    const { answer, ms } = await asking(2, 1_000)

    expect(answer).toBe(21)
    expect(ms).toBeLessThanOrEqual(2_200)
  })

  it('waits 20 s at most, whatever the caller asks', async () => {
    const { ms } = await asking(3_600, 100_000)

    expect(ms).toBeLessThanOrEqual(20_200)
  })
})
