import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import { SessionState } from './SessionState.ts'
import { sessionToken } from './sessionToken.ts'
import { touch } from './touch.ts'
import { listWallets } from './wallets.ts'
import { WalletState } from './WalletState.ts'

/**
 * Asks the service who is signed in and with which wallets; without a session token no request is made. Until there is
 * an answer the last known state stays: losing the connection signs no one out.
 */
export const refreshSession = Effect.fn('account.refreshSession')(function* () {
  const wallets = yield* WalletState
  if ((yield* sessionToken) === undefined) {
    yield* (yield* SessionState).clear
    return yield* wallets.set([])
  }
  const { isAuthenticated } = yield* touch(false)
  return yield* isAuthenticated ? Effect.asVoid(listWallets()) : wallets.set([])
})

/** The same if this document does not know the session, or no longer. */
export const ensureSession = Effect.fn('account.ensureSession')(function* () {
  if (Option.isNone(yield* (yield* SessionState).get)) yield* refreshSession()
})
