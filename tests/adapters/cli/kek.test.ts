/** `tandem kek` on the database and files of a deployment, beside nothing and beside its process. */
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Result from 'effect/Result'
import { afterAll, expect, it } from 'vitest'
import { runCommand } from '../../../adapters/cli/command.ts'
import { createKek, kekStatus, retireKek, rotateKek, splitKek } from '../../../adapters/cli/kek.ts'
import { Vault } from '../../../domain/service/ports/Vault.ts'
import { makePartner, makeUser, signIn, startWorld, value } from '../../kit/cosignerWorld.ts'
import { databaseIn } from '../../kit/databasePlace.ts'
import { isLong } from '../../kit/long.ts'

const folder = mkdtempSync(join(tmpdir(), 'tandem-kek-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const noWaits = { activeInMs: 0, settleMs: 0 }

it('makes two rings of a new deployment once, readable by their owner alone', () => {
  const variables = { DATA_FOLDER: join(folder, 'new') }

  const made = createKek(variables)
  const again = createKek(variables)

  const files = ['service-keys.json', 'cosigner-keys.json'].map((name) => join(folder, 'new', name))
  expect(made).toMatchObject({ success: { exitCode: 0, data: { service: expect.any(String) as string } } })
  expect(files.map((file) => statSync(file).mode & 0o777)).toEqual([0o600, 0o600])
  expect(again).toMatchObject({
    failure: { message: `${files[0] ?? ''} exists; new keys beside it would open nothing.` },
  })
})

it('refuses a folder in which no co-signer has run, and a setting that is wrong', async () => {
  const elsewhere = await rotateKek({ variables: { DATA_FOLDER: join(folder, 'none') }, reason: undefined }, 'cosigner')
  const wrong = await kekStatus({ TANDEM_ENVIRONMENT: 'MARS' })

  expect(elsewhere).toMatchObject({
    failure: { message: expect.stringContaining('where no co-signer has run') as string },
  })
  expect(wrong).toMatchObject({
    failure: { message: expect.stringContaining("TANDEM_ENVIRONMENT is 'MARS'") as string },
  })
  expect(existsSync(join(folder, 'none'))).toBe(false)
})

it('looks for the key before it asks whether to retire it', async () => {
  const variables = { DATA_FOLDER: join(folder, 'asked') }
  const made = Result.getOrThrow(createKek(variables)).data as { readonly service: string }
  const retire = (id: string) =>
    runCommand(['kek', 'retire', id, '--ring', 'service'], () => Promise.reject(new Error()), variables)

  expect(await retire('xxx')).toEqual({
    exitCode: 5,
    out: '',
    error: "The ring 'service' has no key xxx.\nFix: `tandem kek status` lists the keys.",
  })
  expect((await retire(made.service)).error).toMatch(/^This cannot be taken back: .*\nFix: Add --yes to do it\.$/)
})

it.runIf(isLong)('shows, rotates and retires the keys of a deployment', async () => {
  const dataFolder = join(folder, 'deployment')
  const variables = { DATA_FOLDER: dataFolder }
  const given = { variables, reason: 'a drill' }
  const start = () =>
    startWorld({
      dataFolder,
      database: Layer.orDie(databaseIn({ kind: 'pglite', folder: join(dataFolder, 'database') })),
    })
  const world = await start()
  const user = await makeUser(world)
  const host = await signIn(world, user, await makePartner(world))
  const wallet = value(await host.createWallet({ type: 'SOLANA' }))
  await host.device.keygen({ ...wallet, scheme: 'ED25519' }, user.rootPublicKey)
  const mac = await world.run(Effect.map(Vault, (vault) => vault.mac('a', 'b')))
  const beside = await rotateKek(given, 'service', undefined, noWaits)
  await world.stop()
  const [service, cosigner] = await firstKeysOf(variables)

  const rotated = [
    await rotateKek(given, 'service', undefined, noWaits),
    await rotateKek(given, 'cosigner', undefined, noWaits),
  ]
  const soon = await retireKek(given, { ring: 'service', id: service, abandoned: 0 })
  const retired = await retireKek(given, { ring: 'service', id: service, abandoned: 0 }, noWaits)
  const ofCosigner = { ring: 'cosigner', id: cosigner } as const
  const needed = await retireKek(given, { ...ofCosigner, abandoned: 0 }, noWaits)
  const abandoned = await retireKek(given, { ...ofCosigner, abandoned: 1 }, noWaits)
  const split = await splitKek(given)

  expect(beside).toMatchObject({
    failure: { message: expect.stringMatching(/is in use by process [0-9]+\.$/) as string },
  })
  expect(rotated).toMatchObject([
    { success: { exitCode: 0, text: expect.stringMatching(/is active\. Sealed anew: 2 records\.$/) as string } },
    {
      success: {
        exitCode: 0,
        text: expect.stringContaining('Under older keys until their devices sign: 1 capsule.') as string,
      },
    },
  ])
  expect(soon).toMatchObject({
    failure: { message: expect.stringContaining('can go in 10 minutes') as string, fix: 'Wait until then.' },
  })
  expect(retired).toMatchObject({
    success: { text: expect.stringContaining('Keep a copy of the ring that has it') as string },
  })
  expect(retired).toMatchObject({ success: { exitCode: 0 } })
  expect(needed).toMatchObject({ failure: { message: `Key ${cosigner} is needed: 1 capsule that devices keep.` } })
  expect(abandoned).toMatchObject({ success: { exitCode: 0 } })
  expect(split).toMatchObject({ failure: { message: expect.stringContaining('to split') as string } })
  const again = await start()
  expect(await again.run(Effect.map(Vault, (vault) => vault.mac('a', 'b')))).toBe(mac)
  await again.stop()
})

const firstKeysOf = async (variables: Readonly<Record<string, string>>): Promise<readonly [string, string]> => {
  const { data, text } = Result.getOrThrow(await kekStatus(variables))
  const [service = '', cosigner = ''] = [...text.matchAll(/[0-9a-f]{16}/g)].map(([id]) => id)
  expect(data).toMatchObject({ service: [{ id: service }], cosigner: [{ id: cosigner }] })
  return [service, cosigner]
}
