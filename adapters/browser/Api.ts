/**
 * The contract over fetch. All headers are set here: API key, session token, and the device's signature where the contract
 * asks for one. A session token in an answer replaces the stored one
 * (openapi/README.md#sessions-and-headers).
 */
import { utf8ToBytes } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Option from 'effect/Option'
import * as Redacted from 'effect/Redacted'
import type { OperationId, Success } from '../../generated/handlers.ts'
import { requests } from '../../generated/requests.ts'
import { deviceHeader } from '../../domain/client/deviceHeader.ts'
import { Api, type ApiCallOptions } from '../../domain/client/ports/Api.ts'
import { DeviceKeys } from '../../domain/client/ports/DeviceKeys.ts'
import { Settings } from '../../domain/client/ports/Settings.ts'
import { Storage } from '../../domain/client/ports/Storage.ts'
import { SessionState } from '../../domain/client/SessionState.ts'
import { isSameToken, keepSessionToken, sessionToken } from '../../domain/client/sessionToken.ts'
import * as ApiError from '../../domain/model/ApiError.ts'
import { versionHeaderValue } from '../../domain/model/Environment.ts'
import * as Header from '../../domain/model/Header.ts'
import { withOriginFix } from './originFix.ts'
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
        // Browsers set their own Origin and ignore this one; a server names the origin of the app that it acts for.
        ...(settings.origin === '' ? {} : { origin: settings.origin }),
      }

      const headersOf = (token: Redacted.Redacted | undefined, options: ApiCallOptions) => ({
        ...common,
        ...(token === undefined ? {} : { [Header.session]: Redacted.value(token) }),
        ...(options.partnerId === undefined ? {} : { [Header.partner]: options.partnerId }),
      })

      const currentToken = Effect.provideService(sessionToken, Storage, storage)

      /** Keeps the answer's token only while the stored token is still the one that the request was sent with. */
      const keepToken = Effect.fn('Api.keepToken')(
        function* (sent: Redacted.Redacted | undefined, answered: string) {
          const isCurrent = isSameToken(yield* currentToken, sent)
          if (isCurrent) yield* keepSessionToken(answered)
          return isCurrent
        },
        Effect.provideService(Storage, storage),
      )

      /** Signs the request as it is sent: method, target and body (openapi/README.md#device-signatures). */
      const sign = async ({ request, body }: Written): Promise<void> => {
        const { pathname, search } = new URL(request.url)
        const header = await Effect.runPromise(
          Effect.provide(
            deviceHeader({ method: request.method, target: pathname + search, body: utf8ToBytes(body ?? '') }),
            context,
          ),
        )
        if (Option.isSome(header)) request.headers.set(Header.device, header.value)
      }

      const send = async (written: Written, signed: boolean): Promise<FetchAnswer> => {
        if (signed) await sign(written)
        const response = await fetch(written.request)
        return { response, text: await response.text() }
      }

      const ask: Api['Service']['call'] = Effect.fn('Api.call')(function* (operation, input, options = {}) {
        const { method, path, signed = false } = requests[operation]
        const token = options.session ?? (yield* currentToken)
        const headers = headersOf(token, options)
        const { keepalive = false } = options
        const answer = yield* Effect.tryPromise({
          try: (signal) => send(requestOf(baseUrl + path, input, { method, headers, signal, keepalive }), signed),
          catch: () => ApiError.connectionError(baseUrl + path),
        })
        const answered = answer.response.headers.get(Header.session)
        const isOwn = options.session !== undefined || answered === null || (yield* keepToken(token, answered))
        // The session changed while touch was under way: touch again, with the current token.
        if (!isOwn && operation === 'touchSession' && (yield* currentToken) !== undefined) {
          return yield* ask(operation, input, options)
        }
        return yield* Effect.mapError(read<typeof operation>(answer), (error) => withOriginFix(error, settings))
      })
      return Api.of({ call: ask })
    }),
  )

type FetchAnswer = { readonly response: Response; readonly text: string }

/** The fields of an operation, of which `call` has typed each. */
type Input = {
  readonly path?: Readonly<Record<string, unknown>>
  readonly query?: object
  readonly body?: unknown
}

/** A request, with the text of its body. */
type Written = { readonly request: Request; readonly body: string | undefined }

type Init = Omit<RequestInit, 'headers'> & { readonly headers: Readonly<Record<string, string>> }

/** `address` has the names of the path's fields in braces. */
const requestOf = (address: string, { path, query = {}, body: value }: Input, { headers, ...init }: Init): Written => {
  const url = address.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(path?.[name])))
  const search = writeQuery(query)
  const body = value === undefined ? undefined : JSON.stringify(value)
  const request = new Request(search === '' ? url : `${url}?${search}`, {
    ...init,
    credentials: 'omit',
    ...(body === undefined ? { headers } : { body, headers: { ...headers, 'content-type': 'application/json' } }),
  })
  return { request, body }
}

const read = <Id extends OperationId>({
  text,
  response,
}: FetchAnswer): Effect.Effect<Success<Id>, ApiError.ApiError> => {
  const { status, url } = response
  const code = response.headers.get(Header.errorCode) ?? undefined
  if (!ApiError.isSuccess(status)) {
    return Effect.fail(ApiError.fromAnswer({ status, body: parsed(text), code, responseURL: url }))
  }
  return Effect.try({
    try: () => (text === '' ? {} : JSON.parse(text)) as Success<Id>,
    catch: ApiError.fromCause,
  })
}

/** A refusal is a sentence; what stands in front of the service may answer JSON. */
const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
