import * as Clock from 'effect/Clock'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import type { Insertable } from 'kysely'
import { Audit } from '../../../domain/service/ports/Audit.ts'
import { SecureRandom } from '../../../domain/service/ports/SecureRandom.ts'
import { json } from './columns.ts'
import { Database } from './Database.ts'
import type { IdentityTables } from './IdentityTables.ts'
import { prepareWrite } from './writes.ts'

export const AuditDatabase = Layer.effect(
  Audit,
  Effect.gen(function* () {
    const database = yield* Database
    const random = yield* SecureRandom
    const insert = prepareWrite(database, 'audits', (db, row: Insertable<IdentityTables['audits']>) =>
      db.insertInto('audits').values(row),
    )

    return Audit.of({
      record: Effect.fnUntraced(function* ({ event, partnerId, userId, sessionId, subject, detail }) {
        const id = yield* random.uuid
        const at = yield* Clock.currentTimeMillis
        yield* insert({
          id,
          at,
          event,
          partner_id: partnerId ?? null,
          user_id: userId ?? null,
          session_id: sessionId ?? null,
          subject: subject ?? null,
          detail: json(detail ?? {}),
        })
      }),
      sweep: (before, limit) =>
        database
          .query((db) =>
            db
              .deleteFrom('audits')
              .where('id', 'in', (is) =>
                is.selectFrom('audits').select('id').where('at', '<', before).orderBy('at').limit(limit),
              )
              .executeTakeFirstOrThrow(),
          )
          .pipe(Effect.map(({ numDeletedRows }) => Number(numDeletedRows))),
    })
  }),
)
