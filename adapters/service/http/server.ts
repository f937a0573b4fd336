/**
 * A listener: Fastify with the manners that every role shares. It knows nothing of the contract; `routes` adds what the
 * role answers.
 */
import cors from '@fastify/cors'
import fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import qs from 'qs'
import * as Header from '../../../domain/model/Header.ts'
import type { Listener } from '../config.ts'
import { StartRefusal } from '../StartRefusal.ts'
import type { Answer } from './Answer.ts'
import { internal, notFound, sentence } from './errors.ts'

export type ServerOptions = {
  /** As it is named in the log and in what is said about ports. */
  readonly role: string
  readonly log: Logger
  readonly trustedProxies: readonly string[]
  /** Whether pages of other origins may read the answers. */
  readonly crossOrigin: boolean
  /** What is answered where nothing is; the sentence, unless people look there. */
  readonly notFound?: ((request: FastifyRequest, reply: FastifyReply) => FastifyReply) | undefined
}

/** Frames are the largest bodies of the contract (flows 14). */
const bodyLimit = 256 * 1024

/** Slow clients (security 3.2): headers, then the whole request. */
const headersTimeoutMs = 10_000
const requestTimeoutMs = 15_000

/** Longer than any id, so that a long one is answered by the contract and not by the router. */
const maxParamLength = 512

export const makeServer = async (options: ServerOptions): Promise<FastifyInstance> => {
  const { role, log } = options
  const server = fastify({
    bodyLimit,
    requestTimeout: requestTimeoutMs,
    http: { headersTimeout: headersTimeoutMs },
    exposeHeadRoutes: false,
    trustProxy: options.trustedProxies.length === 0 ? false : [...options.trustedProxies],
    routerOptions: { maxParamLength, querystringParser: parseQuery },
    frameworkErrors: (error, _request, reply) => void write(reply, requestError(error)),
    clientErrorHandler: (_error, socket) => {
      if (socket.writable) socket.end('HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\nconnection: close\r\n\r\n')
    },
  })

  server.addHook('onRequest', (_request, reply, done) => {
    reply.header('cache-control', 'no-store').header('x-content-type-options', 'nosniff')
    done()
  })
  if (options.crossOrigin) await server.register(cors, crossOrigin)

  // Bodies are read by what the operation says, not by what their sender calls them (facts 0: body-less forms, beacons).
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))

  // The template, never the address: ids, queries, headers and bodies stay out of every log (security 1.2 C).
  server.addHook('onResponse', (request, reply, done) => {
    const path = request.routeOptions.url ?? 'unmatched'
    const ms = Math.round(reply.elapsedTime)
    log.info({ request: request.id, role, method: request.method, path, status: reply.statusCode, ms })
    done()
  })
  server.setNotFoundHandler(options.notFound ?? ((_request, reply) => write(reply, notFound)))
  server.setErrorHandler<FastifyError>((error, request, reply) => {
    const answer = requestError(error)
    if (answer === internal) logDefect(log, request.id, error)
    return write(reply, answer)
  })
  return server
}

/** Nested brackets as axios writes them: `ids[EMAIL][0]` (facts 0). */
const parseQuery = (text: string) => ({ ...qs.parse(text, { depth: 3, arrayLimit: 100, parameterLimit: 1_000 }) })

/** Exactly what browsers need of it (facts 0), with what ours adds. Any origin may ask; who may get an answer, authorization says. */
const crossOrigin = {
  origin: true,
  credentials: true,
  methods: ['GET', 'POST', 'PATCH', 'DELETE'],
  allowedHeaders: [
    'content-type',
    Header.session,
    Header.version,
    Header.partner,
    Header.apiKey,
    Header.device,
    Header.prefer,
    Header.idempotencyKey,
  ],
  exposedHeaders: [Header.session, Header.errorCode, 'retry-after'],
  maxAge: 600,
}

export const write = (reply: FastifyReply, { status, type, body, headers }: Answer): FastifyReply =>
  reply
    .code(status)
    .headers(headers)
    .type(type)
    .send(typeof body === 'string' ? body : Buffer.from(body))

/** What the server itself refuses, before any operation. */
const requestError = (error: { readonly code?: string; readonly statusCode?: number | undefined }): Answer => {
  if (error.statusCode === 413) return sentence(413, 'BodyTooLarge', 'request body is too large')
  const isCallersFault = error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500
  return isCallersFault ? sentence(400, 'MalformedRequest', 'malformed request') : internal
}

/** Name, sentence and stack of what went wrong, with the request's number; nothing of the request and no further field. */
export const logDefect = (log: Logger, request: string, defect: unknown): void => {
  const error = defect instanceof Error ? defect : new Error('something was thrown that is no error')
  const cause = error.cause instanceof Error ? error.cause.message : undefined
  log.error({ request, error: error.name, cause, stack: error.stack }, error.message)
}

/** Listens, or says in one sentence who cannot. Answers the port, which the system chose where 0 was asked. */
export const listen = async (server: FastifyInstance, role: string, { host, port }: Listener): Promise<number> => {
  try {
    await server.listen({ host, port })
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
    const why = code === 'EADDRINUSE' ? 'is taken' : `cannot be opened (${String(code)})`
    throw new StartRefusal({ message: `Port ${port}, on which the role ${role} listens, ${why}.` })
  }
  const address = server.server.address()
  return typeof address === 'object' && address !== null ? address.port : port
}
