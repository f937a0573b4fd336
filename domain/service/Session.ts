/**
 * A session of a host page (domain/service/README.md#sessions). Token, `id` and `lookupId` are never mixed: the token
 * is not in this record; `id` stands in portal links; `lookupId` names the session in calls of the portal.
 */
import * as Schema from 'effect/Schema'
import type { AuthMethod } from '../model/Credential.ts'
import type { CurrentWalletIds } from '../model/CurrentWalletIds.ts'
import type { Identity } from '../model/Identity.ts'
import type { State } from '../model/Session.ts'
import type { WalletType } from '../model/WalletTypes.ts'
import type { Delegation } from './Delegation.ts'

/**
 * What a committed portal session left for the host, sealed under a secret that the service never sees: a writer of the
 * database cannot forge it.
 */
export const SealedPortalSessionResult = Schema.Struct({ openingId: Schema.String, sealedResult: Schema.String })
export type SealedPortalSessionResult = typeof SealedPortalSessionResult.Type

const walletIds = Schema.optionalKey(Schema.Array(Schema.String))
const walletIdsByType = { EVM: walletIds, SOLANA: walletIds, COSMOS: walletIds } satisfies {
  [T in WalletType]: typeof walletIds
}

/** The ids of a session's wallets as they are stored. */
export const StoredWalletIds: Schema.Codec<CurrentWalletIds> = Schema.Struct(walletIdsByType)

export type SessionRecord = {
  readonly id: string
  readonly lookupId: string
  readonly partnerId: string
  /** The `Origin` of the call that made it; null for a server or a test. */
  readonly origin: string | null
  readonly state: State
  readonly userId: string | null
  /** The user showed a code or a credential. Only then does touch answer their id. */
  readonly userProven: boolean
  readonly identity: Identity | null
  /** The identity of its user, as the user's own record has it. */
  readonly userIdentity: Identity | null
  /** An operator has frozen its user. */
  readonly isUserFrozen: boolean
  readonly loginPublicKey: string | null
  readonly loginKeyThumbprint: string | null
  /** P-256 point, uncompressed, hex(65). */
  readonly devicePublicKey: string | null
  readonly deviceKeyThumb: string | null
  /** The device key was registered before authentication: calls with `device: true` in `authorization.ts` need its signature. */
  readonly deviceSignsRequests: boolean
  readonly recoveryPublicKey: string | null
  readonly deviceCertificate: string | null
  readonly openingResult: SealedPortalSessionResult | null
  readonly currentWalletIds: CurrentWalletIds
  readonly needsWallet: boolean
  readonly createdAt: number
  readonly authenticatedAt: number | null
  /** By which credential; null for sessions of earlier versions. */
  readonly authenticatedBy: AuthMethod | null
  readonly lastUsedAt: number
  /** Set where the session, or the token that it was read by, is superseded: it lives until then and begins nothing. */
  readonly retiresAt: number | null
  /** When its last portal session past OPEN, or its unfinished recovery, expires: the session lives until then. */
  readonly heldUntil: number | null
  /** Present in a delegated session, which a device of the user made for a server. */
  readonly delegation: Delegation | null
}

/** Milliseconds. */
export const sessionLimits = {
  /** From creation, before authentication. */
  beforeAuthentication: 15 * 60_000,
  /** From the last use. */
  idle: 90 * 60_000,
  /** From creation, whatever logins come later. */
  absolute: 24 * 60 * 60_000,
  /** What a superseded session or token has left. */
  retiring: 90_000,
} as const

/** Whether the session is alive at `now`. A dead one is treated as no session. */
export const isLive = (session: SessionRecord, now: number): boolean => {
  if (session.state === 'CLOSED') return false
  if (session.delegation !== null) return now < session.delegation.expiresAt
  if (session.state === 'AUTHENTICATED') {
    return (
      now <= session.lastUsedAt + sessionLimits.idle &&
      now <= session.createdAt + sessionLimits.absolute &&
      (session.retiresAt === null || now <= session.retiresAt)
    )
  }
  const ends = Math.min(
    session.createdAt + sessionLimits.beforeAuthentication,
    session.retiresAt ?? Number.MAX_SAFE_INTEGER,
  )
  return now <= Math.max(ends, session.heldUntil ?? 0)
}

/** A superseded session or token finishes what it began and begins nothing. */
export const startsThings = (session: SessionRecord): boolean => session.retiresAt === null

export const isAuthenticatedAs = (session: SessionRecord, userId: string): boolean =>
  session.state === 'AUTHENTICATED' && session.userId === userId
