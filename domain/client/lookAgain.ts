import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import { SessionState } from './SessionState.ts'
import { sessionToken } from './sessionToken.ts'
import { touch } from './touch.ts'
import { listWallets } from './wallets.ts'
import { WalletState } from './WalletState.ts'

/**
 * Who is signed in here, and with which wallets; nobody is asked where there is no session. What was known counts until there
 * is an answer: whoever loses the connection is not signed out by it.
 */
export const lookAgain = Effect.fn('account.lookAgain')(function* () {
  const wallets = yield* WalletState
  if ((yield* sessionToken) === undefined) {
    yield* (yield* SessionState).clear
    return yield* wallets.set([])
  }
  const { isAuthenticated } = yield* touch(false)
  return yield* isAuthenticated ? Effect.asVoid(listWallets()) : wallets.set([])
})

/** The same where this document does not know yet, or not any more. */
export const lookOnce = Effect.fn('account.lookOnce')(function* () {
  if (Option.isNone(yield* (yield* SessionState).get)) yield* lookAgain()
})
