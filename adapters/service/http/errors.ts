/**
 * Refusals on the wire: a status, the sentence as plain text, and the tag in `x-error-code` (design 8.1). The table is
 * total over whatever a handler may refuse with. A defect is 'internal error' and nothing more.
 */
import * as Cause from 'effect/Cause'
import * as Option from 'effect/Option'
import * as Header from '../../../domain/model/Header.ts'
import { DatabaseUnavailable } from '../database/Database.ts'
import { text, type Answer } from './Answer.ts'
import type { Refusal } from './handlers.ts'
import { identityStatuses } from './statuses/identity.ts'
import { walletStatuses } from './statuses/wallets.ts'

const statuses = {
  ...identityStatuses,
  ...walletStatuses,
  ApiKeyRequired: 401,
  BroadcastRefused: 400,
  ChainNotConfigured: 400,
  ChainUnavailable: 503,
  DeviceSignatureRequired: 403,
  IdempotencyKeyReused: 422,
  InvalidAuthObject: 400,
  InvalidRequest: 400,
  InvalidTransaction: 400,
  NoSignedInUser: 401,
  NotBuilt: 501,
  NotFound: 404,
  OriginNotAllowed: 403,
  RequestStillRunning: 503,
  StaticFileUnavailable: 503,
  TooManyAttempts: 429,
} as const satisfies { readonly [Tag in Refusal['_tag']]: number }

export type Answered = { readonly answer: Answer; readonly defect?: unknown }

/** The answer to a failed flow, and the defect that has to be logged, if it was one. */
export const answerTo = (cause: Cause.Cause<Refusal>): Answered => {
  const refusal = Option.getOrUndefined(Cause.findErrorOption(cause))
  if (refusal !== undefined) return { answer: refusalAnswer(refusal) }
  if (Cause.hasInterruptsOnly(cause)) return { answer: unavailable }
  const defect = Cause.squash(cause)
  return defect instanceof DatabaseUnavailable ? { answer: unavailable, defect } : { answer: internal, defect }
}

const refusalAnswer = (refusal: Refusal): Answer => {
  const status = statuses[refusal._tag]
  return sentence(status, refusal._tag, refusal.message, retryAfter(status, refusal))
}

const retryAfter = (status: number, refusal: Refusal): Readonly<Record<string, string>> => {
  if ('retryAfterMs' in refusal) return { 'retry-after': String(Math.ceil(refusal.retryAfterMs / 1000)) }
  return status === 503 ? { 'retry-after': '1' } : {}
}

export const sentence = (
  status: number,
  code: string,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): Answer => ({ status, type: text, body, headers: { ...headers, [Header.errorCode]: code } })

export const notFound = sentence(404, 'NotFound', 'not found')
export const internal = sentence(500, 'InternalError', 'internal error')
export const unavailable = sentence(503, 'Unavailable', 'service unavailable', { 'retry-after': '1' })
