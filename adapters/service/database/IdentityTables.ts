/**
 * The tables of identity: partners, users, sessions, portal sessions, credentials. Times are milliseconds since 1970.
 */
import type { Page } from '../../../domain/crypto/Opener.ts'
import type { AuthMethod, Platform } from '../../../domain/model/Credential.ts'
import type { Status as RecoveryStatus } from '../../../domain/model/Recovery.ts'
import type { State } from '../../../domain/model/Session.ts'
import type { CredentialStatus } from '../../../domain/service/Credential.ts'
import type { PortalSessionState, Variant } from '../../../domain/service/PortalSession.ts'
import type { PartnerKeyKind } from '../../../domain/service/Partner.ts'
import type { Json, NullableJson } from './columns.ts'

export interface IdentityTables {
  partners: {
    id: string
    display_name: string
    portal_url: string | null
    settings: Json
    created_at: number
    frozen_at: number | null
  }
  partner_origins: { partner_id: string; origin: string }
  partner_keys: {
    mac: string
    partner_id: string
    kind: PartnerKeyKind
    created_at: number
    ends_at: number | null
    last_used_on: number | null
  }
  users: {
    id: string
    identity_kind: string
    identity_value: string
    identity: Json
    has_credential: boolean
    root_public_key: string | null
    created_at: number
    recovered_at: number | null
    unverified_since: number | null
    frozen_at: number | null
  }
  sessions: {
    id: string
    lookup_id: string
    partner_id: string
    origin: string | null
    state: State
    user_id: string | null
    user_proven: boolean
    identity: NullableJson
    login_public_key: string | null
    login_key_thumbprint: string | null
    device_public_key: string | null
    device_key_thumb: string | null
    device_signs_requests: boolean
    recovery_public_key: string | null
    device_certificate: string | null
    opening_result: NullableJson
    current_wallet_ids: Json
    needs_wallet: boolean
    created_at: number
    authenticated_at: number | null
    last_used_at: number
    retires_at: number | null
    authenticated_by: AuthMethod | null
    parent_id: string | null
    delegation: NullableJson
  }
  session_tokens: { mac: string; session_id: string; retires_at: number | null; created_at: number }
  recoveries: {
    session_id: string
    user_id: string
    state: RecoveryStatus
    credential: NullableJson
    wallet_ids: Json
    finished_ids: Json
    created_at: number
    expires_at: number
  }
  codes: { session_id: string; user_id: string; mac: string; tries: number; used: boolean; expires_at: number }
  challenges: { holder: string; nonce: string; expires_at: number }
  openings: {
    id: string
    session_id: string
    partner_id: string
    page: Page
    record_id: string | null
    portal_origin: string
    state: PortalSessionState
    variant: Variant
    user_id: string | null
    secret_hash: string
    token_mac: string | null
    redeem_hash: string | null
    commit_mac: string | null
    deferred_commit: Uint8Array | null
    ticketed_at: number | null
    verified_at: number | null
    created_at: number
    expires_at: number
    last_beat_at: number
    close_asked_at: number | null
  }
  passwords: {
    id: string
    user_id: string
    partner_id: string
    session_id: string
    status: CredentialStatus
    salt: string
    sealed_pepper: Uint8Array
    completion: NullableJson
    sealed_verifier: Uint8Array | null
    created_at: number
    expires_at: number
  }
  passkeys: {
    id: string
    user_id: string
    partner_id: string
    session_id: string
    type: Platform
    status: CredentialStatus
    credential_id: string | null
    authenticator_key: Uint8Array | null
    counter: number
    completion: NullableJson
    created_at: number
    expires_at: number
  }
  /** Those that sign JWTs of sessions. */
  signing_keys: {
    number: number
    kid: string
    x: string
    y: string
    sealed_private_key: Uint8Array
    signs_from: number
  }
  audits: {
    id: string
    at: number
    event: string
    partner_id: string | null
    user_id: string | null
    session_id: string | null
    subject: string | null
    detail: Json
  }
}
