import * as Cause from 'effect/Cause'
import * as Data from 'effect/Data'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import * as Queue from 'effect/Queue'
import type * as Redacted from 'effect/Redacted'
import * as Ref from 'effect/Ref'
import type { PortalSessionResult } from '../crypto/Opener.ts'
import type { AuthMethod } from '../model/Credential.ts'
import * as EventNames from '../model/Events.ts'
import { isPresent, same, type Identity } from '../model/Identity.ts'
import { PopupClosed } from '../model/Popup.ts'
import { ExitedWithoutSetup, isReadyForWallets, type Session } from '../model/Session.ts'
import * as StorageKeys from '../model/StorageKeys.ts'
import { abandonLogin, forgetSession } from './forgetSession.ts'
import { forgetLoginMarker, keepLoginMarker, loginMarker, type LoginMarker } from './loginMarker.ts'
import { OpenerNotProven } from './OpenerNotProven.ts'
import { believePortalSessionResult, readPortalSessionResult } from './portalSessionResult.ts'
import { forgetPortalSessionSecret } from './portalSessionSecret.ts'
import { openPortal, type PortalSessionHandle } from './openPortal.ts'
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
import { rememberedIdentity, rememberIdentity } from './rememberedIdentity.ts'
import { rememberUserId } from './rememberedUserId.ts'
import { insistently } from './runProtocol.ts'
import { forgetLoginPair, hasLoginPair, loginPair, prepareLoginKeys } from './sessionKeys.ts'
import { SessionState } from './SessionState.ts'
import { isSameToken, isSharedByNow, isTabSession } from './sessionToken.ts'
import { beginTabSession, sharedToken, shareTabSession } from './tabSession.ts'
import { readTabNews, tabChannel, tellTabs } from './tabNews.ts'
import { currentSession, touch } from './touch.ts'
import { forgetUnderWay, keepUnderWay, underWay } from './underWay.ts'
import { getSupportedAuthMethods } from './users.ts'
import { waitForSession } from './waitForSession.ts'

export type Login = {
  /** The method that the app asks for; by default a passkey if the identity has one, else a password. */
  readonly method?: AuthMethod | undefined
}

export type LoggedIn = {
  readonly userId: string
  /** The user has no wallet yet: they are made next. */
  readonly needsWallet: boolean
  /** Ids of wallets without a backup for this credential: they need recovery. */
  readonly missing: readonly string[]
}

/**
 * Logs a user in on this device (domain/client/README.md#login). It opens the popup before anything else, so that it
 * happens within the click. If another tab of this origin finishes first, its login counts for this one too.
 */
export const login = Effect.fn('users.login')(function* (identity: Identity, options: Login = {}) {
  const popup = yield* openWindow('LOGIN_PASSKEY')
  return yield* unlessContinued(popup, abandonLogin())(logIn(popup, identity, options))
}, Effect.scoped)

const logIn = Effect.fn('users.logIn')(function* (popup: Opened, identity: Identity, { method }: Login) {
  const isSignedIn = (yield* sharedToken) !== undefined && (yield* currentSession).isAuthenticated
  if (!isSignedIn) yield* beginTabSession
  const session = yield* touch(true)
  if (session.isAuthenticated && !isOf(identity, session)) return yield* new OtherAccountSignedIn()
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
  const portalSession = yield* openPortal({ popup: popup.value, url, portalOrigin, session, page, loginPair: pair })
  const claim = yield* makeClaim
  const adopted = Effect.tap(adopt(identity, claim), portalSession.giveUp)
  return yield* Effect.onError(
    Effect.raceFirst(waitForLogin(portalSession, claim), adopted),
    () => portalSession.giveUp,
  )
})

/** Continues a login that a reload of this page interrupted; `none` if there was none. */
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

/** The identity that the app asked to log in, in this page load or the one before. */
const askedFor = Effect.gen(function* () {
  const portalSession = Option.getOrUndefined(yield* underWay)
  return portalSession?.kind === 'login' ? portalSession.identity : yield* rememberedIdentity
})

/**
 * Decides between this tab's own login and another tab's: the first to ask continues, the other waits until the race is
 * over.
 */
type Claim = (by: 'own' | 'other') => Effect.Effect<void>

const makeClaim = Effect.map(
  Ref.make<'own' | 'other' | undefined>(undefined),
  (winner): Claim =>
    (by) =>
      Effect.flatMap(
        Ref.updateAndGet(winner, (current) => current ?? by),
        (current) => (current === by ? Effect.void : Effect.never),
      ),
)

/** Another tab was faster. Its login is this tab's too if it is of the same user (domain/client/README.md#tabs). */
const adopt = Effect.fn('users.adopt')(function* (identity: Identity, claim: Claim) {
  const inbox = yield* (yield* Tabs).messages(tabChannel)
  for (;;) {
    if (readTabNews(yield* Queue.take(inbox)) !== 'signed-in' || !(yield* isTabSession)) continue
    const shared = yield* awaitSharedSession
    if (Option.isNone(shared)) continue
    yield* claim('other')
    if (!isOf(identity, shared.value)) return yield* new OtherAccountSignedIn()
    return yield* takeShared([])
  }
})

/** The session that all tabs share becomes this tab's, and its login this one's. */
const takeShared = Effect.fn('users.takeShared')(function* (missing: readonly string[]) {
  yield* abandonLogin()
  const session = yield* touch(false)
  const { userId } = session
  if (!userId) return yield* new ExitedWithoutSetup()
  yield* (yield* SessionState).set({ ...session, missing })
  const loggedIn: LoggedIn = { userId, missing, needsWallet: session.needsWallet === true }
  yield* (yield* Events).emit(EventNames.login, { data: loggedIn })
  return loggedIn
})

/**
 * Browsers give no order between a tab's messages and its writes to storage: the token may be visible after the
 * message.
 */
const awaitSharedSession = Effect.suspend(() => {
  let asked: Redacted.Redacted | undefined
  const look = Effect.gen(function* () {
    const token = yield* sharedToken
    if (isSameToken(token, asked)) return Option.none<Session>()
    const session = yield* sessionUnder(token)
    asked = token
    return session
  })
  return Effect.option(
    pollUntil(patient(look), { every: '200 millis', within: '5 seconds', onTimeout: () => 'none' as const }),
  )
})

/** The session of a token, if a user is signed in there. */
const sessionUnder = Effect.fnUntraced(function* (token: Redacted.Redacted | undefined) {
  if (token === undefined) return Option.none<Session>()
  const session = yield* (yield* Api).call('touchSession', { query: { regenerate: 'false' } }, { session: token })
  return session.isAuthenticated ? Option.some<Session>(session) : Option.none<Session>()
})

/**
 * Waits until the session is active and has its wallet ids, or needs wallets; then checks and stores every share
 * (domain/client/README.md#received-shares).
 */
const waitForLogin = Effect.fn('users.waitForLogin')(function* (
  portalSession: Pick<PortalSessionHandle, 'done' | 'gone'>,
  claim: Claim,
) {
  const { session, done } = yield* waitForSession(portalSession, {
    isReady: isReadyForWallets,
    onGone: () => new PopupClosed({ kind: 'LOGIN_PASSKEY' }),
  })
  yield* claim('own')
  const { userId: signedIn } = session
  if (!signedIn) return yield* new ExitedWithoutSetup()
  const pair = yield* loginPair(session.sessionId)
  if (Option.isNone(pair)) return yield* new LoginKeyLost()

  const write = Effect.fnUntraced(function* (opened: PortalSessionResult) {
    yield* requireSameUser(signedIn)
    if (yield* isSharedByNow(session.sessionId)) return yield* takeShared(opened.missing)
    yield* receiveShares(session, opened, pair.value)
    const { userId, missing } = opened
    yield* keepLoginMarker({ userId, missing })
    return yield* finish({ userId, missing })
  })
  return yield* Effect.gen(function* () {
    const identity = yield* askedFor
    if (identity !== undefined && !isOf(identity, session)) {
      // A session that the tabs share is not of this login: another tab has signed another user in meanwhile.
      return yield* (yield* isTabSession) ? new OpenerNotProven() : new OtherAccountSignedIn()
    }
    const opened = yield* readPortalSessionResult(session, done)
    yield* believePortalSessionResult(session, opened)
    return yield* (yield* Locks).alone(sessionLock, write(opened))
  }).pipe(Effect.tapErrorTag('OpenerNotProven', forgetSession))
})

/**
 * Tabs write the results of logins one after the other: the lock lasts from the check of the user to the token that all
 * tabs share.
 */
const sessionLock = 'tandem:session'

/** While this tab had a session of its own, another one may have signed another user in for all tabs. */
const requireSameUser = Effect.fn('users.requireSameUser')(function* (userId: string) {
  if (!(yield* isTabSession)) return
  const shared = yield* insistently(Effect.flatMap(sharedToken, sessionUnder))
  if (Option.isNone(shared) || shared.value.userId === userId) return
  yield* forgetSession()
  return yield* new OtherAccountSignedIn()
})

/** The user has to be the one that login was asked for: a person led into another account might fund it. */
const isOf = (asked: Identity, { email }: Session): boolean =>
  asked.kind !== 'email' || !isPresent(email) || same(asked, { kind: 'email', email })

/**
 * Under the session lock. The login key is deleted only after the shares are durable, and before anything else. The
 * check for another user is repeated at the end, because a token may become visible some time after the lock of the tab
 * that wrote it was released.
 */
const finish = Effect.fn('users.finishLogin')(function* ({ userId, missing }: LoginMarker) {
  const api = yield* Api
  const { local } = yield* Storage
  yield* forgetLoginPair
  yield* forgetPortalSessionSecret
  const { sessionLookupId } = yield* currentSession
  yield* insistently(api.call('deleteTemporaryShares', { path: { userId }, query: { sessionLookupId } })).pipe(
    Effect.catch((error) => Effect.logWarning('the shares were not acknowledged, they expire by themselves', error)),
  )
  yield* (yield* ShareStore).unlockAll
  const session = yield* insistently(touch(true))
  yield* requireSameUser(userId)
  yield* (yield* SessionState).set({ ...session, missing, refused: undefined })
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

/** Another user was signed in here before the login, or in another tab meanwhile: their shares are on this device. */
export class OtherAccountSignedIn extends Data.TaggedError('OtherAccountSignedIn') {
  override readonly message = 'another user is signed in, log out first'
}

/** The login pair is gone although its session is here: nothing that the portal sent can be opened. */
export class LoginKeyLost extends Data.TaggedError('LoginKeyLost') {
  override readonly message = 'login key is lost, log in again'
}
