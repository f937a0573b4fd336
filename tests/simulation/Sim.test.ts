/** Decisions and random bytes depend on the seed and on their names alone: a schedule of the corpus outlives changes elsewhere. */
import { describe, expect, it } from 'vitest'
import { notPlain, shrink } from './shrink.ts'
import { Sim } from './Sim.ts'

const chosen = (sim: Sim, about: string, times = 20) => Array.from({ length: times }, () => sim.choose(1_000, about))

describe('a decision', () => {
  it('does not depend on what is decided about anything else, nor on the id of a run', () => {
    const [alone, among] = [new Sim({ seed: 7 }), new Sim({ seed: 7 })]
    const first = chosen(alone, 'A: SIGN 1 of 8bd3 arrives')

    const second = first.map((_, n) => {
      chosen(among, 'B dies before commit', n)
      return among.choose(1_000, `A: SIGN 1 of ${String(1000 + n)} arrives`)
    })

    expect(second).toEqual(first)
    expect(new Set(first).size).toBeGreaterThan(15)
  })

  it('is another one for each time, name and seed, and about as often each of its choices', () => {
    const tally = new Map<number, number>()
    for (let seed = 0; seed < 4_000; seed++) {
      const choice = new Sim({ seed }).choose(4, 'verb')
      tally.set(choice, (tally.get(choice) ?? 0) + 1)
    }

    const sim = new Sim({ seed: 7 })
    expect(chosen(sim, 'one')).not.toEqual(chosen(sim, 'other'))
    expect(chosen(sim, 'one')).not.toEqual(chosen(new Sim({ seed: 7 }), 'one'))
    expect([...tally.keys()].sort()).toEqual([0, 1, 2, 3])
    for (const count of tally.values()) expect(Math.abs(count - 1_000)).toBeLessThan(150)
  })

  it('is plain in a script that does not name it', () => {
    const sim = new Sim({ seed: 7, script: { 'verb #2': 3 } })

    expect(chosen(sim, 'verb', 3)).toEqual([0, 3, 0])
    expect(chosen(sim, 'another', 3)).toEqual([0, 0, 0])
    expect(sim.decisions).toEqual({ 'verb #2': 3 })
  })

  it('is left out of a schedule that fails without it', async () => {
    const decisions = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`decision #${n}`, 1]))
    const fails = (script: Readonly<Record<string, number>>) =>
      Promise.resolve('decision #3' in script && 'decision #31' in script)

    const { script, tries } = await shrink(decisions, fails)

    expect(script).toEqual({ 'decision #3': 1, 'decision #31': 1 })
    expect(notPlain(script)).toBe(2)
    expect(tries).toBeLessThan(40)
  })
})

describe('random bytes', () => {
  it('of one owner do not depend on those of another', () => {
    const [alone, among] = [new Sim({ seed: 7 }), new Sim({ seed: 7 })]
    const first = alone.bytesOf('laptop.1')(32)
    among.bytesOf('A')(100)

    expect(among.bytesOf('laptop.1')(32)).toEqual(first)
    expect(among.bytesOf('laptop.1')(32)).not.toEqual(first)
    expect(among.bytesOf('phone.1')(32)).not.toEqual(first)
    expect(new Sim({ seed: 8 }).bytesOf('laptop.1')(32)).not.toEqual(first)
  })
})
