import * as Effect from 'effect/Effect'
import * as Latch from 'effect/Latch'
import * as Layer from 'effect/Layer'
import { sql, type Selectable } from 'kysely'
import { Outbox, type Message, type Settlement } from '../../../domain/service/ports/Outbox.ts'
import type { Delivery } from '../../../domain/service/Webhook.ts'
import { Database } from './Database.ts'
import type { Tables } from './Tables.ts'

export const OutboxDatabase = Layer.effect(
  Outbox,
  Effect.gen(function* () {
    const { query, whenCommitted } = yield* Database
    const latch = Latch.makeUnsafe()
    const wake = whenCommitted(() => latch.openUnsafe())

    /** One row for each endpoint that is found. */
    const add = ({ id, type, body, mac, now }: Message, column: 'id' | 'partner_id', value: string) =>
      query((db) =>
        db
          .insertInto('outbox')
          .columns(['message_id', 'endpoint_id', 'type', 'body', 'mac', 'created_at', 'due_from', 'next_at'])
          .expression((is) =>
            is
              .selectFrom('webhook_endpoints')
              .select((row) => [
                row.cast<string>(row.val(id), 'text').as('message_id'),
                'webhook_endpoints.id as endpoint_id',
                row.cast<string>(row.val(type), 'text').as('type'),
                row.cast<string>(row.val(body), 'text').as('body'),
                row.cast<string>(row.val(mac), 'text').as('mac'),
                row.cast<number>(row.val(now), 'bigint').as('created_at'),
                row.cast<number>(row.val(now), 'bigint').as('due_from'),
                row.cast<number>(row.val(now), 'bigint').as('next_at'),
              ])
              .where(column, '=', value)
              .where('disabled_at', 'is', null),
          )
          .execute(),
      ).pipe(Effect.andThen(wake))

    return Outbox.of({
      add: (partnerId, message) => add(message, 'partner_id', partnerId),
      addTo: (endpointId, message) => add(message, 'id', endpointId),
      lease: ({ now, until, limit, limitOfEndpoint }) =>
        query((db) =>
          sql<Selectable<Tables['outbox']>>`
            update outbox set next_at = ${until}, attempts = outbox.attempts + 1
            from (
              select message_id, endpoint_id from outbox
              where next_at <= ${now} and (message_id, endpoint_id) in (
                select message_id, endpoint_id from (
                  select message_id, endpoint_id, row_number() over (partition by endpoint_id order by next_at) as place
                  from outbox where next_at <= ${now}
                ) as ranked where place <= ${limitOfEndpoint}
              )
              order by next_at limit ${limit} for update skip locked
            ) as due
            where outbox.message_id = due.message_id and outbox.endpoint_id = due.endpoint_id
            returning outbox.*`.execute(db),
        ).pipe(Effect.map(({ rows }) => rows.map(toDelivery))),
      settle: ({ messageId, endpointId, attempts }, settlement) =>
        query((db) =>
          db
            .updateTable('outbox')
            .set(settledAs(settlement))
            .where('message_id', '=', messageId)
            .where('endpoint_id', '=', endpointId)
            .where('attempts', '=', attempts)
            .where('next_at', 'is not', null)
            .execute(),
        ).pipe(Effect.asVoid),
      failAll: (endpointId, error) =>
        query((db) =>
          db
            .updateTable('outbox')
            .set({ next_at: null, error })
            .where('endpoint_id', '=', endpointId)
            .where('next_at', 'is not', null)
            .execute(),
        ).pipe(Effect.asVoid),
      resend: ({ endpointId, messageId, since, now }) =>
        query((db) =>
          db
            .updateTable('outbox')
            .set({ attempts: 0, due_from: now, next_at: now, error: null })
            .where('endpoint_id', '=', endpointId)
            .where('created_at', '>=', since)
            .where((is) =>
              messageId === undefined
                ? is.and([is('next_at', 'is', null), is('error', 'is not', null)])
                : is('message_id', '=', messageId),
            )
            .returning('message_id')
            .execute(),
        ).pipe(
          Effect.tap(wake),
          Effect.map((rows) => rows.length),
        ),
      countOf: (endpointId) =>
        query((db) =>
          db
            .selectFrom('outbox')
            .select((is) => [
              is.fn.count<number>('message_id').filterWhere('next_at', 'is not', null).as('waiting'),
              is.fn
                .count<number>('message_id')
                .filterWhere('next_at', 'is', null)
                .filterWhere('error', 'is not', null)
                .as('failed'),
            ])
            .where('endpoint_id', '=', endpointId)
            .executeTakeFirstOrThrow(),
        ),
      // Closed before the worker looks: what comes during the look opens it again.
      added: Effect.asVoid(Effect.andThen(latch.await, latch.close)),
      sweep: (before, limit) =>
        query((db) =>
          db
            .deleteFrom('outbox')
            .where('created_at', '<', before)
            // All rows of a message are of one time.
            .where('message_id', 'in', (is) =>
              is.selectFrom('outbox').select('message_id').where('created_at', '<', before).limit(limit),
            )
            .executeTakeFirstOrThrow(),
        ).pipe(Effect.map(({ numDeletedRows }) => Number(numDeletedRows))),
    })
  }),
)

const settledAs = (settlement: Settlement): { readonly next_at: number | null; readonly error: string | null } => {
  switch (settlement.kind) {
    case 'delivered':
      return { next_at: null, error: null }
    case 'again':
      return { next_at: settlement.at, error: settlement.error }
    case 'failed':
      return { next_at: null, error: settlement.error }
  }
}

const toDelivery = (row: Selectable<Tables['outbox']>): Delivery => ({
  messageId: row.message_id,
  endpointId: row.endpoint_id,
  body: row.body,
  mac: row.mac,
  attempts: row.attempts,
  dueFrom: row.due_from,
})
