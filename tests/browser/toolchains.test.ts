import { execFileSync, spawn } from 'node:child_process'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { createTestClient, http, parseEther, recoverMessageAddress, type Hex } from 'viem'
import { foundry } from 'viem/chains'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { TestUser, VirtualPasskeys } from '../../adapters/browser/testing/testing.ts'
import { packageName } from '../../react/pack/manifest.ts'
import { quickstart } from '../../react/pack/quickstart.ts'
import { isLong } from '../kit/long.ts'
import { freePort } from '../kit/ports.ts'
import { environment, makeProject, type Project } from '../package/project.ts'
import { toolchains, viteOfRepository, type Toolchain } from '../package/toolchains.ts'
import type { Bare } from './harness/host.ts'
import { evmAddress, signUpOn } from './kit/bareHost.ts'
import { passwordOf } from './kit/credentials.ts'
import {
  button,
  closeDialog,
  createPassword,
  giveEmail,
  keepRecoverySecret,
  openDialog,
  proveEmail,
  windowOf,
} from './kit/person.ts'
import { packagesOf, serveFolder, settingsFor, withoutVersion, type Serving } from './kit/packagedApp.ts'
import { stack } from './kit/stack.ts'
import { expectEvmSignature, expectMined } from './kit/verify.ts'
import { chainUrl, mailedCode, newEmail, newPassword, useChromium, visit, type Visitor } from './kit/visitor.ts'

declare const window: Bare

const browser = useChromium()

let project: Project
let visitor: Visitor
beforeEach(async () => {
  project = await makeProject()
  visitor = await visit(browser())
  visitor.seen.expectErrors(/favicon/)
}, 300_000)
afterEach(async () => {
  await visitor.close()
  await project.remove()
})

/** Writes the page's files, with the settings of this run. */
const fill = async ({ quickstart: name, files = {} }: Pick<Toolchain, 'quickstart' | 'files'>): Promise<void> => {
  const page = quickstart(name).files
  const own = Object.keys(page).filter((path) => /(^|\/)settings\.[jt]s$/.test(path))
  expect(own).toHaveLength(1)
  await project.write({ ...page, ...files, ...Object.fromEntries(own.map((path) => [path, settingsFor(path)])) })
}

/** With the project's own compiler, and the declarations of all that it has. */
const compile = (): Promise<string> => project.node(['node_modules/typescript/bin/tsc', '-p', '.'])

/** That of the guide, without what only some bundlers need. */
const contentSecurityPolicy = (): string => {
  const { api, cosigner } = stack()
  return [
    `default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'`,
    `connect-src ${api} ${cosigner}; img-src data:`,
  ].join('; ')
}

/** A server of the project, which has its port as last parameter and in its environment. */
const serveBy = async (command: string, parameters: readonly string[]): Promise<Serving> => {
  const port = await freePort()
  const env = { ...environment(), PORT: String(port) }
  const child = spawn(command, [...parameters, String(port)], { cwd: project.folder, env, stdio: 'ignore' })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const answers = () =>
    fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    )
  await expect.poll(answers).toBe(true)
  return {
    port,
    stop: () => {
      child.kill()
      return ended
    },
  }
}

const kernel = 'the protocols are computed by the kernel'
const fromText =
  'the protocol worker does not start from its file beside the code; the next try is its text in the code'

/** What the SDK says of its worker, on each page load. */
const listenTo = (page: Page): { readonly said: () => readonly string[] } => {
  let said: string[] = []
  page.on('console', (message) => {
    const [line] = /the protocol[^(]*/.exec(message.text()) ?? []
    if (line !== undefined) said.push(line.trim())
  })
  return {
    said: () => {
      const before = said
      said = []
      return before
    },
  }
}

/** Who has signed 'hello'. Another signature of the same person leads to the same address only if both are right. */
const signerOf = (signature: string): Promise<string> =>
  recoverMessageAddress({ message: 'hello', signature: signature as `0x${string}` })

const signs = async (page: Page): Promise<string> => {
  await button(page, 'Sign').click()
  return signerOf(await page.getByRole('button', { name: /^0x[0-9a-f]{130}$/ }).innerText())
}

/** Signs up, makes wallets, signs, reloads, signs; on the kernel. */
const story = async ({ leavesWorker = false, rendersOnServer = false }: Toolchain, port: number): Promise<void> => {
  const page = await visitor.context.newPage()
  const { said } = listenTo(page)
  if (leavesWorker) visitor.seen.expectErrors(/404|MIME/)
  if (rendersOnServer) expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toContain('Sign in</button>')
  await page.goto(`http://app.localhost:${port}/`)
  await proveEmail(page, newEmail())
  await createPassword(await windowOf(page, 'Use a password'), newPassword())
  await keepRecoverySecret(page)
  await closeDialog(page)
  const before = await signs(page)
  const expected = leavesWorker ? [fromText, kernel] : [kernel]
  expect(said()).toEqual(expected)
  await page.reload()

  expect(await signs(page)).toBe(before)
  expect(said()).toEqual(expected)
  expect(visitor.seen.errors).toEqual([])
}

const run = async (toolchain: Toolchain, policy?: string): Promise<void> => {
  // Next writes types of its own, and compiles the app's itself.
  if (toolchain.quickstart !== 'next') expect(await compile()).toBe('')
  for (const command of toolchain.build) await project.node(command)
  const { serves } = toolchain
  const { port, stop } = await ('folder' in serves
    ? serveFolder(join(project.folder, serves.folder), policy)
    : serveBy(process.execPath, serves.script))
  await story(toolchain, port).finally(stop)
}

describe('the quick start', () => {
  it(
    'for Vite compiles, signs, and signs after a reload, under the guide’s policy, with the repository’s Vite and React',
    { tags: 'usual' },
    async () => {
      await fill(viteOfRepository)
      await project.link(packagesOf(viteOfRepository).map(withoutVersion))
      await run(viteOfRepository, contentSecurityPolicy())
    },
  )

  it.runIf(isLong)('as the package’s command makes it, compiles and signs, with packages of npm', async () => {
    await project.node([join('node_modules', packageName, 'dist/create.js'), 'made', '--sdk', project.tarball])
    await project.write({ 'made/src/settings.ts': settingsFor('src/settings.ts') })
    const npm = (...parameters: readonly string[]) =>
      execFileSync('npm', parameters, { cwd: join(project.folder, 'made'), env: environment(), stdio: 'pipe' })
    npm('install', '--no-audit', '--no-fund')
    npm('run', 'build')
    const { port, stop } = await serveFolder(join(project.folder, 'made/dist'), contentSecurityPolicy())
    await story(viteOfRepository, port).finally(stop)
  })

  it.runIf(isLong)(
    'with the guide’s sign-up for tests: a mailed code, and a passkey that the next login has, too',
    async () => {
      await fill(viteOfRepository)
      await project.link(packagesOf(viteOfRepository).map(withoutVersion))
      await project.write(quickstart('guide').files)
      for (const command of viteOfRepository.build) await project.node(command)
      const guide = (await import(join(project.folder, 'signUp.ts'))) as {
        readonly signUp: (
          page: Page,
          mailbox: string,
        ) => Promise<{ readonly user: TestUser; readonly passkeys: VirtualPasskeys }>
      }
      const { port, stop } = await serveFolder(join(project.folder, 'dist'), contentSecurityPolicy())
      const page = await visitor.context.newPage()
      await page.goto(`http://app.localhost:${port}/`)
      const { user, passkeys } = await guide.signUp(page, stack().admin)
      await keepRecoverySecret(page)
      await closeDialog(page)
      const before = await signs(page)
      expect(passkeys.count()).toBe(1)
      await page.evaluate(() => localStorage.clear())
      await page.reload()
      await openDialog(page)
      await giveEmail(page, user.email)
      const portal = await windowOf(page, 'Sign in with your passkey')
      await button(portal, 'Use passkey').click()
      await page.getByRole('button', { name: 'Sign', exact: true }).waitFor()
      await closeDialog(page)

      expect(await signs(page)).toBe(before)
      await stop()
    },
  )

  it.runIf(isLong)('with viem and ethers signs and sends, each by its own library', async () => {
    await fill(viteOfRepository)
    const files = quickstart('viem').files
    await project.write({ 'src/App.tsx': files['src/App.tsx']?.replace('http://127.0.0.1:8545', chainUrl()) ?? '' })
    await project.link([...packagesOf(viteOfRepository).map(withoutVersion), 'viem', 'ethers'])
    expect(await project.node(['node_modules/typescript/bin/tsc', '-p', '.', '--skipLibCheck'])).toBe('')
    for (const command of viteOfRepository.build) await project.node(command)
    const { port, stop } = await serveFolder(join(project.folder, 'dist'))
    const page = await visitor.context.newPage()
    const output = page.getByRole('status')
    const pressed = async (name: string, length: number) => {
      await button(page, name).click()
      const shown = new RegExp(`^0x[0-9a-f]{${length}}$`)
      await expect.poll(() => output.innerText()).toMatch(shown)
      return (await output.innerText()) as Hex
    }
    await page.goto(`http://app.localhost:${port}/`)
    await proveEmail(page, newEmail())
    await createPassword(await windowOf(page, 'Use a password'), newPassword())
    await keepRecoverySecret(page)
    await closeDialog(page)
    const address = (await page.getByText(/^0x[0-9a-fA-F]{40}$/).innerText()) as Hex
    await expectEvmSignature(address, 'hello', await pressed('Sign with viem', 130))
    const chain = createTestClient({ chain: foundry, mode: 'anvil', transport: http(chainUrl()) })
    await chain.setBalance({ address, value: parseEther('1') })
    await expectMined(await pressed('Send with viem', 64), address)
    await page.reload()
    await expectEvmSignature(address, 'hello', await pressed('Sign with ethers', 130))
    await expectMined(await pressed('Send with ethers', 64), address)
    expect(visitor.seen.errors).toEqual([])
    await stop()
  })

  it.runIf(isLong)('without a build signs, and signs after a reload', async () => {
    await fill({ quickstart: 'script' })
    const dist = join(project.folder, 'node_modules', packageName, 'dist')
    await cp(dist, join(project.folder, 'public', 'tandem'), { recursive: true })
    const { port, stop } = await serveFolder(join(project.folder, 'public'))
    await scriptStory(port).finally(stop)
  })

  it.runIf(isLong).each(['20', '24'])('for servers signs in a session that a page made, in Node %s', async (major) => {
    const { host } = await signUpOn(visitor.context, passwordOf())
    const session = await host.evaluate(() => window.para.exportSession({ lifetimeMs: 600_000 }))
    await fill({ quickstart: 'node' })
    await project.install(packagesOf({ quickstart: 'node', packages: [`${nodePackage}@${major}`] }))
    const command = join(project.folder, 'node_modules', nodePackage, 'bin', 'node')
    expect(await compile()).toBe('')
    expect(execFileSync(command, ['--version'], { encoding: 'utf8' })).toMatch(new RegExp(`^v${major}\\.`))
    const { port, stop } = await serveBy(command, ['built/server.js'])
    const asked = { method: 'POST', body: session }
    const answer = await fetch(`http://127.0.0.1:${port}/`, asked).finally(stop)

    const lines = (await answer.text()).split('\n')
    const address = await evmAddress(host)
    expect(lines).toContain(`EVM ${address}`)
    expect(await signerOf(lines.at(-1) ?? '')).toBe(address)
  })
})

/** As npm has Node itself for this machine. */
const nodePackage = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`

const scriptStory = async (port: number): Promise<void> => {
  const page = await visitor.context.newPage()
  const { said } = listenTo(page)
  const email = newEmail()
  const output = page.getByRole('status')
  const signed = async () => {
    await button(page, 'Sign').click()
    await expect.poll(() => output.innerText()).toMatch(/^0x[0-9a-f]{130}$/)
    return signerOf(await output.innerText())
  }
  await page.goto(`http://app.localhost:${port}/`)
  await page.getByPlaceholder('E-mail').fill(email)
  await button(page, 'Sign up').click()
  await page.getByText('A code was mailed.').waitFor()
  await page.getByPlaceholder('Code').fill(await mailedCode(email))
  await button(page, 'Verify').click()
  await page.getByText('The address is proven.').waitFor()
  await createPassword(await windowOf(page, 'Choose a password'), newPassword())
  await page.getByText('Keep this recovery secret').waitFor()
  const before = await signed()
  expect(said()).toEqual([kernel])
  await page.reload()

  expect(await signed()).toBe(before)
  expect(said()).toEqual([kernel])
  expect(visitor.seen.errors).toEqual([])
}

describe.runIf(isLong)('an app that is made in an empty folder, with packages of npm', () => {
  it.each(toolchains)(
    '$name: compiles, signs on the kernel, and signs after a reload',
    async (toolchain) => {
      await fill(toolchain)
      await project.install(packagesOf(toolchain))
      await run(toolchain)
    },
    600_000,
  )
})
