/**
 * `npm run pack` builds the SDK as a package in dist/package, or in the folder that it is given, and packs it beside; the
 * tarball's path is the last line. It is ESM without dependencies. The worker is a file without imports that has the
 * kernel in it, and stands once more as text in the code, for bundlers that leave the file behind
 * (adapters/browser/workerLadder.ts).
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { build, transformWithOxc, type InlineConfig, type Plugin, type Rolldown } from 'vite'
import { buildKernel, kernelFile, requirePinned } from '../../wasm/build.ts'
import { kernelDigest } from '../../wasm/kernelDigest.ts'
import { rollDeclarations } from './declarations.ts'
import { entries, filesWithoutExports, manifestOf, ofPeers } from './manifest.ts'
import { ownHashes } from './ownHashes.ts'
import { quickstart } from './quickstart.ts'
import { makeReference } from './reference.ts'
import { untraced } from './untraced.ts'

const root = join(import.meta.dirname, '..', '..')

/** As the pages of portal and connect. */
const target = 'es2022'

type Files = ReadonlyMap<string, string>

/** Builds the package into the folder, which it empties before. */
const buildPackage = async (folder: string = join(root, 'dist', 'package')): Promise<string> => {
  await buildKernel()
  requirePinned()
  compile()
  const withoutNoble = replacing({ 'adapters/browser/lateNoble.ts': 'export const loadNoble = undefined' })
  const withoutKernel = replacing({
    'adapters/browser/kernel.ts': 'export const loadKernel = () => Promise.resolve(undefined)',
  })
  const worker = await bundleWorker('worker', kernelInside, withoutNoble)
  const noble = await bundleWorker('worker-noble', withoutKernel)
  const code = await bundleEntries(textOf(worker, 'worker.js'), textOf(noble, 'worker-noble.js'))
  const types = await rollDeclarations(join(root, 'dist'))
  const digests = {
    'worker.js': digestOf(textOf(worker, 'worker.js')),
    'worker-noble.js': digestOf(textOf(noble, 'worker-noble.js')),
    'kernel.wasm': kernelDigest,
  }
  const own = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as Root
  const manifest = manifestOf(own)
  const versions = { ...own.dependencies, ...own.devDependencies }
  await rm(folder, { recursive: true, force: true })
  await mkdir(join(folder, 'dist'), { recursive: true })
  const built = new Map([
    ...[...worker, ...noble, ...code, ...types].map(([name, text]) => [`dist/${name}`, text] as const),
    ['dist/digests.json', toJson(digests)],
    ...Object.values(filesWithoutExports).map(
      (file) => [`dist/${file.replace(/\.js$/, '')}.d.ts`, 'export {}\n'] as const,
    ),
    ['package.json', toJson(manifest)],
    ...(await documentsOf(manifest)),
    ...[...(await makeReference(types, root))].map(([page, text]) => [`${referenceFolder}/${page}`, text] as const),
    ...template(versions),
    ['dist/create.js', await commandOf()],
  ])
  for (const [name, text] of built) await put(join(folder, name), text)
  await cp(join(root, 'LICENSE'), join(folder, 'LICENSE'))
  return folder
}

type Root = Parameters<typeof manifestOf>[0] & { readonly dependencies: Versions; readonly devDependencies: Versions }

type Versions = Readonly<Record<string, string>>

/** What the package's command copies: the quick start with Vite, with the versions with which the repository tests it. */
const template = (versions: Versions): readonly (readonly [string, string])[] => {
  const { files, dependencies, devDependencies } = quickstart('vite')
  const listed = (names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, `^${versions[name] ?? missing(name)}`]))
  const manifest = {
    private: true,
    type: 'module',
    scripts: { dev: 'vite', build: 'tsc && vite build' },
    dependencies: listed(dependencies),
    devDependencies: listed(devDependencies),
  }
  return [
    ...Object.entries(files).map(([path, text]) => [`template/${path}`, text] as const),
    ['template/package.json', toJson(manifest)],
    ['template/gitignore', 'dist\nnode_modules\n'],
  ]
}

const missing = (name: string): never => {
  throw new Error(`package.json names no version of ${name}`)
}

const commandOf = async (): Promise<string> => {
  const file = join(import.meta.dirname, 'create.ts')
  return (await transformWithOxc(await readFile(file, 'utf8'), file)).code
}

/**
 * The README, the pages of react/docs and, for language models, their list. Samples import the package by its name; links
 * between the two folders are those of the package.
 */
const documentsOf = async ({ name, version, description }: Manifest): Promise<Files> => {
  const tarball = `${name.replace('@', '').replace('/', '-')}-${version}.tgz`
  const read = async (file: string, from: string, to: string) =>
    (await readFile(join(root, file), 'utf8'))
      .replaceAll('${name}', name)
      .replaceAll('${tarball}', tarball)
      .replaceAll(`](${from}`, `](${to}`)
  const pages = (await readdir(join(root, 'react', 'docs'))).sort()
  const documents = new Map<string, string>()
  for (const page of ['./README.md', './ERRORS.md']) {
    documents.set(page.slice(2), await read(join('react/pack', page), '../docs/', 'docs/'))
  }
  for (const page of pages) documents.set(`docs/${page}`, await read(`react/docs/${page}`, '../pack/', '../'))
  const listed = [...documents].map(([path, text]) => {
    const [, title = '', summary = ''] = /^# (.*)\n\n([\s\S]*?)(?:\n\n|$)/.exec(text) ?? []
    return `- [${title}](${path}): ${summary.replaceAll('\n', ' ').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')}`
  })
  const reference = `- [Reference](${referenceFolder}/README.md): every entry, verb and type, made from the declarations.`
  const list = [...listed, reference].join('\n')
  return documents.set('llms.txt', `# ${name}\n\n> ${description}\n\n## Pages\n\n${list}\n`)
}

const referenceFolder = 'docs/reference'

type Manifest = ReturnType<typeof manifestOf>

/** Writes the tarball beside the folder and answers its path. */
const packPackage = (folder: string): string => {
  const destination = dirname(folder)
  const options = ['pack', '--json', '--ignore-scripts', '--pack-destination', destination]
  const said = execFileSync('npm', options, {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    shell: process.platform === 'win32',
  })
  return join(destination, filenameIn(JSON.parse(said)))
}

/** npm 10 and 11 answer a list, npm 12 an object by names. */
const filenameIn = (answer: unknown): string => {
  const [first] = Object.values(answer as Readonly<Record<string, { readonly filename: string }>>)
  if (first === undefined) throw new Error('npm packed nothing')
  return first.filename
}

/** The compiler writes the declarations of all that the entries reach to dist/. */
const compile = (): void => {
  execFileSync(process.execPath, ['node_modules/typescript-7/bin/tsc', '-b', 'react'], { cwd: root, stdio: 'inherit' })
}

const bundleWorker = (name: string, ...plugins: readonly Plugin[]): Promise<Files> =>
  bundle({
    plugins: [...plugins],
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

const bundleEntries = async (worker: string, noble: string): Promise<Files> => {
  const packaged = `
    export const packagedWorker = {
      digest: ${JSON.stringify(digestOf(worker))},
      text: async () => (await import('tandem:workerText')).default,
      startNoble: () => new Worker(${placeholderOf('worker-noble.js')}, { type: 'module' }),
      nobleText: async () => (await import('tandem:workerNobleText')).default,
    }`
  const files = await bundle({
    plugins: [
      untraced,
      ownHashes,
      kernelInside,
      replacing({ 'adapters/browser/packagedWorker.ts': packaged }),
      texts({ workerText: worker, workerNobleText: noble }),
      workerFiles,
      modeOfApp,
      peersByImport,
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
      rolldownOptions: { output: { chunkFileNames: ({ name }) => `chunks/${name.replace(/^_/, '')}.js` } },
    },
  })
  return new Map([...files].map(([name, text]) => [name, name.endsWith('.js') ? withExpressions(name, text) : text]))
}

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

/**
 * The kernel stands in the code, so no policy of a page and no bundler comes between. As an address by `new URL` some
 * bundlers would make a file of it again.
 */
const kernelInside: Plugin = {
  name: 'tandem:kernel-inside',
  enforce: 'pre',
  transform(code, id) {
    if (id !== join(root, 'adapters/browser/kernel.ts')) return undefined
    const source = `new URL('../../wasm/build/kernel.wasm', import.meta.url).href`
    if (!code.includes(source)) throw new Error('adapters/browser/kernel.ts names its kernel in another way')
    const inside = `data:application/wasm;base64,${readFileSync(kernelFile, 'base64')}`
    return { code: code.replace(source, JSON.stringify(inside)), map: null }
  },
}

/** By this name the placeholders reach the built text, where `withExpressions` takes them away. */
const workerFiles: Plugin = {
  name: 'tandem:worker-files',
  enforce: 'pre',
  transform(code, id) {
    if (id !== join(root, 'adapters/browser/workerLadder.ts')) return undefined
    const source = `new URL('./mpc.worker.ts', import.meta.url)`
    if (!code.includes(source)) throw new Error('adapters/browser/workerLadder.ts names its worker in another way')
    return { code: code.replace(source, placeholderOf('worker.js')), map: null }
  },
}

/** Whether a build is one for production is the app's to say: this build leaves the question as it stands. */
const modeOfApp: Plugin = {
  name: 'tandem:mode-of-app',
  enforce: 'pre',
  transform(code, id) {
    if (id !== join(root, 'adapters/browser/testing/modeOfBuild.ts')) return undefined
    if (!code.includes(nodeMode)) throw new Error('adapters/browser/testing/modeOfBuild.ts asks in another way')
    return { code: code.replace(nodeMode, placeholderOf(nodeMode)), map: null }
  },
}

const nodeMode = 'process.env.NODE_ENV'

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
    configFile: false,
    envDir: false,
    publicDir: false,
    mode: 'production',
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

const put = async (file: string, text: string): Promise<void> => {
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text)
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex')

const toJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

// Where it says otherwise, Vite compiles JSX to calls that a production build of React does not have.
process.env['NODE_ENV'] = 'production'
console.log(packPackage(await buildPackage(process.argv[2])))
