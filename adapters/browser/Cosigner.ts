import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Redacted from 'effect/Redacted'
import { Cosigner } from '../../domain/client/ports/Cosigner.ts'
import { Settings } from '../../domain/client/ports/Settings.ts'
import { Storage } from '../../domain/client/ports/Storage.ts'
import { sessionToken } from '../../domain/client/sessionToken.ts'
import * as ApiError from '../../domain/model/ApiError.ts'
import { versionHeaderValue } from '../../domain/model/Environment.ts'
import * as Header from '../../domain/model/Header.ts'
import type { Fetch } from './Api.ts'
import { verifyP256 } from './p256.ts'

/** Sends one frame and reads one answer, whose signature WebCrypto checks. All frames go to one URL, so a browser makes one CORS preflight for all. */
export const CosignerHttp = (fetch: Fetch = (request) => globalThis.fetch(request)) =>
  Layer.effect(
    Cosigner,
    Effect.gen(function* () {
      const { hosts, environment, origin } = yield* Settings
      const storage = yield* Storage
      const url = `${hosts.cosigner.replace(/\/+$/, '')}/protocol`

      const post = (frame: Uint8Array, token: Redacted.Redacted | undefined, signal: AbortSignal) =>
        fetch(
          new Request(url, {
            method: 'POST',
            credentials: 'omit',
            headers: {
              'content-type': 'application/octet-stream',
              [Header.version]: versionHeaderValue(environment),
              ...(token === undefined ? {} : { [Header.session]: Redacted.value(token) }),
              ...(origin === '' ? {} : { origin }),
            },
            body: Uint8Array.from(frame),
            signal,
          }),
        )

      return Cosigner.of({
        isSigned: (...signed) => Effect.promise(() => verifyP256(...signed)),
        exchange: Effect.fn('Cosigner.exchange')(function* (frame) {
          const token = yield* Effect.provideService(sessionToken, Storage, storage)
          const answer = yield* Effect.tryPromise({
            try: async (signal) => {
              const response = await post(frame, token, signal)
              return { response, body: new Uint8Array(await response.arrayBuffer()) }
            },
            catch: () => ApiError.connectionError(url),
          })
          const { response, body } = answer
          if (ApiError.isSuccess(response.status)) return body
          return yield* ApiError.fromAnswer({
            status: response.status,
            body: new TextDecoder().decode(body),
            code: response.headers.get(Header.errorCode) ?? undefined,
            responseURL: response.url,
          })
        }),
      })
    }),
  )
