import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Option from 'effect/Option'
import type { Kysely, Selectable } from 'kysely'
import { Notifications, partnersTopic } from '../../../domain/service/ports/Notifications.ts'
import { WebhookEndpoints } from '../../../domain/service/ports/WebhookEndpoints.ts'
import type { WebhookEndpoint } from '../../../domain/service/Webhook.ts'
import { Database } from './Database.ts'
import { happened } from './happened.ts'
import type { Tables } from './Tables.ts'

export const WebhookEndpointsDatabase = Layer.effect(
  WebhookEndpoints,
  Effect.gen(function* () {
    const { query } = yield* Database
    const { publish } = yield* Notifications

    /** Partners are remembered with whether they have one. */
    const announce = publish(partnersTopic)

    const rows = (db: Kysely<Tables>) => db.selectFrom('webhook_endpoints').selectAll().orderBy('created_at')

    return WebhookEndpoints.of({
      find: (id) =>
        query((db) => rows(db).where('id', '=', id).executeTakeFirst()).pipe(
          Effect.map((row) => Option.map(Option.fromUndefinedOr(row), toEndpoint)),
        ),
      ofPartner: (partnerId) =>
        query((db) => rows(db).where('partner_id', '=', partnerId).execute()).pipe(
          Effect.map((found) => found.map(toEndpoint)),
        ),
      create: (endpoint) =>
        query((db) =>
          db
            .insertInto('webhook_endpoints')
            .values({
              id: endpoint.id,
              partner_id: endpoint.partnerId,
              url: endpoint.url,
              secret_number: endpoint.secretNumber,
              sealed_secret: endpoint.sealedSecret,
              sealed_old_secret: endpoint.sealedOldSecret,
              old_secret_until: endpoint.oldSecretUntil,
              created_at: endpoint.createdAt,
              disabled_at: endpoint.disabledAt,
            })
            .execute(),
        ).pipe(Effect.andThen(announce)),
      rotate: (id, from, { sealedSecret, sealedOldSecret, oldSecretUntil }) =>
        query((db) =>
          db
            .updateTable('webhook_endpoints')
            .set({
              secret_number: from + 1,
              sealed_secret: sealedSecret,
              sealed_old_secret: sealedOldSecret,
              old_secret_until: oldSecretUntil,
            })
            .where('id', '=', id)
            .where('secret_number', '=', from)
            .returning('id')
            .executeTakeFirst(),
        ).pipe(Effect.map(happened)),
      setDisabled: (id, disabledAt) =>
        query((db) =>
          db.updateTable('webhook_endpoints').set({ disabled_at: disabledAt }).where('id', '=', id).execute(),
        ).pipe(Effect.andThen(announce)),
    })
  }),
)

const toEndpoint = (row: Selectable<Tables['webhook_endpoints']>): WebhookEndpoint => ({
  id: row.id,
  partnerId: row.partner_id,
  url: row.url,
  secretNumber: row.secret_number,
  sealedSecret: row.sealed_secret,
  sealedOldSecret: row.sealed_old_secret,
  oldSecretUntil: row.old_secret_until,
  createdAt: row.created_at,
  disabledAt: row.disabled_at,
})
