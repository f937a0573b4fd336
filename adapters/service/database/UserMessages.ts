import * as Effect from 'effect/Effect'
import * as Latch from 'effect/Latch'
import * as Layer from 'effect/Layer'
import type { Selectable } from 'kysely'
import { UserMessages } from '../../../domain/service/ports/UserMessages.ts'
import type { LeasedMessage } from '../../../domain/service/UserMessage.ts'
import { Database } from './Database.ts'
import type { Tables } from './Tables.ts'

export const UserMessagesDatabase = Layer.effect(
  UserMessages,
  Effect.gen(function* () {
    const { query, whenCommitted } = yield* Database
    const latches = { mail: Latch.makeUnsafe(), sms: Latch.makeUnsafe() }
    return UserMessages.of({
      add: ({ id, channel, codeOf, sealed, now, expiresAt }, instead) =>
        query(async (db) => {
          if (instead !== undefined) await db.deleteFrom('user_messages').where('code_of', '=', instead).execute()
          await db
            .insertInto('user_messages')
            .values({ id, channel, code_of: codeOf ?? null, sealed, next_at: now, expires_at: expiresAt })
            .execute()
        }).pipe(Effect.andThen(whenCommitted(() => latches[channel].openUnsafe()))),
      // Of several workers that see a row one changes it: the others do not find it as they saw it.
      lease: Effect.fnUntraced(function* ({ channel, now, until, limit }) {
        const due = yield* query((db) =>
          db
            .selectFrom('user_messages')
            .select(['id', 'attempts'])
            .where('channel', '=', channel)
            .where('next_at', '<=', now)
            .orderBy('next_at')
            .limit(limit)
            .execute(),
        )
        const leased = yield* Effect.forEach(due, ({ id, attempts }) =>
          query((db) =>
            db
              .updateTable('user_messages')
              .set({ next_at: until, attempts: attempts + 1 })
              .where('id', '=', id)
              .where('attempts', '=', attempts)
              .where('next_at', '<=', now)
              .returningAll()
              .executeTakeFirst(),
          ),
        )
        return leased.flatMap((row) => (row === undefined ? [] : [toLeased(row)]))
      }),
      remove: ({ id, attempts }) =>
        query((db) =>
          db.deleteFrom('user_messages').where('id', '=', id).where('attempts', '=', attempts).execute(),
        ).pipe(Effect.asVoid),
      postpone: ({ id, attempts }, until) =>
        query((db) =>
          db
            .updateTable('user_messages')
            .set({ next_at: until })
            .where('id', '=', id)
            .where('attempts', '=', attempts)
            .execute(),
        ).pipe(Effect.asVoid),
      // Closed before the worker looks: what comes during the look opens it again.
      added: (channel) => Effect.asVoid(Effect.andThen(latches[channel].await, latches[channel].close)),
      sweep: (now, limit) =>
        query((db) =>
          db
            .deleteFrom('user_messages')
            .where('id', 'in', (is) =>
              is.selectFrom('user_messages').select('id').where('expires_at', '<=', now).limit(limit),
            )
            .executeTakeFirstOrThrow(),
        ).pipe(Effect.map(({ numDeletedRows }) => Number(numDeletedRows))),
    })
  }),
)

const toLeased = (row: Selectable<Tables['user_messages']>): LeasedMessage => ({
  id: row.id,
  channel: row.channel,
  sealed: row.sealed,
  attempts: row.attempts,
  expiresAt: row.expires_at,
})
