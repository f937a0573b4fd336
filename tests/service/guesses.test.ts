/**
 * What a cheating device learns by many simultaneous guesses over HTTP: nothing beyond the verdicts up to the first failed check, neither from the answers nor from their times. The figures take many wallets:
 *
 *     TANDEM_GUESSES=200 npm run test:long -- tests/service/guesses.test.ts
 *
 * judges each figure by three standard errors, which chance alone exceeds once in 60 runs. Without it the long run judges them by
 * five, which still finds verdicts that can be read, and `npm test` looks at what is answered.
 */
import { expect, it } from 'vitest'
import { makeDatabaseUrl } from '../kit/database.ts'
import { casesOf, isLong, times } from '../kit/long.ts'
import { attack, byContent, byTime, type Accuracy } from './guessAttack.ts'

const asked = Number(process.env['TANDEM_GUESSES'] ?? 0)
const repetitions = asked > 0 ? asked : times(1, 8)
const errors = asked > 0 ? 3 : 5

const places = [
  { replicas: 1, threads: 1 },
  { replicas: 1, threads: 2 },
  { replicas: 2, threads: 1 },
]

it.each(casesOf(places, ({ replicas }) => replicas === 2))(
  'reveal no more than the first failed check: $replicas replicas, $threads threads each',
  async (place) => {
    const attacks = await attack({ ...place, databaseUrl: await makeDatabaseUrl(), guesses: 64, repetitions })
    const figures: Readonly<Record<string, Accuracy>> = { content: byContent(attacks), time: byTime(attacks) }
    const answers = attacks.flatMap(({ others }) => others).length
    if (asked > 0) process.stdout.write(`${JSON.stringify({ ...place, repetitions, answers, figures })}\n`)

    for (const { verdicts, others } of attacks) {
      // A right guess is answered as such until a wrong one bans.
      expect(verdicts.filter(({ content, isRight }) => (content === 'OK') !== isRight)).toEqual([])
      expect(verdicts.filter(({ content }) => content === 'BAN').length).toBeLessThanOrEqual(1)
      expect(others.map(({ content }) => content)).toEqual(
        others.map(
          () =>
            expect.stringMatching(
              /^(409 AnotherRunInProgress|423 KeyShareLocked|429 TooManyAttempts|503 CosignerBusy)$/,
            ) as string,
        ),
      )
    }
    expect(attacks.flatMap(({ verdicts }) => verdicts).length).toBeGreaterThanOrEqual(repetitions / 2)
    if (!isLong) return
    for (const [name, { accuracy, error }] of Object.entries(figures)) {
      expect([name, accuracy, Math.abs(accuracy - 0.5) <= errors * error]).toEqual([name, accuracy, true])
    }
  },
  60_000 + repetitions * 30_000,
)
