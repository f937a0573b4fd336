/** Parses select, insert, update and delete, and their expressions: queries contain expressions, and these contain queries. */
import { unsupported } from './DatabaseError.ts'
import {
  aggregateNames,
  type AggregateName,
  type Assignment,
  type Change,
  type Command,
  type Comparison,
  type Delete,
  type Expression,
  type Insert,
  type Item,
  type Locking,
  type OnConflict,
  type Order,
  type Select,
  type Source,
  type Update,
  type With,
} from './syntax.ts'
import { TokenReader } from './tokens.ts'
import { type ColumnType, columnTypeOf } from './values.ts'

export const parseCommand = (text: string): Command => {
  const reader = new TokenReader(text)
  const command = read(reader)
  reader.expectEnd()
  return command
}

const read = (reader: TokenReader): Command => {
  if (reader.isAt('select')) return parseSelect(reader)
  if (reader.accept('with')) return parseWith(reader)
  const change = parseChange(reader)
  if (change !== undefined) return change
  if (reader.accept('set', 'local')) {
    while (reader.peek().kind !== 'end') reader.next()
    return { kind: 'nothing' }
  }
  throw unsupported(`a statement that begins with '${reader.peek().text}'`)
}

const parseChange = (reader: TokenReader): Change | undefined => {
  if (reader.accept('insert', 'into')) return parseInsert(reader)
  if (reader.accept('update')) return parseUpdate(reader)
  return reader.accept('delete', 'from') ? parseDelete(reader) : undefined
}

const parseWith = (reader: TokenReader): With => {
  const changes = reader.list(() => {
    reader.identifier()
    reader.expect('as')
    return reader.parenthesized(() => {
      const change = parseChange(reader)
      if (change === undefined) throw unsupported(`with a part that begins with '${reader.peek().text}'`)
      return change
    })
  })
  return { kind: 'with', changes, query: parseSelect(reader) }
}

/** Words after a table's name that are not its alias; among them clauses that are not implemented, so that they fail. */
const notAliases = new Set(
  `where set on inner left join order limit offset for values select returning default
  right full cross natural using group having window union intersect except fetch tablesample`.split(/\s+/),
)

const parseTable = (reader: TokenReader): { readonly table: string; readonly alias: string } => {
  const table = reader.identifier()
  if (reader.accept('as')) return { table, alias: reader.identifier() }
  const { kind, text } = reader.peek()
  const isAlias = kind === 'quoted' || (kind === 'word' && !notAliases.has(text))
  return { table, alias: isAlias ? reader.identifier() : table }
}

const parseSelect = (reader: TokenReader): Select => {
  reader.expect('select')
  const items = reader.isAt('from') ? [] : parseItems(reader)
  const sources = reader.accept('from') ? parseSources(reader) : []
  return {
    kind: 'select',
    items,
    sources,
    where: parseWhere(reader),
    order: reader.accept('order', 'by') ? reader.list(() => parseOrder(reader)) : [],
    limit: reader.accept('limit') ? parseExpression(reader) : undefined,
    offset: reader.accept('offset') ? parseExpression(reader) : undefined,
    locking: reader.accept('for') ? parseLocking(reader) : undefined,
  }
}

const parseItems = (reader: TokenReader): readonly Item[] => reader.list(() => parseItem(reader))

const parseItem = (reader: TokenReader): Item => {
  if (reader.accept('*')) return { kind: 'all', table: undefined }
  if (reader.peek(1).text === '.' && reader.peek(2).text === '*') {
    const table = reader.identifier()
    reader.expect('.', '*')
    return { kind: 'all', table }
  }
  const of = parseExpression(reader)
  return { kind: 'one', of, name: reader.accept('as') ? reader.identifier() : nameOf(of) }
}

const nameOf = (of: Expression): string => {
  if (of.kind === 'column') return of.column
  return of.kind === 'call' || of.kind === 'aggregate' ? of.name : '?column?'
}

const parseSources = (reader: TokenReader): readonly Source[] => {
  const sources: Source[] = reader
    .list(() => ({ ...parseTable(reader), join: 'inner' as const, on: undefined }))
    .slice()
  for (;;) {
    const isLeft = reader.accept('left', 'join') || reader.accept('left', 'outer', 'join')
    if (!isLeft && !reader.accept('inner', 'join') && !reader.accept('join')) return sources
    const table = parseTable(reader)
    reader.expect('on')
    sources.push({ ...table, join: isLeft ? 'left' : 'inner', on: parseExpression(reader) })
  }
}

const parseWhere = (reader: TokenReader): Expression | undefined =>
  reader.accept('where') ? parseExpression(reader) : undefined

const parseOrder = (reader: TokenReader): Order => {
  const by = parseExpression(reader)
  const isDescending = reader.accept('desc')
  if (!isDescending) reader.accept('asc')
  if (!reader.accept('nulls')) return { by, isDescending, areNullsFirst: isDescending }
  const areNullsFirst = reader.accept('first')
  if (!areNullsFirst) reader.expect('last')
  return { by, isDescending, areNullsFirst }
}

const parseLocking = (reader: TokenReader): Locking => {
  const mode = parseLockMode(reader)
  const of = reader.accept('of') ? reader.list(() => reader.identifier()) : undefined
  if (reader.accept('skip', 'locked')) return { mode, of, met: 'skip' }
  return { mode, of, met: reader.accept('nowait') ? 'fail' : 'wait' }
}

const parseLockMode = (reader: TokenReader): Locking['mode'] => {
  if (reader.accept('update')) return 'update'
  if (reader.accept('share')) return 'share'
  if (reader.accept('key', 'share')) return 'key share'
  reader.expect('no', 'key', 'update')
  return 'no key update'
}

const parseReturning = (reader: TokenReader): readonly Item[] => (reader.accept('returning') ? parseItems(reader) : [])

const parseValue = (reader: TokenReader): Expression | undefined =>
  reader.accept('default') ? undefined : parseExpression(reader)

const parseAssignments = (reader: TokenReader): readonly Assignment[] =>
  reader.list(() => {
    const column = reader.identifier()
    reader.expect('=')
    return { column, value: parseValue(reader) }
  })

const parseInsert = (reader: TokenReader): Insert => {
  const { table, alias } = parseTable(reader)
  const columns = reader.isAt('(') ? reader.identifiers() : undefined
  return {
    kind: 'insert',
    table,
    alias,
    ...parseValues(reader, columns),
    onConflict: reader.accept('on', 'conflict') ? parseOnConflict(reader) : undefined,
    returning: parseReturning(reader),
  }
}

const parseValues = (reader: TokenReader, columns: Insert['columns']): Pick<Insert, 'columns' | 'values'> => {
  if (reader.accept('default', 'values')) return { columns: [], values: [[]] }
  if (reader.isAt('select')) return { columns, values: parseSelect(reader) }
  reader.expect('values')
  return { columns, values: reader.list(() => reader.parenthesized(() => reader.list(() => parseValue(reader)))) }
}

const parseOnConflict = (reader: TokenReader): OnConflict => {
  const target = parseTarget(reader)
  if (reader.accept('do', 'nothing')) return { target, update: undefined }
  reader.expect('do', 'update', 'set')
  const set = parseAssignments(reader)
  return { target, update: { set, where: parseWhere(reader) } }
}

const parseTarget = (reader: TokenReader): OnConflict['target'] => {
  if (reader.accept('on', 'constraint')) return { kind: 'constraint', name: reader.identifier() }
  if (!reader.isAt('(')) return { kind: 'any' }
  return { kind: 'columns', columns: reader.identifiers(), where: parseWhere(reader) }
}

const parseUpdate = (reader: TokenReader): Update => {
  const table = parseTable(reader)
  reader.expect('set')
  const set = parseAssignments(reader)
  return { kind: 'update', ...table, set, where: parseWhere(reader), returning: parseReturning(reader) }
}

const parseDelete = (reader: TokenReader): Delete => {
  const table = parseTable(reader)
  return { kind: 'delete', ...table, where: parseWhere(reader), returning: parseReturning(reader) }
}

/** With PostgreSQL's precedence: or, and, not, is, comparison, in and like, other operators, + -, * /, ::. */
export const parseExpression = (reader: TokenReader): Expression => {
  let left = parseAnd(reader)
  while (reader.accept('or')) left = { kind: 'or', left, right: parseAnd(reader) }
  return left
}

const parseAnd = (reader: TokenReader): Expression => {
  let left = parseNot(reader)
  while (reader.accept('and')) left = { kind: 'and', left, right: parseNot(reader) }
  return left
}

const parseNot = (reader: TokenReader): Expression =>
  reader.accept('not') ? negated(parseNot(reader)) : parseIs(reader)

const negated = (of: Expression, isNegated = true): Expression => (isNegated ? { kind: 'not', of } : of)

const parseIs = (reader: TokenReader): Expression => {
  let left = parseComparison(reader)
  while (reader.accept('is')) {
    const isNegated = reader.accept('not')
    // `is distinct from` is the negation of `same`.
    if (reader.accept('distinct', 'from'))
      left = negated({ kind: 'same', left, right: parseComparison(reader) }, !isNegated)
    else left = negated({ kind: 'same', left, right: parsePrimary(reader) }, isNegated)
  }
  return left
}

const comparisons: Readonly<Record<string, Comparison>> = {
  '=': '=',
  '<>': '<>',
  '!=': '<>',
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
}

const parseComparison = (reader: TokenReader): Expression => {
  const left = parseMembership(reader)
  const { kind, text } = reader.peek()
  const operator = kind === 'symbol' ? comparisons[text] : undefined
  if (operator === undefined) return left
  reader.next()
  return { kind: 'comparison', operator, left, right: parseMembership(reader) }
}

const parseMembership = (reader: TokenReader): Expression => {
  const left = parseOther(reader)
  const isNegated = reader.isAt('not', 'in') || reader.isAt('not', 'like')
  if (isNegated) reader.next()
  if (reader.accept('like')) return negated({ kind: 'like', left, right: parseOther(reader) }, isNegated)
  if (!reader.accept('in')) return left
  const options = reader.parenthesized(() =>
    reader.isAt('select') ? parseSelect(reader) : reader.list(() => parseExpression(reader)),
  )
  return negated({ kind: 'in', of: left, options }, isNegated)
}

const parseOther = (reader: TokenReader): Expression => {
  let left = parseSum(reader)
  for (;;) {
    if (reader.accept('->>')) left = { kind: 'field text', left, right: parseSum(reader) }
    else if (reader.accept('->')) left = { kind: 'field', left, right: parseSum(reader) }
    else if (reader.accept('||')) left = { kind: 'concatenation', left, right: parseSum(reader) }
    else return left
  }
}

const parseSum = (reader: TokenReader): Expression => {
  let left = parseProduct(reader)
  for (;;) {
    if (reader.accept('+')) left = { kind: 'arithmetic', operator: '+', left, right: parseProduct(reader) }
    else if (reader.accept('-')) left = { kind: 'arithmetic', operator: '-', left, right: parseProduct(reader) }
    else return left
  }
}

const parseProduct = (reader: TokenReader): Expression => {
  let left = parseUnary(reader)
  for (;;) {
    if (reader.accept('*')) left = { kind: 'arithmetic', operator: '*', left, right: parseUnary(reader) }
    else if (reader.accept('/')) left = { kind: 'arithmetic', operator: '/', left, right: parseUnary(reader) }
    else return left
  }
}

const parseUnary = (reader: TokenReader): Expression => {
  if (reader.accept('-')) return { kind: 'negative', of: parseUnary(reader) }
  let of = parsePrimary(reader)
  while (reader.accept('::')) of = { kind: 'cast', of, type: parseType(reader) }
  return of
}

/** A type of one or more words. A length is ignored. */
export const parseType = (reader: TokenReader): ColumnType => {
  let name = reader.identifier()
  for (const further of ['precision', 'varying']) if (reader.accept(further)) name += ` ${further}`
  if (reader.accept('(')) {
    reader.next()
    reader.expect(')')
  }
  const type = columnTypeOf(name)
  if (type === undefined) throw unsupported(`the type ${name}`)
  return type
}

const parsePrimary = (reader: TokenReader): Expression => {
  const { kind, text } = reader.peek()
  if (kind === 'text' || kind === 'number') {
    reader.next()
    return { kind: 'value', value: kind === 'text' ? text : Number(text) }
  }
  if (kind === 'parameter') {
    reader.next()
    return { kind: 'parameter', index: Number(text) - 1 }
  }
  if (reader.accept('null')) return { kind: 'value', value: null }
  if (reader.accept('true')) return { kind: 'value', value: true }
  if (reader.accept('false')) return { kind: 'value', value: false }
  if (reader.accept('exists')) return { kind: 'exists', query: reader.parenthesized(() => parseSelect(reader)) }
  if (reader.isAt('cast', '(')) {
    reader.next()
    return reader.parenthesized(() => {
      const of = parseExpression(reader)
      reader.expect('as')
      return { kind: 'cast', of, type: parseType(reader) }
    })
  }
  if (reader.isAt('(')) {
    return reader.parenthesized(() =>
      reader.isAt('select') ? { kind: 'subquery', query: parseSelect(reader) } : parseExpression(reader),
    )
  }
  const name = reader.identifier()
  if (reader.isAt('(')) return parseCall(reader, name)
  if (reader.accept('.')) return { kind: 'column', table: name, column: reader.identifier() }
  return { kind: 'column', table: undefined, column: name }
}

const isAggregate = (name: string): name is AggregateName => aggregateNames.some((one) => one === name)

const parseCall = (reader: TokenReader, name: string): Expression => {
  const parameters = reader.parenthesized(() =>
    reader.accept('*') || reader.isAt(')') ? [] : reader.list(() => parseExpression(reader)),
  )
  if (!isAggregate(name)) return { kind: 'call', name, arguments: parameters }
  const isWindow = reader.accept('over', '(', ')')
  return { kind: 'aggregate', name, of: parameters[0], isWindow }
}
