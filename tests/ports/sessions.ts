/** Sessions side by side on one database, to see which statements wait and what each finds: on PostgreSQL and on rows. */
import pg from 'pg'
import { parsers } from '../../adapters/service/database/columns.ts'
import { makeDatabaseUrl } from '../kit/database.ts'
import type { OpenTransaction } from '../simulation/rows/OpenTransaction.ts'
import { type Row, Rows } from '../simulation/rows/Rows.ts'
import { define, type Shapes } from '../simulation/rows/shapes.ts'

type Session = {
  readonly run: (statement: string) => Promise<readonly Row[]>
  readonly end: () => Promise<void>
}

export type Bed = {
  readonly connect: () => Promise<Session>
  /** Whether each of these sessions waits, in the end for one that is none of them. */
  readonly areWaiting: (sessions: readonly Session[]) => Promise<boolean>
  readonly close: () => Promise<void>
}

/** A session's number and a statement of it. */
export type Step = readonly [session: number, statement: string]

/**
 * Each step as `1 statement`, and after ` -- ` what it did unless that is nothing: its rows, its error or that it waits, and
 * then what those did that had waited until then. The steps of a session that waits are left out. Ends at a deadlock,
 * because either side may be the one that is refused.
 */
export const play = async (bed: Bed, steps: readonly Step[]): Promise<readonly string[]> => {
  const sessions = new Map<number, Session>()
  const pending: Pending = new Map()
  const log: string[] = []
  try {
    for (const [number, statement] of steps) {
      if (pending.has(number)) continue
      const session = sessions.get(number) ?? (await bed.connect())
      sessions.set(number, session)
      const call: Call = { session, outcome: undefined }
      pending.set(number, call)
      void session.run(statement).then(
        (rows) => (call.outcome = toldOf(rows)),
        (cause: unknown) => (call.outcome = codeOf(cause)),
      )
      const settled = await settle(bed, pending)
      const own = settled.get(number) ?? 'waits'
      settled.delete(number)
      const others = [...settled].sort(([one], [other]) => one - other).map(([other, outcome]) => `${other} ${outcome}`)
      const told = [...(own === '[]' ? [] : [own]), ...others]
      const isDeadlock = told.some((one) => one.includes('40P01'))
      log.push(
        [`${number} ${statement}`, ...(isDeadlock ? ['deadlock'] : told.length > 0 ? [told.join('; ')] : [])].join(
          ' -- ',
        ),
      )
      if (isDeadlock) break
    }
    return log
  } finally {
    for (const session of sessions.values()) await session.end()
  }
}

type Call = { readonly session: Session; outcome: string | undefined }
type Pending = Map<number, Call>

/** The outcomes of what ended, when all that is left waits. */
const settle = async (bed: Bed, pending: Pending): Promise<Map<number, string>> => {
  const settled = new Map<number, string>()
  for (;;) {
    await new Promise((resolve) => setImmediate(resolve))
    const areWaiting = await bed.areWaiting([...pending.values()].map(({ session }) => session))
    const before = settled.size
    for (const [number, { outcome }] of pending) {
      if (outcome === undefined) continue
      settled.set(number, outcome)
      pending.delete(number)
    }
    if (pending.size === 0 || (areWaiting && settled.size === before)) return settled
  }
}

const toldOf = (rows: readonly Row[]): string => JSON.stringify(rows.map((row) => Object.values(row).join(' ')).sort())

const codeOf = (cause: unknown): string => {
  if (!(cause instanceof Error) || !('code' in cause)) return String(cause)
  const constraint = 'constraint' in cause && typeof cause.constraint === 'string' ? ` ${cause.constraint}` : ''
  return `${String(cause.code)}${constraint}`
}

export const postgresBed = async (definitions: readonly string[]): Promise<Bed> => {
  const connectionString = await makeDatabaseUrl()
  const types = new pg.TypeOverrides()
  for (const [oid, parser] of Object.entries(parsers)) types.setTypeParser(Number(oid), parser)
  const clients: pg.Client[] = []
  const open = async () => {
    const client = new pg.Client({ connectionString, types })
    await client.connect()
    clients.push(client)
    return client
  }
  const observer = await open()
  for (const definition of definitions) await observer.query(definition)
  const pids = new Map<Session, number>()
  const idle: Session[] = []
  const make = async (): Promise<Session> => {
    const client = await open()
    await client.query(`set deadlock_timeout = '10ms'`)
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    const pid = rows[0]?.pid ?? 0
    const rollback = () => client.query('rollback')
    let isRunning = false
    const session: Session = {
      run: async (statement) => {
        isRunning = true
        try {
          return (await client.query<Row>(statement)).rows
        } catch (cause) {
          // The error is told before the transaction's locks are released, the next answer after that.
          await client.query('')
          throw cause
        } finally {
          isRunning = false
        }
      },
      end: async () => {
        // Where nothing runs, it could meet the first statement of the next play.
        if (isRunning) await observer.query('select pg_cancel_backend($1)', [pid])
        // The cancellation of a statement that has ended by itself may still meet this one.
        await rollback().catch(rollback)
        idle.push(session)
      },
    }
    pids.set(session, pid)
    return session
  }
  return {
    connect: async () => idle.pop() ?? (await make()),
    areWaiting: async (sessions) => {
      const asked = sessions.map((session) => pids.get(session) ?? 0)
      const { rows } = await observer.query<{ pid: number; blockers: readonly number[] }>(
        'select pid, pg_blocking_pids(pid) as blockers from unnest($1::int[]) as pid',
        [asked],
      )
      const blockersOf = new Map(rows.map(({ pid, blockers }) => [pid, blockers]))
      const waits = (pid: number, met: readonly number[]): boolean =>
        !met.includes(pid) &&
        (blockersOf.get(pid) ?? []).some((other) => !asked.includes(other) || waits(other, [...met, pid]))
      return asked.every((pid) => waits(pid, []))
    },
    close: async () => {
      await Promise.all(clients.map((client) => client.end()))
    },
  }
}

export const rowsBed = async (definitions: readonly string[]): Promise<Bed> => {
  const rows = new Rows(definitions.reduce<Shapes>((shapes, definition) => define(shapes, definition), new Map()))
  const running = new Map<Session, OpenTransaction | undefined>()
  return {
    connect: async () => {
      let open: OpenTransaction | undefined
      const session: Session = {
        run: async (statement) => {
          if (statement === 'begin') open ??= rows.begin()
          else if (statement === 'commit' || statement === 'rollback') {
            const ended = open
            open = undefined
            if (ended !== undefined && statement === 'commit') await rows.commit(ended, {})
            if (ended !== undefined && statement === 'rollback') rows.end(ended, false)
          } else {
            running.set(session, open)
            return (await rows.execute(statement, [], open, { begun: (begun) => running.set(session, begun) })).rows
          }
          return []
        },
        end: async () => {
          const last = open ?? running.get(session)
          if (last !== undefined) rows.end(last, false)
        },
      }
      return session
    },
    areWaiting: async (sessions) => sessions.every((session) => running.get(session)?.waitsFor !== undefined),
    close: async () => undefined,
  }
}
