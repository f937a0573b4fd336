/** Partners and their keys (domain/service/README.md#partners). */
import * as Clock from 'effect/Clock'
import * as Data from 'effect/Data'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import { ApiKeyRequired } from '../model/Partner.ts'
import { Caller } from './Caller.ts'
import { NotFound } from './NotFound.ts'
import { allowsOrigin, isLocalOrigin, type PartnerRecord } from './Partner.ts'
import { addKey, isOver, macOf } from './partnerKeys.ts'
import { Deployment } from './ports/Deployment.ts'
import { Partners } from './ports/Partners.ts'
import { SecureRandom } from './ports/SecureRandom.ts'
import { Transaction } from './ports/Transaction.ts'

/** The partner of a key in `x-external-api-key`. A key that is over is none. */
export const fromKey = Effect.fnUntraced(function* (key: string) {
  const found = yield* (yield* Partners).findByKey(yield* macOf(key))
  const now = yield* Clock.currentTimeMillis
  return Option.map(
    Option.filter(found, (known) => !isOver(known, now)),
    ({ partner, kind }) => ({ partner, kind }),
  )
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

/** The partner, or `undefined` where there is none. */
export const find = Effect.fnUntraced(function* (id: string) {
  return Option.getOrUndefined(yield* (yield* Partners).find(id))
})

/** The calling page is not one of the partner's, or not the one that began the session. */
export class OriginNotAllowed extends Data.TaggedError('OriginNotAllowed') {
  override readonly message = 'origin not allowed'
}

/** An operator froze the partner: none of its calls is answered, and nothing is signed for its users. */
export class PartnerFrozen extends Data.TaggedError('PartnerFrozen') {
  override readonly message = 'partner is frozen'
}
