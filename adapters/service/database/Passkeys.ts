import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Option from 'effect/Option'
import type { Selectable } from 'kysely'
import {
  StoredPasskey,
  type CredentialStatus,
  type PasskeyRecord,
  type PasskeyCompletion,
} from '../../../domain/service/Credential.ts'
import { Passkeys } from '../../../domain/service/ports/Passkeys.ts'
import { reader } from '../../../domain/service/Stored.ts'
import { json } from './columns.ts'
import { Database } from './Database.ts'
import { happened } from './happened.ts'
import type { IdentityTables } from './IdentityTables.ts'

export const PasskeysDatabase = Layer.effect(
  Passkeys,
  Effect.gen(function* () {
    const database = yield* Database

    const remove = (sessionId: string, states: readonly CredentialStatus[]) =>
      database
        .query((db) =>
          db.deleteFrom('passkeys').where('session_id', '=', sessionId).where('status', 'in', states).execute(),
        )
        .pipe(Effect.asVoid)

    const fill = Effect.fnUntraced(function* (
      id: string,
      status: 'COMPLETE' | 'STAGED',
      { credentialId, authenticatorKey, counter, ...completion }: PasskeyCompletion,
    ) {
      const taken = yield* database.query((db) =>
        db.selectFrom('passkeys').select('id').where('credential_id', '=', credentialId).executeTakeFirst(),
      )
      if (taken !== undefined) return false
      const row = yield* database.query((db) =>
        db
          .updateTable('passkeys')
          .set({
            status,
            credential_id: credentialId,
            authenticator_key: authenticatorKey,
            counter,
            completion: json(completion satisfies typeof StoredPasskey.Type),
          })
          .where('id', '=', id)
          .where('status', '=', 'PENDING')
          .returning('id')
          .executeTakeFirst(),
      )
      return happened(row)
    })

    return Passkeys.of({
      removeUnfinished: (sessionId) => remove(sessionId, ['PENDING', 'STAGED']),
      create: Effect.fnUntraced(function* ({ id, userId, partnerId, sessionId, type, expiresAt, now }) {
        yield* remove(sessionId, ['PENDING'])
        yield* database.query((db) =>
          db
            .insertInto('passkeys')
            .values({
              id,
              user_id: userId,
              partner_id: partnerId,
              session_id: sessionId,
              type,
              status: 'PENDING',
              credential_id: null,
              authenticator_key: null,
              counter: 0,
              completion: null,
              created_at: now,
              expires_at: expiresAt,
            })
            .execute(),
        )
      }),
      find: (id) =>
        database
          .query((db) => db.selectFrom('passkeys').selectAll().where('id', '=', id).executeTakeFirst())
          .pipe(Effect.map((row) => Option.map(Option.fromUndefinedOr(row), toPasskey))),
      findByCredentialId: (credentialId) =>
        database
          .query((db) =>
            db.selectFrom('passkeys').selectAll().where('credential_id', '=', credentialId).executeTakeFirst(),
          )
          .pipe(Effect.map((row) => Option.map(Option.fromUndefinedOr(row), toPasskey))),
      ofUser: (userId) =>
        database
          .query((db) =>
            db
              .selectFrom('passkeys')
              .selectAll()
              .where('user_id', '=', userId)
              .orderBy('created_at')
              .orderBy('id')
              .execute(),
          )
          .pipe(Effect.map((rows) => rows.map(toPasskey))),
      complete: (id, completion) => fill(id, 'COMPLETE', completion),
      stage: (id, completion) => fill(id, 'STAGED', completion),
      release: (id) =>
        database
          .query((db) =>
            db
              .updateTable('passkeys')
              .set({ status: 'COMPLETE' })
              .where('id', '=', id)
              .where('status', '=', 'STAGED')
              .returning('id')
              .executeTakeFirst(),
          )
          .pipe(Effect.map(happened)),
      revokeOthers: (userId, id) =>
        database
          .query((db) =>
            db
              .updateTable('passkeys')
              .set({ status: 'REVOKED', completion: null, credential_id: null, authenticator_key: null })
              .where('user_id', '=', userId)
              .where('id', '!=', id)
              .execute(),
          )
          .pipe(Effect.asVoid),
      count: (id, counter) =>
        database
          .query((db) =>
            db
              .updateTable('passkeys')
              .set({ counter })
              .where('id', '=', id)
              .where((is) =>
                is.or([is('counter', '<', counter), is.and([is('counter', '=', 0), is.val(counter === 0)])]),
              )
              .returning('id')
              .executeTakeFirst(),
          )
          .pipe(Effect.map(happened)),
    })
  }),
)

const readCompletion = reader('passkeys.completion', StoredPasskey)

const toPasskey = (row: Selectable<IdentityTables['passkeys']>): PasskeyRecord => ({
  id: row.id,
  userId: row.user_id,
  partnerId: row.partner_id,
  sessionId: row.session_id,
  type: row.type,
  status: row.status,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  completion:
    row.completion === null || row.credential_id === null || row.authenticator_key === null
      ? null
      : {
          ...readCompletion(row.completion),
          credentialId: row.credential_id,
          authenticatorKey: row.authenticator_key,
          counter: row.counter,
        },
})
