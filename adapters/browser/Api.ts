/**
 * The contract over fetch, through openapi-fetch. Headers are set here and nowhere else: who calls, with which session,
 * and the device's signature where the contract asks for one. The session token of every answer is kept (facts 0).
 */
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Option from 'effect/Option'
import createClient, { type Client, type Middleware } from 'openapi-fetch'
import type { paths } from '../../generated/api.ts'
import type { OperationId, Success } from '../../generated/handlers.ts'
import { operations } from '../../generated/operations.ts'
import { Api, type CallOptions } from '../../domain/client/ports/Api.ts'
import { DeviceKeys } from '../../domain/client/ports/DeviceKeys.ts'
import { Settings } from '../../domain/client/ports/Settings.ts'
import { Storage } from '../../domain/client/ports/Storage.ts'
import { SessionState } from '../../domain/client/SessionState.ts'
import { keepSessionToken, sessionToken } from '../../domain/client/sessionToken.ts'
import * as ApiError from '../../domain/model/ApiError.ts'
import { versionHeaderValue } from '../../domain/model/Environment.ts'
import * as Header from '../../domain/model/Header.ts'
import { writeQuery } from './query.ts'

export type Fetch = (request: Request) => Promise<Response>

export const ApiHttp = (fetch: Fetch = (request) => globalThis.fetch(request)) =>
  Layer.effect(
    Api,
    Effect.gen(function* () {
      const settings = yield* Settings
      const storage = yield* Storage
      const context = yield* Effect.context<DeviceKeys | SessionState>()
      const baseUrl = settings.hosts.api.replace(/\/+$/, '')

      const common = {
        [Header.version]: versionHeaderValue(settings.environment),
        ...(settings.apiKey === undefined ? {} : { [Header.apiKey]: settings.apiKey }),
        // Browsers set their own and ignore this one; a server may speak for an origin (design 8.10).
        ...(settings.origin === '' ? {} : { origin: settings.origin }),
      }

      const headersOf = (token: string | undefined, options: CallOptions) => ({
        ...common,
        ...(token === undefined ? {} : { [Header.session]: token }),
        ...(options.partnerId === undefined ? {} : { [Header.partner]: options.partnerId }),
        ...(options.waitSeconds === undefined ? {} : { [Header.prefer]: `wait=${options.waitSeconds}` }),
        ...(options.idempotencyKey === undefined ? {} : { [Header.idempotencyKey]: options.idempotencyKey }),
      })

      const standing = Effect.provideService(sessionToken, Storage, storage)

      /** An answer that comes after its session was begun, left, or exchanged for another elsewhere changes nothing. */
      const keepToken = Effect.fn('Api.keepToken')(function* (sent: string | undefined, answered: string) {
        const isCurrent = (yield* standing) === sent
        if (isCurrent) yield* keepSessionToken(answered)
        return isCurrent
      }, Effect.provideService(Storage, storage))

      /** Signs the request as it stands: method, target and body are those that go out. */
      const signing: Middleware = {
        onRequest: async ({ request }) => {
          const { pathname, search } = new URL(request.url)
          const body = new Uint8Array(await request.clone().arrayBuffer())
          // Only sessions that have a device key come here, and they have long loaded what this takes.
          const { deviceHeader } = await import('../../domain/client/deviceHeader.ts')
          const header = await Effect.runPromise(
            Effect.provide(deviceHeader({ method: request.method, target: pathname + search, body }), context),
          )
          if (Option.isSome(header)) request.headers.set(Header.device, header.value)
          return request
        },
      }
      const plain = createClient<paths>({ baseUrl, fetch, querySerializer: writeQuery, credentials: 'omit' })
      const signed = createClient<paths>({ baseUrl, fetch, querySerializer: writeQuery, credentials: 'omit' })
      signed.use(signing)

      const ask: Api['Service']['call'] = Effect.fn('Api.call')(function* (operation, input, options = {}) {
        const { device, method, path } = operations[operation]
        const token = options.session ?? (yield* standing)
        const headers = headersOf(token, options)
        const { keepalive = false } = options
        const answer = yield* Effect.tryPromise({
          try: (signal) => send(device === false ? plain : signed, { method, path, input, headers, signal, keepalive }),
          catch: () => ApiError.connectionError(baseUrl + path),
        })
        const answered = answer.response.headers.get(Header.session)
        const isOwn = options.session !== undefined || answered === null || (yield* keepToken(token, answered))
        // Who is asked for is the session that stands now.
        if (!isOwn && operation === 'touchSession' && (yield* standing) !== undefined) {
          return yield* ask(operation, input, options)
        }
        return yield* read<typeof operation>(answer)
      })
      return Api.of({ call: ask })
    }),
  )

type Answer = { readonly data?: unknown; readonly error?: unknown; readonly response: Response }

type Sent = {
  readonly method: string
  readonly path: string
  readonly input: { readonly path?: unknown; readonly query?: unknown; readonly body?: unknown }
  readonly headers: Record<string, string>
  readonly signal: AbortSignal
  readonly keepalive: boolean
}

/** The contract's types have done their work before: method and path of an operation belong to its input. */
const send = (client: Client<paths>, { method, path, input, ...init }: Sent): Promise<Answer> =>
  (client.request as (method: string, path: string, init: object) => Promise<Answer>)(method.toLowerCase(), path, {
    ...init,
    params: { path: input.path, query: input.query },
    ...(input.body === undefined ? {} : { body: input.body }),
    parseAs: 'text',
  })

const read = <Id extends OperationId>({
  data,
  error,
  response,
}: Answer): Effect.Effect<Success<Id>, ApiError.ApiError> => {
  const { status, url } = response
  const code = response.headers.get(Header.errorCode) ?? undefined
  if (!ApiError.isSuccess(status)) {
    return Effect.fail(ApiError.fromAnswer({ status, body: error ?? data, code, responseURL: url }))
  }
  return Effect.try({
    try: () => (typeof data === 'string' && data !== '' ? JSON.parse(data) : {}) as Success<Id>,
    catch: ApiError.fromCause,
  })
}

