/** A session as it is read: its row, what is computed beside it, and the record that they make. */
import * as Option from 'effect/Option'
import * as Schema from 'effect/Schema'
import { sql, type ExpressionBuilder, type Selectable } from 'kysely'
import { SealedPortalSessionResult, StoredWalletIds, type SessionRecord } from '../../../domain/service/Session.ts'
import { Delegation } from '../../../domain/service/Delegation.ts'
import { reader } from '../../../domain/service/Stored.ts'
import { StoredIdentity } from '../../../domain/service/User.ts'
import type { IdentityTables } from './IdentityTables.ts'
import type { Tables } from './Tables.ts'

/** A portal session past OPEN keeps its session alive until it ends, and so does a recovery. */
const heldUntil = (is: ExpressionBuilder<Tables, 'sessions'>) =>
  sql<number | null>`greatest(${portalSessionsUntil(is)}, ${recoveryUntil(is)})`.as('held_until')

const portalSessionsUntil = (is: ExpressionBuilder<Tables, 'sessions'>) =>
  is
    .selectFrom('openings')
    .select((row) => row.fn.max('openings.expires_at').as('until'))
    .whereRef('openings.session_id', '=', 'sessions.id')
    .where('openings.state', 'in', ['TICKETED', 'TOKEN', 'VERIFIED', 'DEFERRED'])

const recoveryUntil = (is: ExpressionBuilder<Tables, 'sessions'>) =>
  is
    .selectFrom('recoveries')
    .select('recoveries.expires_at')
    .whereRef('recoveries.session_id', '=', 'sessions.id')
    .where('recoveries.state', 'in', ['INITIATED', 'READY'])

const userIdentity = (is: ExpressionBuilder<Tables, 'sessions'>) =>
  is.selectFrom('users').select('users.identity').whereRef('users.id', '=', 'sessions.user_id').as('user_identity')

const userFrozenAt = (is: ExpressionBuilder<Tables, 'sessions'>) =>
  is.selectFrom('users').select('users.frozen_at').whereRef('users.id', '=', 'sessions.user_id').as('user_frozen_at')

/** For a select from sessions. */
export const computed = (is: ExpressionBuilder<Tables, 'sessions'>) =>
  [heldUntil(is), userIdentity(is), userFrozenAt(is)] as const

type Row = Selectable<IdentityTables['sessions']> & {
  readonly held_until: number | null
  readonly user_identity: unknown
  readonly user_frozen_at: number | null
}

const readIdentity = reader('sessions.identity', Schema.NullOr(StoredIdentity))
const readUserIdentity = reader('users.identity', Schema.NullOr(StoredIdentity))
const readPortalSessionResult = reader('sessions.opening_result', Schema.NullOr(SealedPortalSessionResult))
export const readDelegation = reader('sessions.delegation', Schema.NullOr(Delegation))
const readWalletIds = reader('sessions.current_wallet_ids', StoredWalletIds)

export const toSession = (row: Row | undefined): Option.Option<SessionRecord> =>
  row === undefined
    ? Option.none()
    : Option.some({
        id: row.id,
        lookupId: row.lookup_id,
        partnerId: row.partner_id,
        origin: row.origin,
        state: row.state,
        userId: row.user_id,
        userProven: row.user_proven,
        identity: readIdentity(row.identity),
        userIdentity: readUserIdentity(row.user_identity),
        isUserFrozen: row.user_frozen_at !== null,
        loginPublicKey: row.login_public_key,
        loginKeyThumbprint: row.login_key_thumbprint,
        devicePublicKey: row.device_public_key,
        deviceKeyThumb: row.device_key_thumb,
        deviceSignsRequests: row.device_signs_requests,
        recoveryPublicKey: row.recovery_public_key,
        deviceCertificate: row.device_certificate,
        openingResult: readPortalSessionResult(row.opening_result),
        currentWalletIds: readWalletIds(row.current_wallet_ids),
        needsWallet: row.needs_wallet,
        createdAt: row.created_at,
        authenticatedAt: row.authenticated_at,
        authenticatedBy: row.authenticated_by,
        lastUsedAt: row.last_used_at,
        retiresAt: row.retires_at,
        heldUntil: row.held_until,
        delegation: readDelegation(row.delegation),
      })
