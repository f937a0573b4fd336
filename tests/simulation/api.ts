/**
 * The SDK's `Api` and `Cosigner` over the simulated network. It writes requests and reads answers as `adapters/browser/Api.ts`
 * and `Cosigner.ts` do, token rules included, but needs neither fetch nor streams: those wait for the machine.
 */
import { utf8ToBytes } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Option from 'effect/Option'
import * as Redacted from 'effect/Redacted'
import qs from 'qs'
import { writeQuery } from '../../adapters/browser/query.ts'
import type { HttpAnswer, RawRequest } from '../../adapters/service/http/message.ts'
import { deviceHeader } from '../../domain/client/deviceHeader.ts'
import { Api, type ApiCallOptions } from '../../domain/client/ports/Api.ts'
import { Cosigner } from '../../domain/client/ports/Cosigner.ts'
import { DeviceKeys } from '../../domain/client/ports/DeviceKeys.ts'
import { Settings } from '../../domain/client/ports/Settings.ts'
import { Storage } from '../../domain/client/ports/Storage.ts'
import { SessionState } from '../../domain/client/SessionState.ts'
import { isSameToken, keepSessionToken, sessionToken } from '../../domain/client/sessionToken.ts'
import * as ApiError from '../../domain/model/ApiError.ts'
import * as Header from '../../domain/model/Header.ts'
import * as MpcFrame from '../../domain/mpc/Frame.ts'
import type { OperationId, Success } from '../../generated/handlers.ts'
import { operations } from '../../generated/operations.ts'
import type { Send } from './network.ts'
import type { Owner } from './Sim.ts'
import { verifyP256 } from '../../domain/crypto/Signatures.ts'

type Parts = { readonly path?: Readonly<Record<string, string>>; readonly query?: object; readonly body?: unknown }

export const apiOver = (send: Send, owner: Owner) =>
  Layer.effect(
    Api,
    Effect.gen(function* () {
      const { apiKey, origin } = yield* Settings
      const storage = yield* Storage
      const keys = yield* DeviceKeys
      const state = yield* SessionState
      const currentToken = Effect.provideService(sessionToken, Storage, storage)

      const headersOf = (token: Redacted.Redacted | undefined, options: ApiCallOptions): Record<string, string> => ({
        ...(apiKey === undefined ? {} : { [Header.apiKey]: apiKey }),
        ...(origin === '' ? {} : { origin }),
        ...(token === undefined ? {} : { [Header.session]: Redacted.value(token) }),
        ...(options.partnerId === undefined ? {} : { [Header.partner]: options.partnerId }),
      })

      const signed = (request: RawRequest) =>
        Effect.map(
          deviceHeader(request).pipe(
            Effect.provideService(DeviceKeys, keys),
            Effect.provideService(SessionState, state),
          ),
          (header): RawRequest =>
            Option.isNone(header)
              ? request
              : { ...request, headers: { ...request.headers, [Header.device]: header.value } },
        )

      /** An answer that arrives after its session was left or replaced elsewhere changes nothing. */
      const keepToken = Effect.fnUntraced(function* (sent: Redacted.Redacted | undefined, answered: string) {
        const isCurrent = isSameToken(yield* currentToken, sent)
        if (isCurrent) yield* Effect.provideService(keepSessionToken(answered), Storage, storage)
        return isCurrent
      })

      const ask: Api['Service']['call'] = Effect.fnUntraced(function* (operation, input, options = {}) {
        const { device, method, path } = operations[operation]
        const token = options.session ?? (yield* currentToken)
        const parts: Parts = input
        const plain = requestOf(method, path, parts, headersOf(token, options))
        const request = device === false ? plain : yield* signed(plain)
        const answer = yield* send(owner, operation, operation, request)
        const answered = answer.headers[Header.session]
        const isOwn = options.session !== undefined || answered === undefined || (yield* keepToken(token, answered))
        if (!isOwn && operation === 'touchSession' && (yield* currentToken) !== undefined) {
          return yield* ask(operation, input, options)
        }
        return yield* read<typeof operation>(answer)
      })
      return Api.of({ call: ask })
    }),
  )

export const requestOf = (
  method: string,
  path: string,
  { path: named = {}, query, body }: Parts,
  headers: Record<string, string>,
): RawRequest => {
  const written = query === undefined ? '' : writeQuery(query)
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(named[name] ?? ''))
  return {
    method,
    target: written === '' ? filled : `${filled}?${written}`,
    path: named,
    // As the server parses it.
    query: { ...qs.parse(written, { depth: 3, arrayLimit: 100, parameterLimit: 1_000 }) },
    headers,
    body: body === undefined ? new Uint8Array(0) : utf8ToBytes(JSON.stringify(body)),
    network: '127.0.0.1',
    left: Effect.never,
  }
}

const read = <Id extends OperationId>({
  status,
  body,
  headers,
}: HttpAnswer): Effect.Effect<Success<Id>, ApiError.ApiError> => {
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
  if (!ApiError.isSuccess(status)) return Effect.fail(refusal(status, text, headers))
  return Effect.try({
    // The service has checked the contract's types.
    try: () => (text === '' ? {} : JSON.parse(text)) as Success<Id>,
    catch: ApiError.fromCause,
  })
}

const refusal = (status: number, body: string, headers: HttpAnswer['headers']) =>
  ApiError.fromAnswer({ status, body, code: headers[Header.errorCode], responseURL: '' })

const frameRequest = (frame: Uint8Array, token: Redacted.Redacted | undefined, origin: string): RawRequest => ({
  method: 'POST',
  target: operations.exchangeFrame.path,
  path: {},
  query: {},
  headers: {
    ...(token === undefined ? {} : { [Header.session]: Redacted.value(token) }),
    ...(origin === '' ? {} : { origin }),
  },
  body: frame,
  network: '127.0.0.1',
  left: Effect.never,
})

const frameLabel = (bytes: Uint8Array): string => {
  const frame = MpcFrame.decode(bytes)?.frame
  return frame === undefined ? 'no frame' : `${frame.operation} ${frame.step} of ${frame.protocolId.slice(0, 4)}`
}

export const cosignerOver = (send: Send, owner: Owner) =>
  Layer.effect(
    Cosigner,
    Effect.gen(function* () {
      const { origin } = yield* Settings
      const storage = yield* Storage
      return Cosigner.of({
        isSigned: (...signed) => Effect.sync(() => verifyP256(...signed)),
        exchange: Effect.fnUntraced(function* (frame) {
          const token = yield* Effect.provideService(sessionToken, Storage, storage)
          const answer = yield* send(owner, frameLabel(frame), 'exchangeFrame', frameRequest(frame, token, origin))
          if (ApiError.isSuccess(answer.status) && typeof answer.body !== 'string') return answer.body
          return yield* refusal(answer.status, String(answer.body), answer.headers)
        }),
      })
    }),
  )
