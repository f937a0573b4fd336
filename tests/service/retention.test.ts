/** That the service's upkeep deletes what is older than its settings say, in as many batches as it takes, and in which order. */
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { upkeep, type Retention } from '../../adapters/service/upkeep.ts'
import type { RunKeys } from '../../adapters/service/vault/RunKeys.ts'
import { Audit } from '../../domain/service/ports/Audit.ts'
import { Claims } from '../../domain/service/ports/Claims.ts'
import { Users } from '../../domain/service/ports/Users.ts'
import { startService, type TestService } from '../kit/service.ts'
import { rowsOf } from './rows.ts'

const day = 24 * 60 * 60_000
/** More than one batch. */
const count = 501

let service: TestService

beforeAll(async () => {
  service = await startService()
})

afterAll(() => service.stop())

const left = async () => {
  const { audits = [], users = [] } = await rowsOf(service)
  return { audits: audits.length, users: users.length }
}

/** The first round of an upkeep of its own, which is at once; it ends when the rows are as expected. */
const afterUpkeep = (retention: Retention, expected: { readonly audits: number; readonly users: number }) =>
  service.run(
    Effect.scoped(
      Effect.gen(function* () {
        yield* Layer.build(upkeep(undefined, retention))
        yield* Effect.promise(() => expect.poll(left, { timeout: 10_000 }).toEqual(expected))
      }),
    ),
  )

it('deletes audit records and unverified users after their days, and none where they are kept forever', async () => {
  await service.run(
    Effect.gen(function* () {
      const [audit, users] = [yield* Audit, yield* Users]
      const now = Date.now()
      const add = Effect.fnUntraced(function* (index: number) {
        yield* audit.record({ event: 'user.identified' })
        const identity = { kind: 'email', email: `user${index}@example.org` } as const
        yield* users.findOrCreate({ id: `user-${index}`, identity, now })
      })
      yield* Effect.forEach(Array.from({ length: count }).keys(), add, { concurrency: 8 })
    }),
  )
  service.advance(2 * day)

  await afterUpkeep({ audits: undefined, unverifiedUsers: 3 * day }, { audits: count, users: count })
  await afterUpkeep({ audits: day, unverifiedUsers: undefined }, { audits: 0, users: count })
  await afterUpkeep({ audits: undefined, unverifiedUsers: day }, { audits: 0, users: 0 })
})

it('deletes claims after the run keys of their time, and none where those cannot be destroyed', async () => {
  const done: string[] = []
  let isBroken = true
  const runKeys: RunKeys = {
    toSeal: () => new Uint8Array(32),
    toOpen: () => undefined,
    destroyOld: () => {
      done.push('run keys')
      if (isBroken) throw new Error('the disk cannot be written')
    },
  }
  const round = service.run(
    Effect.gen(function* () {
      const claims = { ...(yield* Claims), sweep: () => Effect.sync(() => void done.push('claims')) }
      const last = { ...(yield* Users), sweepUnverified: () => Effect.sync(() => (done.push('the rest'), 0)) }
      const upkeepOnce = Effect.scoped(
        Effect.andThen(
          Layer.build(upkeep(runKeys, { audits: undefined, unverifiedUsers: day })),
          Effect.promise(() => expect.poll(() => done.at(-1), { timeout: 10_000 }).toBe('the rest')),
        ),
      ).pipe(Effect.provideService(Claims, claims), Effect.provideService(Users, last))
      yield* upkeepOnce
      isBroken = false
      done.push('again')
      yield* upkeepOnce
    }),
  )
  await round

  expect(done).toEqual(['run keys', 'the rest', 'again', 'run keys', 'claims', 'the rest'])
})
