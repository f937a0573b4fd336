/**
 * A listener: Fastify with the settings that all roles share. It knows nothing of the contract; pipeline.ts and pages.ts
 * add the routes.
 */
import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http'
import fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import qs from 'qs'
import type { Listener } from '../config.ts'
import { errorOf, fieldsOf } from '../flowLog.ts'
import { StartRefusal } from '../StartRefusal.ts'
import { answersPreflight, originIn, readableBy, refusalFields, type CrossOrigin } from './crossOrigin.ts'
import { notFound, serverRefusals } from './errors.ts'
import type { HttpAnswer } from './message.ts'

export type ServerOptions = {
  /** The role's name in logs and in errors about ports. */
  readonly role: string
  readonly log: Logger
  readonly trustedProxies: readonly string[]
  /** Which pages of other origins may read the answers; undefined for none. */
  readonly crossOrigin?: CrossOrigin | undefined
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
  const { role, log, crossOrigin } = options
  const { headersMs, requestMs, lookMs } = options.sendingLimits ?? sendingLimits
  /** Sets the fields of all answers, and answers preflights, which need no route. */
  const isAnsweredAtOnce = async (request: FastifyRequest, reply: FastifyReply): Promise<boolean> => {
    reply.headers(fieldsOfAll)
    if (crossOrigin === undefined) return false
    reply.header('vary', 'origin')
    return answersPreflight(crossOrigin, request, reply)
  }
  /** What the server itself answers, before it is known whose key came. */
  const refuse = async (request: FastifyRequest, reply: FastifyReply, answer: HttpAnswer): Promise<FastifyReply> =>
    write(reply, crossOrigin === undefined ? answer : await readableBy(crossOrigin, originIn(request), answer))
  const unroutable = async (request: FastifyRequest, reply: FastifyReply, answer: HttpAnswer): Promise<void> => {
    if (!(await isAnsweredAtOnce(request, reply))) await refuse(request, reply, answer)
  }
  const answering = new WeakMap<object, ServerResponse>()
  const server = fastify({
    bodyLimit,
    requestTimeout: requestMs,
    http: { headersTimeout: headersMs, connectionsCheckingInterval: lookMs },
    exposeHeadRoutes: false,
    trustProxy: options.trustedProxies.length === 0 ? false : [...options.trustedProxies],
    routerOptions: { maxParamLength, querystringParser: parseQuery },
    frameworkErrors: (error, request, reply) => void unroutable(request, reply, requestError(error)),
    clientErrorHandler: ({ code }, socket) => {
      // An answer that has begun cannot become another one.
      const sent = answering.get(socket)
      if (!socket.writable || (sent?.headersSent === true && !sent.writableFinished)) return void socket.destroy()
      socket.end(onWire(connectionError(code), crossOrigin !== undefined))
      setTimeout(() => socket.destroy(), lingerMs).unref()
    },
  })
  server.server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) =>
    answering.set(socket, response),
  )

  server.addHook('onRequest', async (request, reply) => ((await isAnsweredAtOnce(request, reply)) ? reply : undefined))

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
  server.setNotFoundHandler(options.notFound ?? ((request, reply) => refuse(request, reply, notFound)))
  server.setErrorHandler<FastifyError>((error, request, reply) => {
    const answer = requestError(error)
    if (answer === serverRefusals.InternalError) logDefect(log, request.id, error)
    return refuse(request, reply, answer)
  })
  return server
}

const fieldsOfAll = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }

/** Nested brackets as axios writes them: `ids[EMAIL][0]`. */
const parseQuery = (text: string) => ({ ...qs.parse(text, { depth: 3, arrayLimit: 100, parameterLimit: 1_000 }) })

export const write = (reply: FastifyReply, { status, type, body, headers }: HttpAnswer): FastifyReply =>
  reply
    .code(status)
    .headers(headers)
    .type(type)
    .send(typeof body === 'string' ? body : Buffer.from(body))

/** Refusals of the server itself, before any operation. */
export const requestError = (error: {
  readonly code?: string
  readonly statusCode?: number | undefined
}): HttpAnswer => {
  if (error.statusCode === 413) return serverRefusals.BodyTooLarge
  const isCallersFault = error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500
  return isCallersFault ? serverRefusals.MalformedRequest : serverRefusals.InternalError
}

/** Refusals of a request that cannot be read. */
const connectionError = (code: string): HttpAnswer => {
  if (code === 'HPE_HEADER_OVERFLOW') return serverRefusals.HeadersTooLarge
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? serverRefusals.RequestTooSlow : serverRefusals.MalformedRequest
}

/** The whole answer as text, where no reply exists. Its origin is not known: every page may read it as a refusal. */
const onWire = ({ status, type, body, headers }: HttpAnswer, crossOrigin: boolean): string => {
  const fields = {
    ...fieldsOfAll,
    ...(crossOrigin ? refusalFields : {}),
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
  const error = errorOf(defect)
  log.error({ request, ...fieldsOf(error) }, error.message)
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
