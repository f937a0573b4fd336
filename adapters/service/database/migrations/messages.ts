/** The outbox of mails and SMS. */
import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

export const messages: Record<string, Migration> = {
  '910 user messages': {
    up: async (db: Kysely<unknown>) => {
      await sql`
        create table user_messages (
          id text primary key,
          channel text not null check (channel in ('mail', 'sms')),
          code_of text,
          sealed bytea not null,
          attempts bigint not null default 0,
          next_at bigint not null,
          expires_at bigint not null
        )`.execute(db)
      await sql`create index user_messages_due on user_messages (channel, next_at)`.execute(db)
      await sql`create index user_messages_of_session on user_messages (code_of) where code_of is not null`.execute(db)
      await sql`create index user_messages_by_end on user_messages (expires_at)`.execute(db)
    },
  },
}
