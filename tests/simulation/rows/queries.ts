/** Compiles queries: joins, conditions, order, limits, locks, aggregates and projections. */
import type { Catalogue } from './catalogue.ts'
import { DatabaseError } from './DatabaseError.ts'
import {
  aggregates,
  compile,
  type Aggregate,
  type Compiled,
  type Env,
  type Evaluate,
  type Scope,
  type ScopeSource,
  type Subquery,
} from './expressions.ts'
import type { Statement, Waiting } from './Statement.ts'
import type { Expression, Item, Locking, Order, Select } from './syntax.ts'
import type { Entry, Equality, Row } from './Table.ts'
import { compare, toRead } from './values.ts'

/** One entry of each source, in the order in which the sources are written; `undefined`: the null row of a left join. */
type Match = readonly (Entry | undefined)[]

/** A condition `column = value` that an index can answer. */
type Hint = { readonly column: string; readonly value: Evaluate }

type JoinedSource = ScopeSource & {
  readonly place: number
  readonly join: 'inner' | 'left'
  readonly on: Evaluate | undefined
  readonly hint: Hint | undefined
}

/** The `from` and `where` of a statement. */
export type Found = {
  readonly sources: readonly JoinedSource[]
  readonly matches: (env: Env) => readonly Match[]
  /** Whether the current rows of `Env` meet all conditions. */
  readonly holds: (env: Env) => boolean
  readonly uses: ReadonlySet<number>
}

export const rootScope = (catalogue: Catalogue): Scope => ({
  sources: [],
  outer: undefined,
  slots: { next: 0 },
  aggregates: undefined,
  compileSubquery: (select, outer) => compileSubquery(select, outer, catalogue),
})

const compileSubquery = (select: Select, outer: Scope, catalogue: Catalogue): Subquery => {
  const { found, arrange, values, types, uses } = compileSelect(select, outer, catalogue)
  const columnOf = (env: Env) =>
    arrange(env, found.matches(env)).map((match) => {
      place(env, found, match)
      return values(env)[0]
    })
  return {
    value: (env) => {
      const values = columnOf(env)
      if (values.length > 1)
        throw new DatabaseError('21000', 'more than one row returned by a subquery used as an expression')
      return values[0] ?? null
    },
    values: columnOf,
    exists: (env) => arrange(env, found.matches(env)).length > 0,
    type: types[0],
    uses,
  }
}

/** A query that is a statement of its own. */
export const compileQuery = (
  select: Select,
  catalogue: Catalogue,
): ((statement: Statement) => Waiting<readonly Row[]>) => {
  const query = compileSelect(select, rootScope(catalogue), catalogue)
  const { found, arrange, project } = query
  const { locking } = select
  return function* (statement) {
    const { env } = statement
    const matches = found.matches(env)
    const mixed = matches.length > 1 ? statement.shuffle(matches) : matches
    if (locking === undefined) {
      return arrange(env, mixed).map((match) => {
        place(env, found, match)
        return project(env)
      })
    }
    const rows: Row[] = []
    const { limit, offset } = query.range(env)
    for (const match of query.sort(env, mixed)) {
      if (rows.length === offset + limit) break
      if (yield* lock(statement, found, match, locking)) rows.push(project(env))
    }
    return rows.slice(offset)
  }
}

/** Locks the rows of a match and makes their newest versions current; false where these no longer meet the conditions. */
function* lock(statement: Statement, found: Found, match: Match, { mode, of, met }: Locking): Waiting<boolean> {
  const current = [...match]
  let isNewer = false
  for (const source of found.sources) {
    const entry = match[source.place]
    if (entry === undefined || (of !== undefined && !of.includes(source.alias))) continue
    const locked = yield* statement.lock(source.table.name, entry.id, mode, met)
    if (locked === undefined) return false
    if (locked !== entry) isNewer = true
    current[source.place] = locked
  }
  place(statement.env, found, current)
  return !isNewer || found.holds(statement.env)
}

const place = ({ rows }: Env, { sources }: Found, match: Match): void => {
  for (const source of sources) rows[source.slot] = match[source.place]?.row
}

const compileSelect = (select: Select, outer: Scope, catalogue: Catalogue) => {
  const { slots } = outer
  const sources = select.sources.map(({ table, alias }) => ({
    alias,
    table: catalogue.table(table),
    slot: slots.next++,
  }))
  const scope: Scope = {
    ...outer,
    sources,
    outer: outer.sources.length === 0 ? outer.outer : outer,
    aggregates: undefined,
  }
  const found = compileFound(select, scope)
  const site = { slot: slots.next++, all: [] as Aggregate[] }
  const items = compileItems(select.items, { ...scope, aggregates: site })
  const collapses = site.all.some(({ isWindow }) => !isWindow)
  if (collapses && items.some(({ compiled }) => sources.some(({ slot }) => compiled.uses.has(slot)))) {
    throw new DatabaseError('42803', 'a column must appear in an aggregate function')
  }
  const order = select.order.map((one) => ({ ...one, by: compile(orderedBy(one, select.items), scope) }))
  const [limit, offset] = [select.limit, select.offset].map((one) =>
    one === undefined ? undefined : compile(one, scope).evaluate,
  )

  const sort = (env: Env, matches: readonly Match[]): readonly Match[] =>
    order.length === 0 || matches.length < 2 ? matches : sorted(env, matches, found, order)

  const range = (env: Env) => ({ limit: countOf(limit, env, Infinity), offset: countOf(offset, env, 0) })

  const arrange = (env: Env, matches: readonly Match[]): readonly Match[] => {
    if (site.all.length > 0) env.rows[site.slot] = summarized(env, matches, found, site.all)
    const kept: readonly Match[] = collapses ? [[]] : sort(env, matches)
    if (limit === undefined && offset === undefined) return kept
    const { limit: count, offset: from } = range(env)
    return kept.slice(from, from + count)
  }

  const inner = new Set([...sources.map(({ slot }) => slot), site.slot])
  const all = [found.uses, ...items.map(({ compiled }) => compiled.uses), ...order.map(({ by }) => by.uses)]
  return {
    found,
    sort,
    range,
    arrange,
    project: projection(items, sources),
    values: (env: Env) => items.map(({ compiled }) => compiled.evaluate(env)),
    types: items.map(({ compiled }) => compiled.type),
    uses: new Set(all.flatMap((uses) => [...uses]).filter((slot) => !inner.has(slot))),
  }
}

/** An unqualified name in `order by` means the selected item of that name, if there is one. */
const orderedBy = ({ by }: Order, items: readonly Item[]): Expression => {
  if (by.kind === 'value') throw new DatabaseError('0A000', 'an order by the place of an item is not known')
  if (by.kind !== 'column' || by.table !== undefined) return by
  const item = items.find((one) => one.kind === 'one' && one.name === by.column)
  return item?.kind === 'one' ? item.of : by
}

const countOf = (count: Evaluate | undefined, env: Env, otherwise: number): number => {
  const value = count?.(env) ?? null
  return typeof value === 'number' ? value : otherwise
}

type SortKey = { readonly by: Compiled; readonly isDescending: boolean; readonly areNullsFirst: boolean }

const sorted = (env: Env, matches: readonly Match[], found: Found, order: readonly SortKey[]): readonly Match[] => {
  const keyed = matches.map((match) => {
    place(env, found, match)
    return { match, keys: order.map(({ by }) => by.evaluate(env)) }
  })
  keyed.sort((one, other) => {
    for (const [at, { isDescending, areNullsFirst }] of order.entries()) {
      const [a, b] = [one.keys[at], other.keys[at]]
      if (a === b) continue
      if (a === null || b === null) return (a === null) === areNullsFirst ? -1 : 1
      const compared = compare(a, b)
      if (compared !== 0) return isDescending ? -compared : compared
    }
    return 0
  })
  return keyed.map(({ match }) => match)
}

const summarized = (env: Env, matches: readonly Match[], found: Found, all: readonly Aggregate[]): Row => {
  const values = all.map((): unknown[] => [])
  for (const match of matches) {
    place(env, found, match)
    for (const [at, { of }] of all.entries()) {
      const value = of === undefined ? true : of(env)
      if (value !== null) values[at]?.push(value)
    }
  }
  return Object.fromEntries(all.map(({ name }, at) => [at, aggregates[name](values[at] ?? [])]))
}

type CompiledItem = { readonly name: string; readonly compiled: Compiled; readonly all: ScopeSource | undefined }

const compileItems = (items: readonly Item[], scope: Scope): readonly CompiledItem[] =>
  items.flatMap((item): readonly CompiledItem[] => {
    if (item.kind === 'one') return [{ name: item.name, compiled: compile(item.of, scope), all: undefined }]
    const sources = scope.sources.filter(({ alias }) => item.table === undefined || alias === item.table)
    if (sources.length === 0) throw new DatabaseError('42P01', `missing FROM-clause entry for "${item.table ?? '*'}"`)
    return sources.map((source) => ({
      name: '*',
      compiled: { evaluate: () => null, type: undefined, uses: new Set([source.slot]) },
      all: source,
    }))
  })

/** The result row. Its bytes are copies. */
const projection = (items: readonly CompiledItem[], sources: readonly ScopeSource[]): ((env: Env) => Row) => {
  const [only] = items
  const whole = items.length === 1 && sources.length === 1 ? only?.all : undefined
  if (whole !== undefined) return (env) => copyOf(env, whole)
  const sites = items.map(({ name, compiled: { evaluate }, all }) => ({ name, evaluate, all }))
  return (env) => {
    const row: Record<string, unknown> = {}
    for (const { name, evaluate, all } of sites) {
      if (all === undefined) row[name] = toRead(evaluate(env))
      else Object.assign(row, copyOf(env, all))
    }
    return row
  }
}

const copyOf = ({ rows }: Env, { slot, table }: ScopeSource): Row => {
  const row: Record<string, unknown> = { ...(rows[slot] ?? table.blank) }
  for (const column of table.bytes) row[column] = toRead(row[column])
  return row
}

/** The projection of `returning`. */
export const compileReturning = (items: readonly Item[], scope: Scope): ((env: Env) => Row) | undefined =>
  items.length === 0 ? undefined : projection(compileItems(items, scope), scope.sources)

/** Reads sources with an index first, where possible. Queries with left joins keep their order. */
export const compileFound = ({ sources: written, where }: Pick<Select, 'sources' | 'where'>, scope: Scope): Found => {
  const condition = where === undefined ? undefined : compile(where, scope)
  const isJoined = written.some(({ join }) => join === 'left')
  const joined = scope.sources.map((source, place) => {
    const { join, on } = written[place] ?? { join: 'inner' as const, on: undefined }
    const told = [...conjuncts(on), ...(join === 'inner' ? conjuncts(where) : [])]
    const hints = told.flatMap((one) => hintsOf(one, source, scope))
    return { ...source, place, join, on: on === undefined ? undefined : compile(on, scope), hints }
  })
  const sources: JoinedSource[] = []
  const own = new Set(joined.map(({ slot }) => slot))
  let left = joined
  while (left.length > 0) {
    const placed = new Set(sources.map(({ slot }) => slot))
    const isKnown = ({ uses }: Compiled) => [...uses].every((slot) => !own.has(slot) || placed.has(slot))
    const hintOf = (one: (typeof joined)[number]) => {
      const known = one.hints.filter(({ value }) => isKnown(value))
      return known.find(({ column }) => one.table.lookups.get(column) === true) ?? known[0]
    }
    const next = (isJoined ? undefined : left.find((one) => hintOf(one) !== undefined)) ?? left[0]
    if (next === undefined) break
    const hint = hintOf(next)
    const chosen = hint === undefined ? undefined : { column: hint.column, value: hint.value.evaluate }
    sources.push({ ...next, on: next.on?.evaluate, hint: chosen })
    left = left.filter((one) => one !== next)
  }
  // Conditions of inner joins are evaluated when all sources have a current row, because their order may differ.
  const joins = sources.flatMap(({ join, on }) => (join === 'inner' && on !== undefined ? [on] : []))
  const holds = (env: Env) =>
    joins.every((on) => on(env) === true) && (condition === undefined || condition.evaluate(env) === true)
  return {
    sources,
    matches: (env) => matchesOf(env, sources, holds),
    holds,
    uses: new Set([condition, ...joined.map(({ on }) => on)].flatMap((one) => [...(one?.uses ?? [])])),
  }
}

const matchesOf = (env: Env, sources: readonly JoinedSource[], holds: (env: Env) => boolean): readonly Match[] => {
  const found: Match[] = []
  const [first] = sources
  if (first !== undefined && sources.length === 1) {
    for (const entry of entriesOf(env, first)) {
      env.rows[first.slot] = entry.row
      if (holds(env)) found.push([entry])
    }
    return found
  }
  const current: (Entry | undefined)[] = []
  const visit = (depth: number): void => {
    const source = sources[depth]
    if (source === undefined) {
      if (holds(env)) found.push([...current])
      return
    }
    const { slot, place: at, join, on } = source
    let isMet = false
    for (const entry of entriesOf(env, source)) {
      env.rows[slot] = entry.row
      current[at] = entry
      if (join === 'left' && on?.(env) !== true) continue
      isMet = true
      visit(depth + 1)
    }
    if (isMet || join === 'inner') return
    env.rows[slot] = undefined
    current[at] = undefined
    visit(depth + 1)
  }
  visit(0)
  return found
}

const nothing: readonly Entry[] = []

const entriesOf = (env: Env, { table, hint }: JoinedSource): readonly Entry[] => {
  if (hint === undefined) return env.scan(table.name, undefined)
  const equality: Equality = { column: hint.column, value: hint.value(env) }
  return equality.value === null ? nothing : env.scan(table.name, equality)
}

const conjuncts = (condition: Expression | undefined): readonly Expression[] => {
  if (condition === undefined) return []
  return condition.kind === 'and' ? [...conjuncts(condition.left), ...conjuncts(condition.right)] : [condition]
}

/** The conditions `column = value` or `value = column` on an indexed column of the source. */
const hintsOf = (
  condition: Expression,
  source: ScopeSource,
  scope: Scope,
): readonly { readonly column: string; readonly value: Compiled }[] => {
  if (condition.kind !== 'comparison' || condition.operator !== '=') return []
  const sides = [
    [condition.left, condition.right],
    [condition.right, condition.left],
  ] as const
  return sides.flatMap(([column, other]) => {
    if (column.kind !== 'column' || !source.table.lookups.has(column.column)) return []
    const isOwn = compile(column, scope).uses.has(source.slot)
    const value = compile(other, scope)
    return isOwn && !value.uses.has(source.slot) ? [{ column: column.column, value }] : []
  })
}
