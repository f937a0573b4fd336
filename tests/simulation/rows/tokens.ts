/** Splits statements into tokens. Unquoted words are folded to lower case. */
import { DatabaseError } from './DatabaseError.ts'

export type Token = {
  readonly kind: 'word' | 'quoted' | 'text' | 'number' | 'parameter' | 'symbol' | 'end'
  readonly text: string
}

const pattern =
  /(?<space>\s+|--[^\n]*)|"(?<quoted>(?:[^"]|"")*)"|'(?<text>(?:[^']|'')*)'|\$(?<parameter>\d+)|(?<number>\d+(?:\.\d+)?)|(?<word>[a-zA-Z_]\w*)|(?<symbol>->>|->|<=|>=|<>|!=|::|\|\||[-+*/(),.;=<>])/y

const tokensOf = (text: string): readonly Token[] => {
  const tokens: Token[] = []
  pattern.lastIndex = 0
  while (pattern.lastIndex < text.length) {
    const from = pattern.lastIndex
    const groups = pattern.exec(text)?.groups
    if (groups === undefined)
      throw new DatabaseError('42601', `syntax error at '${text.slice(from, from + 30)}' in '${text}'`)
    const token = tokenOf(groups)
    if (token !== undefined) tokens.push(token)
  }
  return tokens
}

const tokenOf = (groups: Readonly<Record<string, string | undefined>>): Token | undefined => {
  const { space, quoted, text, parameter, number, word, symbol } = groups
  if (space !== undefined) return undefined
  if (quoted !== undefined) return { kind: 'quoted', text: quoted.replaceAll('""', '"') }
  if (text !== undefined) return { kind: 'text', text: text.replaceAll("''", "'") }
  if (parameter !== undefined) return { kind: 'parameter', text: parameter }
  if (number !== undefined) return { kind: 'number', text: number }
  if (word !== undefined) return { kind: 'word', text: word.toLowerCase() }
  return { kind: 'symbol', text: symbol ?? '' }
}

const end: Token = { kind: 'end', text: 'the end' }

/** A cursor over the tokens of a statement. */
export class TokenReader {
  readonly #tokens: readonly Token[]
  readonly #statement: string
  #at = 0

  constructor(statement: string) {
    this.#statement = statement
    this.#tokens = tokensOf(statement)
  }

  peek(ahead = 0): Token {
    return this.#tokens[this.#at + ahead] ?? end
  }

  next(): Token {
    const token = this.peek()
    this.#at++
    return token
  }

  isAt(...words: readonly string[]): boolean {
    return words.every((word, ahead) => {
      const { kind, text } = this.peek(ahead)
      return text === word && (kind === 'word' || kind === 'symbol')
    })
  }

  /** Reads the words if they come next, and tells whether they did. */
  accept(...words: readonly string[]): boolean {
    const isAt = this.isAt(...words)
    if (isAt) this.#at += words.length
    return isAt
  }

  expect(...words: readonly string[]): void {
    if (!this.accept(...words)) throw this.wrong(`'${words.join(' ')}'`)
  }

  expectEnd(): void {
    this.accept(';')
    if (this.peek() !== end) throw this.wrong('the end')
  }

  identifier(): string {
    const { kind, text } = this.peek()
    if (kind !== 'word' && kind !== 'quoted') throw this.wrong('a name')
    this.#at++
    return text
  }

  /** Names in parentheses. */
  identifiers(): readonly string[] {
    return this.parenthesized(() => this.list(() => this.identifier()))
  }

  list<A>(read: () => A): readonly A[] {
    const all = [read()]
    while (this.accept(',')) all.push(read())
    return all
  }

  parenthesized<A>(read: () => A): A {
    this.expect('(')
    const value = read()
    this.expect(')')
    return value
  }

  wrong(expected: string): DatabaseError {
    return new DatabaseError('42601', `expected ${expected} and met '${this.peek().text}' in '${this.#statement}'`)
  }
}
