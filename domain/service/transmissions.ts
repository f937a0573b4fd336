/**
 * Short login links (domain/service/README.md#short-links): a page leaves an encrypted message before anybody has
 * logged in, and the portal's page fetches it once. The key is in the link and never comes here.
 */
import { bytesToHex } from '@noble/hashes/utils.js'
import * as Clock from 'effect/Clock'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import { Caller } from './Caller.ts'
import { NotFound } from './NotFound.ts'
import { callersPartner, OriginNotAllowed } from './partners.ts'
import { Deployment } from './ports/Deployment.ts'
import { RateLimits, TooManyAttempts, type Limit } from './ports/RateLimits.ts'
import { SecureRandom } from './ports/SecureRandom.ts'
import { TemporaryTransmissions } from './ports/TemporaryTransmissions.ts'
import { Vault } from './ports/Vault.ts'
import { Rates } from './rates.ts'

export const transmissionLimits = {
  life: 10 * 60_000,
  /** 128 bits. */
  idLength: 16,
  /** Of a partner, at once: with the contract's bound on a message, 64 MiB. */
  waiting: 1_000,
} as const

/** Answers the id under which the message waits. */
export const createTemporaryTransmission = Effect.fn('transmissions.createTemporaryTransmission')(function* (
  message: string,
) {
  const { id: partnerId } = yield* callersPartner
  yield* allow('transmission', (yield* Rates).R3_LINKS)
  const transmissions = yield* TemporaryTransmissions
  const now = yield* Clock.currentTimeMillis
  if ((yield* transmissions.count(partnerId, now)) >= transmissionLimits.waiting) {
    return yield* new TooManyAttempts({ retryAfterMs: transmissionLimits.life })
  }
  const id = bytesToHex(yield* (yield* SecureRandom).bytes(transmissionLimits.idLength))
  yield* transmissions.add({ mac: yield* macOf(id), partnerId, message, expiresAt: now + transmissionLimits.life })
  return id
})

/** Answers the message once. A second, late or wrong request is `NotFound`. */
export const getTemporaryTransmission = Effect.fn('transmissions.getTemporaryTransmission')(function* (id: string) {
  yield* requirePortal
  yield* allow('transmission fetched', (yield* Rates).R8)
  const now = yield* Clock.currentTimeMillis
  const message = Option.getOrUndefined(yield* (yield* TemporaryTransmissions).take(yield* macOf(id), now))
  return message ?? (yield* new NotFound())
})

export const sweep = Effect.fn('transmissions.sweep')(function* () {
  yield* (yield* TemporaryTransmissions).sweep(yield* Clock.currentTimeMillis)
})

/** Short links always lead to the deployment's own portal. */
const requirePortal = Effect.gen(function* () {
  const { origin } = yield* Caller
  const { environment, portalOrigin } = yield* Deployment
  const isDevelopment = environment === 'DEV' || environment === 'SANDBOX'
  if (origin === undefined ? !isDevelopment : origin !== portalOrigin) return yield* new OriginNotAllowed()
})

const allow = Effect.fnUntraced(function* (bucket: string, limit: Limit) {
  const { network } = yield* Caller
  yield* (yield* RateLimits).take(bucket, network, limit)
})

const macOf = (id: string) => Effect.map(Vault, ({ mac }) => mac('temporary transmission', id))
