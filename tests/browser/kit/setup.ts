/** Once per run: one stack, one Chromium, for all files of browser tests. */
import { generateKeyPairSync } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright'
import type { TestProject } from 'vitest/node'
import { buildPages } from '../../../react/build.ts'
import { startCosmosNode, startSolanaNode } from '../../kit/chainNodes.ts'
import { startStack } from '../../kit/stack.ts'
import { startProxy } from '../../service/proxy.ts'
import { obtainChromium, whyNot } from './chromium.ts'
import { buildHarness } from './harness.ts'
import { stackPolicy } from './policy.ts'
import { browserStackVariables, carefulOf, chainRpcUrls, stackOf } from './stack.ts'

const root = join(import.meta.dirname, '..', '..', '..')

export default async (project: TestProject): Promise<() => Promise<void>> => {
  const executablePath = obtainChromium()
  if (executablePath === undefined) throw new Error(whyNot)
  const folder = await mkdtemp(join(tmpdir(), 'tandem browser '))
  const ports = await browserStackVariables(join(folder, 'data'))
  const PAGES_FOLDER = join(folder, 'pages')
  await buildPages({ say: (line) => process.stderr.write(`${line}\n`) })
  await cp(join(root, 'dist', 'pages'), PAGES_FOLDER, { recursive: true })
  await buildHarness(PAGES_FOLDER)
  // A partner may isolate its pages: those that are asked for with `isolated` come as they would from such a host.
  const shop = await startProxy(`http://127.0.0.1:${ports['EXAMPLE_LISTEN'] ?? ''}`)
  shop.handle = async ({ target }, pass) => {
    const reply = await pass()
    const isolation = /[?&]isolated/.test(target) ? { 'cross-origin-opener-policy': 'same-origin' } : {}
    return { ...reply, headers: { ...reply.headers, ...isolation } }
  }
  const variables = { ...ports, EXAMPLE_URL: shop.address.replace('127.0.0.1', 'shop.localhost') }
  const POLICY_FILE = join(folder, 'policy.json')
  const approver = generateKeyPairSync('ed25519')
  const policy = stackPolicy({
    careful: carefulOf(variables.EXAMPLE_URL),
    approver: approver.publicKey.export({ format: 'jwk' }),
  })
  await writeFile(POLICY_FILE, JSON.stringify(policy))
  const [solana, cosmos] = await Promise.all([startSolanaNode(), startCosmosNode('cosmoshub-4')])
  const nodes = { solana: solana.url, cosmos: cosmos.url }
  const CHAIN_RPC_URLS = chainRpcUrls(nodes)
  const running = await startStack({ ...variables, PAGES_FOLDER, POLICY_FILE, CHAIN_RPC_URLS })
  const logFile = join(folder, 'stack.log')
  const log = createWriteStream(logFile)
  log.write(running.said())
  running.process.stdout?.pipe(log, { end: false })
  running.process.stderr?.pipe(log, { end: false })
  // Playwright switches the blocker of popups off; people have it.
  const browser = await chromium.launchServer({ executablePath, ignoreDefaultArgs: ['--disable-popup-blocking'] })
  const rest = {
    logFile,
    chromium: browser.wsEndpoint(),
    nodes,
    approver: approver.privateKey.export({ format: 'jwk' }),
  }
  project.provide('stack', stackOf(variables, rest))
  return async () => {
    await browser.close()
    await running.stop()
    await Promise.all([solana.stop(), cosmos.stop()])
    await shop.stop()
    log.end()
    await rm(folder, { recursive: true, force: true })
  }
}
