/** What the log of a start says of the keys. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { createRing } from '../../../adapters/service/vault/ringFile.ts'
import { protectionOf, ringFilesOf } from '../../../adapters/service/vault/vaultOf.ts'

const folder = mkdtempSync(join(tmpdir(), 'tandem-protection-'))
afterAll(() => rmSync(folder, { recursive: true }))

it('names the files that are there: the one key until it is split, then the rings of the process', () => {
  const settings = {
    environment: 'PROD',
    cosignerFolder: join(folder, 'cosigner'),
    serviceKeysFile: join(folder, 'service.json'),
    cosignerKeysFile: join(folder, 'cosigner.json'),
    keyEncryptionKeyFile: join(folder, 'before'),
  } as const
  const alone = 'which only the user of this process can read'
  expect(protectionOf(settings, true)).toBe(`${folder}/before, ${alone}`)

  createRing(ringFilesOf(settings).service)
  createRing(ringFilesOf(settings).cosigner)
  expect(protectionOf(settings, true)).toBe(`${folder}/service.json and ${folder}/cosigner.json, ${alone}`)
  expect(protectionOf(settings, false)).toBe(`${folder}/service.json, ${alone}`)
})
