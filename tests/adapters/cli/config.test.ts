import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { runCommand } from '../../../adapters/cli/command.ts'

const secrets = {
  DATABASE_URL: 'postgres://tandem:hunter2@db.example/tandem',
  CHAIN_RPC_URLS: '1=https://rpc.example/hunter2',
}
const files: Readonly<Record<string, string>> = {
  'tandem.env': `# one's\nOPERATOR_NAME="Shop #1" # two\nAUDIT_DAYS=7\nLOG_LEVEL=debug # two\nRATE_R1=9/1s\n`,
}
const readFile = (path: string) => (path in files ? Promise.resolve(files[path] ?? '') : Promise.reject(new Error()))
const run = (words: readonly string[], variables = {}) => runCommand(words, readFile, variables)

describe('tandem config print', () => {
  it('shows each setting, where it is from, and no secret', async () => {
    const { exitCode, out } = await run(['config', 'print'], { ...secrets, API_LISTEN: '9000' })
    expect(exitCode).toBe(0)
    expect(out).toMatch(/^API_LISTEN +9000 +the environment$/m)
    expect(out).toMatch(/^PORTAL_LISTEN +127\.0\.0\.1:3003 +default$/m)
    expect(out).toMatch(/^DATABASE_URL +\(secret\) +the environment$/m)
    expect(out).not.toContain('hunter2')
    const columns = out.split('\n').map((line) => line.search(/\S+$|the environment$/))
    expect(new Set(columns).size).toBe(1)
  })

  it('shows the limits that count in DEV, where some are wider', async () => {
    const { out } = await run(['config', 'print'])
    expect(out).toMatch(/^RATE_R8 +1000\/1m burst 6000 +default$/m)
    expect(out).toMatch(/^RATE_R7 +3\/1d burst 3 +default$/m)
  })

  it('answers as JSON', async () => {
    const { out } = await run(['config', 'print', '--json'], secrets)
    expect(JSON.parse(out)).toMatchObject({ ok: true })
    expect(JSON.parse(out).data.settings).toContainEqual({
      name: 'SMTP_URL',
      value: '(with `npm start` the development mailbox; has to be given elsewhere)',
      from: 'default',
    })
    expect(out).not.toContain('hunter2')
  })

  it('is refused where a setting is wrong, without quoting a secret', async () => {
    const { exitCode, out } = await run(['config', 'print', '--json'], { DATABASE_URL: 'mysql://hunter2' })
    expect(exitCode).toBe(3)
    expect(JSON.parse(out)).toMatchObject({
      ok: false,
      error: { code: 'configuration', message: expect.stringMatching(/^DATABASE_URL is not an address/) as string },
    })
    expect(out).not.toContain('hunter2')
  })
})

describe('a file of settings', () => {
  it('counts where the environment is silent', async () => {
    const given = { LOG_LEVEL: 'error', AUDIT_DAYS: ' ', API_LISTEN: '' }
    const { out } = await run(['config', 'print', '--config', 'tandem.env'], given)
    expect(out).toMatch(/^AUDIT_DAYS +7 +the settings in tandem\.env$/m)
    expect(out).toMatch(/^RATE_R1 +9\/1s +the settings in tandem\.env$/m)
    expect(out).toMatch(/^OPERATOR_NAME +Shop #1 +the settings in tandem\.env$/m)
    expect(out).toMatch(/^LOG_LEVEL +error +the environment$/m)
    expect(out).toMatch(/^API_LISTEN +127\.0\.0\.1:8080 +default$/m)
    // A blank one that the file does not give is still seen.
    expect((await run(['config', 'print', '--config', 'tandem.env'], { TANDEM_ROLES: ' ' })).exitCode).toBe(3)
  })

  it('is that of TANDEM_CONFIG where --config names none', async () => {
    const named = { TANDEM_CONFIG: 'tandem.env' }
    expect((await run(['config', 'print'], named)).out).toMatch(/^AUDIT_DAYS +7 /m)
    expect((await run(['config', 'print', '--config', 'none.env'], named)).exitCode).toBe(3)
  })

  it('is refused where it cannot be read', async () => {
    expect(await run(['config', 'print', '--config', 'none.env'])).toMatchObject({
      exitCode: 3,
      error: expect.stringContaining('none.env cannot be read.') as string,
    })
    expect(await run(['config', 'print', '--config'])).toMatchObject({ exitCode: 2 })
  })
})

it('tandem config schema takes settings alone, and shows which are secrets', async () => {
  const { exitCode, out } = await run(['config', 'schema'])
  expect(exitCode).toBe(0)
  const schema = JSON.parse(out) as { readonly properties: Readonly<Record<string, object>> }
  const validate = new Ajv2020({ strict: true }).compile(schema)
  expect(validate({ API_URL: 'https://api.example', DATABASE_URL_FILE: '/run/secrets/database' })).toBe(true)
  expect(validate({ API_URI: 'https://api.example' })).toBe(false)
  expect(validate({ API_URL: 1 })).toBe(false)
  expect(schema.properties['DATABASE_URL']).toMatchObject({ writeOnly: true })
  expect(schema.properties['API_LISTEN']).toMatchObject({ default: '127.0.0.1:8080' })
})
