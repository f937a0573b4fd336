/**
 * `npm run bench`: figures of this machine, now. Suites by name (`npm run bench -- mpc`), all without one; `--json`
 * prints one object `{"rows":[…]}`. Speed is never tested, only shown, with the cost of one variable-base
 * multiplication by noble in the same run as its unit. What an app downloads has budgets: it fails above them. What is going on meanwhile is said on stderr. `service` takes
 * `--seconds=30` for each scheme, and measures memory with `--minutes=10`.
 */
import { printRows, type Figures } from './rows.ts'

/** `--name=NUMBER` */
const numberOf = (name: string, usual: number): number =>
  Number(process.argv.find((argument) => argument.startsWith(`--${name}=`))?.split('=')[1] ?? usual)

/** Each is loaded when it is its turn: not every one needs a bundler and a browser. */
const suites: Readonly<Record<string, () => Promise<readonly Figures[]>>> = {
  mpc: async () => (await import('./mpc.ts')).mpc(),
  timing: async () => (await import('./timing.ts')).timing(),
  size: async () => (await import('./size.ts')).size(),
  browser: async () => (await import('./browser.ts')).browser(),
  claims: async () => (await import('./claims.ts')).claims(),
  model: async () => (await import('./model.ts')).model(),
  database: async () => (await import('./database.ts')).database(),
  service: async () =>
    (await import('./service.ts')).service({ seconds: numberOf('seconds', 30), minutes: numberOf('minutes', 0) }),
}

const names = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const unknown = names.find((name) => suites[name] === undefined)
if (unknown !== undefined) {
  console.error(`There is no suite ${unknown}; there are: ${Object.keys(suites).join(', ')}.`)
  process.exit(1)
}

const chosen = names.length === 0 ? Object.keys(suites) : names
const rows: Figures[] = []
for (const name of chosen) rows.push(...((await suites[name]?.()) ?? []))
if (process.argv.includes('--json')) console.log(JSON.stringify({ rows }))
else printRows(rows)

const heavy = rows.filter(({ bytes = 0, budgetBytes = Infinity }) => bytes > budgetBytes)
for (const { suite, case: name, bytes = 0, budgetBytes = 0 } of heavy) {
  console.error(`${suite} ${name}: ${bytes - budgetBytes} bytes above the budget.`)
}
if (heavy.length > 0) process.exitCode = 1
