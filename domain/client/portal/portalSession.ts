/**
 * How a page of the portal begins and ends (domain/client/README.md#portal-session): it makes a portal session, proves
 * its opener, gets its token, and tells the result only to the origin that it proved.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { base64 } from '@scure/base'
import * as Clock from 'effect/Clock'
import * as Data from 'effect/Data'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import * as Queue from 'effect/Queue'
import * as Ref from 'effect/Ref'
import * as Schedule from 'effect/Schedule'
import type { Input, Success } from '../../../generated/handlers.ts'
import * as Export from '../../crypto/Export.ts'
import * as Hpke from '../../crypto/Hpke.ts'
import * as OpenerMessages from '../../crypto/Opener.ts'
import type { ApiError } from '../../model/ApiError.ts'
import * as Identity from '../../model/Identity.ts'
import * as PortalUrl from '../../model/PortalUrl.ts'
import type * as Url from '../../model/Url.ts'
import { OpenerNotProven } from '../OpenerNotProven.ts'
import { originOf } from '../../model/Url.ts'
import { Api } from '../ports/Api.ts'
import { Navigation } from '../ports/Navigation.ts'
import { Opener } from '../ports/Opener.ts'
import { report } from '../ports/Progress.ts'
import { Random } from '../ports/Random.ts'
import { handshake } from './handshake.ts'

/** The service counts a page that missed its heartbeat for 8 s as gone. */
const heartbeatEvery = '5 seconds'

/** A page that has a portal session, and does not know its opener yet. */
export type NewPortalSession = Success<'createOpening'> & {
  readonly page: OpenerMessages.Page
  readonly record: string | undefined
  /** The user that the page's path names, if it names one. */
  readonly userId: string | undefined
  readonly sessionId: string | undefined
  readonly parameters: Url.Parameters
  readonly portalOrigin: string
  /** The only origin that the page posts messages to; empty for a session that a server began. */
  readonly hostOrigin: string
}

/**
 * How the page came to its token. `secret` is what its result is sealed under; after `asked` there is no sealed result.
 */
export type Admission =
  | {
      readonly kind: 'opener'
      readonly ticket: string
      readonly secret: Uint8Array
      readonly recoveryPublicKey?: string
      readonly exporting?: Exporting
    }
  | { readonly kind: 'redirect'; readonly secret: Uint8Array; readonly recoveryPublicKey?: string }
  | { readonly kind: 'asked' }

/** On an export page: the X25519 key made before the handshake, and the signature of the answer, which covers it. */
export type Exporting = {
  readonly publicKey: Uint8Array
  readonly secretKey: Uint8Array
  readonly deviceSignature: string
}

/** A page with a token, which the `Api` port holds. */
export type PortalSession = NewPortalSession &
  Omit<Success<'createOpeningToken'>, 'challenge' | 'serverTime' | 'sessionId'> & {
    readonly admission: Admission
    /** The key to which shares are encrypted, pemhex: the one that the handshake proved. It is never read again. */
    readonly recipient: string | undefined
    /** 32 bytes to sign. Each run gives new ones, because a verification consumes them. */
    readonly challenge: Effect.Effect<Uint8Array, ApiError, Api>
    /** The service's clock minus the page's, in milliseconds. */
    readonly clockOffset: number
  }

/** What the page may do next: work, or first ask the person whether they mean this app and origin. */
export type Begun =
  | { readonly kind: 'entered'; readonly portalSession: PortalSession }
  | {
      readonly kind: 'ask'
      readonly proceed: Effect.Effect<PortalSession, ApiError, Api>
    }

/**
 * Proves the opener, and trades that for a token. On login pages the key of the address has to be the registered one.
 * The page's heartbeat lasts as long as its scope.
 */
export const beginPage = Effect.fn('portalSessions.beginPage')(function* (newPortalSession: NewPortalSession) {
  if (isLoginPage(newPortalSession) && !isKeyOfAddress(newPortalSession)) return yield* new LoginKeyMismatch()
  if (isForOpenerAlone(newPortalSession) && newPortalSession.mode === 'ask') return yield* new OpenerMissing()
  yield* keepHeartbeat(newPortalSession)
  if (newPortalSession.mode === 'ask') {
    return { kind: 'ask', proceed: enter(newPortalSession, { kind: 'asked' }) } satisfies Begun
  }

  const met = (yield* (yield* Opener).present) ? yield* proveOpener(newPortalSession) : Option.none<Admission>()
  const admission = Option.isSome(met) ? met.value : yield* planReturn(newPortalSession)
  const portalSession = yield* enter(newPortalSession, admission)
  if (admission.kind === 'opener') yield* Effect.forkScoped(leaveOnClose(portalSession))
  return { kind: 'entered', portalSession } satisfies Begun
})

/**
 * Begins the portal session. The page's parameters are read here and never again, so that a hostile opener cannot
 * change them later, and the address is stripped of them.
 */
export const startPortalSession = Effect.fn('portalSessions.startPortalSession')(function* () {
  const navigation = yield* Navigation
  const url = yield* navigation.url
  const { addressedPage, parameters } = yield* Effect.fromResult(PortalUrl.read(url))
  yield* navigation.replace(url.replace(/[?#].*$/, ''))

  const record = recordOf(addressedPage)
  const userId = 'userId' in addressedPage ? addressedPage.userId : undefined
  const { sessionId } = parameters
  const opened = yield* (yield* Api).call('createOpening', {
    body: {
      page: addressedPage.type,
      ...(sessionId === undefined ? {} : { sessionId }),
      ...(record === undefined ? {} : { record }),
      ...(userId === undefined ? {} : { userId }),
    },
  })
  const newPortalSession: NewPortalSession = {
    ...opened,
    page: addressedPage.type,
    record,
    userId,
    sessionId,
    parameters,
    portalOrigin: originOf(url),
    hostOrigin: opened.origin ?? '',
  }
  return newPortalSession
})

const recordOf = (addressedPage: PortalUrl.AddressedPage): string | undefined => {
  switch (addressedPage.type) {
    case 'create-password':
      return addressedPage.passwordId
    case 'create-passkey':
      return addressedPage.webAuthId
    case 'review':
      return addressedPage.pendingTransactionId
    case 'on-ramp':
      return addressedPage.purchaseId
    case 'export':
      return addressedPage.walletId
    case 'login-password':
    case 'login-passkey':
      return undefined
  }
}

const isLoginPage = ({ page }: Pick<NewPortalSession, 'page'>): boolean =>
  page === 'login-password' || page === 'login-passkey'

/** A key is shown only in a window that the app opened and has proven. */
export const isForOpenerAlone = ({ page }: Pick<NewPortalSession, 'page'>): boolean => page === 'export'

/** A review's result is at the service: the app looks there, and the page returns to no address. */
export const endsHere = ({ page }: Pick<NewPortalSession, 'page'>): boolean => page === 'review'

/** Whose page it is: the session's identity if the service gives it, else the identity that the address names. */
export const identityOf = (portalSession: PortalSession): Identity.Identity | undefined =>
  Identity.fromAuthObject(portalSession.identity ?? {}) ?? Identity.fromAuthObject(portalSession.parameters)

/** A session of the public client has no registered key yet: its page binds the key of the address, after asking. */
const isKeyOfAddress = ({ mode, loginPublicKey, parameters }: NewPortalSession): boolean =>
  parameters.encryptionKey !== undefined &&
  (loginPublicKey === parameters.encryptionKey || (mode === 'ask' && loginPublicKey === undefined))

/** Sends the page's heartbeat, and its close when it goes away. A failure of either does not stop the page. */
const keepHeartbeat = Effect.fn('portalSessions.keepHeartbeat')(function* ({
  openingId,
  openingSecret,
}: NewPortalSession) {
  const api = yield* Api
  const navigation = yield* Navigation
  const input = { path: { openingId }, body: { openingSecret } }
  // A portal session that is over needs no heartbeat; after any other failure the next heartbeat tries again.
  const heartbeat = Effect.catch(api.call('beatOpening', input, { keepalive: true }), (error) =>
    error.status === 410 ? Effect.fail(error) : Effect.void,
  )
  yield* Effect.forkScoped(Effect.ignore(Effect.schedule(heartbeat, Schedule.spaced(heartbeatEvery))))
  const close = Effect.ignore(api.call('closeOpening', input, { keepalive: true }))
  yield* Effect.forkScoped(Effect.forever(Effect.andThen(navigation.hidden, close)))
})

/** The proven opener, or nothing if it is silent. A wrong answer stops the page. */
const proveOpener = Effect.fn('portalSessions.proveOpener')(function* (newPortalSession: NewPortalSession) {
  const { sessionId, devicePublicKey, loginPublicKey, ...known } = newPortalSession
  if (sessionId === undefined || devicePublicKey === undefined) return yield* new OpenerNotProven()
  const loginKey = isLoginPage(newPortalSession) ? loginPublicKey : undefined
  const pair = newPortalSession.page === 'export' ? yield* ownPair : undefined
  const nonce = pair && Export.nonceOf(pair.publicKey)
  return yield* handshake({ ...known, sessionId, devicePublicKey, loginPublicKey: loginKey, nonce }).pipe(
    Effect.map(({ ticket, hostSecret, recoveryPublicKey, deviceSignature }) =>
      Option.some<Admission>({
        kind: 'opener',
        ticket,
        secret: hexToBytes(hostSecret),
        ...(recoveryPublicKey === undefined ? {} : { recoveryPublicKey }),
        ...(pair === undefined ? {} : { exporting: { ...pair, deviceSignature } }),
      }),
    ),
    Effect.catchTag('OpenerSilent', () => Effect.succeed(Option.none<Admission>())),
    Effect.tapErrorTag('OpenerNotProven', () => reportMismatch(newPortalSession)),
  )
})

const ownPair = Effect.gen(function* () {
  const secretKey = yield* (yield* Random).bytes(Hpke.keyLength)
  return { secretKey, publicKey: Hpke.publicKeyOf(secretKey) }
})

/** Puts the mismatch on record at the service. If the report is lost, the page has stopped all the same. */
const reportMismatch = Effect.fn('portalSessions.reportMismatch')(function* ({
  openingId,
  openingSecret,
}: NewPortalSession) {
  const body = { openingSecret, reason: 'opener-mismatch' } as const
  yield* Effect.ignore((yield* Api).call('closeOpening', { path: { openingId }, body }, { keepalive: true }))
})

/**
 * Without an opener the result goes to the partner's registered address, sealed under a code in the fragment
 * (domain/client/README.md#return-by-redirect).
 */
const planReturn = Effect.fn('portalSessions.planReturn')(function* (newPortalSession: NewPortalSession) {
  const { returnUrl, hostOrigin, recoveryPublicKey } = newPortalSession
  if (isForOpenerAlone(newPortalSession)) return yield* new OpenerMissing()
  const isKnown = returnUrl !== undefined && originOf(returnUrl) === hostOrigin
  if (!isKnown && !endsHere(newPortalSession)) return yield* new OpenerNotProven()
  const secret = yield* (yield* Random).bytes(32)
  return {
    kind: 'redirect',
    secret,
    ...(recoveryPublicKey === undefined ? {} : { recoveryPublicKey }),
  } satisfies Admission
})

/** Trades the page's secret for a portal token. */
const enter = Effect.fn('portalSessions.enter')(function* (newPortalSession: NewPortalSession, admission: Admission) {
  const { openingId, openingSecret, parameters } = newPortalSession
  const { challenge, serverTime, ...token } = yield* (yield* Api).call('createOpeningToken', {
    path: { openingId },
    body: { openingSecret, ...grounds(newPortalSession, admission) },
  })
  const isFresh = yield* Ref.make(true)
  return {
    ...newPortalSession,
    ...token,
    // The link of a public client's review names no session.
    sessionId: newPortalSession.sessionId ?? token.sessionId,
    admission,
    recipient: isLoginPage(newPortalSession)
      ? (newPortalSession.loginPublicKey ?? parameters.encryptionKey)
      : undefined,
    challenge: Effect.flatMap(Ref.getAndSet(isFresh, false), (isFirst) =>
      isFirst ? Effect.succeed(hexToBytes(challenge)) : nextChallenge,
    ),
    clockOffset: serverTime - (yield* Clock.currentTimeMillis),
  } satisfies PortalSession
})

const grounds = (
  newPortalSession: NewPortalSession,
  admission: Admission,
): Partial<Input<'createOpeningToken'>['body']> => {
  switch (admission.kind) {
    case 'opener': {
      const { ticket, secret, exporting } = admission
      if (exporting === undefined) return { ticket }
      const { publicKey, deviceSignature } = exporting
      const hostSecretHash = bytesToHex(sha256(secret))
      return { ticket, recipientPublicKey: bytesToHex(publicKey), deviceSignature, hostSecretHash }
    }
    case 'redirect':
      return {
        redirect: true,
        redeemHash: bytesToHex(OpenerMessages.redeemHash(OpenerMessages.redeemProof(admission.secret))),
      }
    case 'asked': {
      const { encryptionKey } = newPortalSession.parameters
      return { asked: true, ...(encryptionKey === undefined ? {} : { loginPublicKey: encryptionKey }) }
    }
  }
}

const nextChallenge = Effect.gen(function* () {
  const { challenge } = yield* (yield* Api).call('getPasskeyChallenge', { query: {} })
  return base64.decode(challenge)
})

/** Closes the page when the host gives up. */
const leaveOnClose = Effect.fn('portalSessions.leaveOnClose')(function* ({ openingId, hostOrigin }: PortalSession) {
  const inbox = yield* (yield* Opener).messages
  for (;;) {
    const { fromOpener, origin, data } = yield* Queue.take(inbox)
    const isOpeners = fromOpener && origin === hostOrigin
    if (isOpeners && OpenerMessages.readClose(data)?.openingId === openingId) return yield* (yield* Navigation).close
  }
})

/** After the commit: sends the result to the host, or returns by redirect, and leaves. */
export const leave = Effect.fn('portalSessions.leave')(function* (
  portalSession: PortalSession,
  result: OpenerMessages.DoneResult,
  sealedResult: string | undefined,
) {
  const { openingId, admission, returnUrl } = portalSession
  yield* report({ step: 'telling' })
  const navigation = yield* Navigation
  if (admission.kind === 'redirect' && returnUrl !== undefined) {
    return yield* navigation.redirect(`${returnUrl}#tandem=${openingId}.${bytesToHex(admission.secret)}`)
  }
  if (admission.kind === 'opener') yield* tell(portalSession, result, sealedResult)
  return yield* navigation.close
})

/** Tells a proven opener the outcome; the page stays. */
export const tell = Effect.fn('portalSessions.tell')(function* (
  { openingId, hostOrigin }: PortalSession,
  result: OpenerMessages.DoneResult,
  sealedResult?: string,
) {
  const done: OpenerMessages.Done = {
    v: 1,
    type: 'tandem.done',
    openingId,
    result,
    ...(sealedResult === undefined ? {} : { sealedResult }),
  }
  yield* (yield* Opener).post(done, hostOrigin)
})

/** The key pair of an export page; nothing on any other page. */
export const exportingOf = ({ admission }: PortalSession): Exporting | undefined =>
  admission.kind === 'opener' ? admission.exporting : undefined

/** The key of the address is not the one that the session registered. */
export class LoginKeyMismatch extends Data.TaggedError('LoginKeyMismatch') {
  override readonly message = 'login key mismatch'
}

/** The page works only with an opener that proves itself, and none answers. */
export class OpenerMissing extends Data.TaggedError('OpenerMissing') {
  override readonly message = 'no opener'
}
