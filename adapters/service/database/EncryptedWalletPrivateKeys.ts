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
      put: (key) => {
        const { encryptedPrivateKey, encryptionKeyHash, biometricPublicKey, passkeyId, passwordId } = key
        const wrapped = {
          encrypted_private_key: encryptedPrivateKey,
          encryption_key_hash: encryptionKeyHash,
          biometric_public_key: biometricPublicKey,
        }
        const fresh = { id: key.id, user_id: key.userId, passkey_id: passkeyId, password_id: passwordId }
        return database
          .query((db) =>
            db
              .insertInto('encrypted_wallet_private_keys')
              .values({ ...fresh, ...wrapped, created_at: key.createdAt })
              .onConflict((conflict) =>
                conflict.column(passkeyId === null ? 'password_id' : 'passkey_id').doUpdateSet(wrapped),
              )
              .returningAll()
              .executeTakeFirstOrThrow(),
          )
          .pipe(Effect.map(toKey))
      },
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
      ofPasskey: (passkeyId) =>
        database
          .query((db) =>
            db
              .selectFrom('encrypted_wallet_private_keys')
              .selectAll()
              .where('passkey_id', '=', passkeyId)
              .executeTakeFirst(),
          )
          .pipe(Effect.map((row) => Option.map(Option.fromUndefinedOr(row), toKey))),
      removeOthers: (userId, recordId) =>
        database
          .query((db) =>
            db
              .deleteFrom('encrypted_wallet_private_keys')
              .where('user_id', '=', userId)
              .where((is) => is.fn.coalesce('passkey_id', 'password_id'), '!=', recordId)
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
  passkeyId: row.passkey_id,
  passwordId: row.password_id,
  createdAt: row.created_at,
})
