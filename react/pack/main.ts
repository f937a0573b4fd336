/**
 * `npm run pack` builds the SDK as a package in dist/package, or in the folder that it is given, and packs it beside; the
 * tarball's path is the last line. It is ESM without dependencies. The worker is a file without imports that has the
 * kernel in it, and stands once more as text in the code, for bundlers that leave the file behind
 * (adapters/browser/workerLadder.ts).
 */
import { execFileSync } from 'node:child_process'
import { cp, readdir, readFile, rm } from 'node:fs/promises'
import { join, posix } from 'node:path'
import { transformWithOxc } from 'vite'
import { buildKernel, requirePinned } from '../../wasm/build.ts'
import { bundlePackage } from './code.ts'
import { rollDeclarations } from './declarations.ts'
import { packPackage, toJson, writePackage } from './folder.ts'
import { filesWithoutExports, manifestOf, type Manifest } from './manifest.ts'
import { quickstart } from './quickstart.ts'
import { makeReference } from './reference.ts'

const root = join(import.meta.dirname, '..', '..')

/** Builds the package into the folder, which it empties before. */
const buildPackage = async (folder: string = join(root, 'dist', 'package')): Promise<string> => {
  await buildKernel()
  requirePinned()
  compile()
  const code = await bundlePackage()
  const types = await rollDeclarations(join(root, 'dist'))
  const own = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as Root
  const manifest = manifestOf(own)
  const versions = { ...own.dependencies, ...own.devDependencies }
  await rm(folder, { recursive: true, force: true })
  const others = new Map([
    ...[...types].map(([name, text]) => [`dist/${name}`, text] as const),
    ...Object.values(filesWithoutExports).map(
      (file) => [`dist/${file.replace(/\.js$/, '')}.d.ts`, 'export {}\n'] as const,
    ),
    ...(await documentsOf(manifest)),
    ...[...(await makeReference(types, root))].map(([page, text]) => [`${referenceFolder}/${page}`, text] as const),
    ...template(versions),
    ['dist/create.js', await commandOf()],
  ])
  await writePackage({ folder, code, manifest, others })
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
 * The README, the pages of react/docs, that of the bridges and, for language models, their list. Samples import the package by
 * its name.
 */
const documentsOf = async ({ name, version, description }: Manifest): Promise<ReadonlyMap<string, string>> => {
  const tarball = `${name.replace('@', '').replace('/', '-')}-${version}.tgz`
  const topics = (await readdir(join(root, 'react', 'docs'))).map((file) => posix.basename(file, '.md'))
  const sourceOf = (topic: string) =>
    topic === 'bridges' ? 'adapters/browser/bridges/README.md' : `react/docs/${topic}.md`
  /** By their sources. */
  const pages = new Map<string, string>([
    ...['README', 'ERRORS'].map((page) => [`react/pack/${page}.md`, `${page}.md`] as const),
    ...['bridges', ...topics].sort().map((topic) => [sourceOf(topic), `docs/${topic}.md`] as const),
  ])
  const documents = new Map<string, string>()
  for (const [source, page] of pages) {
    const text = (await readFile(join(root, source), 'utf8'))
      .replaceAll('${name}', name)
      .replaceAll('${tarball}', tarball)
      .replaceAll(/ from '\.\/(\w+)\.ts'/g, ` from '${name}/$1'`)
    documents.set(page, withLinks(text, source, pages))
  }
  const listed = [...documents].map(([path, text]) => {
    const [, title = '', summary = ''] = /^# (.*)\n\n([\s\S]*?)(?:\n\n|$)/.exec(text) ?? []
    return `- [${title}](${path}): ${summary.replaceAll('\n', ' ').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')}`
  })
  const reference = `- [Reference](${referenceFolder}/README.md): every entry, verb and type, made from the declarations.`
  const list = [...listed, reference].join('\n')
  return documents.set('llms.txt', `# ${name}\n\n> ${description}\n\n## Pages\n\n${list}\n`)
}

/** The page's links, which lead from its source to those of other pages, lead to the pages then. */
const withLinks = (text: string, source: string, pages: ReadonlyMap<string, string>): string =>
  text.replaceAll(/\]\(([^):#]+)(?=[)#])/g, (_, target: string) => {
    const to = pages.get(posix.join(posix.dirname(source), target))
    if (to === undefined) throw new Error(`${source} links to ${target}, which the package does not have`)
    return `](${posix.relative(posix.dirname(pages.get(source) ?? ''), to)}`
  })

const referenceFolder = 'docs/reference'

/** The compiler writes the declarations of all that the entries reach to dist/. */
const compile = (): void => {
  execFileSync(process.execPath, ['node_modules/typescript-7/bin/tsc', '-b', 'react'], { cwd: root, stdio: 'inherit' })
}

console.log((await packPackage(await buildPackage(process.argv[2]))).tarball)
