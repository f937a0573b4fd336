import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as Effect from 'effect/Effect'
import * as Result from 'effect/Result'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkMachine, isRunning } from '../../../adapters/cli/doctor/machine.ts'
import { readConfiguration } from '../../../adapters/service/config.ts'
import { readLogo } from '../../../adapters/service/pages/Logo.ts'
import { StartRefusal } from '../../../adapters/service/StartRefusal.ts'
import type { Operator } from '../../../domain/model/Operator.ts'
import { staticFiles } from '../../../domain/model/PortalFiles.ts'
import { Deployment } from '../../../domain/service/ports/Deployment.ts'
import { Rates } from '../../../domain/service/rates.ts'
import { pageFiles, workerFiles, writePages } from '../../kit/pages.ts'
import { startService, type TestService } from '../../kit/service.ts'

const folder = mkdtempSync(join(tmpdir(), 'tandem pages '))
const pages = writePages(folder)
const logo = join(folder, 'logo.svg')
writeFileSync(logo, '<svg xmlns="http://www.w3.org/2000/svg"/>')
const lines: string[] = []
let service: TestService
let portal = ''
let connect = ''
beforeAll(async () => {
  service = await startService({
    environment: {
      PAGES_FOLDER: pages,
      API_URL: 'http://api.localhost:8080',
      OPERATOR_NAME: 'Corner Bank',
      OPERATOR_LOGO_FILE: logo,
    },
    log: (line) => lines.push(line),
  })
  portal = service.addresses.portal
  connect = service.addresses.connect
})
afterAll(async () => {
  await service.stop()
  rmSync(folder, { recursive: true })
})

const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

const policy = (api: string) =>
  `default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; font-src 'self'; img-src 'self' data:; ` +
  `connect-src 'self' ${api}; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

const sent = (answer: Response, ...names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, answer.headers.get(name)]))

/** The path goes out as it stands: fetch would tidy it up. */
const statusOf = (base: string, path: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(base)
    const asked = request({ hostname, port, path }, (answer) => {
      answer.resume()
      resolve(answer.statusCode)
    })
    asked.once('error', reject)
    asked.end()
  })

const portalPaths = [
  '/web/users/8c5d2f0e/passwords/9a8b7c6d?apiKey=pk_1',
  '/web/users/8c5d2f0e/biometrics/9a8b7c6d',
  '/web/passwords/login?email=ada%40example.com',
  '/web/biometrics/login',
  '/web/users/8c5d2f0e/transaction-review/1',
  '/web/users/8c5d2f0e/on-ramp-transaction/1',
  '/short/00112233',
  '/short/id%7C0011',
]

describe('the pages of the portal', () => {
  it.each(portalPaths)('answer %s, which no cache keeps', async (path) => {
    const answer = await fetch(portal + path, { headers: html })

    expect([answer.status, await answer.text()]).toEqual([200, pageFiles('portal')['index.html']])
    expect(sent(answer, 'content-type', 'cache-control', 'etag', 'last-modified', 'set-cookie')).toEqual({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      etag: null,
      'last-modified': null,
      'set-cookie': null,
    })
  })

  it('run only their own scripts, ask only the API, and cannot be framed', async () => {
    for (const path of ['/web/passwords/login', '/nowhere', '/config.json', '/assets/index-1a2b3c.js']) {
      const answer = await fetch(portal + path, { headers: html })

      expect(sent(answer, 'content-security-policy', 'referrer-policy', 'x-content-type-options')).toEqual({
        'content-security-policy': policy('http://api.localhost:8080'),
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
      })
      expect(
        sent(answer, 'cross-origin-opener-policy', 'cross-origin-resource-policy', 'access-control-allow-origin'),
      ).toEqual({
        'cross-origin-opener-policy': 'unsafe-none',
        'cross-origin-resource-policy': 'same-origin',
        'access-control-allow-origin': null,
      })
      expect(answer.headers.get('permissions-policy')).toMatch(
        /^publickey-credentials-create=\(self\), publickey-credentials-get=\(self\), .*camera=\(\)/,
      )
      expect(answer.headers.get('strict-transport-security')).toBeNull()
    }
  })

  it('load assets named by their content, which may be cached for ever', async () => {
    const script = await fetch(`${portal}/assets/index-1a2b3c.js`)
    const style = await fetch(`${portal}/assets/index-1a2b3c.css`)

    expect(await script.text()).toBe(pageFiles('portal')['assets/index-1a2b3c.js'])
    expect(sent(script, 'content-type', 'cache-control')).toEqual({
      'content-type': 'application/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
    })
    expect(sent(style, 'content-type')).toEqual({ 'content-type': 'text/css; charset=utf-8' })
  })

  it('read their deployment from their own origin', async () => {
    const answer = await fetch(`${portal}/config.json`)

    expect(sent(answer, 'cache-control', 'content-type')).toEqual({
      'cache-control': 'no-store',
      'content-type': 'application/json; charset=utf-8',
    })
    expect(await answer.json()).toEqual({
      environment: 'DEV',
      hosts: {
        api: 'http://api.localhost:8080',
        cosigner: 'http://localhost:3000',
        portal: 'http://localhost:3003',
        connect: 'http://localhost:3008',
        oauth: 'http://api.localhost:8080',
      },
      operator: { name: 'Corner Bank', logo: '/operator-logo' },
    })
  })

  it('have the logo of the operator, which runs nothing', async () => {
    for (const page of [portal, connect]) {
      const answer = await fetch(`${page}/operator-logo`)

      expect([answer.status, await answer.text()]).toEqual([200, '<svg xmlns="http://www.w3.org/2000/svg"/>'])
      expect(answer.headers.get('content-type')).toMatch(/^image\/svg\+xml/)
      expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self'/)
    }
  })

  it('have another name, logo and limit after a reload, or all stay', async () => {
    const shown = async (page: string) => {
      const { operator } = (await (await fetch(`${page}/config.json`)).json()) as { readonly operator: Operator }
      const image = await fetch(`${page}/operator-logo`)
      return [operator.name, operator.logo, image.status, image.headers.get('content-type')]
    }
    const read = () => service.run(Effect.all([Effect.map(Deployment, ({ operatorName }) => operatorName), Rates]))
    const before = await read()
    const png = join(folder, 'logo.png')
    writeFileSync(png, 'an image')
    const change = { OPERATOR_NAME: 'Harbour Bank', RATE_R7: '7/1d', PORTAL_URL: 'http://other.localhost' }
    expect(service.reload({ ...change, OPERATOR_LOGO_FILE: png })).toEqual({ hasOtherLogo: true })
    const after = ['Harbour Bank', { ...before[1], R7: { burst: 7, perMs: 86_400_000 / 7 } }]
    expect(await read()).toEqual(after)
    expect(await service.run(Effect.map(Deployment, ({ portalOrigin }) => portalOrigin))).toBe('http://localhost:3003')
    for (const page of [portal, connect])
      expect(await shown(page)).toEqual(['Harbour Bank', '/operator-logo', 200, 'image/png'])

    expect(() => service.reload({ OPERATOR_LOGO_FILE: join(folder, 'none.svg') })).toThrow(StartRefusal)
    expect(await read()).toEqual(after)
    expect(await shown(portal)).toEqual(['Harbour Bank', '/operator-logo', 200, 'image/png'])
    expect(service.reload({ OPERATOR_LOGO_FILE: '' })).toEqual({ hasOtherLogo: true })
    expect(await shown(portal)).toEqual(['Corner Bank', null, 404, 'text/plain; charset=utf-8'])
    expect(service.reload({})).toEqual({ hasOtherLogo: true })
    expect(service.reload({})).toEqual({ hasOtherLogo: false })
    expect(await read()).toEqual(before)
  })

  it.each([
    '/',
    '/index.html',
    '/404.html',
    '/web',
    '/web/passwords',
    '/web/passwords/login/',
    '/web/users/a/passwords/b/c',
    '/web/users/a/wallets/b',
    '/short',
    '/short/',
    '/short/a/b',
    '/assets',
    '/web/users/a/passwords/',
    '/assets/none.js',
    '/assets/index-1a2b3c.js/',
    '/static/js/other.js',
    '/portal.json',
    '/static.json',
    '/touch',
  ])('are not at %s: browsers get a page, other clients the sentence', async (path) => {
    const toPeople = await fetch(portal + path, { headers: html })
    const toOthers = await fetch(portal + path)

    expect([toPeople.status, await toPeople.text()]).toEqual([404, pageFiles('portal')['404.html']])
    expect(sent(toPeople, 'content-type', 'cache-control')).toEqual({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
    })
    expect([toOthers.status, toOthers.headers.get('x-error-code'), await toOthers.text()]).toEqual([
      404,
      'NotFound',
      'not found',
    ])
  })

  it.each([
    '/assets/',
    '/assets/../index.html',
    '/assets/..%2findex.html',
    '/assets/%2e%2e/index.html',
    '/assets/..%5cindex.html',
    '/assets//index-1a2b3c.js',
    '/assets/./index-1a2b3c.js',
    '/assets/%00',
    '/assets/../../portal.json',
    '/static/js/../../portal.json',
  ])('answer %s with a status of 4xx', async (path) => {
    expect(await statusOf(portal, path)).toBeGreaterThanOrEqual(400)
    expect(await statusOf(portal, path)).toBeLessThan(500)
  })

  it('answer 404 to every method but GET', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
      expect([method, (await fetch(`${portal}/web/passwords/login`, { method })).status]).toEqual([method, 404])
    }
  })
})

describe('the page of connect', () => {
  it('is at its root and where wallets are recovered, and may ask the co-signer for new shares', async () => {
    for (const path of ['', '/recover?apiKey=key&email=ada%40example.com']) {
      const answer = await fetch(connect + path, { headers: html })

      expect([answer.status, await answer.text()]).toEqual([200, pageFiles('connect')['index.html']])
      expect(answer.headers.get('content-security-policy')).toBe(
        policy('http://api.localhost:8080 http://localhost:3000'),
      )
    }
    for (const path of ['/web/passwords/login', '/static/js/main.wasm', '/index.html', '/recover/', '/recover/more']) {
      expect([path, (await fetch(connect + path)).status]).toEqual([path, 404])
    }
  })
})

describe('the files that workers load', () => {
  it('are served as they were built; in front of the protocol worker one line names the deployment', async () => {
    const source = await (await fetch(`${portal}/static/js/mpcWorker-bundle.js`)).text()
    const [line = ''] = source.split('\n')
    const { environment, hosts } = (await (await fetch(`${portal}/config.json`)).json()) as Record<string, unknown>

    expect(line).toBe(`self.tandemDeployment=${JSON.stringify({ environment, hosts })};`)
  })

  const types = { js: 'text/javascript; charset=utf-8', wasm: 'application/wasm' }

  it.each(staticFiles)('are there for pages of every origin: %s', async (file) => {
    const answer = await fetch(`${portal}/static/js/${file}`, { headers: { origin: 'https://any.example' } })
    const bytes = Buffer.from(await answer.arrayBuffer())

    const built = bytes.subarray(file === 'mpcWorker-bundle.js' ? bytes.indexOf('\n') + 1 : 0)
    expect(answer.status).toBe(200)
    expect(built.equals(Buffer.from(workerFiles[`js/${file}`]!))).toBe(true)
    expect(
      sent(answer, 'content-type', 'access-control-allow-origin', 'cross-origin-resource-policy', 'cache-control'),
    ).toEqual({
      'content-type': file.endsWith('.wasm') ? types.wasm : types.js,
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': 'no-cache',
    })
    expect(sent(answer, 'access-control-allow-credentials', 'x-content-type-options')).toEqual({
      'access-control-allow-credentials': null,
      'x-content-type-options': 'nosniff',
    })
  })

  it('are not sent again to a client that has them', async () => {
    const url = `${portal}/static/js/main.wasm`
    const tag = (await fetch(url)).headers.get('etag') ?? ''

    const again = await fetch(url, { headers: { 'if-none-match': tag } })
    const other = await fetch(url, { headers: { 'if-none-match': '"another"' } })

    expect([again.status, (await again.arrayBuffer()).byteLength]).toEqual([304, 0])
    expect(other.status).toBe(200)
  })

  it('are sent only if they are those that were built', async () => {
    const file = join(pages, 'static', 'js', 'prime.worker.min.js')
    writeFileSync(file, 'steal()')

    const answer = await fetch(`${portal}/static/js/prime.worker.min.js`)
    const ready = await fetch(`${service.addresses.admin}/health/ready`)
    writeFileSync(file, workerFiles['js/prime.worker.min.js']!)

    expect([answer.status, await answer.text()]).toEqual([503, 'prime.worker.min.js is not as it was built'])
    expect([ready.status, await ready.json()]).toEqual([
      503,
      { status: 'not ready', database: true, migrations: true, workers: true, pages: false },
    ])
    expect((await fetch(`${portal}/static/js/prime.worker.min.js`)).status).toBe(200)
    expect((await fetch(`${service.addresses.admin}/health/ready`)).status).toBe(200)
  })
})

describe('the log of the pages’ listeners', () => {
  it('has the template of a path, never the values of an address', async () => {
    lines.length = 0
    const secret = 'e5ec2e75'

    await fetch(`${portal}/web/passwords/login?encryptionKey=${secret}&email=${secret}`)
    await fetch(`${portal}/web/users/${secret}/passwords/${secret}?sessionId=${secret}`)
    await fetch(`${portal}/short/id%7C${secret}`)
    await fetch(`${portal}/${secret}?${secret}`, { headers: html })
    await fetch(`${portal}/assets/${secret}.js?${secret}`)
    await fetch(`${connect}/recover?apiKey=${secret}&email=${secret}`)
    await fetch(`${connect}/?${secret}`, { headers: { referer: `https://shop.example/${secret}` } })

    const paths = lines.map((line) => (JSON.parse(line) as { path: string }).path)
    expect(paths).toEqual([
      '/web/passwords/login',
      '/web/users/:userId/passwords/:passwordId',
      '/short/:id',
      'unmatched',
      'unmatched',
      '/recover',
      '/',
    ])
    expect(lines.join('\n')).not.toContain(secret)
    const metrics = await (await fetch(`${service.addresses.admin}/metrics`)).text()
    expect(metrics).toContain('path="/short/:id"')
    expect(metrics).not.toContain(secret)
  })
})

describe('a service whose pages are not there', () => {
  it('does not start, and names the command that builds them', async () => {
    const none = join(folder, 'none')

    await expect(startService({ environment: { PAGES_FOLDER: none } })).rejects.toThrow(
      `PAGES_FOLDER is '${none}', where the files of portal are missing or not as they were built; npm run build:pages makes them.`,
    )
  })
})

describe('outside of DEV', () => {
  it('browsers are told to use TLS only', async () => {
    const key = join(folder, 'keys', 'key')
    mkdirSync(join(folder, 'keys'))
    writeFileSync(key, `${'3f'.repeat(32)}\n`, { mode: 0o600 })
    const sandbox = await startService({
      environment: {
        TANDEM_ENVIRONMENT: 'SANDBOX',
        KEY_ENCRYPTION_KEY_FILE: key,
        COSIGNER_FOLDER: join(folder, 'cosigner'),
        SMTP_URL: 'smtp://127.0.0.1:1',
        MAIL_FROM: 'no-reply@example.com',
        COSIGNER_NAME: 'example',
        OPERATOR_NAME: 'Corner Bank',
        API_URL: 'https://api.example.com',
        COSIGNER_URL: 'https://cosigner.example.com',
        PORTAL_URL: 'https://portal.example.com',
        CONNECT_URL: 'https://connect.example.com',
      },
    })
    try {
      for (const path of ['/web/passwords/login', '/static/js/main.wasm', '/nowhere']) {
        const answer = await fetch(sandbox.addresses.portal + path)
        expect([path, answer.headers.get('strict-transport-security')]).toEqual([path, 'max-age=63072000'])
      }
      const page = await fetch(`${sandbox.addresses.portal}/web/passwords/login`)
      expect(page.headers.get('content-security-policy')).toBe(policy('https://api.example.com'))
    } finally {
      await sandbox.stop()
    }
  })
})

it.each(['api', 'cosigner', 'portal', 'connect', 'admin'] as const)(
  'doctor takes the running service for no other program on its ports: %s by itself',
  async (role) => {
    const at = new URL(service.addresses[role])
    const settings = { PAGES_FOLDER: pages, [`${role.toUpperCase()}_LISTEN`]: `127.0.0.1:${at.port}` }
    const configuration = Result.getOrThrow(readConfiguration(settings, ['--role', role]))
    expect(await checkMachine(configuration)).toEqual([])
    expect(await isRunning(configuration)).toBe(true)
  },
)

it.each([
  ['of another kind', 'logo.gif', 'which is none of .svg, .png, .webp.'],
  ['that is not there', 'missing.svg', 'which cannot be read.'],
  ['that is large', 'large.png', 'which has more than 100 KiB.'],
])('a logo %s keeps the service from starting', (_, name, reason) => {
  const file = join(folder, name)
  if (name === 'large.png') writeFileSync(file, new Uint8Array(100 * 1024 + 1))

  expect(() => readLogo(file)).toThrow(`OPERATOR_LOGO_FILE is '${file}', ${reason}`)
})
