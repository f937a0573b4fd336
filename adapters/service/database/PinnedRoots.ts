import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Option from 'effect/Option'
import { PinnedRoots } from '../../../domain/service/ports/PinnedRoots.ts'
import { Database } from './Database.ts'

export const PinnedRootsDatabase = Layer.effect(
  PinnedRoots,
  Effect.gen(function* () {
    const database = yield* Database

    const find = (userId: string) =>
      database
        .query((db) =>
          db.selectFrom('pinned_roots').select('root_public_key').where('user_id', '=', userId).executeTakeFirst(),
        )
        .pipe(Effect.map((row) => Option.map(Option.fromUndefinedOr(row), (pinned) => pinned.root_public_key)))

    return PinnedRoots.of({
      find,
      pin: Effect.fnUntraced(function* (userId, rootPublicKey, now) {
        yield* database.query((db) =>
          db
            .insertInto('pinned_roots')
            .values({ user_id: userId, root_public_key: rootPublicKey, pinned_at: now })
            .onConflict((conflict) => conflict.column('user_id').doNothing())
            .execute(),
        )
        return Option.contains(yield* find(userId), rootPublicKey)
      }),
      replace: (userId, rootPublicKey, now) => {
        const fresh = { root_public_key: rootPublicKey, pinned_at: now }
        return database
          .query((db) =>
            db
              .insertInto('pinned_roots')
              .values({ user_id: userId, ...fresh })
              .onConflict((conflict) => conflict.column('user_id').doUpdateSet(fresh))
              .execute(),
          )
          .pipe(Effect.asVoid)
      },
    })
  }),
)
