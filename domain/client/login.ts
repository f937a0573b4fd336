import * as Cause from 'effect/Cause'
import * as Data from 'effect/Data'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import * as Queue from 'effect/Queue'
import * as Ref from 'effect/Ref'
import type { OpeningResult } from '../crypto/Opener.ts'
import type { AuthMethod } from '../model/Credential.ts'
import * as EventNames from '../model/Events.ts'
import { isPresent, same, type Identity } from '../model/Identity.ts'
import { PopupClosed } from '../model/Popup.ts'
import { ExitedWithoutSetup, isReadyForWallets, type Session } from '../model/Session.ts'
import * as StorageKeys from '../model/StorageKeys.ts'
import { abandonLogin } from './abandonLogin.ts'
import { forgetSession } from './forgetSession.ts'
import { getSupportedAuthMethods } from './getSupportedAuthMethods.ts'
import { forgetLoginMarker, keepLoginMarker, loginMarker, type LoginMarker } from './loginMarker.ts'
import { OpenerNotProven } from './OpenerNotProven.ts'
import { believeOpeningResult, readOpeningResult } from './openingResult.ts'
import { forgetOpeningSecret } from './openingSecret.ts'
import { openPortal, type PortalVisit } from './openPortal.ts'
import { openWindow, unlessContinued, type Opened } from './openWindow.ts'
import { patient, pollUntil } from './polling.ts'
import { portalAddress } from './portalAddress.ts'
import { resumeReturn } from './portalReturn.ts'
import { Api } from './ports/Api.ts'
import { Events } from './ports/Events.ts'
import { Locks } from './ports/Locks.ts'
import { PopupBlocked } from './ports/Popup.ts'
import { ShareStore } from './ports/ShareStore.ts'
import { Storage } from './ports/Storage.ts'
import { Tabs } from './ports/Tabs.ts'
import { receiveShares } from './receiveShares.ts'
import { rememberedIdentity, rememberIdentity, rememberUserId } from './rememberedUser.ts'
import { insistently } from './runProtocol.ts'
import { forgetLoginPair, hasLoginPair, loginPair, prepareLoginKeys } from './sessionKeys.ts'
import { SessionState } from './SessionState.ts'
import { beginTabSession, isTabSession, sharedToken, shareTabSession } from './sessionToken.ts'
import { readTabNews, tabChannel, tellTabs } from './tabNews.ts'
import { currentSession, touch } from './touch.ts'
import { forgetUnderWay, keepUnderWay, underWay } from './underWay.ts'
import { waitForSession } from './waitForSession.ts'

export type Login = {
  /** With what the user logs in, if the app has asked; else with a passkey where there is one (spec §4). */
  readonly method?: AuthMethod | undefined
}

export type LoggedIn = {
  readonly userId: string
  /** The user has no wallet yet: they are made next (flows 5). */
  readonly needsWallet: boolean
  /** Wallets without a backup for this credential: they need recovery (flows A12). */
  readonly missing: readonly string[]
}

/**
 * Logs a user in on this device (spec §4, login flow; flows 6). The popup is opened before anything else, by the caller
 * or here, so that it happens within the click. What another tab of this origin finishes first counts for this one too.
 */
export const login = Effect.fn('users.login')(function* (identity: Identity, options: Login = {}, opened?: Opened) {
  const popup = opened ?? (yield* openWindow('LOGIN_PASSKEY'))
  return yield* unlessContinued(popup, abandonLogin())(logIn(popup, identity, options))
}, Effect.scoped)

const logIn = Effect.fn('users.logIn')(function* (
  popup: Opened,
  identity: Identity,
  { method }: Login,
) {
  const isSignedIn = (yield* sharedToken) !== undefined && (yield* currentSession).isAuthenticated
  if (!isSignedIn) yield* beginTabSession
  const session = yield* touch(true)
  yield* rememberIdentity(identity)
  yield* keepUnderWay({ kind: 'login', identity })
  const pair = yield* prepareLoginKeys(session)
  const methods = yield* getSupportedAuthMethods(identity)
  const chosen = method ?? (methods.includes('PASSKEY') ? 'PASSKEY' : 'PASSWORD')
  const page = chosen === 'PASSKEY' ? 'login-passkey' : 'login-password'
  const { url, origin: portalOrigin } = yield* portalAddress({
    type: page,
    identity,
    sessionId: session.sessionId,
    encryptionKey: pair.publicKey,
  })
  if (Option.isNone(popup)) return yield* new PopupBlocked({ continueUrl: url })
  const visit = yield* openPortal({ popup: popup.value, url, portalOrigin, session, page, loginPair: pair })
  const claim = yield* makeClaim
  const adopted = Effect.tap(adopt(identity, claim), visit.giveUp)
  return yield* Effect.onError(Effect.raceFirst(waitForLogin(visit, claim), adopted), () => visit.giveUp)
})

/** Goes on where a reload of this page interrupted a login; nothing where there was none (flows 6, 6.12). */
export const resumeLogin = Effect.fn('users.resumeLogin')(function* () {
  const stored = yield* loginMarker
  if (Option.isSome(stored)) return Option.some(yield* (yield* Locks).alone(sessionLock, finish(stored.value)))

  if (!(yield* hasLoginPair)) return Option.none<LoggedIn>()
  const { sessionId } = yield* currentSession
  if (Option.isNone(yield* loginPair(sessionId))) return Option.none<LoggedIn>()
  const identity = yield* askedFor
  const claim = yield* makeClaim
  const wait = waitForLogin(yield* resumeReturn, claim)
  const waited = identity === undefined ? wait : Effect.raceFirst(wait, adopt(identity, claim))
  const loggedIn = yield* Effect.tapCause(waited, (cause) =>
    Cause.hasInterruptsOnly(cause) ? Effect.void : abandonLogin(),
  )
  return Option.some(loggedIn)
}, Effect.scoped)

/** Whom the app asked to log in, here or in the page load before. */
const askedFor = Effect.gen(function* () {
  const visit = Option.getOrUndefined(yield* underWay)
  return visit?.kind === 'login' ? visit.identity : yield* rememberedIdentity
})

/**
 * Whose login it is to be, this tab's own or another's: who asks first goes on, and the other one waits until the race
 * is over.
 */
type Claim = (by: 'own' | 'other') => Effect.Effect<void>

const makeClaim = Effect.map(Ref.make<'own' | 'other' | undefined>(undefined), (winner): Claim => (by) =>
  Effect.flatMap(
    Ref.updateAndGet(winner, (current) => current ?? by),
    (current) => (current === by ? Effect.void : Effect.never),
  ),
)

/** Another tab was faster: its login is this one's too, if it is of the same user (flows 6, two tabs). */
const adopt = Effect.fn('users.adopt')(function* (identity: Identity, claim: Claim) {
  const inbox = yield* (yield* Tabs).messages(tabChannel)
  for (;;) {
    if (readTabNews(yield* Queue.take(inbox)) !== 'signed-in' || !(yield* isTabSession)) continue
    const shared = yield* awaitSharedSession
    if (Option.isNone(shared)) continue
    yield* claim('other')
    yield* abandonLogin()
    if (!isOf(identity, shared.value)) return yield* new OtherAccountSignedIn()
    const session = yield* touch(false)
    const { userId } = session
    if (!userId) return yield* new ExitedWithoutSetup()
    const loggedIn: LoggedIn = { userId, missing: [], needsWallet: session.needsWallet === true }
    yield* (yield* Events).emit(EventNames.login, { data: loggedIn })
    return loggedIn
  }
})

/** Browsers order a tab's messages and what it writes in storage no further: the token may come after the news of it. */
const awaitSharedSession = Effect.suspend(() => {
  let asked: string | undefined
  const look = Effect.gen(function* () {
    const token = yield* sharedToken
    if (token === asked) return Option.none<Session>()
    const session = yield* sessionUnder(token)
    asked = token
    return session
  })
  return Effect.option(
    pollUntil(patient(look), { every: '200 millis', within: '5 seconds', onTimeout: () => 'nobody' as const }),
  )
})

/** The session of a token, if somebody is signed in there. */
const sessionUnder = Effect.fnUntraced(function* (token: string | undefined) {
  if (token === undefined) return Option.none<Session>()
  const session = yield* (yield* Api).call('touchSession', { query: { regenerate: 'false' } }, { session: token })
  return session.isAuthenticated ? Option.some<Session>(session) : Option.none<Session>()
})

/** Flows 6.11: the session is active and has its wallet ids, or needs wallets; every share is checked and written. */
const waitForLogin = Effect.fn('users.waitForLogin')(function* (
  visit: Pick<PortalVisit, 'done' | 'gone'>,
  claim: Claim,
) {
  const { session, done } = yield* waitForSession(visit, {
    isReady: isReadyForWallets,
    onGone: () => new PopupClosed({ kind: 'LOGIN_PASSKEY' }),
  })
  yield* claim('own')
  const { userId: signedIn } = session
  if (!signedIn) return yield* new ExitedWithoutSetup()
  const pair = yield* loginPair(session.sessionId)
  if (Option.isNone(pair)) return yield* new LoginKeyLost()

  const write = Effect.fnUntraced(function* (opened: OpeningResult) {
    yield* requireNobodyElse(signedIn)
    yield* receiveShares(session, opened, pair.value)
    const { userId, missing } = opened
    yield* keepLoginMarker({ userId, missing })
    return yield* finish({ userId, missing })
  })
  return yield* Effect.gen(function* () {
    const identity = yield* askedFor
    if (identity !== undefined && !isOf(identity, session)) return yield* new OpenerNotProven()
    const opened = yield* readOpeningResult(session, done)
    yield* believeOpeningResult(session, opened)
    return yield* (yield* Locks).alone(sessionLock, write(opened))
  }).pipe(Effect.tapErrorTag('OpenerNotProven', forgetSession))
})

/** Results are written by one tab after the other, from the check whose they may be to the token that all tabs share. */
const sessionLock = 'tandem:session'

/** While this tab was on its own, another one may have signed somebody else in for all of them. */
const requireNobodyElse = Effect.fn('users.requireNobodyElse')(function* (userId: string) {
  if (!(yield* isTabSession)) return
  const shared = yield* insistently(Effect.flatMap(sharedToken, sessionUnder))
  if (Option.isNone(shared) || shared.value.userId === userId) return
  yield* forgetSession()
  return yield* new OtherAccountSignedIn()
})

/** Whoever was led into somebody else's account would fund it: the user has to be the one that login was asked for. */
const isOf = (asked: Identity, { email }: Session): boolean =>
  asked.kind !== 'email' || !isPresent(email) || same(asked, { kind: 'email', email })

/**
 * Under the session lock. Flows 6.12, in its order: nothing that could open the shares again is kept before they are
 * durable, nor after. Whether somebody else is signed in is looked at once more in the end: a token may come into sight some
 * time after the lock of whoever wrote it.
 */
const finish = Effect.fn('users.finishLogin')(function* ({ userId, missing }: LoginMarker) {
  const api = yield* Api
  const { local } = yield* Storage
  yield* forgetLoginPair
  yield* forgetOpeningSecret
  const { sessionLookupId } = yield* currentSession
  yield* insistently(api.call('deleteTemporaryShares', { path: { userId }, query: { sessionLookupId } })).pipe(
    Effect.catch((error) => Effect.logWarning('the shares were not acknowledged, they expire by themselves', error)),
  )
  yield* (yield* ShareStore).liftBans
  const session = yield* insistently(touch(true))
  yield* requireNobodyElse(userId)
  yield* (yield* SessionState).set({ ...session, missing })
  yield* shareTabSession
  yield* rememberUserId(userId)
  yield* local.set(StorageKeys.currentWalletIds, JSON.stringify(session.currentWalletIds ?? {}))

  const loggedIn: LoggedIn = { userId, missing, needsWallet: session.needsWallet === true }
  yield* (yield* Events).emit(EventNames.login, { data: loggedIn })
  yield* forgetLoginMarker
  yield* forgetUnderWay
  yield* tellTabs({ type: 'signed-in' })
  return loggedIn
})

/** Another tab signed another user in, whose shares are on this device now (flows 6.9). */
export class OtherAccountSignedIn extends Data.TaggedError('OtherAccountSignedIn') {
  override readonly message = 'sign out of the other account first'
}

/** The login pair is gone although its session is here: nothing that the portal sent can be opened. */
export class LoginKeyLost extends Data.TaggedError('LoginKeyLost') {
  override readonly message = 'login key is lost, log in again'
}
