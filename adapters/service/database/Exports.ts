import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Option from 'effect/Option'
import { Exports } from '../../../domain/service/ports/Exports.ts'
import { Database } from './Database.ts'

export const ExportsDatabase = Layer.effect(
  Exports,
  Effect.gen(function* () {
    const database = yield* Database

    return Exports.of({
      create: ({ walletId, openingId, recipientPublicKey, hostSecretHash, deviceSignature, createdAt }) =>
        database
          .query((db) =>
            db
              .insertInto('exports')
              .values({
                wallet_id: walletId,
                opening_id: openingId,
                recipient_public_key: recipientPublicKey,
                host_secret_hash: hostSecretHash,
                device_signature: deviceSignature,
                created_at: createdAt,
                released_at: null,
              })
              .execute(),
          )
          .pipe(Effect.asVoid),
      find: (walletId, openingId) =>
        database
          .query((db) =>
            db
              .selectFrom('exports')
              .selectAll()
              .where('wallet_id', '=', walletId)
              .where('opening_id', '=', openingId)
              .executeTakeFirst(),
          )
          .pipe(
            Effect.map((row) =>
              Option.map(Option.fromUndefinedOr(row), (found) => ({
                walletId: found.wallet_id,
                openingId: found.opening_id,
                recipientPublicKey: found.recipient_public_key,
                hostSecretHash: found.host_secret_hash,
                deviceSignature: found.device_signature,
                createdAt: found.created_at,
                releasedAt: found.released_at,
              })),
            ),
          ),
      releasedAfter: (walletId, time) =>
        database
          .query((db) =>
            db
              .selectFrom('exports')
              .select('released_at')
              .where('wallet_id', '=', walletId)
              .where('released_at', '>', time)
              .execute(),
          )
          .pipe(Effect.map((rows) => rows.flatMap(({ released_at }) => (released_at === null ? [] : [released_at])))),
      release: (walletId, openingId, now) =>
        database
          .query((db) =>
            db
              .updateTable('exports')
              .set({ released_at: now })
              .where('wallet_id', '=', walletId)
              .where('opening_id', '=', openingId)
              .where('released_at', 'is', null)
              .execute(),
          )
          .pipe(Effect.asVoid),
    })
  }),
)
