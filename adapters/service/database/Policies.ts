import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Option from 'effect/Option'
import type { Selectable } from 'kysely'
import { Notifications, partnersTopic } from '../../../domain/service/ports/Notifications.ts'
import { Policies, type StoredPolicy } from '../../../domain/service/ports/Policies.ts'
import { Database } from './Database.ts'
import type { WalletTables } from './WalletTables.ts'

export const PoliciesDatabase = Layer.effect(
  Policies,
  Effect.gen(function* () {
    const database = yield* Database
    const { publish } = yield* Notifications

    return Policies.of({
      find: (partnerId) =>
        database
          .query((db) =>
            db
              .selectFrom('policies')
              .select(['partner_id', 'version', 'sealed', 'service_copy', 'applied_at'])
              .where('partner_id', '=', partnerId)
              .executeTakeFirst(),
          )
          .pipe(Effect.map((row) => Option.map(Option.fromUndefinedOr(row), toPolicy))),
      lock: (partnerId) =>
        database
          .query((db) =>
            db.selectFrom('policies').selectAll().where('partner_id', '=', partnerId).forUpdate().executeTakeFirst(),
          )
          .pipe(
            Effect.map((row) =>
              Option.map(Option.fromUndefinedOr(row), (found) => ({ ...toPolicy(found), before: beforeOf(found) })),
            ),
          ),
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

const toPolicy = (
  row: Pick<Row, 'partner_id' | 'version' | 'sealed' | 'service_copy' | 'applied_at'>,
): Omit<StoredPolicy, 'before'> => ({
  partnerId: row.partner_id,
  version: row.version,
  sealed: row.sealed,
  copy: row.service_copy,
  appliedAt: row.applied_at,
})

const beforeOf = ({ before_version: version, before_sealed: sealed }: Row): StoredPolicy['before'] =>
  version === null || sealed === null ? null : { version, sealed }
