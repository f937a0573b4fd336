/** Definitions of tables: columns, keys, checks and foreign keys, from `create`, `alter` and `drop` statements. */
import { DatabaseError, unsupported } from './DatabaseError.ts'
import { parseExpression, parseType } from './parser.ts'
import type { Expression } from './syntax.ts'
import { TokenReader } from './tokens.ts'
import type { ColumnType } from './values.ts'

export type Column = {
  readonly name: string
  readonly type: ColumnType
  readonly isNullable: boolean
  readonly byDefault: Expression | undefined
}

/** A unique key over the rows for which `where` is true. */
export type Key = {
  readonly name: string
  readonly columns: readonly string[]
  readonly where: Expression | undefined
  readonly isPrimary: boolean
}

export type Check = { readonly name: string; readonly condition: Expression }

export type Reference = {
  readonly name: string
  readonly columns: readonly string[]
  readonly parent: string
  readonly parentColumns: readonly string[]
  readonly onDelete: 'cascade' | 'set null' | 'nothing'
}

export type Shape = {
  readonly name: string
  readonly columns: readonly Column[]
  readonly keys: readonly Key[]
  readonly checks: readonly Check[]
  readonly references: readonly Reference[]
  /** Indexes that are not unique, by their first column. */
  readonly indexes: readonly { readonly name: string; readonly column: string }[]
}

export type Shapes = ReadonlyMap<string, Shape>

/** Applies a statement of data definition. Other statements change nothing. */
export const define = (shapes: Shapes, text: string): Shapes => {
  if (!isDefinition(text)) return shapes
  const reader = new TokenReader(text)
  if (reader.accept('create', 'table')) return createTable(shapes, reader)
  if (reader.isAt('create', 'index') || reader.isAt('create', 'unique')) return createIndex(shapes, reader)
  if (reader.accept('alter', 'table')) return alterTable(shapes, reader)
  if (reader.accept('drop', 'table')) return dropTable(shapes, reader)
  if (reader.accept('drop', 'index')) return dropIndex(shapes, reader)
  throw unsupported(`'${reader.peek().text} ${reader.peek(1).text}'`)
}

export const isDefinition = (text: string): boolean => /^\s*(?:create|alter|drop)\s/i.test(text)

const withShape = (shapes: Shapes, shape: Shape): Shapes => new Map(shapes).set(shape.name, shape)

export const shapeOf = (shapes: Shapes, table: string): Shape => {
  const shape = shapes.get(table)
  if (shape === undefined) throw new DatabaseError('42P01', `relation "${table}" does not exist`, { table })
  return shape
}

const createTable = (shapes: Shapes, reader: TokenReader): Shapes => {
  const isOptional = reader.accept('if', 'not', 'exists')
  const name = reader.identifier()
  if (shapes.has(name)) {
    if (isOptional) return shapes
    throw new DatabaseError('42P07', `relation "${name}" already exists`, { table: name })
  }
  const empty: Shape = { name, columns: [], keys: [], checks: [], references: [], indexes: [] }
  const parts = reader.parenthesized(() => reader.list(() => parsePart(reader, shapes)))
  reader.expectEnd()
  return withShape(shapes, applied(parts, empty))
}

/** The effect of one part of a definition. */
type Change = (shape: Shape) => Shape

const applied = (changes: readonly Change[], shape: Shape): Shape =>
  changes.reduce<Shape>((changed, change) => change(changed), shape)

const parsePart = (reader: TokenReader, shapes: Shapes): Change =>
  isAtConstraint(reader) ? parseConstraint(reader, shapes) : parseColumn(reader, shapes)

const isAtConstraint = (reader: TokenReader): boolean =>
  [['constraint'], ['primary', 'key'], ['unique'], ['check'], ['foreign', 'key']].some((words) => reader.isAt(...words))

const parseConstraint = (reader: TokenReader, shapes: Shapes): Change => {
  const name = reader.accept('constraint') ? reader.identifier() : undefined
  if (reader.accept('primary', 'key')) return addKey({ name, columns: reader.identifiers(), isPrimary: true })
  if (reader.accept('unique')) return addKey({ name, columns: reader.identifiers(), isPrimary: false })
  if (reader.accept('check'))
    return addCheck(
      name,
      reader.parenthesized(() => parseExpression(reader)),
    )
  reader.expect('foreign', 'key')
  const columns = reader.identifiers()
  reader.expect('references')
  return parseReference(reader, shapes, name, columns)
}

const parseColumn = (reader: TokenReader, shapes: Shapes): Change => {
  const name = reader.identifier()
  const type = parseType(reader)
  const changes: Change[] = []
  let [isNullable, byDefault]: [boolean, Expression | undefined] = [true, undefined]
  for (;;) {
    if (reader.accept('not', 'null')) isNullable = false
    else if (reader.accept('null')) isNullable = true
    else if (reader.accept('default')) byDefault = parseExpression(reader)
    else if (reader.accept('primary', 'key'))
      changes.push(addKey({ name: undefined, columns: [name], isPrimary: true }))
    else if (reader.accept('unique')) changes.push(addKey({ name: undefined, columns: [name], isPrimary: false }))
    else if (reader.accept('check'))
      changes.push(
        addCheck(
          undefined,
          reader.parenthesized(() => parseExpression(reader)),
        ),
      )
    else if (reader.accept('references')) changes.push(parseReference(reader, shapes, undefined, [name]))
    else break
  }
  const column: Column = { name, type, isNullable, byDefault }
  return (shape) => applied(changes, { ...shape, columns: [...shape.columns, column] })
}

const parseReference = (
  reader: TokenReader,
  shapes: Shapes,
  name: string | undefined,
  columns: readonly string[],
): Change => {
  const parent = reader.identifier()
  const named = reader.isAt('(') ? reader.identifiers() : undefined
  const onDelete = parseOnDelete(reader)
  return (shape) => {
    const parentColumns = named ?? shapeOf(shapes, parent).keys.find(({ isPrimary }) => isPrimary)?.columns
    if (parentColumns?.length !== columns.length) throw new DatabaseError('42830', `no key of ${parent} to refer to`)
    const reference = { name: name ?? nameFor(shape, columns, 'fkey'), columns, parent, parentColumns, onDelete }
    return { ...shape, references: [...shape.references, reference] }
  }
}

const parseOnDelete = (reader: TokenReader): Reference['onDelete'] => {
  if (!reader.accept('on', 'delete')) return 'nothing'
  if (reader.accept('cascade')) return 'cascade'
  if (reader.accept('set', 'null')) return 'set null'
  if (!reader.accept('restrict')) reader.expect('no', 'action')
  return 'nothing'
}

/** The name that PostgreSQL chooses: table, columns and kind, with a number if that is taken. */
const nameFor = (shape: Shape, columns: readonly string[], kind: 'key' | 'fkey' | 'check' | 'pkey'): string => {
  const name = [shape.name, ...(kind === 'pkey' ? [] : columns), kind].join('_')
  const taken = new Set([...shape.keys, ...shape.checks, ...shape.references].map((one) => one.name))
  for (let count = 0; ; count++) {
    const numbered = count === 0 ? name : `${name}${count}`
    if (!taken.has(numbered)) return numbered
  }
}

const addKey =
  ({
    name,
    columns,
    isPrimary,
  }: {
    readonly name: string | undefined
    readonly columns: readonly string[]
    readonly isPrimary: boolean
  }): Change =>
  (shape) => {
    const key = {
      name: name ?? nameFor(shape, columns, isPrimary ? 'pkey' : 'key'),
      columns,
      where: undefined,
      isPrimary,
    }
    const required = shape.columns.map((one) =>
      isPrimary && columns.includes(one.name) ? { ...one, isNullable: false } : one,
    )
    return { ...shape, columns: required, keys: [...shape.keys, key] }
  }

/** The name of a check contains the column if it uses exactly one. */
const addCheck =
  (name: string | undefined, condition: Expression): Change =>
  (shape) => {
    const columns = columnsIn(condition)
    const check = { name: name ?? nameFor(shape, columns.length === 1 ? columns : [], 'check'), condition }
    return { ...shape, checks: [...shape.checks, check] }
  }

/** The distinct columns in an expression over one row. */
const columnsIn = (expression: Expression): readonly string[] => {
  const found = new Set<string>()
  const visit = (one: Expression): void => {
    if (one.kind === 'column') found.add(one.column)
    if ('left' in one) [one.left, one.right].forEach(visit)
    if ('of' in one && one.of !== undefined) visit(one.of)
    if ('arguments' in one) one.arguments.forEach(visit)
    if (one.kind === 'in') optionsOf(one).forEach(visit)
    if ('query' in one) throw unsupported('a subquery in a definition')
  }
  visit(expression)
  return [...found]
}

const optionsOf = ({ options }: Extract<Expression, { readonly kind: 'in' }>): readonly Expression[] => {
  if ('kind' in options) throw unsupported('a subquery in a definition')
  return options
}

const createIndex = (shapes: Shapes, reader: TokenReader): Shapes => {
  reader.expect('create')
  const isUnique = reader.accept('unique')
  reader.expect('index')
  reader.accept('if', 'not', 'exists')
  const name = reader.identifier()
  reader.expect('on')
  const shape = shapeOf(shapes, reader.identifier())
  const columns = reader.identifiers()
  const where = reader.accept('where') ? parseExpression(reader) : undefined
  reader.expectEnd()
  if (isUnique)
    return withShape(shapes, { ...shape, keys: [...shape.keys, { name, columns, where, isPrimary: false }] })
  return withShape(shapes, { ...shape, indexes: [...shape.indexes, { name, column: columns[0] ?? '' }] })
}

const dropIndex = (shapes: Shapes, reader: TokenReader): Shapes => {
  reader.accept('if', 'exists')
  const name = reader.identifier()
  reader.expectEnd()
  const remains = (one: { readonly name: string }) => one.name !== name
  return new Map(
    [...shapes].map(([table, shape]) => [
      table,
      { ...shape, keys: shape.keys.filter(remains), indexes: shape.indexes.filter(remains) },
    ]),
  )
}

const dropTable = (shapes: Shapes, reader: TokenReader): Shapes => {
  const isOptional = reader.accept('if', 'exists')
  const name = reader.identifier()
  if (!isOptional) shapeOf(shapes, name)
  reader.expectEnd()
  const left = new Map(shapes)
  left.delete(name)
  return left
}

const alterTable = (shapes: Shapes, reader: TokenReader): Shapes => {
  const shape = shapeOf(shapes, reader.identifier())
  const changes = reader.list(() => parseAction(reader, shapes))
  reader.expectEnd()
  return withShape(shapes, applied(changes, shape))
}

const parseAction = (reader: TokenReader, shapes: Shapes): Change => {
  if (reader.accept('add')) {
    if (isAtConstraint(reader)) return parseConstraint(reader, shapes)
    reader.accept('column')
    return parseColumn(reader, shapes)
  }
  if (reader.accept('drop', 'constraint')) return dropConstraint(reader.identifier())
  if (reader.accept('drop', 'column') || reader.accept('drop')) return dropColumn(reader.identifier())
  if (reader.accept('alter', 'column') || reader.accept('alter')) return parseColumnChange(reader)
  throw unsupported(`'alter table ... ${reader.peek().text}'`)
}

const dropConstraint =
  (name: string): Change =>
  (shape) => {
    const remains = (one: { readonly name: string }) => one.name !== name
    const left = {
      ...shape,
      keys: shape.keys.filter(remains),
      checks: shape.checks.filter(remains),
      references: shape.references.filter(remains),
    }
    const count = ({ keys, checks, references }: Shape) => keys.length + checks.length + references.length
    if (count(left) === count(shape))
      throw new DatabaseError('42704', `constraint "${name}" of relation "${shape.name}" does not exist`)
    return left
  }

/** Drops the constraints that use the column, too. */
const dropColumn =
  (name: string): Change =>
  (shape) => {
    const remains = ({ columns }: { readonly columns: readonly string[] }) => !columns.includes(name)
    return {
      ...shape,
      columns: shape.columns.filter((column) => column.name !== name),
      keys: shape.keys.filter(
        (key) => remains(key) && (key.where === undefined || !columnsIn(key.where).includes(name)),
      ),
      checks: shape.checks.filter(({ condition }) => !columnsIn(condition).includes(name)),
      references: shape.references.filter(remains),
      indexes: shape.indexes.filter(({ column }) => column !== name),
    }
  }

const parseColumnChange = (reader: TokenReader): Change => {
  const name = reader.identifier()
  const change = parseColumnPart(reader)
  return (shape) => ({
    ...shape,
    columns: shape.columns.map((one) => (one.name === name ? { ...one, ...change } : one)),
  })
}

const parseColumnPart = (reader: TokenReader): Partial<Column> => {
  if (reader.accept('set', 'not', 'null')) return { isNullable: false }
  if (reader.accept('drop', 'not', 'null')) return { isNullable: true }
  if (reader.accept('drop', 'default')) return { byDefault: undefined }
  if (reader.accept('set', 'default')) return { byDefault: parseExpression(reader) }
  throw unsupported(`'alter column ... ${reader.peek().text} ${reader.peek(1).text}'`)
}
