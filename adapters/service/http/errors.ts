/**
 * Refusals on the wire: a status, the sentence as plain text, and the tag in `x-error-code` (openapi/README.md#errors).
 * The contract has the statuses. A defect is 'internal error' and discloses nothing.
 */
import * as Cause from 'effect/Cause'
import * as Option from 'effect/Option'
import { errors, type ErrorCode } from '../../../generated/errors.ts'
import * as Header from '../../../domain/model/Header.ts'
import { DatabaseUnavailable } from '../database/Database.ts'
import { text, type HttpAnswer } from './message.ts'
import type { Refusal } from './handlers.ts'

/** A refusal that is not in the contract, or has another sentence there, does not compile. */
const documented = errors satisfies {
  readonly [Tag in Refusal['_tag']]: {
    readonly status: number
    readonly sentence: Extract<Refusal, { _tag: Tag }>['message']
  }
}

export type Answered = { readonly answer: HttpAnswer; readonly defect?: unknown }

/** The answer to a failed flow, and the defect to log, if it was one. */
export const answerTo = (cause: Cause.Cause<Refusal>): Answered => {
  const refusal = Option.getOrUndefined(Cause.findErrorOption(cause))
  if (refusal !== undefined) return { answer: refusalAnswer(refusal) }
  if (Cause.hasInterruptsOnly(cause)) return { answer: serverRefusals.Unavailable }
  const defect = Cause.squash(cause)
  const answer = defect instanceof DatabaseUnavailable ? serverRefusals.Unavailable : serverRefusals.InternalError
  return { answer, defect }
}

const refusalAnswer = (refusal: Refusal): HttpAnswer => {
  const { status } = documented[refusal._tag]
  return answer(refusal._tag, refusal.message, retryAfter(status, refusal))
}

const retryAfter = (status: number, refusal: Refusal): Readonly<Record<string, string>> => {
  if ('retryAfterMs' in refusal) return { 'retry-after': String(Math.ceil(refusal.retryAfterMs / 1000)) }
  return status === 503 ? { 'retry-after': '1' } : {}
}

const answer = (code: ErrorCode, body: string, headers: Readonly<Record<string, string>> = {}): HttpAnswer => ({
  status: errors[code].status,
  type: text,
  body,
  headers: { ...headers, [Header.errorCode]: code },
})

const asDocumented = (code: ErrorCode, headers?: Readonly<Record<string, string>>): HttpAnswer =>
  answer(code, errors[code].sentence, headers)

/** The refusals that no flow fails with. One of the contract that neither a flow nor the server has is missing here. */
export const serverRefusals = {
  BodyTooLarge: asDocumented('BodyTooLarge'),
  HeadersTooLarge: asDocumented('HeadersTooLarge'),
  InternalError: asDocumented('InternalError'),
  MalformedRequest: asDocumented('MalformedRequest'),
  RequestTooSlow: asDocumented('RequestTooSlow'),
  Unavailable: asDocumented('Unavailable', { 'retry-after': '1' }),
} satisfies { readonly [Code in Exclude<ErrorCode, Refusal['_tag']>]: HttpAnswer }

export const notFound = asDocumented('NotFound')
