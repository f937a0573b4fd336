import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import * as CurrentWalletIds from '../model/CurrentWalletIds.ts'
import { isPresent } from '../model/Identity.ts'
import { anonymous, type SessionSnapshot } from '../model/SessionSnapshot.ts'
import { belongsTo } from '../model/Wallet.ts'
import { deviceRoot } from './deviceRoot.ts'
import { ShareStore } from './ports/ShareStore.ts'
import { SessionState } from './SessionState.ts'
import { WalletState } from './WalletState.ts'

/** What this document knows of its session, without asking anybody. */
export const sessionSnapshot = Effect.gen(function* () {
  const session = Option.getOrUndefined(yield* (yield* SessionState).get)
  if (!isPresent(session?.userId)) return anonymous
  const { sessionId, userId, email, isAuthenticated, needsWallet, currentWalletIds, missing } = session
  const user = { userId, ...(isPresent(email) ? { email } : {}) }
  if (!isAuthenticated) return { status: 'needs-setup', setup: 'credential', ...user, wallets: [] } satisfies SessionSnapshot

  const shares = yield* ShareStore
  const wallets = (yield* (yield* WalletState).get).filter((wallet) => belongsTo(wallet, { userId, email }))
  const recovery = Option.getOrUndefined(yield* shares.pendingRecovery.get)
  // Its secret was not told yet: the page that made the account was left before that (flows 5.11).
  const isUntold = recovery?.userId === userId && recovery.signature !== undefined
  if (needsWallet === true || isUntold) {
    // A key that was made without the user's root key could never be backed up: a login brings that first.
    const isProven = Option.isSome(yield* deviceRoot(sessionId))
    const next: Pick<SessionSnapshot, 'status' | 'setup'> = isProven
      ? { status: 'needs-setup', setup: 'wallets' }
      : { status: 'locked' }
    return { ...next, ...user, wallets } satisfies SessionSnapshot
  }
  const held = new Set((yield* shares.list).map(({ walletId }) => walletId))
  const isWhole = CurrentWalletIds.all(currentWalletIds ?? {}).every((id) => held.has(id) || missing.includes(id))
  const snapshot: SessionSnapshot = { status: isWhole ? 'ready' : 'locked', ...user, wallets }
  return snapshot
})
