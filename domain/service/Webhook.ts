/**
 * Webhooks of a partner (domain/service/README.md#webhooks): what its server is told, where, and when it is told again.
 * They are signed as Standard Webhooks (https://www.standardwebhooks.com) says.
 */
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { base64 } from '@scure/base'

/** What a partner's server is told of. */
export type EventType =
  | 'user.created'
  | 'session.authenticated'
  | 'session.ended'
  | 'wallet.created'
  | 'recovery.verified'
  | 'recovery.cancelled'
  | 'recovery.finished'
  | 'transaction.pending'
  | 'transaction.accepted'
  | 'transaction.denied'
  | 'transaction.expired'
  | 'signature.completed'
  | 'signature.denied'
  | 'policy.applied'
  | 'key.rotated'
  | 'webhook.test'

/** Ids, and numbers such as a version; nothing about a person. */
export type EventData = Readonly<Record<string, string | number>>

/** An address of the partner's server. Times are milliseconds since 1970. */
export type WebhookEndpoint = {
  readonly id: string
  readonly partnerId: string
  readonly url: string
  /** Counts its secrets, from 1. */
  readonly secretNumber: number
  readonly sealedSecret: Uint8Array
  /** The secret before, which signs beside the present one until `oldSecretUntil`. */
  readonly sealedOldSecret: Uint8Array | null
  readonly oldSecretUntil: number | null
  readonly createdAt: number
  readonly disabledAt: number | null
}

/** One message for one endpoint, as a worker has leased it. */
export type Delivery = {
  readonly messageId: string
  readonly endpointId: string
  /** JSON: `{ type, timestamp, data }`. Every attempt sends these bytes. */
  readonly body: string
  /** hex(32): over partner, id and body. */
  readonly mac: string
  /** With the one that is leased. */
  readonly attempts: number
  /** When the attempts began. */
  readonly dueFrom: number
}

const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000]

/** Milliseconds, but for the last three. */
export const webhookLimits = {
  /** For how long both secrets sign after a rotation. */
  bothSecrets: day,
  /** For how long a failed delivery is tried again. */
  trying: 3 * day,
  /** For how long a message can be sent again. */
  kept: 30 * day,
  /** How long one attempt may take, with looking up the address. */
  attempt: 10 * second,
  /** A worker that has not settled a delivery for so long has died, and another one takes it. */
  lease: minute,
  /** Deliveries that a worker makes at a time, and those among them to one endpoint: a slow one does not hold up others. */
  batch: 50,
  batchOfEndpoint: 5,
  endpointsOfPartner: 10,
} as const

/** Pauses after the first attempts; the last one is that of all later ones. */
const pauses = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour]

/** When the next attempt is due after `attempts` failed ones; undefined after three days. */
export const nextAttempt = (attempts: number, dueFrom: number, now: number): number | undefined => {
  const next = now + (pauses[Math.min(attempts, pauses.length) - 1] ?? 0)
  return next <= dueFrom + webhookLimits.trying ? next : undefined
}

export const bodyOf = (type: EventType, data: EventData, now: number): string =>
  JSON.stringify({ type, timestamp: new Date(now).toISOString(), data })

/**
 * The headers of one attempt. `secrets`: 32 bytes each, one or, after a rotation, two. HMAC-SHA256 over id, time in seconds
 * and body, so that the same message is signed anew at each attempt.
 */
export const signedHeaders = (
  messageId: string,
  body: string,
  secrets: readonly Uint8Array[],
  now: number,
): Readonly<Record<string, string>> => {
  const timestamp = String(Math.floor(now / second))
  const message = utf8ToBytes(`${messageId}.${timestamp}.${body}`)
  return {
    'content-type': 'application/json',
    'webhook-id': messageId,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map((secret) => `v1,${base64.encode(hmac(sha256, secret, message))}`).join(' '),
  }
}

/** The text of a secret that its partner keeps. */
export const secretText = (secret: Uint8Array): string => `whsec_${base64.encode(secret)}`
