import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import * as Redacted from 'effect/Redacted'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { RefreshAnswersSealed } from '../../../adapters/browser/RefreshAnswers.ts'
import { sealedText } from '../../../adapters/browser/sealedText.ts'
import { RefreshAnswers } from '../../../domain/client/ports/RefreshAnswers.ts'

const { values } = vi.hoisted(() => ({ values: new Map<string, unknown>() }))

vi.mock('../../../adapters/browser/database.ts', () => ({
  database: () => ({
    read: (names: readonly string[]) => Promise.resolve(names.map((name) => values.get(name))),
    write: (changes: object) => {
      for (const [name, value] of Object.entries(changes)) values.set(name, value)
      return Promise.resolve()
    },
  }),
}))

const walletId = 'a wallet'
const answer = { protocolId: 'a run', shareText: Redacted.make('a share') }

const found = () =>
  Effect.runPromise(
    Effect.flatMap(RefreshAnswers, ({ find }) => find(walletId)).pipe(Effect.provide(RefreshAnswersSealed)),
  )

describe('the answer of a REFRESH', () => {
  beforeEach(async () => {
    values.clear()
    await Effect.runPromise(
      Effect.flatMap(RefreshAnswers, ({ keep }) => keep(walletId, answer)).pipe(Effect.provide(RefreshAnswersSealed)),
    )
  })

  it('is found as it was kept', async () => {
    expect(Option.map(await found(), ({ shareText }) => Redacted.value(shareText))).toEqual(Option.some('a share'))
  })

  it.each([
    ['whose key is gone', () => void values.delete(`refreshed/${walletId}/key`)],
    ['that is damaged', () => void values.set(`refreshed/${walletId}/text`, { v: 1, iv: new Uint8Array(12) })],
    ['of a later version', () => Effect.runPromise(sealedText(`refreshed/${walletId}`).write('{"v":2}'))],
  ])('%s counts as none, and stays', async (_, happens) => {
    await happens()
    const before = values.get(`refreshed/${walletId}/text`)

    expect(await found()).toEqual(Option.none())
    expect(values.get(`refreshed/${walletId}/text`)).toBe(before)
  })
})
