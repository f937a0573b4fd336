/**
 * The database as repositories see it. `query` runs on the connection of the surrounding transaction, if there is one.
 * Callers cannot act on a failing query, so it is a defect: a lost connection is `DatabaseUnavailable`, anything else a
 * bug. A transaction that conflicts with another one is retried first.
 */
import * as Cause from 'effect/Cause'
import * as Context from 'effect/Context'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import * as Layer from 'effect/Layer'
import { sql, type ControlledTransaction, type Kysely } from 'kysely'
import { Transaction } from '../../../domain/service/ports/Transaction.ts'
import { isOutdatedPlan } from './namedStatements.ts'
import type { Tables } from './Tables.ts'
import { makeWriter, type Write } from './writes.ts'

export class Database extends Context.Service<
  Database,
  {
    readonly query: <A>(run: (kysely: Kysely<Tables>) => Promise<A>) => Effect.Effect<A>
    /**
     * A write whose result nothing reads. In a transaction it waits for the next query or for the commit, and goes together
     * with those that wait for the same.
     */
    readonly write: (write: Write) => Effect.Effect<void>
    /** Sends the writes that wait. */
    readonly flush: Effect.Effect<void>
    /** Once the surrounding transaction is committed, and not if it is rolled back; at once outside of one. */
    readonly whenCommitted: (act: () => void) => Effect.Effect<void>
    /** Outside any transaction, for migrations and health checks. */
    readonly root: Kysely<Tables>
    /** Whether its transactions begin as `durably` makes them. */
    readonly beginsDurably: boolean
  }
>()('tandem/service/Database') {}

type OpenTransaction = {
  readonly kysely: ControlledTransaction<Tables>
  /** What is done once it is committed. */
  readonly acts: (() => void)[]
  readonly writes: Write[]
}

/** The transaction that the current fiber runs in. */
const CurrentTransaction = Context.Reference<OpenTransaction | undefined>('tandem/service/CurrentTransaction', {
  defaultValue: () => undefined,
})

const attempt = <A>(run: () => Promise<A>): Effect.Effect<A> =>
  Effect.callback<A>((resume) => {
    run().then(
      (value) => resume(Effect.succeed(value)),
      (cause: unknown) => resume(Effect.die(defectOf(cause))),
    )
  })

export const make = (root: Kysely<Tables>, beginsDurably = false): Database['Service'] => {
  const send = makeWriter(root)
  const flush = async ({ kysely, writes }: OpenTransaction) => {
    if (writes.length > 0) await send(kysely, writes.splice(0))
  }
  return {
    root,
    beginsDurably,
    query: (run) =>
      Effect.flatMap(CurrentTransaction, (transaction) =>
        // Waits for a running query, so that an interruption does not leave one on a shared connection.
        Effect.uninterruptible(
          attempt(async () => {
            if (transaction === undefined) return run(root)
            await flush(transaction)
            return run(transaction.kysely)
          }),
        ),
      ),
    write: (write) =>
      Effect.flatMap(CurrentTransaction, (transaction) =>
        Effect.uninterruptible(
          attempt(async () => {
            if (transaction === undefined) return send(root, [write])
            // One statement must change no row twice.
            if (transaction.writes.some(({ of }) => of.table === write.of.table)) await flush(transaction)
            transaction.writes.push(write)
          }),
        ),
      ),
    flush: Effect.flatMap(CurrentTransaction, (transaction) =>
      transaction === undefined ? Effect.void : attempt(() => flush(transaction)),
    ),
    whenCommitted: (act) =>
      Effect.map(CurrentTransaction, (transaction) => {
        if (transaction === undefined) act()
        else transaction.acts.push(act)
      }),
  }
}

/**
 * An answered request must be on disk, whatever the server's setting. `set local`, so that it works behind a connection
 * pool.
 */
export const durably = 'set local synchronous_commit = on'

export const TransactionDatabase = Layer.effect(
  Transaction,
  Effect.gen(function* () {
    const { root, beginsDurably, flush } = yield* Database
    return Transaction.of({
      atomically: (effect) =>
        Effect.flatMap(CurrentTransaction, (surrounding) =>
          surrounding !== undefined
            ? effect
            : againAfterConflict(
                Effect.acquireUseRelease(
                  attempt(async (): Promise<OpenTransaction> => ({
                    kysely: await root.startTransaction().execute(),
                    acts: [],
                    writes: [],
                  })),
                  (transaction) =>
                    Effect.andThen(
                      beginsDurably ? Effect.void : attempt(() => sql.raw(durably).execute(transaction.kysely)),
                      Effect.provideService(Effect.tap(effect, flush), CurrentTransaction, transaction),
                    ),
                  ({ kysely, acts }, exit) =>
                    Exit.isSuccess(exit)
                      ? Effect.andThen(
                          Effect.onError(
                            attempt(() => kysely.commit().execute()),
                            () => rollback(kysely),
                          ),
                          Effect.sync(() => acts.forEach((act) => act())),
                        )
                      : rollback(kysely),
                ),
              ),
        ),
    })
  }),
)

/** Gives the connection back in any case, also after a commit that failed: one that cannot roll back is discarded. */
const rollback = (kysely: ControlledTransaction<Tables>): Effect.Effect<void> =>
  Effect.ignoreCause(attempt(() => kysely.rollback().execute()))

/** The server rolled back a conflicting transaction completely, so it is run again. */
const againAfterConflict = <A, E, R>(transaction: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.sandbox(transaction).pipe(
    Effect.retry({ times: 3, while: (cause) => Cause.squash(cause) instanceof TransactionConflict }),
    Effect.catch(Effect.failCause),
  )

const defectOf = (cause: unknown): unknown => {
  if (isConflict(cause)) return new TransactionConflict({ cause })
  return isConnectionLost(cause) ? new DatabaseUnavailable({ cause }) : cause
}

/** SQLSTATE 40001, serialization failure, and 40P01, deadlock; and what a migration meanwhile makes fail once. */
const isConflict = (cause: unknown): boolean =>
  (cause instanceof Error && 'code' in cause && (cause.code === '40001' || cause.code === '40P01')) ||
  isOutdatedPlan(cause)

/**
 * The connection ended, cannot be opened or does not answer: SQLSTATE classes 08, 53 and 57P, socket errors (ENOENT: its
 * file is gone), and pg's own errors, which have no code.
 */
const isConnectionLost = (cause: unknown): boolean => {
  if (!(cause instanceof Error)) return false
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : ''
  return (
    /^(?:08|53|57P)/.test(code) ||
    /^E(?:NOENT|CONNREFUSED|CONNRESET|PIPE|TIMEDOUT|NOTFOUND|HOSTUNREACH)$/.test(code) ||
    /^(?:Connection terminated|timeout exceeded when trying to connect|Query read timeout$)|is not queryable$/.test(
      cause.message,
    )
  )
}

/** A temporary defect: the caller is told to retry. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable'

  constructor({ cause }: { readonly cause: unknown }) {
    super('the database does not answer', { cause })
  }
}

class TransactionConflict extends DatabaseUnavailable {}
