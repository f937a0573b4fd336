import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import { fromAuthObject, required, type AuthObject } from '../model/Identity.ts'
import { login, resumeLogin, type LoggedIn, type Login } from './login.ts'
import type { Opened } from './openWindow.ts'
import { returnFromPortal } from './portalReturn.ts'
import { Navigation } from './ports/Navigation.ts'
import { SessionState } from './SessionState.ts'
import { resumeAccount, setUpAccount, type AccountSetup } from './setUpAccount.ts'
import { resumeSetUp } from './setUpCredential.ts'
import { tellTabs } from './tabNews.ts'
import { listWallets } from './wallets.ts'

/** A login with all that follows it on this device. */
export type Entered = LoggedIn & {
  /** The secret that opens the user's half of the keys, if wallets were made just now. */
  readonly recoverySecret: string | null
}

/** Logs in and makes what is missing. */
export const enter = Effect.fn('account.enter')(function* (who: AuthObject, options: Login, opened?: Opened) {
  const identity = yield* Effect.fromResult(required(fromAuthObject(who)))
  return yield* completed(yield* login(identity, options, opened))
})

/** What was begun at the portal before this page was loaded, or while no window could be opened: waits for its end. */
export type Resumed = ({ readonly kind: 'login' } & Entered) | ({ readonly kind: 'set-up' } & AccountSetup) | null

export const resume = Effect.fn('account.resumeVisit')(function* () {
  const loggedIn = yield* resumeLogin()
  if (Option.isSome(loggedIn)) return { kind: 'login', ...(yield* completed(loggedIn.value)) } satisfies Resumed
  if (Option.isSome(yield* resumeSetUp())) return { kind: 'set-up', ...(yield* finishSetup()) } satisfies Resumed
  return null
})

/**
 * The same without asking for more than its end: the recovery secret of wallets that are made now would be told to nobody, so
 * they wait until the app asks for them.
 */
export const awaitVisit = Effect.fn('account.awaitVisit')(function* () {
  if (Option.isNone(yield* resumeLogin())) yield* resumeSetUp()
  if (Option.exists(yield* (yield* SessionState).get, ({ isAuthenticated }) => isAuthenticated)) yield* listWallets()
})

/** What came back from the portal in this page's address is handed on, and a window that has done its work is closed. */
export const receive = Effect.fn('account.receive')(function* (address: string) {
  const returned = yield* returnFromPortal(address)
  if (returned === 'taken') yield* (yield* Navigation).close
  return returned
})

/**
 * When a page of the app begins. What this tab keeps of what came back is committed already, and is read to its end before
 * anything is shown or asked: a session whose device was not told the root key yet is half of one.
 */
export const arrive = Effect.fn('account.arrive')(function* (address: string) {
  if ((yield* receive(address)) === 'kept') yield* Effect.timeoutOption(awaitVisit(), readWithin)
})

/** Longer than shares take to arrive; whatever is slower is waited for beside the page. */
const readWithin = '20 seconds'

/** The wallets that a signed-in user lacks, and the recovery secret that was not told yet. */
export const finishSetup = Effect.fn('account.finishSetup')(function* () {
  const setup = yield* setUpAccount()
  yield* tellTabs({ type: 'wallets' })
  return setup
})

/** A wallet that stays unfinished is no reason to keep a user out who has others. */
const completed = Effect.fn('account.completeLogin')(function* (loggedIn: LoggedIn) {
  const resumed = resumeAccount(loggedIn.needsWallet)
  const setup = yield* loggedIn.needsWallet
    ? resumed
    : Effect.catch(resumed, (error) => Effect.as(Effect.logWarning('an unfinished wallet stays unfinished', error._tag), null))
  // What was set up has them listed: nothing that may fail stands between its secret and whoever asked.
  if (setup === null) yield* listWallets()
  const entered: Entered = { ...loggedIn, recoverySecret: setup?.recoverySecret ?? null }
  return entered
})
