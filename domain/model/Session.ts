/** The session: what touch says of it, when it is active, and when it is fully logged in (spec §3 and §4). */
import * as Data from 'effect/Data'
import * as Result from 'effect/Result'
import * as CurrentWalletIds from './CurrentWalletIds.ts'
import { isPresent } from './Identity.ts'
import type { SupportedWalletType } from './WalletTypes.ts'

/** The answer of touch (spec §3, session touch response). Its values may be missing before anybody has signed in. */
export type Session = {
  readonly isAuthenticated: boolean
  /** Goes into portal links; alone it only opens a page (flows 1). */
  readonly sessionId: string
  /** Keys temporary shares and the start of OAuth; alone it can do nothing. */
  readonly sessionLookupId: string
  readonly partnerId?: string | null
  readonly userId?: string | null
  readonly email?: string | null
  readonly currentWalletIds?: CurrentWalletIds.CurrentWalletIds | null
  readonly needsWallet?: boolean | null
  readonly supportedWalletTypes?: readonly SupportedWalletType[] | null
  readonly cosmosPrefix?: string | null
}

/** The session's life at the service and who moves it on (flows, states). */
export const states = ['NEW', 'IDENTIFIED', 'VERIFIED', 'AUTHENTICATED', 'CLOSED'] as const
export type State = (typeof states)[number]

const successors: { readonly [S in State]: readonly State[] } = {
  NEW: ['IDENTIFIED', 'AUTHENTICATED', 'CLOSED'],
  IDENTIFIED: ['VERIFIED', 'AUTHENTICATED', 'CLOSED'],
  VERIFIED: ['AUTHENTICATED', 'CLOSED'],
  AUTHENTICATED: ['CLOSED'],
  CLOSED: [],
}

export const mayBecome = (from: State, to: State): boolean => successors[from].includes(to)

/** How the current user came: through an external wallet, or through a session of the service. */
export type Login = { readonly kind: 'external-wallet' } | { readonly kind: 'session'; readonly session: Session }

/** Active: for an external wallet always, otherwise when authenticated (spec §4, session state). */
export const isActive = (login: Login): boolean => login.kind === 'external-wallet' || login.session.isAuthenticated

/** Polling a login ends when the session is active and has its wallet ids, or needs wallets (spec §4, login flow 3). */
export const isReadyForWallets = (session: Session): boolean =>
  session.isAuthenticated &&
  (session.needsWallet === true || CurrentWalletIds.all(session.currentWalletIds ?? {}).length > 0)

/** Fully logged in: active, and every current wallet has its share loaded (spec §4, session state). */
export const isFullyLoggedIn = (
  login: Login,
  currentWalletIds: CurrentWalletIds.CurrentWalletIds,
  hasShare: (walletId: string) => boolean,
): boolean => isActive(login) && CurrentWalletIds.all(currentWalletIds).every(hasShare)

/** Login goes on once there is one share for each wallet (spec §4, login flow 4). */
export const sharesAreComplete = (shareCount: number, walletCount: number): boolean => shareCount === walletCount

/** A user id in touch is the sign that OAuth is over (spec §4, OAuth). */
export const oauthUserId = (session: Session): string | undefined =>
  isPresent(session.userId) ? session.userId : undefined

/** The lookup id under which shares for a new device travel (contract-facts 1.1a). */
export const newDeviceLookupId = (sessionLookupId: string): string => `${sessionLookupId}-new-device`

/** What needs a user: account metadata, and every call that belongs to one (spec §5). */
export const requireUser = (session: Pick<Session, 'userId'>): Result.Result<string, NoSignedInUser> =>
  isPresent(session.userId) ? Result.succeed(session.userId) : Result.fail(new NoSignedInUser())

export class NoSignedInUser extends Data.TaggedError('NoSignedInUser') {
  override readonly message = 'no signed-in user'
}

/** The user left the portal without setting an account up. The spelling is the spec's (§4, login flow). */
export class ExitedWithoutSetup extends Data.TaggedError('ExitedWithoutSetup') {
  override readonly message = 'exitted login without setting up user'
}
