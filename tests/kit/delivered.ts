import { setTimeout } from 'node:timers/promises'
import * as Effect from 'effect/Effect'
import { Database } from '../../adapters/service/database/Database.ts'

/** Waits until every mail and SMS that flows have written is delivered or given up. Dies after a minute. */
export const delivered = Effect.flatMap(Database, ({ query }) =>
  Effect.promise(async () => {
    const until = Date.now() + 60_000
    while ((await Effect.runPromise(query((db) => db.selectFrom('user_messages').select('id').execute()))).length > 0) {
      if (Date.now() > until) throw new Error('a message is still not delivered')
      await setTimeout(2)
    }
  }),
)
