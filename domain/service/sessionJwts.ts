/**
 * A session's proof for the partner's own server: a JWT that it verifies by itself, and the question whether its session
 * is alive now (domain/service/README.md#session-jwts).
 */
import * as Clock from 'effect/Clock'
import * as Data from 'effect/Data'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import * as Schema from 'effect/Schema'
import type { AuthMethod } from '../model/Credential.ts'
import { ApiKeyRequired } from '../model/Partner.ts'
import { Caller } from './Caller.ts'
import { Deployment } from './ports/Deployment.ts'
import { Jwts } from './ports/Jwts.ts'
import { Wallets } from './ports/Wallets.ts'
import { authenticatedSession, sessionOf, startingSession } from './sessions.ts'
import { publishedKeys, signingKey } from './signingKeys.ts'
import { hasKey } from './Wallet.ts'

/** Seconds. */
export const jwtLife = 5 * 60

/** Names of RFC 8176, and `pop` of OpenID Connect EAP: a passkey is a key whose use the user confirmed. */
const amrOf: { readonly [M in AuthMethod]: readonly string[] } = { PASSWORD: ['pwd'], PASSKEY: ['pop', 'user'] }

const Named = Schema.Struct({ sub: Schema.String, sid: Schema.String })

/** A JWT of the caller's session. Superseded sessions get none. */
export const createSessionJwt = Effect.fn('sessionJwts.createSessionJwt')(function* (userId: string) {
  yield* sessionOf(userId)
  const session = yield* startingSession
  const { apiOrigin } = yield* Deployment
  const iat = seconds(yield* Clock.currentTimeMillis)
  const { partnerId, origin, lookupId, authenticatedAt, authenticatedBy } = session
  const claims = {
    iss: apiOrigin,
    aud: partnerId,
    sub: userId,
    sid: lookupId,
    ...(origin === null ? {} : { azp: origin }),
    ...(authenticatedBy === null ? {} : { amr: amrOf[authenticatedBy] }),
    ...(authenticatedAt === null ? {} : { auth_time: seconds(authenticatedAt) }),
    wallets: yield* walletsOf(userId, partnerId),
    iat,
    exp: iat + jwtLife,
  }
  return yield* (yield* Jwts).sign(claims, yield* signingKey)
})

/** The session of a JWT as it is now, for the partner whose it is. */
export const verifySessionJwt = Effect.fn('sessionJwts.verifySessionJwt')(function* (jwt: string) {
  const { partner, secretKey } = yield* Caller
  if (partner === undefined || !secretKey) return yield* new ApiKeyRequired()
  const now = yield* Clock.currentTimeMillis
  const expected = {
    keys: yield* publishedKeys,
    issuer: (yield* Deployment).apiOrigin,
    audience: partner.id,
    now,
  }
  const claims = yield* (yield* Jwts).verify(jwt, expected)
  const named = Option.getOrUndefined(Option.flatMap(claims, Schema.decodeUnknownOption(Named)))
  if (named === undefined) return yield* new InvalidSessionJwt()
  const session = yield* authenticatedSession({ lookupId: named.sid, partnerId: partner.id, userId: named.sub })
  if (session === undefined) return yield* new InvalidSessionJwt()
  return { session, userId: named.sub, wallets: yield* walletsOf(named.sub, partner.id) }
})

const walletsOf = Effect.fnUntraced(function* (userId: string, partnerId: string) {
  const wallets = yield* (yield* Wallets).ofUser(userId, partnerId)
  return wallets.filter(hasKey).map(({ id, type, address }) => ({ id, type, address }))
})

const seconds = (ms: number): number => Math.floor(ms / 1000)

/** Not signed by a published key, of another partner or deployment, or it or its session is over. */
export class InvalidSessionJwt extends Data.TaggedError('InvalidSessionJwt') {
  override readonly message = 'session JWT is not valid'
}
