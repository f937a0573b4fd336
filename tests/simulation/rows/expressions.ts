/** Expressions compiled to functions of the current rows, with SQL's three-valued logic. */
import { DatabaseError, unsupported } from './DatabaseError.ts'
import type { KnownTable } from './KnownTable.ts'
import type { AggregateName, Arithmetic, Comparison, Expression, Select } from './syntax.ts'
import type { Entry, Equality, Row } from './Table.ts'
import { areSame, cast, compare, fieldOf, type ColumnType } from './values.ts'

/** What an expression is evaluated against. */
export type Env = {
  readonly parameters: readonly unknown[]
  /** The current row of each source, by slot; `undefined`: the null row of a left join. */
  readonly rows: (Row | undefined)[]
  /** The rows of the statement's snapshot. */
  readonly scan: (table: string, equality: Equality | undefined) => readonly Entry[]
}

export type Evaluate = (env: Env) => unknown

export type Compiled = {
  readonly evaluate: Evaluate
  readonly type: ColumnType | undefined
  /** The slots that it reads. */
  readonly uses: ReadonlySet<number>
}

export type ScopeSource = {
  readonly alias: string
  readonly table: KnownTable
  readonly slot: number
}

/** An aggregate of a query; without `of` it counts rows. */
export type Aggregate = { readonly name: AggregateName; readonly of: Evaluate | undefined; readonly isWindow: boolean }

/** The names that an expression may use. */
export type Scope = {
  readonly sources: readonly ScopeSource[]
  readonly outer: Scope | undefined
  /** The next free slot, shared by the whole statement. */
  readonly slots: { next: number }
  /** Where aggregates are allowed: those compiled so far, whose values are the row in `slot`. */
  readonly aggregates: { readonly slot: number; readonly all: Aggregate[] } | undefined
  /** Queries are compiled above expressions, so that these get it here. */
  readonly compileSubquery: (query: Select, scope: Scope) => Subquery
}

export type Subquery = {
  /** Of the only row, or null. */
  readonly value: Evaluate
  readonly values: (env: Env) => readonly unknown[]
  readonly exists: (env: Env) => boolean
  readonly type: ColumnType | undefined
  readonly uses: ReadonlySet<number>
}

export const compile = (expression: Expression, scope: Scope): Compiled => {
  switch (expression.kind) {
    case 'value':
      return constant(expression.value)
    case 'parameter': {
      const { index } = expression
      return { evaluate: ({ parameters }) => parameters[index] ?? null, type: undefined, uses: none }
    }
    case 'column':
      return compileColumn(expression.table, expression.column, scope)
    case 'not':
      return from(
        [compile(expression.of, scope)],
        'boolean',
        ([of]) =>
          (env) =>
            negation(of(env)),
      )
    case 'negative': {
      const of = compile(expression.of, scope)
      return from(
        [of],
        of.type,
        ([evaluate]) =>
          (env) =>
            onNumbers(0, evaluate(env), (zero, value) => zero - value),
      )
    }
    case 'and':
      return binary(expression, scope, 'boolean', conjunction)
    case 'or':
      return binary(expression, scope, 'boolean', (left, right) => (env) => {
        const one = left(env)
        if (one === true) return true
        const other = right(env)
        return other === true ? true : one === null || other === null ? null : false
      })
    case 'comparison': {
      const holds = comparisons[expression.operator]
      return binary(expression, scope, 'boolean', (left, right) => (env) => {
        const one = left(env)
        const other = right(env)
        return one === null || other === null ? null : holds(one, other)
      })
    }
    case 'same':
      return binary(expression, scope, 'boolean', (left, right) => (env) => areSame(left(env), right(env)))
    case 'like':
      return binary(expression, scope, 'boolean', (left, right) => (env) => isLike(left(env), right(env)))
    case 'concatenation':
      return binary(expression, scope, 'text', (left, right) => (env) => {
        const [one, other] = [left(env), right(env)]
        return one === null || other === null ? null : `${String(cast('text', one))}${String(cast('text', other))}`
      })
    case 'field':
      return binary(expression, scope, 'jsonb', (left, right) => (env) => fieldOf(left(env), right(env)))
    case 'field text':
      return binary(expression, scope, 'text', (left, right) => (env) => asText(fieldOf(left(env), right(env))))
    case 'arithmetic':
      return compileArithmetic(expression, scope)
    case 'in':
      return compileIn(expression, scope)
    case 'cast': {
      const { type } = expression
      return from(
        [compile(expression.of, scope)],
        type,
        ([of]) =>
          (env) =>
            cast(type, of(env)),
      )
    }
    case 'call':
      return compileCall(
        expression.name,
        expression.arguments.map((one) => compile(one, scope)),
      )
    case 'aggregate':
      return compileAggregate(expression, scope)
    case 'exists': {
      const query = scope.compileSubquery(expression.query, scope)
      return { evaluate: query.exists, type: 'boolean', uses: query.uses }
    }
    case 'subquery': {
      const query = scope.compileSubquery(expression.query, scope)
      return { evaluate: query.value, type: query.type, uses: query.uses }
    }
  }
}

const none: ReadonlySet<number> = new Set()

const constant = (value: string | number | boolean | null): Compiled => ({
  evaluate: () => value,
  type: typeof value !== 'number' ? undefined : Number.isInteger(value) ? 'integer' : 'double precision',
  uses: none,
})

const union = (all: readonly Compiled[]): ReadonlySet<number> => new Set(all.flatMap(({ uses }) => [...uses]))

/** An expression over one operand. */
const from = (
  of: readonly [Compiled],
  type: ColumnType | undefined,
  make: (of: readonly [Evaluate]) => Evaluate,
): Compiled => ({
  evaluate: make([of[0].evaluate]),
  type,
  uses: of[0].uses,
})

type Sides = { readonly left: Expression; readonly right: Expression }

const binary = (
  sides: Sides,
  scope: Scope,
  type: ColumnType,
  make: (left: Evaluate, right: Evaluate) => Evaluate,
): Compiled => {
  const [left, right] = [compile(sides.left, scope), compile(sides.right, scope)]
  return { evaluate: make(left.evaluate, right.evaluate), type, uses: union([left, right]) }
}

const compileColumn = (table: string | undefined, column: string, scope: Scope): Compiled => {
  const found = resolve(table, column, scope)
  if (found === undefined) {
    throw new DatabaseError('42703', `column ${table === undefined ? '' : `${table}.`}${column} does not exist`)
  }
  const { slot } = found
  return {
    evaluate: ({ rows }) => rows[slot]?.[column] ?? null,
    type: found.table.columns.get(column)?.type,
    uses: new Set([slot]),
  }
}

const resolve = (table: string | undefined, column: string, scope: Scope | undefined): ScopeSource | undefined => {
  if (scope === undefined) return undefined
  const found = scope.sources.filter(
    ({ alias, table: { columns } }) => (table === undefined || alias === table) && columns.has(column),
  )
  if (found.length > 1) throw new DatabaseError('42702', `column reference "${column}" is ambiguous`)
  return found[0] ?? resolve(table, column, scope.outer)
}

const negation = (value: unknown): unknown => (value === null ? null : value !== true)

const conjunction =
  (left: Evaluate, right: Evaluate): Evaluate =>
  (env) => {
    const one = left(env)
    if (one === false) return false
    const other = right(env)
    return other === false ? false : one === null || other === null ? null : true
  }

const comparisons: Readonly<Record<Comparison, (one: unknown, other: unknown) => boolean>> = {
  '=': (one, other) => compare(one, other) === 0,
  '<>': (one, other) => compare(one, other) !== 0,
  '<': (one, other) => compare(one, other) < 0,
  '<=': (one, other) => compare(one, other) <= 0,
  '>': (one, other) => compare(one, other) > 0,
  '>=': (one, other) => compare(one, other) >= 0,
}

const patterns = new Map<string, RegExp>()

const isLike = (value: unknown, pattern: unknown): boolean | null => {
  if (value === null || pattern === null) return null
  if (typeof value !== 'string' || typeof pattern !== 'string') throw new DatabaseError('42883', 'like compares text')
  if (/[_\\]/.test(pattern)) throw unsupported(`'_' and '\\' in a pattern`)
  const existing = patterns.get(pattern)
  const regex = existing ?? new RegExp(`^${pattern.replace(/[.*+?^${}()|[\]]/g, '\\$&').replaceAll('%', '.*')}$`, 's')
  if (existing === undefined) patterns.set(pattern, regex)
  return regex.test(value)
}

const asText = (value: unknown): unknown => {
  if (value !== null && typeof value === 'object') throw unsupported('the text of an object or array')
  return cast('text', value)
}

const onNumbers = (one: unknown, other: unknown, compute: (one: number, other: number) => number): number | null => {
  if (one === null || other === null) return null
  if (typeof one !== 'number' || typeof other !== 'number') throw new DatabaseError('42883', 'arithmetic is of numbers')
  return compute(one, other)
}

const compileArithmetic = (
  { operator, ...sides }: Sides & { readonly operator: Arithmetic },
  scope: Scope,
): Compiled => {
  const [left, right] = [compile(sides.left, scope), compile(sides.right, scope)]
  const type = left.type === 'double precision' ? left.type : (right.type ?? left.type)
  const compute = operator === '/' && type !== 'double precision' ? integerDivision : operations[operator]
  return {
    evaluate: (env) => onNumbers(left.evaluate(env), right.evaluate(env), compute),
    type,
    uses: union([left, right]),
  }
}

const operations: Readonly<Record<Arithmetic, (one: number, other: number) => number>> = {
  '+': (one, other) => one + other,
  '-': (one, other) => one - other,
  '*': (one, other) => one * other,
  '/': (one, other) => {
    if (other === 0) throw new DatabaseError('22012', 'division by zero')
    return one / other
  },
}

const integerDivision = (one: number, other: number): number => Math.trunc(operations['/'](one, other))

const compileIn = ({ of, options }: Extract<Expression, { readonly kind: 'in' }>, scope: Scope): Compiled => {
  const value = compile(of, scope)
  if ('kind' in options) {
    const query = scope.compileSubquery(options, scope)
    return {
      evaluate: (env) => isAmong(value.evaluate(env), query.values(env)),
      type: 'boolean',
      uses: new Set([...value.uses, ...query.uses]),
    }
  }
  const all = options.map((one) => compile(one, scope))
  const evaluates = all.map(({ evaluate }) => evaluate)
  return {
    evaluate: (env) =>
      isAmong(
        value.evaluate(env),
        evaluates.map((evaluate) => evaluate(env)),
      ),
    type: 'boolean',
    uses: union([value, ...all]),
  }
}

const isAmong = (value: unknown, options: readonly unknown[]): boolean | null => {
  if (value === null) return options.length === 0 ? false : null
  let hasNull = false
  for (const option of options) {
    if (option === null) hasNull = true
    else if (compare(value, option) === 0) return true
  }
  return hasNull ? null : false
}

const compileCall = (name: string, parameters: readonly Compiled[]): Compiled => {
  const pick = functions[name]
  if (pick === undefined) throw unsupported(`the function ${name}`)
  const evaluates = parameters.map(({ evaluate }) => evaluate)
  return {
    evaluate: (env) => pick(evaluates.map((evaluate) => evaluate(env)).filter((value) => value !== null)),
    type: parameters.find(({ type }) => type !== undefined)?.type,
    uses: union(parameters),
  }
}

const greatest = (values: readonly unknown[]): unknown =>
  values.reduce((one, other) => (compare(one, other) < 0 ? other : one), values[0] ?? null)

const least = (values: readonly unknown[]): unknown =>
  values.reduce((one, other) => (compare(one, other) > 0 ? other : one), values[0] ?? null)

/** Called with the arguments that are not null. */
const functions: Readonly<Record<string, (values: readonly unknown[]) => unknown>> = {
  coalesce: ([first = null]) => first,
  greatest,
  least,
}

/** Called with the values that are not null. */
export const aggregates: Readonly<Record<AggregateName, (values: readonly unknown[]) => unknown>> = {
  count: (values) => values.length,
  max: greatest,
  min: least,
  /** Of numerics alone. */
  sum: (values) =>
    values.length === 0 ? null : String(values.reduce((sum: bigint, one) => sum + BigInt(String(one)), 0n)),
}

const compileAggregate = (
  { name, of, isWindow }: Extract<Expression, { readonly kind: 'aggregate' }>,
  scope: Scope,
): Compiled => {
  if (scope.aggregates === undefined) throw new DatabaseError('42803', `${name} is not allowed here`)
  const { slot, all } = scope.aggregates
  const compiled = of === undefined ? undefined : compile(of, { ...scope, aggregates: undefined })
  const place = String(all.length)
  all.push({ name, of: compiled?.evaluate, isWindow })
  return {
    evaluate: ({ rows }) => rows[slot]?.[place] ?? null,
    type: name === 'count' ? 'bigint' : compiled?.type,
    uses: none,
  }
}
