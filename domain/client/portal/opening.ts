/**
 * How a page of the portal begins and ends (flows 2, the portal's side): it makes an opening, proves its opener,
 * receives its token, and tells the result to nobody but the origin that it proved.
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
import type { Input, Success } from '../../../generated/handlers.ts'
import * as Export from '../../crypto/Export.ts'
import * as Hpke from '../../crypto/Hpke.ts'
import * as OpenerMessages from '../../crypto/Opener.ts'
import type { ApiError } from '../../model/ApiError.ts'
import * as Identity from '../../model/Identity.ts'
import * as PortalUrl from '../../model/PortalUrl.ts'
import type * as Url from '../../model/Url.ts'
import { OpenerNotProven } from '../OpenerNotProven.ts'
import { originOf } from '../origin.ts'
import { Api } from '../ports/Api.ts'
import { Navigation } from '../ports/Navigation.ts'
import { Opener } from '../ports/Opener.ts'
import { report } from '../ports/Progress.ts'
import { Random } from '../ports/Random.ts'
import { meetOpener } from './meetOpener.ts'

/** Flows 2.8. */
export const beatEvery = '5 seconds'

/** A page that has an opening, and does not know its opener yet. */
export type Arrival = Success<'createOpening'> & {
  readonly page: OpenerMessages.Page
  readonly record: string | undefined
  /** Whose page it is, where its path says so. */
  readonly userId: string | undefined
  readonly sessionId: string | undefined
  readonly parameters: Url.Parameters
  readonly portalOrigin: string
  /** The only origin that the page speaks to; empty for a session that a server began. */
  readonly hostOrigin: string
}

/** How the page came to its token. `secret` is what its result is sealed under; who was asked gets no result. */
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

/** On an export page: the X25519 key made before the greeting, and the signature of the answer, which covers it. */
export type Exporting = {
  readonly publicKey: Uint8Array
  readonly secretKey: Uint8Array
  readonly deviceSignature: string
}

/** A page at work; the `Api` port holds its token. */
export type PortalOpening = Arrival &
  Omit<Success<'createOpeningToken'>, 'challenge' | 'serverTime'> & {
    readonly admission: Admission
    /** The key to which shares go: the one that was proved, never read again (flows 6.7). */
    readonly recipient: string | undefined
    /** 32 bytes to sign: other ones each time, because a verification consumes them. */
    readonly challenge: Effect.Effect<Uint8Array, ApiError, Api>
    /** The service's clock minus the page's, in milliseconds. */
    readonly clockOffset: number
  }

/** What the page may do next: work, or first ask the person whether this app and origin are meant (flows 2, ask). */
export type Begun =
  | { readonly kind: 'entered'; readonly opening: PortalOpening }
  | {
      readonly kind: 'ask'
      readonly proceed: Effect.Effect<PortalOpening, ApiError, Api>
    }

/**
 * Finds out who opened the page, and trades that for a token. On login pages the key of the address has to be the
 * registered one (flows 6.2). The page's heartbeat lasts as long as its scope.
 */
export const beginPage = Effect.fn('openings.beginPage')(function* (arrival: Arrival) {
  if (isLoginPage(arrival) && !isKeyOfAddress(arrival)) return yield* new LoginKeyMismatch()
  if (isForOpenerAlone(arrival) && arrival.mode === 'ask') return yield* new OpenerMissing()
  yield* keepBeating(arrival)
  if (arrival.mode === 'ask') {
    return { kind: 'ask', proceed: enter(arrival, { kind: 'asked' }) } satisfies Begun
  }

  const met = (yield* (yield* Opener).present) ? yield* meet(arrival) : Option.none<Admission>()
  const admission = Option.isSome(met) ? met.value : yield* planReturn(arrival)
  const opening = yield* enter(arrival, admission)
  if (admission.kind === 'opener') yield* Effect.forkScoped(leaveOnBye(opening))
  return { kind: 'entered', opening } satisfies Begun
})

/** Flows 2.2. The page's parameters are read here and never again (flows A14), and its address is stripped of them. */
export const arrive = Effect.fn('openings.arrive')(function* () {
  const navigation = yield* Navigation
  const url = yield* navigation.url
  const { visit, parameters } = yield* Effect.fromResult(PortalUrl.read(url))
  yield* navigation.replace(url.replace(/[?#].*$/, ''))

  const record = recordOf(visit)
  const userId = 'userId' in visit ? visit.userId : undefined
  const { sessionId } = parameters
  const opened = yield* (yield* Api).call('createOpening', {
    body: {
      page: visit.type,
      ...(sessionId === undefined ? {} : { sessionId }),
      ...(record === undefined ? {} : { record }),
      ...(userId === undefined ? {} : { userId }),
    },
  })
  const arrival: Arrival = {
    ...opened,
    page: visit.type,
    record,
    userId,
    sessionId,
    parameters,
    portalOrigin: originOf(url),
    hostOrigin: opened.origin ?? '',
  }
  return arrival
})

const recordOf = (visit: PortalUrl.Visit): string | undefined => {
  switch (visit.type) {
    case 'create-password':
      return visit.passwordId
    case 'create-passkey':
      return visit.webAuthId
    case 'review':
      return visit.pendingTransactionId
    case 'on-ramp':
      return visit.purchaseId
    case 'export':
      return visit.walletId
    case 'login-password':
    case 'login-passkey':
      return undefined
  }
}

export const isLoginPage = ({ page }: Pick<Arrival, 'page'>): boolean =>
  page === 'login-password' || page === 'login-passkey'

/** A key is shown in no window but one that the app opened and answers for (design 8.24). */
export const isForOpenerAlone = ({ page }: Pick<Arrival, 'page'>): boolean => page === 'export'

/** Whose page it is: the session knows after a step-up, and before a login the page's address says it (flows 6.2). */
export const identityOf = (opening: PortalOpening): Identity.Identity | undefined =>
  Identity.fromAuthObject(opening.identity ?? {}) ?? Identity.fromAuthObject(opening.parameters)

/** A session of the public client has no registered key yet: its page binds that of the address, after asking. */
const isKeyOfAddress = ({ mode, loginPublicKey, parameters }: Arrival): boolean =>
  parameters.encryptionKey !== undefined &&
  (loginPublicKey === parameters.encryptionKey || (mode === 'ask' && loginPublicKey === undefined))

/** The page says that it is there, and that it goes away (flows 2.8). Neither is worth failing for. */
const keepBeating = Effect.fn('openings.keepBeating')(function* ({ openingId, openingSecret }: Arrival) {
  const api = yield* Api
  const navigation = yield* Navigation
  const input = { path: { openingId }, body: { openingSecret } }
  // An opening that is over needs no sign of life; any other failure is met by the next beat.
  const beat = Effect.andThen(Effect.sleep(beatEvery), api.call('beatOpening', input, { keepalive: true })).pipe(
    Effect.catch((error) => (error.status === 410 ? Effect.fail(error) : Effect.void)),
  )
  yield* Effect.forkScoped(Effect.ignore(Effect.forever(beat)))
  const close = Effect.ignore(api.call('closeOpening', input, { keepalive: true }))
  yield* Effect.forkScoped(Effect.forever(Effect.andThen(navigation.hidden, close)))
})

/** The proven opener, or nothing where it keeps silent. A wrong answer stops the page (flows 2.6). */
const meet = Effect.fn('openings.meet')(function* (arrival: Arrival) {
  const { sessionId, devicePublicKey, loginPublicKey, ...known } = arrival
  if (sessionId === undefined || devicePublicKey === undefined) return yield* new OpenerNotProven()
  const loginKey = isLoginPage(arrival) ? loginPublicKey : undefined
  const pair = arrival.page === 'export' ? yield* ownPair : undefined
  const nonce = pair && Export.nonceOf(pair.publicKey)
  return yield* meetOpener({ ...known, sessionId, devicePublicKey, loginPublicKey: loginKey, nonce }).pipe(
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
    Effect.tapErrorTag('OpenerNotProven', () => reportMismatch(arrival)),
  )
})

const ownPair = Effect.gen(function* () {
  const secretKey = yield* (yield* Random).bytes(Hpke.keyLength)
  return { secretKey, publicKey: Hpke.publicKeyOf(secretKey) }
})

/** The service puts it on record; a page whose report is lost has stopped all the same. */
const reportMismatch = Effect.fn('openings.reportMismatch')(function* ({ openingId, openingSecret }: Arrival) {
  const body = { openingSecret, reason: 'opener-mismatch' } as const
  yield* Effect.ignore((yield* Api).call('closeOpening', { path: { openingId }, body }, { keepalive: true }))
})

/**
 * Without an opener the result goes to the partner's registered address, sealed under a code in its fragment (flows
 * A7).
 */
const planReturn = Effect.fn('openings.planReturn')(function* (arrival: Arrival) {
  const { returnUrl, hostOrigin, recoveryPublicKey } = arrival
  if (isForOpenerAlone(arrival)) return yield* new OpenerMissing()
  if (returnUrl === undefined || originOf(returnUrl) !== hostOrigin) return yield* new OpenerNotProven()
  const secret = yield* (yield* Random).bytes(32)
  return {
    kind: 'redirect',
    secret,
    ...(recoveryPublicKey === undefined ? {} : { recoveryPublicKey }),
  } satisfies Admission
})

/** Flows 2.7: the page trades its secret for a portal token. */
const enter = Effect.fn('openings.enter')(function* (arrival: Arrival, admission: Admission) {
  const { openingId, openingSecret, parameters } = arrival
  const { challenge, serverTime, ...token } = yield* (yield* Api).call('createOpeningToken', {
    path: { openingId },
    body: { openingSecret, ...grounds(arrival, admission) },
  })
  const isFresh = yield* Ref.make(true)
  return {
    ...arrival,
    ...token,
    admission,
    recipient: isLoginPage(arrival) ? (arrival.loginPublicKey ?? parameters.encryptionKey) : undefined,
    challenge: Effect.flatMap(Ref.getAndSet(isFresh, false), (isFirst) =>
      isFirst ? Effect.succeed(hexToBytes(challenge)) : nextChallenge,
    ),
    clockOffset: serverTime - (yield* Clock.currentTimeMillis),
  } satisfies PortalOpening
})

const grounds = (arrival: Arrival, admission: Admission): Partial<Input<'createOpeningToken'>['body']> => {
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
      const { encryptionKey } = arrival.parameters
      return { asked: true, ...(encryptionKey === undefined ? {} : { loginPublicKey: encryptionKey }) }
    }
  }
}

const nextChallenge = Effect.gen(function* () {
  const { challenge } = yield* (yield* Api).call('getPasskeyChallenge', { query: {} })
  return base64.decode(challenge)
})

/** The host gives up: the page closes (flows 13). */
const leaveOnBye = Effect.fn('openings.leaveOnBye')(function* ({ openingId, hostOrigin }: PortalOpening) {
  const inbox = yield* (yield* Opener).messages
  for (;;) {
    const { fromOpener, origin, data } = yield* Queue.take(inbox)
    const isOpeners = fromOpener && origin === hostOrigin
    if (isOpeners && OpenerMessages.readBye(data)?.openingId === openingId) return yield* (yield* Navigation).close
  }
})

/** The commit is done: tells the result to whom it belongs, and leaves (flows 3.9, 6.10). */
export const leave = Effect.fn('openings.leave')(function* (
  opening: PortalOpening,
  result: OpenerMessages.DoneResult,
  sealedResult: string | undefined,
) {
  const { openingId, admission, returnUrl } = opening
  yield* report({ step: 'telling' })
  const navigation = yield* Navigation
  if (admission.kind === 'redirect' && returnUrl !== undefined) {
    return yield* navigation.redirect(`${returnUrl}#tandem=${openingId}.${bytesToHex(admission.secret)}`)
  }
  if (admission.kind === 'opener') yield* tell(opening, result, sealedResult)
  return yield* navigation.close
})

/** Says to a proven opener how it went; the page stays. */
export const tell = Effect.fn('openings.tell')(function* (
  { openingId, hostOrigin }: PortalOpening,
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

/** What an export page works with; nothing on any other page. */
export const exportingOf = ({ admission }: PortalOpening): Exporting | undefined =>
  admission.kind === 'opener' ? admission.exporting : undefined

/** The key of the address is not the one that the session registered. */
export class LoginKeyMismatch extends Data.TaggedError('LoginKeyMismatch') {
  override readonly message = 'login key mismatch'
}

/** The page does what it is for in a window of the app alone, and there is none that answers. */
export class OpenerMissing extends Data.TaggedError('OpenerMissing') {
  override readonly message = 'no opener'
}
