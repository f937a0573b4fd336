/**
 * Pages with wagmi and the installed package, each from an empty folder: the guide's page for wagmi 3, and the same with wagmi 2
 * under RainbowKit and under ConnectKit. They are built with React for developers, which mounts everything twice.
 */
import { join } from 'node:path'
import type { Page } from 'playwright'
import { createTestClient, http, parseEther, type Address, type Hex } from 'viem'
import { foundry } from 'viem/chains'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { quickstart } from '../../react/pack/quickstart.ts'
import { isLong } from '../kit/long.ts'
import { makeProject, type Project } from '../package/project.ts'
import { react18, react19, vite8 } from '../package/toolchains.ts'
import { packagesOf, serveFolder, settingsFor } from './kit/packagedApp.ts'
import { button, createPassword, giveEmail, keepRecoverySecret, windowOf } from './kit/person.ts'
import { expectEvmSignature, expectMined } from './kit/verify.ts'
import { chainUrl, mailedCode, newEmail, newPassword, useChromium, visit, type Visitor } from './kit/visitor.ts'

const browser = useChromium()

let project: Project
let visitor: Visitor
beforeEach(async () => {
  project = await makeProject()
  visitor = await visit(browser())
}, 300_000)
afterEach(async () => {
  await visitor.close()
  await project.remove()
})

type Row = {
  readonly name: string
  readonly packages: readonly string[]
  readonly files: Readonly<Record<string, string>>
  /** From the page's button to the request of the connector. */
  readonly connect: (page: Page) => Promise<void>
}

/** The hooks of wagmi 2 have other names; the kit's own button connects. */
const walletOf = (kit: string, connectButton: string) => `
  import { ${connectButton} } from '${kit}'
  import { useAccount, useDisconnect, useSendTransaction, useSignMessage } from 'wagmi'

  export const Wallet = () => {
    const { status, address } = useAccount()
    const [{ disconnect }, message, transaction] = [useDisconnect(), useSignMessage(), useSendTransaction()]
    if (status !== 'connected') return <${connectButton} />
    return (
      <>
        <p>{address}</p>
        <button onClick={() => message.signMessage({ message: 'hello' })}>Sign</button>
        <button onClick={() => transaction.sendTransaction({ to: address, value: 1n })}>Send</button>
        <button onClick={() => disconnect()}>Disconnect</button>
        <output>{transaction.data ?? message.data}</output>
        <p role="alert">{(transaction.error ?? message.error)?.message}</p>
      </>
    )
  }`

const app = quickstart('wagmi').files['src/App.tsx'] ?? ''
const inKit = (kit: string, provider: string, imports: string) =>
  `${imports}\nimport { ${provider} } from '${kit}'\n${app.replace('<Wallet />', `<${provider}><Wallet /></${provider}>`)}`

const ofList = async (page: Page) => {
  await page.getByRole('button', { name: 'Connect Wallet' }).click()
  await page.getByRole('button', { name: 'Shop wallet' }).click()
}

const rainbowKit = '@rainbow-me/rainbowkit'
const wagmi2 = 'wagmi@2.19.5'

const rows: readonly Row[] = [
  {
    name: 'wagmi 3',
    packages: ['wagmi@3.7.7', vite8, ...react19],
    files: {},
    connect: (page) => button(page, 'Connect').click(),
  },
  {
    name: 'wagmi 2 with RainbowKit',
    packages: [wagmi2, `${rainbowKit}@2.2.11`, vite8, ...react19],
    files: {
      'src/App.tsx': inKit(
        rainbowKit,
        'RainbowKitProvider',
        `import '${rainbowKit}/styles.css'\nimport { connectorsForWallets } from '${rainbowKit}'`,
      )
        .replace('{ tandem }', '{ rainbowKitWallet }')
        .replace(
          /connectors: \[tandem\((.*)\)\],/,
          `connectors: connectorsForWallets([{ groupName: 'Ours', wallets: [rainbowKitWallet($1)] }], { appName: 'Shop', projectId: 'none' }),`,
        ),
      'src/Wallet.tsx': walletOf(rainbowKit, 'ConnectButton'),
    },
    connect: ofList,
  },
  {
    name: 'wagmi 2 with ConnectKit',
    packages: [wagmi2, 'connectkit@1.9.2', vite8, ...react18],
    files: {
      'src/App.tsx': inKit('connectkit', 'ConnectKitProvider', '')
        .replace('{ tandem }', '{ connectKitConnector }')
        .replace('tandem(', 'connectKitConnector('),
      'src/Wallet.tsx': walletOf('connectkit', 'ConnectKitButton'),
    },
    connect: ofList,
  },
]

const make = async ({ packages, files }: Row): Promise<void> => {
  const page = quickstart('wagmi').files
  const app = files['src/App.tsx'] ?? page['src/App.tsx'] ?? ''
  await project.write({
    ...page,
    ...files,
    'src/App.tsx': app.replace('http()', `http('${chainUrl()}')`),
    'src/settings.ts': settingsFor('src/settings.ts'),
    // With it Vite takes React for developers.
    '.env.development': 'NODE_ENV=development',
  })
  await project.install(packagesOf({ quickstart: 'wagmi', packages }))
  expect(await project.node(['node_modules/typescript/bin/tsc', '-p', '.'])).toBe('')
  await project.node(['node_modules/vite/bin/vite.js', 'build', '--mode', 'development', '--minify', 'false'])
}

/** What the page shows of its wallet, once it is connected. */
const shownAddress = async (page: Page): Promise<Address> => {
  await button(page, 'Disconnect').waitFor()
  return (await page.getByText(/^0x[0-9a-fA-F]{40}$/).innerText()) as Address
}

const shownResult = async (page: Page, length: number): Promise<Hex> => {
  const output = page.getByRole('status')
  await expect.poll(() => output.innerText()).toMatch(new RegExp(`^0x[0-9a-f]{${length}}$`))
  return (await output.innerText()) as Hex
}

/** Those in which a page asked for a session without having one. */
const begunSessions = (): number =>
  visitor.seen.requests.filter(
    (request) =>
      request.method() === 'POST' &&
      new URL(request.url()).pathname === '/touch' &&
      request.headers()['x-capsule-sid'] === undefined,
  ).length

/** React says so to developers: 18 with another beginning than 19. */
const updated = /^(?:Warning: )?Cannot update a component/

const story = async (row: Row, url: string): Promise<void> => {
  visitor.seen.expectErrors(/ \(http:\/\/app\.localhost:\d+\/favicon\.ico\)$/, updated)
  const page = await visitor.context.newPage()
  const updating: Promise<unknown>[] = []
  page.on('console', (message) => {
    const renders = message.args()[2]
    if (updated.test(message.text()) && renders !== undefined) updating.push(renders.jsonValue().catch(String))
  })
  let windows = 0
  page.on('popup', () => {
    windows += 1
  })
  await page.goto(url)
  await row.connect(page)
  const email = newEmail()
  await giveEmail(page, email)
  await page.getByRole('group', { name: 'Code from the email' }).getByRole('textbox').first().click()
  await page.keyboard.type(await mailedCode(email))
  await createPassword(await windowOf(page, 'Use a password'), newPassword())
  await keepRecoverySecret(page)
  // The kit may show a dialog of its own meanwhile.
  const account = page.getByRole('dialog', { name: 'Your account' })
  if (await account.isVisible()) await page.keyboard.press('Escape')
  await account.waitFor({ state: 'hidden' })
  const address = await shownAddress(page)
  expect([windows, begunSessions()]).toEqual([1, 1])

  await page.reload()
  expect(await shownAddress(page)).toBe(address)
  await button(page, 'Sign').click()
  await expectEvmSignature(address, 'hello', await shownResult(page, 130))
  const chain = createTestClient({ chain: foundry, mode: 'anvil', transport: http(chainUrl()) })
  await chain.setBalance({ address, value: parseEther('1') })
  await button(page, 'Send').click()
  await expectMined(await shownResult(page, 64), address)

  await button(page, 'Disconnect').click()
  await button(page, 'Disconnect').waitFor({ state: 'detached' })
  await page.reload()
  await page.waitForLoadState('networkidle')
  expect(await button(page, 'Disconnect').isVisible()).toBe(false)
  await row.connect(page)
  expect(await shownAddress(page)).toBe(address)
  expect([windows, begunSessions()]).toEqual([1, 1])
  expect(visitor.seen.errors).toEqual([])
  // The kits around wagmi 2 update themselves while its component renders.
  const others = row.files['src/App.tsx'] === undefined ? [] : ['Hydrate']
  expect((await Promise.all(updating)).filter((name) => !others.includes(String(name)))).toEqual([])
}

describe.runIf(isLong)('a page with', () => {
  it.each(rows)(
    '$name connects by one login, stays connected over a reload without a window, signs, sends, and stays disconnected',
    async (row) => {
      await make(row)
      const { port, stop } = await serveFolder(join(project.folder, 'dist'))
      try {
        await story(row, `http://app.localhost:${port}/`)
      } finally {
        await stop()
      }
    },
    600_000,
  )
})
