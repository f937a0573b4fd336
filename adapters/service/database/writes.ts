/**
 * Writes of a transaction whose result nothing reads. They are sent together, as one statement with a `with` for each:
 * sending a statement costs more than what it writes.
 */
import type * as Effect from 'effect/Effect'
import {
  sql,
  type Compilable,
  type CompiledQuery,
  type Kysely,
  type OperationNodeSource,
  type QueryCreator,
} from 'kysely'
import { Placeholder, placeholdersOf, requireUsed } from './placeholders.ts'
import type { Tables } from './Tables.ts'

type Values = Readonly<Record<string, unknown>>

type Statement = Compilable & OperationNodeSource

/** A write and its values. */
export type Write = { readonly of: WriteStatement; readonly values: Values }

type WriteStatement = {
  /** The table that it changes. Two writes of one table do not go together. */
  readonly table: keyof Tables
  readonly build: (db: QueryCreator<Tables>, placeholders: Values) => Statement
}

/** As `prepare`, for a write of that table. It is built anew for each set of writes that go together. */
export const prepareWrite = <V extends { readonly [K in keyof V]: unknown }>(
  { write }: { readonly write: (write: Write) => Effect.Effect<void> },
  table: keyof Tables,
  build: (db: QueryCreator<Tables>, values: V) => Statement,
): ((values: V) => Effect.Effect<void>) => {
  const of: WriteStatement = { table, build: (db, placeholders) => build(db, placeholders as V) }
  return (values) => write({ of, values })
}

type Compiled = {
  readonly query: CompiledQuery
  readonly parametersOf: (writes: readonly Write[]) => readonly unknown[]
}

/** Sends writes as one statement, which is compiled once for each set of them. */
export const makeWriter = (root: Kysely<Tables>) => {
  const ids = new Map<WriteStatement, number>()
  const known = new Map<string, Compiled>()
  const idOf = (of: WriteStatement) => {
    const id = ids.get(of) ?? ids.size
    ids.set(of, id)
    return id
  }
  return async (db: Kysely<Tables>, writes: readonly Write[]): Promise<void> => {
    const key = writes.map(({ of }) => idOf(of)).join()
    const compiled = known.get(key) ?? compile(root, writes)
    known.set(key, compiled)
    await db.executeQuery({ ...compiled.query, parameters: compiled.parametersOf(writes) })
  }
}

const compile = (root: Kysely<Tables>, writes: readonly Write[]): Compiled => {
  const writeOf = new Map<Placeholder, number>()
  const statements = writes.map(({ of, values }, index) => {
    const placeholders = placeholdersOf(Object.keys(values))
    for (const placeholder of Object.values(placeholders)) writeOf.set(placeholder, index)
    return of.build(root, placeholders)
  })
  const query = together(root, statements).compile()
  requireUsed(query, [...writeOf.keys()])
  const parametersOf = (given: readonly Write[]) =>
    query.parameters.map((one) =>
      one instanceof Placeholder ? one.of(given[writeOf.get(one) ?? -1]?.values ?? {}) : one,
    )
  return { query, parametersOf }
}

const together = (root: Kysely<Tables>, statements: readonly Statement[]): Compilable => {
  const [only, ...others] = statements
  if (only !== undefined && others.length === 0) return only
  let db: QueryCreator<Tables> = root
  for (const [index, statement] of statements.entries()) {
    // A part that nothing reads has no type.
    db = db.with(`write_${index}`, (() => statement) as never) as unknown as QueryCreator<Tables>
  }
  return db.selectNoFrom(sql.lit(1).as('done'))
}
