/** Syntax trees of the part of SQL that is implemented. */
import type { ColumnType } from './values.ts'

export type Comparison = '=' | '<>' | '<' | '<=' | '>' | '>='
export type Arithmetic = '+' | '-' | '*' | '/'

export type Expression =
  | { readonly kind: 'value'; readonly value: string | number | boolean | null }
  /** `index` counts from 0. */
  | { readonly kind: 'parameter'; readonly index: number }
  | { readonly kind: 'column'; readonly table: string | undefined; readonly column: string }
  | { readonly kind: 'not' | 'negative'; readonly of: Expression }
  | {
      readonly kind: 'and' | 'or' | 'like' | 'concatenation' | 'field' | 'field text'
      readonly left: Expression
      readonly right: Expression
    }
  | {
      readonly kind: 'comparison'
      readonly operator: Comparison
      readonly left: Expression
      readonly right: Expression
    }
  | {
      readonly kind: 'arithmetic'
      readonly operator: Arithmetic
      readonly left: Expression
      readonly right: Expression
    }
  /** `is null`, `is true`, `is not distinct from`: equal, where null equals null. */
  | { readonly kind: 'same'; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'in'; readonly of: Expression; readonly options: readonly Expression[] | Select }
  | { readonly kind: 'cast'; readonly of: Expression; readonly type: ColumnType }
  | { readonly kind: 'call'; readonly name: string; readonly arguments: readonly Expression[] }
  /** Without `of`: `count(*)`. A window is `over ()`. */
  | {
      readonly kind: 'aggregate'
      readonly name: AggregateName
      readonly of: Expression | undefined
      readonly isWindow: boolean
    }
  | { readonly kind: 'exists' | 'subquery'; readonly query: Select }

export const aggregateNames = ['count', 'max', 'min', 'sum'] as const
export type AggregateName = (typeof aggregateNames)[number]

export type Item =
  | { readonly kind: 'all'; readonly table: string | undefined }
  | { readonly kind: 'one'; readonly of: Expression; readonly name: string }

export type Source = {
  readonly table: string
  readonly alias: string
  readonly join: 'inner' | 'left'
  readonly on: Expression | undefined
}

export type Order = { readonly by: Expression; readonly isDescending: boolean; readonly areNullsFirst: boolean }

/** From weak to strong. Two modes conflict when their indexes add up to 3 or more (PostgreSQL's table of row-level locks). */
export const lockModes = ['key share', 'share', 'no key update', 'update'] as const
export type LockMode = (typeof lockModes)[number]

export type Locking = {
  readonly mode: LockMode
  readonly of: readonly string[] | undefined
  readonly met: 'wait' | 'skip' | 'fail'
}

export type Select = {
  readonly kind: 'select'
  readonly items: readonly Item[]
  readonly sources: readonly Source[]
  readonly where: Expression | undefined
  readonly order: readonly Order[]
  readonly limit: Expression | undefined
  readonly offset: Expression | undefined
  readonly locking: Locking | undefined
}

/** Without a value: the default of the column. */
export type Assignment = { readonly column: string; readonly value: Expression | undefined }

export type OnConflict = {
  readonly target:
    | { readonly kind: 'any' }
    | { readonly kind: 'constraint'; readonly name: string }
    | { readonly kind: 'columns'; readonly columns: readonly string[]; readonly where: Expression | undefined }
  /** Without it: `do nothing`. */
  readonly update: { readonly set: readonly Assignment[]; readonly where: Expression | undefined } | undefined
}

export type Insert = {
  readonly kind: 'insert'
  readonly table: string
  readonly alias: string
  /** Without them: all columns of the table. */
  readonly columns: readonly string[] | undefined
  readonly values: readonly (readonly (Expression | undefined)[])[] | Select
  readonly onConflict: OnConflict | undefined
  readonly returning: readonly Item[]
}

export type Update = {
  readonly kind: 'update'
  readonly table: string
  readonly alias: string
  readonly set: readonly Assignment[]
  readonly where: Expression | undefined
  readonly returning: readonly Item[]
}

export type Delete = {
  readonly kind: 'delete'
  readonly table: string
  readonly alias: string
  readonly where: Expression | undefined
  readonly returning: readonly Item[]
}

export type Change = Insert | Update | Delete

/** `with … as (insert …), … select`: the changes are made, and none of them is read by name. */
export type With = { readonly kind: 'with'; readonly changes: readonly Change[]; readonly query: Select }

/** `nothing`: settings, which have no effect here. */
export type Command = Select | Change | With | { readonly kind: 'nothing' }
