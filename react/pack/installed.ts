/** The package's code in the place of its sources, for a bundle of an app that is in this repository. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Plugin } from 'vite'
import { bundlePackage } from './code.ts'
import { entries } from './manifest.ts'

const root = join(import.meta.dirname, '..', '..')

/**
 * Bundles with a plugin by which an import of an entry's source is one of the package's file. The files are in a folder beside
 * the packages of the repository, because the bundler looks for workers on the disk; it is removed afterwards.
 */
export const withPackage = async <A>(sources: Set<string>, bundle: (plugin: Plugin) => Promise<A>): Promise<A> => {
  await mkdir(join(root, 'dist'), { recursive: true })
  const folder = await mkdtemp(join(root, 'dist', 'package-'))
  try {
    for (const [name, text] of await bundlePackage(sources)) {
      await mkdir(dirname(join(folder, name)), { recursive: true })
      await writeFile(join(folder, name), text)
    }
    return await bundle(installedFrom(folder))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const installedFrom = (folder: string): Plugin => ({
  name: 'tandem:installed',
  enforce: 'pre',
  resolveId(id, importer) {
    if (importer === undefined || !id.startsWith('.')) return undefined
    const source = join(dirname(importer), id)
    const found = Object.entries(entries).find((entry) => source === join(root, entry[1].source))
    return found === undefined ? undefined : `${prefix}${found[0]}`
  },
  load(id) {
    if (!id.startsWith(prefix)) return undefined
    const name = id.slice(prefix.length)
    const from = (file: string) => JSON.stringify(join(folder, file))
    // What an app does besides importing the entry.
    const styles = name === 'react' ? `import ${from('styles.css')}\n` : ''
    return { code: `${styles}export * from ${from(`${name}.js`)}`, moduleSideEffects: true }
  },
})

const prefix = '\0tandem:package/'
