/**
 * The ledger of long runs, `sittings.tsv`: a line for each, so that sittings on one state of the sources add up. Seeds that were
 * played on other sources say nothing about these.
 */
import { execFileSync } from 'node:child_process'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** `family`: what `--only` chose, or `all`. `pairs`: how many pairs of coverage were reached. */
export type Sitting = {
  readonly commit: string
  readonly family: string
  readonly first: number
  readonly seeds: number
  readonly violations: number
  readonly differing: number
  readonly pairs: number
}

const ledger = join(import.meta.dirname, 'sittings.tsv')
const columns = ['commit', 'family', 'first', 'seeds', 'violations', 'differing', 'pairs'] as const

const git = (...parameters: readonly string[]): string =>
  execFileSync('git', parameters, { cwd: import.meta.dirname, encoding: 'utf8' }).trim()

/** All files but those of which no schedule is made: documents, the tests beside the sources, pages, and the ledger itself. */
const sources = [
  ':/',
  ':(top,exclude,glob)**/*.md',
  ':(top,exclude,glob)**/*.test.ts',
  ...['react', 'tests/bench', 'tests/browser', 'tests/smoke'].map((folder) => `:(top,exclude)${folder}`),
  ':(top,exclude)tests/simulation/corpus',
  ':(top,exclude,glob)tests/simulation/sittings.*',
]

/**
 * The last commit that changed the sources. Throws where they are not as they were committed: nothing could say later what
 * was played.
 */
export const commitOfSources = (): string => {
  if (git('status', '--porcelain', '--', ...sources) !== '')
    throw new Error('a sitting is written down for a commit, and the sources are changed: commit them first')
  return git('log', '-1', '--format=%h', '--', ...sources)
}

const readSittings = (): readonly Sitting[] =>
  (existsSync(ledger) ? readFileSync(ledger, 'utf8').trim().split('\n').slice(1) : []).map((line) => {
    const [commit = '', family = '', ...numbers] = line.split('\t')
    const [first = 0, seeds = 0, violations = 0, differing = 0, pairs = 0] = numbers.map(Number)
    return { commit, family, first, seeds, violations, differing, pairs }
  })

export const sittingsOf = (commit: string, family: string): readonly Sitting[] =>
  readSittings().filter((sitting) => sitting.commit === commit && sitting.family === family)

/** The first seed that follows all sittings of the commit. */
export const nextSeed = (sittings: readonly Sitting[]): number =>
  Math.max(1, ...sittings.map(({ first, seeds }) => first + seeds))

export const writeSitting = (sitting: Sitting): void => {
  const head = existsSync(ledger) ? '' : `${columns.join('\t')}\n`
  appendFileSync(ledger, `${head}${columns.map((column) => sitting[column]).join('\t')}\n`)
}

/** How many seeds were played on one commit, and how many of them violated something or ran differently. */
export const sumOf = (sittings: readonly Sitting[]) => ({
  seeds: sittings.reduce((sum, { seeds }) => sum + seeds, 0),
  failed: sittings.reduce((sum, { violations, differing }) => sum + violations + differing, 0),
})
