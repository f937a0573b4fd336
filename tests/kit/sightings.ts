/** Co-signers that have seen each other: each takes over the runs of those alone (domain/service/protocol/README.md#database-generations). */
import pg from 'pg'
import { expect, vi } from 'vitest'

/** How many of those that are alive have seen another of them. */
const sightingsIn = async (databaseUrl: string): Promise<number> => {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const { rows } = await client.query<{ readonly pairs: number }>(alive).finally(() => client.end())
  return rows[0]?.pairs ?? 0
}

const alive = `select count(*)::int as pairs from boot_sightings
  join boots a on a.boot = seer join boots b on b.boot = seen
  where least(a.beat_at, b.beat_at) > extract(epoch from now()) * 1000 - 3000`

/** Until so many co-signers have all seen each other. */
export const untilSighted = (databaseUrl: string, cosigners: number): Promise<void> =>
  vi.waitFor(async () => expect(await sightingsIn(databaseUrl)).toBe(cosigners * (cosigners - 1)), {
    interval: 100,
    timeout: 30_000,
  })
