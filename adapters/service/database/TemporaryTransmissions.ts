import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Option from 'effect/Option'
import { TemporaryTransmissions } from '../../../domain/service/ports/TemporaryTransmissions.ts'
import { Database } from './Database.ts'

export const TemporaryTransmissionsDatabase = Layer.effect(
  TemporaryTransmissions,
  Effect.gen(function* () {
    const { query } = yield* Database
    return TemporaryTransmissions.of({
      add: ({ mac, partnerId, message, expiresAt }) =>
        Effect.asVoid(
          query((db) =>
            db
              .insertInto('temporary_transmissions')
              .values({ mac, partner_id: partnerId, message, expires_at: expiresAt })
              .execute(),
          ),
        ),
      count: (partnerId, now) =>
        Effect.map(
          query((db) =>
            db
              .selectFrom('temporary_transmissions')
              .select((select) => select.fn.countAll<number>().as('waiting'))
              .where('partner_id', '=', partnerId)
              .where('expires_at', '>', now)
              .executeTakeFirstOrThrow(),
          ),
          ({ waiting }) => waiting,
        ),
      take: (mac, now) =>
        Effect.map(
          query((db) =>
            db
              .deleteFrom('temporary_transmissions')
              .where('mac', '=', mac)
              .where('expires_at', '>', now)
              .returning('message')
              .executeTakeFirst(),
          ),
          (row) => Option.map(Option.fromNullishOr(row), ({ message }) => message),
        ),
      sweep: (now) =>
        Effect.asVoid(query((db) => db.deleteFrom('temporary_transmissions').where('expires_at', '<=', now).execute())),
    })
  }),
)
