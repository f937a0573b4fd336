import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import { SessionState } from './SessionState.ts'
import { sessionToken } from './sessionToken.ts'
import { touch } from './touch.ts'
import { listWallets } from './wallets.ts'
import { WalletState } from './WalletState.ts'

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
