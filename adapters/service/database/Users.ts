import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Option from 'effect/Option'
import type { Selectable } from 'kysely'
import * as Identity from '../../../domain/model/Identity.ts'
import { Users } from '../../../domain/service/ports/Users.ts'
import { StoredIdentity, type UserRecord } from '../../../domain/service/User.ts'
import { reader } from '../../../domain/service/Stored.ts'
import { json } from './columns.ts'
import { Database } from './Database.ts'
import type { IdentityTables } from './IdentityTables.ts'

export const UsersDatabase = Layer.effect(
  Users,
  Effect.gen(function* () {
    const database = yield* Database

    const findByIdentity = (identity: Identity.Identity) => {
      const normalized = Identity.normalized(identity)
      return database
        .query((db) =>
          db
            .selectFrom('users')
            .selectAll()
            .where('identity_kind', '=', normalized.kind)
            .where('identity_value', '=', Identity.value(normalized))
            .executeTakeFirst(),
        )
        .pipe(Effect.map(toUser))
    }

    return Users.of({
      findByIdentity,
      find: (id) =>
        database
          .query((db) => db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst())
          .pipe(Effect.map(toUser)),
      lock: (id) =>
        database
          .query((db) => db.selectFrom('users').selectAll().where('id', '=', id).forUpdate().executeTakeFirst())
          .pipe(Effect.map(toUser)),
      findOrCreate: Effect.fnUntraced(function* ({ id, identity, now }) {
        const normalized = Identity.normalized(identity)
        yield* database.query((db) =>
          db
            .insertInto('users')
            .values({
              id,
              identity_kind: normalized.kind,
              identity_value: Identity.value(normalized),
              identity: json(normalized),
              has_credential: false,
              root_public_key: null,
              created_at: now,
              recovered_at: null,
            })
            .onConflict((conflict) => conflict.columns(['identity_kind', 'identity_value']).doNothing())
            .execute(),
        )
        return Option.getOrThrow(yield* findByIdentity(normalized))
      }),
      setFirstCredential: (id, rootPublicKey) =>
        database
          .query((db) =>
            db
              .updateTable('users')
              .set({ has_credential: true, root_public_key: rootPublicKey })
              .where('id', '=', id)
              .where('has_credential', '=', false)
              .returning('id')
              .executeTakeFirst(),
          )
          .pipe(Effect.map((row) => row !== undefined)),
      setRecovered: (id, rootPublicKey, now) =>
        database
          .query((db) =>
            db
              .updateTable('users')
              .set({ has_credential: true, root_public_key: rootPublicKey, recovered_at: now })
              .where('id', '=', id)
              .execute(),
          )
          .pipe(Effect.asVoid),
    })
  }),
)

const readIdentity = reader('users.identity', StoredIdentity)

const toUser = (row: Selectable<IdentityTables['users']> | undefined): Option.Option<UserRecord> =>
  row === undefined
    ? Option.none()
    : Option.some({
        id: row.id,
        identity: readIdentity(row.identity),
        hasCredential: row.has_credential,
        rootPublicKey: row.root_public_key,
        createdAt: row.created_at,
        recoveredAt: row.recovered_at,
      })
