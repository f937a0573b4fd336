/** What the command says of many schedules. */
import { describe, expect, it } from 'vitest'
import { failpoints, neverDone, neverReached, unreached } from './coverage.ts'
import { nextSeed, sumOf } from './sittings.ts'

describe('a report', () => {
  it('names verbs that were begun and never done, and those that never began', () => {
    const ends = new Map([
      ['sign: done', 3],
      ['refresh: ApiError', 9],
      ['guess: done', 1],
      ['replay: gone', 1],
      ['abandoned setup: gone', 1],
    ])

    expect(neverDone(ends)).toEqual(expect.arrayContaining(['keygen', 'pay', 'refresh', 'replay']))
    expect(neverDone(ends)).not.toContain('sign')
    expect(neverDone(ends)).not.toContain('guess')
    expect(neverDone(ends)).not.toContain('abandoned setup')
  })

  it('knows the failpoints of the sources, and names those that no schedule reached', () => {
    expect(failpoints()).toEqual(
      expect.arrayContaining([
        'sign.claim.before',
        'confirm.commit.within',
        'recovery.finish.within',
        'ack.mark.after',
      ]),
    )
    const reached = new Map(failpoints().map((name) => [`${name} | wallet ACTIVE | | `, 1]))
    expect(neverReached(reached)).toEqual([])
    reached.delete('ack.before | wallet ACTIVE | | ')
    reached.delete('sign.broadcast.after | wallet ACTIVE | | ')
    expect(neverReached(reached)).toEqual(['ack.before', 'sign.broadcast.after'])
    expect(unreached(new Map([...reached, ['killed at ack.within | wallet ACTIVE | | ', 1]]))).not.toContain(
      'ack.within',
    )
    expect(unreached(reached)).toContain('ack.within')
  })

  it('adds sittings up, and goes on after the last', () => {
    const sitting = { commit: 'abc', family: 'all', violations: 0, differing: 0, pairs: 9 }
    const sittings = [
      { ...sitting, first: 1, seeds: 500 },
      { ...sitting, first: 501, seeds: 250, violations: 1, differing: 2 },
    ]

    expect(nextSeed([])).toBe(1)
    expect(nextSeed(sittings)).toBe(751)
    expect(sumOf(sittings)).toEqual({ seeds: 750, failed: 3 })
  })
})
