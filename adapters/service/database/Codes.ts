import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import { Codes } from '../../../domain/service/ports/Codes.ts'
import { Database } from './Database.ts'

export const CodesDatabase = Layer.effect(
  Codes,
  Effect.gen(function* () {
    const database = yield* Database
    return Codes.of({
      replace: ({ sessionId, userId, mac, expiresAt }) => {
        const fresh = { user_id: userId, mac, tries: 0, used: false, expires_at: expiresAt }
        return database
          .query((db) =>
            db
              .insertInto('codes')
              .values({ session_id: sessionId, ...fresh })
              .onConflict((conflict) => conflict.column('session_id').doUpdateSet(fresh))
              .execute(),
          )
          .pipe(Effect.asVoid)
      },
      consume: Effect.fnUntraced(function* ({ sessionId, userId, mac, now, tries }) {
        const code = yield* database.query((db) =>
          db
            .updateTable('codes')
            .set((is) => ({ tries: is('tries', '+', 1) }))
            .where('session_id', '=', sessionId)
            .where('user_id', '=', userId)
            .where('used', '=', false)
            .where('expires_at', '>=', now)
            .returning(['mac', 'tries'])
            .executeTakeFirst(),
        )
        if (code === undefined) return 'wrong'
        if (code.tries > tries) return 'exhausted'
        if (code.mac !== mac) return 'wrong'
        const used = yield* database.query((db) =>
          db
            .updateTable('codes')
            .set({ used: true })
            .where('session_id', '=', sessionId)
            .where('mac', '=', mac)
            .where('used', '=', false)
            .returning('session_id')
            .executeTakeFirst(),
        )
        return used === undefined ? 'wrong' : 'right'
      }),
    })
  }),
)
