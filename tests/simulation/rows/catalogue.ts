/** Tables with their constraints compiled, and compiled statements by their text. */
import { unsupported } from './DatabaseError.ts'
import { compile, type Env, type Scope } from './expressions.ts'
import { parseCommand } from './parseCommand.ts'
import { planOf } from './plans.ts'
import type { Plan } from './Rows.ts'
import { isDefinition, shapeOf, type Column, type Reference, type Shape, type Shapes } from './shapes.ts'
import type { Expression } from './syntax.ts'
import type { Row } from './Table.ts'

export type KnownKey = {
  readonly name: string
  readonly columns: readonly string[]
  readonly where: Expression | undefined
  /** Whether the key applies to a row: its condition holds and none of its columns is null. */
  readonly takes: (row: Row) => boolean
}

export type KnownTable = {
  readonly name: string
  readonly columns: ReadonlyMap<string, Column>
  /** The bytea columns, which readers get copies of. */
  readonly bytes: readonly string[]
  /** A row with null in every column. */
  readonly blank: Row
  readonly defaults: ReadonlyMap<string, () => unknown>
  readonly required: readonly string[]
  readonly checks: readonly { readonly name: string; readonly refuses: (row: Row) => boolean }[]
  readonly keys: readonly KnownKey[]
  /** Columns of keys to which a foreign key may refer: changing one takes the lock of a deletion. */
  readonly keyColumns: ReadonlySet<string>
  readonly references: readonly Reference[]
  /** Foreign keys of other tables that refer to this one. */
  readonly children: readonly { readonly table: string; readonly reference: Reference }[]
  /** Indexed columns; true: the column alone is a unique key. */
  readonly lookups: ReadonlyMap<string, boolean>
}

/** Statements without a plan: data definition, and settings that have no effect here. */
type Other = 'definition' | 'nothing'

export class Catalogue {
  readonly #shapes: Shapes
  readonly #tables = new Map<string, KnownTable>()
  readonly #plans = new Map<string, Plan | Other>()

  constructor(shapes: Shapes) {
    this.#shapes = shapes
  }

  table(name: string): KnownTable {
    const standing = this.#tables.get(name)
    if (standing !== undefined) return standing
    const known = this.#know(shapeOf(this.#shapes, name))
    this.#tables.set(name, known)
    return known
  }

  plan(text: string): Plan | Other {
    const standing = this.#plans.get(text)
    if (standing !== undefined) return standing
    const plan = isDefinition(text) ? 'definition' : planOf(parseCommand(text), this)
    this.#plans.set(text, plan)
    return plan
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
      catalogue: this,
      sources: [{ alias: name, table: unchecked, slot: 0 }],
      outer: undefined,
      slots: { next: 1 },
      aggregates: undefined,
    }
    const ofRow = (expression: Expression): ((row: Row) => unknown) => {
      const { evaluate } = compile(expression, scope)
      return (row) => evaluate(envOf(row))
    }
    return {
      ...known,
      defaults: new Map(columns.flatMap((one) => (one.byDefault === undefined ? [] : [[one.name, evaluator(one.byDefault, scope)]]))),
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
  for (const { columns, where } of keys) if (columns.length === 1 && where === undefined) lookups.set(columns[0] ?? '', true)
  return lookups
}

const catalogues = new WeakMap<Shapes, Catalogue>()

export const catalogueOf = (shapes: Shapes): Catalogue => {
  const standing = catalogues.get(shapes)
  if (standing !== undefined) return standing
  const made = new Catalogue(shapes)
  catalogues.set(shapes, made)
  return made
}
