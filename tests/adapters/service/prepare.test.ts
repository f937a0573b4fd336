/** What prepared statements do beside their queries: their values, and what is no value. */
import * as Effect from 'effect/Effect'
import { expect, it } from 'vitest'
import { Database } from '../../../adapters/service/database/Database.ts'
import { prepare } from '../../../adapters/service/database/prepare.ts'
import { memoryDatabase } from '../../simulation/rows/memoryDatabase.ts'

type Root = { readonly user_id: string; readonly root_public_key: string; readonly pinned_at: number }

const run = <A>(use: (database: Database['Service']) => Effect.Effect<A>): Promise<A> =>
  Effect.runPromise(Effect.provide(Effect.flatMap(Database, use), memoryDatabase()))

it('are built once, and take the values of each call', async () => {
  let built = 0
  const found = await run(
    Effect.fnUntraced(function* (database) {
      const insert = prepare(database, (db, row: Root) => db.insertInto('pinned_roots').values(row))
      const find = prepare(database, (db, { userId, since }: { readonly userId: string; readonly since: number }) => {
        built++
        return db
          .selectFrom('pinned_roots')
          .selectAll()
          .where('pinned_at', '>=', since)
          .where('user_id', 'in', [userId, 'always'])
      })
      yield* insert({ user_id: 'ada', root_public_key: '01', pinned_at: 1 })
      yield* insert({ user_id: 'always', root_public_key: '02', pinned_at: 2 })
      return [
        yield* find({ userId: 'ada', since: 1 }),
        yield* find({ userId: 'ada', since: 2 }),
        yield* find({ userId: 'grace', since: 0 }),
      ].map((rows) => rows.map((row) => row.root_public_key))
    }),
  )
  expect(found).toEqual([['01', '02'], ['02'], ['02']])
  expect(built).toBe(1)
})

it('refuse a value that is no parameter, and a call without a value', async () => {
  type Asked = { readonly userId: string; readonly length?: number }
  const rootOf = (database: Database['Service']) =>
    prepare(database, (db, { userId }: Asked) =>
      db.selectFrom('pinned_roots').selectAll().where('user_id', '=', userId),
    )
  await expect(run((database) => rootOf(database)({ userId: 'ada', length: 3 }))).rejects.toThrow(
    'length is no parameter',
  )

  const later = run((database) => {
    const find = rootOf(database)
    return Effect.andThen(find({ userId: 'ada' }), find({} as Asked))
  })
  await expect(later).rejects.toThrow('no value for userId')
})
