/** `tandem cosigner-key` on the database and files of a deployment. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as Layer from 'effect/Layer'
import { afterAll, expect, it } from 'vitest'
import { runCommand } from '../../../adapters/cli/command.ts'
import { startWorld } from '../../kit/cosignerWorld.ts'
import { databaseIn } from '../../kit/databasePlace.ts'
import { isLong } from '../../kit/long.ts'

const folder = mkdtempSync(join(tmpdir(), 'tandem-cosigner-key-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const run = (dataFolder: string, ...words: readonly string[]) =>
  runCommand(['cosigner-key', ...words], () => Promise.reject(new Error('no file')), { DATA_FOLDER: dataFolder })

it('makes no key where no co-signer has run', async () => {
  expect(await run(join(folder, 'none'), 'rotate', '--reason', 'a drill')).toMatchObject({
    exitCode: 3,
    error: expect.stringContaining('where no co-signer has run') as string,
  })
})

it.runIf(isLong)('shows, rotates and refuses to retire the keys of a deployment', async () => {
  const dataFolder = join(folder, 'deployment')
  const database = Layer.orDie(databaseIn({ kind: 'pglite', folder: join(dataFolder, 'database') }))
  await (await startWorld({ dataFolder, database })).stop()
  const tandem = (...words: readonly string[]) => run(dataFolder, ...words)

  const one = await tandem('status')
  expect([one.exitCode, one.out]).toEqual([0, expect.stringMatching(/^[0-9a-f]{16} {2}signs {6}the first$/)])
  const first = one.out.slice(0, 16)
  const rotated = await tandem('rotate', '--json', '--reason', 'a drill')
  // Once more, it tells of the same key.
  expect((await tandem('rotate')).out).toContain('\nMake a backup now: one from before does not bring back devices')
  expect(rotated.exitCode).toBe(0)
  const { ok, data } = JSON.parse(rotated.out) as { readonly ok: boolean; readonly data: { readonly id: string } }
  expect([ok, data.id]).toEqual([true, expect.stringMatching(/^[0-9a-f]{16}$/)])
  expect(JSON.parse((await tandem('status', '--json')).out)).toMatchObject({
    data: [
      { id: first, from: null, state: 'SIGNING', isCompromised: false },
      { id: data.id, state: 'PUBLISHED', isCompromised: false },
    ],
  })

  expect(await tandem('rotate', '--compromised')).toMatchObject({
    exitCode: 5,
    error: expect.stringContaining('call this again then') as string,
  })
  expect(await tandem('retire', first, '--yes')).toMatchObject({
    exitCode: 5,
    error: expect.stringContaining(
      `Key ${first} may still sign; it can go in 11 minutes.\nFix: Wait until then.`,
    ) as string,
  })
  expect(await tandem('retire', data.id, '--yes')).toMatchObject({
    exitCode: 5,
    error: expect.stringContaining('is the newest; rotate it first') as string,
  })
  expect(await tandem('retire', 'xxx', '--yes')).toMatchObject({
    exitCode: 5,
    error: expect.stringMatching(/has no key xxx\.\nFix: `tandem cosigner-key status` lists the keys\.$/) as string,
  })
})
