import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import type { CosignerKey } from '../../../domain/service/CosignerKey.ts'
import { CosignerKeys } from '../../../domain/service/ports/CosignerKeys.ts'
import { Database } from './Database.ts'

export const CosignerKeysDatabase = Layer.effect(
  CosignerKeys,
  Effect.gen(function* () {
    const database = yield* Database

    const first = (name: string) =>
      database.query((db) =>
        db.selectFrom('cosigner_keys').select(['public_key', 'sealed']).where('name', '=', name).executeTakeFirst(),
      )
    const later = (name: string) =>
      database.query((db) =>
        db.selectFrom('cosigner_successors').selectAll().where('name', '=', name).orderBy('active_from').execute(),
      )

    return CosignerKeys.of({
      ofName: Effect.fnUntraced(function* (name) {
        const oldest = yield* first(name)
        return oldest === undefined ? [] : [toFirst(oldest), ...(yield* later(name)).map(toKey)]
      }),
      findOrCreate: Effect.fnUntraced(function* (name, make, now) {
        const found = yield* first(name)
        if (found !== undefined) return toFirst(found)
        const made = yield* make
        yield* database.query((db) =>
          db
            .insertInto('cosigner_keys')
            .values({ name, public_key: made.publicKey, sealed: made.sealed, created_at: now })
            .onConflict((conflict) => conflict.column('name').doNothing())
            .execute(),
        )
        const stored = yield* first(name)
        return stored === undefined ? { ...made, from: 0 } : toFirst(stored)
      }),
      add: (name, { publicKey, sealed, from, replaces }, now) =>
        Effect.map(
          database.query((db) =>
            db
              .insertInto('cosigner_successors')
              .values({
                name,
                public_key: publicKey,
                sealed,
                active_from: from,
                replaces: replaces.publicKey,
                is_compromised: replaces.isCompromised,
                signature: replaces.signature,
                created_at: now,
              })
              .onConflict((conflict) => conflict.columns(['name', 'replaces']).doNothing())
              .executeTakeFirst(),
          ),
          ({ numInsertedOrUpdatedRows }) => numInsertedOrUpdatedRows === 1n,
        ),
      retire: Effect.fnUntraced(function* (name, publicKey) {
        for (const table of ['cosigner_keys', 'cosigner_successors'] as const)
          yield* database.query((db) =>
            db
              .updateTable(table)
              .set({ sealed: new Uint8Array(0) })
              .where('name', '=', name)
              .where('public_key', '=', publicKey)
              .execute(),
          )
      }),
    })
  }),
)

export type FirstKeyRow = { readonly public_key: string; readonly sealed: Uint8Array }

export const toFirst = (row: FirstKeyRow): CosignerKey => ({
  publicKey: row.public_key,
  sealed: row.sealed,
  from: 0,
})

export type LaterKeyRow = FirstKeyRow & {
  readonly active_from: number
  readonly replaces: string
  readonly is_compromised: boolean
  readonly signature: string
}

export const toKey = (row: LaterKeyRow): CosignerKey => ({
  publicKey: row.public_key,
  sealed: row.sealed,
  from: row.active_from,
  replaces: { publicKey: row.replaces, isCompromised: row.is_compromised, signature: row.signature },
})
