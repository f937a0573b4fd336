/**
 * What `npm test` may cost, by folder, and what it cost. Nothing fails by the clock: seconds depend on the machine and on
 * what else it does. A folder that is over its budget on an idle machine of two cores has a test for the long run.
 */
import type { FileCost } from './costReporter.ts'

/** Seconds of one of the four workers. */
const budgets: Readonly<Record<string, number>> = {
  'tests/adapters': 75,
  'tests/bridges': 10,
  'tests/browser': 230,
  'tests/contract': 35,
  'tests/domain': 165,
  'tests/mpc': 95,
  'tests/ports': 28,
  'tests/react': 10,
  'tests/service': 235,
  'tests/simulation': 20,
}

const row = (...[name, ...figures]: readonly string[]) =>
  `${(name ?? '').padEnd(24)}${figures.map((one) => one.padStart(9)).join('')}`

/** Files, tests that ran and seconds of each folder; the budget is that of `npm test`. */
export const costTable = (costs: readonly FileCost[], isLong: boolean): string => {
  const folderOf = ({ file }: FileCost) => file.split('/').slice(0, 2).join('/')
  const folders = [...new Set(costs.map(folderOf))].toSorted()
  const rows = folders.map((folder) => {
    const files = costs.filter((one) => folderOf(one) === folder && one.passed + one.failed > 0)
    const [ran, seconds] = [
      sum(files.map(({ passed, failed }) => passed + failed)),
      sum(files.map((one) => one.seconds)),
    ]
    const budget = isLong ? undefined : budgets[folder]
    const allowed = budget === undefined ? [] : [String(budget), ...(seconds > budget ? ['over'] : [])]
    return row(folder, String(files.length), String(ran), seconds.toFixed(1), ...allowed)
  })
  return [row('folder', 'files', 'tests', 'seconds', ...(isLong ? [] : ['budget'])), ...rows].join('\n')
}

export const slowestFiles = (costs: readonly FileCost[], count = 10): string => {
  const slowest = costs.toSorted((a, b) => b.seconds - a.seconds).slice(0, count)
  return [
    'the slowest files',
    ...slowest.map(({ file, seconds }) => `${seconds.toFixed(1).padStart(9)} s  ${file}`),
  ].join('\n')
}

export const sum = (figures: readonly number[]): number => figures.reduce((total, one) => total + one, 0)
