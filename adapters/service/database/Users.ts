import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Option from 'effect/Option'
import { sql, type ExpressionBuilder, type Selectable } from 'kysely'
import * as Identity from '../../../domain/model/Identity.ts'
import { Users } from '../../../domain/service/ports/Users.ts'
import { StoredIdentity, type UserRecord } from '../../../domain/service/User.ts'
import { reader } from '../../../domain/service/Stored.ts'
import { json } from './columns.ts'
import { Database } from './Database.ts'
import { erasure } from './erasure.ts'
import { happened } from './happened.ts'
import type { IdentityTables } from './IdentityTables.ts'
import type { Tables } from './Tables.ts'

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
              unverified_since: now,
              frozen_at: null,
            })
            .onConflict((conflict) =>
              conflict
                .columns(['identity_kind', 'identity_value'])
                .doUpdateSet({ unverified_since: now })
                .where('users.unverified_since', 'is not', null),
            )
            .execute(),
        )
        return Option.getOrThrow(yield* findByIdentity(normalized))
      }),
      setVerified: (id) =>
        database
          .query((db) => db.updateTable('users').set({ unverified_since: null }).where('id', '=', id).execute())
          .pipe(Effect.asVoid),
      sweepUnverified: (before, limit) =>
        database
          .query((db) =>
            db
              .deleteFrom('users')
              // Again outside of the list: one that signs up meanwhile is found changed, and stays.
              .where('unverified_since', '<', before)
              .where('has_credential', '=', false)
              .where('id', 'in', (is) =>
                is
                  .selectFrom('users')
                  .select('users.id')
                  .where('users.unverified_since', '<', before)
                  .where('users.has_credential', '=', false)
                  .where((row) => row.not(row.exists(openSessionsOf(row))))
                  .where(hasNo('wallets'))
                  .where(hasNo('passwords'))
                  .where(hasNo('passkeys'))
                  .orderBy('users.unverified_since')
                  .limit(limit),
              )
              .executeTakeFirstOrThrow(),
          )
          .pipe(Effect.map(({ numDeletedRows }) => Number(numDeletedRows))),
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
          .pipe(Effect.map(happened)),
      setFrozenAt: (id, at) =>
        database
          .query((db) => db.updateTable('users').set({ frozen_at: at }).where('id', '=', id).execute())
          .pipe(Effect.asVoid),
      erase: (id) => erasure(database, id),
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
        isFrozen: row.frozen_at !== null,
      })

const openSessionsOf = (user: ExpressionBuilder<Tables, 'users'>) =>
  user
    .selectFrom('sessions')
    .select('sessions.id')
    .whereRef('sessions.user_id', '=', 'users.id')
    .where('sessions.state', '!=', 'CLOSED')

/** Whether the table has no row of the user. */
const hasNo = (table: 'wallets' | 'passwords' | 'passkeys') =>
  sql<boolean>`not exists (select own.id from ${sql.table(table)} as own where own.user_id = users.id)`
