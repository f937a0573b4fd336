/**
 * What `npm test` may cost, by folder, and what it cost. Nothing fails by the clock: seconds depend on the machine and on
 * what else it does. A folder that is over its budget on an idle machine of two cores has a test for the long run.
 */
export type Measured = { readonly file: string; readonly seconds: number; readonly tests: number }

/** Seconds of one of the two workers. */
const budgets: Readonly<Record<string, number>> = {
  'tests/adapters': 60,
  'tests/browser': 150,
  'tests/contract': 30,
  'tests/domain/client': 30,
  'tests/domain/crypto': 15,
  'tests/domain/model': 10,
  'tests/domain/service': 80,
  'tests/mpc': 60,
  'tests/ports': 25,
  'tests/react': 10,
  'tests/service': 100,
}

const folderOf = (file: string): string =>
  Object.keys(budgets).find((folder) => file.startsWith(`${folder}/`)) ?? file.split('/').slice(0, 2).join('/')

const row = (...[name, ...figures]: readonly string[]) => `${(name ?? '').padEnd(24)}${figures.map((one) => one.padStart(9)).join('')}`

/** Seconds and tests of each folder; the budget is that of `npm test`. */
export const costTable = (measured: readonly Measured[], isLong: boolean): string => {
  const folders = [...new Set(measured.map(({ file }) => folderOf(file)))].toSorted()
  const rows = folders.map((folder) => {
    const files = measured.filter(({ file }) => folderOf(file) === folder)
    const seconds = sum(files.map((one) => one.seconds))
    const budget = budgets[folder]
    const allowed = isLong || budget === undefined ? [] : [String(budget), ...(seconds > budget ? ['over'] : [])]
    return row(folder, String(files.length), String(sum(files.map(({ tests }) => tests))), seconds.toFixed(1), ...allowed)
  })
  return [row('folder', 'files', 'tests', 'seconds', ...(isLong ? [] : ['budget'])), ...rows].join('\n')
}

export const slowestFiles = (measured: readonly Measured[], count = 10): string => {
  const slowest = measured.toSorted((a, b) => b.seconds - a.seconds).slice(0, count)
  return ['the slowest files', ...slowest.map(({ file, seconds }) => `${seconds.toFixed(1).padStart(9)} s  ${file}`)].join('\n')
}

const sum = (figures: readonly number[]) => figures.reduce((total, one) => total + one, 0)
