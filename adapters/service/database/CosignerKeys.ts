import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import { CosignerKeys } from '../../../domain/service/ports/CosignerKeys.ts'
import { Database } from './Database.ts'

export const CosignerKeysDatabase = Layer.effect(
  CosignerKeys,
  Effect.gen(function* () {
    const database = yield* Database

    const find = (name: string) =>
      database.query((db) =>
        db.selectFrom('cosigner_keys').select(['public_key', 'sealed']).where('name', '=', name).executeTakeFirst(),
      )

    return CosignerKeys.of({
      findOrCreate: Effect.fnUntraced(function* (name, make, now) {
        const found = yield* find(name)
        if (found !== undefined) return { publicKey: found.public_key, sealed: found.sealed }
        const made = yield* make
        yield* database.query((db) =>
          db
            .insertInto('cosigner_keys')
            .values({ name, public_key: made.publicKey, sealed: made.sealed, created_at: now })
            .onConflict((conflict) => conflict.column('name').doNothing())
            .execute(),
        )
        const stored = yield* find(name)
        return stored === undefined ? made : { publicKey: stored.public_key, sealed: stored.sealed }
      }),
    })
  }),
)
