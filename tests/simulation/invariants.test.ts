/** What the invariants count, and what they let pass. */
import * as Effect from 'effect/Effect'
import { describe, expect, it } from 'vitest'
import { noble } from '../../domain/crypto/Signatures.ts'
import * as Frame from '../../domain/mpc/Frame.ts'
import { failedCheck } from '../../domain/service/Run.ts'
import { frameWith } from '../kit/someFrame.ts'
import { secretKey } from './cosigner.ts'
import { Answers, Guesses, type Row } from './invariants.ts'
import { copyOf, emptyOutside } from './outside.ts'
import { openUnder, sealUnder, shareKeysOf } from './shareKeys.ts'
import { Sim } from './Sim.ts'

/** A wrong guess in each of 21 setups, which ended as this row says. */
const violationOf = (run: Row | undefined, rounds: readonly Row[] = []) => {
  const sim = new Sim({ seed: 1 })
  const guesses = new Guesses(
    () => false,
    () => false,
  )
  for (let n = 0; n < 21; n++) {
    const ids = { wallet_id: 'w', protocol_id: String(n) }
    const guess = {
      kind: 'attach',
      walletId: 'w',
      protocolId: String(n),
      ot: new Uint8Array(0),
      said: `${n}:0`,
    } as const
    guesses.judge(sim, guess)
    const tables: Readonly<Record<string, readonly Row[]>> = {
      runs: run === undefined ? [] : [{ ...run, ...ids }],
      rounds: rounds.map((round) => ({ ...round, ...ids })),
    }
    const rows = (table: string) => tables[table] ?? []
    guesses.countSetups({
      sim,
      rows,
      envelopes: new Map(),
      storages: () => [],
      cheaters: () => [],
      shareKeys: () => new Map(),
      watermarks: () => new Map(),
    })
  }
  return sim.violation
}

describe('guesses in setups', () => {
  it('are counted where a check ended the setup, where its second request was answered, and where no row knows it', () => {
    const many = { invariant: 'G', seen: 'more than 20 setups failed in a day' }
    expect(violationOf({ state: 'ABORTED', reason: `${failedCheck}consistency` })).toEqual(many)
    expect(violationOf({ state: 'EXPIRED', reason: '' }, [{ step: 2, response_hash: 'ab' }])).toEqual(many)
    expect(violationOf(undefined)).toEqual(many)
  })

  it('are not counted while the setup goes on, nor where another request ended it before it told', () => {
    expect(violationOf({ state: 'RUNNING', reason: null })).toBeUndefined()
    expect(
      violationOf({ state: 'ABORTED', reason: 'another request' }, [{ step: 2, response_hash: null }]),
    ).toBeUndefined()
    expect(
      violationOf({ state: 'ABORTED', reason: 'another request' }, [{ step: 1, response_hash: 'ab' }]),
    ).toBeUndefined()
  })
})

describe('an answer', () => {
  const ids = {
    protocolId: 'aaaaaaaa-0000-4000-8000-000000000000',
    walletId: 'bbbbbbbb-0000-4000-8000-000000000000',
  }

  /** Two requests of a round, each with its body, and what they were answered; an older database came up between them, or none. */
  const violationOfAnswers = (
    operation: Frame.Operation,
    [first, second]: readonly [readonly [number, number], readonly [number, number]],
    isRestored: boolean,
  ) => {
    const sim = new Sim({ seed: 1 })
    const answers = new Answers(false)
    const answer = ([body, said]: readonly [number, number], seed: number) => {
      answers.computed({ context: ids, step: 4, sealedSeed: Uint8Array.of(seed) })
      const request = frameWith({ ...ids, operation, step: 4, body: Uint8Array.of(body) })
      answers.check(
        sim,
        request,
        Frame.signAnswer(secretKey, request, { status: 'OK', body: Uint8Array.of(said) }, noble),
      )
    }
    answer(first, 1)
    if (isRestored) answers.restored()
    answer(second, 2)
    return sim.violation
  }

  const twoRequests = [
    [1, 7],
    [2, 7],
  ] as const

  it('of a round goes to one request, also where an older database came up', () => {
    expect(violationOfAnswers('SIGN', twoRequests, false)?.invariant).toBe('C')
    expect(violationOfAnswers('SIGN', twoRequests, true)?.invariant).toBe('C')
    expect(violationOfAnswers('CONFIRM', twoRequests, false)?.invariant).toBe('C')
  })

  it('to another CONFIRM that an older database takes is the same', () => {
    const twoAnswers = [
      [1, 7],
      [2, 8],
    ] as const
    expect(violationOfAnswers('CONFIRM', twoRequests, true)).toBeUndefined()
    expect(violationOfAnswers('CONFIRM', twoAnswers, true)?.invariant).toBe('I4')
  })
})

describe('a share key', () => {
  const sharing = { walletId: 'w', epoch: 1, shareId: 'ab' }

  it('that is made again under its name opens no earlier record, and an older folder opens its own', async () => {
    const [outside, room] = [emptyOutside(), () => undefined]
    const bytes = Uint8Array.of(1, 2)
    const sealed = sealUnder(outside, room, sharing, bytes)
    const copy = copyOf(outside)
    expect(openUnder(outside, sharing, sealed)).toEqual(bytes)

    await Effect.runPromise(shareKeysOf(outside).destroyAll('w'))
    expect(openUnder(outside, sharing, sealed)).toBeUndefined()
    const anew = sealUnder(outside, room, sharing, bytes)
    expect(openUnder(outside, sharing, anew)).toEqual(bytes)
    expect(openUnder(outside, sharing, sealed)).toBeUndefined()
    expect(openUnder(copy, sharing, sealed)).toEqual(bytes)
    expect(openUnder(copy, sharing, anew)).toBeUndefined()
  })
})
