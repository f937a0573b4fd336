/** What of a database lets someone act at once (adapters/service/vault/README.md#what-a-restore-brings-back). */
import { sql, type Kysely } from 'kysely'
import { sessionLimits } from '../../../domain/service/Session.ts'
import type { Tables } from '../database/Tables.ts'

export type Rights = {
  /** Of users who are signed in, without the delegated ones. */
  readonly sessions: number
  readonly delegations: number
  /** That are not finished. */
  readonly recoveries: number
  readonly apiKeys: number
}

/** Those that are valid at `now`. */
export const rightsIn = async (kysely: Kysely<Tables>, now: number): Promise<Rights> => {
  const { idle, absolute } = sessionLimits
  const { rows } = await sql<Rights>`select
    (select count(*)::int from sessions where state = 'AUTHENTICATED' and parent_id is null
      and last_used_at >= ${now - idle} and created_at >= ${now - absolute}) as sessions,
    (select count(*)::int from sessions where state <> 'CLOSED' and parent_id is not null
      and (delegation->>'expiresAt')::bigint > ${now}) as delegations,
    (select count(*)::int from recoveries where state in ('INITIATED', 'READY') and expires_at >= ${now}) as recoveries,
    (select count(*)::int from partner_keys where ends_at is null or ends_at > ${now}) as "apiKeys"`.execute(kysely)
  const [rights] = rows
  if (rights === undefined) throw new Error('a select of counts has one row')
  return rights
}
