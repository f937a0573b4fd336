import * as Data from 'effect/Data'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import type { AuthMethod } from '../model/Credential.ts'
import * as EventNames from '../model/Events.ts'
import { isPresent, same, type Identity } from '../model/Identity.ts'
import { PopupClosed } from '../model/Popup.ts'
import { ExitedWithoutSetup, isReadyForWallets } from '../model/Session.ts'
import { storagePrefix } from '../model/Provider.ts'
import * as StorageKeys from '../model/StorageKeys.ts'
import { forgetSession } from './forgetSession.ts'
import { getSupportedAuthMethods } from './getSupportedAuthMethods.ts'
import { OpenerNotProven } from './OpenerNotProven.ts'
import { readOpeningResult } from './openingResult.ts'
import { forgetOpeningSecret } from './openingSecret.ts'
import { openPortal, type PortalVisit } from './openPortal.ts'
import { portalAddress } from './portalAddress.ts'
import { Api } from './ports/Api.ts'
import { Events } from './ports/Events.ts'
import { Locks } from './ports/Locks.ts'
import { Popup, type OpenPopup } from './ports/Popup.ts'
import { ShareStore } from './ports/ShareStore.ts'
import { Storage } from './ports/Storage.ts'
import { receiveShares } from './receiveShares.ts'
import { rememberedIdentity, rememberIdentity, rememberUserId } from './rememberedUser.ts'
import { insistently } from './runProtocol.ts'
import { forgetLoginPair, loginPair, prepareLoginKeys } from './sessionKeys.ts'
import { SessionState, type HostSession } from './SessionState.ts'
import { currentSession, touch } from './touch.ts'
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
 * Logs a user in on this device (spec §4, login flow; flows 6). The popup is opened before anything else, so that it
 * happens within the click.
 */
export const login = Effect.fn('users.login')(function* (identity: Identity, options: Login = {}) {
  const popup = yield* (yield* Popup).open('LOGIN_PASSKEY')
  return yield* Effect.onError(logIn(popup, identity, options), () => popup.close)
}, Effect.scoped)

const logIn = Effect.fn('users.logIn')(function* (popup: OpenPopup, identity: Identity, { method }: Login) {
  const session = yield* touch(true)
  yield* rememberIdentity(identity)
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
  const visit = yield* openPortal({ popup, url, portalOrigin, session, page, loginPair: pair })
  return yield* Effect.onError(waitForLogin(visit), () => visit.giveUp)
})

/** Goes on where a reload of this page interrupted a login; nothing where there was none (flows 6, 6.12). */
export const resumeLogin = Effect.fn('users.resumeLogin')(function* () {
  const stored = readMarker(yield* (yield* Storage).session.get(marker))
  if (stored !== undefined) return Option.some(yield* finish(stored))

  const { sessionId } = yield* currentSession
  if (Option.isNone(yield* loginPair(sessionId))) return Option.none<LoggedIn>()
  return Option.some(yield* waitForLogin({ done: Effect.never, gone: Effect.never }))
})

/** Flows 6.11: the session is active and has its wallet ids, or needs wallets; every share is checked and written. */
const waitForLogin = Effect.fn('users.waitForLogin')(function* (visit: Pick<PortalVisit, 'done' | 'gone'>) {
  const { session, done } = yield* waitForSession(visit, {
    isReady: isReadyForWallets,
    onGone: () => new PopupClosed({ kind: 'LOGIN_PASSKEY' }),
  })
  if (!session.userId) return yield* new ExitedWithoutSetup()
  const pair = yield* loginPair(session.sessionId)
  if (Option.isNone(pair)) return yield* new LoginKeyLost()

  const { alone } = yield* Locks
  const result = yield* Effect.gen(function* () {
    if (!(yield* isAskedFor(session))) return yield* new OpenerNotProven()
    const opened = yield* readOpeningResult(session, done)
    yield* alone('tandem:session', receiveShares(session, opened, pair.value))
    return opened
  }).pipe(Effect.tapErrorTag('OpenerNotProven', forgetSession))

  const { userId, missing } = result
  const stored: Marker = { userId, missing }
  yield* (yield* Storage).session.set(marker, JSON.stringify(stored))
  return yield* finish(stored)
})

/** Whoever was led into somebody else's account would fund it: the user has to be the one that login was asked for. */
const isAskedFor = Effect.fn('users.isAskedFor')(function* ({ email }: HostSession) {
  const asked = yield* rememberedIdentity
  if (asked?.kind !== 'email' || !isPresent(email)) return true
  return same(asked, { kind: 'email', email })
})

/** Set once the shares are on the disk, so that what follows is repeated until it is done (flows 6.12). */
type Marker = { readonly userId: string; readonly missing: readonly string[] }

const marker = `${storagePrefix}tandem/login`

const readMarker = (text: string | undefined): Marker | undefined =>
  text === undefined ? undefined : (JSON.parse(text) as Marker)

/** Flows 6.12, in its order: nothing that could open the shares again is kept before they are durable, nor after. */
const finish = Effect.fn('users.finishLogin')(function* ({ userId, missing }: Marker) {
  const api = yield* Api
  const { local, session: tab } = yield* Storage
  yield* forgetLoginPair
  yield* forgetOpeningSecret
  const { sessionLookupId } = yield* currentSession
  yield* insistently(api.call('deleteTemporaryShares', { path: { userId }, query: { sessionLookupId } })).pipe(
    Effect.catch((error) => Effect.logWarning('the shares were not acknowledged, they expire by themselves', error)),
  )
  yield* (yield* ShareStore).liftBans
  const session = yield* insistently(touch(true))
  yield* (yield* SessionState).set({ ...session, missing })
  yield* rememberUserId(userId)
  yield* local.set(StorageKeys.currentWalletIds, JSON.stringify(session.currentWalletIds ?? {}))

  const loggedIn: LoggedIn = { userId, missing, needsWallet: session.needsWallet === true }
  yield* (yield* Events).emit(EventNames.login, { data: loggedIn })
  yield* tab.remove(marker)
  return loggedIn
})

/** The login pair is gone although its session is here: nothing that the portal sent can be opened. */
export class LoginKeyLost extends Data.TaggedError('LoginKeyLost') {
  override readonly message = 'login key is lost, log in again'
}
