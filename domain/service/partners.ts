/** Partners and their keys (domain/service/README.md#partners). */
import * as Clock from 'effect/Clock'
import * as Data from 'effect/Data'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import { ApiKeyRequired } from '../model/Partner.ts'
import { Caller } from './Caller.ts'
import { NotFound } from './NotFound.ts'
import { allowsOrigin, isLocalOrigin, type PartnerRecord, type PartnerKeyKind } from './Partner.ts'
import { Deployment } from './ports/Deployment.ts'
import { Partners } from './ports/Partners.ts'
import { SecureRandom } from './ports/SecureRandom.ts'
import { Transaction } from './ports/Transaction.ts'
import { Vault } from './ports/Vault.ts'

/** The partner of a key in `x-external-api-key`. */
export const fromKey = Effect.fnUntraced(function* (key: string) {
  return yield* (yield* Partners).findByKey(yield* macOf(key))
})

/** The caller's own partner; any other is `NotFound`. */
export const getPartner = Effect.fn('partners.getPartner')(function* (partnerId: string) {
  const partner = yield* callersPartner
  return partner.id === partnerId ? partner : yield* new NotFound()
})

/** A new partner with a key of each kind. The keys are shown only here. */
export const create = Effect.fn('partners.create')(function* (settings: Omit<PartnerRecord, 'id'>) {
  const partners = yield* Partners
  const id = yield* (yield* SecureRandom).uuid
  const partner: PartnerRecord = { id, ...settings }
  const now = yield* Clock.currentTimeMillis
  return yield* (yield* Transaction).atomically(
    Effect.gen(function* () {
      yield* partners.create(partner, now)
      return {
        partner,
        apiKey: yield* addKey(id, 'publishable', now),
        secretKey: yield* addKey(id, 'secret', now),
      }
    }),
  )
})

/** The partner that the request's key or session names. */
export const callersPartner = Effect.gen(function* () {
  const { partner } = yield* Caller
  return partner ?? (yield* new ApiKeyRequired())
})

/** Lets through the pages that the partner registered, and our own page for recoveries. */
export const requireOrigin = Effect.fnUntraced(function* (partner: PartnerRecord) {
  const { origin } = yield* Caller
  const { environment, connectOrigin } = yield* Deployment
  if (origin !== connectOrigin && !allowsOrigin(partner, origin, environment)) return yield* new OriginNotAllowed()
})

/** Whether a page of this origin is any partner's, or ours. What asks so does not know yet whose key will come. */
export const isPageOfAny = Effect.fnUntraced(function* (origin: string) {
  const { environment, portalOrigin, connectOrigin } = yield* Deployment
  if (origin === portalOrigin || origin === connectOrigin || isLocalOrigin(origin, environment)) return true
  return origin !== 'null' && (yield* (yield* Partners).origins).has(origin)
})

/** Of an existing partner, or of none. */
export const find = Effect.fnUntraced(function* (id: string) {
  return Option.getOrUndefined(yield* (yield* Partners).find(id))
})

const prefixes = { publishable: 'pk_', secret: 'sk_' } as const

const addKey = Effect.fnUntraced(function* (partnerId: string, kind: PartnerKeyKind, now: number) {
  const key = prefixes[kind] + (yield* (yield* SecureRandom).token)
  yield* (yield* Partners).addKey({ mac: yield* macOf(key), partnerId, kind, now })
  return key
})

const macOf = (key: string) => Effect.map(Vault, ({ mac }) => mac('partner key', key))

/** The calling page is not one of the partner's, or not the one that began the session. */
export class OriginNotAllowed extends Data.TaggedError('OriginNotAllowed') {
  override readonly message = 'origin not allowed'
}
