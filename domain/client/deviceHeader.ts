import { hexToBytes } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import { formatHeader, requestMessage, thumbprint } from '../crypto/DeviceHeader.ts'
import { DeviceKeys } from './ports/DeviceKeys.ts'
import { SessionState } from './SessionState.ts'
import { serverTime } from './touch.ts'

/** A request as it goes over the wire. */
export type SentRequest = {
  readonly method: string
  /** Path and query, as in the request line. */
  readonly target: string
  readonly body: Uint8Array
}

/** The value of `x-tandem-device` for this request, or nothing while the session has no device key. */
export const deviceHeader = Effect.fn('sessions.deviceHeader')(function* (request: SentRequest) {
  const keys = yield* DeviceKeys
  const session = yield* (yield* SessionState).get
  if (Option.isNone(session)) return Option.none<string>()

  const { sessionId } = session.value
  const key = yield* keys.find(sessionId)
  if (Option.isNone(key)) return Option.none<string>()

  const ms = yield* serverTime
  const signature = yield* keys.sign(sessionId, requestMessage({ ...request, ms, sessionId }))
  const keyThumb = thumbprint(hexToBytes(key.value.publicKey))
  return Option.some(formatHeader({ keyThumb, ms, signature }))
})
