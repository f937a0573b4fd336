import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, posix, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { publint } from 'publint'
import { Webhook } from 'standardwebhooks'
import { recoverMessageAddress } from 'viem'
import { build, type Rolldown } from 'vite'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { verbNames } from '../../adapters/browser/verbs.ts'
import { installPackage } from '../../react/pack/installed.ts'
import { entries, packageName } from '../../react/pack/manifest.ts'
import { quickstart } from '../../react/pack/quickstart.ts'
import { isLong } from '../kit/long.ts'
import { makeProject, type Project } from './project.ts'

let project: Project
beforeAll(async () => {
  project = await makeProject()
}, 300_000)
afterAll(() => project.remove())

const root = join(import.meta.dirname, '..', '..')

const installed = (...path: readonly string[]): string => join(project.folder, 'node_modules', packageName, ...path)

const read = (...path: readonly string[]): string => readFileSync(installed(...path), 'utf8')

const readPage = (name: string): string => read('docs', `${name}.md`)

const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort()

/** The samples of the package's README, and of the guide. */
const samples = (text = read('README.md'), prefix = 'sample'): Readonly<Record<string, string>> => {
  const blocks = [...text.matchAll(/```(tsx?)\n([\s\S]*?)```/g)]
  return Object.fromEntries(blocks.map(([, kind = '', code = ''], index) => [`${prefix}${index}.${kind}`, code]))
}

const ofGuide = () =>
  samples(readFileSync(join(root, 'react/docs/guide.md'), 'utf8').replaceAll('${name}', packageName), 'guide')

describe('the package', () => {
  it('is one package when it is installed, without dependencies', () => {
    const lock = JSON.parse(readFileSync(join(project.folder, 'package-lock.json'), 'utf8')) as {
      readonly packages: object
    }
    expect(Object.keys(lock.packages)).toEqual(['', `node_modules/${packageName}`])
    expect(Object.keys(JSON.parse(read('package.json')) as object).filter((key) => /ependencies$/.test(key))).toEqual([
      'peerDependencies',
    ])
  })

  it('takes these versions of what an app brings along, each only where the app has it', () => {
    const manifest = JSON.parse(read('package.json')) as Readonly<Record<string, object>>
    // RainbowKit and ConnectKit ask for wagmi 2, which npm would refuse beside a peer of wagmi 3 alone.
    expect(manifest['peerDependencies']).toEqual({
      react: '>=18',
      'react-dom': '>=18',
      viem: '>=2.28 <3',
      ethers: '^6.14',
      wagmi: '>=2 <4',
    })
    const optional = Object.keys(manifest['peerDependencies'] ?? {}).map((name) => [name, { optional: true }])
    expect(manifest['peerDependenciesMeta']).toEqual(Object.fromEntries(optional))
  })

  it('has these files, and chunks', () => {
    const chunks = /^dist\/chunks\/[\w-]+\.js(\.map)?$/
    const files = filesIn(installed()).filter((file) => !chunks.test(file))
    const isPage = (file: string) => file.endsWith('.md')
    const ofEntries = Object.keys(entries)
      .sort()
      .map((name) => `reference/${name}`)
    const ofReference = ['reference/README', ...ofEntries]
    const documents = ['bridges', 'guide', 'next', 'node', ...ofReference, 'script', 'viem', 'vite', 'wagmi']
    const pages = ['ERRORS', 'README', ...documents.map((name) => `docs/${name}`)]
    expect(files.filter(isPage)).toEqual(pages.map((name) => `${name}.md`))
    expect(files.filter((file) => !isPage(file))).toMatchInlineSnapshot(`
      [
        "LICENSE",
        "dist/THIRD-PARTY.txt",
        "dist/create.js",
        "dist/digests.json",
        "dist/ethereum.d.ts",
        "dist/ethereum.js",
        "dist/ethers.d.ts",
        "dist/ethers.js",
        "dist/ethers.js.map",
        "dist/index.d.ts",
        "dist/index.js",
        "dist/react.d.ts",
        "dist/react.js",
        "dist/react.js.map",
        "dist/server.d.ts",
        "dist/server.js",
        "dist/server.js.map",
        "dist/styles.css",
        "dist/styles.css.d.ts",
        "dist/testing.d.ts",
        "dist/testing.js",
        "dist/testing.js.map",
        "dist/types.d.ts",
        "dist/types2.d.ts",
        "dist/viem.d.ts",
        "dist/viem.js",
        "dist/viem.js.map",
        "dist/wagmi.d.ts",
        "dist/wagmi.js",
        "dist/wagmi.js.map",
        "dist/worker-noble.d.ts",
        "dist/worker-noble.js",
        "dist/worker-noble.js.map",
        "dist/worker.d.ts",
        "dist/worker.js",
        "dist/worker.js.map",
        "llms.txt",
        "package.json",
        "template/gitignore",
        "template/index.html",
        "template/package.json",
        "template/src/App.tsx",
        "template/src/main.tsx",
        "template/src/settings.ts",
        "template/tsconfig.json",
      ]
    `)
  })

  it('has the code that the example and the stories in the browser are built with', async () => {
    const { folder } = await installPackage()
    const names = filesIn(folder)
    const isCode = (file: string) => /^dist\/.*(?<!\.d\.ts)$/.test(file) && file !== 'dist/create.js'

    expect(names).toEqual(expect.arrayContaining([...filesIn(installed()).filter(isCode), 'package.json']))
    for (const name of names) expect([name, readFileSync(join(folder, name), 'utf8')]).toEqual([name, read(name)])
  })

  it('has these entries', () => {
    const { exports } = JSON.parse(read('package.json')) as { readonly exports: object }
    expect(Object.keys(exports)).toMatchInlineSnapshot(`
      [
        ".",
        "./react",
        "./viem",
        "./ethereum",
        "./ethers",
        "./wagmi",
        "./server",
        "./testing",
        "./react/styles.css",
        "./worker.js",
        "./worker-noble.js",
        "./digests.json",
        "./package.json",
      ]
    `)
  })

  it('gives an app one command', () => {
    expect(readdirSync(join(project.folder, 'node_modules', '.bin'))).toEqual(['create-tandem-app'])
  })

  it('is made of the SDK’s sources and of nothing of the service', () => {
    const maps = filesIn(installed()).filter((file) => file.endsWith('.map'))
    const sources = maps.flatMap((file) => (JSON.parse(read(file)) as { readonly sources: readonly string[] }).sources)
    const paths = sources.flatMap((source) => (/node_modules/.test(source) ? [] : [source.replace(/^(\.\.\/)+/, '')]))
    const own = new Set(paths.filter((path) => /\.tsx?$/.test(path)))

    expect(own).toContain('domain/client/sign.ts')
    expect(
      [...own].filter(
        (path) => !/^(adapters\/browser|domain\/(client|crypto|model|mpc)|react|generated|wasm)\//.test(path),
      ),
    ).toEqual([])
    expect([...own].filter((path) => /^(adapters\/browser|react)\/(portal|connect|example)\//.test(path))).toEqual([])
  })

  it('has a first line for server components in the entry for React alone', () => {
    expect(read('dist/react.js')).toMatch(/^["']use client["'];\n/)
    expect(read('dist/index.js')).not.toContain('use client')
  })

  it('takes no name out of an import that it maps, which Vite 6 would read as a name of the file', () => {
    const scripts = readdirSync(installed('dist'), { recursive: true, encoding: 'utf8' })
    const taken = scripts
      .filter((name) => name.endsWith('.js'))
      .filter((name) => /\}\s*=\s*await import\([^)]*\)\s*\.then/.test(read('dist', name)))
    expect(taken).toEqual([])
  })

  it('has workers of one file each, with the kernel in one of them, as digests.json says', () => {
    const digests = JSON.parse(read('dist/digests.json')) as Readonly<Record<string, string>>
    const digestOf = (content: string | Uint8Array) => createHash('sha256').update(content).digest('hex')
    const inside = (file: string) => /['"`]hex:([0-9a-f]+)['"`]/.exec(read('dist', file))?.[1]

    for (const file of ['worker.js', 'worker-noble.js']) {
      expect(digests[file]).toBe(digestOf(read('dist', file)))
      expect(read('dist', file)).not.toMatch(/\bimport\s*[({'"]|\bexport\b/)
    }
    expect(digestOf(Buffer.from(inside('worker.js') ?? '', 'hex'))).toBe(digests['kernel.wasm'])
    expect(inside('worker-noble.js')).toBeUndefined()
    expect(gzipSync(read('dist/worker.js'), { level: 9 }).length).toBeLessThan(60_000)
  })

  it('has entries that load these chunks: that for servers no code of a page, that for tests none that names a worker', () => {
    const imports = (file: string): readonly string[] =>
      [...read('dist', file).matchAll(/^(?:import|export) (?:[^;]* from )?"(\.[^"]*)";$/gm)].map(([, path = '']) =>
        posix.join(posix.dirname(file), path),
      )
    const loaded = (file: string): string => {
      const found = new Set(imports(file))
      for (const one of found) for (const next of imports(one)) found.add(next)
      return [...found]
        .map((one) => posix.basename(one, '.js'))
        .sort()
        .join(' ')
    }
    const files = [...Object.keys(entries).map((name) => `${name}.js`), 'chunks/engine.js', 'chunks/signing.js']
    expect(Object.fromEntries(files.map((file) => [file, loaded(file)]))).toMatchInlineSnapshot(`
      {
        "chunks/engine.js": "core rolldown-runtime values",
        "chunks/signing.js": "core engine payload rolldown-runtime values",
        "ethereum.js": "ethereum sessionWallets",
        "ethers.js": "sessionWallets",
        "index.js": "core",
        "react.js": "core useWallets",
        "server.js": "base values",
        "testing.js": "Address CosmosMessage base chainForms core ed25519 engine ethereumForms otherRequests payload requests rolldown-runtime secp256k1 sha2 values",
        "viem.js": "sessionWallets",
        "wagmi.js": "ethereum sessionWallets",
      }
    `)
    const named = filesIn(installed('dist', 'chunks')).filter((file) => /\.js$/.test(file))
    expect(named.filter((file) => read('dist', 'chunks', file).includes('import.meta.url'))).toEqual(['signing.js'])
  })

  it('has the requests that its code sends, and no other', () => {
    const code = filesIn(installed('dist')).filter((file) => /\.js$/.test(file) && !file.startsWith('worker'))
    const all = code.map((file) => read('dist', file)).join('\n')
    const sent = new Set([...all.matchAll(/\bcall\("(\w+)"/g)].map(([, operation = '']) => operation))
    const [whole = '', table = '{}'] = /\nvar requests = (\{.*\});/.exec(all) ?? []
    const known = Object.keys(JSON.parse(table) as object)
    const others = all.replace(whole, '')

    expect(sent.size).toBeGreaterThan(30)
    expect([...sent].filter((operation) => !known.includes(operation))).toEqual([])
    expect(known.filter((operation) => !others.includes(`"${operation}"`))).toEqual([])
  })

  it('has a kernel that Node loads without a file and without the network', async () => {
    const { loadKernel } = (await import(installed('dist/chunks/kernel.js'))) as {
      readonly loadKernel: (others: readonly string[]) => Promise<unknown>
    }
    const fetched = vi.spyOn(globalThis, 'fetch')
    expect(await loadKernel([])).toHaveProperty('ed25519')
    expect(fetched).not.toHaveBeenCalled()
  })

  it('has its peers by imports alone, with names that they export, which bundlers check', () => {
    const code = filesIn(installed('dist')).filter((file) => file.endsWith('.js') && !file.startsWith('worker'))
    for (const file of code) {
      const text = read('dist', file)
      const peers = [...text.matchAll(/^import \* as (\w+) from "(?!\.)[^"]+";$/gm)].map(([, name = '']) => name)

      expect(text).not.toMatch(/\brequire\(["']|jsx-dev-runtime/)
      for (const peer of peers) expect(text).not.toMatch(new RegExp(`\\b${peer}(, |\\[)"module\\.exports"`))
    }
    expect(code.filter((file) => /^import \* as \w+ from "react"/m.test(read('dist', file)))).not.toEqual([])
  })

  it('has types that name no other package than its peers', () => {
    const types = filesIn(installed()).filter((file) => file.endsWith('.d.ts'))
    const named = types.flatMap((file) =>
      [...read(file).matchAll(/(?:from|import\()\s*["']([^"']+)["']/g)].map(([, name]) => name),
    )
    expect([...new Set(named)].sort()).toEqual(['./types.js', './types2.js', 'ethers', 'react', 'viem', 'wagmi'])
  })

  it('has pages with its own name, whose links lead to pages of it, and a list of them', () => {
    const pages = filesIn(installed()).filter((file) => file.endsWith('.md'))
    const list = read('llms.txt')
    for (const page of pages) {
      const targets = [...read(page).matchAll(/\]\(([^)#]+)[^)]*\)/g)].map(([, target = '']) => target)

      expect(read(page)).not.toMatch(/\$\{(name|tarball)\}/)
      expect(pages).toEqual(expect.arrayContaining(targets.map((target) => posix.join(posix.dirname(page), target))))
      if (!page.includes('/reference/')) expect(list).toContain(`](${page}): `)
    }
  })

  it('names no file of the repository in its declarations and documents', () => {
    const inRepository = /(?<![\w@./-])(?:adapters|domain|generated|openapi|react|tests|wasm)\/[\w./-]+/g
    const texts = filesIn(installed()).filter((file) => /\.(d\.ts|md|txt)$/.test(file))
    const named = texts.flatMap((file) => [...read(file).matchAll(inRepository)].map(([path]) => `${file}: ${path}`))
    expect(named).toEqual([])
  })

  it('has a reference, made from its types, of each verb with what the sources say of it, and of each hook', () => {
    const [core, react] = ['index', 'react'].map((name) => readPage(`reference/${name}`)) as [string, string]

    for (const verb of verbNames) expect(core).toContain(`> **${verb}**(`)
    expect(core).toMatch(/recovery\s+secret\s+opens/)
    const hooks = new Set([...read('dist/react.d.ts').matchAll(/\buse[A-Z]\w+/g)].map(([name]) => name))
    expect(hooks.size).toBeGreaterThan(30)
    for (const hook of hooks) expect(react).toContain(`### ${hook}`)
  })

  it('has a reference with each name that an entry exports, each option, and nothing of Node', () => {
    const pages = Object.keys(entries).map((entry) => [entry, readPage(`reference/${entry}`)] as const)
    const missing = pages.flatMap(([entry, page]) => {
      const exported = [...read(`dist/${entry}.d.ts`).matchAll(/^export \{([^}]*)\}/gm)].flatMap(([, list = '']) =>
        list.split(','),
      )
      const names = exported.map((name) =>
        name
          .trim()
          .replace(/^type /, '')
          .replace(/^.* as /, ''),
      )
      expect([entry, names.length]).toEqual([entry, expect.toSatisfy((count: number) => count > 0)])
      return names.filter((name) => !page.includes(`### ${name}\n`)).map((name) => `${entry}: ${name}`)
    })
    expect(missing).toEqual([])

    const all = pages.map(([, page]) => page).join('\n')
    const options = ['evenWithoutBackup', 'excludeSigners', 'lifetimeMs', 'signIn', 'useLocalFiles', 'workerUrl']
    expect(options.filter((option) => !all.includes(`\`${option}`))).toEqual([])
    // A list of words, not the name of the constant that has them.
    expect(all).toMatch(/\*\*WalletType\*\* = `"EVM"`/)
    expect(all).not.toContain('captureStackTrace')
    expect(all).toContain(`The user's key share as text. Log it nowhere`)
  })

  it('has no complaint of publint', async () => {
    const { messages } = await publint({ pkgDir: installed(), strict: true, pack: false })
    expect(messages).toEqual([])
  })

  it.runIf(isLong)('has no complaint of attw about entries of ES modules', async () => {
    const attw = join(root, 'node_modules/@arethetypeswrong/cli/dist/index.js')
    await expect(project.node([attw, project.tarball, '--profile', 'esm-only'])).resolves.toContain(
      `"${packageName}/react"`,
    )
  })
})

describe('its command', () => {
  type Manifest = { readonly name: string; readonly dependencies: Readonly<Record<string, string>> }
  const create = (...parameters: readonly string[]) => project.node([installed('dist/create.js'), ...parameters])
  const shop = (file: string) => readFileSync(join(project.folder, 'shop', file), 'utf8')

  it('makes the app of the quick start in a new folder, and overwrites nothing', async () => {
    await expect(create('shop', '--key', 'pk_abc', '--sdk', project.tarball)).resolves.toContain('cd shop')
    const { name, dependencies } = JSON.parse(shop('package.json')) as Manifest

    expect(name).toBe('shop')
    expect(resolve(project.folder, 'shop', dependencies[packageName]?.replace('file:', '') ?? '')).toBe(project.tarball)
    expect(shop('src/App.tsx')).toBe(quickstart('vite').files['src/App.tsx'])
    expect(shop('src/settings.ts')).toContain(`apiKey: 'pk_abc'`)
    expect(shop('.gitignore')).toContain('node_modules')
    await expect(create('shop')).rejects.toThrow('shop is not empty')
  })

  it('takes the tarball that it came from by default, and nothing of a registry', async () => {
    await create('bare')
    const sdkIn = (folder: string) =>
      (JSON.parse(readFileSync(join(project.folder, folder, 'package.json'), 'utf8')) as Manifest).dependencies[
        packageName
      ]

    expect(resolve(project.folder, 'bare', sdkIn('bare')?.replace('file:', '') ?? '')).toBe(project.tarball)
    const list = join(project.folder, 'node_modules', '.package-lock.json')
    const listed = readFileSync(list, 'utf8')
    try {
      for (const other of [listed.replace(/"file:[^"]*"/, '"https://registry.npmjs.org/sdk-0.1.0.tgz"'), '{}']) {
        await project.write({ 'node_modules/.package-lock.json': other })
        await expect(create('elsewhere')).rejects.toThrow(
          `${packageName} is on no registry: say by --sdk where its tarball is`,
        )
      }
      await create('given', '--sdk', 'https://shop.example/sdk.tgz')
      expect(sdkIn('given')).toBe('https://shop.example/sdk.tgz')
    } finally {
      await project.write({ 'node_modules/.package-lock.json': listed })
    }
    expect(existsSync(join(project.folder, 'elsewhere'))).toBe(false)
  })

  it('refuses what it does not know', async () => {
    await expect(create('other', '--key', `'+alert()+'`)).rejects.toThrow('--key is not a publishable key')
    await expect(create('other', '--keys', 'pk')).rejects.toThrow(`Unknown option '--keys'`)
    await expect(create()).rejects.toThrow('create-tandem-app FOLDER')
    expect(existsSync(join(project.folder, 'other'))).toBe(false)
  })
})

describe('in an empty project', () => {
  beforeAll(async () => {
    await project.write({ ...samples(), ...ofGuide(), 'core.ts': samples()['sample1.ts'] ?? '' })
  })

  const compile = (files: readonly string[], resolution: 'nodenext' | 'bundler', skipLibCheck = false) =>
    project.node([
      join(root, 'node_modules/typescript-7/bin/tsc'),
      ...['--noEmit', '--strict', '--skipLibCheck', String(skipLibCheck), '--target', 'es2022', '--lib', 'es2023,dom'],
      ...['--module', resolution === 'bundler' ? 'esnext' : 'nodenext', '--moduleResolution', resolution],
      ...['--jsx', 'react-jsx', '--exactOptionalPropertyTypes', '--noUncheckedSideEffectImports', '--ignoreConfig'],
      ...files,
    ])

  it('the sample without React and those of the guide compile', async () => {
    const guide = Object.keys(ofGuide())
    expect(guide).toHaveLength(3)
    await expect(compile(['core.ts', ...guide], 'nodenext')).resolves.toBe('')
  })

  it('the sample of a server compiles', async () => {
    await expect(compile(['sample3.ts'], 'nodenext')).resolves.toBe('')
  })

  it('a server in Node verifies tokens and webhooks, without the network and with its exports alone', async () => {
    const { privateKey, publicKey } = await generateKeyPair('ES256')
    const kid = 'one'
    const keys = { keys: [{ ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' }] }
    const claims = { sub: 'ada', sid: 'a session', azp: 'https://shop.example', wallets: [] }
    const token = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'ES256', typ: 'JWT', kid })
      .setIssuer('https://api.example')
      .setAudience('a partner')
      .setIssuedAt()
      .setExpirationTime('5m')
      .sign(privateKey)
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
    const body = JSON.stringify({ type: 'webhook.test', timestamp: new Date().toISOString(), data: {} })
    const at = new Date()
    const headers = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign('msg_1', at, body),
    }
    const options = { issuer: 'https://api.example', audience: 'a partner', origins: ['https://shop.example'], keys }
    await project.write({
      'verifying.mjs': `
        import * as server from '${packageName}/server'
        const { verifyToken, verifyWebhook } = server
        const [token, options, request, secret] = ${JSON.stringify([token, options, { headers, body }, secret])}
        const { userId } = await verifyToken(token, options)
        const { type } = await verifyWebhook(request, secret)
        const refused = await verifyToken(token, { ...options, origins: [] }).catch(({ code, reason }) => [code, reason])
        console.log(JSON.stringify({ names: Object.keys(server).sort(), userId, type, refused }))`,
    })

    expect(JSON.parse(await project.node(['verifying.mjs']))).toEqual({
      names: ['KeysUnavailable', 'TokenRefused', 'WebhookRefused', 'verifyToken', 'verifyWebhook'],
      userId: 'ada',
      type: 'webhook.test',
      refused: ['TokenRefused', 'origin'],
    })
  })

  it('a test of an app has a client without network, and a build for production has none', async () => {
    await project.write({
      'standing.mjs': `
        import * as testing from '${packageName}/testing'
        const { ethereumSignature, address } = await testing.makeStandIn({ email: 'ada@example.com' }).signMessage({ message: 'hello' })
        console.log(JSON.stringify({ names: Object.keys(testing).sort(), ethereumSignature, address }))`,
      'built.ts': `
        import { makeStandIn } from '${packageName}/testing'
        console.log(makeStandIn().isStandIn)`,
    })
    const said = JSON.parse(await project.node(['standing.mjs'])) as { readonly ethereumSignature: `0x${string}` }
    expect(said).toEqual({
      names: ['makeStandIn', 'makeVirtualPasskeys', 'newUser', 'standInCode'],
      ethereumSignature: expect.any(String) as string,
      address: await recoverMessageAddress({ message: 'hello', signature: said.ethereumSignature }),
    })
    const config = { root: project.folder, configFile: false, envDir: false, logLevel: 'silent' } as const
    for (const mode of ['production', 'development']) {
      const outDir = join(project.folder, mode)
      const rolldownOptions = { input: join(project.folder, 'built.ts'), output: { entryFileNames: 'built.mjs' } }
      vi.stubEnv('NODE_ENV', mode)
      await build({ ...config, mode, build: { outDir, rolldownOptions } }).finally(() => vi.unstubAllEnvs())
    }
    await expect(project.node(['development/built.mjs'])).resolves.toBe('true\n')
    await expect(project.node(['production/built.mjs'])).rejects.toThrow('is not for a build for production')
  })

  it('the guide’s sign-up for tests compiles with Playwright', async () => {
    await project.write(quickstart('guide').files)
    await project.link(['playwright', 'playwright-core', '@types/node', 'undici-types'])
    await expect(compile(['signUp.ts'], 'bundler', true)).resolves.toBe('')
  })

  describe('that has the libraries of bridges', () => {
    beforeAll(() => project.link(['ethers', 'viem', 'wagmi']))

    it.each(['nodenext', 'bundler'] as const)('the samples of bridges compile by %s', async (resolution) => {
      const ofPage = samples(readPage('bridges'), 'bridge')
      await project.write(ofPage)
      expect(Object.keys(ofPage)).toHaveLength(4)
      // Declarations of wagmi and ethers do not compile by themselves under these options.
      await expect(compile(['sample2.ts', ...Object.keys(ofPage)], resolution, true)).resolves.toBe('')
    })

    it.runIf(isLong)('wagmi 2 takes the connector, and so RainbowKit and ConnectKit do', async () => {
      await project.write({
        'wagmi2.ts': `
          import type { Para } from '${packageName}'
          import { tandem, type WagmiOptions } from '${packageName}/wagmi'
          import { mainnet } from 'viem/chains'
          import { createConfig, http } from 'wagmi'
          export const configOf = (para: Para, options: WagmiOptions) =>
            createConfig({
              chains: [mainnet],
              transports: { [mainnet.id]: http() },
              connectors: [tandem(para, options)],
            })`,
      })
      // The core of wagmi 2, which has its types; the hooks around it bring every other wallet along.
      await project.linkAs('wagmi', 'wagmi-core-2')
      try {
        for (const resolution of ['nodenext', 'bundler'] as const) {
          await expect(compile(['wagmi2.ts'], resolution, true)).resolves.toBe('')
        }
      } finally {
        await project.link(['wagmi'])
      }
    })

    it('each bridge has these exports', async () => {
      const names = async (entry: string) => Object.keys((await import(installed('dist', entry))) as object).sort()

      expect(await Promise.all(['viem.js', 'ethereum.js', 'ethers.js', 'wagmi.js'].map(names))).toEqual([
        ['toViemAccount'],
        ['announce', 'toEthereumProvider'],
        ['toEthersSigner'],
        ['connectKitConnector', 'rainbowKitWallet', 'tandem'],
      ])
    })
  })

  describe('that has React', () => {
    beforeAll(() => project.link(['react', 'react-dom', '@types/react']))

    it.each(['nodenext', 'bundler'] as const)(
      'both samples compile by %s, and a test of an app',
      async (resolution) => {
        await project.write({
          'appTest.tsx': `
          import { WalletProvider } from '${packageName}/react'
          import { makeStandIn, type StandInTransaction } from '${packageName}/testing'
          const client = makeStandIn({ email: 'ada@example.com' })
          export const app = <WalletProvider environment="DEV" apiKey="a key" client={client}>Shop</WalletProvider>
          export const sent: readonly StandInTransaction[] = client.sent`,
          'events.tsx': `
          import { Para, type EventDetail } from '${packageName}'
          import { useEvent } from '${packageName}/react'
          export const { on, signMessage } = new Para('DEV', 'a key')
          export const Leave = ({ para }: { readonly para: Para }) => <button onClick={() => para.logout()}>Leave</button>
          on('paraLogin', ({ data: { userId, missing, needsWallet } }) => [userId, ...missing].includes(String(needsWallet)))
          on('paraSignMessage', ({ data: { walletId }, error }) => walletId === '' || error?.code === 'KeyShareLocked')
          export const stop: () => void = on('paraLogout', ({ data }: { readonly data: null }) => data)
          export const secretOf = ({ data }: EventDetail<'paraAccountSetup'>): string | null => data.recoverySecret
          export const useWalletIds = (tell: (ids: readonly string[]) => void) => {
            useEvent('paraWalletCreated', ({ data }) => tell([data.walletId]))
            useEvent('paraWalletsChange', ({ data }) => tell(data.walletIds))
            // @ts-expect-error The event has one id.
            useEvent('paraWalletCreated', ({ data }) => tell(data.walletIds))
          }
          // @ts-expect-error It is never told.
          on('paraExternalWalletChange', () => undefined)
          // @ts-expect-error It is never told.
          on('paraPregenWalletClaimed', () => undefined)`,
        })
        await expect(compile(['sample0.tsx', 'sample1.ts', 'appTest.tsx', 'events.tsx'], resolution)).resolves.toBe('')
      },
    )

    it('has these exports', async () => {
      const names = async (entry: string) => Object.keys((await import(installed('dist', entry))) as object).sort()

      expect(await names('index.js')).toMatchInlineSnapshot(`
        [
          "Para",
          "isSdkError",
        ]
      `)
      expect((await names('react.js')).join(' ')).toMatchInlineSnapshot(
        `"WalletProvider useCancelRecovery useCheckUserExists useClient useCreateShortLink useCreateUser useCreateWallet useEndDelegation useEvent useExportPrivateKey useExportSession useFindWallet useFinishSetup useGetSupportedAuthMethods useGetToken useImportSession useListDelegations useLogin useLogout useModal usePreSignMessage useRefreshKeys useResendVerificationCode useSendCosmosTransaction useSendSolanaTransaction useSendTransaction useSession useSetUpPasskey useSetUpPassword useSignAuthorization useSignCosmosAmino useSignCosmosDirect useSignMessage useSignRawHash useSignSolanaTransaction useSignTransaction useSignTypedData useUser useVerifyEmail useWallet useWallets"`,
      )
    })

    it('Node imports and requires it, renders it, and hears of a service that is not there', async () => {
      await project.write({
        'server.mjs': `
          import { createRequire } from 'node:module'
          import { createElement } from 'react'
          import { renderToString } from 'react-dom/server'
          import { Para } from '${packageName}'
          import { useSession, WalletProvider } from '${packageName}/react'
          const required = createRequire(import.meta.url)('${packageName}')
          const Status = () => useSession().status
          const settings = { environment: 'DEV', apiKey: 'a key' }
          const nowhere = 'http://127.0.0.1:9'
          const hosts = { api: nowhere, cosigner: nowhere, portal: nowhere, connect: nowhere, oauth: nowhere }
          const failure = await new Para('DEV', 'a key', { hosts }).checkUserExists({ email: 'ada@example.com' }).catch((error) => error.message)
          console.log(JSON.stringify({
            isSame: required.Para === Para,
            html: renderToString(createElement(WalletProvider, settings, createElement(Status))),
            failure,
          }))`,
      })
      expect(JSON.parse(await project.node(['server.mjs']))).toEqual({
        isSame: true,
        html: 'loading',
        failure: 'Connection error',
      })
    })

    it('Vite builds it without configuration, and brings the worker’s files and the styles along', async () => {
      await project.write({
        'index.html': '<!doctype html><script type="module" src="/main.tsx"></script>',
        'main.tsx': `
          import { createRoot } from 'react-dom/client'
          import { App } from './sample0.tsx'
          createRoot(document.body).render(<App environment="DEV" apiKey="a key" />)`,
      })
      // Of every library with 'use client', and of a slow machine.
      const expected = new Set(['MODULE_LEVEL_DIRECTIVE', 'PLUGIN_TIMINGS'])
      const warnings: string[] = []
      const { output } = (await build({
        root: project.folder,
        configFile: false,
        envDir: false,
        logLevel: 'silent',
        build: {
          write: false,
          rolldownOptions: {
            onLog: (level, { code = '', message }) => {
              if (level === 'warn' && !expected.has(code)) warnings.push(message)
            },
          },
        },
      })) as Rolldown.RolldownOutput
      const files = output.map(({ fileName }) => fileName.replace(/-[\w-]{8}\./, '.'))

      expect(warnings).toEqual([])
      expect(files).toEqual(expect.arrayContaining(['assets/worker.js', 'assets/worker-noble.js', 'assets/index.css']))
    })
  })
})
