/** The package in the place of its sources, for a bundle of an app that is in this repository. */
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Plugin } from 'vite'
import { bundlePackage } from './code.ts'
import { packPackage, writePackage } from './folder.ts'
import { entries, manifestOf, packageName } from './manifest.ts'
import { bringUpToDate, sourcesOf, type Built } from './upToDate.ts'

const root = join(import.meta.dirname, '..', '..')

const dist = join(root, 'dist')

/** A folder as that of an app that has run `npm install`. What the app brings itself is found above, in that of the repository. */
const app = join(dist, 'installed')
const inApp = `node_modules/${packageName}`

export type Installed = {
  /** That of the package. */
  readonly folder: string
  /** An import of an entry's source becomes one of the package, by its name. */
  readonly plugin: Plugin
  /** Paths of what the package is made of. */
  readonly sources: readonly string[]
}

/** Makes `app` where its sources have changed. It has what npm packs, so that what is missing there is missing in the bundle. */
export const installPackage = async (): Promise<Installed> => {
  await bringUpToDate({ folder: dist, name: 'installed', make: makePacked })
  return { folder: join(app, inApp), plugin: byName, sources: await sourcesOf(dist, 'installed') }
}

const makePacked = async (sources: Set<string>): Promise<Built> => {
  await mkdir(dist, { recursive: true })
  const temporary = await mkdtemp(join(dist, 'packing-'))
  try {
    const folder = join(temporary, 'package')
    sources.add('package.json')
    const own = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as Parameters<typeof manifestOf>[0]
    await writePackage({ folder, code: await bundlePackage(sources), manifest: manifestOf(own) })
    const { files } = await packPackage(folder)
    const contents = files.map(async (path) => [`${inApp}/${path}`, await readFile(join(folder, path))] as const)
    return new Map(await Promise.all(contents))
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
}

const byName: Plugin = {
  name: 'tandem:installed',
  enforce: 'pre',
  async resolveId(id, importer, options) {
    if (importer === undefined) return undefined
    // The bundler looks for packages from a file's folder; what this file is called does not matter.
    if (importer.startsWith(prefix)) return this.resolve(id, join(app, 'package.json'), { ...options, skipSelf: true })
    if (!id.startsWith('.')) return undefined
    const source = join(dirname(importer), id)
    const found = Object.values(entries).find((entry) => source === join(root, entry.source))
    return found === undefined ? undefined : `${prefix}${found.path}`
  },
  load(id) {
    if (!id.startsWith(prefix)) return undefined
    const path = id.slice(prefix.length)
    const nameOf = (one: string) => JSON.stringify(`${packageName}${one.slice(1)}`)
    // What an app does besides importing the entry.
    const styles = path === './react' ? `import ${nameOf('./react/styles.css')}\n` : ''
    return { code: `${styles}export * from ${nameOf(path)}`, moduleSideEffects: true }
  },
}

const prefix = '\0tandem:installed/'
