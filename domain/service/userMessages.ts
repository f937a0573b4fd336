/** The outbox of mails and SMS (domain/service/README.md#mails-and-sms): what flows write, and its delivery. */
import { utf8 } from '@scure/base'
import * as Clock from 'effect/Clock'
import * as Effect from 'effect/Effect'
import * as Result from 'effect/Result'
import * as Identity from '../model/Identity.ts'
import { Failpoints } from './ports/Failpoints.ts'
import { Mail, NotSent } from './ports/Mail.ts'
import { SecureRandom } from './ports/SecureRandom.ts'
import { Sms } from './ports/Sms.ts'
import { UserMessages } from './ports/UserMessages.ts'
import { Vault, type AssociatedData } from './ports/Vault.ts'
import { nextAttempt, userMessageLimits, type Channel, type LeasedMessage } from './UserMessage.ts'

export type Told = { readonly subject: string; readonly text: string }

/** What a row holds. */
type Content = Told & {
  readonly to: string
  readonly code?: string | undefined
  readonly isSent: boolean
}

/**
 * Tells an identity something, in the surrounding transaction: it is sent if that commits, and not otherwise. Without
 * effect for an identity that is neither an e-mail address nor a phone number. `insteadOfCodeOf`: a session whose code
 * is not valid any more.
 */
export const sendNotice = Effect.fnUntraced(function* (
  identity: Identity.Identity,
  told: Told,
  insteadOfCodeOf?: string,
) {
  const expiresAt = (yield* Clock.currentTimeMillis) + userMessageLimits.noticeLife
  yield* write(identity, { ...told, isSent: true }, { instead: insteadOfCodeOf, codeOf: undefined, expiresAt })
})

/**
 * The same for the session's code, which takes the place of the one before. `isSent`: false for an address that is to
 * get nothing; a row is written all the same, so that the time which the answer takes does not tell.
 */
export const sendCode = Effect.fnUntraced(function* (
  sessionId: string,
  identity: Identity.Identity,
  told: Told & { readonly code: string; readonly expiresAt: number; readonly isSent: boolean },
) {
  const { expiresAt, ...content } = told
  yield* write(identity, content, { instead: sessionId, codeOf: sessionId, expiresAt })
})

type Kept = {
  readonly instead: string | undefined
  readonly codeOf: string | undefined
  readonly expiresAt: number
}

const write = Effect.fnUntraced(function* (
  identity: Identity.Identity,
  content: Omit<Content, 'to'>,
  { instead, codeOf, expiresAt }: Kept,
) {
  const channel = channelOf(identity)
  if (channel === undefined) return
  const id = yield* (yield* SecureRandom).uuid
  const text = JSON.stringify({ ...content, to: Identity.value(identity) } satisfies Content)
  const sealed = yield* (yield* Vault).seal(userMessageAssociatedData(id), utf8.decode(text))
  const now = yield* Clock.currentTimeMillis
  yield* (yield* UserMessages).add({ id, channel, codeOf, sealed, now, expiresAt }, instead)
})

const channelOf = ({ kind }: Identity.Identity): Channel | undefined => {
  if (kind === 'email') return 'mail'
  return kind === 'phone' ? 'sms' : undefined
}

/** One round of a worker: says how many messages it took. */
export const deliverDue = Effect.fn('userMessages.deliverDue')(function* (channel: Channel) {
  const now = yield* Clock.currentTimeMillis
  const { lease, batch } = userMessageLimits
  const leased = yield* (yield* UserMessages).lease({ channel, now, until: now + lease, limit: batch })
  yield* Effect.forEach(leased, deliver, { concurrency: 'unbounded', discard: true })
  return leased.length
})

const deliver = Effect.fnUntraced(function* (message: LeasedMessage) {
  const { remove, postpone } = yield* UserMessages
  const { channel, attempts, expiresAt } = message
  if ((yield* Clock.currentTimeMillis) >= expiresAt) return yield* remove(message)
  const failpoints = yield* Failpoints
  yield* failpoints.reach('userMessages.deliver.before')
  const sent = yield* Effect.result(Effect.flatMap(openMessage(message), (content) => handOver(channel, content)))
  yield* failpoints.reach('userMessages.deliver.after')
  if (Result.isSuccess(sent)) return yield* remove(message)
  const { reason, isFinal } = sent.failure
  const next = isFinal ? undefined : nextAttempt(attempts, yield* Clock.currentTimeMillis, expiresAt)
  const what = next === undefined ? 'is given up' : 'is tried again'
  yield* Effect.logWarning(`a message by ${channel} was not sent and ${what}: ${reason}`)
  yield* next === undefined ? remove(message) : postpone(message, next)
})

const handOver = Effect.fnUntraced(function* (channel: Channel, { to, subject, text, code, isSent }: Content) {
  if (!isSent) return
  const sending =
    channel === 'mail' ? (yield* Mail).send({ to, subject, text, code }) : (yield* Sms).send({ to, text, code })
  yield* Effect.timeoutOrElse(sending, {
    duration: userMessageLimits.attempt,
    orElse: () => Effect.fail(new NotSent({ reason: 'the provider took too long', isFinal: false })),
  })
})

/** What a row tells, and to what address. Another process may seal under a key that this one has not read yet. */
export const openMessage = Effect.fnUntraced(function* ({ id, sealed }: Pick<LeasedMessage, 'id' | 'sealed'>) {
  const opened = yield* Effect.mapError(
    (yield* Vault).open(userMessageAssociatedData(id), sealed),
    ({ message }) => new NotSent({ reason: message, isFinal: false }),
  )
  // What opens was sealed by `write`.
  return JSON.parse(utf8.encode(opened)) as Content
})

/** Deletes messages that are too old to be sent. Upkeep schedules it. */
export const sweep = Effect.fn('userMessages.sweep')(function* (limit: number) {
  return yield* (yield* UserMessages).sweep(yield* Clock.currentTimeMillis, limit)
})

export const userMessageAssociatedData = (id: string): AssociatedData => ({ table: 'user_messages', id })
