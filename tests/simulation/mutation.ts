/** Takes a check out of the product while it is loaded, in a process that was started for that (`Player.start`). */
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { mutants, mutantVariable, mutate } from './mutants.ts'

const name = process.env[mutantVariable]
const mutant = mutants.find((one) => one.name === name)
if (name !== undefined && mutant === undefined) throw new Error(`there is no mutant ${name}`)

if (mutant !== undefined) {
  const root = new URL('../../', import.meta.url).href
  registerHooks({
    load: (url, context, next) => {
      const loaded = next(url, context)
      const edits = mutant.edits.filter(({ file }) => url === `${root}${file}`)
      return edits.length === 0
        ? loaded
        : { ...loaded, source: edits.reduce(mutate, readFileSync(new URL(url), 'utf8')) }
    },
  })
}
