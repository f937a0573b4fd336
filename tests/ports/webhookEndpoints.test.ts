/** The addresses of partners' servers: whether a partner has one that is enabled, also where two change theirs at once. */
import { randomUUID } from 'node:crypto'
import * as Deferred from 'effect/Deferred'
import * as Effect from 'effect/Effect'
import * as Fiber from 'effect/Fiber'
import * as Layer from 'effect/Layer'
import * as ManagedRuntime from 'effect/ManagedRuntime'
import * as Option from 'effect/Option'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Database } from '../../adapters/service/database/Database.ts'
import { PartnersDatabase } from '../../adapters/service/database/Partners.ts'
import { WebhookEndpointsDatabase } from '../../adapters/service/database/WebhookEndpoints.ts'
import { Partners } from '../../domain/service/ports/Partners.ts'
import { Transaction } from '../../domain/service/ports/Transaction.ts'
import { WebhookEndpoints } from '../../domain/service/ports/WebhookEndpoints.ts'
import { onUsualDatabase } from '../kit/database.ts'
import { shopSettings } from '../kit/shop.ts'

onUsualDatabase((makeDatabase, name) => {
  const layers = () =>
    Layer.mergeAll(PartnersDatabase, WebhookEndpointsDatabase).pipe(Layer.provideMerge(makeDatabase()))
  let runtime: ManagedRuntime.ManagedRuntime<Layer.Success<ReturnType<typeof layers>>, never>
  beforeAll(() => {
    runtime = ManagedRuntime.make(layers())
  })
  afterAll(() => runtime.dispose())

  const newPartner = async () => {
    const id = randomUUID()
    await runtime.runPromise(
      Effect.flatMap(Partners, ({ create }) =>
        create({ ...shopSettings, id, origins: ['https://a', 'https://b'] }, 1_000),
      ),
    )
    return id
  }
  const newEndpoint = async (partnerId: string, disabledAt: number | null) => {
    const id = randomUUID()
    const endpoint = { id, partnerId, url: 'https://shop.example/hooks', secretNumber: 1, createdAt: 1_000, disabledAt }
    const secrets = { sealedSecret: new Uint8Array(8), sealedOldSecret: null, oldSecretUntil: null }
    await runtime.runPromise(Effect.flatMap(WebhookEndpoints, ({ create }) => create({ ...endpoint, ...secrets })))
    return id
  }
  const setDisabled = (id: string, at: number | null) =>
    Effect.flatMap(WebhookEndpoints, (endpoints) => endpoints.setDisabled(id, at))
  /** As the database has it now. */
  const isTold = async (partnerId: string) => {
    const found = await runtime.runPromise(
      Effect.flatMap(Transaction, ({ atomically }) =>
        atomically(Effect.flatMap(Partners, ({ lock }) => lock(partnerId))),
      ),
    )
    return Option.getOrThrow(found).hasWebhooks === true
  }

  /** Whether a session of the database waits for another one's lock, which rows in memory do not say. */
  const isBlocked =
    name === 'PostgreSQL'
      ? Effect.flatMap(Database, ({ query }) =>
          query(async (db) => {
            const blocked = sql`select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
            return (await blocked.execute(db)).rows.length > 0
          }),
        )
      : Effect.succeed(false)

  it('make a partner one that is told, while one of them is enabled', async () => {
    const [partnerId, other] = [await newPartner(), await newPartner()]
    expect(await isTold(partnerId)).toBe(false)
    const id = await newEndpoint(partnerId, null)
    expect([await isTold(partnerId), await isTold(other)]).toEqual([true, false])
    await runtime.runPromise(setDisabled(id, 2_000))
    expect(await isTold(partnerId)).toBe(false)
    await newEndpoint(partnerId, 2_000)
    expect(await isTold(partnerId)).toBe(false)
    await runtime.runPromise(setDisabled(id, null))
    expect(await isTold(partnerId)).toBe(true)
  })

  it('leave a partner told where one is enabled while another is disabled', async () => {
    const partnerId = await newPartner()
    const [enabled, disabled] = [await newEndpoint(partnerId, null), await newEndpoint(partnerId, 2_000)]
    await runtime.runPromise(
      Effect.gen(function* () {
        const { atomically } = yield* Transaction
        const [isSet, mayCommit] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        const enabling = yield* Effect.forkChild(
          atomically(
            Effect.gen(function* () {
              yield* setDisabled(disabled, null)
              yield* Deferred.succeed(isSet, undefined)
              yield* Deferred.await(mayCommit)
            }),
          ),
        )
        yield* Deferred.await(isSet)
        const disabling = yield* Effect.forkChild(atomically(setDisabled(enabled, 3_000)))
        // The one connection of PGlite is the first's until that has committed.
        if (name !== 'PGlite')
          while (disabling.pollUnsafe() === undefined && !(yield* isBlocked)) yield* Effect.sleep('5 millis')
        yield* Deferred.succeed(mayCommit, undefined)
        yield* Fiber.join(enabling)
        yield* Fiber.join(disabling)
      }),
    )

    expect(await isTold(partnerId)).toBe(true)
  })
})
