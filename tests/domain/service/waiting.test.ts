import * as Deferred from 'effect/Deferred'
import * as Clock from 'effect/Clock'
import * as Effect from 'effect/Effect'
import * as Fiber from 'effect/Fiber'
import * as Layer from 'effect/Layer'
import * as TestClock from 'effect/testing/TestClock'
import { describe, expect, it } from 'vitest'
import { notificationsOfProcess } from '../../../adapters/service/database/Notifications.ts'
import { WaitsNode } from '../../../adapters/service/node/Waits.ts'
import { Caller } from '../../../domain/service/Caller.ts'
import { Notifications } from '../../../domain/service/ports/Notifications.ts'
import { waitFor, waitingLimits, type Wait } from '../../../domain/service/waiting.ts'
import { memoryDatabase } from '../../simulation/rows/memoryDatabase.ts'

type World = {
  /** What is stored. */
  state: string
  looks: number
}

type Who = {
  readonly session?: string
  readonly network?: string
  readonly waitSeconds?: number
  readonly left?: Effect.Effect<void>
}

const topic = 'session/1'

/** Looks at the state, and counts that it did. */
const look = (world: World) =>
  Effect.sync(() => {
    world.looks += 1
    return world.state
  })

const isNew: Wait<string> = { topic, hasNews: (state) => state !== 'old' }

const waiting = <A, E, R>(
  ask: Effect.Effect<A, E, R>,
  wait: Wait<A>,
  { session, network = '', waitSeconds = 20, left = Effect.never }: Who = {},
) =>
  waitFor(ask, wait).pipe(
    Effect.provideService(Caller, {
      waitSeconds,
      network,
      left,
      ...(session === undefined ? {} : { session: { id: session } }),
    } as Caller),
    Effect.flatMap((answer) => Effect.map(Clock.currentTimeMillis, (ms) => ({ answer, ms }))),
  )

const publish = (world: World, state: string) =>
  Effect.andThen(
    Effect.sync(() => void (world.state = state)),
    Effect.flatMap(Notifications, (notifications) => notifications.publish(topic)),
  )

/** With a world of its own, at the time 0. `isAlone`: no other process writes the database. */
const run = <A, E>(
  play: (world: World) => Effect.Effect<A, E, Notifications | Layer.Success<typeof WaitsNode>>,
  { isAlone = true } = {},
) =>
  Effect.runPromise(
    play({ state: 'old', looks: 0 }).pipe(
      Effect.provide([
        notificationsOfProcess({ isAlone }).pipe(Layer.provide(memoryDatabase())),
        WaitsNode,
        TestClock.layer(),
      ]),
    ),
  )

describe('a polled call', () => {
  it('answers at once where the caller did not ask it to wait', () =>
    run((world) =>
      Effect.gen(function* () {
        expect(yield* waiting(look(world), isNew, { waitSeconds: 0 })).toEqual({ answer: 'old', ms: 0 })
      }),
    ))

  it('answers at once where there is news already', () =>
    run((world) =>
      Effect.gen(function* () {
        world.state = 'new'
        expect(yield* waiting(look(world), isNew)).toEqual({ answer: 'new', ms: 0 })
        expect(world.looks).toBe(1)
      }),
    ))

  it('looks once, sleeps, and answers as soon as the change is published', () =>
    run((world) =>
      Effect.gen(function* () {
        const fiber = yield* Effect.forkChild(waiting(look(world), isNew))
        yield* TestClock.adjust('7 seconds')
        expect(world.looks).toBe(1)

        yield* publish(world, 'new')
        expect(yield* Fiber.join(fiber)).toEqual({ answer: 'new', ms: 7_000 })
        expect(world.looks).toBe(2)
      }),
    ))

  it('goes on waiting after a notification that is no news', () =>
    run((world) =>
      Effect.gen(function* () {
        const fiber = yield* Effect.forkChild(waiting(look(world), isNew))
        yield* TestClock.adjust('1 second')
        yield* publish(world, 'old')
        yield* TestClock.adjust('1 second')
        yield* publish(world, 'new')

        expect(yield* Fiber.join(fiber)).toEqual({ answer: 'new', ms: 2_000 })
      }),
    ))

  it('misses no change that happens while it looks', () =>
    run((world) =>
      Effect.gen(function* () {
        const [looking, seen] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        const slowly = Effect.tap(look(world), () =>
          Effect.andThen(Deferred.succeed(looking, undefined), Deferred.await(seen)),
        )
        const fiber = yield* Effect.forkChild(waiting(slowly, isNew))
        yield* Deferred.await(looking)
        yield* publish(world, 'new')
        yield* Deferred.succeed(seen, undefined)

        expect(yield* Fiber.join(fiber)).toEqual({ answer: 'new', ms: 0 })
      }),
    ))

  it('looks once more when the time is up', () =>
    run((world) =>
      Effect.gen(function* () {
        const fiber = yield* Effect.forkChild(waiting(look(world), isNew, { waitSeconds: 2 }))
        yield* TestClock.adjust('1 second')
        world.state = 'new, and not published'
        yield* TestClock.adjust('1 second')

        expect(yield* Fiber.join(fiber)).toEqual({ answer: 'new, and not published', ms: 2_000 })
        expect(world.looks).toBe(2)
      }),
    ))

  it('waits 20 s at most, whatever the caller asks', () =>
    run((world) =>
      Effect.gen(function* () {
        const fiber = yield* Effect.forkChild(waiting(look(world), isNew, { waitSeconds: 3_600 }))
        yield* TestClock.adjust('1 hour')

        expect((yield* Fiber.join(fiber)).answer).toBe('old')
        expect(world.looks).toBe(2)
      }),
    ))

  it('looks when time alone makes another answer', () =>
    run((world) =>
      Effect.gen(function* () {
        const ask = Effect.andThen(look(world), Clock.currentTimeMillis)
        const fiber = yield* Effect.forkChild(
          waiting(ask, { topic, hasNews: (now) => now >= 3_000, changesAt: () => 3_000 }),
        )
        yield* TestClock.adjust('3 seconds')

        expect(yield* Fiber.join(fiber)).toEqual({ answer: 3_000, ms: 3_000 })
        expect(world.looks).toBe(2)
      }),
    ))

  it('looks every 2 s where other processes write and cannot be heard', () =>
    run(
      (world) =>
        Effect.gen(function* () {
          const fiber = yield* Effect.forkChild(waiting(look(world), isNew))
          yield* TestClock.adjust('5 seconds')
          expect(world.looks).toBe(3)

          world.state = 'new'
          yield* TestClock.adjust('1 second')
          expect(yield* Fiber.join(fiber)).toEqual({ answer: 'new', ms: 6_000 })
        }),
      { isAlone: false },
    ))
})

describe('calls that wait', () => {
  const wait = (world: World, count: number, who: (index: number) => Who) =>
    Effect.forEach(Array.from({ length: count }), (_, index) =>
      Effect.forkChild(waiting(look(world), isNew, who(index))),
    )
  const isWaiting = (fiber: Fiber.Fiber<unknown>) => fiber.pollUnsafe() === undefined

  it('ask twice each, at the beginning and at the end, however many there are', () =>
    run((world) =>
      Effect.gen(function* () {
        const fibers = yield* wait(world, 600, (index) => ({ session: `s${index}`, network: `10.0.0.${index % 4}` }))
        yield* TestClock.adjust('19 seconds')
        expect(fibers.filter(isWaiting)).toHaveLength(600)
        expect(world.looks).toBe(600)

        yield* TestClock.adjust('1 second')
        expect(fibers.filter(isWaiting)).toEqual([])
        expect(world.looks).toBe(1_200)
      }),
    ))

  it.each([
    ['of one session', waitingLimits.session, (index: number) => ({ session: 'one', network: `ip${index}` })],
    ['of one network', waitingLimits.network, (index: number) => ({ session: `s${index}`, network: 'one' })],
    ['without a session', waitingLimits.network, () => ({ network: 'one' })],
    ['of the process', waitingLimits.process, (index: number) => ({ session: `s${index}`, network: `ip${index}` })],
  ])('%s are answered at once where there are too many, until others end', (_, most, who) =>
    run((world) =>
      Effect.gen(function* () {
        const fibers = yield* wait(world, most + 1, who)
        yield* TestClock.adjust('1 second')
        expect(fibers.filter(isWaiting)).toHaveLength(most)
        expect(fibers.at(-1)?.pollUnsafe()).toBeDefined()

        yield* TestClock.adjust('19 seconds')
        const [again] = yield* wait(world, 1, who)
        yield* TestClock.adjust('1 second')
        expect(again?.pollUnsafe()).toBeUndefined()
      }),
    ),
  )

  it('give their places to others as soon as their clients are gone', () =>
    run((world) =>
      Effect.gen(function* () {
        const gone = yield* Deferred.make<void>()
        const leaving = yield* wait(world, waitingLimits.session, () => ({
          session: 'one',
          left: Deferred.await(gone),
        }))
        yield* TestClock.adjust('1 second')
        expect(leaving.filter(isWaiting)).toHaveLength(waitingLimits.session)

        yield* Deferred.succeed(gone, undefined)
        yield* TestClock.adjust('1 second')
        expect(leaving.filter(isWaiting)).toEqual([])
        const others = yield* wait(world, waitingLimits.session, () => ({ session: 'one' }))
        yield* TestClock.adjust('1 second')
        expect(others.filter(isWaiting)).toHaveLength(waitingLimits.session)
      }),
    ))
})
