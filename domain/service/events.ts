/** What a partner's server is told of (domain/service/README.md#webhooks). */
import * as Clock from 'effect/Clock'
import * as Effect from 'effect/Effect'
import { Caller } from './Caller.ts'
import type { PartnerRecord } from './Partner.ts'
import { Outbox } from './ports/Outbox.ts'
import { SecureRandom } from './ports/SecureRandom.ts'
import { Vault } from './ports/Vault.ts'
import { bodyOf, type EventData, type EventType } from './Webhook.ts'

/** Writes the message in the surrounding transaction: it is sent if that commits, and not otherwise. */
export const tell = Effect.fnUntraced(function* (partner: PartnerRecord | undefined, type: EventType, data: EventData) {
  if (partner?.hasWebhooks !== true) return
  yield* (yield* Outbox).add(partner.id, yield* newMessage(partner.id, type, data))
})

/** The same for the caller's partner. */
export const tellCallersPartner = (type: EventType, data: EventData) =>
  Effect.flatMap(Caller, ({ partner }) => tell(partner, type, data))

/** A message of the partner. Its MAC keeps a writer of the database from having others signed. */
export const newMessage = Effect.fnUntraced(function* (partnerId: string, type: EventType, data: EventData) {
  const id = `msg_${yield* (yield* SecureRandom).uuid}`
  const now = yield* Clock.currentTimeMillis
  const body = bodyOf(type, data, now)
  return { id, type, body, now, mac: yield* messageMac(partnerId, id, body) }
})

export const messageMac = (partnerId: string, id: string, body: string) =>
  Effect.map(Vault, ({ mac }) => mac('webhook message', JSON.stringify([partnerId, id, body])))
