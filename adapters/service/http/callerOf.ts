/**
 * The caller, from a request's headers: API key, session token and device signature
 * (domain/service/README.md#callers-and-sessions).
 */
import * as Clock from 'effect/Clock'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import * as Result from 'effect/Result'
import * as DeviceKey from '../../../domain/crypto/DeviceKey.ts'
import { fromHex } from '../../../domain/crypto/Hex.ts'
import * as Header from '../../../domain/model/Header.ts'
import type { Caller } from '../../../domain/service/Caller.ts'
import * as portalSessions from '../../../domain/service/portalSessions.ts'
import * as partners from '../../../domain/service/partners.ts'
import * as recoveries from '../../../domain/service/recoveries.ts'
import type { Session } from '../../../domain/service/Session.ts'
import * as sessions from '../../../domain/service/sessions.ts'
import { maximumWaitSeconds } from '../../../domain/service/waiting.ts'
import { headerOf, type RawRequest } from './RawRequest.ts'

export const callerOf = Effect.fn('http.callerOf')(function* (request: RawRequest) {
  const key = yield* lookUp(headerOf(request, Header.apiKey), partners.fromKey)
  const token = headerOf(request, Header.session)
  const named = headerOf(request, Header.partner)
  const isOfPartner = ({ partnerId }: { readonly partnerId: string }) =>
    (key === undefined || key.partner.id === partnerId) && (named === undefined || named === partnerId)

  // A session token is ignored when its partner is not the API key's.
  const session = Option.getOrUndefined(
    Option.filter(Option.fromNullishOr(yield* lookUp(token, sessions.fromToken)), isOfPartner),
  )
  const portal =
    session === undefined
      ? Option.getOrUndefined(
          Option.filter(Option.fromNullishOr(yield* lookUp(token, portalSessions.fromToken)), isOfPartner),
        )
      : undefined
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
    token,
    origin: headerOf(request, 'origin'),
    device: session !== undefined && isSignedBy(session, request, yield* Clock.currentTimeMillis),
    idempotencyKey: headerOf(request, Header.idempotencyKey),
    waitSeconds: waitSecondsOf(headerOf(request, Header.prefer)),
    ip: request.ip,
  }
  return caller
})

const lookUp = <A, R>(text: string | undefined, find: (text: string) => Effect.Effect<Option.Option<A>, never, R>) =>
  text === undefined ? Effect.succeed(undefined) : Effect.map(find(text), Option.getOrUndefined)

/**
 * Whether the session's device key signed this request as received, within the allowed time
 * (openapi/README.md#device-signatures).
 */
const isSignedBy = (session: Session, request: RawRequest, now: number): boolean => {
  const header = DeviceKey.parseHeader(headerOf(request, Header.device) ?? '')
  const key = session.devicePublicKey === null ? undefined : fromHex(session.devicePublicKey, DeviceKey.publicKeyLength)
  if (header === undefined || key === undefined) return false
  const { method, target, body } = request
  return Result.isSuccess(DeviceKey.checkRequest(header, key, { method, target, sessionId: session.id, body }, now))
}

/** RFC 7240: preferences are separated by commas; only `wait` is supported. */
const waitSecondsOf = (prefer: string | undefined): number => {
  const [, seconds = '0'] = /(?:^|[,;\s])wait=([0-9]{1,4})(?:[,;\s]|$)/i.exec(prefer ?? '') ?? []
  return Math.min(Number(seconds), maximumWaitSeconds)
}
