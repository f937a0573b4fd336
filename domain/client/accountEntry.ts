import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import { fromAuthObject, required, type AuthObject } from '../model/Identity.ts'
import { login, resumeLogin, type LoggedIn, type Login } from './login.ts'
import { returnFromPortal } from './portalReturn.ts'
import { Navigation } from './ports/Navigation.ts'
import { SessionState } from './SessionState.ts'
import { resumeAccount, setUpAccount, type AccountSetup } from './setUpAccount.ts'
import { resumeSetUp } from './setUpCredential.ts'
import { tellTabs } from './tabNews.ts'
import { listWallets } from './wallets.ts'

/** A login and what follows it on this device. */
export type Entered = LoggedIn & {
  /** The secret that opens the user's half of the keys, if wallets were made just now. */
  readonly recoverySecret: string | null
}

/** Logs in and makes the wallets that are missing. */
export const enter = Effect.fn('account.enter')(function* (who: AuthObject, options: Login) {
  const identity = yield* Effect.fromResult(required(fromAuthObject(who)))
  return yield* completed(yield* login(identity, options))
})

/** What was begun at the portal before this page was loaded, or while no window could be opened. Waits for its end. */
export type Resumed = ({ readonly kind: 'login' } & Entered) | ({ readonly kind: 'set-up' } & AccountSetup) | null

export const resume = Effect.fn('account.resumeVisit')(function* () {
  const loggedIn = yield* resumeLogin()
  if (Option.isSome(loggedIn)) return { kind: 'login', ...(yield* completed(loggedIn.value)) } satisfies Resumed
  if (Option.isSome(yield* resumeSetUp())) return { kind: 'set-up', ...(yield* finishSetup()) } satisfies Resumed
  return null
})

/**
 * Waits for the same end and makes no wallets. Their recovery secret would reach no caller here, so they wait until the
 * app asks for them.
 */
export const awaitPortalSession = Effect.fn('account.awaitPortalSession')(function* () {
  if (Option.isNone(yield* resumeLogin())) yield* resumeSetUp()
  if (Option.exists(yield* (yield* SessionState).get, ({ isAuthenticated }) => isAuthenticated)) yield* listWallets()
})

/** Hands on what the portal returned in this page's address, and closes a window that has done its work. */
export const receive = Effect.fn('account.receive')(function* (address: string) {
  const returned = yield* returnFromPortal(address)
  if (returned === 'taken') yield* (yield* Navigation).close
  return returned
})

/**
 * When a page of the app begins. A code that this tab has redeemed is committed, so its result is read before anything
 * is shown or asked: until then the device does not know the user's root key.
 */
export const resumeFromRedirect = Effect.fn('account.resumeFromRedirect')(function* (address: string) {
  if ((yield* receive(address)) === 'kept') yield* Effect.timeoutOption(awaitPortalSession(), readWithin)
})

/** Longer than shares take to arrive. Anything slower is waited for while the page is shown. */
const readWithin = '20 seconds'

/** The wallets that a signed-in user lacks, and the recovery secret that was not shown yet. */
export const finishSetup = Effect.fn('account.finishSetup')(function* () {
  const setup = yield* setUpAccount()
  yield* tellTabs({ type: 'wallets' })
  return setup
})

/** An unfinished wallet does not keep a user out who has others. */
const completed = Effect.fn('account.completeLogin')(function* (loggedIn: LoggedIn) {
  const resumed = resumeAccount(loggedIn.needsWallet)
  const setup = yield* loggedIn.needsWallet
    ? resumed
    : Effect.catch(resumed, (error) =>
        Effect.as(Effect.logWarning('an unfinished wallet stays unfinished', error._tag), null),
      )
  // Setting up has listed the wallets already. No request that may fail stands between the secret and the caller.
  if (setup === null) yield* listWallets()
  const entered: Entered = { ...loggedIn, recoverySecret: setup?.recoverySecret ?? null }
  return entered
})
