/** Failed setups that the marks outside know and the database does not (domain/service/protocol/setups.ts). */
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import { describe, expect, it } from 'vitest'
import { Runs } from '../../../domain/service/ports/Runs.ts'
import { Watermarks } from '../../../domain/service/ports/Watermarks.ts'
import { countSetup, requireFewFailures } from '../../../domain/service/protocol/setups.ts'
import { runLimits, type RunRecord } from '../../../domain/service/Run.ts'
import type { SessionRecord } from '../../../domain/service/Session.ts'

const hour = 60 * 60_000
/** 18:00 of a day. */
const failedAt = 20_000 * 24 * hour + 18 * hour

/**
 * The marks as they are after so many setups told, and a database that has none of them. `ahead`: by how much a clock was
 * ahead that told of one before.
 */
const olderDatabase = async (setups: number, ahead?: number) => {
  const marks = new Map<string, number>()
  const layer = Layer.mergeAll(
    Layer.mock(Watermarks, {
      read: (name) => Effect.sync(() => marks.get(name) ?? 0),
      raise: (name, value) => Effect.sync(() => void marks.set(name, Math.max(value, marks.get(name) ?? 0))),
    }),
    Layer.mock(Runs, { failedSetups: () => Effect.succeed(0), setupsThatTold: () => Effect.succeed(0) }),
  )
  const told = (createdAt: number) =>
    Effect.runPromise(countSetup({ walletId: 'w', createdAt } as RunRecord).pipe(Effect.provide(layer)))
  if (ahead !== undefined) await told(failedAt + ahead)
  for (let n = 0; n < setups; n++) await told(failedAt)
  return (walletId: string, now: number, authenticatedAt: number | null) =>
    requireFewFailures(walletId, { id: 's', authenticatedAt } as SessionRecord, now).pipe(
      Effect.as('accepted'),
      Effect.catchTag('TooManyAttempts', () => Effect.succeed('refused')),
      Effect.provide(layer),
      Effect.runPromise,
    )
}

describe('Failed setups that an older database has forgotten', () => {
  it('count to the end of the next day, against a fresh login too, and not against another wallet', async () => {
    const tried = await olderDatabase(runLimits.failedSetups)
    expect(await tried('w', failedAt, null)).toBe('refused')
    expect(await tried('w', failedAt + 1, failedAt)).toBe('refused')
    // 23:59 of the next day, and its midnight.
    expect(await tried('w', failedAt + 29 * hour + 59 * 60_000, failedAt + 29 * hour)).toBe('refused')
    expect(await tried('w', failedAt + 30 * hour, null)).toBe('accepted')
    expect(await tried('other', failedAt, null)).toBe('accepted')
  })

  it('count by their own day, also after a clock that was three days ahead', async () => {
    const tried = await olderDatabase(runLimits.failedSetups, 3 * 24 * hour)
    expect(await tried('w', failedAt, null)).toBe('refused')
    expect(await tried('w', failedAt + 29 * hour + 59 * 60_000, null)).toBe('refused')
    expect(await tried('w', failedAt + 30 * hour, null)).toBe('accepted')
    expect(await tried('w', failedAt + 3 * 24 * hour, null)).toBe('accepted')
  })

  it('leave one setup where one fewer failed', async () => {
    const tried = await olderDatabase(runLimits.failedSetups - 1)
    expect(await tried('w', failedAt, null)).toBe('accepted')
  })
})
