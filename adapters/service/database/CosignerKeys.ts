import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Option from 'effect/Option'
import { CosignerKeys, type CosignerKeyRow } from '../../../domain/service/ports/CosignerKeys.ts'
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
      find: (name) => Effect.map(find(name), (row) => Option.map(Option.fromUndefinedOr(row), toRow)),
      findOrCreate: Effect.fnUntraced(function* (name, make, now) {
        const found = yield* find(name)
        if (found !== undefined) return toRow(found)
        const made = yield* make
        yield* database.query((db) =>
          db
            .insertInto('cosigner_keys')
            .values({ name, public_key: made.publicKey, sealed: made.sealed, created_at: now })
            .onConflict((conflict) => conflict.column('name').doNothing())
            .execute(),
        )
        const stored = yield* find(name)
        return stored === undefined ? made : toRow(stored)
      }),
    })
  }),
)

const toRow = (row: { readonly public_key: string; readonly sealed: Uint8Array }): CosignerKeyRow => ({
  publicKey: row.public_key,
  sealed: row.sealed,
})
