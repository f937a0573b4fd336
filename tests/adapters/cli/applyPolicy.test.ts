/** `tandem policy apply` on the database and folder of a deployment: beside nothing, beside its process, and elsewhere. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Option from 'effect/Option'
import { afterAll, expect, it } from 'vitest'
import { runCommand } from '../../../adapters/cli/command.ts'
import { currentPolicy, policyAssociatedData } from '../../../domain/service/policies.ts'
import { Policies } from '../../../domain/service/ports/Policies.ts'
import { Vault } from '../../../domain/service/ports/Vault.ts'
import { makePartner, startWorld } from '../../kit/cosignerWorld.ts'
import { databaseIn } from '../../kit/databasePlace.ts'
import { isLong } from '../../kit/long.ts'

const policy = { tandem: 'policy/1', default: 'allow', rules: [] }

// No hook runs where the only test is left out.
const dataFolder = isLong ? mkdtempSync(join(tmpdir(), 'tandem-apply-')) : ''
afterAll(() => rmSync(dataFolder, { recursive: true, force: true }))

const start = () =>
  startWorld({
    dataFolder,
    database: Layer.orDie(databaseIn({ kind: 'pglite', folder: join(dataFolder, 'database') })),
  })

const apply = (document: unknown, partnerId: string, variables: Readonly<Record<string, string>> = {}) =>
  runCommand(
    ['policy', 'apply', 'policy.json', '--partner', partnerId],
    () => Promise.resolve(JSON.stringify(document)),
    { TANDEM_ENVIRONMENT: 'DEV', DATA_FOLDER: dataFolder, ...variables },
  )

it.runIf(isLong)('counts for the deployment whose folder it is given, and is refused where it cannot', async () => {
  const world = await start()
  const { id: partnerId } = await makePartner(world)
  const beside = await apply(policy, partnerId)
  const rolledBackBeside = await runCommand(
    ['policy', 'rollback', '--partner', partnerId],
    () => Promise.reject(new Error('no file')),
    { TANDEM_ENVIRONMENT: 'DEV', DATA_FOLDER: dataFolder },
  )
  await world.stop()
  const elsewhere = await apply(policy, partnerId, { COSIGNER_FOLDER: join(dataFolder, 'other') })
  const unknown = await apply(policy, 'nobody')
  const wrong = await apply({ tandem: 'policy/1', default: 'allow' }, partnerId)
  const without = await runCommand(['policy', 'apply', 'policy.json'], () => Promise.resolve('{}'), {})
  const first = await apply(policy, partnerId)
  const second = await apply(policy, partnerId)

  for (const answer of [beside, rolledBackBeside])
    expect(answer).toMatchObject({
      exitCode: 4,
      error: expect.stringMatching(/is in use by process [0-9]+\.\nFix: Stop that process first: PGlite/) as string,
    })
  expect(elsewhere).toMatchObject({ exitCode: 3, error: expect.stringContaining('no co-signer has run') as string })
  expect(unknown).toMatchObject({ exitCode: 1, error: 'There is no partner nobody.\nFix: tandem partner list' })
  expect(wrong).toMatchObject({ exitCode: 6, out: expect.stringContaining('rules') as string })
  expect(without).toMatchObject({ exitCode: 2, error: expect.stringContaining('--partner') as string })
  expect(first).toEqual({
    exitCode: 0,
    out: `Version 1 of the policy of ${partnerId} counts from now on.`,
    error: '',
  })
  expect(second.out).toContain('Version 2')

  const next = await start()
  const current = await next.run(currentPolicy(partnerId))
  const earlier = { ...policy, rules: [{ id: 'cut', effect: 'deny', when: { recipient: { is: '0x1234' } } }] }
  await next.run(
    Effect.gen(function* () {
      const policies = yield* Policies
      const row = Option.getOrThrow(yield* policies.find(partnerId))
      const sealed = yield* (yield* Vault).seal(policyAssociatedData(row), utf8ToBytes(JSON.stringify(earlier)))
      yield* policies.put({ ...row, sealed, before: null })
    }),
  )
  await next.stop()
  expect(current).toMatchObject({ kind: 'policy', version: 2 })
  expect(await apply(earlier, partnerId)).toEqual({
    exitCode: 0,
    out: [
      'To be mended, as in the version before: rules[0].when.recipient: 0x1234 is not an address of an EVM account',
      `Version 3 of the policy of ${partnerId} counts from now on.`,
    ].join('\n'),
    error: '',
  })
})
