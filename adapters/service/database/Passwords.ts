import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Option from 'effect/Option'
import type { Selectable } from 'kysely'
import {
  StoredPassword,
  type CredentialStatus,
  type PasswordRecord,
  type PasswordCompletion,
} from '../../../domain/service/Credential.ts'
import { Passwords } from '../../../domain/service/ports/Passwords.ts'
import { reader } from '../../../domain/service/Stored.ts'
import { json } from './columns.ts'
import { Database } from './Database.ts'
import type { IdentityTables } from './IdentityTables.ts'

export const PasswordsDatabase = Layer.effect(
  Passwords,
  Effect.gen(function* () {
    const database = yield* Database

    const remove = (sessionId: string, states: readonly CredentialStatus[]) =>
      database
        .query((db) =>
          db.deleteFrom('passwords').where('session_id', '=', sessionId).where('status', 'in', states).execute(),
        )
        .pipe(Effect.asVoid)

    const fill = (id: string, status: 'COMPLETE' | 'STAGED', { sealedVerifier, ...completion }: PasswordCompletion) =>
      database
        .query((db) =>
          db
            .updateTable('passwords')
            .set({
              status,
              salt: completion.salt,
              completion: json(completion satisfies typeof StoredPassword.Type),
              sealed_verifier: sealedVerifier,
            })
            .where('id', '=', id)
            .where('status', '=', 'PENDING')
            .returning('id')
            .executeTakeFirst(),
        )
        .pipe(Effect.map(happened))

    return Passwords.of({
      removeUnfinished: (sessionId) => remove(sessionId, ['PENDING', 'STAGED']),
      create: Effect.fnUntraced(function* ({ id, userId, partnerId, sessionId, salt, sealedPepper, expiresAt, now }) {
        yield* remove(sessionId, ['PENDING'])
        yield* database.query((db) =>
          db
            .insertInto('passwords')
            .values({
              id,
              user_id: userId,
              partner_id: partnerId,
              session_id: sessionId,
              status: 'PENDING',
              salt,
              sealed_pepper: sealedPepper,
              completion: null,
              sealed_verifier: null,
              created_at: now,
              expires_at: expiresAt,
            })
            .execute(),
        )
      }),
      find: (id) =>
        database
          .query((db) => db.selectFrom('passwords').selectAll().where('id', '=', id).executeTakeFirst())
          .pipe(Effect.map((row) => Option.map(Option.fromUndefinedOr(row), toPassword))),
      ofUser: (userId) =>
        database
          .query((db) =>
            db
              .selectFrom('passwords')
              .selectAll()
              .where('user_id', '=', userId)
              .where('status', '=', 'COMPLETE')
              .orderBy('created_at')
              .orderBy('id')
              .execute(),
          )
          .pipe(Effect.map((rows) => rows.map(toPassword))),
      complete: (id, completion) => fill(id, 'COMPLETE', completion),
      stage: (id, completion) => fill(id, 'STAGED', completion),
      release: (id) =>
        database
          .query((db) =>
            db
              .updateTable('passwords')
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
              .updateTable('passwords')
              .set({ status: 'REVOKED', completion: null, sealed_verifier: null, sealed_pepper: new Uint8Array(0) })
              .where('user_id', '=', userId)
              .where('id', '!=', id)
              .execute(),
          )
          .pipe(Effect.asVoid),
    })
  }),
)

const happened = (row: unknown): boolean => row !== undefined

const readCompletion = reader('passwords.completion', StoredPassword)

const toPassword = (row: Selectable<IdentityTables['passwords']>): PasswordRecord => ({
  id: row.id,
  userId: row.user_id,
  partnerId: row.partner_id,
  sessionId: row.session_id,
  status: row.status,
  salt: row.salt,
  sealedPepper: row.sealed_pepper,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  completion:
    row.completion === null || row.sealed_verifier === null
      ? null
      : { ...readCompletion(row.completion), sealedVerifier: row.sealed_verifier },
})
