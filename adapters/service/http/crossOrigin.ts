/**
 * CORS: which pages may read an answer (openapi/README.md#pages-of-other-origins). An allowed origin is named back, with
 * credentials, because the public client asks with them. Any other page may read why it is refused and nothing else, and only
 * if it asks without credentials.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import * as Header from '../../../domain/model/Header.ts'
import { OriginNotAllowed } from '../../../domain/service/partners.ts'
import { text, type HttpAnswer } from './message.ts'

export type CrossOrigin = {
  /** Whether the page of a request that names no partner is any partner's, or ours. */
  readonly isPageOfAny: (origin: string) => Promise<boolean>
}

const allow = 'access-control-allow'

/** An allowed preflight is remembered, because the call that follows is judged by itself; two hours are Chromium's limit. */
const preflightSeconds = 7_200

const asked = {
  [`${allow}-methods`]: 'GET, POST, PATCH, DELETE',
  [`${allow}-headers`]: [
    'content-type',
    Header.session,
    Header.version,
    Header.partner,
    Header.apiKey,
    Header.device,
    Header.prefer,
    Header.idempotencyKey,
  ].join(', '),
}

const namedBack = (origin: string) => ({ [`${allow}-origin`]: origin, [`${allow}-credentials`]: 'true' })

const exposed = { 'access-control-expose-headers': [Header.session, Header.errorCode, 'retry-after'].join(', ') }

/** What every page may read: a refusal, without credentials. */
export const refusalFields = { [`${allow}-origin`]: '*', 'access-control-expose-headers': Header.errorCode }

/** The origin as the request names it; undefined for servers. */
export const originIn = ({ headers }: FastifyRequest): string | undefined => headers.origin || undefined

/** `isAllowed`: whether the page is one of the partner's whose key came; without a partner, whether it is any partner's. */
export const readableBy = async (
  { isPageOfAny }: CrossOrigin,
  origin: string | undefined,
  answer: HttpAnswer,
  isAllowed?: boolean,
): Promise<HttpAnswer> => {
  if (origin === undefined) return answer
  if (isAllowed ?? (await isPageOfAny(origin)))
    return { ...answer, headers: { ...answer.headers, ...namedBack(origin), ...exposed } }
  return answer.status < 400 ? answer : { ...answer, headers: { ...answer.headers, ...refusalFields } }
}

/**
 * Answers a preflight; false if the request is none. One of an unknown origin passes for calls without credentials, so that the
 * call is made, and its page can read the refusal.
 */
export const answersPreflight = async (
  { isPageOfAny }: CrossOrigin,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<boolean> => {
  const origin = originIn(request)
  if (request.method !== 'OPTIONS' || origin === undefined) return false
  if (request.headers['access-control-request-method'] === undefined) return false
  if (await isPageOfAny(origin)) {
    const fields = { ...namedBack(origin), ...asked, 'access-control-max-age': String(preflightSeconds) }
    reply.code(204).headers(fields).send()
  } else {
    const { _tag, message } = new OriginNotAllowed()
    const fields = { ...refusalFields, ...asked, [Header.errorCode]: _tag }
    reply.code(200).headers(fields).type(text).send(message)
  }
  return true
}
