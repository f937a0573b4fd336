/** Keys of partners: made, listed, rotated and revoked by an operator (domain/service/README.md#partners). */
import * as Clock from 'effect/Clock'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import { tell } from './events.ts'
import { NotFound } from './NotFound.ts'
import { recordChange } from './operator.ts'
import type { PartnerKeyKind } from './Partner.ts'
import { Partners, type PartnerKey } from './ports/Partners.ts'
import { SecureRandom } from './ports/SecureRandom.ts'
import { Transaction } from './ports/Transaction.ts'
import { Vault } from './ports/Vault.ts'

const prefixes = { publishable: 'pk_', secret: 'sk_' } as const

/** A new key of an existing partner; answers its text, which is shown only here. */
export const addKey = Effect.fnUntraced(function* (partnerId: string, kind: PartnerKeyKind, now: number) {
  const key = prefixes[kind] + (yield* (yield* SecureRandom).token)
  yield* (yield* Partners).addKey({ mac: yield* macOf(key), partnerId, kind, now })
  return key
})

export const macOf = (key: string) => Effect.map(Vault, ({ mac }) => mac('partner key', key))

/** Names a key to operators: 12 hex digits of its MAC, from which the key cannot be found. */
export const keyIdOf = (mac: string): string => mac.slice(0, 12)

/** An ended key is refused like an unknown one. */
export const isOver = ({ endsAt }: Pick<PartnerKey, 'endsAt'>, now: number): boolean => endsAt !== null && endsAt <= now

/** Of an existing partner, the oldest first; refused with `NotFound` otherwise. */
export const listKeys = Effect.fn('partnerKeys.list')(function* (partnerId: string) {
  yield* existingPartner(partnerId)
  return (yield* (yield* Partners).keysOf(partnerId)).map(shown)
})

/** Another key beside those that there are. */
export const createKey = Effect.fn('partnerKeys.create')(function* (
  partnerId: string,
  kind: PartnerKeyKind,
  reason: string | undefined,
) {
  return yield* (yield* Transaction).atomically(
    Effect.gen(function* () {
      yield* lockedPartner(partnerId)
      const key = yield* addKey(partnerId, kind, yield* Clock.currentTimeMillis)
      const id = keyIdOf(yield* macOf(key))
      yield* recordChange({ event: 'partner.key.created', partnerId, subject: id, detail: { kind } }, reason)
      return { id, kind, key }
    }),
  )
})

/**
 * A new key of the same kind. The old one ends after `overlapMs`, or when it would have ended anyway. Refused with
 * `NotFound` where there is no such key, or it is over.
 */
export const rotateKey = Effect.fn('partnerKeys.rotate')(function* (
  partnerId: string,
  keyId: string,
  overlapMs: number,
  reason: string | undefined,
) {
  const partners = yield* Partners
  return yield* (yield* Transaction).atomically(
    Effect.gen(function* () {
      const partner = yield* lockedPartner(partnerId)
      const old = yield* findKey(partnerId, keyId)
      const now = yield* Clock.currentTimeMillis
      if (isOver(old, now)) return yield* new NotFound()
      const endsAt = Math.min(now + overlapMs, old.endsAt ?? Number.MAX_SAFE_INTEGER)
      const key = yield* addKey(partnerId, old.kind, now)
      const id = keyIdOf(yield* macOf(key))
      yield* partners.endKey(old.mac, endsAt)
      const detail = { kind: old.kind, old: keyId, endsAt }
      yield* recordChange({ event: 'partner.key.rotated', partnerId, subject: id, detail }, reason)
      yield* tell(partner, 'key.rotated', { keyId: id, oldKeyId: keyId, endsAt })
      return { id, kind: old.kind, key, old: { id: keyId, endsAt } }
    }),
  )
})

/** Deletes the key, so that copies of an earlier version refuse it, too. */
export const revokeKey = Effect.fn('partnerKeys.revoke')(function* (
  partnerId: string,
  keyId: string,
  reason: string | undefined,
) {
  const partners = yield* Partners
  return yield* (yield* Transaction).atomically(
    Effect.gen(function* () {
      yield* lockedPartner(partnerId)
      const { mac, kind } = yield* findKey(partnerId, keyId)
      yield* partners.removeKey(mac)
      yield* recordChange({ event: 'partner.key.revoked', partnerId, subject: keyId, detail: { kind } }, reason)
      return { id: keyId, kind }
    }),
  )
})

/** Fails where two keys of the partner have the same id: of 48 bits of a MAC this is not expected. */
const findKey = Effect.fnUntraced(function* (partnerId: string, keyId: string) {
  const found = (yield* (yield* Partners).keysOf(partnerId)).filter(({ mac }) => keyIdOf(mac) === keyId)
  const [key] = found
  return key !== undefined && found.length === 1 ? key : yield* new NotFound()
})

/** Refused with `NotFound`. */
export const existingPartner = Effect.fn('partnerKeys.existingPartner')(function* (partnerId: string) {
  const found = Option.getOrUndefined(yield* (yield* Partners).find(partnerId))
  return found ?? (yield* new NotFound())
})

/** The same, locked until the transaction ends. */
export const lockedPartner = Effect.fnUntraced(function* (partnerId: string) {
  const found = Option.getOrUndefined(yield* (yield* Partners).lock(partnerId))
  return found ?? (yield* new NotFound())
})

const shown = ({ mac, kind, createdAt, lastUsedOn, endsAt }: PartnerKey) => ({
  id: keyIdOf(mac),
  kind,
  createdAt,
  lastUsedOn,
  endsAt,
})
