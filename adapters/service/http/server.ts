/**
 * A listener: Fastify with the settings that all roles share. It knows nothing of the contract; pipeline.ts and pages.ts
 * add the routes.
 */
import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http'
import cors from '@fastify/cors'
import fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import qs from 'qs'
import * as Header from '../../../domain/model/Header.ts'
import type { Listener } from '../config.ts'
import { StartRefusal } from '../StartRefusal.ts'
import type { HttpAnswer } from './message.ts'
import { notFound, serverRefusals } from './errors.ts'

export type ServerOptions = {
  /** The role's name in logs and in errors about ports. */
  readonly role: string
  readonly log: Logger
  readonly trustedProxies: readonly string[]
  /** Whether pages of other origins may read the answers. */
  readonly crossOrigin: boolean
  /** Shorter in tests. */
  readonly sendingLimits?: SendingLimits | undefined
  /** The answer to an unknown address; by default the plain sentence. */
  readonly notFound?: ((request: FastifyRequest, reply: FastifyReply) => FastifyReply) | undefined
}

/** Frames are the largest bodies of the contract (openapi/README.md#frames). */
const bodyLimit = 256 * 1024

/** Against clients that send slowly: time for the headers and for the whole request, and how often both are looked at. */
export type SendingLimits = { readonly headersMs: number; readonly requestMs: number; readonly lookMs: number }
export const sendingLimits: SendingLimits = { headersMs: 10_000, requestMs: 15_000, lookMs: 500 }

/** How long a connection that is refused stays open for its client to read why. */
const lingerMs = 1_000

/** Longer than any id, so that the contract's validators refuse a long one and not the router. */
const maxParamLength = 512

export const makeServer = async (options: ServerOptions): Promise<FastifyInstance> => {
  const { role, log } = options
  const { headersMs, requestMs, lookMs } = options.sendingLimits ?? sendingLimits
  const answering = new WeakMap<object, ServerResponse>()
  const server = fastify({
    bodyLimit,
    requestTimeout: requestMs,
    http: { headersTimeout: headersMs, connectionsCheckingInterval: lookMs },
    exposeHeadRoutes: false,
    trustProxy: options.trustedProxies.length === 0 ? false : [...options.trustedProxies],
    routerOptions: { maxParamLength, querystringParser: parseQuery },
    frameworkErrors: (error, _request, reply) => void write(reply.headers(fieldsOfAll), requestError(error)),
    clientErrorHandler: ({ code }, socket) => {
      // An answer that has begun cannot become another one.
      const begun = answering.get(socket)
      if (!socket.writable || (begun?.headersSent === true && !begun.writableFinished)) return void socket.destroy()
      socket.end(onWire(connectionError(code), options.crossOrigin))
      setTimeout(() => socket.destroy(), lingerMs).unref()
    },
  })
  server.server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) =>
    answering.set(socket, response),
  )

  server.addHook('onRequest', (_request, reply, done) => {
    reply.headers(fieldsOfAll)
    done()
  })
  if (options.crossOrigin) await server.register(cors, crossOrigin)

  // The operation decides how a body is parsed, not its content type: public clients send forms without a body, and
  // beacons.
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))

  // Logs the route's template, never the address: ids, queries, headers and bodies do not belong in a log.
  server.addHook('onResponse', (request, reply, done) => {
    const path = request.routeOptions.url ?? 'unmatched'
    const ms = Math.round(reply.elapsedTime)
    log.info({ request: request.id, role, method: request.method, path, status: reply.statusCode, ms })
    done()
  })
  server.setNotFoundHandler(options.notFound ?? ((_request, reply) => write(reply, notFound)))
  server.setErrorHandler<FastifyError>((error, request, reply) => {
    const answer = requestError(error)
    if (answer === serverRefusals.InternalError) logDefect(log, request.id, error)
    return write(reply, answer)
  })
  return server
}

const fieldsOfAll = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }

/** Nested brackets as axios writes them: `ids[EMAIL][0]`. */
const parseQuery = (text: string) => ({ ...qs.parse(text, { depth: 3, arrayLimit: 100, parameterLimit: 1_000 }) })

/**
 * The methods and headers that public clients and the SDK use (openapi/README.md#sessions-and-headers). CORS allows any
 * origin; authorization decides which origin a call may come from.
 */
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

export const write = (reply: FastifyReply, { status, type, body, headers }: HttpAnswer): FastifyReply =>
  reply
    .code(status)
    .headers(headers)
    .type(type)
    .send(typeof body === 'string' ? body : Buffer.from(body))

/** Refusals of the server itself, before any operation. */
const requestError = (error: { readonly code?: string; readonly statusCode?: number | undefined }): HttpAnswer => {
  if (error.statusCode === 413) return serverRefusals.BodyTooLarge
  const isCallersFault = error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500
  return isCallersFault ? serverRefusals.MalformedRequest : serverRefusals.InternalError
}

/** Refusals of a request that cannot be read. */
const connectionError = (code: string): HttpAnswer => {
  if (code === 'HPE_HEADER_OVERFLOW') return serverRefusals.HeadersTooLarge
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? serverRefusals.RequestTooSlow : serverRefusals.MalformedRequest
}

/** The whole answer as text, where no reply exists. Its origin is not known, so that every page may read it. */
const onWire = ({ status, type, body, headers }: HttpAnswer, crossOrigin: boolean): string => {
  const fields = {
    ...fieldsOfAll,
    ...(crossOrigin ? { 'access-control-allow-origin': '*', 'access-control-expose-headers': Header.errorCode } : {}),
    ...headers,
    'content-type': type,
    'content-length': String(body.length),
    connection: 'close',
  }
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    ...Object.entries(fields).map(([name, value]) => `${name}: ${value}`),
  ]
  return `${head.join('\r\n')}\r\n\r\n${String(body)}`
}

/** Logs name, message and stack of a defect with the request's number, and nothing of the request. */
export const logDefect = (log: Logger, request: string, defect: unknown): void => {
  const error = defect instanceof Error ? defect : new Error('something was thrown that is no error')
  const cause = error.cause instanceof Error ? error.cause.message : undefined
  log.error({ request, error: error.name, cause, stack: error.stack }, error.message)
}

/** Listens, or throws a `StartRefusal`. Returns the port, which the system chooses for 0. */
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
