/**
 * Tables of no single domain: rate limits, database generation, stored answers of idempotent requests, transmissions.
 */
import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

export const house: Record<string, Migration> = {
  '900 rate limits': {
    up: async (db: Kysely<unknown>) => {
      await sql`
        create table rate_limits (
          key text not null,
          bucket text not null,
          tokens double precision not null,
          updated_at bigint not null,
          primary key (key, bucket)
        )`.execute(db)
    },
  },
  '901 incarnation': {
    up: async (db: Kysely<unknown>) => {
      await sql`
        create table incarnation (
          one boolean primary key default true check (one),
          id text not null,
          fence bigint not null
        )`.execute(db)
    },
  },
  '902 replays': {
    up: async (db: Kysely<unknown>) => {
      await sql`
        create table replays (
          scope text not null,
          operation text not null,
          key text not null,
          attempt text not null,
          request_hash text not null,
          sealed_answer bytea,
          expires_at bigint not null,
          primary key (scope, operation, key)
        )`.execute(db)
    },
  },
  '903 temporary transmissions': {
    up: async (db: Kysely<unknown>) => {
      await sql`
        create table temporary_transmissions (
          mac text primary key,
          partner_id text not null references partners on delete cascade,
          message text not null,
          expires_at bigint not null
        )`.execute(db)
      await sql`create index temporary_transmissions_of_partner on temporary_transmissions (partner_id, expires_at)`.execute(
        db,
      )
    },
  },
  '904 boots': {
    up: async (db: Kysely<unknown>) => {
      await sql`alter table incarnation add column timeline text not null default ''`.execute(db)
      await sql`create table boots (boot text primary key, beat_at bigint not null)`.execute(db)
      await sql`create table boot_sightings (seer text not null, seen text not null, primary key (seer, seen))`.execute(
        db,
      )
    },
  },
  // The MAC key, sealed; one row, which also is the lock under which key rings change.
  '905 mac key': {
    up: async (db: Kysely<unknown>) => {
      await sql`
        create table mac_key (
          one boolean primary key default true check (one),
          sealed bytea not null,
          created_at bigint not null
        )`.execute(db)
    },
  },
  // The key under which the client's capsule of a sharing is sealed; null where an earlier version made it. The policy
  // once more, for processes without the co-signer's ring.
  '906 key rings': {
    up: async (db: Kysely<unknown>) => {
      await sql`alter table provider_shares add column capsule_key_id text`.execute(db)
      await sql`alter table policies add column service_copy bytea`.execute(db)
    },
  },
}
