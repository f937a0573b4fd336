/**
 * Tables of no single domain: rate limits, database generation, stored answers of idempotent requests, transmissions.
 */
import type { Migration } from 'kysely/migration'
import { statements } from './statements.ts'

export const house: Record<string, Migration> = {
  '900 rate limits': statements(
    `create table rate_limits (
      key text not null,
      bucket text not null,
      tokens double precision not null,
      updated_at bigint not null,
      primary key (key, bucket)
    )`,
  ),
  '901 incarnation': statements(
    `create table incarnation (
      one boolean primary key default true check (one),
      id text not null,
      fence bigint not null
    )`,
  ),
  '902 replays': statements(
    `create table replays (
      scope text not null,
      operation text not null,
      key text not null,
      attempt text not null,
      request_hash text not null,
      sealed_answer bytea,
      expires_at bigint not null,
      primary key (scope, operation, key)
    )`,
  ),
  '903 temporary transmissions': statements(
    `create table temporary_transmissions (
      mac text primary key,
      partner_id text not null references partners on delete cascade,
      message text not null,
      expires_at bigint not null
    )`,
    `create index temporary_transmissions_of_partner on temporary_transmissions (partner_id, expires_at)`,
  ),
  '904 boots': statements(
    `alter table incarnation add column timeline text not null default ''`,
    `create table boots (boot text primary key, beat_at bigint not null)`,
    `create table boot_sightings (seer text not null, seen text not null, primary key (seer, seen))`,
  ),
  // The MAC key, sealed; one row, which also is the lock under which key rings change.
  '905 mac key': statements(
    `create table mac_key (
      one boolean primary key default true check (one),
      sealed bytea not null,
      created_at bigint not null
    )`,
  ),
  // The key under which the client's capsule of a sharing is sealed; null where an earlier version made it. The policy
  // once more, for processes without the co-signer's ring.
  '906 key rings': statements(
    `alter table provider_shares add column capsule_key_id text`,
    `alter table policies add column service_copy bytea`,
  ),
  // Nothing reads `has_webhooks`: it is derived from the endpoints.
  '908 webhooks': statements(
    `alter table partners add column has_webhooks boolean not null default false`,
    `create table webhook_endpoints (
      id text primary key,
      partner_id text not null references partners on delete cascade,
      url text not null,
      secret_number bigint not null,
      sealed_secret bytea not null,
      sealed_old_secret bytea,
      old_secret_until bigint,
      created_at bigint not null,
      disabled_at bigint
    )`,
    `create index webhook_endpoints_of_partner on webhook_endpoints (partner_id)`,
    `create table outbox (
      message_id text not null,
      endpoint_id text not null references webhook_endpoints on delete cascade,
      type text not null,
      body text not null,
      mac text not null,
      attempts bigint not null default 0,
      created_at bigint not null,
      due_from bigint not null,
      next_at bigint,
      error text,
      primary key (message_id, endpoint_id)
    )`,
    `create index outbox_due on outbox (next_at) where next_at is not null`,
    `create index outbox_of_endpoint on outbox (endpoint_id, created_at)`,
    `create index outbox_by_time on outbox (created_at)`,
  ),
}
