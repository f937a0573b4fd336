/**
 * A request's stages in their order: its route, its caller, whether the caller may, its form by the contract, the
 * handler's flow, and the answer. Every operation of the contract passes here; handlers.ts says which flow answers it.
 */
import * as Clock from 'effect/Clock'
import * as Context from 'effect/Context'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import * as Option from 'effect/Option'
import { TracerEnabled } from 'effect/References'
import * as Redacted from 'effect/Redacted'
import * as Result from 'effect/Result'
import * as Schema from 'effect/Schema'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import * as v from 'valibot'
import type { Input, Success } from '../../../generated/handlers.ts'
import { operations, type Operation, type OperationId } from '../../../generated/operations.ts'
import { validators } from '../../../generated/validators.ts'
import * as DeviceKey from '../../../domain/crypto/DeviceKey.ts'
import { fromHex } from '../../../domain/crypto/Hex.ts'
import * as Header from '../../../domain/model/Header.ts'
import { InvalidAuthObject } from '../../../domain/model/Identity.ts'
import { authorize } from '../../../domain/service/authorization.ts'
import { Caller } from '../../../domain/service/Caller.ts'
import { once } from '../../../domain/service/idempotency.ts'
import { NotFound } from '../../../domain/service/NotFound.ts'
import { isOurPageFor, isPageOf, portalOrigins } from '../../../domain/service/Partner.ts'
import * as partners from '../../../domain/service/partners.ts'
import * as portalSessions from '../../../domain/service/portalSessions.ts'
import { Deployment } from '../../../domain/service/ports/Deployment.ts'
import type { ProcessLimits } from '../../../domain/service/ports/ProcessLimits.ts'
import { Reply } from '../../../domain/service/ports/Reply.ts'
import { Signatures } from '../../../domain/service/ports/Signatures.ts'
import { admit } from '../../../domain/service/rates.ts'
import * as recoveries from '../../../domain/service/recoveries.ts'
import type { SessionRecord } from '../../../domain/service/Session.ts'
import * as sessions from '../../../domain/service/sessions.ts'
import { reader } from '../../../domain/service/Stored.ts'
import { maximumWaitSeconds } from '../../../domain/service/waiting.ts'
import { originIn, readableBy, type CrossOrigin } from './crossOrigin.ts'
import { answerTo, type Answered } from './errors.ts'
import { handlers, type Refusal, type Services } from './handlers.ts'
import { headerOf, InvalidRequest, json, type HttpAnswer, type RawRequest } from './message.ts'
import { networksBy, type Prefixes } from './network.ts'
import { logDefect, requestError, write } from './server.ts'
import * as sessionCookie from './sessionCookie.ts'

export type RouterOptions = {
  readonly listener: Operation['listener']
  readonly networks: Prefixes
  /** Which pages of other origins may read the answers; undefined for none. */
  readonly crossOrigin: CrossOrigin | undefined
  readonly services: Context.Context<Services | ProcessLimits>
  readonly log: Logger
  /** Aborted when the process stops; ends requests that still wait. */
  readonly stopping: AbortSignal
  /** Called with every answer before it is written. */
  readonly observe?: ((id: OperationId, answer: HttpAnswer) => void) | undefined
}

/** The routes of a role, from the contract. Each request runs on the process's runtime. */
export const addRoutes = (
  server: FastifyInstance,
  { listener, networks, crossOrigin, services, log, stopping, observe }: RouterOptions,
): void => {
  const networkOf = networksBy(networks)
  // No tracer takes spans, and making them costs a fifth of a signature's time.
  const run = Effect.runPromiseExitWith(Context.add(services, TracerEnabled, false))
  for (const [id, operation] of Object.entries(operations) as [OperationId, Operation][]) {
    if (operation.listener !== listener) continue
    server.route({
      method: operation.method,
      url: operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      handler: async (request, reply) => {
        const exit = await run(handle(id, rawRequest(request, reply, networkOf(request.ip))), { signal: stopping })
        const { answer, defect, isAllowed }: Judged = Exit.isSuccess(exit) ? exit.value : answerTo(exit.cause)
        if (defect !== undefined) logDefect(log, request.id, defect)
        observe?.(id, answer)
        if (crossOrigin === undefined) return write(reply, answer)
        return write(reply, await readableBy(crossOrigin, originIn(request), answer, isAllowed))
      },
      // The server answers what it refuses on the way to the handler.
      errorHandler: (error) => {
        observe?.(id, requestError(error))
        throw error
      },
    })
  }
}

const rawRequest = (request: FastifyRequest, { raw }: FastifyReply, network: string): RawRequest => ({
  method: request.method,
  target: request.raw.url ?? '',
  path: request.params as Readonly<Record<string, string>>,
  query: request.query,
  headers: request.headers,
  body: request.body instanceof Uint8Array ? request.body : new Uint8Array(0),
  network,
  left: Effect.callback((resume) => {
    if (raw.destroyed) return resume(Effect.void)
    raw.once('close', () => resume(Effect.void))
  }),
})

/** The table as it is called here. */
type Flows = {
  readonly [Id in OperationId]: (input: Input<Id>) => Effect.Effect<Success<Id>, Refusal, Services | Caller | Reply>
}

const flows: Flows = handlers

const flowOf = <Id extends OperationId>(id: Id, input: Input<Id>) => flows[id](input)

/** `isAllowed`: whether the page that asked is one of the caller's partner; undefined where none is known. */
type Judged = Answered & { readonly isAllowed?: boolean | undefined }

/** Before a login. What they find of an account must not show in the time of their answer; a refusal depends on none. */
const asksAboutAccounts: ReadonlySet<OperationId> = new Set([
  'checkUserExists',
  'getSupportedAuthMethods',
  'getPasskeyLocationHints',
  'getPasskeyChallenge',
  'listPasswords',
])

/** Well above what such an answer takes: a record that is found and read takes tens of microseconds more than none. */
const evenMs = 25

const evenly = <A, E, R>(answering: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.map(Effect.all([answering, Effect.sleep(evenMs)], { concurrency: 'unbounded' }), ([answer]) => answer)

/** The stages after the route, and who may read how they ended. */
const handle = Effect.fnUntraced(function* (id: OperationId, request: RawRequest) {
  const caller = yield* callerOf(request)
  const { partner, origin } = caller
  const answering = respond(id, request, caller)
  const answered = yield* (asksAboutAccounts.has(id) ? evenly(answering) : answering).pipe(
    Effect.map((answer): Answered => ({ answer })),
    Effect.catchCause((cause) => Effect.succeed(answerTo(cause))),
  )
  if (partner === undefined || origin === undefined) return answered
  const deployment = yield* Deployment
  const isAllowed = isPageOf(partner, origin, deployment)
  const isApps = isAllowed && !isOurPageFor(partner, origin, deployment)
  const owner = { partnerId: partner.id, environment: deployment.environment }
  const judged: Judged = {
    ...answered,
    answer: isApps ? withCookie(id, answered.answer, owner) : answered.answer,
    isAllowed,
  }
  return judged
})

/** A token that an app's page is given is in its cookie, too, until the page logs out. */
const withCookie = (id: OperationId, answer: HttpAnswer, owner: sessionCookie.Owner): HttpAnswer => {
  const token = answer.headers[Header.session]
  const isOver = id === 'logout' && answer.status === 200
  if (token === undefined && !isOver) return answer
  const cookie = token === undefined ? sessionCookie.clear(owner) : sessionCookie.set(token, owner)
  return { ...answer, headers: { ...answer.headers, 'set-cookie': cookie } }
}

/** From the caller to the operation's answer. */
export const respond = Effect.fnUntraced(function* (id: OperationId, request: RawRequest, caller: Caller) {
  let token: string | undefined
  const reply = Reply.of({
    setSessionToken: (given) =>
      Effect.sync(() => {
        token = given
      }),
  })
  const answered = Effect.gen(function* () {
    yield* admit(id)
    yield* authorize(id, request.path['userId'])
    const input = yield* Effect.fromResult(inputOf(id, request))
    const flow = Effect.map(flowOf(id, input), (success) => answerOf(id, success))
    const key = takesIdempotencyKey(input) ? caller.idempotencyKey : undefined
    const answer = yield* key === undefined ? flow : repeated(id, key, request, flow)
    return token === undefined ? answer : { ...answer, headers: { [Header.session]: token } }
  })
  return yield* answered.pipe(Effect.provideService(Caller, caller), Effect.provideService(Reply, reply))
})

// The caller.

/** From the request's headers: API key, session token and device signature (domain/service/README.md#callers-and-sessions). */
export const callerOf = Effect.fnUntraced(function* (request: RawRequest) {
  const key = yield* lookUp(headerOf(request, Header.apiKey), partners.fromKey)
  const token = headerOf(request, Header.session) ?? (yield* tokenOfCookie(request, key?.partner.id))
  const named = headerOf(request, Header.partner)
  const isOfPartner = ({ partnerId }: { readonly partnerId: string }) =>
    (key === undefined || key.partner.id === partnerId) && (named === undefined || named === partnerId)

  // A session token is ignored when its partner is not the API key's.
  const ownOf = <A extends { readonly partnerId: string }, R>(
    find: (text: string) => Effect.Effect<Option.Option<A>, never, R>,
  ) => lookUp(token, (text) => Effect.map(find(text), Option.filter(isOfPartner)))
  const origin = headerOf(request, 'origin')
  const { portalOrigin } = yield* Deployment
  // Tokens do not tell of which kind they are. A portal's page shows one of a portal session, so that is looked for first.
  const isPortals = key !== undefined && portalOrigins(key.partner, portalOrigin).includes(origin ?? '')
  const first = isPortals ? yield* ownOf(portalSessions.fromToken) : undefined
  const session = first === undefined ? yield* ownOf(sessions.fromToken) : undefined
  const portal = session === undefined && !isPortals ? yield* ownOf(portalSessions.fromToken) : first
  // A live session has a recovery if it is VERIFIED. A token of no live session may belong to a finished recovery.
  const recovery =
    session === undefined
      ? portal === undefined
        ? yield* lookUp(token, recoveries.finishedBy)
        : undefined
      : yield* recoveries.readyOf(session)
  const partnerId = session?.partnerId ?? portal?.partnerId
  const caller: Caller = {
    partner: key?.partner ?? (partnerId === undefined ? undefined : yield* partners.find(partnerId)),
    apiKey: key !== undefined,
    secretKey: key?.kind === 'secret',
    session,
    portal,
    recovery,
    token: token === undefined ? undefined : Redacted.make(token, { label: 'session token' }),
    origin,
    device: session !== undefined && (yield* isSignedBy(session, request)),
    idempotencyKey: headerOf(request, Header.idempotencyKey),
    waitSeconds: waitSecondsOf(headerOf(request, Header.prefer)),
    network: request.network,
    left: request.left,
  }
  return caller
})

/** Where no token is in the header: that of the session cookie, if the page may use it. */
const tokenOfCookie = Effect.fnUntraced(function* (request: RawRequest, partnerId: string | undefined) {
  const [cookies, origin] = [headerOf(request, 'cookie'), headerOf(request, 'origin')]
  if (partnerId === undefined || cookies === undefined || origin === undefined) return undefined
  const { environment } = yield* Deployment
  const token = sessionCookie.read(cookies, { partnerId, environment })
  const session = yield* lookUp(token, (text) => sessions.fromCookie(text, { partnerId, origin }))
  return session === undefined ? undefined : token
})

const lookUp = <A, R>(text: string | undefined, find: (text: string) => Effect.Effect<Option.Option<A>, never, R>) =>
  text === undefined ? Effect.succeed(undefined) : Effect.map(find(text), Option.getOrUndefined)

/**
 * Whether the session's device key signed this request as received, within the allowed time
 * (openapi/README.md#device-signatures).
 */
const isSignedBy = Effect.fnUntraced(function* (session: SessionRecord, request: RawRequest) {
  const header = DeviceKey.parseHeader(headerOf(request, Header.device) ?? '')
  const key = session.devicePublicKey === null ? undefined : fromHex(session.devicePublicKey, DeviceKey.publicKeyLength)
  if (header === undefined || key === undefined) return false
  const { method, target, body } = request
  const signed = { method, target, sessionId: session.id, body }
  const { p256 } = yield* Signatures
  return Result.isSuccess(DeviceKey.checkRequest(header, key, signed, yield* Clock.currentTimeMillis, p256))
})

/** RFC 7240: preferences are separated by commas; only `wait` is supported. */
const waitSecondsOf = (prefer: string | undefined): number => {
  const [, seconds = '0'] = /(?:^|[,;\s])wait=([0-9]{1,4})(?:[,;\s]|$)/i.exec(prefer ?? '') ?? []
  return Math.min(Number(seconds), maximumWaitSeconds)
}

// The request's form.

/** Fields that identify a person, in any part of a request. */
const identityFields: readonly string[] = [
  'email',
  'phone',
  'countryCode',
  'farcasterUsername',
  'telegramUserId',
  'externalWalletAddress',
]

/** The request's parts validated against the contract, or the refusal of the first invalid one. */
const inputOf = <Id extends OperationId>(
  id: Id,
  { path, query, headers: header, body: bytes }: RawRequest,
): Result.Result<Input<Id>, InvalidRequest | InvalidAuthObject | NotFound> => {
  const operation: Operation = operations[id]
  // No stored id has such a text, and a refusal that names it would have more than a line.
  if (!isStorable(path) || Object.values(path).some(hasControls)) return Result.fail(new NotFound())
  const raw = { path, query, header, body: operation.binary ? bytes : parseJson(bytes) }
  // Drops what the operation does not name, readable or not.
  const parsed = v.safeParse(validators[id].request, raw)
  if (!parsed.success) return Result.fail(refusalOf(parsed.issues))
  if (!isStorable(fieldOf(parsed.output, 'query'))) return Result.fail(new InvalidRequest({ field: 'query' }))
  const list = listForObject(parsed.output, raw, [])
  if (list !== undefined) return Result.fail(refusalOf([{ path: list.map((key) => ({ key })) }]))
  return Result.succeed(parsed.output)
}

/** The path of a list where an object is expected: validators take its indices for unknown fields and drop them. */
const listForObject = (output: unknown, raw: unknown, path: readonly string[]): readonly string[] | undefined => {
  if (output === raw || typeof output !== 'object' || output === null) return undefined
  if (Array.isArray(raw) && !Array.isArray(output)) return path
  for (const [key, item] of Object.entries(output)) {
    const found = listForObject(item, fieldOf(raw, key), [...path, key])
    if (found !== undefined) return found
  }
  return undefined
}

const fieldOf = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[key] : undefined

type Issue = { readonly path?: readonly { readonly key?: unknown }[] | undefined }

const refusalOf = ([issue]: readonly [Issue, ...Issue[]]): InvalidRequest | InvalidAuthObject | NotFound => {
  const keys = (issue.path ?? []).map(({ key }) => String(key))
  if (keys[0] === 'path') return new NotFound()
  if (keys.some((key) => identityFields.includes(key))) return new InvalidAuthObject()
  return new InvalidRequest({ field: keys.join('.') })
}

/** What no schema of a body accepts. */
const malformed = Symbol('malformed')

/**
 * Undefined if there is no body. A call without one is valid whatever content type it names, as public clients send it.
 */
const parseJson = (bytes: Uint8Array): unknown => {
  if (bytes.length === 0) return undefined
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    return isStorable(value) ? value : malformed
  } catch {
    return malformed
  }
}

/**
 * Whether a column can hold every text in it: none has NUL or half of a surrogate pair. Walks without recursion, so that
 * deep nesting cannot overflow the stack.
 */
const isStorable = (root: unknown): boolean => {
  const rest: unknown[] = [root]
  while (rest.length > 0) {
    const value = rest.pop()
    if (typeof value === 'string' && !isStorableText(value)) return false
    if (typeof value === 'object' && value !== null) {
      for (const [key, item] of Object.entries(value)) {
        if (!isStorableText(key)) return false
        rest.push(item)
      }
    }
  }
  return true
}

const hasControls = (text: string): boolean => /\p{Control}/u.test(text)

const isStorableText = (text: string): boolean => !/[\0\p{Surrogate}]/u.test(text)

// The answer.

/**
 * A repeated request with the same key gets the first answer, without the session token that came with it
 * (openapi/README.md#idempotency): callers without a session share their keys, and a token is one caller's.
 */
const repeated = <E, R>(
  id: OperationId,
  key: string,
  { method, target, body }: RawRequest,
  flow: Effect.Effect<HttpAnswer, E, R>,
) =>
  Effect.map(
    once(
      { operation: id, key, request: [method, target, body] },
      Effect.map(flow, (answer) => JSON.stringify(answer)),
    ),
    (text): HttpAnswer => ({ ...readAnswer(text), headers: {} }),
  )

/** Headers are not read: rows of earlier versions have a session token there. */
const readAnswer = reader(
  'replays.sealed_answer',
  Schema.fromJsonString(Schema.Struct({ status: Schema.Number, type: Schema.String, body: Schema.String })),
)

/** Whether the contract gives the operation this header: its validators drop every other one. */
const takesIdempotencyKey = (input: unknown): boolean =>
  Header.idempotencyKey in ((input as { readonly header?: object }).header ?? {})

const answerOf = (id: OperationId, success: unknown): HttpAnswer => {
  const { success: type, cacheSeconds }: Operation = operations[id]
  const headers = cacheSeconds === undefined ? {} : { 'cache-control': `public, max-age=${cacheSeconds}` }
  return { status: 200, ...contentOf(type, success), headers }
}

/** The body in the contract's media type. */
const contentOf = (type: string, success: unknown): Pick<HttpAnswer, 'type' | 'body'> => {
  if (success instanceof Uint8Array) return { type, body: success }
  if (type !== 'application/json' && typeof success === 'string')
    return { type: `${type}; charset=utf-8`, body: success }
  return { type: json, body: JSON.stringify(success ?? {}) }
}
