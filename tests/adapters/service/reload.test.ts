import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as Result from 'effect/Result'
import { afterAll, describe, expect, it } from 'vitest'
import { reloadOf } from '../../../adapters/service/reload.ts'
import { withSecretFiles, type Variables } from '../../../adapters/service/settings.ts'
import { secretNames } from '../../../adapters/service/settingsReference.ts'

const folder = mkdtempSync(join(tmpdir(), 'tandem-reload-'))
afterAll(() => rmSync(folder, { recursive: true }))

const running: Variables = {
  TANDEM_ENVIRONMENT: 'SANDBOX',
  SMTP_URL: 'smtps://tandem:hunter2@mail.example',
  MAIL_FROM: 'no-reply@example.com',
  COSIGNER_NAME: 'example',
  COSIGNER_FOLDER: '/var/lib/cosigner',
  OPERATOR_NAME: 'Corner Bank',
  RATE_R7: '3/1d',
  ...Object.fromEntries(['API', 'COSIGNER', 'PORTAL', 'CONNECT'].map((role) => [`${role}_URL`, 'https://x.example'])),
}

const reload = (change: Variables, from = running) => Result.getOrThrow(reloadOf(from, { ...running, ...change }, []))
const refusal = (change: Variables) =>
  Result.match(reloadOf(running, { ...running, ...change }, []), {
    onSuccess: () => 'accepted',
    onFailure: ({ message }) => message,
  })

describe('a reload', () => {
  it('takes the name, a limit and the level of the log, also one that is not given any more', () => {
    const { configuration, reloaded, waiting } = reload({
      OPERATOR_NAME: 'Harbour Bank',
      RATE_R8: '7/1m',
      RATE_R7: undefined,
      LOG_LEVEL: 'debug',
    })
    expect(reloaded).toEqual(['OPERATOR_NAME', 'RATE_R7', 'RATE_R8', 'LOG_LEVEL'])
    expect(waiting).toEqual([])
    expect(configuration).toMatchObject({
      operator: { name: 'Harbour Bank' },
      rates: { R7: { burst: 3, perMs: 28_800_000 }, R8: { burst: 7 } },
      logLevel: 'debug',
    })
  })

  it('changes nothing where no text differs', () => {
    expect(reload({ OPERATOR_NAME: ' Corner Bank ' })).toMatchObject({ reloaded: [], waiting: [] })
  })

  it('names what else differs each time, and goes on without it', () => {
    const first = reload({ TANDEM_ENVIRONMENT: 'DEV', PORTAL_URL: 'https://y.example', LOG_LEVEL: 'warn' })
    expect(first).toMatchObject({ reloaded: ['LOG_LEVEL'], waiting: ['TANDEM_ENVIRONMENT', 'PORTAL_URL'] })
    // Limits that are wider in DEV stay, too.
    expect(first.configuration).toEqual(reload({ LOG_LEVEL: 'warn' }).configuration)
    const second = reload({ TANDEM_ENVIRONMENT: 'DEV', LOG_LEVEL: 'warn' }, first.variables)
    expect(second).toMatchObject({ reloaded: [], waiting: ['TANDEM_ENVIRONMENT'] })
  })

  it('compares the text of a secret, wherever it is from', () => {
    const file = join(folder, 'smtp')
    const fromFile = { SMTP_URL: undefined, SMTP_URL_FILE: file }
    writeFileSync(file, `${running['SMTP_URL']}\n`)
    expect(reload(fromFile)).toMatchObject({ reloaded: [], waiting: [] })
    const started = Result.getOrThrow(withSecretFiles({ ...running, ...fromFile }, secretNames))
    writeFileSync(file, 'smtps://tandem:hunter3@mail.example')
    expect(reload({ ...fromFile, LOG_LEVEL: 'warn' }, started)).toMatchObject({
      reloaded: ['LOG_LEVEL'],
      waiting: ['SMTP_URL'],
    })
  })

  it('is refused where anything is wrong, by the sentence of a start', () => {
    expect(refusal({ LOG_LEVEL: 'warn', RATE_R1: 'fast' })).toMatch(/^RATE_R1 is 'fast', which is not a rate .*\.$/)
    expect(refusal({ LOG_LEVEL: 'warn', SMTP_URL: 'http://hunter2' })).toBe(
      'SMTP_URL is not an address that begins with smtp:// or smtps://.',
    )
    expect(refusal({ OPERATOR_NAME: '' })).toBe('OPERATOR_NAME is missing, and SANDBOX has no default for it.')
    // It starts in DEV without a name, and this process is none of DEV.
    expect(refusal({ TANDEM_ENVIRONMENT: 'DEV', OPERATOR_NAME: '' })).toBe(
      'OPERATOR_NAME is missing, and SANDBOX has no default for it.',
    )
  })
})
