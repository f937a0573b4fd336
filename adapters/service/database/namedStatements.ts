/** Statements that PostgreSQL reads and plans once a connection, because they come with a name. */
import { hash } from 'node:crypto'
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import type pg from 'pg'

/** Texts differ by the lengths of their lists. Beyond this number they have no name: each costs every connection memory. */
const namesAtMost = 500

/** The pool, whose selects with parameters have a name. Not for a pooler in transaction mode. */
export const withNamedStatements = (pool: pg.Pool): PostgresPool => {
  const clients = new WeakMap<pg.PoolClient, PostgresPoolClient>()
  const names = makeNames()
  return {
    options: pool.options,
    connect: async () => {
      const client = await pool.connect()
      const known = clients.get(client) ?? naming(client, names)
      clients.set(client, known)
      return known
    },
    end: () => pool.end(),
  }
}

type Names = ReturnType<typeof makeNames>

const naming = (client: pg.PoolClient, names: Names): PostgresPoolClient => {
  const query = async (text: string, values: readonly unknown[]) => {
    const statement = { text, values: [...values] }
    const name = values.length > 0 && text.startsWith('select') ? names.of(text) : undefined
    if (name === undefined) return await client.query(statement)
    try {
      return await client.query({ ...statement, name })
    } catch (cause) {
      if (!isOutdatedPlan(cause)) throw cause
      names.renew()
      // Within a transaction this fails as well: it has to begin again.
      return await client.query(statement).catch(() => {
        throw cause
      })
    }
  }
  return Object.assign(Object.create(client) as PostgresPoolClient, {
    query,
    release: (destroy?: boolean) => client.release(destroy),
  })
}

const makeNames = () => {
  let round = 0
  let known = new Map<string, string>()
  return {
    of: (text: string): string | undefined => {
      const name = known.get(text)
      if (name !== undefined || known.size >= namesAtMost) return name
      const made = `${round}-${hash('sha256', text).slice(0, 32)}`
      known.set(text, made)
      return made
    },
    /** Every statement is read again, under another name. */
    renew: (): void => {
      round++
      known = new Map()
    },
  }
}

/**
 * Whether a named statement's result has other columns than when it was planned: a newer process has migrated its table
 * meanwhile. What failed by it can be tried again.
 */
export const isOutdatedPlan = (cause: unknown): boolean =>
  cause instanceof Error &&
  'code' in cause &&
  cause.code === '0A000' &&
  'routine' in cause &&
  cause.routine === 'RevalidateCachedQuery'
