import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Option from 'effect/Option'
import { Notifications, partnersTopic } from '../../../domain/service/ports/Notifications.ts'
import { Partners } from '../../../domain/service/ports/Partners.ts'
import { PartnerSettings, type PartnerRecord } from '../../../domain/service/Partner.ts'
import { reader } from '../../../domain/service/Stored.ts'
import { json } from './columns.ts'
import { Database } from './Database.ts'

const readSettings = reader('partners.settings', PartnerSettings)

export const PartnersDatabase = Layer.effect(
  Partners,
  Effect.gen(function* () {
    const database = yield* Database
    const { publish } = yield* Notifications

    const find = Effect.fnUntraced(function* (id: string) {
      const row = yield* database.query((db) =>
        db.selectFrom('partners').selectAll().where('id', '=', id).executeTakeFirst(),
      )
      if (row === undefined) return Option.none<PartnerRecord>()
      const origins = yield* database.query((db) =>
        db.selectFrom('partner_origins').select('origin').where('partner_id', '=', id).orderBy('origin').execute(),
      )
      return Option.some<PartnerRecord>({
        ...readSettings(row.settings),
        id: row.id,
        displayName: row.display_name,
        portalUrl: row.portal_url,
        origins: origins.map(({ origin }) => origin),
      })
    })

    const insertOrigins = (id: string, origins: readonly string[]) =>
      origins.length === 0
        ? Effect.void
        : database.query((db) =>
            db
              .insertInto('partner_origins')
              .values(origins.map((origin) => ({ partner_id: id, origin })))
              .onConflict((conflict) => conflict.doNothing())
              .execute(),
          )

    return Partners.of({
      find,
      findByKey: Effect.fnUntraced(function* (mac) {
        const key = yield* database.query((db) =>
          db.selectFrom('partner_keys').select(['partner_id', 'kind']).where('mac', '=', mac).executeTakeFirst(),
        )
        if (key === undefined) return Option.none()
        return Option.map(yield* find(key.partner_id), (partner) => ({ partner, kind: key.kind }))
      }),
      create: Effect.fnUntraced(function* ({ id, displayName, portalUrl, origins, ...settings }, now) {
        yield* database.query((db) =>
          db
            .insertInto('partners')
            .values({
              id,
              display_name: displayName,
              portal_url: portalUrl,
              settings: json(settings),
              created_at: now,
            })
            .execute(),
        )
        yield* insertOrigins(id, origins)
        yield* publish(partnersTopic)
      }),
      addKey: ({ mac, partnerId, kind, now }) =>
        database
          .query((db) =>
            db.insertInto('partner_keys').values({ mac, partner_id: partnerId, kind, created_at: now }).execute(),
          )
          .pipe(Effect.andThen(publish(partnersTopic))),
      setOrigins: Effect.fnUntraced(function* (id, origins) {
        yield* database.query((db) => db.deleteFrom('partner_origins').where('partner_id', '=', id).execute())
        yield* insertOrigins(id, origins)
        yield* publish(partnersTopic)
      }),
    })
  }),
)
