import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright'
import { build, transformWithOxc, type Rolldown } from 'vite'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { MessageSignature, ParaOptions } from '../../adapters/browser/sdk.ts'
import { packageName } from '../../react/pack/manifest.ts'
import { makeProject, type Project } from '../package/project.ts'
import type { Bare } from './harness/host.ts'
import { bareHost } from './kit/bareHost.ts'
import { createPassword } from './kit/person.ts'
import { stack } from './kit/stack.ts'
import { expectEvmSignature } from './kit/verify.ts'
import { mailedCode, newEmail, newPassword, useChromium, visit, type Visitor } from './kit/visitor.ts'

declare const window: Bare

const browser = useChromium()

/** Paths under `base`, and what is there. */
type Files = ReadonlyMap<string, string | Uint8Array>

const base = '/assets/packaged/'

let project: Project
/** The bare host's code as Vite builds it of the installed package, and as it is without a build. */
let bundled: Files
let plain: Files

beforeAll(async () => {
  project = await makeProject()
  const source = readFileSync(join(import.meta.dirname, 'harness', 'host.ts'), 'utf8')
  const hostOf = (sdk: string) => source.replace('../../../adapters/browser/sdk.ts', sdk)
  await project.write({
    'index.html': '<script type="module" src="./host.ts"></script>',
    'host.ts': hostOf(packageName),
  })
  const config = { root: project.folder, configFile: false, envDir: false, logLevel: 'error', base } as const
  const { output } = (await build({ ...config, build: { write: false } })) as Rolldown.RolldownOutput
  const entry = output.find((file) => file.type === 'chunk' && file.isEntry)?.fileName ?? ''
  const files = output.map((file) => [file.fileName, file.type === 'chunk' ? file.code : file.source] as const)
  bundled = new Map<string, string | Uint8Array>([...files, ['host.js', `import '${base}${entry}'`]])
  const { code } = await transformWithOxc(hostOf(`${base}sdk/index.js`), 'host.ts')
  const folder = join(project.folder, 'node_modules', packageName, 'dist')
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'))
  plain = new Map<string, string | Uint8Array>([
    ...names.map((name) => [`sdk/${name}`, readFileSync(join(folder, name))] as const),
    ['host.js', code],
  ])
}, 300_000)
afterAll(() => project.remove())

type Serving = {
  readonly files: Files
  /** These are not found, as with a bundler that leaves them behind. */
  readonly without?: RegExp
  /** Content security policy of the workers' files. */
  readonly policy?: string
}

/** The page of the bare host with other code: a page that is answered here could not call servers of this machine. */
const serve = async (context: BrowserContext, { files, without, policy }: Serving): Promise<void> => {
  const type = { 'content-type': 'text/javascript' }
  const start = `import '${base}host.js'`
  await context.route(`${stack().shop}/assets/bare/assets/*.js`, (route) =>
    route.fulfill({ headers: type, body: start }),
  )
  await context.route(`${stack().shop}${base}**`, (route) => {
    const name = new URL(route.request().url()).pathname.slice(base.length)
    const body = without?.test(name) === true ? undefined : files.get(name)
    if (body === undefined) return route.fulfill({ status: 404 })
    const headers = policy === undefined ? type : { ...type, 'content-security-policy': policy }
    return route.fulfill({ headers, body: Buffer.from(body) })
  })
}

const isReady = (host: Page) => host.waitForFunction(() => document.title === 'Bare host, ready')

/** Makes an SDK that says what computes. */
const telling = async (host: Page, options: ParaOptions): Promise<void> => {
  await isReady(host)
  await host.evaluate((chosen) => {
    window.para = window.make({ logLevel: 'Info', ...chosen })
  }, options)
}

const signs = async (host: Page, message: string): Promise<void> => {
  const { address, ethereumSignature }: MessageSignature = await host.evaluate(
    (text) => window.para.signMessage({ message: text }),
    message,
  )
  await expectEvmSignature(address, message, ethereumSignature ?? '0x')
}

/** Signs up, makes wallets, signs, reloads and signs. Answers what the SDK said of its worker, before and after. */
const story = async (visitor: Visitor, options: ParaOptions = {}) => {
  const host = await visitor.context.newPage()
  let said: string[] = []
  host.on('console', (message) => {
    const [line] = /the protocol.*/.exec(message.text()) ?? []
    if (line !== undefined) said.push(line.replaceAll(stack().shop, ''))
  })
  await host.goto(bareHost())
  await telling(host, options)
  const email = newEmail()
  await host.evaluate((to) => window.para.createUser({ email: to }), email)
  const code = await mailedCode(email)
  await host.evaluate((mailed) => window.para.verifyEmail(mailed), code)
  await host.evaluate(() => {
    window.onGo = () => window.para.setUpPassword()
  })
  const opened = visitor.context.waitForEvent('page')
  await host.getByRole('button', { name: 'Go' }).click()
  await createPassword(await opened, newPassword())
  expect(await host.evaluate(() => window.went)).toHaveProperty('value.walletIds.length', 3)
  await signs(host, 'One espresso, please.')
  const before = said
  said = []
  await host.reload()
  await telling(host, options)
  await signs(host, 'And a second one.')
  return { before, after: said }
}

const kernel = 'the protocols are computed by the kernel'

describe('an app with the installed package', () => {
  let visitor: Visitor
  /** Kernels, on the page's own thread. */
  let compiled: number
  beforeEach(async () => {
    compiled = 0
    visitor = await visit(browser())
    await visitor.context.exposeBinding('compiledOne', ({ frame }) => {
      if (frame.url() === bareHost()) compiled += 1
    })
    await visitor.context.addInitScript(() => {
      const { compile } = WebAssembly
      WebAssembly.compile = (bytes) => {
        ;(window as unknown as { compiledOne: () => void }).compiledOne()
        return compile(bytes)
      }
    })
  })
  afterEach(() => visitor.close())

  it('that Vite has built makes wallets and signs on the kernel, in the worker’s file', async () => {
    await serve(visitor.context, { files: bundled })

    expect(await story(visitor)).toEqual({ before: [kernel], after: [kernel] })
    expect([...bundled.keys()]).toContainEqual(expect.stringMatching(/^assets\/worker-[\w-]{8}\.js$/))
    expect(compiled).toBe(0)
  })

  it('that is not built does so, too', async () => {
    await serve(visitor.context, { files: plain })

    expect(await story(visitor)).toEqual({ before: [kernel], after: [kernel] })
    expect(compiled).toBe(0)
  })

  it('whose bundler left the worker behind has it from its text', async () => {
    await serve(visitor.context, { files: plain, without: /worker\.js/ })
    visitor.seen.expectErrors(/404/)
    const said = [
      'the protocol worker does not start from its file beside the code; the next try is its text in the code',
      kernel,
    ]

    expect(await story(visitor)).toEqual({ before: said, after: said })
    expect(compiled).toBe(0)
  })

  it('that names its own copy of the worker has it from there', async () => {
    const worker = plain.get('sdk/worker.js') ?? ''
    await serve(visitor.context, { files: new Map([...plain, ['copy.js', worker]]), without: /^sdk\/worker\.js/ })

    expect(await story(visitor, { workerUrl: `${base}copy.js` })).toEqual({ before: [kernel], after: [kernel] })
    expect(compiled).toBe(0)
  })

  it('whose copy of the worker is not that of this version has the package’s own', async () => {
    const worker = `${Buffer.from(plain.get('sdk/worker.js') ?? '').toString()} `
    await serve(visitor.context, { files: new Map([...plain, ['copy.js', worker]]) })
    const fell = `the protocol worker does not start from ${base}copy.js; the next try is its file beside the code`

    expect(await story(visitor, { workerUrl: `${base}copy.js` })).toEqual({
      before: [fell, kernel],
      after: [fell, kernel],
    })
  })

  it('that gets no worker computes on its own thread, on the kernel', async () => {
    await serve(visitor.context, { files: plain })
    await visitor.context.addInitScript(() => {
      const refusing = () => {
        throw new Error('no workers here')
      }
      Object.assign(window, { Worker: new Proxy(Worker, { construct: refusing }) })
    })
    const { before } = await story(visitor)

    expect(before.at(-1)).toBe(
      'the protocol worker does not start from the text of the one without kernel; the page computes on its own thread',
    )
    expect(compiled).toBe(2)
  })

  it('whose policy allows no WebAssembly has a worker without kernel, and is told so', async () => {
    await serve(visitor.context, { files: bundled, policy: `script-src 'self'` })
    const said = ['the protocols are computed by noble, because the kernel does not run here']

    expect(await story(visitor)).toEqual({ before: said, after: said })
  })
})
