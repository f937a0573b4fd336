/** A stack and a Chromium as the browser tests have them, without their spies, their proxy and their debug log. */
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Browser } from 'playwright'
import { buildPages } from '../../../react/build.ts'
import { buildHarness } from '../../browser/kit/harness.ts'
import { browserStackVariables, stackOf, useStack } from '../../browser/kit/stack.ts'
import { startStack } from '../../kit/stack.ts'
import { startLongWay } from './delay.ts'

export type Stage = {
  readonly browser: Browser
  /** The co-signer, a longer way off. */
  readonly farCosigner: string
}

const root = join(import.meta.dirname, '..', '..', '..')

const signals = ['SIGINT', 'SIGTERM'] as const

type Staging = {
  readonly executablePath: string
  /** What the way to the far co-signer adds to a round trip. */
  readonly roundTripMs: number
  readonly say: (line: string) => void
}

export const withStage = async <A>(staging: Staging, use: (stage: Stage) => Promise<A>): Promise<A> => {
  const stops: (() => Promise<unknown>)[] = []
  let interrupt = () => {}
  const interrupted = new Promise<never>((_, reject) => {
    interrupt = () => reject(new Error('the bench was interrupted'))
  })
  for (const signal of signals) process.once(signal, interrupt)
  const staged = setUp(staging, (stop) => stops.push(stop))
  try {
    return await Promise.race([interrupted, staged.then(use)])
  } finally {
    // A process that is just starting has to run before it can be stopped.
    await staged.catch(() => undefined)
    for (const stop of stops.toReversed()) await stop()
    for (const signal of signals) process.off(signal, interrupt)
  }
}

const setUp = async (
  { executablePath, roundTripMs, say }: Staging,
  later: (stop: () => Promise<unknown>) => void,
): Promise<Stage> => {
  const folder = await mkdtemp(join(tmpdir(), 'tandem bench '))
  later(() => rm(folder, { recursive: true, force: true }))
  await buildPages({ say })
  const PAGES_FOLDER = join(folder, 'pages')
  await cp(join(root, 'dist', 'pages'), PAGES_FOLDER, { recursive: true })
  await buildHarness(PAGES_FOLDER)

  const ports = await browserStackVariables(join(folder, 'data'))
  const EXAMPLE_URL = `http://shop.localhost:${ports['EXAMPLE_LISTEN'] ?? ''}`
  const variables = { ...ports, EXAMPLE_URL, PAGES_FOLDER, LOG_LEVEL: 'warn' }
  const stack = await startStack(variables)
  later(() => stack.stop())
  useStack(stackOf(variables, { logFile: '', chromium: '', nodes: { solana: '', cosmos: '' }, approver: {} }))
  const longWay = await startLongWay(Number(ports['COSIGNER_LISTEN']), roundTripMs)
  later(() => longWay.stop())
  const browser = await chromium.launch({
    executablePath,
    ignoreDefaultArgs: ['--disable-popup-blocking'],
    handleSIGINT: false,
    handleSIGTERM: false,
  })
  later(() => browser.close())
  return { browser, farCosigner: `http://api.localhost:${longWay.port}` }
}
