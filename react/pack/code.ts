/**
 * The code of the package: its entries with their chunks, the workers and the styles. The package's tarball and the example
 * are both made of it.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build, type InlineConfig, type Plugin, type Rolldown } from 'vite'
import { requests } from '../../generated/requests.ts'
import { kernelFile } from '../../wasm/build.ts'
import { kernelDigest } from '../../wasm/kernelDigest.ts'
import { collecting } from './bundledSources.ts'
import { forProduction, productionBuild } from './forProduction.ts'
import { entries, ofPeers } from './manifest.ts'
import { ownHashes } from './ownHashes.ts'

const root = join(import.meta.dirname, '..', '..')

/** As the pages of portal and connect. */
const target = 'es2022'

export type Files = ReadonlyMap<string, string>

/** By their names in the package's dist. `sources` gets the paths of what they are made of. */
export const bundlePackage = (sources = new Set<string>()): Promise<Files> => forProduction(() => bundleAll(sources))

const bundleAll = async (sources: Set<string>): Promise<Files> => {
  const withoutNoble = replacing({ 'adapters/browser/lateNoble.ts': 'export const loadNoble = undefined' })
  const withoutKernel = replacing({
    'adapters/browser/kernel.ts': 'export const loadKernel = () => Promise.resolve(undefined)',
  })
  const worker = await bundleWorker('worker', sources, kernelInside, withoutNoble)
  const noble = await bundleWorker('worker-noble', sources, withoutKernel)
  const code = await bundleEntries(sources, textOf(worker, 'worker.js'), textOf(noble, 'worker-noble.js'))
  const digests = {
    'worker.js': digestOf(textOf(worker, 'worker.js')),
    'worker-noble.js': digestOf(textOf(noble, 'worker-noble.js')),
    'kernel.wasm': kernelDigest,
  }
  return new Map([...worker, ...noble, ...code, ['digests.json', `${JSON.stringify(digests, null, 2)}\n`]])
}

const bundleWorker = (name: string, sources: Set<string>, ...plugins: readonly Plugin[]): Promise<Files> =>
  bundle({
    plugins: [...plugins, collecting(sources)],
    build: {
      lib: {
        entry: join(root, 'adapters/browser/mpc.worker.ts'),
        formats: ['iife'],
        name: 'worker',
        fileName: () => `${name}.js`,
      },
      // Bundlers hand files on as they are.
      minify: true,
      rolldownOptions: { output: { codeSplitting: false } },
    },
  })

const bundleEntries = async (sources: Set<string>, worker: string, noble: string): Promise<Files> => {
  const packaged = `
    export const packagedWorker = {
      digest: ${JSON.stringify(digestOf(worker))},
      text: async () => (await import('tandem:workerText')).default,
      startNoble: () => new Worker(${placeholderOf('worker-noble.js')}, { type: 'module' }),
      nobleText: async () => (await import('tandem:workerNobleText')).default,
    }`
  const files = await bundle({
    plugins: [
      effectOfPackage,
      ownHashes,
      kernelInside,
      replacing({
        'adapters/browser/packagedWorker.ts': packaged,
        'generated/requests.ts': `export const requests = ${placeholderOf('requests')}`,
      }),
      texts({ workerText: worker, workerNobleText: noble }),
      workerFiles,
      modeOfApp,
      peersByImport,
      collecting(sources),
    ],
    // A page without a bundler has no `process`.
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      lib: {
        entry: Object.fromEntries(Object.entries(entries).map(([name, { source }]) => [name, join(root, source)])),
        formats: ['es'],
        cssFileName: 'styles',
      },
      license: { fileName: 'THIRD-PARTY.txt' },
      rolldownOptions: {
        output: { codeSplitting: { groups }, chunkFileNames: ({ name }) => `chunks/${name.replace(/^_/, '')}.js` },
      },
    },
  })
  const isCode = (name: string) => name.endsWith('.js')
  const sent = JSON.stringify(requestsNamedIn([...files].flatMap(([name, text]) => (isCode(name) ? [text] : []))))
  const written = (name: string, text: string) => withExpressions(name, text).replace(placeholderOf('requests'), sent)
  return new Map([...files].map(([name, text]) => [name, isCode(name) ? written(name, text) : text]))
}

/** Of the contract's table of requests, which each page loads, the package has those whose operations its code names. */
const requestsNamedIn = (texts: readonly string[]): Partial<typeof requests> => {
  const names = new Set(texts.flatMap((text) => [...text.matchAll(/"(\w+)"/g)].map(([, name]) => name)))
  return Object.fromEntries(Object.entries(requests).filter(([operation]) => names.has(operation)))
}

/**
 * Each border between chunks has lists of names and begins a new dictionary of gzip: cut by who uses what, a page would load
 * twenty, whose imports and exports are 5 kB. So `core` comes with an entry, `engine` with the first call (and `values`, which it
 * imports), `signing` with the signature of a message (and `payload`). A group has with it what its modules import, used or not,
 * but what a group of a higher priority has: `values` and `base` are used by servers too, which load no engine; hooks read the
 * model that is in `core`; `payload` has what a stand-in and the curves share with `signing`, which names the workers' files; and
 * `requests` are other ones than messages.
 */
const groups: Rolldown.CodeSplittingGroup[] = [
  { name: 'values', test: /node_modules.(valibot|@noble.hashes.utils)/, priority: 7 },
  { name: 'core', test: /browser.sdk\.ts$|model.(ConnectUrl|CurrentWalletIds|Environment|Events)\.ts$/, priority: 6 },
  { name: 'engine', test: /adapters.browser.engine\.ts$/, priority: 5 },
  { name: 'base', test: /node_modules.@scure.base/, priority: 4 },
  {
    name: 'payload',
    test: /mpc.SigningPayload\.ts$|model.(Signature|WalletKeyFailures|WalletSelection)\.ts$|flows.messageForm\.ts$|hashes.hmac\.js$/,
    priority: 3,
  },
  { name: 'requests', test: /mpc.SigningRequest\.ts$/, priority: 2 },
  { name: 'signing', test: /flows.signing\.ts$|browser.Mpc\.ts$/, priority: 1 },
]

/** Files of the repository that the package has in another way. */
const replacing = (replaced: Readonly<Record<string, string>>): Plugin => {
  const left = new Set(Object.keys(replaced))
  return {
    name: 'tandem:replacing',
    enforce: 'pre',
    load(id) {
      const path = Object.keys(replaced).find((file) => id === join(root, file))
      if (path === undefined) return undefined
      left.delete(path)
      return { code: replaced[path] ?? '', moduleType: 'js' }
    },
    buildEnd(error) {
      if (error === undefined && left.size > 0) throw new Error(`nothing imports ${[...left].join(', ')}`)
    },
  }
}

const packagedEffect = join(import.meta.dirname, 'packagedEffect.ts')

/** Without spans their names have no use, and as arguments they would stay in every page. */
const effectOfPackage: Plugin = {
  name: 'tandem:effect',
  enforce: 'pre',
  resolveId: (id, importer) => (id === 'effect/Effect' && importer !== packagedEffect ? packagedEffect : undefined),
  transform(code) {
    const unnamed = code.replaceAll(/\bEffect\.fn\('[^']+'\)/g, 'Effect.fnUntraced')
    return unnamed === code ? undefined : { code: unnamed, map: null }
  },
}

/** Texts as modules. */
const texts = (named: Readonly<Record<string, string>>): Plugin => ({
  name: 'tandem:texts',
  resolveId: (id) => (id.startsWith('tandem:') ? `\0${id.replace('tandem:', '')}` : undefined),
  load: (id) => {
    const text = id.startsWith('\0') ? named[id.slice(1)] : undefined
    return text === undefined ? undefined : `export default ${JSON.stringify(text)}`
  },
})

/**
 * A CommonJS module inside the package gets the namespace of an import for its `require` of a peer. What rolldown has for it
 * reads a name `module.exports` of the namespace, which webpack, Rspack and Next refuse because React exports none.
 */
const peersByImport: Plugin = {
  name: 'tandem:peers-by-import',
  enforce: 'pre',
  resolveId(id, _importer, { kind }) {
    if (!ofPeers.test(id)) return undefined
    return kind === 'require-call' ? `\0peer:${id}` : { id, external: true }
  },
  load: (id) => (id.startsWith('\0peer:') ? `export * from '${id.slice('\0peer:'.length)}'` : undefined),
}

const placeholderOf = (file: string): string => `TANDEM_FILE_${file.replace(/\W/g, '_')}`

type Rewritten = { readonly file: string; readonly source: string; readonly by: () => string }

/** A file of the repository in which the package has `by` in the place of `source`. */
const rewriting = (name: string, { file, source, by }: Rewritten): Plugin => ({
  name: `tandem:${name}`,
  enforce: 'pre',
  transform(code, id) {
    if (id !== join(root, file)) return undefined
    if (!code.includes(source)) throw new Error(`${file} says in another way what the package has to say itself`)
    return { code: code.replace(source, by), map: null }
  },
})

/**
 * The kernel stands in the code, so no policy of a page and no bundler comes between. As an address by `new URL` some
 * bundlers would make a file of it again.
 */
const kernelInside = rewriting('kernel-inside', {
  file: 'adapters/browser/kernel.ts',
  source: `new URL('../../wasm/build/kernel.wasm', import.meta.url).href`,
  by: () => JSON.stringify(`hex:${readFileSync(kernelFile, 'hex')}`),
})

/** By this name the placeholders reach the built text, where `withExpressions` takes them away. */
const workerFiles = rewriting('worker-files', {
  file: 'adapters/browser/workerLadder.ts',
  source: `new URL('./mpc.worker.ts', import.meta.url)`,
  by: () => placeholderOf('worker.js'),
})

const nodeMode = 'process.env.NODE_ENV'

/** Whether a build is one for production is the app's to say: this build leaves the question as it stands. */
const modeOfApp = rewriting('mode-of-app', {
  file: 'adapters/browser/testing/modeOfBuild.ts',
  source: nodeMode,
  by: () => placeholderOf(nodeMode),
})

/**
 * Writes the expressions by which an app's bundler finds the workers' files and says what it builds. They come last: this
 * build would look for the files itself, and answer for the app.
 */
const withExpressions = (name: string, text: string): string => {
  const folder = name.includes('/') ? '..' : '.'
  return workerNames.reduce(
    (written, file) => written.replaceAll(placeholderOf(file), `new URL('${folder}/${file}', import.meta.url)`),
    text.replaceAll(placeholderOf(nodeMode), nodeMode),
  )
}

const workerNames = ['worker.js', 'worker-noble.js'] as const

const bundle = async (config: InlineConfig): Promise<Files> => {
  const result = await build({
    root,
    ...productionBuild,
    logLevel: 'warn',
    ...config,
    build: {
      write: false,
      target,
      minify: false,
      sourcemap: true,
      reportCompressedSize: false,
      ...config.build,
      rolldownOptions: { ...config.build?.rolldownOptions, onLog },
    },
  })
  const outputs = (Array.isArray(result) ? result : [result]) as readonly Rolldown.RolldownOutput[]
  return new Map(outputs.flatMap(({ output }) => output.map((file) => [file.fileName, contentOf(file)] as const)))
}

/** The entry for React says 'use client' for all that it contains. */
const onLog: NonNullable<Rolldown.InputOptions['onLog']> = (level, log, report) => {
  if (log.code !== 'MODULE_LEVEL_DIRECTIVE') report(level, log)
}

const contentOf = (file: Rolldown.OutputChunk | Rolldown.OutputAsset): string => {
  if (file.type === 'chunk') return file.code
  return typeof file.source === 'string' ? file.source : new TextDecoder().decode(file.source)
}

const textOf = (files: Files, name: string): string => {
  const text = files.get(name)
  if (text === undefined) throw new Error(`${name} was not built`)
  return text
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex')
