/** The tables by name, each compiled when it is first named. */
import { unsupported } from './DatabaseError.ts'
import { compile, type Env, type Scope } from './expressions.ts'
import type { KnownTable } from './KnownTable.ts'
import { shapeOf, type Shape, type Shapes } from './shapes.ts'
import type { Expression } from './syntax.ts'
import type { Row } from './Table.ts'

export class Catalogue {
  readonly #shapes: Shapes
  readonly #tables = new Map<string, KnownTable>()

  constructor(shapes: Shapes) {
    this.#shapes = shapes
  }

  table(name: string): KnownTable {
    const existing = this.#tables.get(name)
    if (existing !== undefined) return existing
    const known = this.#know(shapeOf(this.#shapes, name))
    this.#tables.set(name, known)
    return known
  }

  #know(shape: Shape): KnownTable {
    const { name, columns, keys, checks, references } = shape
    const known = {
      name,
      columns: new Map(columns.map((column) => [column.name, column])),
      bytes: columns.filter(({ type }) => type === 'bytea').map((column) => column.name),
      blank: Object.fromEntries(columns.map((column) => [column.name, null])),
      required: columns.filter(({ isNullable }) => !isNullable).map((column) => column.name),
      keyColumns: new Set(keys.flatMap((key) => (key.where === undefined ? key.columns : []))),
      references,
      children: [...this.#shapes.values()].flatMap((child) =>
        child.references.filter(({ parent }) => parent === name).map((reference) => ({ table: child.name, reference })),
      ),
      lookups: lookupsOf(shape),
    }
    const unchecked: KnownTable = { ...known, defaults: new Map(), checks: [], keys: [] }
    const scope: Scope = {
      sources: [{ alias: name, table: unchecked, slot: 0 }],
      outer: undefined,
      slots: { next: 1 },
      aggregates: undefined,
      compileSubquery: () => {
        throw unsupported('a subquery in a definition')
      },
    }
    const ofRow = (expression: Expression): ((row: Row) => unknown) => {
      const { evaluate } = compile(expression, scope)
      return (row) => evaluate(envOf(row))
    }
    return {
      ...known,
      defaults: new Map(
        columns.flatMap((one) => (one.byDefault === undefined ? [] : [[one.name, evaluator(one.byDefault, scope)]])),
      ),
      checks: checks.map((check) => {
        const evaluate = ofRow(check.condition)
        return { name: check.name, refuses: (row) => evaluate(row) === false }
      }),
      keys: keys.map((key) => {
        if (key.columns.some((column) => known.bytes.includes(column))) throw unsupported('a key of bytes')
        const evaluate = key.where === undefined ? undefined : ofRow(key.where)
        const takes = (row: Row) =>
          key.columns.every((column) => row[column] !== null) && (evaluate === undefined || evaluate(row) === true)
        return { ...key, takes }
      }),
    }
  }
}

const envOf = (row: Row | undefined): Env => ({ parameters: [], rows: [row], scan: () => [] })

const evaluator = (expression: Expression, scope: Scope): (() => unknown) => {
  const { evaluate } = compile(expression, { ...scope, sources: [] })
  return () => evaluate(envOf(undefined))
}

const lookupsOf = ({ keys, references, indexes }: Shape): ReadonlyMap<string, boolean> => {
  const lookups = new Map<string, boolean>()
  for (const { columns } of [...references, ...keys]) lookups.set(columns[0] ?? '', false)
  for (const { column } of indexes) lookups.set(column, false)
  for (const { columns, where } of keys)
    if (columns.length === 1 && where === undefined) lookups.set(columns[0] ?? '', true)
  return lookups
}

const catalogues = new WeakMap<Shapes, Catalogue>()

export const catalogueOf = (shapes: Shapes): Catalogue => {
  const existing = catalogues.get(shapes)
  if (existing !== undefined) return existing
  const made = new Catalogue(shapes)
  catalogues.set(shapes, made)
  return made
}
