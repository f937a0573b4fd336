/** The session as an app shows it (spec §4, session state): what this document knows, without asking anybody. */
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import * as CurrentWalletIds from '../model/CurrentWalletIds.ts'
import { isPresent } from '../model/Identity.ts'
import { belongsTo, type Wallet } from '../model/Wallet.ts'
import { ShareStore } from './ports/ShareStore.ts'
import { SessionState } from './SessionState.ts'
import { WalletState } from './WalletState.ts'

export type SessionSnapshot = {
  /**
   * `needs-setup`: what `setup` says is still to be made. `locked`: signed in, but the key shares of current wallets are not on
   * this device, and a login brings them.
   */
  readonly status: 'loading' | 'anonymous' | 'needs-setup' | 'ready' | 'locked'
  /** A credential after the code was shown, or wallets after the credential was made. */
  readonly setup?: 'credential' | 'wallets'
  readonly userId?: string
  readonly email?: string
  readonly wallets: readonly Wallet[]
}

/** Before anything is known, and on a server for ever. */
export const loading: SessionSnapshot = { status: 'loading', wallets: [] }

export const anonymous: SessionSnapshot = { status: 'anonymous', wallets: [] }

export const sessionSnapshot = Effect.gen(function* () {
  const session = Option.getOrUndefined(yield* (yield* SessionState).get)
  if (!isPresent(session?.userId)) return anonymous
  const { userId, email, isAuthenticated, needsWallet, currentWalletIds, missing } = session
  const user = { userId, ...(isPresent(email) ? { email } : {}) }
  if (!isAuthenticated) return { status: 'needs-setup', setup: 'credential', ...user, wallets: [] } satisfies SessionSnapshot

  const shares = yield* ShareStore
  const wallets = (yield* (yield* WalletState).get).filter((wallet) => belongsTo(wallet, { userId, email }))
  const recovery = Option.getOrUndefined(yield* shares.pendingRecovery.get)
  // Its secret was not told yet: the page that made the account was left before that (flows 5.11).
  const isUntold = recovery?.userId === userId && recovery.signature !== undefined
  if (needsWallet === true || isUntold) {
    return { status: 'needs-setup', setup: 'wallets', ...user, wallets } satisfies SessionSnapshot
  }
  const held = new Set((yield* shares.list).map(({ walletId }) => walletId))
  const isWhole = CurrentWalletIds.all(currentWalletIds ?? {}).every((id) => held.has(id) || missing.includes(id))
  const snapshot: SessionSnapshot = { status: isWhole ? 'ready' : 'locked', ...user, wallets }
  return snapshot
})
