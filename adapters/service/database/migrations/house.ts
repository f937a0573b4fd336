/** The tables of the house itself: rate limits, the incarnation, answers that are given again. */
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
}
