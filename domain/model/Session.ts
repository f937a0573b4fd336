/** The session: what touch answers, when it is active, and when it is fully logged in. */
import * as Data from 'effect/Data'
import * as Result from 'effect/Result'
import { NotDelegated, type Scope } from './Delegation.ts'
import * as CurrentWalletIds from './CurrentWalletIds.ts'
import { isPresent } from './Identity.ts'
import type { SupportedWalletType } from './WalletTypes.ts'

/** The answer of touch. Some values are missing before a user has signed in. */
export type Session = {
  readonly isAuthenticated: boolean
  /** Stands in portal links. By itself it only opens a page. */
  readonly sessionId: string
  /** Names temporary shares and the start of OAuth. By itself it permits nothing. */
  readonly sessionLookupId: string
  readonly partnerId?: string | null
  readonly userId?: string | null
  readonly email?: string | null
  readonly currentWalletIds?: CurrentWalletIds.CurrentWalletIds | null
  readonly needsWallet?: boolean | null
  readonly supportedWalletTypes?: readonly SupportedWalletType[] | null
  readonly cosmosPrefix?: string | null
  /** There in a delegated session. `expiresAt` is in milliseconds since 1970. */
  readonly delegation?: { readonly scope: Scope; readonly expiresAt: number }
  readonly operator?: { readonly name: string }
}

/** The states of a session at the service, in order (domain/service/README.md#sessions). */
export const states = ['NEW', 'IDENTIFIED', 'VERIFIED', 'AUTHENTICATED', 'CLOSED'] as const
export type State = (typeof states)[number]

/** How the current user came: through an external wallet, or through a session of the service. */
export type Login = { readonly kind: 'external-wallet' } | { readonly kind: 'session'; readonly session: Session }

/** Active: for an external wallet always, otherwise when authenticated. */
export const isActive = (login: Login): boolean => login.kind === 'external-wallet' || login.session.isAuthenticated

/** Polling a login ends when the session is active and has its wallet ids, or needs wallets. */
export const isReadyForWallets = (session: Session): boolean =>
  session.isAuthenticated &&
  (session.needsWallet === true || CurrentWalletIds.all(session.currentWalletIds ?? {}).length > 0)

/**
 * Fully logged in: active, and every current wallet has its share loaded. The SDK's verb `isFullyLoggedIn` is not built
 * yet.
 * @notBuilt
 */
export const isFullyLoggedIn = (
  login: Login,
  currentWalletIds: CurrentWalletIds.CurrentWalletIds,
  hasShare: (walletId: string) => boolean,
): boolean => isActive(login) && CurrentWalletIds.all(currentWalletIds).every(hasShare)

/** Login continues once there is one share for each wallet. */
export const sharesAreComplete = (shareCount: number, walletCount: number): boolean => shareCount === walletCount

/**
 * A user id in the answer of touch means that the OAuth login is over.
 * @notBuilt
 */
export const oauthUserId = (session: Session): string | undefined =>
  isPresent(session.userId) ? session.userId : undefined

/** The lookup id of shares for a new device. The suffix is the public client's. */
export const newDeviceLookupId = (sessionLookupId: string): string => `${sessionLookupId}-new-device`

/** The call needs a signed-in user, or one that is further in its login. */
export const requireUser = (session: Pick<Session, 'userId'>): Result.Result<string, NoSignedInUser> =>
  isPresent(session.userId) ? Result.succeed(session.userId) : Result.fail(new NoSignedInUser())

/** The same as `requireUser`, for what no delegated session may do. */
export const requireOwnUser = (
  session: Pick<Session, 'userId' | 'delegation'>,
): Result.Result<string, NoSignedInUser | NotDelegated> =>
  session.delegation === undefined ? requireUser(session) : Result.fail(new NotDelegated())

export class NoSignedInUser extends Data.TaggedError('NoSignedInUser') {
  override readonly message = 'no signed-in user'
}

/** The user left the portal without setting an account up. The public client's spelling is kept. */
export class ExitedWithoutSetup extends Data.TaggedError('ExitedWithoutSetup') {
  override readonly message = 'exitted login without setting up user'
}
