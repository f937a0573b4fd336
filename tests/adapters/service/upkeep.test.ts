/**
 * Upkeep in the layers of a process: what it destroys, the process's other parts forget; what fails of it keeps nothing else
 * from its work, and is a line of the process's log.
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as Duration from 'effect/Duration'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as ManagedRuntime from 'effect/ManagedRuntime'
import * as Option from 'effect/Option'
import * as Result from 'effect/Result'
import * as Cause from 'effect/Cause'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, expect, it } from 'vitest'
import { readConfiguration } from '../../../adapters/service/config.ts'
import { Database } from '../../../adapters/service/database/Database.ts'
import { flowLog } from '../../../adapters/service/flowLog.ts'
import { layersOf } from '../../../adapters/service/layers.ts'
import { DatabaseGeneration } from '../../../domain/service/ports/DatabaseGeneration.ts'
import { Mail } from '../../../domain/service/ports/Mail.ts'
import { Vault } from '../../../domain/service/ports/Vault.ts'
import { clockAt } from '../../kit/clock.ts'
import { anyDatabase } from '../../kit/database.ts'

const day = 24 * 60 * 60_000
const dataFolder = mkdtempSync(join(tmpdir(), 'tandem-upkeep-'))
afterAll(() => rmSync(dataFolder, { recursive: true, force: true }))

/** A minute is over at once. */
const quickMinutes = (now: () => number) => {
  const machine = clockAt(() => Date.now())
  return clockAt(now, (duration: Duration.Duration) => machine.sleep(Duration.min(duration, Duration.millis(50))))
}

it('destroys the run key of a day in the vault, too, and not only its file', async () => {
  let ahead = 0
  const configuration = Result.getOrThrow(readConfiguration({ DATA_FOLDER: dataFolder, COSIGNER_THREADS: '1' }))
  const runtime = ManagedRuntime.make(
    layersOf(configuration, pino({ level: 'silent' }), {
      mail: Layer.succeed(Mail, { send: () => Effect.void }),
      clock: quickMinutes(() => Date.now() + ahead),
      database: anyDatabase(),
    }),
  )
  const associatedData = { table: 'runs', id: 'a run' } as const
  const sealed = await runtime.runPromise(
    Effect.gen(function* () {
      const generation = yield* (yield* DatabaseGeneration).current
      return { generation, bytes: yield* (yield* Vault).sealRun(generation, associatedData, Buffer.from('a seed')) }
    }),
  )
  const opened = () =>
    runtime.runPromise(
      Effect.flatMap(Vault, ({ openRun }) => Effect.option(openRun(sealed.generation, associatedData, sealed.bytes))),
    )
  const files = () => readdirSync(join(dataFolder, 'cosigner', 'run-keys'))
  expect(Option.isSome(await opened())).toBe(true)
  expect(files()).toHaveLength(1)

  ahead = 2 * day
  await expect.poll(files).toEqual([])

  expect(Option.isNone(await opened())).toBe(true)
  await runtime.dispose()
})

it('goes on after a step that fails, which the log names in one line at its level', async () => {
  let text = ''
  const log = pino({ level: 'silent', base: null }, { write: (line: string) => void (text += line) })
  const configuration = Result.getOrThrow(readConfiguration({ DATA_FOLDER: dataFolder, COSIGNER_THREADS: '1' }))
  const runtime = ManagedRuntime.make(
    layersOf(configuration, log, {
      mail: Layer.succeed(Mail, { send: () => Effect.void }),
      clock: quickMinutes(() => Date.now()),
      database: anyDatabase(),
    }),
  )
  const execute = (statement: string) =>
    runtime.runPromise(
      Effect.flatMap(Database, ({ query }) => query((kysely) => sql.raw<{ text: string }>(statement).execute(kysely))),
    )
  // The first table of upkeep, and the last one.
  await execute(`alter table openings rename to gone`)
  // A round may have begun before.
  const now = Date.now() - 60_000
  const rows = [
    `insert into audits (id, at, event, detail) values ('old', ${now - 366 * day}, 'x', '{}'), ('kept', ${now - 364 * day}, 'x', '{}')`,
    `insert into ot_records values ${[3, 1]
      .map((days) => `('w', '${days}', 1, 's', null, ${now - days * day}, 1, 'k', 'l')`)
      .join()}`,
    `insert into spends values ${[32, 30].map((days) => `('w', '${days}', 'u', 'p', 'r', 'a', 1, ${now - days * day})`).join()}`,
  ]
  for (const row of rows) await execute(row)
  const left = async () => {
    const { rows: found } = await execute(
      `select id as text from audits where event = 'x' union all select ot_id from ot_records union all select digest from spends`,
    )
    return found.map(({ text: id }) => id).sort()
  }
  await expect.poll(left).toEqual(['1', '30', 'kept'])
  expect(text).toBe('')

  log.level = 'warn'
  await expect.poll(() => text).toMatch(/\n/)
  log.level = 'silent'
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(new Set(lines.map(({ msg }) => msg))).toEqual(new Set(['upkeep of sessions failed']))
  expect(lines[0]).toMatchObject({
    level: 40,
    error: 'error',
    stack: expect.stringContaining('openings') as string,
  })
  await runtime.dispose()
})

it("says of a flow's failure nothing that a row holds", async () => {
  let text = ''
  const log = pino({ level: 'debug', base: null }, { write: (line: string) => void (text += line) })
  const failure = Object.assign(new Error('duplicate key', { cause: new Error('why') }), {
    detail: 'Key (email)=(a@b.c)',
  })
  const said = (level: string, flow: Effect.Effect<void>) => {
    text = ''
    Effect.runSync(Effect.provide(flow, flowLog(log)))
    return { level, ...(text === '' ? {} : (JSON.parse(text) as object)) }
  }

  expect(said('', Effect.logWarning('upkeep failed', Cause.die(failure)))).toEqual({
    level: 40,
    time: expect.any(Number) as number,
    error: 'Error',
    cause: 'why',
    stack: failure.stack,
    msg: 'upkeep failed',
  })
  expect(said('', Effect.logWarning('no error', Cause.fail({ detail: 'a@b.c' })))).toMatchObject({
    stack: expect.not.stringContaining('a@b.c') as string,
  })
  expect(said('', Effect.logError('a', 'b'))).toMatchObject({ level: 50, msg: 'a b' })
  expect(said('', Effect.logDebug('a'))).toMatchObject({ level: 20, msg: 'a' })
  expect(said('none', Effect.logTrace('a'))).toEqual({ level: 'none' })
})
