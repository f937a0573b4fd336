import * as Clock from 'effect/Clock'
import * as Deferred from 'effect/Deferred'
import * as Effect from 'effect/Effect'
import * as Fiber from 'effect/Fiber'
import * as Layer from 'effect/Layer'
import * as ManagedRuntime from 'effect/ManagedRuntime'
import * as Queue from 'effect/Queue'
import * as TestClock from 'effect/testing/TestClock'
import { afterAll, describe, expect, it } from 'vitest'
import { ReplaysDatabase } from '../../../adapters/service/database/Replays.ts'
import { SecureRandomNode } from '../../../adapters/service/node/SecureRandom.ts'
import { WaitsNode } from '../../../adapters/service/node/Waits.ts'
import { VaultOf } from '../../../adapters/service/vault/Vault.ts'
import { Caller } from '../../../domain/service/Caller.ts'
import {
  IdempotencyKeyReused,
  idempotencyLimits,
  once,
  RequestStillRunning,
  type Repeatable,
} from '../../../domain/service/idempotency.ts'
import { Replays } from '../../../domain/service/ports/Replays.ts'
import { onUsualDatabase } from '../../kit/database.ts'
import { vaultKeysIn } from '../../kit/rings.ts'

const hourMs = 60 * 60_000

const caller = (userId: string): Caller => ({
  partner: undefined,
  apiKey: false,
  secretKey: false,
  session: undefined,
  portal: { openingId: userId } as Caller['portal'],
  recovery: undefined,
  token: undefined,
  origin: undefined,
  device: false,
  idempotencyKey: undefined,
  waitSeconds: 0,
  left: Effect.never,
  network: '',
})

onUsualDatabase((makeDatabase) => {
  const runtime = ManagedRuntime.make(
    Layer.mergeAll(ReplaysDatabase, SecureRandomNode, WaitsNode, VaultOf(vaultKeysIn(''))).pipe(
      Layer.provideMerge(makeDatabase()),
      Layer.provideMerge(TestClock.layer()),
    ),
  )
  afterAll(() => runtime.dispose())

  let made = 0
  const make = Effect.sync(() => `made ${++made}`)
  const request = (key: string, change: Partial<Repeatable> = {}): Repeatable => ({
    operation: 'createWallet',
    key,
    request: ['POST', '/wallets', '{}'],
    ...change,
  })
  const ask = <E = never>(repeatable: Repeatable, flow: Effect.Effect<string, E> = make, who = 'ada') =>
    once(repeatable, flow).pipe(Effect.provideService(Caller, caller(who)))
  const run = runtime.runPromise
  const turn = (ms: number) => run(TestClock.adjust(ms))

  /** Tells of every look of a request at what stands under its key. */
  const telling = (looked: Queue.Queue<void>) =>
    Effect.updateService(Replays, (replays) => ({
      ...replays,
      begin: (...asked) => Effect.tap(replays.begin(...asked), () => Queue.offer(looked, undefined)),
    }))

  describe('a repeated request', () => {
    it('has one effect and the same answer', async () => {
      const first = await run(ask(request('a')))

      expect(await run(ask(request('a')))).toBe(first)
      expect(await run(ask(request('b')))).not.toBe(first)
      expect(await run(ask(request('a', { operation: 'createUser' })))).not.toBe(first)
      expect(await run(ask(request('a'), make, 'eve'))).not.toBe(first)
    })

    it('with another body is refused', async () => {
      await run(ask(request('c')))

      const refusal = await run(Effect.flip(ask(request('c', { request: ['POST', '/wallets', '{"type":"EVM"}'] }))))
      expect(refusal).toEqual(new IdempotencyKeyReused())
    })

    it('is executed again after a refusal, which changed nothing', async () => {
      expect(await run(Effect.flip(ask(request('d'), Effect.fail('no'))))).toBe('no')

      expect(await run(ask(request('d')))).toMatch(/^made/)
    })

    it('counts as new after a day', async () => {
      const first = await run(ask(request('e')))
      await turn(idempotencyLimits.keep - 1)
      expect(await run(ask(request('e')))).toBe(first)

      await turn(1)
      expect(await run(ask(request('e')))).not.toBe(first)
    })

    it('that arrives while the first one runs waits for its answer', async () => {
      const both = await run(
        Effect.gen(function* () {
          const [gate, started, looked] = [
            yield* Deferred.make<string>(),
            yield* Deferred.make<void>(),
            yield* Queue.make<void>(),
          ]
          const flow = Effect.andThen(Deferred.succeed(started, undefined), Deferred.await(gate))
          const first = yield* Effect.forkChild(ask(request('f'), flow))
          yield* Deferred.await(started)
          const second = yield* Effect.forkChild(telling(looked)(ask(request('f'))))
          yield* Queue.take(looked)
          yield* Deferred.succeed(gate, 'of the first')
          const answer = yield* Fiber.join(first)
          return [answer, yield* Fiber.join(second)]
        }),
      )

      expect(both).toEqual(['of the first', 'of the first'])
    })

    it('is refused with a time to retry when the first one takes too long, and is executed when the first one’s lease is over', async () => {
      const refused = await run(
        Effect.gen(function* () {
          const [started, looked] = [yield* Deferred.make<void>(), yield* Queue.make<void>()]
          yield* Effect.forkDetach(
            ask(request('g'), Effect.andThen(Deferred.succeed(started, undefined), Effect.never)),
          )
          yield* Deferred.await(started)
          const waiting = yield* Effect.forkChild(telling(looked)(Effect.flip(ask(request('g')))))
          yield* Queue.take(looked)
          yield* TestClock.adjust(idempotencyLimits.patience)
          yield* Queue.take(looked)
          return yield* Fiber.join(waiting)
        }),
      )
      expect(refused).toEqual(new RequestStillRunning({ retryAfterMs: 1_000 }))

      await turn(idempotencyLimits.lease)
      expect(await run(ask(request('g')))).toMatch(/^made/)
    })

    it('is executed where the clock was an hour ahead when the first one began, which gave no answer', async () => {
      const now = await run(Clock.currentTimeMillis)
      await turn(hourMs)
      const begun = await run(Deferred.make<void>())
      await run(Effect.forkDetach(ask(request('h'), Effect.andThen(Deferred.succeed(begun, undefined), Effect.never))))
      await run(Deferred.await(begun))
      await run(TestClock.setTime(now))
      const second = Effect.gen(function* () {
        const looked = yield* Queue.make<void>()
        const asking = yield* Effect.forkChild(telling(looked)(ask(request('h'))))
        yield* Queue.take(looked)
        yield* TestClock.adjust(idempotencyLimits.patience)
        return yield* Fiber.join(asking)
      })

      expect(await run(second)).toMatch(/^made/)
    })
  })
})
