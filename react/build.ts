/**
 * `node react/build.ts` builds the static files of portal, connect and example: the pages, with hashed names for all
 * but index.html, and the files that workers load. Beside each folder `dist/pages/<name>/` stands `<name>.json` with
 * the digest of every file and of its sources, so only what has changed is built again. No setting of a deployment is
 * built in: the same sources give the same bytes everywhere.
 */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants } from 'node:zlib'
import type { InlineConfig, Plugin, Rolldown } from 'vite'
import type { StaticFile } from '../domain/model/PortalFiles.ts'
import { buildKernel, kernelFile, requirePinned } from '../wasm/build.ts'
import { collecting } from './pack/bundledSources.ts'
import { allForProduction, productionBuild } from './pack/forProduction.ts'
import { bringUpToDate, digestOf, type Built, type Make } from './pack/upToDate.ts'

const root = join(import.meta.dirname, '..')

/** Each is a folder here with an index.html. */
const pages = ['portal', 'connect', 'example'] as const

/** The entries of the protocol worker and of the package's prime worker; both become files under `/static/js/`. */
const mpcWorker = join(root, 'adapters', 'browser', 'publicClient.worker.ts')
const primeWorker = createRequire(import.meta.url).resolve('node-forge/dist/prime.worker.min.js')

/** Browsers that have what the pages need anyway: passkeys with PRF, WebAssembly SIMD, module workers. */
const target = 'es2022'

export type BuildOptions = {
  readonly folder?: string
  /** Called with a line for each thing that is built. */
  readonly say?: (line: string) => void
}

/** Brings `folder` up to date; returns the names of what was built. */
export const buildPages = async ({ folder = join(root, 'dist', 'pages'), say }: BuildOptions = {}): Promise<
  readonly string[]
> => {
  await buildKernel()
  requirePinned()
  const kernel = await readFile(kernelFile)
  const all = targets(kernel)
  // At once: for the example npm packs the package, which takes a while in which the machine has nothing else to do.
  const built = await allForProduction(
    all.map(
      ([name, make]) =>
        () =>
          bringUpToDate({ folder, name, make, say }),
    ),
  )
  return all.flatMap(([name], index) => (built[index] === true ? [name] : []))
}

const targets = (kernel: Uint8Array): readonly (readonly [string, Make])[] => [
  ['static', (sources) => buildStatic(sources, kernel)],
  ...pages.map((name) => [name, (sources: Set<string>) => buildPage(name, sources)] as const),
]

const buildPage = async (name: string, sources: Set<string>): Promise<Built> => {
  const config: InlineConfig = {
    root: join(root, 'react', name),
    build: { rolldownOptions: { input: join(root, 'react', name, 'index.html') } },
  }
  const output = await (name === 'example' ? bundleWithPackage(sources, config) : bundle(sources, config))
  const style = await readFrom(sources, ['react/theme/tokens.css', 'react/missing/page.css'])
  const stylePath = `assets/missing-${digestOf(style).slice(0, 8)}.css`
  const missing = new TextEncoder().encode(missingPage(stylePath))
  return new Map([...output, ...[...output].flatMap(compressed), [stylePath, style], ['404.html', missing]])
}

/** The example has the package as an app that has installed it, and none of the SDK's sources. */
const bundleWithPackage = async (sources: Set<string>, config: InlineConfig): Promise<Built> => {
  const { installPackage } = await import('./pack/installed.ts')
  const installed = await installPackage()
  for (const path of installed.sources) sources.add(path)
  return bundle(sources, { ...config, plugins: [installed.plugin] })
}

/** Brotli, which all supported browsers read, has a third of the bytes. */
const compressed = ([path, bytes]: readonly [string, Uint8Array]): readonly (readonly [string, Uint8Array])[] => {
  if (!/\.(js|css|svg|wasm)$/.test(path) || bytes.length < 1_000) return []
  return [[`${path}.br`, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } })]]
}

/** The page for unknown addresses. It has the look of the other pages and no script. */
const missingPage = (stylePath: string): string => `<!doctype html>
<html lang="en" data-tandem>
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <link rel="icon" href="data:," />
    <title>No such page</title>
    <link rel="stylesheet" href="/${stylePath}" />
  </head>
  <body>
    <main>
      <h1>There is no page at this address</h1>
      <p>Pages here are opened by an app. Go back to the app and start again there. Nothing was changed.</p>
    </main>
  </body>
</html>
`

/** The files one after the other. */
const readFrom = async (sources: Set<string>, paths: readonly string[]): Promise<Uint8Array> => {
  for (const path of paths) sources.add(path)
  return Buffer.concat(await Promise.all(paths.map((path) => readFile(join(root, path)))))
}

const buildStatic = async (sources: Set<string>, kernel: Uint8Array): Promise<Built> => {
  const entry = 'mpcWorker-bundle.js' satisfies StaticFile
  const output = await bundle(sources, {
    root,
    plugins: [kernelBeside],
    build: {
      lib: { entry: mpcWorker, formats: ['iife'], name: 'mpcWorker', fileName: () => entry },
    },
  })
  return staticFiles(output.get(entry) ?? new Uint8Array(), kernel)
}

/**
 * The protocol worker loads the kernel as a file of its own host instead of containing a copy: of the portal that the service
 * names in front of the file, because an app's page runs it under its own origin.
 */
const kernelBeside: Plugin = {
  name: 'tandem:kernel-beside',
  enforce: 'pre',
  transform(code, id) {
    if (!id.endsWith('/adapters/browser/kernel.ts')) return undefined
    const packaged = `new URL('../../wasm/build/kernel.wasm', import.meta.url)`
    if (!code.includes(packaged)) throw new Error('adapters/browser/kernel.ts names its kernel in another way')
    const host = 'self.tandemDeployment?.hosts.portal ?? self.origin'
    return code.replace(packaged, `new URL('/static/js/${'main.wasm' satisfies StaticFile}', ${host})`)
  },
}

const staticFiles = async (worker: Uint8Array, kernel: Uint8Array): Promise<Built> => {
  const files: Readonly<Record<StaticFile, Uint8Array>> = {
    'mpcWorker-bundle.js': worker,
    'main.wasm': kernel,
    'prime.worker.min.js': await readFile(primeWorker),
  }
  return new Map(Object.entries(files).map(([name, bytes]) => [`js/${name}`, bytes]))
}

/** One run of Vite, in memory. It is loaded only where there is something to build. */
const bundle = async (sources: Set<string>, { build, plugins = [], ...own }: InlineConfig): Promise<Built> => {
  const [{ build: run }, { default: react }] = await Promise.all([import('vite'), import('@vitejs/plugin-react')])
  const result = await run({
    ...own,
    ...productionBuild,
    plugins: [...plugins, react(), collecting(sources)],
    worker: { format: 'es', plugins: () => [collecting(sources)] },
    build: {
      write: false,
      target,
      sourcemap: false,
      modulePreload: { polyfill: false },
      // The pages' content policy allows data: for images only, and a file with a name can be cached.
      assetsInlineLimit: 0,
      reportCompressedSize: false,
      ...build,
    },
  })
  const outputs = (Array.isArray(result) ? result : [result]) as readonly Rolldown.RolldownOutput[]
  return new Map(outputs.flatMap(({ output }) => output.map((file) => [file.fileName, bytesOf(file)] as const)))
}

const bytesOf = (file: Rolldown.OutputChunk | Rolldown.OutputAsset): Uint8Array => {
  const content = file.type === 'chunk' ? file.code : file.source
  return typeof content === 'string' ? new TextEncoder().encode(content) : content
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const built = await buildPages({ say: (line) => console.log(line) })
  if (built.length === 0) console.log('The pages are as their sources.')
}
