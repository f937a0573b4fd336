/**
 * `npm run bench`: figures of this machine, now. Suites by name (`npm run bench -- mpc`), all without one; `--json`
 * prints one object `{"rows":[…]}`. Speed is never tested, only shown, with the cost of one variable-base multiplication
 * by noble in the same run as its unit.
 */
import { printRows, type Row } from './rows.ts'
import { mpc } from './mpc.ts'
import { timing } from './timing.ts'

const suites: Readonly<Record<string, () => readonly Row[]>> = { mpc, timing }

const names = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const unknown = names.find((name) => suites[name] === undefined)
if (unknown !== undefined) {
  console.error(`There is no suite ${unknown}; there are: ${Object.keys(suites).join(', ')}.`)
  process.exit(1)
}

const chosen = names.length === 0 ? Object.keys(suites) : names
const rows = chosen.flatMap((name) => suites[name]?.() ?? [])
if (process.argv.includes('--json')) console.log(JSON.stringify({ rows }))
else printRows(rows)
