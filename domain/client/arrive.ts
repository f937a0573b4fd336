import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import { login, resumeLogin, type LoggedIn, type Login } from './login.ts'
import { returnFromPortal } from './portalReturn.ts'
import { Navigation } from './ports/Navigation.ts'
import { SessionState } from './SessionState.ts'
import { sessionToken } from './sessionToken.ts'
import { resumeAccount, setUpAccount, type AccountSetup } from './setUpAccount.ts'
import { resumeSetUp } from './setUpCredential.ts'
import { tellTabs } from './tabNews.ts'
import { touch } from './touch.ts'
import { WalletState } from './WalletState.ts'
import { listWallets } from './wallets.ts'
import type { Identity } from '../model/Identity.ts'

/** When a page of the app begins: what comes back from the portal is handed on first, and its window has done its work. */
export const arrive = Effect.fn('account.arrive')(function* () {
  if ((yield* returnFromPortal()) === 'taken') yield* (yield* Navigation).close
})

/** Who is signed in here, and with which wallets; nobody is asked where there was never a session. */
export const lookAgain = Effect.fn('account.lookAgain')(function* () {
  yield* (yield* SessionState).clear
  yield* (yield* WalletState).set([])
  if ((yield* sessionToken) === undefined) return
  const { isAuthenticated } = yield* touch(false)
  if (isAuthenticated) yield* listWallets()
})

/** The same where this document does not know yet, or not any more. */
export const lookOnce = Effect.fn('account.lookOnce')(function* () {
  if (Option.isNone(yield* (yield* SessionState).get)) yield* lookAgain()
})

/** A login with all that follows it on this device. */
export type Entered = LoggedIn & {
  /** The secret that opens the user's half of the keys, if wallets were made just now. */
  readonly recoverySecret: string | null
}

/** Logs in and makes what is missing. */
export const enter = Effect.fn('account.enter')(function* (identity: Identity, options: Login) {
  return yield* completed(yield* login(identity, options))
})

/** What was begun at the portal before this page was loaded, or while no window could be opened: waits for its end. */
export type Resumed = ({ readonly kind: 'login' } & Entered) | ({ readonly kind: 'set-up' } & AccountSetup) | null

export const resume = Effect.fn('account.resumeVisit')(function* () {
  const loggedIn = yield* resumeLogin()
  if (Option.isSome(loggedIn)) return { kind: 'login', ...(yield* completed(loggedIn.value)) } satisfies Resumed
  if (Option.isSome(yield* resumeSetUp())) return { kind: 'set-up', ...(yield* finishSetup()) } satisfies Resumed
  return null
})

/** The wallets that a signed-in user lacks, and the recovery secret that was not told yet. */
export const finishSetup = Effect.fn('account.finishSetup')(function* () {
  const setup = yield* setUpAccount()
  yield* touch(false)
  yield* listWallets()
  yield* tellTabs({ type: 'wallets' })
  return setup
})

/** A wallet that stays unfinished is no reason to keep a user out who has others. */
const completed = Effect.fn('account.completeLogin')(function* (loggedIn: LoggedIn) {
  const resumed = resumeAccount(loggedIn.needsWallet)
  const setup = yield* loggedIn.needsWallet
    ? resumed
    : Effect.catch(resumed, (error) => Effect.as(Effect.logWarning('an unfinished wallet stays unfinished', error._tag), null))
  yield* listWallets()
  const entered: Entered = { ...loggedIn, recoverySecret: setup?.recoverySecret ?? null }
  return entered
})
