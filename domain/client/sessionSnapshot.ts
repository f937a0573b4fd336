import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import * as CurrentWalletIds from '../model/CurrentWalletIds.ts'
import { isPresent } from '../model/Identity.ts'
import { anonymous, type SessionSnapshot } from '../model/SessionSnapshot.ts'
import { belongsTo } from '../model/Wallet.ts'
import { deviceRoot, signedRecovery } from './certifiedKeys.ts'
import { ShareStore } from './ports/ShareStore.ts'
import { SessionState, type HostSession } from './SessionState.ts'
import { supportedWalletTypes } from './wallets.ts'
import { WalletState } from './WalletState.ts'

/** What this document knows of its session, without a request (domain/client/README.md#session-status). */
export const sessionSnapshot = Effect.gen(function* () {
  const session = Option.getOrUndefined(yield* (yield* SessionState).get)
  const snapshot = yield* ofUser(session)
  return session?.operator === undefined ? snapshot : { ...snapshot, operator: session.operator }
})

const ofUser = Effect.fnUntraced(function* (session: HostSession | undefined) {
  if (!isPresent(session?.userId)) return anonymous
  const { userId, email, isAuthenticated } = session
  const user = { userId, ...(isPresent(email) ? { email } : {}) }
  const half: SessionSnapshot = { status: 'needs-setup', setup: 'credential', ...user, wallets: [] }
  if (!isAuthenticated) return half

  const locked: SessionSnapshot = { status: 'locked', ...user, wallets: [] }
  return yield* Effect.catchCause(signedIn(session, user), (cause) =>
    Effect.as(Effect.logWarning('what this device holds cannot be read', cause), locked),
  )
})

type User = Pick<SessionSnapshot, 'email'> & { readonly userId: string }

/**
 * A share store that does not open has nothing that could be used: its user is signed in, and locked out of their
 * shares.
 */
const signedIn = Effect.fnUntraced(function* (session: HostSession, user: User) {
  const { sessionId, needsWallet, currentWalletIds, missing, refused } = session
  const { userId } = user
  const shares = yield* ShareStore
  const state = yield* WalletState
  const current = currentWalletIds ?? {}
  const usable = CurrentWalletIds.supported(current, yield* supportedWalletTypes)
  const wallets = (yield* state.get).filter((wallet) => belongsTo(wallet, user))
  // The page that made the account was left before its secret was shown.
  const isUnacknowledged = Option.isSome(yield* signedRecovery(userId))
  // A key that is made without the user's root key could never be backed up: a login brings the root key first.
  const isProven = Option.isSome(yield* deviceRoot(sessionId))
  const held = new Set((yield* shares.list).map(({ walletId }) => walletId))
  const isUsable = (id: string) => id !== refused && (held.has(id) || missing.includes(id))
  const isWhole = CurrentWalletIds.all(current).every(isUsable)
  // One wallet was made, and the next one was interrupted.
  const isUnfinished = isWhole && isProven && (yield* state.missing).length > 0
  if (needsWallet === true || isUnacknowledged || isUnfinished) {
    const next: Pick<SessionSnapshot, 'status' | 'setup'> = isProven
      ? { status: 'needs-setup', setup: 'wallets' }
      : { status: 'locked' }
    return { ...next, ...user, wallets, currentWalletIds: usable } satisfies SessionSnapshot
  }
  const snapshot: SessionSnapshot = {
    status: isWhole ? 'ready' : 'locked',
    ...user,
    wallets,
    currentWalletIds: usable,
  }
  return snapshot
})
