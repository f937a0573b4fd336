/**
 * The host's side of an opening (flows 2): it navigates the popup that it opened in the click, answers the page's
 * greeting if that comes from this very window, and knows when the page is gone.
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
import { keepOpeningSecret } from './openingSecret.ts'
import { awaitReturn } from './portalReturn.ts'
import { Api } from './ports/Api.ts'
import { DeviceKeys } from './ports/DeviceKeys.ts'
import { Popup, type OpenPopup, type WindowMessage } from './ports/Popup.ts'
import { report } from './ports/Progress.ts'
import { Random } from './ports/Random.ts'
import { Rsa, type RsaPair } from './ports/Rsa.ts'
import type { HostSession } from './SessionState.ts'

/** How often a popup is asked whether it is closed, and then its opening whether the page beats (flows A15, 16.13). */
const lookEvery = '1 second'

/** An opening, and with it whatever may happen on its page, lives this long (flows 2.2). */
export const openingLife = '10 minutes'

/** What this document knows of the page it opens; whoever differs in one point is not that page (flows 2.4). */
export type Visit = {
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

export type PortalVisit = {
  /** The page said that its work is done. It is a hint: the service is believed for states (flows 13). */
  readonly done: Effect.Effect<OpenerMessages.Done>
  /** Ends when the page is gone: the popup is closed and the opening's heartbeat has stopped. */
  readonly gone: Effect.Effect<void>
  /** The host gives up: the page is told, and the popup closed. */
  readonly giveUp: Effect.Effect<void>
}

/** The answer to a greeting, kept because the page repeats it until it is answered. */
type Answered = { readonly nonce: string; readonly answer: OpenerMessages.Answer }

/** Sends the popup to the page and answers it for as long as the scope lasts. */
export const openPortal = Effect.fn('openings.openPortal')(function* (visit: Visit) {
  const inbox = yield* (yield* Popup).messages
  const answered = yield* Ref.make(new Map<string, Answered>())
  const done = yield* Deferred.make<OpenerMessages.Done>()

  const receive = Effect.gen(function* () {
    for (;;) {
      const message = yield* Queue.take(inbox)
      const hello = OpenerMessages.readHello(message.data)
      if (hello !== undefined) yield* greeted(visit, message, hello, answered)
      const said = OpenerMessages.readDone(message.data)
      const isAnswered = said !== undefined && (yield* Ref.get(answered)).has(said.openingId)
      if (isAnswered && isFromPage(visit, message)) yield* Deferred.succeed(done, said)
    }
  })
  yield* Effect.forkScoped(receive)
  const returned = yield* awaitReturn
  yield* visit.popup.navigate(visit.url)
  yield* report({ step: 'portal' })

  const openingIds = Effect.map(Ref.get(answered), (openings) => [...openings.keys()])
  return {
    done: Effect.raceFirst(Deferred.await(done), returned.done),
    gone: yield* watch(visit.popup, openingIds),
    giveUp: Effect.gen(function* () {
      for (const openingId of yield* openingIds) {
        const bye: OpenerMessages.Bye = { v: 1, type: 'tandem.bye', openingId }
        yield* visit.popup.post(bye, visit.portalOrigin)
      }
      yield* visit.popup.close
    }),
  } satisfies PortalVisit
})

const isFromPage = ({ popup, portalOrigin }: Visit, { source, origin }: WindowMessage): boolean =>
  source === popup && origin === portalOrigin

/** Flows 2.4: a greeting is answered only in the window that this document opened, for its own session and page. */
const isOwn = (visit: Visit, message: WindowMessage, hello: OpenerMessages.Hello): boolean =>
  isFromPage(visit, message) &&
  hello.sessionId === visit.session.sessionId &&
  hello.page === visit.page &&
  hello.record === visit.record

const greeted = Effect.fn('openings.greeted')(function* (
  visit: Visit,
  message: WindowMessage,
  hello: OpenerMessages.Hello,
  answered: Ref.Ref<Map<string, Answered>>,
) {
  const openings = yield* Ref.get(answered)
  const before = openings.get(hello.openingId)
  if (!isOwn(visit, message, hello) || (before !== undefined && before.nonce !== hello.nonce)) {
    return yield* Effect.logWarning('a greeting that is not from the page of this session was not answered')
  }
  const answer = before?.answer ?? Option.getOrUndefined(yield* Effect.option(answerTo(visit, hello)))
  if (answer === undefined) return yield* Effect.logWarning('the greeting could not be answered')
  yield* Ref.set(answered, new Map(openings).set(hello.openingId, { nonce: hello.nonce, answer }))
  if (before === undefined) yield* report({ step: 'waiting' })
  return yield* visit.popup.post(answer, visit.portalOrigin)
})

/** Flows 2.5, 2.6: the ticket, the nonce that only the login key opens, and the device's signature over all of it. */
const answerTo = Effect.fn('openings.answerTo')(function* (visit: Visit, hello: OpenerMessages.Hello) {
  const { session, loginPair, recoveryPublicKey, portalOrigin, page, record } = visit
  const { openingId } = hello
  const { ticket } = yield* (yield* Api).call('createOpeningTicket', {
    path: { openingId },
    body: { page, ...(record === undefined ? {} : { record }) },
  })
  const unsealed =
    loginPair === undefined
      ? undefined
      : yield* (yield* Rsa).open(loginPair.privateKey, hexToBytes(hello.sealed ?? ''), OpenerMessages.nonceLabel)
  const hostSecret = yield* (yield* Random).bytes(32)
  const message = DeviceKey.openerMessage({
    openingId,
    sessionId: session.sessionId,
    portalOrigin,
    page,
    record,
    nonce: hexToBytes(hello.nonce),
    ticket: hexToBytes(ticket),
    loginKeyThumbprint: loginPair === undefined ? undefined : RsaKey.loginKeyThumbprint(loginPair.publicKey),
    hostSecret,
    recoveryPublicKey: recoveryPublicKey === undefined ? undefined : hexToBytes(recoveryPublicKey),
  })
  const signature = yield* (yield* DeviceKeys).sign(session.sessionId, message)
  yield* keepOpeningSecret({ openingId, secret: hostSecret, kind: 'hostSecret' })
  return {
    v: 1,
    type: 'tandem.answer',
    openingId,
    ticket,
    hostSecret: bytesToHex(hostSecret),
    deviceSignature: bytesToHex(signature),
    ...(unsealed === undefined ? {} : { unsealed: bytesToHex(unsealed) }),
    ...(recoveryPublicKey === undefined ? {} : { recoveryPublicKey }),
  } satisfies OpenerMessages.Answer
})

/**
 * `closed` is a hint: where the host isolates itself it is true at once, while the user types (flows A15). What decides
 * is the opening's heartbeat; where none was ever seen, the popup counts as gone only if it has been seen open.
 */
const watch = Effect.fn('openings.watch')(function* (popup: OpenPopup, openingIds: Effect.Effect<readonly string[]>) {
  const api = yield* Api
  const isSevered = yield* popup.closed

  const isLive = (openingId: string) =>
    api.call('getOpening', { path: { openingId } }).pipe(
      Effect.map(({ state }) => state === 'LIVE'),
      Effect.catch((error) =>
        error.status === 404 || error.status === 410
          ? Effect.succeed(false)
          : Effect.as(Effect.logWarning('an opening could not be asked for', error), true),
      ),
    )
  const isGone = Effect.gen(function* () {
    if (!(yield* popup.closed)) return false
    const ids = yield* openingIds
    if (ids.length === 0) return !isSevered
    const states = yield* Effect.forEach(ids, isLive)
    return !states.includes(true)
  })
  return Effect.repeat(Effect.delay(isGone, lookEvery), { until: (gone) => gone }).pipe(
    Effect.asVoid,
    Effect.timeoutOrElse({ duration: openingLife, orElse: () => Effect.void }),
  )
})
