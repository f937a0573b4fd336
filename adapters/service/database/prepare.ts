/** Statements of the requests that come most often, built and compiled once: that costs as much as sending them. */
import type * as Effect from 'effect/Effect'
import type { Compilable, CompiledQuery, Kysely } from 'kysely'
import type { Database } from './Database.ts'
import { Placeholder, placeholdersOf, requireUsed } from './placeholders.ts'
import type { Tables } from './Tables.ts'

/**
 * A function from the statement's values, by name, to the rows that it answers. `build` is called once, with something
 * else in the place of each value: it passes them on as parameters, and cannot decide by them.
 */
export const prepare = <Values extends { readonly [K in keyof Values]: unknown }, Row>(
  { root, query }: Pick<Database['Service'], 'root' | 'query'>,
  build: (db: Kysely<Tables>, values: Values) => Compilable<Row>,
): ((values: Values) => Effect.Effect<readonly Row[]>) => {
  let made: Prepared<Row> | undefined
  return (values) =>
    query(async (db) => {
      made ??= compile(Object.keys(values), (placeholders) => build(root, placeholders as Values))
      const { rows } = await db.executeQuery<Row>({ ...made.compiled, parameters: made.parametersOf(values) })
      return rows
    })
}

type Prepared<Row> = {
  readonly compiled: CompiledQuery<Row>
  readonly parametersOf: (values: Readonly<Record<string, unknown>>) => readonly unknown[]
}

const compile = <Row>(names: readonly string[], build: (placeholders: object) => Compilable<Row>): Prepared<Row> => {
  const placeholders = placeholdersOf(names)
  const compiled = build(placeholders).compile()
  requireUsed(compiled, Object.values(placeholders))
  return {
    compiled,
    parametersOf: (values) => compiled.parameters.map((one) => (one instanceof Placeholder ? one.of(values) : one)),
  }
}
