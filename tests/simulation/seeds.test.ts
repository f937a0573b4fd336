/** The corpus, and the first seeds: what each of them means, `README.md` says. `npm run simulate` plays more. */
import { describe, expect, it } from 'vitest'
import { startChild } from '../kit/child.ts'
import { isLong, times } from '../kit/long.ts'

describe('the simulation', () => {
  it('violates no invariant in the corpus and in the first seeds', { timeout: 900_000 }, async () => {
    const seeds = String(times(200, 2_000))
    const run = startChild('tests/simulation/main.ts', {}, [
      '--corpus',
      '--seeds',
      seeds,
      '--cores',
      isLong ? '2' : '1',
    ])

    expect(await run.ended, run.said()).toBe(0)
    expect(run.said()).toMatch(new RegExp(`^${seeds} schedules, .*\\n0 violations\\s*$`, 'm'))
  })
})
