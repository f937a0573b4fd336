/** The endpoints of a partner's server, and the delivery of messages to them (domain/service/README.md#webhooks). */
import * as Clock from 'effect/Clock'
import * as Data from 'effect/Data'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import { messageMac, newMessage } from './events.ts'
import { NotFound } from './NotFound.ts'
import { Audit } from './ports/Audit.ts'
import { Outbox, type Settlement } from './ports/Outbox.ts'
import { Partners } from './ports/Partners.ts'
import { SecureRandom } from './ports/SecureRandom.ts'
import { Transaction } from './ports/Transaction.ts'
import { Vault, type AssociatedData } from './ports/Vault.ts'
import { WebhookEndpoints } from './ports/WebhookEndpoints.ts'
import { WebhookSender } from './ports/WebhookSender.ts'
import {
  nextAttempt,
  secretText,
  signedHeaders,
  webhookLimits,
  type Delivery,
  type WebhookEndpoint,
} from './Webhook.ts'

/** An endpoint of the partner. Its secret, `whsec_…`, is shown only here. */
export const createEndpoint = Effect.fn('webhooks.createEndpoint')(function* (partnerId: string, url: string) {
  if (Option.isNone(yield* (yield* Partners).find(partnerId))) return yield* new NotFound()
  const reason = (yield* WebhookSender).refusalOf(url)
  if (reason !== undefined) return yield* new InvalidWebhookUrl({ reason })
  const endpoints = yield* WebhookEndpoints
  const id = yield* (yield* SecureRandom).uuid
  const { secret, sealed } = yield* newSecret({ id, partnerId }, 1)
  const now = yield* Clock.currentTimeMillis
  return yield* (yield* Transaction).atomically(
    Effect.gen(function* () {
      const live = (yield* endpoints.ofPartner(partnerId)).filter(({ disabledAt }) => disabledAt === null)
      if (live.length >= webhookLimits.endpointsOfPartner) return yield* new TooManyWebhooks()
      yield* endpoints.create({
        id,
        partnerId,
        url,
        secretNumber: 1,
        sealedSecret: sealed,
        sealedOldSecret: null,
        oldSecretUntil: null,
        createdAt: now,
        disabledAt: null,
      })
      yield* record('webhook.created', partnerId, id)
      return { id, secret: secretText(secret) }
    }),
  )
})

/** The partner's endpoints, with how many messages wait for each and have failed. */
export const listEndpoints = Effect.fn('webhooks.listEndpoints')(function* (partnerId: string) {
  if (Option.isNone(yield* (yield* Partners).find(partnerId))) return yield* new NotFound()
  const { countOf } = yield* Outbox
  return yield* Effect.forEach(
    yield* (yield* WebhookEndpoints).ofPartner(partnerId),
    Effect.fnUntraced(function* ({ id, url, createdAt, disabledAt }: WebhookEndpoint) {
      return { id, url, createdAt, disabledAt, ...(yield* countOf(id)) }
    }),
  )
})

/** A new secret, which is shown only here. For a day the old one signs, too. */
export const rotateSecret = Effect.fn('webhooks.rotateSecret')(function* (partnerId: string, id: string) {
  const endpoint = yield* endpointOf(partnerId, id)
  const { secret, sealed } = yield* newSecret(endpoint, endpoint.secretNumber + 1)
  const secrets = {
    sealedSecret: sealed,
    sealedOldSecret: endpoint.sealedSecret,
    oldSecretUntil: (yield* Clock.currentTimeMillis) + webhookLimits.bothSecrets,
  }
  yield* (yield* Transaction).atomically(
    Effect.gen(function* () {
      if (!(yield* (yield* WebhookEndpoints).rotate(id, endpoint.secretNumber, secrets)))
        return yield* new WebhookRotated()
      yield* record('webhook.secret rotated', partnerId, id)
    }),
  )
  return secretText(secret)
})

/** What waits for it has failed; what happens meanwhile is not kept for it. */
export const disableEndpoint = Effect.fn('webhooks.disableEndpoint')(function* (partnerId: string, id: string) {
  yield* endpointOf(partnerId, id)
  yield* disable(partnerId, id, 'the endpoint was disabled')
})

export const enableEndpoint = Effect.fn('webhooks.enableEndpoint')(function* (partnerId: string, id: string) {
  yield* endpointOf(partnerId, id)
  yield* (yield* Transaction).atomically(
    Effect.andThen((yield* WebhookEndpoints).setDisabled(id, null), record('webhook.enabled', partnerId, id)),
  )
})

/** A message `webhook.test` to this endpoint alone. Returns its id. */
export const testEndpoint = Effect.fn('webhooks.testEndpoint')(function* (partnerId: string, id: string) {
  yield* enabledEndpointOf(partnerId, id)
  const message = yield* newMessage(partnerId, 'webhook.test', { endpointId: id })
  yield* (yield* Outbox).addTo(id, message)
  return message.id
})

/** Sends one message of the last 30 days again under its id, or all that have failed. Says how many there are. */
export const resend = Effect.fn('webhooks.resend')(function* (partnerId: string, id: string, messageId?: string) {
  yield* enabledEndpointOf(partnerId, id)
  const now = yield* Clock.currentTimeMillis
  return yield* (yield* Outbox).resend({ endpointId: id, messageId, since: now - webhookLimits.kept, now })
})

/** One round of a worker: says how many deliveries it made, failed ones among them. */
export const deliverDue = Effect.fn('webhooks.deliverDue')(function* () {
  const now = yield* Clock.currentTimeMillis
  const leased = yield* (yield* Outbox).lease({
    now,
    until: now + webhookLimits.lease,
    limit: webhookLimits.batch,
    limitOfEndpoint: webhookLimits.batchOfEndpoint,
  })
  yield* Effect.forEach(leased, deliver, { concurrency: 'unbounded', discard: true })
  return leased.length
})

const deliver = Effect.fnUntraced(function* (delivery: Delivery) {
  const { settle } = yield* Outbox
  const endpoint = Option.getOrUndefined(yield* (yield* WebhookEndpoints).find(delivery.endpointId))
  if (endpoint === undefined || endpoint.disabledAt !== null)
    return yield* settle(delivery, { kind: 'failed', error: 'the endpoint is disabled' })
  const { messageId, body, mac } = delivery
  if (mac !== (yield* messageMac(endpoint.partnerId, messageId, body)))
    return yield* settle(delivery, { kind: 'failed', error: 'the message is not as it was written' })
  const now = yield* Clock.currentTimeMillis
  const headers = signedHeaders(messageId, body, yield* secretsOf(endpoint, now), now)
  const answer = yield* Effect.result((yield* WebhookSender).post(endpoint.url, headers, body))
  const error = answer._tag === 'Failure' ? answer.failure.reason : errorOf(answer.success)
  if (error === undefined) return yield* settle(delivery, { kind: 'delivered' })
  if (answer._tag === 'Success' && answer.success === gone)
    return yield* disable(endpoint.partnerId, endpoint.id, 'the server answered 410')
  yield* settle(delivery, after(delivery, yield* Clock.currentTimeMillis, error))
})

/** The server wants no more messages at this address. */
const gone = 410

const errorOf = (status: number): string | undefined =>
  status >= 200 && status < 300 ? undefined : `the server answered ${status}`

const after = ({ attempts, dueFrom }: Delivery, now: number, error: string): Settlement => {
  const at = nextAttempt(attempts, dueFrom, now)
  return at === undefined ? { kind: 'failed', error } : { kind: 'again', at, error }
}

/** Deletes messages that cannot be sent again any more. Upkeep schedules it. */
export const sweep = Effect.fn('webhooks.sweep')(function* (limit: number) {
  return yield* (yield* Outbox).sweep((yield* Clock.currentTimeMillis) - webhookLimits.kept, limit)
})

const disable = Effect.fnUntraced(function* (partnerId: string, id: string, error: string) {
  const now = yield* Clock.currentTimeMillis
  yield* (yield* Transaction).atomically(
    Effect.gen(function* () {
      yield* (yield* WebhookEndpoints).setDisabled(id, now)
      yield* (yield* Outbox).failAll(id, error)
      yield* record('webhook.disabled', partnerId, id)
    }),
  )
})

const endpointOf = Effect.fnUntraced(function* (partnerId: string, id: string) {
  const found = Option.getOrUndefined(yield* (yield* WebhookEndpoints).find(id))
  return found?.partnerId === partnerId ? found : yield* new NotFound()
})

const enabledEndpointOf = Effect.fnUntraced(function* (partnerId: string, id: string) {
  const endpoint = yield* endpointOf(partnerId, id)
  return endpoint.disabledAt === null ? endpoint : yield* new WebhookDisabled()
})

/** The secrets that sign now, the present one first. */
const secretsOf = Effect.fnUntraced(function* (endpoint: WebhookEndpoint, now: number) {
  const { open } = yield* Vault
  const { secretNumber, sealedSecret, sealedOldSecret, oldSecretUntil } = endpoint
  const present = yield* Effect.orDie(open(webhookSecretAssociatedData(endpoint, secretNumber), sealedSecret))
  if (sealedOldSecret === null || now >= (oldSecretUntil ?? 0)) return [present]
  return [present, yield* Effect.orDie(open(webhookSecretAssociatedData(endpoint, secretNumber - 1), sealedOldSecret))]
})

const newSecret = Effect.fnUntraced(function* (of: Owned, number: number) {
  const secret = yield* (yield* SecureRandom).bytes(32)
  return { secret, sealed: yield* (yield* Vault).seal(webhookSecretAssociatedData(of, number), secret) }
})

type Owned = Pick<WebhookEndpoint, 'id' | 'partnerId'>

/** `number`: of the secret, which counts those of an endpoint. */
export const webhookSecretAssociatedData = ({ id, partnerId }: Owned, number: number): AssociatedData => ({
  table: 'webhook_endpoints',
  id: `${partnerId}.${id}`,
  epoch: number,
})

const record = (event: string, partnerId: string, subject: string) =>
  Effect.flatMap(Audit, (audit) => audit.record({ event, partnerId, subject }))

/** Not an address to which messages can be sent. */
export class InvalidWebhookUrl extends Data.TaggedError('InvalidWebhookUrl')<{ readonly reason: string }> {
  override readonly message = `webhook address ${this.reason}`
}

export class TooManyWebhooks extends Data.TaggedError('TooManyWebhooks') {
  override readonly message = `a partner has at most ${webhookLimits.endpointsOfPartner} webhook endpoints`
}

export class WebhookDisabled extends Data.TaggedError('WebhookDisabled') {
  override readonly message = 'webhook endpoint is disabled'
}

/** Another one rotated the secret at the same time. */
export class WebhookRotated extends Data.TaggedError('WebhookRotated') {
  override readonly message = 'webhook secret was rotated meanwhile'
}
