/** What stands in a statement for the values that it gets later. */
import type { CompiledQuery } from 'kysely'

export const placeholdersOf = (names: readonly string[]): Readonly<Record<string, Placeholder>> =>
  Object.fromEntries(names.map((name) => [name, new Placeholder(name)]))

export const requireUsed = ({ parameters, sql }: CompiledQuery, placeholders: readonly Placeholder[]): void => {
  const unused = placeholders.find((placeholder) => !parameters.includes(placeholder))
  if (unused !== undefined) throw new Error(`${unused.name} is no parameter of ${sql}`)
}

/** Stands for a value while the statement is compiled. */
export class Placeholder {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }

  of(values: Readonly<Record<string, unknown>>): unknown {
    if (!(this.name in values)) throw new Error(`the statement has no value for ${this.name}`)
    return values[this.name]
  }
}
