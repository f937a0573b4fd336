import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as Result from 'effect/Result'
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Operator } from '../../../domain/model/Operator.ts'
import type { DevelopmentFile } from '../../../adapters/development/developmentFile.ts'
import { startDevelopment } from '../../../adapters/development/stack.ts'
import { readConfiguration } from '../../../adapters/service/config.ts'
import { startService } from '../../../adapters/service/service.ts'
import { StartRefusal } from '../../../adapters/service/StartRefusal.ts'
import { createRing } from '../../../adapters/service/vault/ringFile.ts'
import { startChild, untilOk } from '../../kit/child.ts'
import { pageFiles, writePages } from '../../kit/pages.ts'
import { makeDatabaseUrl } from '../../kit/database.ts'
import { portOf } from '../../kit/ports.ts'
import { overTcp } from '../../kit/postgres.ts'
import { stackVariables as freeVariables, startStack, type Variables } from '../../kit/stack.ts'

const home = mkdtempSync(join(tmpdir(), 'tandem start '))
afterAll(() => rmSync(home, { recursive: true, force: true }))

/** These tests do not depend on the served pages, and building them takes time. */
const pages = writePages(join(home, 'pages'))
const stackVariables = async (folder: string): Promise<Variables> => ({
  ...(await freeVariables(folder)),
  PAGES_FOLDER: pages,
})

/** On PostgreSQL, which opens faster than PGlite: for tests that do not depend on the database. */
const onPostgres = async (folder: string): Promise<Variables> => ({
  ...(await stackVariables(folder)),
  DATABASE_URL: overTcp(await makeDatabaseUrl()),
})

const development = 'adapters/development/main.ts'
const production = 'adapters/service/main.ts'
const command = 'adapters/cli/main.ts'

/** The settings that every environment but DEV requires. */
const outside: Variables = {
  SMTP_URL: 'smtp://127.0.0.1:1',
  MAIL_FROM: 'no-reply@example.com',
  COSIGNER_NAME: 'example',
  OPERATOR_NAME: 'Corner Bank',
  COSIGNER_FOLDER: '/var/lib/cosigner',
  API_URL: 'https://api.example.com',
  COSIGNER_URL: 'https://cosigner.example.com',
  PORTAL_URL: 'https://portal.example.com',
  CONNECT_URL: 'https://connect.example.com',
}

const listenOn = (port: number): Promise<Server> =>
  new Promise((resolve) => {
    const server = createServer()
    server.listen(port, '127.0.0.1', () => resolve(server))
  })

const chainAnswers = (port: string | undefined): Promise<unknown> =>
  fetch(`http://127.0.0.1:${port}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}',
  }).then(
    (answer): Promise<unknown> => answer.json(),
    () => 'none',
  )

const untilGone = async (port: string | undefined) => {
  for (let tries = 0; tries < 50 && (await chainAnswers(port)) !== 'none'; tries++) {
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return chainAnswers(port)
}

/** The output of a start that fails. */
const refusalOf = async (start: 'npm start' | 'the service', variables: Variables): Promise<unknown> => {
  const said: string[] = []
  const configuration = readConfiguration(variables)
  if (Result.isFailure(configuration)) return configuration.failure
  const stops: (() => Promise<void>)[] = []
  const starting =
    start === 'npm start'
      ? startDevelopment(
          configuration.success,
          variables,
          (line) => said.push(line),
          (stop) => stops.push(stop),
        )
      : startService(configuration.success, pino({ level: 'silent' })).then(({ stop }) => stops.push(stop))
  const refusal = await starting.then(
    () => undefined,
    (cause: unknown) => cause,
  )
  for (const stop of stops) await stop()
  expect(said).toEqual([])
  return refusal
}

describe('a start that fails', () => {
  it.each([
    ['API_LISTEN', 'the role api'],
    ['ADMIN_LISTEN', 'the role admin'],
    ['EXAMPLE_LISTEN', 'the example app'],
    ['CHAIN_PORT', 'the local chain'],
  ])('names the port and its purpose when %s is taken', async (name, what) => {
    const taken = await listenOn(0)
    const port = portOf(taken)
    const variables = { ...(await stackVariables(join(home, `taken-${name}`))), [name]: String(port) }

    expect(await refusalOf('npm start', variables)).toEqual(
      new StartRefusal({ message: `Port ${port}, on which ${what} listens, is taken.` }),
    )
    taken.close()
  })

  it.each<[string, 'npm start' | 'the service', Variables, RegExp]>([
    [
      'a wrong value',
      'npm start',
      { TANDEM_ENVIRONMENT: 'BOX' },
      /^TANDEM_ENVIRONMENT is 'BOX', which is none of [A-Z, ]+\.$/,
    ],
    ['an invalid port', 'npm start', { CHAIN_PORT: 'x' }, /^CHAIN_PORT is 'x', which is not a port\.$/],
    [
      'an example app that has a path',
      'npm start',
      { EXAMPLE_URL: 'http://shop.localhost/x' },
      /^EXAMPLE_URL is 'http:\/\/shop\.localhost\/x', which has a path\.$/,
    ],
    [
      'pages that were not built',
      'npm start',
      { PAGES_FOLDER: '/nowhere' },
      /^PAGES_FOLDER is '\/nowhere', where the files of portal are missing or not as they were built; npm run build:pages makes them\.$/,
    ],
    [
      'npm start outside of DEV',
      'npm start',
      { ...outside, TANDEM_ENVIRONMENT: 'SANDBOX' },
      /^npm start is for DEV, and TANDEM_ENVIRONMENT is SANDBOX/,
    ],
    [
      'the service without mail',
      'the service',
      {},
      /^SMTP_URL is missing; the development mailbox comes with npm start\.$/,
    ],
    [
      'a database that is not there',
      'the service',
      { ...outside, DATABASE_URL: 'postgres://a:secret@127.0.0.1:1/b' },
      /^The database that DATABASE_URL names cannot be opened: (?!.*secret).*$/,
    ],
  ])('says in one sentence what is wrong with %s', async (_, start, change, sentence) => {
    const refusal = await refusalOf(start, { ...(await onPostgres(join(home, 'wrong'))), ...change })

    expect(refusal).toBeInstanceOf(StartRefusal)
    expect((refusal as StartRefusal).message).toMatch(sentence)
  })

  it.each<[string, string, Variables, string]>([
    [
      'npm start',
      development,
      { TANDEM_ENVIRONMENT: 'BOX' },
      "TANDEM_ENVIRONMENT is 'BOX', which is none of DEV, SANDBOX, BETA, PROD.\n",
    ],
    ['the service', production, {}, 'SMTP_URL is missing; the development mailbox comes with npm start.\n'],
  ])('ends the process of %s with that sentence and nothing else', async (_, script, change, sentence) => {
    const child = startChild(script, { ...(await stackVariables(join(home, 'ended'))), ...change })

    expect(await child.ended).toBe(1)
    expect(child.said()).toBe(sentence)
  })
})

describe('npm start', () => {
  let variables: Variables
  beforeAll(async () => {
    variables = await stackVariables(join(home, 'stack'))
  })
  const readFile = () => JSON.parse(readFileSync(join(home, 'stack', 'dev.json'), 'utf8')) as DevelopmentFile

  it('brings up every role, prints every address and keys, and writes them down', async () => {
    const stack = await startStack(variables)
    const file = readFile()
    const listing = startChild(command, variables, ['partner', 'list'])
    expect(await listing.ended).toBe(4)
    expect(listing.said()).toMatch(
      /is in use by process [0-9]+\.\nFix: Stop that process first: PGlite belongs to one\./,
    )

    expect(file).toEqual({
      apiKey: expect.stringMatching(/^pk_[\w-]{43}$/),
      secretKey: expect.stringMatching(/^sk_[\w-]{43}$/),
      partnerId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      addresses: {
        api: `http://localhost:${variables['API_LISTEN']}`,
        cosigner: `http://localhost:${variables['COSIGNER_LISTEN']}`,
        portal: `http://localhost:${variables['PORTAL_LISTEN']}`,
        connect: `http://localhost:${variables['CONNECT_LISTEN']}`,
        admin: `http://localhost:${variables['ADMIN_LISTEN']}`,
        example: `http://shop.localhost:${variables['EXAMPLE_LISTEN']}`,
        mailbox: `http://localhost:${variables['ADMIN_LISTEN']}/dev/mailbox`,
        chain: `http://127.0.0.1:${variables['CHAIN_PORT']}`,
      },
      faucet: {
        address: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/),
        privateKey: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      },
    })
    expect(statSync(join(home, 'stack', 'dev.json')).mode & 0o777).toBe(0o600)
    for (const shown of [...Object.values(file.addresses), file.apiKey, file.secretKey, file.partnerId]) {
      expect(stack.said()).toContain(shown)
    }
    expect(await chainAnswers(variables['CHAIN_PORT'])).toMatchObject({ result: '0x7a69' })
    expect(stack.said()).not.toMatch(/warning/i)

    expect(await stack.stop('SIGINT')).toBe(0)
    expect(await chainAnswers(variables['CHAIN_PORT'])).toBe('none')
  })

  it('keeps its keys over restarts, refuses a second stack on its folder, and leaves no chain behind when it is killed', async () => {
    const before = readFile()
    const stack = await startStack(variables)
    expect(readFile()).toEqual(before)
    const answer = await fetch(`${before.addresses.api}/touch`, {
      method: 'POST',
      headers: { 'x-external-api-key': before.apiKey },
    })
    expect(answer.status).toBe(200)

    const second = startChild(development, await stackVariables(join(home, 'stack')))
    expect(await second.ended).toBe(1)
    expect(second.said()).toBe(
      `The data folder ${join(home, 'stack')}/database is in use by process ${stack.process.pid}.\n`,
    )

    await stack.stop('SIGKILL')
    expect(await untilGone(variables['CHAIN_PORT'])).toBe('none')
    const third = await startStack(variables)
    expect(readFile()).toEqual(before)
    expect(await third.stop()).toBe(0)
  })
})

describe('the example app', () => {
  it('is a partner’s page on an origin of its own, with the addresses of the stack', async () => {
    const variables = await onPostgres(join(home, 'example'))
    const at = (host: string, name: string) => `http://${host}.localhost:${variables[name]}`
    const urls = {
      API_URL: at('api', 'API_LISTEN'),
      COSIGNER_URL: at('api', 'COSIGNER_LISTEN'),
      PORTAL_URL: at('portal', 'PORTAL_LISTEN'),
      CONNECT_URL: at('connect', 'CONNECT_LISTEN'),
      EXAMPLE_URL: at('shop', 'EXAMPLE_LISTEN'),
    }
    const chain = `http://127.0.0.1:${variables['CHAIN_PORT']}`
    const stack = await startStack({ ...variables, ...urls })
    const { apiKey, addresses } = JSON.parse(readFileSync(join(home, 'example', 'dev.json'), 'utf8')) as DevelopmentFile
    const example = `http://127.0.0.1:${variables['EXAMPLE_LISTEN']}`
    const page = await fetch(example, { headers: { accept: 'text/html' } })

    expect(await page.text()).toBe(pageFiles('example')['index.html'])
    expect(page.headers.get('content-security-policy')).toBe(
      `default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; font-src 'self'; img-src 'self' data:; ` +
        `connect-src 'self' ${urls.API_URL} ${urls.COSIGNER_URL} ${urls.PORTAL_URL} ${chain}; worker-src 'self' blob:; ` +
        `base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
    )
    expect(await (await fetch(`${example}/config.json`)).json()).toEqual({
      environment: 'DEV',
      hosts: {
        api: urls.API_URL,
        cosigner: urls.COSIGNER_URL,
        portal: urls.PORTAL_URL,
        connect: urls.CONNECT_URL,
        oauth: urls.API_URL,
      },
      apiKey,
      chain: { id: 31337, url: chain },
    })
    expect((await fetch(`${example}/web/passwords/login`)).status).toBe(404)
    expect(addresses).toMatchObject({
      api: urls.API_URL,
      portal: urls.PORTAL_URL,
      connect: urls.CONNECT_URL,
      example: urls.EXAMPLE_URL,
    })
    expect(await stack.stop()).toBe(0)
  })

  it('keeps its partner and the keys when its origin changes', async () => {
    const variables = await onPostgres(join(home, 'moves'))
    const touch = async (origin: string) => {
      const { apiKey } = JSON.parse(readFileSync(join(home, 'moves', 'dev.json'), 'utf8')) as DevelopmentFile
      const headers = { 'x-external-api-key': apiKey, origin }
      return {
        apiKey,
        status: (await fetch(`http://127.0.0.1:${variables['API_LISTEN']}/touch`, { method: 'POST', headers })).status,
      }
    }
    const stack = await startStack({ ...variables, EXAMPLE_URL: 'http://shop.example:1' })
    const before = [await touch('http://shop.example:1'), await touch('http://shop.example:2')]
    await stack.stop()
    const moved = await startStack({ ...variables, EXAMPLE_URL: 'http://shop.example:2' })
    const after = [await touch('http://shop.example:1'), await touch('http://shop.example:2')]
    await moved.stop()

    expect(before.map(({ status }) => status)).toEqual([200, 403])
    expect(after.map(({ status }) => status)).toEqual([403, 200])
    expect(new Set([...before, ...after].map(({ apiKey }) => apiKey)).size).toBe(1)
  })
})

describe('the service in BETA', () => {
  it('runs on PostgreSQL, with a key of the operator’s, without anything of development', async () => {
    const keyFile = join(home, 'keys', 'key')
    mkdirSync(join(home, 'keys'))
    writeFileSync(keyFile, `${'3f'.repeat(32)}\n`, { mode: 0o600 })
    const folder = join(home, 'beta')
    const variables: Variables = {
      ...(await onPostgres(folder)),
      ...outside,
      TANDEM_ENVIRONMENT: 'BETA',
      KEY_ENCRYPTION_KEY_FILE: keyFile,
      COSIGNER_FOLDER: join(home, 'beta-cosigner'),
      TRUSTED_PROXIES: '127.0.0.1',
    }
    const admin = `http://127.0.0.1:${variables['ADMIN_LISTEN']}`

    /** A process that starts in place of refusing does not outlive the test. */
    const start: typeof startChild = (...given) => {
      const child = startChild(...given)
      onTestFinished(() => void child.process.kill('SIGKILL'))
      return child
    }
    const service = start(production, variables, ['--role', 'api,cosigner,admin'])
    await untilOk(`${admin}/health/ready`, service)
    await service.until(/"msg":"listening"/)
    expect(service.said()).toContain(`"addresses":{"api":"http://127.0.0.1:${variables['API_LISTEN']}",`)

    const withoutPages = { status: 'ready', database: true, migrations: true, workers: true }
    expect(await (await fetch(`${admin}/health/ready`)).json()).toEqual(withoutPages)
    expect((await fetch(`${admin}/dev/mailbox`)).status).toBe(404)
    await expect(fetch(`http://127.0.0.1:${variables['PORTAL_LISTEN']}`)).rejects.toMatchObject({
      cause: { code: 'ECONNREFUSED' },
    })
    expect(await service.stop()).toBe(0)
    const ringFile = join(home, 'keys', 'development.json')
    createRing({ ring: 'service', path: ringFile, before: keyFile, environment: 'DEV' })
    const withDevelopmentKey = start(production, { ...variables, SERVICE_KEYS_FILE: ringFile })
    expect(await withDevelopmentKey.ended).toBe(1)
    expect(withDevelopmentKey.said()).toMatch(/holds development keys, which BETA does not accept\.\n$/)

    rmSync(join(home, 'beta-cosigner'), { recursive: true })
    const apiWithoutFolder = start(command, variables, ['start', '--role', 'api'])
    const withoutFolder = start(command, variables, ['start', '--role', 'cosigner,admin'])
    expect(await apiWithoutFolder.ended).toBe(3)
    expect(apiWithoutFolder.said()).toMatch(
      /^COSIGNER_FOLDER is '[^']+', which is not the folder of the co-signers of this database: .* Give every process and command the folder .*: start a co-signer first\./,
    )
    expect(await withoutFolder.ended).toBe(3)
    expect(withoutFolder.said()).toMatch(
      /^COSIGNER_FOLDER is '[^']+', which is missing, older than the database, .*: bans and epochs .* are lost/,
    )
    const [, accepted = ''] =
      /(ACCEPT_OLDER_COSIGNER_FOLDER=\S+)\.\nFix: tandem doctor\n$/.exec(withoutFolder.said()) ?? []
    const [name = '', incarnation = ''] = accepted.split('=')

    const file = join(home, 'beta.env')
    const give = (...lines: readonly string[]) => writeFileSync(file, lines.join('\n'))
    give('OPERATOR_NAME=Corner Bank', 'LOG_LEVEL=warn')
    const inDatabase = async (text: string) => {
      const client = new pg.Client({ connectionString: variables['DATABASE_URL'] })
      await client.connect()
      const { rows } = await client.query<{ readonly boot: string }>(text).finally(() => client.end())
      return rows
    }
    // Another co-signer, which does not see the one that starts: that waits, and has its signals already.
    await inDatabase(`insert into boots values ('other', 4e12)`)
    const boots = await inDatabase('select boot from boots')
    const { OPERATOR_NAME, ...inEnvironment } = { ...variables, [name]: incarnation, TANDEM_CONFIG: file }
    const again = start(command, inEnvironment, ['start', '--role', 'api,cosigner,portal,admin'])
    // As soon as the process catches it, which is before its code has loaded.
    const signals = () => readFileSync(`/proc/${again.process.pid}/status`, 'utf8')
    const caught = () => Number.parseInt(/SigCgt:\s*[0-9a-f]*([0-9a-f])$/m.exec(signals())?.[1] ?? '', 16)
    await expect.poll(() => caught() & 1, { interval: 5, timeout: 30_000 }).toBe(1)
    again.process.kill('SIGHUP')
    await expect
      .poll(() => inDatabase('select boot from boots'), { interval: 50, timeout: 30_000 })
      .toHaveLength(boots.length + 1)
    give('OPERATOR_NAME=Corner Bank', 'LOG_LEVEL=warn', 'AUDIT_DAYS=8')
    again.process.kill('SIGHUP')
    await inDatabase(`delete from boots where boot = 'other'`)
    await again.until(/"Changed, and need a restart: AUDIT_DAYS\."[^]*"Changed, and need a restart: AUDIT_DAYS\."/)
    await untilOk(`${admin}/health/ready`, again)
    const portal = `http://127.0.0.1:${variables['PORTAL_LISTEN']}`
    const shownName = async () => {
      const { operator } = (await (await fetch(`${portal}/config.json`)).json()) as { readonly operator: Operator }
      return operator.name
    }
    const hangUp = (until: RegExp) => {
      again.process.kill('SIGHUP')
      return again.until(until)
    }
    expect(await shownName()).toBe(OPERATOR_NAME)
    expect(again.said()).not.toContain('"level":30')

    // The environment has TRUSTED_PROXIES, and comes before the file.
    give('OPERATOR_NAME=Harbour Bank', 'LOG_LEVEL=info', 'RATE_R1=1/1h', 'AUDIT_DAYS=7', 'TRUSTED_PROXIES=10.0.0.1')
    await hangUp(/"Reloaded: OPERATOR_NAME, RATE_R1, LOG_LEVEL\."[^]*"Changed, and need a restart: AUDIT_DAYS\."/)
    expect(await shownName()).toBe('Harbour Bank')
    const statuses: number[] = []
    for (let calls = 0; calls < 11; calls++)
      statuses.push((await fetch(`http://127.0.0.1:${variables['API_LISTEN']}/.well-known/jwks.json`)).status)
    expect(statuses).toEqual([...Array<number>(10).fill(200), 429])
    await again.until(/"path":"\/\.well-known\/jwks\.json","status":429/)

    give('OPERATOR_NAME=Third Bank', 'RATE_R1=fast')
    await hangUp(/"level":50.*"Nothing was reloaded: RATE_R1 is 'fast', which is not a rate/)
    give('OPERATOR_NAME=Third Bank', 'LOG_LEVLE=warn')
    await hangUp(/"Nothing was reloaded: .+ has LOG_LEVLE, and no setting has this name\."/)
    give('OPERATOR_NAME=Harbour Bank', 'LOG_LEVEL=info', 'RATE_R1=1/1h')
    await hangUp(/"level":30.*"No setting that reloads has changed\."/)
    expect(await shownName()).toBe('Harbour Bank')
    expect(await again.stop()).toBe(0)
  })
})
