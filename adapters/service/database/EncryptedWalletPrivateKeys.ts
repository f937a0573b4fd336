import { createHash } from 'node:crypto'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Option from 'effect/Option'
import type { Selectable } from 'kysely'
import {
  EncryptedWalletPrivateKeys,
  type EncryptedWalletPrivateKey,
} from '../../../domain/service/ports/EncryptedWalletPrivateKeys.ts'
import { Database } from './Database.ts'
import type { WalletTables } from './WalletTables.ts'

export const EncryptedWalletPrivateKeysDatabase = Layer.effect(
  EncryptedWalletPrivateKeys,
  Effect.gen(function* () {
    const database = yield* Database
    return EncryptedWalletPrivateKeys.of({
      add: Effect.fnUntraced(function* (key) {
        const digest = createHash('sha256').update(key.encryptedPrivateKey).digest('hex')
        yield* database.query((db) =>
          db
            .insertInto('encrypted_wallet_private_keys')
            .values({
              id: key.id,
              user_id: key.userId,
              digest,
              encrypted_private_key: key.encryptedPrivateKey,
              encryption_key_hash: key.encryptionKeyHash,
              biometric_public_key: key.biometricPublicKey,
              password_id: key.passwordId,
              created_at: key.createdAt,
            })
            .onConflict((conflict) => conflict.columns(['user_id', 'digest']).doNothing())
            .execute(),
        )
        const row = yield* database.query((db) =>
          db
            .selectFrom('encrypted_wallet_private_keys')
            .selectAll()
            .where('user_id', '=', key.userId)
            .where('digest', '=', digest)
            .executeTakeFirstOrThrow(),
        )
        return toKey(row)
      }),
      ofUser: (userId) =>
        database
          .query((db) =>
            db
              .selectFrom('encrypted_wallet_private_keys')
              .selectAll()
              .where('user_id', '=', userId)
              .orderBy('created_at', 'desc')
              .orderBy('id')
              .execute(),
          )
          .pipe(Effect.map((rows) => rows.map(toKey))),
      find: ({ userId, biometricPublicKey }) =>
        database
          .query((db) =>
            db
              .selectFrom('encrypted_wallet_private_keys')
              .selectAll()
              .where('user_id', '=', userId)
              .where('biometric_public_key', '=', biometricPublicKey)
              .orderBy('created_at', 'desc')
              .executeTakeFirst(),
          )
          .pipe(Effect.map((row) => Option.map(Option.fromUndefinedOr(row), toKey))),
      removeOthers: (userId, biometricPublicKey) =>
        database
          .query((db) =>
            db
              .deleteFrom('encrypted_wallet_private_keys')
              .where('user_id', '=', userId)
              .where('biometric_public_key', 'is distinct from', biometricPublicKey ?? '')
              .execute(),
          )
          .pipe(Effect.asVoid),
    })
  }),
)

const toKey = (row: Selectable<WalletTables['encrypted_wallet_private_keys']>): EncryptedWalletPrivateKey => ({
  id: row.id,
  userId: row.user_id,
  encryptedPrivateKey: row.encrypted_private_key,
  encryptionKeyHash: row.encryption_key_hash,
  biometricPublicKey: row.biometric_public_key,
  passwordId: row.password_id,
  createdAt: row.created_at,
})
