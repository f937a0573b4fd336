import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import * as Result from 'effect/Result'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { runCommand } from '../../../adapters/cli/command.ts'
import { settingsOfApp } from '../../../adapters/cli/settingsOfApp.ts'
import { readConfiguration } from '../../../adapters/service/config.ts'
import { readRing } from '../../../adapters/service/vault/ringFile.ts'

let folder = ''
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'tandem-init-')), 'deployment')
})
afterEach(() => rmSync(join(folder, '..'), { recursive: true }))

const run = (...words: readonly string[]) => runCommand(words, (path) => readFile(path, 'utf8'), {})
const settings = () => parseEnv(readFileSync(join(folder, 'tandem.env'), 'utf8'))

it('makes a development deployment that the configuration accepts as it is', async () => {
  const words = ['init', folder, '--environment', 'DEV']
  const named = { TANDEM_CONFIG: join(folder, 'tandem.env') }
  expect(await runCommand(words, (path) => readFile(path, 'utf8'), named)).toMatchObject({ exitCode: 0, error: '' })
  expect(Result.getOrThrow(readConfiguration(settings()))).toMatchObject({
    environment: 'DEV',
    cosignerFolder: join(folder, 'cosigner'),
    serviceKeysFile: join(folder, 'keys', 'service.json'),
    cosignerKeysFile: join(folder, 'keys', 'cosigner.json'),
  })
  expect(await run('config', 'print', '--config', join(folder, 'tandem.env'))).toMatchObject({ exitCode: 0 })
})

it('makes keys and settings for PROD, which this user alone can read, and names what is still missing', async () => {
  const { exitCode, out } = await run('init', folder, '--environment', 'PROD', '--json')
  const [service, cosigner] = (['service', 'cosigner'] as const).map((ring) => join(folder, 'keys', `${ring}.json`))
  expect(exitCode).toBe(0)
  expect(JSON.parse(out)).toEqual({ ok: true, data: { files: [join(folder, 'tandem.env'), service, cosigner] } })
  for (const ring of ['service', 'cosigner'] as const) {
    const path = join(folder, 'keys', `${ring}.json`)
    const keys = readRing({ ring, path, before: '', environment: 'PROD' })
    expect(keys).toHaveLength(1)
    expect(out).not.toContain(Buffer.from(keys?.[0].key ?? []).toString('hex'))
    expect(statSync(path).mode & 0o777).toBe(0o600)
  }
  expect(statSync(join(folder, 'tandem.env')).mode & 0o777).toBe(0o600)
  const refusal = Result.getOrThrow(Result.flip(readConfiguration(settings())))
  expect(refusal.message).toBe(
    'API_URL, COSIGNER_URL, PORTAL_URL, CONNECT_URL, OPERATOR_NAME, COSIGNER_NAME are missing, and PROD has no defaults for them.',
  )

  const text = readFileSync(join(folder, 'tandem.env'), 'utf8')
  const uncommented = parseEnv(text.replaceAll(/^#(?=[A-Z_]+=)/gm, ''))
  expect(Result.getOrThrow(readConfiguration(uncommented)).environment).toBe('PROD')
  const hosts = {
    api: 'https://api.example.com',
    cosigner: 'https://cosigner.example.com',
    portal: 'https://wallet.example.com',
    connect: 'https://recover.example.com',
    oauth: 'https://api.example.com',
  }
  expect(settingsOfApp(uncommented, 'pk_a')).toEqual({ environment: 'PROD', apiKey: 'pk_a', hosts })
})

it.each(['tandem.env', 'keys/service.json', 'keys/cosigner.json'])('overwrites nothing: %s stays', async (file) => {
  await run('init', folder, '--environment', 'BETA')
  for (const other of ['tandem.env', 'keys/service.json', 'keys/cosigner.json'])
    if (other !== file) rmSync(join(folder, other))
  writeFileSync(join(folder, file), 'mine')
  expect(await run('init', folder, '--environment', 'BETA')).toEqual({
    exitCode: 5,
    out: '',
    error: `${join(folder, file)} exists, and is not overwritten.\nFix: Give another folder, or move what is there.`,
  })
  expect(readFileSync(join(folder, file), 'utf8')).toBe('mine')
})

it('asks for an environment that there is', async () => {
  expect(await run('init', folder)).toMatchObject({ exitCode: 2 })
  expect(await run('init', folder, '--environment', 'LIVE')).toMatchObject({
    exitCode: 2,
    error: expect.stringContaining('Allowed choices are DEV, SANDBOX, BETA, PROD.') as string,
  })
})
