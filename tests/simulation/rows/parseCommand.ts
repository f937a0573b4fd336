/** Parses select, insert, update and delete. */
import { unsupported } from './DatabaseError.ts'
import { parseExpression } from './parseExpression.ts'
import type { Assignment, Command, Delete, Expression, Insert, Item, Locking, OnConflict, Order, Select, Source, Update } from './syntax.ts'
import { TokenReader } from './tokens.ts'

export const parseCommand = (text: string): Command => {
  const reader = new TokenReader(text)
  const command = read(reader)
  reader.expectEnd()
  return command
}

const read = (reader: TokenReader): Command => {
  if (reader.isAt('select')) return parseSelect(reader)
  if (reader.accept('insert', 'into')) return parseInsert(reader)
  if (reader.accept('update')) return parseUpdate(reader)
  if (reader.accept('delete', 'from')) return parseDelete(reader)
  if (reader.accept('set', 'local')) {
    while (reader.peek().kind !== 'end') reader.next()
    return { kind: 'nothing' }
  }
  throw unsupported(`a statement that begins with '${reader.peek().text}'`)
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

export const parseSelect = (reader: TokenReader): Select => {
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
  const sources: Source[] = reader.list(() => ({ ...parseTable(reader), join: 'inner' as const, on: undefined })).slice()
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
