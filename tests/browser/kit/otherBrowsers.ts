/**
 * Browsers of the distribution that Playwright does not drive: Firefox by WebDriver BiDi, which it speaks itself, and WebKitGTK
 * by WebDriver. Only what a story needs: pages, their windows, expressions, and clicks that count as a person's. Debian's packages
 * are firefox-esr; webkit2gtk-driver with libwebkit2gtk-4.1-0, and xvfb for its window.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import type { Readable } from 'node:stream'
import { freePort } from '../../kit/ports.ts'

export type OtherBrowser = {
  /** In the first window. */
  readonly open: (url: string) => Promise<void>
  readonly windows: () => Promise<readonly string[]>
  /** The value of an expression, which JSON can carry; a promise is awaited. */
  readonly evaluate: (window: string, expression: string) => Promise<unknown>
  /** In the middle of the element that the expression gives. */
  readonly click: (window: string, element: string) => Promise<void>
  readonly close: () => Promise<void>
}

const installed = (program: string): string | undefined =>
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, program))
    .find((path) => existsSync(path))

/** Debian's libwebkit2gtk-4.1-0 has it, in the folder of the machine's architecture. */
const miniBrowser = ['x86_64', 'aarch64']
  .map((architecture) => `/usr/lib/${architecture}-linux-gnu/webkit2gtk-4.1/MiniBrowser`)
  .find((path) => existsSync(path))

/** Those that are on this machine, by name. */
export const otherBrowsers: Readonly<Record<string, (() => Promise<OtherBrowser>) | undefined>> = {
  Firefox: installed('firefox-esr') === undefined ? undefined : () => startFirefox(),
  WebKitGTK:
    installed('WebKitWebDriver') === undefined || installed('Xvfb') === undefined || miniBrowser === undefined
      ? undefined
      : () => startWebKit(miniBrowser),
}

/** Once the element stays where it is: a page that hears of what was typed may move it. */
const centreOf = async (evaluate: OtherBrowser['evaluate'], window: string, element: string) => {
  const expression = `(() => { const { x, y, width, height } = (${element}).getBoundingClientRect(); return [Math.round(x + width / 2), Math.round(y + height / 2)] })()`
  const read = async () => (await evaluate(window, expression)) as readonly [number, number]
  let before = await read()
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 200))
    const now = await read()
    if (now.join() === before.join()) return now
    before = now
  }
}

const pressing = ([x, y]: readonly [number, number]) => [
  {
    type: 'pointer',
    id: 'mouse',
    parameters: { pointerType: 'mouse' },
    actions: [
      { type: 'pointerMove', x, y },
      { type: 'pointerDown', button: 0 },
      { type: 'pointerUp', button: 0 },
    ],
  },
]

const ended = (child: ChildProcess) => new Promise((resolve) => child.once('exit', resolve))

const startFirefox = async (): Promise<OtherBrowser> => {
  const profile = await mkdtemp(join(tmpdir(), 'tandem-firefox-'))
  const port = await freePort()
  const parameters = ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', String(port)]
  const child = spawn('firefox-esr', parameters, { stdio: 'ignore', env: { ...process.env, HOME: profile } })
  const socket = await connected(`ws://127.0.0.1:${port}/session`)
  let last = 0
  const waiting = new Map<number, (answer: Answer) => void>()
  socket.addEventListener('message', ({ data }) => {
    const answer = JSON.parse(String(data)) as Answer
    if (answer.id !== null) waiting.get(answer.id)?.(answer)
  })
  const send = async (method: string, params: object): Promise<Answer['result']> => {
    const id = (last += 1)
    const answered = new Promise<Answer>((resolve) => waiting.set(id, resolve))
    socket.send(JSON.stringify({ id, method, params }))
    const { type, result, message } = await answered
    if (type === 'error') throw new Error(`Firefox refuses ${method}: ${message ?? ''}`)
    return result
  }
  await send('session.new', { capabilities: {} })
  const windows = async () => {
    const { contexts = [] } = await send('browsingContext.getTree', {})
    return contexts.map(({ context }) => context)
  }
  const evaluate = async (context: string, expression: string) => {
    const text = `Promise.resolve(${expression}).then((value) => JSON.stringify(value ?? null))`
    const asked = { expression: text, target: { context }, awaitPromise: true, userActivation: false }
    const { result, exceptionDetails } = await send('script.evaluate', asked)
    if (exceptionDetails !== undefined) throw new Error(exceptionDetails.text)
    return JSON.parse(result?.value ?? 'null') as unknown
  }
  return {
    open: async (url) => {
      const [context] = await windows()
      await send('browsingContext.navigate', { context, url, wait: 'complete' })
    },
    windows,
    evaluate,
    click: async (context, element) => {
      const actions = pressing(await centreOf(evaluate, context, element))
      await send('input.performActions', { context, actions })
    },
    close: async () => {
      const end = ended(child)
      await send('browser.close', {}).catch(() => child.kill())
      await end
      await rm(profile, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

type Answer = {
  readonly id: number | null
  readonly type: string
  readonly message?: string
  readonly result: {
    readonly contexts?: readonly { readonly context: string }[]
    readonly result?: { readonly value?: string }
    readonly exceptionDetails?: { readonly text: string }
  }
}

const connected = async (url: string): Promise<WebSocket> => {
  const until = Date.now() + 60_000
  while (Date.now() < until) {
    const socket = new WebSocket(url)
    const isOpen = await new Promise<boolean>((resolve) => {
      socket.addEventListener('open', () => resolve(true))
      socket.addEventListener('error', () => resolve(false))
    })
    if (isOpen) return socket
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  throw new Error('Firefox does not start')
}

const startWebKit = async (binary: string): Promise<OtherBrowser> => {
  const home = await mkdtemp(join(tmpdir(), 'tandem-webkit-'))
  // It takes a display that is free, and says its number on file descriptor 3.
  const screen = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1280x800x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  const [number] = (await once(screen.stdio[3] as Readable, 'data')) as [Buffer]
  const display = `:${number.toString().trim()}`
  const port = await freePort()
  const env = { ...process.env, DISPLAY: display, HOME: home, XDG_CACHE_HOME: home, XDG_DATA_HOME: home }
  const driver = spawn('WebKitWebDriver', [`--port=${port}`], { stdio: 'ignore', env })
  const ask = async (method: string, path: string, body?: object): Promise<unknown> => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    })
    const { value } = (await answer.json()) as { readonly value: unknown }
    if (!answer.ok) throw new Error(`WebKit refuses ${path}: ${JSON.stringify(value)}`)
    return value
  }
  const isUp = () =>
    ask('GET', '/status').then(
      () => true,
      () => false,
    )
  for (const until = Date.now() + 60_000; Date.now() < until && !(await isUp());) {
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  const options = { binary, args: ['--automation'] }
  const capabilities = { alwaysMatch: { 'webkitgtk:browserOptions': options } }
  const { sessionId } = (await ask('POST', '/session', { capabilities })) as { readonly sessionId: string }
  const at = `/session/${sessionId}`
  const on = (window: string) => ask('POST', `${at}/window`, { handle: window })
  const evaluate = async (window: string, expression: string) => {
    await on(window)
    const script = `const done = arguments[0]; Promise.resolve().then(() => ${expression}).then((value) => done(JSON.stringify(value ?? null)), (error) => done(JSON.stringify({ failure: String(error) })))`
    return JSON.parse(String(await ask('POST', `${at}/execute/async`, { script, args: [] }))) as unknown
  }
  return {
    open: async (url) => {
      await ask('POST', `${at}/url`, { url })
    },
    windows: async () => (await ask('GET', `${at}/window/handles`)) as readonly string[],
    evaluate,
    click: async (window, element) => {
      await ask('POST', `${at}/actions`, { actions: pressing(await centreOf(evaluate, window, element)) })
    },
    close: async () => {
      await ask('DELETE', at).catch(() => undefined)
      const ends = [ended(driver), ended(screen)]
      driver.kill()
      screen.kill()
      await Promise.all(ends)
      await rm(home, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
