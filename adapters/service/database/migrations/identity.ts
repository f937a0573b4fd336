/**
 * One migration per change, constraints in the database. Ids are text, so that a lookup by any path parameter is valid
 * SQL.
 */
import type { Migration } from 'kysely/migration'
import { statements } from './statements.ts'

export const identity: Record<string, Migration> = {
  '001 partners': statements(
    `create table partners (
      id text primary key,
      display_name text not null,
      portal_url text,
      settings jsonb not null,
      created_at bigint not null
    )`,
    `create table partner_origins (
      partner_id text not null references partners on delete cascade,
      origin text not null,
      primary key (partner_id, origin)
    )`,
    `create table partner_keys (
      mac text primary key,
      partner_id text not null references partners on delete cascade,
      kind text not null check (kind in ('publishable', 'secret')),
      created_at bigint not null
    )`,
  ),
  '002 users': statements(
    `create table users (
      id text primary key,
      identity_kind text not null,
      identity_value text not null,
      identity jsonb not null,
      has_credential boolean not null default false,
      root_public_key text,
      created_at bigint not null,
      unique (identity_kind, identity_value),
      check (has_credential = (root_public_key is not null))
    )`,
  ),
  '003 sessions': statements(
    `create table sessions (
      id text primary key,
      lookup_id text not null unique,
      partner_id text not null references partners on delete cascade,
      origin text,
      state text not null check (state in ('NEW', 'IDENTIFIED', 'VERIFIED', 'AUTHENTICATED', 'CLOSED')),
      user_id text,
      user_proven boolean not null default false,
      identity jsonb,
      login_public_key text,
      login_key_thumbprint text,
      device_public_key text,
      device_key_thumb text,
      device_signs_requests boolean not null default false,
      recovery_public_key text,
      device_certificate text,
      opening_result jsonb,
      current_wallet_ids jsonb not null default '{}',
      needs_wallet boolean not null default false,
      created_at bigint not null,
      authenticated_at bigint,
      last_used_at bigint not null,
      retires_at bigint,
      check (state in ('NEW', 'CLOSED') or user_id is not null),
      check (not user_proven or user_id is not null),
      check ((state = 'AUTHENTICATED') <= (authenticated_at is not null)),
      check (device_certificate is null or device_signs_requests)
    )`,
    `create index sessions_by_last_use on sessions (last_used_at)`,
    `create table session_tokens (
      mac text primary key,
      session_id text not null references sessions on delete cascade,
      retires_at bigint,
      created_at bigint not null
    )`,
    `create index session_tokens_by_session on session_tokens (session_id)`,
  ),
  '004 codes and challenges': statements(
    `create table codes (
      session_id text primary key references sessions on delete cascade,
      user_id text not null,
      mac text not null,
      tries integer not null default 0,
      used boolean not null default false,
      expires_at bigint not null
    )`,
    `create table challenges (
      holder text primary key,
      nonce text not null,
      expires_at bigint not null
    )`,
  ),
  '005 openings': statements(
    `create table openings (
      id text primary key,
      session_id text not null references sessions on delete cascade,
      partner_id text not null,
      page text not null,
      record_id text,
      portal_origin text not null,
      state text not null check
        (state in ('OPEN', 'TICKETED', 'TOKEN', 'VERIFIED', 'COMMITTED', 'DEFERRED', 'REDEEMED', 'CLOSED')),
      variant text not null default 'opener' check (variant in ('opener', 'redirect', 'ask')),
      user_id text,
      secret_hash text not null,
      token_mac text unique,
      redeem_hash text,
      commit_mac text,
      deferred_commit bytea,
      ticketed_at bigint,
      created_at bigint not null,
      expires_at bigint not null,
      last_beat_at bigint not null,
      close_asked_at bigint,
      check ((variant = 'redirect') = (redeem_hash is not null)),
      check ((state = 'DEFERRED') = (deferred_commit is not null)),
      check (state not in ('VERIFIED', 'DEFERRED') or user_id is not null),
      check (state not in ('COMMITTED', 'DEFERRED', 'REDEEMED') or commit_mac is not null)
    )`,
    `create index openings_by_session on openings (session_id)`,
  ),
  '006 passwords': statements(
    `create table passwords (
      id text primary key,
      user_id text not null references users on delete cascade,
      partner_id text not null,
      session_id text not null,
      status text not null check (status in ('PENDING', 'COMPLETE', 'REVOKED')),
      salt text not null,
      sealed_pepper bytea not null,
      completion jsonb,
      sealed_verifier bytea,
      created_at bigint not null,
      expires_at bigint not null,
      check ((status = 'PENDING') = (completion is null)),
      check ((completion is null) = (sealed_verifier is null))
    )`,
    `create index passwords_by_user on passwords (user_id)`,
    `create unique index passwords_pending on passwords (session_id) where status = 'PENDING'`,
  ),
  '007 passkeys': statements(
    `create table passkeys (
      id text primary key,
      user_id text not null references users on delete cascade,
      partner_id text not null,
      session_id text not null,
      type text not null check (type in ('WEB', 'MOBILE')),
      status text not null check (status in ('PENDING', 'COMPLETE', 'REVOKED')),
      credential_id text unique,
      authenticator_key bytea,
      counter bigint not null default 0,
      completion jsonb,
      created_at bigint not null,
      expires_at bigint not null,
      check ((status = 'PENDING') = (completion is null)),
      check ((completion is null) = (credential_id is null)),
      check ((completion is null) = (authenticator_key is null))
    )`,
    `create index passkeys_by_user on passkeys (user_id)`,
    `create unique index passkeys_pending on passkeys (session_id) where status = 'PENDING'`,
  ),
  '008 audits': statements(
    `create table audits (
      id text primary key,
      at bigint not null,
      event text not null,
      partner_id text,
      user_id text,
      session_id text,
      subject text,
      detail jsonb not null
    )`,
    `create index audits_by_user on audits (user_id, at)`,
    `create index audits_by_session on audits (session_id, at)`,
  ),
  '009 openings by end': statements(`create index openings_by_end on openings (expires_at)`),
  // Null for users whose identity was verified, and for those that an earlier version makes: they are kept.
  '010 retention': statements(
    `alter table users add column unverified_since bigint`,
    `update users set unverified_since = created_at where not has_credential and not exists
      (select from audits where audits.user_id = users.id and audits.event = 'user.verified')`,
    `create index users_by_unverified_since on users (unverified_since) where unverified_since is not null`,
    `create index audits_by_time on audits (at)`,
  ),
  // When a key ends, after a rotation, and when it was last used: the beginning of that day.
  '011 keys and freezes of partners': statements(
    `alter table partners add column frozen_at bigint`,
    `alter table partner_keys add column ends_at bigint`,
    `alter table partner_keys add column last_used_on bigint`,
    `create index partner_keys_by_partner on partner_keys (partner_id)`,
  ),
  // Null for sessions that an earlier version authenticated.
  '014 session jwts': statements(
    `alter table sessions add column authenticated_by text`,
    `create table signing_keys (
      number bigint primary key,
      kid text not null unique,
      x text not null,
      y text not null,
      sealed_private_key bytea not null,
      signs_from bigint not null
    )`,
  ),
  // A delegated session goes with the session that made it.
  '040 delegations': statements(
    `alter table sessions add column parent_id text references sessions on delete cascade`,
    `alter table sessions add column delegation jsonb`,
    `create index sessions_by_parent on sessions (parent_id) where parent_id is not null`,
  ),
  '041 freezes of users': statements(`alter table users add column frozen_at bigint`),
}
