/** Upkeep in the layers of a process: what it destroys, the process's other parts forget. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as Duration from 'effect/Duration'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as ManagedRuntime from 'effect/ManagedRuntime'
import * as Option from 'effect/Option'
import * as Result from 'effect/Result'
import { pino } from 'pino'
import { afterAll, expect, it } from 'vitest'
import { readConfiguration } from '../../../adapters/service/config.ts'
import { layersOf } from '../../../adapters/service/layers.ts'
import { DatabaseGeneration } from '../../../domain/service/ports/DatabaseGeneration.ts'
import { Mail } from '../../../domain/service/ports/Mail.ts'
import { Vault } from '../../../domain/service/ports/Vault.ts'
import { clockAt } from '../../kit/clock.ts'
import { anyDatabase } from '../../kit/database.ts'

const day = 24 * 60 * 60_000
const dataFolder = mkdtempSync(join(tmpdir(), 'tandem-upkeep-'))
afterAll(() => rmSync(dataFolder, { recursive: true, force: true }))

it('destroys the run key of a day in the vault, too, and not only its file', async () => {
  let ahead = 0
  const [now, machine] = [() => Date.now() + ahead, clockAt(() => Date.now())]
  /** Upkeep's minute is over at once. */
  const sleep = (duration: Duration.Duration) => machine.sleep(Duration.min(duration, Duration.millis(50)))
  const configuration = Result.getOrThrow(readConfiguration({ DATA_FOLDER: dataFolder, COSIGNER_THREADS: '1' }))
  const runtime = ManagedRuntime.make(
    layersOf(configuration, pino({ level: 'silent' }), {
      mail: Layer.succeed(Mail, { send: () => Effect.void }),
      clock: clockAt(now, sleep),
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
