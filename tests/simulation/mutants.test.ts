/** Checks of the product that the simulation must miss when they are taken out. `npm run simulate -- --mutants all` hunts for those whose lists are stale. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startChild } from '../kit/child.ts'
import { isLong } from '../kit/long.ts'
import { entries } from './corpus.ts'
import { mutants, mutate } from './mutants.ts'

const root = join(import.meta.dirname, '..', '..')

describe('the checks that the simulation guards', () => {
  it.each(mutants)('$name: is in the source, and has a schedule that fails without it', ({ name, edits }) => {
    for (const edit of edits) expect(() => mutate(readFileSync(join(root, edit.file), 'utf8'), edit)).not.toThrow()
    expect(entries().some(({ entry }) => entry.mutant === name)).toBe(true)
  })

  it('are reported as missing when they are removed', { timeout: 1_800_000 }, async () => {
    const [first] = mutants
    const [which, count] = isLong ? ['all', mutants.length] : [first?.name ?? '', 1]
    const run = startChild('tests/simulation/main.ts', {}, [
      '--mutants',
      which,
      '--seeds',
      '2000',
      '--cores',
      isLong ? '2' : '1',
    ])

    expect(await run.ended, run.said()).toBe(0)
    expect(run.said()).toContain(`${count} of ${count} mutants seen`)
  })
})
