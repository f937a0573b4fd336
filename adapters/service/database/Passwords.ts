import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Option from 'effect/Option'
import type { Selectable } from 'kysely'
import { defaultKdf } from '../../../domain/crypto/PasswordKeys.ts'
import {
  StoredPassword,
  type CredentialStatus,
  type PasswordRecord,
  type PasswordCompletion,
} from '../../../domain/service/Credential.ts'
import { Passwords } from '../../../domain/service/ports/Passwords.ts'
import { reader } from '../../../domain/service/Stored.ts'
import { json, readBytes } from './columns.ts'
import { Database } from './Database.ts'
import { happened } from './happened.ts'
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
          .query((db) => db.selectFrom('passwords').selectAll().where('id', '=', id).execute())
          .pipe(Effect.map((rows) => Option.fromUndefinedOr(read(rows)[0]))),
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
          .pipe(Effect.map(read)),
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

const readCompletion = reader('passwords.completion', StoredPassword)

type Row = Selectable<IdentityTables['passwords']>

/**
 * Where there is no record, the work of reading one is done all the same: a caller who asks about an address or a record
 * could otherwise see by the time whether there is one.
 */
const read = (rows: readonly Row[]): readonly PasswordRecord[] => {
  const records = rows.map(toPassword)
  if (records.length === 0) toPassword(absentRow())
  return records
}

const toPassword = (row: Row): PasswordRecord => ({
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

/** A row that belongs to nobody, as the driver makes it of a server's text. */
const absentRow = (): Row => ({
  id: '',
  user_id: '',
  partner_id: '',
  session_id: '',
  status: 'COMPLETE',
  salt: '',
  sealed_pepper: readBytes(absentSealed),
  sealed_verifier: readBytes(absentSealed),
  completion: JSON.parse(absentCompletion),
  created_at: 0,
  expires_at: 0,
})

/** As long as those of a record: 32 bytes sealed, and a wrapped private key of RSA-2048. */
const absentSealed = `\\x${'00'.repeat(129)}`

const absentCompletion = json({
  rootPublicKey: '0'.repeat(64),
  wrappedRootKey: '0'.repeat(128),
  rootSignature: '0'.repeat(128),
  sigDerivedPublicKey: '0'.repeat(700),
  salt: '0'.repeat(32),
  kdf: defaultKdf,
  encryptedWalletPrivateKey: '0'.repeat(1_700),
  encryptionKeyHash: '0'.repeat(64),
} satisfies typeof StoredPassword.Type)
