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
      put: ({ partnerId, ...policy }) =>
        database
          .query((db) =>
            db
              .insertInto('policies')
              .values({ partner_id: partnerId, ...toRow(policy) })
              .onConflict((conflict) => conflict.column('partner_id').doUpdateSet(toRow(policy)))
              .execute(),
          )
          // Partners are remembered with whether they have one.
          .pipe(Effect.andThen(publish(partnersTopic))),
    })
  }),
)

type Row = Selectable<WalletTables['policies']>

const toRow = ({ version, sealed, copy, appliedAt, before }: Omit<StoredPolicy, 'partnerId'>) => ({
  version,
  sealed,
  service_copy: copy,
  applied_at: appliedAt,
  before_version: before?.version ?? null,
  before_sealed: before?.sealed ?? null,
})

const toPolicy = (found: Row | undefined): Option.Option<StoredPolicy> =>
  Option.map(Option.fromUndefinedOr(found), (row) => ({
    partnerId: row.partner_id,
    version: row.version,
    sealed: row.sealed,
    copy: row.service_copy,
    appliedAt: row.applied_at,
    before:
      row.before_version === null || row.before_sealed === null
        ? null
        : { version: row.before_version, sealed: row.before_sealed },
  }))
