/**
 * The host's side of a portal session (domain/client/README.md#portal-session): it sends the popup that the click
 * opened to its page, answers the page's handshake if it comes from this very window, and notices when the page is
 * gone.
 */
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import * as Deferred from 'effect/Deferred'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import * as Queue from 'effect/Queue'
import * as Ref from 'effect/Ref'
import * as DeviceKey from '../crypto/DeviceKey.ts'
import * as OpenerMessages from '../crypto/Opener.ts'
import * as RsaKey from '../crypto/RsaKey.ts'
import { keepPortalSessionSecret } from './portalSessionSecret.ts'
import { awaitReturn } from './portalReturn.ts'
import { Api } from './ports/Api.ts'
import { DeviceKeys } from './ports/DeviceKeys.ts'
import { Popup, type OpenPopup, type WindowMessage } from './ports/Popup.ts'
import { report } from './ports/Progress.ts'
import { Random } from './ports/Random.ts'
import { Rsa, type RsaPair } from './ports/Rsa.ts'
import type { HostSession } from './SessionState.ts'

/** How often the popup is asked whether it is closed, and then the service whether the page still sends heartbeats. */
const lookEvery = '1 second'

/** How long a portal session lives at the service. */
export const portalSessionLife = '10 minutes'

/** What this document knows of the page that it opens. A handshake has to match all of it. */
export type PortalWindowRequest = {
  readonly popup: OpenPopup
  readonly url: string
  readonly portalOrigin: string
  readonly session: HostSession
  readonly page: OpenerMessages.Page
  readonly record?: string
  /** On login pages. */
  readonly loginPair?: RsaPair
  /** On creation pages, hex(64). */
  readonly recoveryPublicKey?: string
}

export type PortalSessionHandle = {
  /** The page said that its work is done. It is a hint: states are read from the service. */
  readonly done: Effect.Effect<OpenerMessages.Done>
  /** Ends when the page is gone: the popup is closed and the page's heartbeat has stopped. */
  readonly gone: Effect.Effect<void>
  /** The host gives up: the page is told, and the popup closed. */
  readonly giveUp: Effect.Effect<void>
}

/** The answer of the handshake, kept because the page repeats its message until it is answered. */
type Answered = { readonly nonce: string; readonly answer: OpenerMessages.HandshakeAnswer }

/** Sends the popup to the page and answers its handshake for as long as the scope lasts. */
export const openPortal = Effect.fn('portalSessions.openPortal')(function* (request: PortalWindowRequest) {
  const inbox = yield* (yield* Popup).messages
  const answered = yield* Ref.make(new Map<string, Answered>())
  const done = yield* Deferred.make<OpenerMessages.Done>()

  const receive = Effect.gen(function* () {
    for (;;) {
      const message = yield* Queue.take(inbox)
      const handshake = OpenerMessages.readHandshake(message.data)
      if (handshake !== undefined) yield* answerHandshake(request, message, handshake, answered)
      const said = OpenerMessages.readDone(message.data)
      const isAnswered = said !== undefined && (yield* Ref.get(answered)).has(said.openingId)
      if (isAnswered && isFromPage(request, message)) yield* Deferred.succeed(done, said)
    }
  })
  yield* Effect.forkScoped(receive)
  const returned = yield* awaitReturn
  yield* request.popup.navigate(request.url)
  yield* report({ step: 'portal' })

  const portalSessionIds = Effect.map(Ref.get(answered), (portalSessions) => [...portalSessions.keys()])
  return {
    done: Effect.raceFirst(Deferred.await(done), returned.done),
    gone: yield* watch(request.popup, portalSessionIds),
    giveUp: Effect.gen(function* () {
      for (const openingId of yield* portalSessionIds) {
        const close: OpenerMessages.Close = { v: 1, type: 'tandem.bye', openingId }
        yield* request.popup.post(close, request.portalOrigin)
      }
      yield* request.popup.close
    }),
  } satisfies PortalSessionHandle
})

const isFromPage = ({ popup, portalOrigin }: PortalWindowRequest, { source, origin }: WindowMessage): boolean =>
  source === popup && origin === portalOrigin

/** A handshake is answered only in the window that this document opened, for its own session, page and record. */
const isOwn = (request: PortalWindowRequest, message: WindowMessage, handshake: OpenerMessages.Handshake): boolean =>
  isFromPage(request, message) &&
  handshake.sessionId === request.session.sessionId &&
  handshake.page === request.page &&
  handshake.record === request.record

const answerHandshake = Effect.fn('portalSessions.answerHandshake')(function* (
  request: PortalWindowRequest,
  message: WindowMessage,
  handshake: OpenerMessages.Handshake,
  answered: Ref.Ref<Map<string, Answered>>,
) {
  const portalSessions = yield* Ref.get(answered)
  const before = portalSessions.get(handshake.openingId)
  if (!isOwn(request, message, handshake) || (before !== undefined && before.nonce !== handshake.nonce)) {
    return yield* Effect.logWarning('a handshake that is not from the page of this session was not answered')
  }
  const answer = before?.answer ?? Option.getOrUndefined(yield* Effect.option(answerTo(request, handshake)))
  if (answer === undefined) return yield* Effect.logWarning('the handshake could not be answered')
  yield* Ref.set(answered, new Map(portalSessions).set(handshake.openingId, { nonce: handshake.nonce, answer }))
  if (before === undefined) yield* report({ step: 'waiting' })
  return yield* request.popup.post(answer, request.portalOrigin)
})

/**
 * The ticket, the bytes that only the login key opens, and the device's signature, which covers the ticket, the page's
 * nonce and the host's secret.
 */
const answerTo = Effect.fn('portalSessions.answerTo')(function* (
  request: PortalWindowRequest,
  handshake: OpenerMessages.Handshake,
) {
  const { session, loginPair, recoveryPublicKey, portalOrigin, page, record } = request
  const { openingId } = handshake
  const { ticket } = yield* (yield* Api).call('createOpeningTicket', {
    path: { openingId },
    body: { page, ...(record === undefined ? {} : { record }) },
  })
  const unsealed =
    loginPair === undefined
      ? undefined
      : yield* (yield* Rsa).open(loginPair.privateKey, hexToBytes(handshake.sealed ?? ''), OpenerMessages.nonceLabel)
  const hostSecret = yield* (yield* Random).bytes(32)
  const message = DeviceKey.openerMessage({
    openingId,
    sessionId: session.sessionId,
    portalOrigin,
    page,
    record,
    nonce: hexToBytes(handshake.nonce),
    ticket: hexToBytes(ticket),
    loginKeyThumbprint: loginPair === undefined ? undefined : RsaKey.loginKeyThumbprint(loginPair.publicKey),
    hostSecret,
    recoveryPublicKey: recoveryPublicKey === undefined ? undefined : hexToBytes(recoveryPublicKey),
  })
  const signature = yield* (yield* DeviceKeys).sign(session.sessionId, message)
  yield* keepPortalSessionSecret({ openingId, secret: hostSecret, kind: 'hostSecret' })
  return {
    v: 1,
    type: 'tandem.answer',
    openingId,
    ticket,
    hostSecret: bytesToHex(hostSecret),
    deviceSignature: bytesToHex(signature),
    ...(unsealed === undefined ? {} : { unsealed: bytesToHex(unsealed) }),
    ...(recoveryPublicKey === undefined ? {} : { recoveryPublicKey }),
  } satisfies OpenerMessages.HandshakeAnswer
})

/**
 * `closed` is a hint: for a host with COOP `same-origin` it is true at once, while the user types. The page's heartbeat
 * decides. If no handshake came, the popup counts as gone only if it was seen open before.
 */
const watch = Effect.fn('portalSessions.watch')(function* (
  popup: OpenPopup,
  portalSessionIds: Effect.Effect<readonly string[]>,
) {
  const api = yield* Api
  const isSevered = yield* popup.closed

  const isLive = (openingId: string) =>
    api.call('getOpening', { path: { openingId } }).pipe(
      Effect.map(({ state }) => state === 'LIVE'),
      Effect.catch((error) =>
        error.status === 404 || error.status === 410
          ? Effect.succeed(false)
          : Effect.as(Effect.logWarning('the portal session could not be asked for', error), true),
      ),
    )
  const isGone = Effect.gen(function* () {
    if (!(yield* popup.closed)) return false
    const ids = yield* portalSessionIds
    if (ids.length === 0) return !isSevered
    const states = yield* Effect.forEach(ids, isLive)
    return !states.includes(true)
  })
  return Effect.repeat(Effect.delay(isGone, lookEvery), { until: (gone) => gone }).pipe(
    Effect.asVoid,
    Effect.timeoutOrElse({ duration: portalSessionLife, orElse: () => Effect.void }),
  )
})
