/** Each fault that `tandem doctor` knows, on a set-up that has it; those of the database are in tests/service/doctor.test.ts. */
import { generateKeyPairSync } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createServer as createTlsServer } from 'node:tls'
import * as Redacted from 'effect/Redacted'
import * as Result from 'effect/Result'
import forge from 'node-forge'
import { SMTPServer } from 'smtp-server'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { runCommand } from '../../../adapters/cli/command.ts'
import type { Fault } from '../../../adapters/cli/doctor/Check.ts'
import { checkHosts } from '../../../adapters/cli/doctor/hosts.ts'
import { checkKeys } from '../../../adapters/cli/doctor/keys.ts'
import { checkMachine } from '../../../adapters/cli/doctor/machine.ts'
import { checkChains, checkMail, checkSms } from '../../../adapters/cli/doctor/outside.ts'
import { checkSettings } from '../../../adapters/cli/doctor/settings.ts'
import { readConfiguration, type Configuration } from '../../../adapters/service/config.ts'
import type { Variables } from '../../../adapters/service/settings.ts'
import { createRing, type RingFile } from '../../../adapters/service/vault/ringFile.ts'
import type { Ring } from '../../../domain/service/ports/SealedTables.ts'
import { writePages } from '../../kit/pages.ts'
import { freePort } from '../../kit/ports.ts'

const { md, pki } = forge

const home = mkdtempSync(join(tmpdir(), 'tandem-doctor-'))
afterAll(() => rmSync(home, { recursive: true }))
const ringFile = (ring: Ring): RingFile => ({
  ring,
  path: join(home, 'keys', `${ring}.json`),
  before: join(home, 'keys', 'before'),
  environment: 'PROD',
})
const pages = writePages(join(home, 'pages'))

let sound: Variables = {}
let prod: Variables = {}
beforeAll(async () => {
  mkdirSync(join(home, 'keys'))
  for (const ring of ['service', 'cosigner'] as const) createRing(ringFile(ring), Buffer.alloc(32, '7a', 'hex'))
  const roles = ['API', 'COSIGNER', 'PORTAL', 'CONNECT', 'ADMIN']
  const ports = await Promise.all(roles.map(async (role) => [`${role}_LISTEN`, `127.0.0.1:${await freePort()}`]))
  sound = { DATA_FOLDER: join(home, 'data'), PAGES_FOLDER: pages, ...(Object.fromEntries(ports) as Variables) }
  prod = {
    ...sound,
    TANDEM_ENVIRONMENT: 'PROD',
    TRUSTED_PROXIES: '10.0.0.1',
    DATABASE_URL: 'postgres://tandem:hunter2@db.example/tandem',
    SMTP_URL: 'smtp://tandem:hunter2@127.0.0.1:1',
    MAIL_FROM: 'no-reply@example.com',
    COSIGNER_NAME: 'example',
    COSIGNER_FOLDER: join(home, 'cosigner'),
    OPERATOR_NAME: 'Corner Bank',
    SERVICE_KEYS_FILE: ringFile('service').path,
    COSIGNER_KEYS_FILE: ringFile('cosigner').path,
    KEY_ENCRYPTION_KEY_FILE: ringFile('service').before,
    ...Object.fromEntries(
      ['API', 'COSIGNER', 'PORTAL', 'CONNECT'].map((role) => [`${role}_URL`, 'https://tandem.invalid']),
    ),
  }
})

const configured = (variables: Variables): Configuration => Result.getOrThrow(readConfiguration(variables))

/** What a fault says; each has a mend, and none a secret. */
const said = (faults: readonly Fault[]) => {
  for (const { sentence, fix } of faults) {
    expect(sentence).toMatch(/\.$/)
    expect(fix).not.toBe('')
    expect(sentence + fix).not.toContain('hunter2')
  }
  return faults.map(({ code, sentence }) => `${code} ${sentence}`)
}

const open: (() => unknown)[] = []
afterEach(() => {
  for (const close of open.splice(0)) close()
})
const listening = async (server: Server): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  open.push(() => server.close())
  return (server.address() as AddressInfo).port
}

describe('tandem doctor', () => {
  const run = (...words: readonly string[]) =>
    runCommand(['doctor', ...words], () => Promise.reject(new Error()), sound)

  it('finds nothing in a sound set-up, and makes nothing', async () => {
    expect(await run()).toEqual({ exitCode: 0, out: 'No problems found.', error: '' })
    expect(JSON.parse((await run('--json')).out)).toEqual({ ok: true, data: { problems: [] } })
    expect(() => rmSync(join(home, 'data'))).toThrow('ENOENT')
  })

  it('exits with 6, and says each fault with its mend', async () => {
    const faulty = { ...sound, PAGES_FOLDER: join(home, 'none'), TANDEM_ROLES: 'connect', DATABASE_URI: 'hunter2' }
    const { exitCode, out } = await runCommand(['doctor'], () => Promise.reject(new Error()), faulty)
    expect([exitCode, out]).toEqual([
      6,
      [
        '✗ D01 DATABASE_URI is set, and no setting has this name.',
        '      Fix: Did you mean DATABASE_URL?',
        `✗ D06 PAGES_FOLDER is '${join(home, 'none')}', where the files of connect are missing or not as they were built; npm run build:pages makes them.`,
        '      Fix: npm run build:pages',
        '2 problems found.',
      ].join('\n'),
    ])
    const answered = await runCommand(['doctor', '--json'], () => Promise.reject(new Error()), faulty)
    expect(JSON.parse(answered.out)).toMatchObject({
      ok: false,
      data: { problems: [{ code: 'D01' }, { code: 'D06' }] },
    })
  })

  it('says what is wrong with settings that make no configuration, and stops there', async () => {
    const { exitCode, out } = await runCommand(['doctor'], () => Promise.reject(new Error()), { API_LISTEN: 'x' })
    expect(exitCode).toBe(6)
    expect(out).toBe(
      "✗ D02 API_LISTEN is 'x', which is not host:port.\n      Fix: tandem config docs says what it may be.\n1 problem found.",
    )
    const without = await runCommand(['doctor'], () => Promise.reject(new Error()), { TANDEM_ENVIRONMENT: 'PROD' })
    expect(without.out).toContain('\n      Fix: tandem config docs says what each may be.\n')
  })
})

describe('settings', () => {
  const check = (variables: Variables) => checkSettings(variables, readConfiguration(variables))

  it.each([
    ['TANDEM_ROLE', 'TANDEM_ROLES'],
    ['RATE_R6_DYA', 'RATE_R6_DAY'],
    ['SMTP_URL_FIL', 'SMTP_URL_FILE'],
    ['COSIGNERFOLDER', 'COSIGNER_FOLDER'],
  ])('D01: %s is nearly %s', (name, near) => {
    expect(check({ [name]: 'hunter2' })).toMatchObject([{ code: 'D01', fix: `Did you mean ${near}?` }])
  })

  it('are not nearly what other programs have', () => {
    expect(check({ PATH: 'x', HOME: 'x', SHELL: 'x', API_KEY: 'x', NODE_OPTIONS: 'x', POLICY_FILE: 'x' })).toEqual([])
  })

  it('D02: make no configuration, without the secret', () => {
    expect(said(check({ DATABASE_URL: 'mysql://hunter2' }))).toEqual([
      'D02 DATABASE_URL is not an address that begins with postgres:// or postgresql://.',
    ])
  })

  it('D03: name no proxy', () => {
    expect(said(check({ ...prod, TRUSTED_PROXIES: undefined }))).toEqual([
      'D03 TRUSTED_PROXIES is missing: behind a proxy all users share the limits of one address.',
    ])
    expect(check(prod)).toEqual([])
  })
})

describe('the machine', () => {
  it('has nothing wrong where all is built and free', async () => {
    expect(await checkMachine(configured(prod))).toEqual([])
  })

  it('D04: runs an old Node', async () => {
    const machine = { nodeVersion: '22.12.0', kernelFile: undefined }
    expect(said(await checkMachine(configured(sound), machine))).toEqual([
      'D04 Node 22.12.0 is older than the one that this version is tested on.',
    ])
  })

  it('D05: has no kernel, or another one, for its co-signer', async () => {
    const other = join(home, 'kernel.wasm')
    writeFileSync(other, 'other')
    const check = (file: string, variables: Variables) =>
      checkMachine(configured(variables), { nodeVersion: '24.0.0', kernelFile: pathToFileURL(file) })
    expect(said(await check(other, prod))).toEqual([expect.stringMatching(/^D05 .* is not the one of this version/)])
    expect(said(await check(join(home, 'no.wasm'), prod))).toEqual([expect.stringMatching(/^D05 .* is missing/)])
    expect(await check(other, { ...prod, TANDEM_ROLES: 'api' })).toEqual([])
  })

  it('D06: has no pages, or changed ones', async () => {
    const changed = writePages(join(home, 'changed'))
    writeFileSync(join(changed, 'connect', 'index.html'), 'changed')
    expect(said(await checkMachine(configured({ ...sound, PAGES_FOLDER: changed })))).toEqual([
      expect.stringMatching(/^D06 .* the files of connect are missing or not as they were built/),
    ])
  })

  it('D07: has another process on a port, and not the service itself', async () => {
    const port = await listening(createServer((socket) => socket.destroy()))
    const sentence = (role: string, of: number) =>
      `D07 Port ${of}, on which the role ${role} listens, is taken, and nothing of this service answers there.`
    // Also beside a process with the role admin.
    const admin = await listening(createHttpServer((_, answer) => answer.end('{"status":"live"}')))
    const taken = { ...sound, API_LISTEN: `127.0.0.1:${port}`, ADMIN_LISTEN: `127.0.0.1:${admin}` }
    expect(said(await checkMachine(configured(taken)))).toEqual([sentence('api', port)])

    const other = await listening(createHttpServer((_, answer) => answer.writeHead(404).end('{"status":"up"}')))
    for (const role of ['api', 'cosigner', 'portal', 'connect', 'admin']) {
      const its = { ...sound, TANDEM_ROLES: role, [`${role.toUpperCase()}_LISTEN`]: `127.0.0.1:${other}` }
      expect(said(await checkMachine(configured(its)))).toEqual([sentence(role, other)])
    }
  })

  it.each(['0.0.0.0', '[::]', '10.0.0.7'])('D08: has its admin listener on %s', async (host) => {
    const faults = said(await checkMachine(configured({ ...prod, ADMIN_LISTEN: `${host}:0` })))
    expect(faults).toEqual([expect.stringMatching(/^D08 The admin listener is reached from other machines/)])
  })
})

describe('the public addresses', () => {
  const at = (origin: string) => {
    const hosts = { api: origin, cosigner: origin, portal: origin, connect: origin, oauth: origin }
    return { ...configured(prod), hosts }
  }
  const pair = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const keyPem = pair.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
  const publicPem = pair.publicKey.export({ format: 'pem', type: 'spki' }).toString()
  /** A server with a certificate of localhost that ends after so many days. */
  const certified = async (days: number, answer?: RequestListener) => {
    const certificate = pki.createCertificate()
    certificate.publicKey = pki.publicKeyFromPem(publicPem)
    certificate.serialNumber = '01'
    certificate.validity.notBefore = new Date(Date.now() - 60_000)
    certificate.validity.notAfter = new Date(Date.now() + days * 24 * 60 * 60_000 + 60_000)
    const name = [{ name: 'commonName', value: 'localhost' }]
    certificate.setSubject(name)
    certificate.setIssuer(name)
    certificate.setExtensions([
      { name: 'basicConstraints', cA: true },
      { name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] },
    ])
    certificate.sign(pki.privateKeyFromPem(keyPem), md.sha256.create())
    const cert = pki.certificateToPem(certificate)
    const server =
      answer === undefined ? createTlsServer({ key: keyPem, cert }) : createHttpsServer({ key: keyPem, cert }, answer)
    server.on('tlsClientError', () => undefined)
    return { ca: cert, origin: `https://localhost:${await listening(server)}` }
  }

  /** As the service behind a proxy that takes bodies of so many bytes. */
  const answering =
    (limit = 512 * 1024): RequestListener =>
    (asked, answer) => {
      const { origin = '', 'content-length': length = '0' } = asked.headers
      const status = Number(length) > limit ? 413 : asked.method === 'OPTIONS' ? 204 : 404
      asked.resume()
      answer.writeHead(status, { 'access-control-allow-origin': origin }).end()
    }

  it('are not looked at in DEV', async () => {
    expect(await checkHosts({ ...at('https://tandem.invalid'), environment: 'DEV' })).toEqual([])
  })

  it('D09: are not found', async () => {
    expect(said(await checkHosts(at('https://tandem.invalid')))).toEqual([
      'D09 tandem.invalid has no address here: browsers may not find https://tandem.invalid either.',
    ])
  })

  it('D10: do not answer, or with a certificate that is not valid', async () => {
    const closed = `https://localhost:${await freePort()}`
    expect(said(await checkHosts(at(closed)))).toEqual([
      expect.stringMatching(/^D10 https:\/\/localhost:\d+ does not answer by TLS .* \(ECONNREFUSED\)\.$/),
    ])
    const { origin } = await certified(90)
    const unknown = await checkHosts(at(origin))
    expect(said(unknown)).toEqual([expect.stringMatching(/^D10 .*SELF_SIGNED_CERT\)\.$/)])
    expect(unknown[0]?.fix).toContain('NODE_EXTRA_CA_CERTS=')
  })

  it('D11: have a certificate that ends soon', async () => {
    const ending = await certified(3)
    expect(said(await checkHosts(at(ending.origin), ending))).toEqual([
      `D11 The certificate of ${ending.origin} ends in 3 days.`,
    ])
    const lasting = await certified(90, answering())
    expect(await checkHosts(at(lasting.origin), lasting)).toEqual([])
  })

  it.each<[string, RequestListener, RegExp | string]>([
    ['drops the headers of CORS', (_, answer) => void answer.writeHead(204).end(), 'no allowed origin (status 204)'],
    [
      'adds its own beside the service’s',
      (asked, answer) =>
        void answer.writeHead(204, { 'access-control-allow-origin': `*, ${asked.headers.origin}` }).end(),
      /the allowed origin '\*, https:\/\/localhost:\d+' \(status 204\)/,
    ],
  ])('D32: a proxy %s', async (_, answer, part) => {
    const proxy = await certified(90, answer)
    const [fault = '', ...others] = said(await checkHosts(at(proxy.origin), proxy))
    expect(others).toEqual([])
    expect(fault).toMatch(/^D32 A preflight of .* browsers refuse the service's answers\.$/)
    expect(fault).toMatch(part)
  })

  it('D32: a proxy does not reach the service, once that runs', async () => {
    const proxy = await certified(90, (_, answer) => void answer.writeHead(502).end())
    expect(await checkHosts(at(proxy.origin), proxy)).toEqual([])
    const live = createHttpServer((_, answer) => void answer.end('{"status":"live"}'))
    const admin = { host: '127.0.0.1', port: await listening(live) }
    const { listeners, ...rest } = at(proxy.origin)
    const running = { ...rest, listeners: { ...listeners, admin } }
    expect(said(await checkHosts(running, proxy))).toEqual([expect.stringMatching(/^D32 .* \(status 502\): /)])
  })

  it('D33: a proxy refuses large frames', async () => {
    const proxy = await certified(90, answering(255 * 1024))
    expect(said(await checkHosts(at(proxy.origin), proxy))).toEqual([
      `D33 The proxy before ${proxy.origin} refuses bodies of 256 KiB: key generations and signatures fail there.`,
    ])
  })
})

describe('the files beside the database', () => {
  it('are sound where the rings are their owner’s alone', async () => {
    mkdirSync(join(home, 'cosigner'), { mode: 0o700 })
    expect(await checkKeys(configured(prod))).toEqual([])
    expect(await checkKeys(configured(sound))).toEqual([])
  })

  it('D22: lack a ring, or have one that is none or that others can read', async () => {
    const check = (file: string) => checkKeys(configured({ ...prod, COSIGNER_KEYS_FILE: file }))
    expect(said(await check(join(home, 'keys', 'none')))).toEqual([expect.stringMatching(/^D22 .* does not exist/)])
    expect(
      await checkKeys(configured({ ...prod, COSIGNER_KEYS_FILE: join(home, 'none', 'ring'), TANDEM_ROLES: 'api' })),
    ).toEqual([])
    const broken = join(home, 'keys', 'broken')
    writeFileSync(broken, 'hunter2', { mode: 0o600 })
    expect(said(await check(broken))).toEqual([expect.stringMatching(/^D22 .* is not a key ring of this version\.$/)])
    const shared = join(home, 'keys', 'shared')
    createRing({ ...ringFile('cosigner'), path: shared }, Buffer.alloc(32, '7a', 'hex'))
    chmodSync(shared, 0o644)
    const faults = said(await check(shared))
    expect(faults).toEqual([expect.stringMatching(/^D22 .* can be read by others than its owner/)])
    expect(faults.join()).not.toContain('7a7a')
  })

  it('D23: have a ring where the embedded database is', async () => {
    const path = join(home, 'data', 'ring')
    mkdirSync(join(home, 'data'))
    createRing({ ...ringFile('service'), path })
    const beside = { ...prod, TANDEM_ENVIRONMENT: 'SANDBOX', DATABASE_URL: undefined, SERVICE_KEYS_FILE: path }
    expect(said(await checkKeys(configured(beside)))).toEqual([
      expect.stringMatching(/^D23 .* lies in the folder of the database/),
    ])
  })

  it('D28: have one key and no rings', async () => {
    const before = join(home, 'keys', 'one')
    writeFileSync(before, '7a'.repeat(32), { mode: 0o600 })
    const none = join(home, 'keys', 'nothing')
    const one = { ...prod, SERVICE_KEYS_FILE: none, COSIGNER_KEYS_FILE: none, KEY_ENCRYPTION_KEY_FILE: before }
    expect(said(await checkKeys(configured(one)))).toEqual([
      `D28 There are no key rings: the one key in ${before} opens everything in every role.`,
    ])
  })

  it('D24: let others read what the co-signer keeps', async () => {
    const folder = join(home, 'open')
    mkdirSync(folder)
    chmodSync(folder, 0o755)
    const shared = { ...prod, COSIGNER_FOLDER: folder }
    expect(said(await checkKeys(configured(shared)))).toEqual([expect.stringMatching(/^D24 COSIGNER_FOLDER is /)])
    expect(await checkKeys(configured({ ...shared, TANDEM_ROLES: 'api' }))).toHaveLength(1)
    expect(await checkKeys(configured({ ...shared, TANDEM_ROLES: 'portal,admin' }))).toEqual([])
  })
})

describe('the outside', () => {
  const mailAt = (port: number, password: string) => ({
    ...configured(prod),
    smtp: { url: Redacted.make(`smtp://ada:${password}@127.0.0.1:${port}`), from: 'no-reply@example.com' },
  })

  it('D25: has no mail server that takes the password', async () => {
    const server = new SMTPServer({
      disabledCommands: ['STARTTLS'],
      onAuth: ({ password }, _, answer) => {
        if (password === 'right') answer(null, { user: 'ada' })
        else answer(new Error('no'))
      },
    })
    const port = await listening(server.server)
    expect(await checkMail(mailAt(port, 'right'))).toEqual([])
    expect(said(await checkMail(mailAt(port, 'hunter2')))).toEqual([
      `D25 The mail server that SMTP_URL names, 127.0.0.1:${port}, refuses or does not answer (EAUTH): codes are not delivered.`,
    ])
    for (const [scheme, usual] of [
      ['smtp', 587],
      ['smtps', 465],
    ]) {
      const SMTP_URL = `${scheme}://ada:hunter2@localhost.invalid`
      const [fault] = said(await checkMail(configured({ ...prod, SMTP_URL })))
      expect(fault).toContain(`names, localhost.invalid:${usual}, refuses`)
    }
    expect(said(await checkMail(configured(prod)))).toEqual([expect.stringMatching(/^D25 .* \(ESOCKET\)/)])
  })

  it('D30 and D31: has a Twilio that does not answer, or refuses the account', async () => {
    const [accountSid, token, other] = [`AC${'1a'.repeat(16)}`, '2b'.repeat(16), 'hunter2'.padEnd(32, '0')]
    const asked: (string | undefined)[] = []
    let status = 'active'
    const port = await listening(
      createHttpServer(({ method, url, headers }, answer) => {
        asked.push(`${method} ${url}`)
        const isRight = headers.authorization === `Basic ${btoa(`${accountSid}:${token}`)}`
        answer.statusCode = isRight ? 200 : 401
        answer.end(JSON.stringify(isRight ? { sid: accountSid, status } : { code: 20003, status: 401 }))
      }),
    )
    const check = (authToken: string, at = port) =>
      checkSms(
        configured({
          ...sound,
          TWILIO_ACCOUNT_SID: accountSid,
          TWILIO_AUTH_TOKEN: authToken,
          TWILIO_FROM: '+15005550006',
          TWILIO_API_URL: `http://127.0.0.1:${at}`,
        }),
      )
    expect(await checkSms(configured(sound))).toEqual([])
    expect(await check(token)).toEqual([])
    expect(asked).toEqual([`GET /2010-04-01/Accounts/${accountSid}.json`])
    const refused = (how: string) =>
      `D31 Twilio refuses the account that TWILIO_ACCOUNT_SID names (${how}): no one gets an SMS.`
    expect(said(await check(other))).toEqual([refused('401')])
    status = 'suspended'
    expect(said(await check(token))).toEqual([refused('suspended')])
    expect(said(await check(token, await freePort()))).toEqual(['D30 Twilio does not answer: no one gets an SMS.'])
  })

  it('D26 and D27: has a provider that does not answer, or one of another chain', async () => {
    const port = await listening(
      createHttpServer((_, answer) => answer.end('{"jsonrpc":"2.0","id":1,"result":"0x89"}')),
    )
    const provider = `http://127.0.0.1:${port}/hunter2`
    const chains = (...entries: readonly string[]) =>
      checkChains(configured({ ...sound, CHAIN_RPC_URLS: entries.join(' ') }))
    expect(await chains(`137=${provider}`)).toEqual([])
    const closed = `http://127.0.0.1:${await freePort()}/hunter2`
    expect(said(await chains(`137=${provider}`, `1=${provider}`, `10=${closed}`))).toEqual([
      'D27 The provider of chain 1 in CHAIN_RPC_URLS is one of chain 137.',
      'D26 The provider of chain 10 in CHAIN_RPC_URLS does not answer.',
    ])
  })
})
