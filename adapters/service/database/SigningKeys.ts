import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import { SigningKeys } from '../../../domain/service/ports/SigningKeys.ts'
import { Database } from './Database.ts'

export const SigningKeysDatabase = Layer.effect(
  SigningKeys,
  Effect.gen(function* () {
    const { query } = yield* Database
    return SigningKeys.of({
      all: query((db) => db.selectFrom('signing_keys').selectAll().orderBy('number').execute()).pipe(
        Effect.map((rows) =>
          rows.map(({ number, kid, x, y, sealed_private_key, signs_from }) => ({
            number,
            kid,
            x,
            y,
            sealedPrivateKey: sealed_private_key,
            signsFrom: signs_from,
          })),
        ),
      ),
      add: ({ number, kid, x, y, sealedPrivateKey, signsFrom }) =>
        query((db) =>
          db
            .insertInto('signing_keys')
            .values({ number, kid, x, y, sealed_private_key: sealedPrivateKey, signs_from: signsFrom })
            .onConflict((conflict) => conflict.column('number').doNothing())
            .execute(),
        ).pipe(Effect.asVoid),
      remove: (number) =>
        query((db) => db.deleteFrom('signing_keys').where('number', '=', number).execute()).pipe(Effect.asVoid),
    })
  }),
)
