/** Notifications between two replicas on one PostgreSQL. The pauses of a subscriber that cannot hear never end by themselves. */
import * as Clock from 'effect/Clock'
import * as Duration from 'effect/Duration'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as ManagedRuntime from 'effect/ManagedRuntime'
import * as Redacted from 'effect/Redacted'
import { sql } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'
import { Database, TransactionDatabase } from '../../adapters/service/database/Database.ts'
import { NotificationsPostgres } from '../../adapters/service/database/Notifications.ts'
import { SecureRandomNode } from '../../adapters/service/node/SecureRandom.ts'
import { Notifications } from '../../domain/service/ports/Notifications.ts'
import { Transaction } from '../../domain/service/ports/Transaction.ts'
import { clockAt } from '../kit/clock.ts'
import { makeDatabaseUrl } from '../kit/database.ts'
import { databaseIn } from '../kit/databasePlace.ts'

const running: (() => Promise<void>)[] = []
afterEach(async () => {
  await Promise.all(running.splice(0).map((stop) => stop()))
})

const slowLookMs = 2_000

/** `listenUrl`: where it listens; '' if it does not. */
const startReplica = (url: string, listenUrl: string | undefined = url) => {
  const logged: string[] = []
  let [pauses, tries] = [0, 0]
  const machine = clockAt(Date.now)
  const clock = clockAt(Date.now, (duration) => {
    if (Duration.toMillis(duration) === slowLookMs) {
      pauses += 1
      return Effect.never
    }
    if (Duration.toMillis(duration) < slowLookMs) tries += 1
    return machine.sleep(duration)
  })
  const options =
    listenUrl === '' ? undefined : { url: Redacted.make(listenUrl), log: (line: string) => void logged.push(line) }
  const runtime = ManagedRuntime.make(
    Layer.merge(NotificationsPostgres(options), TransactionDatabase).pipe(
      Layer.provideMerge(Layer.orDie(databaseIn({ kind: 'postgres', url }))),
      Layer.provide(SecureRandomNode),
      Layer.provideMerge(Layer.succeed(Clock.Clock, clock)),
    ),
  )
  running.push(() => runtime.dispose())
  const publish = (topic: string) => Effect.flatMap(Notifications, (notifications) => notifications.publish(topic))
  return {
    logged,
    /** How often a subscriber began to wait and could not hear the others. */
    pauses: () => pauses,
    /** How often it began anew to connect, after a pause. */
    tries: () => tries,
    publish: (topic: string) => runtime.runPromise(publish(topic)),
    publishWithin: (topic: string, end: Effect.Effect<void, string>) =>
      runtime.runPromise(
        Effect.flatMap(Transaction, ({ atomically }) => Effect.ignore(atomically(Effect.andThen(publish(topic), end)))),
      ),
    /** Counts what a subscriber is told of the topic. */
    subscribe: async (topic: string) => {
      let told = 0
      const counting = Effect.gen(function* () {
        const changed = yield* (yield* Notifications).subscribe(topic)
        yield* Effect.forkScoped(
          Effect.forever(
            Effect.tap(changed, () =>
              Effect.sync(() => {
                told += 1
              }),
            ),
          ),
        )
        yield* Effect.never
      })
      runtime.runFork(Effect.scoped(counting))
      await runtime.runPromise(Effect.void)
      return () => told
    },
    /** Ends the connections on which replicas listen, as a server does that restarts. */
    cutListeners: () =>
      runtime.runPromise(
        Effect.flatMap(Database, ({ query }) =>
          query((kysely) =>
            sql`select pg_terminate_backend(pid) from pg_stat_activity
                where datname = current_database() and application_name = 'tandem listener'`.execute(kysely),
          ),
        ),
      ),
  }
}

const startTwo = async () => {
  const url = await makeDatabaseUrl()
  const [one, other] = [startReplica(url), startReplica(url)]
  const told = [await one.subscribe('a'), await other.subscribe('a')] as const
  // Once each hears, it tells all its subscribers.
  await expect.poll(() => told.map((count) => count())).toEqual([1, 1])
  return { one, other, told: () => told.map((count) => count()) }
}

describe('a notification', () => {
  it('reaches the subscribers of its topic on every replica once', async () => {
    const { one, other, told } = await startTwo()
    const elsewhere = await other.subscribe('b')

    await one.publish('a')
    await expect.poll(() => told()).toEqual([2, 2])
    await other.publish('a')
    await expect.poll(() => told()).toEqual([3, 3])

    expect(elsewhere()).toBe(0)
  })

  it('of a transaction is told when it commits, and not at all when it is rolled back', async () => {
    const { one, told } = await startTwo()
    const during: (readonly number[])[] = []
    const note = Effect.sync(() => void during.push(told()))

    await one.publishWithin('a', Effect.andThen(note, Effect.fail('rolled back')))
    await one.publishWithin('a', note)
    await expect.poll(() => told()).toEqual([2, 2])

    expect(during).toEqual([
      [1, 1],
      [1, 1],
    ])
  })
})

describe('a replica', () => {
  it('whose connection is lost is told so, and hears again when it is back', async () => {
    const { one, other, told } = await startTwo()
    await one.cutListeners()
    // Told that it cannot hear, and that it can: in between it would look every 2 s.
    await expect.poll(() => told()).toEqual([3, 3])
    expect([one.pauses(), other.pauses()]).toEqual([2, 2])

    await one.publish('a')
    await expect.poll(() => told()).toEqual([4, 4])
  })

  it('that does not listen hears itself, and looks every 2 s for the others', async () => {
    const url = await makeDatabaseUrl()
    const deaf = startReplica(url, '')
    const told = await deaf.subscribe('a')
    await expect.poll(() => deaf.pauses()).toBe(1)

    await deaf.publish('a')
    await expect.poll(() => [told(), deaf.pauses()]).toEqual([1, 2])
  })

  it('that cannot connect says so once, tries again, and looks every 2 s meanwhile', async () => {
    const url = await makeDatabaseUrl()
    const deaf = startReplica(url, Object.assign(new URL(url), { pathname: '/nowhere' }).href)
    await deaf.subscribe('a')

    await expect.poll(() => deaf.tries()).toBeGreaterThan(1)
    expect(deaf.logged).toEqual(['notifications of the database cannot be heard; waiting calls look every 2 s'])
    expect(deaf.pauses()).toBe(1)
  })
})
