/** Compiles statements to plans, once for each text. */
import type { Catalogue } from './catalogue.ts'
import { DatabaseError, unsupported } from './DatabaseError.ts'
import { compile, type Env, type Evaluate, type Scope } from './expressions.ts'
import { checkRow, type KnownKey, type KnownTable } from './KnownTable.ts'
import { parseCommand } from './parser.ts'
import { compileFound, compileQuery, compileReturning, rootScope, type Found } from './queries.ts'
import { isDefinition } from './shapes.ts'
import type { Statement, Waiting } from './Statement.ts'
import type {
  Assignment,
  Change,
  Command,
  Delete,
  Expression,
  Insert,
  LockMode,
  OnConflict,
  Update,
  With,
} from './syntax.ts'
import type { Entry, Row } from './Table.ts'
import { areSame, toStored } from './values.ts'

export type Result = { readonly rows: readonly Row[]; readonly changed: number }

/** A compiled statement on rows. */
export type Plan = {
  readonly what: string
  readonly table: string
  readonly run: (statement: Statement) => Waiting<Result>
}

/** Statements without a plan: data definition, and settings that have no effect here. */
type Other = 'definition' | 'nothing'

const plans = new WeakMap<Catalogue, Map<string, Plan | Other>>()

export const planOf = (text: string, catalogue: Catalogue): Plan | Other => {
  const compiled = plans.get(catalogue) ?? new Map<string, Plan | Other>()
  if (compiled.size === 0) plans.set(catalogue, compiled)
  const existing = compiled.get(text)
  if (existing !== undefined) return existing
  const plan = isDefinition(text) ? 'definition' : compilePlan(parseCommand(text), catalogue)
  compiled.set(text, plan)
  return plan
}

const compilePlan = (command: Command, catalogue: Catalogue): Plan | 'nothing' => {
  switch (command.kind) {
    case 'nothing':
      return command.kind
    case 'select': {
      const query = compileQuery(command, catalogue)
      return planned('select', command.sources[0]?.table ?? '', function* (statement) {
        return { rows: yield* query(statement), changed: 0 }
      })
    }
    case 'with':
      return compileWith(command, catalogue)
    default:
      return compileChange(command, catalogue)
  }
}

const compileChange = (command: Change, catalogue: Catalogue): Plan => {
  switch (command.kind) {
    case 'insert':
      return planned('insert', command.table, compileInsert(command, catalogue))
    case 'update':
      return planned('update', command.table, compileUpdate(command, catalogue))
    case 'delete':
      return planned('delete', command.table, compileDelete(command, catalogue))
  }
}

/**
 * PostgreSQL makes the changes in an order of its own, none sees another's, and foreign keys are checked after all of
 * them. Here each is of a table of its own, and a row comes after the row that it refers to.
 */
const compileWith = ({ changes, query }: With, catalogue: Catalogue): Plan => {
  const tables = new Set(changes.map(({ table }) => table))
  if (tables.size < changes.length) throw unsupported('a statement that changes one table twice')
  const plans = changes.map((change) => compileChange(change, catalogue))
  const select = compileQuery(query, catalogue)
  const [first] = changes
  return {
    what: plans.map(({ what }) => what).join(', '),
    table: first?.table ?? '',
    run: function* (statement) {
      for (const plan of plans) yield* plan.run(statement)
      return { rows: yield* select(statement), changed: 0 }
    },
  }
}

const planned = (verb: string, table: string, run: Plan['run']): Plan => ({ what: `${verb} ${table}`, table, run })

/** A scope with the statement's table in slot 0. */
const scopeOf = (table: KnownTable, alias: string, catalogue: Catalogue): Scope => {
  const root = rootScope(catalogue)
  return { ...root, sources: [{ alias, table, slot: root.slots.next++ }] }
}

type Setter = { readonly column: string; readonly value: Evaluate }

const compileSet = (set: readonly Assignment[], table: KnownTable, scope: Scope): readonly Setter[] =>
  set.map(({ column, value }) => ({ column, value: setterOf(column, value, table, scope) }))

/** The value of a column in the form in which it is stored. */
const setterOf = (column: string, value: Expression | undefined, table: KnownTable, scope: Scope): Evaluate => {
  const type = table.columns.get(column)?.type
  if (type === undefined)
    throw new DatabaseError('42703', `column "${column}" of relation "${table.name}" does not exist`)
  const evaluate = value === undefined ? (table.defaults.get(column) ?? (() => null)) : compile(value, scope).evaluate
  return (env) => toStored(type, evaluate(env))
}

const setRow = (row: Row, setters: readonly Setter[], env: Env): Row => {
  const next: Record<string, unknown> = { ...row }
  for (const { column, value } of setters) next[column] = value(env)
  return next
}

/** An update conflicts with new references to the row only if it changes a column to which they may refer. */
const lockFor = ({ keyColumns }: KnownTable, setters: readonly Setter[]): ((env: Env, row: Row) => LockMode) => {
  const keySetters = setters.filter(({ column }) => keyColumns.has(column))
  return (env, row) =>
    keySetters.every(({ column, value }) => areSame(row[column], value(env))) ? 'no key update' : 'update'
}

const compileUpdate = ({ table: name, alias, set, where, returning }: Update, catalogue: Catalogue): Plan['run'] => {
  const table = catalogue.table(name)
  const scope = scopeOf(table, alias, catalogue)
  const found = foundOf(name, alias, where, scope)
  const setters = compileSet(set, table, scope)
  const modeOf = lockFor(table, setters)
  const told = compileReturning(returning, scope)
  return function* (statement) {
    const { env } = statement
    const rows: Row[] = []
    let changed = 0
    for (const met of matchesOf(statement, found)) {
      // As in PostgreSQL, constraints are checked before the lock, and again where the row has changed meanwhile.
      let next = setRow(met.row, setters, at(env, met))
      checkRow(table, next)
      const entry = yield* lockMatch(statement, found, table, met, modeOf(env, met.row))
      if (entry === undefined) continue
      if (entry !== met) {
        next = setRow(entry.row, setters, at(env, entry))
        checkRow(table, next)
      }
      yield* statement.update(table, entry, next)
      changed++
      env.rows[0] = next
      if (told !== undefined) rows.push(told(env))
    }
    yield* statement.finish()
    return { rows, changed }
  }
}

const compileDelete = ({ table: name, alias, where, returning }: Delete, catalogue: Catalogue): Plan['run'] => {
  const table = catalogue.table(name)
  const scope = scopeOf(table, alias, catalogue)
  const found = foundOf(name, alias, where, scope)
  const told = compileReturning(returning, scope)
  return function* (statement) {
    const rows: Row[] = []
    let changed = 0
    for (const met of matchesOf(statement, found)) {
      const entry = yield* lockMatch(statement, found, table, met, 'update')
      if (entry === undefined) continue
      statement.delete(table, entry)
      changed++
      if (told !== undefined) rows.push(told(at(statement.env, entry)))
    }
    yield* statement.finish()
    return { rows, changed }
  }
}

const foundOf = (table: string, alias: string, where: Expression | undefined, scope: Scope): Found =>
  compileFound({ sources: [{ table, alias, join: 'inner', on: undefined }], where }, scope)

const matchesOf = ({ env, shuffle }: Statement, found: Found): readonly Entry[] => {
  const matches = found.matches(env).flatMap(([entry]) => (entry === undefined ? [] : [entry]))
  return matches.length > 1 ? shuffle(matches) : matches
}

const at = (env: Env, { row }: Entry): Env => {
  env.rows[0] = row
  return env
}

/** Locks a row; its newest version, or `undefined` where that no longer meets the condition. */
function* lockMatch(
  statement: Statement,
  found: Found,
  table: KnownTable,
  met: Entry,
  mode: LockMode,
): Waiting<Entry | undefined> {
  const entry = yield* statement.lock(table.name, met.id, mode)
  return entry === met || (entry !== undefined && found.holds(at(statement.env, entry))) ? entry : undefined
}

const compileInsert = (insert: Insert, catalogue: Catalogue): Plan['run'] => {
  const table = catalogue.table(insert.table)
  const scope = scopeOf(table, insert.alias, catalogue)
  const made = compileValues(insert, table, catalogue, scope)
  const conflict = insert.onConflict === undefined ? undefined : compileConflict(insert.onConflict, table, scope)
  const told = compileReturning(insert.returning, scope)
  return function* (statement): Waiting<Result> {
    const { env } = statement
    const rows: Row[] = []
    let changed = 0
    for (const row of yield* made(statement)) {
      checkRow(table, row)
      const stored = conflict === undefined ? row : yield* conflict(statement, row)
      if (stored === undefined) continue
      if (stored === row) yield* statement.insert(table, row)
      changed++
      env.rows[0] = stored
      if (told !== undefined) rows.push(told(env))
    }
    yield* statement.finish()
    return { rows, changed }
  }
}

const compileValues = (
  { columns, values }: Insert,
  table: KnownTable,
  catalogue: Catalogue,
  scope: Scope,
): ((statement: Statement) => Waiting<readonly Row[]>) => {
  const named = columns ?? [...table.columns.keys()]
  const absent = [...table.defaults.keys()].filter((column) => !named.includes(column))
  const setters = (given: readonly (Expression | undefined)[]): readonly Setter[] => {
    if (given.length > named.length || (columns !== undefined && given.length < named.length)) {
      throw new DatabaseError('42601', 'INSERT has another number of expressions than of target columns')
    }
    const all = [...given, ...named.slice(given.length).map(() => undefined)]
    const set = named.map((column, index) => ({ column, value: all[index] }))
    return compileSet([...set, ...absent.map((column) => ({ column, value: undefined }))], table, {
      ...scope,
      sources: [],
    })
  }
  if (!('kind' in values)) {
    const all = values.map(setters)
    return function* ({ env }) {
      return all.map((one) => setRow(table.blank, one, env))
    }
  }
  const query = compileQuery(values, catalogue)
  const names = values.items.map((item) => (item.kind === 'one' ? item.name : ''))
  const parameters = setters(names.map((_, index) => ({ kind: 'parameter', index })))
  return function* (statement) {
    const found = yield* query(statement)
    return found.map((row) =>
      setRow(table.blank, parameters, { ...statement.env, parameters: names.map((name) => row[name]) }),
    )
  }
}

/** Returns the new row where nothing conflicts, the updated row, or `undefined` where nothing is done. */
const compileConflict = ({ target, update }: OnConflict, table: KnownTable, scope: Scope) => {
  const keys = keysOf(target, table)
  const slot = scope.slots.next++
  const excluded: Scope = { ...scope, sources: [...scope.sources, { alias: 'excluded', table, slot }] }
  const setters = update === undefined ? [] : compileSet(update.set, table, excluded)
  // Here PostgreSQL goes by the columns that are set, whether or not their values change.
  const mode = setters.some(({ column }) => table.keyColumns.has(column)) ? 'update' : 'no key update'
  const condition = update?.where === undefined ? undefined : compile(update.where, excluded).evaluate
  return function* (statement: Statement, row: Row): Waiting<Row | undefined> {
    const { env } = statement
    for (;;) {
      const met = yield* firstMet(statement, table, keys, row)
      if (met === undefined) return row
      if (update === undefined) return undefined
      const entry = yield* statement.lock(table.name, met.id, mode)
      // The conflicting row was deleted or got another key meanwhile: the insert starts again.
      if (
        entry === undefined ||
        !keys.some((key) => key.columns.every((column) => areSame(entry.row[column], row[column])))
      )
        continue
      if (statement.hasWritten(entry.id)) {
        throw new DatabaseError('21000', 'ON CONFLICT DO UPDATE command cannot affect row a second time')
      }
      env.rows[slot] = row
      if (condition !== undefined && condition(at(env, entry)) !== true) return undefined
      const next = setRow(entry.row, setters, at(env, entry))
      checkRow(table, next)
      yield* statement.update(table, entry, next)
      return next
    }
  }
}

function* firstMet(
  statement: Statement,
  table: KnownTable,
  keys: readonly KnownKey[],
  row: Row,
): Waiting<Entry | undefined> {
  for (const key of keys) {
    const met = yield* statement.met(table, key, row)
    if (met !== undefined) return met
  }
  return undefined
}

const keysOf = (target: OnConflict['target'], { name, keys }: KnownTable): readonly KnownKey[] => {
  if (target.kind === 'any') return keys
  const meant = keys.filter((key) =>
    target.kind === 'constraint'
      ? key.name === target.name
      : key.columns.length === target.columns.length &&
        key.columns.every((column) => target.columns.includes(column)) &&
        (key.where === undefined || JSON.stringify(key.where) === JSON.stringify(target.where)),
  )
  if (meant.length > 0) return meant
  throw new DatabaseError('42P10', `no unique constraint of ${name} matches the ON CONFLICT specification`)
}
