/** The reference of settings says what the configuration does: their names, what counts without one, what is refused. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import * as Result from 'effect/Result'
import { afterAll, describe, expect, it } from 'vitest'
import { docs } from '../../../adapters/cli/config.ts'
import { readConfiguration, settingNames, type Configuration } from '../../../adapters/service/config.ts'
import { roles } from '../../../adapters/service/Role.ts'
import { secretNames, settingOf } from '../../../adapters/service/settingsReference.ts'
import type { Variables } from '../../../adapters/service/settings.ts'

/** Where defaults of limits are as they stand in the reference. */
const sandbox: Variables = {
  TANDEM_ENVIRONMENT: 'SANDBOX',
  SMTP_URL: 'smtps://mail.example',
  MAIL_FROM: 'no-reply@example.com',
  TWILIO_ACCOUNT_SID: `AC${'1a'.repeat(16)}`,
  TWILIO_AUTH_TOKEN: '2b'.repeat(16),
  TWILIO_FROM: '+15005550006',
  COSIGNER_NAME: 'example',
  COSIGNER_FOLDER: '/var/lib/cosigner',
  OPERATOR_NAME: 'Corner Bank',
  SERVICE_KEYS_FILE: '/etc/tandem/keys/service.json',
  COSIGNER_KEYS_FILE: '/etc/tandem/keys/cosigner.json',
  KEY_ENCRYPTION_KEY_FILE: '/etc/tandem/keys/before',
  ...Object.fromEntries(['API', 'COSIGNER', 'PORTAL', 'CONNECT'].map((role) => [`${role}_URL`, 'https://x.example'])),
}

const read = (variables: Variables) => Result.getOrThrow(readConfiguration(variables))
const refusal = (variables: Variables) =>
  Result.match(readConfiguration(variables), { onSuccess: () => 'accepted', onFailure: ({ message }) => message })

const folder = mkdtempSync(join(tmpdir(), 'tandem-settings-'))
afterAll(() => rmSync(folder, { recursive: true }))
const fileOf = (text: string) => {
  const file = join(folder, 'secret')
  writeFileSync(file, text)
  return file
}

/** What a running service takes anew (adapters/service/reload.ts). */
const takenAnew = ({ rates, operator, logLevel }: Configuration) => ({ rates, operator, logLevel })

/** Any text is one of these. */
const free = [
  'DATA_FOLDER',
  'COSIGNER_FOLDER',
  'ACCEPT_OLDER_COSIGNER_FOLDER',
  'PAGES_FOLDER',
  'OPERATOR_NAME',
  'OPERATOR_LOGO_FILE',
  'SERVICE_KEYS_FILE',
  'COSIGNER_KEYS_FILE',
  'KEY_ENCRYPTION_KEY_FILE',
  'MAIL_FROM',
  'COSIGNER_NAME',
]

describe.each(settingNames())('the setting %s', (name) => {
  const setting = settingOf(name)

  it('has its meaning, and an example that is accepted', () => {
    expect(setting).toMatchObject({ meaning: expect.stringMatching(/./), form: expect.stringMatching(/./) })
    expect(refusal({ ...sandbox, [name]: setting?.example })).toBe('accepted')
  })

  it('counts without being given as the reference says', () => {
    const usual = setting?.usual ?? ''
    expect(usual).not.toBe('')
    if (usual.startsWith('(')) return
    const base = name.startsWith('RATE_') ? sandbox : {}
    expect(read({ ...base, [name]: usual })).toEqual(read(base))
  })

  it('reloads if it is about what a running service takes anew, and about nothing else', () => {
    const base = { ...sandbox, OPERATOR_NAME: 'Other Bank' }
    const [before, after] = [read(base), read({ ...base, [name]: /^RATE_R/.test(name) ? '7/1m' : setting?.example })]
    const isTakenAnew = !isDeepStrictEqual(takenAnew(before), takenAnew(after))
    const isAlone = isDeepStrictEqual({ ...after, ...takenAnew(before) }, before)
    expect(setting?.reloads === true).toBe(isTakenAnew && isAlone)
  })

  it('is refused by a sentence that names it, unless any text is one', () => {
    const said = refusal({ ...sandbox, [name]: '¿ no sense ?' })
    expect(said).toMatch(free.includes(name) ? /^accepted$/ : new RegExp(`^${name} .*\\.$`))
  })
})

it.each(roles)('names the roles of a setting: a process of %s alone needs none of the others', (role) => {
  const its = (name: string) => settingOf(name)?.roles?.includes(role) !== false
  const own = Object.fromEntries(Object.entries(sandbox).filter(([name]) => its(name)))
  expect(refusal({ ...own, TANDEM_ROLES: role })).toBe('accepted')
  expect(Object.keys(own).includes('SMTP_URL')).toBe(role === 'api')
})

it('has no row of a setting that is not read', () => {
  expect(settingNames().filter((name) => settingOf(name) === undefined)).toEqual([])
  expect(secretNames.filter((name) => !settingNames().includes(name))).toEqual([])
  expect(settingOf('constructor')).toBeUndefined()
})

it('is the committed page', () => {
  const page = readFileSync(new URL('../../../adapters/service/SETTINGS.md', import.meta.url), 'utf8')
  expect(page).toBe(`${Result.getOrThrow(docs()).text}\n`)
})

describe('a secret', () => {
  it.each(secretNames)('%s may be given by a file, and not in both ways', (name) => {
    const text = settingOf(name)?.example ?? ''
    const base = { ...sandbox, [name]: undefined }
    expect(read({ ...base, [`${name}_FILE`]: fileOf(`${text}\n`) })).toEqual(read({ ...base, [name]: text }))
    expect(refusal({ ...base, [name]: text, [`${name}_FILE`]: '/a' })).toBe(
      `${name}_FILE is '/a', and ${name} is given, too.`,
    )
    expect(refusal({ ...base, [`${name}_FILE`]: '/nowhere/at/all' })).toBe(
      `${name}_FILE is '/nowhere/at/all', which cannot be read.`,
    )
    expect(refusal({ ...base, [`${name}_FILE`]: fileOf(' \n') })).toMatch(/, which is blank\.$/)
    const wrong = refusal({ ...base, [`${name}_FILE`]: fileOf('hunter2') })
    expect(wrong).toMatch(new RegExp(`^${name} `))
    expect(wrong).not.toContain('hunter2')
  })
})
