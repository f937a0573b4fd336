import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { jwtLife } from '../../../domain/service/sessionJwts.ts'
import {
  needsNext,
  outdatedAt,
  signingAt,
  signingKeyLimits,
  type SigningKey,
} from '../../../domain/service/SigningKey.ts'
import { times } from '../../kit/long.ts'

const { published, signs, kept } = signingKeyLimits
const minute = 60_000

const keyOf = (number: number, signsFrom: number): SigningKey => ({
  number,
  signsFrom,
  kid: String(number),
  x: '',
  y: '',
  sealedPrivateKey: new Uint8Array(0),
})

it('publishes a key a day before it signs, and keeps it until its last JWT is over', () => {
  const [one, two] = [keyOf(1, 0), keyOf(2, signs)]

  expect(needsNext([], 5)).toBe(true)
  expect(needsNext([one], signs - published - 1)).toBe(false)
  expect(needsNext([one], signs - published)).toBe(true)
  expect(needsNext([one, two], signs)).toBe(false)
  expect(signingAt([one], -1)).toBe(one)
  expect(signingAt([one, two], signs - 1)).toBe(one)
  expect(signingAt([one, two], signs)).toBe(two)
  expect(outdatedAt([one, two], signs + kept - 1)).toEqual([])
  expect(outdatedAt([one, two], signs + kept)).toEqual([one])
  expect(kept).toBeGreaterThan(2 * jwtLife * 1000)
})

it('whenever upkeep runs: a JWT verifies as long as it lives, by a list that is up to a day old', () => {
  const pauses = fc.array(fc.integer({ min: 1, max: 40 * 24 * 60 }), { minLength: 1, maxLength: 40 })
  fc.assert(
    fc.property(pauses, (minutes) => {
      let keys: readonly SigningKey[] = []
      /** What was published, and since when. */
      const lists: { readonly at: number; readonly numbers: readonly number[] }[] = []
      let now = 0
      for (const pause of minutes) {
        const outdated = outdatedAt(keys, now)
        keys = keys.filter((key) => !outdated.includes(key))
        const newest = keys.at(-1)
        if (needsNext(keys, now))
          keys = [...keys, keyOf((newest?.number ?? 0) + 1, newest === undefined ? now : now + published)]
        lists.push({ at: now, numbers: keys.map(({ number }) => number) })
        for (const at of [now, now + pause * minute - 1]) {
          const signing = signingAt(keys, at)?.number
          // The oldest list that somebody may still have, but for those from before the first key.
          const cached = lists.findLast((list) => list.at <= at - published) ?? lists[0]
          expect(signing).toBeDefined()
          expect(cached?.numbers).toContain(signing)
        }
        now += pause * minute
        const gone = outdatedAt(keys, now)
        const last = signingAt(keys, now - jwtLife * 1000)
        expect(gone.map(({ number }) => number)).not.toContain(last?.number)
      }
    }),
    { numRuns: times(50, 1_000) },
  )
})
