/**
 * Which statements of a migration are more than an expansion (CONTRIBUTING.md#a-migration): the version before might not read
 * or write what they leave. What is not known here counts as one.
 */
import type { Migration } from 'kysely/migration'
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'

/** As a migration runs them, without a database. */
export const statementsOf = async (migration: Migration): Promise<readonly string[]> => {
  const texts: string[] = []
  await migration.up(
    new Kysely({
      dialect: {
        createAdapter: () => new PostgresAdapter(),
        createDriver: () => new DummyDriver(),
        createIntrospector: (kysely) => new PostgresIntrospector(kysely),
        createQueryCompiler: () => new PostgresQueryCompiler(),
      },
      log: ({ query }) => {
        texts.push(query.sql)
      },
    }),
  )
  return texts
}

/** Of the statements of one migration; each in one line, without texts and with `…` for parentheses. */
export const notExpanding = (texts: readonly string[]): readonly string[] => {
  const all = texts.map(simplified)
  const made = all.flatMap((text) => /^create table (\S+)/.exec(text)?.[1] ?? [])
  const alterations = all.flatMap((text) => actionsOf(text) ?? [])
  const actions = alterations.flatMap((alteration) => alteration.actions)
  const added = alterations.flatMap((alteration) =>
    alteration.actions.map((action) => `${alteration.table}.${/^add column (\S+)/.exec(action)?.[1] ?? ''}`),
  )
  const isReplaced = (constraint: string) =>
    actions.includes(`drop constraint ${constraint}`) && actions.includes(`add constraint ${constraint} check …`)

  const isExpanding = (text: string): boolean => {
    // What it does depends on what it finds.
    if (/ if (?:not )?exists /.test(text)) return false
    const altered = actionsOf(text)
    if (altered !== undefined)
      return made.includes(altered.table) || altered.actions.every((action) => isExpandingAction(action))
    const [, unique, indexed = ''] = /^create (unique )?index \S+ on (\S+)/.exec(text) ?? []
    if (indexed !== '') return unique === undefined || made.includes(indexed)
    const [, filled, assignments = ''] = /^update (\S+) set (.+?)(?: (?:from|where) .*)?$/.exec(text) ?? []
    if (filled !== undefined)
      return assignments.split(',').every((one) => added.includes(`${filled}.${one.trim().split(' =', 1)[0]}`))
    return made.includes(/^(?:create table|insert into) (\S+)/.exec(text)?.[1] ?? '')
  }

  /** A check that is replaced has to allow what it allowed. */
  const isExpandingAction = (action: string): boolean => {
    if (/^add column /.test(action))
      return !/ (?:unique|primary key)/.test(action) && (!/ not null/.test(action) || / default /.test(action))
    return isReplaced(/^(?:add|drop) constraint (\S+)/.exec(action)?.[1] ?? '')
  }

  return all.filter((text) => !isExpanding(text))
}

const actionsOf = (text: string) => {
  const [, table, actions] = /^alter table (\S+) (.*)$/.exec(text) ?? []
  return table === undefined ? undefined : { table, actions: actions?.split(',').map((action) => action.trim()) ?? [] }
}

const simplified = (text: string): string =>
  withoutParentheses(
    text
      .trim()
      .replace(/\s+/g, ' ')
      .replace(/'[^']*'/g, "''")
      .toLowerCase(),
  )

/** From the innermost ones on. */
const withoutParentheses = (text: string): string => {
  const without = text.replace(/\([^()]*\)/g, '…')
  return without === text ? text : withoutParentheses(without)
}
