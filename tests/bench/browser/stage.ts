/** A stack and a Chromium of the bench's own, as the browser tests have them, with neither their spies nor their debug log. */
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

type Staging = {
  readonly executablePath: string
  /** What the way to the far co-signer adds to a round trip. */
  readonly roundTripMs: number
  readonly say: (line: string) => void
}

export const withStage = async <A>(staging: Staging, use: (stage: Stage) => Promise<A>): Promise<A> => {
  const stops: (() => Promise<unknown>)[] = []
  try {
    return await use(await setUp(staging, (stop) => stops.push(stop)))
  } finally {
    for (const stop of stops.toReversed()) await stop()
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
  useStack(stackOf(variables, { logFile: '', chromium: '' }))
  const longWay = await startLongWay(Number(ports['COSIGNER_LISTEN']), roundTripMs)
  later(() => longWay.stop())
  const browser = await chromium.launch({ executablePath, ignoreDefaultArgs: ['--disable-popup-blocking'] })
  later(() => browser.close())
  return { browser, farCosigner: `http://api.localhost:${longWay.port}` }
}
