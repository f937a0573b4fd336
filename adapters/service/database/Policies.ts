import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Option from 'effect/Option'
import type { Kysely, Selectable } from 'kysely'
import { Notifications, partnersTopic } from '../../../domain/service/ports/Notifications.ts'
import { Policies, type StoredPolicy } from '../../../domain/service/ports/Policies.ts'
import { Database } from './Database.ts'
import type { Tables } from './Tables.ts'
import type { WalletTables } from './WalletTables.ts'

export const PoliciesDatabase = Layer.effect(
  Policies,
  Effect.gen(function* () {
    const database = yield* Database
    const { publish } = yield* Notifications

    const rowOf = (db: Kysely<Tables>, partnerId: string) =>
      db.selectFrom('policies').selectAll().where('partner_id', '=', partnerId)

    return Policies.of({
      find: (partnerId) => database.query((db) => rowOf(db, partnerId).executeTakeFirst()).pipe(Effect.map(toPolicy)),
      lock: (partnerId) =>
        database.query((db) => rowOf(db, partnerId).forUpdate().executeTakeFirst()).pipe(Effect.map(toPolicy)),
      put: ({ partnerId, version, sealed, copy, appliedAt }) =>
        database
          .query((db) =>
            db
              .insertInto('policies')
              .values({ partner_id: partnerId, version, sealed, service_copy: copy, applied_at: appliedAt })
              .onConflict((conflict) =>
                conflict
                  .column('partner_id')
                  .doUpdateSet({ version, sealed, service_copy: copy, applied_at: appliedAt }),
              )
              .execute(),
          )
          // Partners are remembered with whether they have one.
          .pipe(Effect.andThen(publish(partnersTopic))),
    })
  }),
)

const toPolicy = (row: Selectable<WalletTables['policies']> | undefined): Option.Option<StoredPolicy> =>
  Option.map(Option.fromUndefinedOr(row), ({ partner_id, version, sealed, service_copy, applied_at }) => ({
    partnerId: partner_id,
    version,
    sealed,
    copy: service_copy,
    appliedAt: applied_at,
  }))
