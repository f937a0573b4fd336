import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import { expect, it } from 'vitest'
import { JwtsJose } from '../../../adapters/service/jose/Jwts.ts'
import { Jwts } from '../../../domain/service/ports/Jwts.ts'

it('reads a JWT for its own issuer, audience and time alone', async () => {
  const read = await Effect.runPromise(
    Effect.gen(function* () {
      const { makeKey, sign, verify } = yield* Jwts
      const [key, other] = [yield* makeKey, yield* makeKey]
      const jwt = yield* sign({ iss: 'https://api.example', aud: 'shop', sub: 'ada', exp: 1_000 }, key)
      const expected = { keys: [other, key], issuer: 'https://api.example', audience: 'shop', now: 999_000 }
      const isRead = (changes: Partial<typeof expected>) =>
        Effect.map(verify(jwt, { ...expected, ...changes }), Option.isSome)
      return {
        right: yield* isRead({}),
        issuer: yield* isRead({ issuer: 'https://other.example' }),
        audience: yield* isRead({ audience: 'bank' }),
        time: yield* isRead({ now: 1_000_000 }),
        key: yield* isRead({ keys: [other] }),
        kid: yield* isRead({ keys: [{ ...other, kid: key.kid }] }),
      }
    }).pipe(Effect.provide(JwtsJose)),
  )

  expect(read).toEqual({ right: true, issuer: false, audience: false, time: false, key: false, kid: false })
})
