/** Parses expressions with PostgreSQL's precedence: or, and, not, is, comparison, in and like, other operators, + -, * /, ::. */
import { unsupported } from './DatabaseError.ts'
import { parseSelect } from './parseCommand.ts'
import { aggregateNames, type AggregateName, type Comparison, type Expression } from './syntax.ts'
import type { TokenReader } from './tokens.ts'
import { type ColumnType, columnTypeOf } from './values.ts'

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
    if (reader.accept('distinct', 'from')) left = negated({ kind: 'same', left, right: parseComparison(reader) }, !isNegated)
    else left = negated({ kind: 'same', left, right: parsePrimary(reader) }, isNegated)
  }
  return left
}

const comparisons: Readonly<Record<string, Comparison>> = { '=': '=', '<>': '<>', '!=': '<>', '<': '<', '<=': '<=', '>': '>', '>=': '>=' }

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
