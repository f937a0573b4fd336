/** Folders that are built of sources, and again only when these have changed. */
import { createHash, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathFrom } from './bundledSources.ts'

const root = join(import.meta.dirname, '..', '..')

/** Contents by paths in the folder. */
export type Built = ReadonlyMap<string, Uint8Array>

/** `sources` gets the paths of what the files are made of. */
export type Make = (sources: Set<string>) => Promise<Built>

export type Building = {
  readonly folder: string
  readonly name: string
  readonly make: Make
  /** Called with a line before and after the build. */
  readonly say?: ((line: string) => void) | undefined
}

/** The content of `<name>.json`. Paths of `files` are relative to the folder, those of `sources` to the repository. */
type Manifest = {
  readonly files: Readonly<Record<string, string>>
  readonly sources: readonly string[]
  readonly inputs: string
}

/** Makes `<folder>/<name>` and `<folder>/<name>.json`, unless they are as the sources are. Answers whether it did. */
export const bringUpToDate = async ({ folder, name, make, say }: Building): Promise<boolean> => {
  if (await isCurrent(folder, name)) return false
  say?.(`Building ${name} …`)
  const began = Date.now()
  const sources = new Set<string>()
  const files = await make(sources)
  await store({ folder, name, files, sources: [...sources].sort(), began })
  const kilobytes =
    [...files].reduce((sum, [path, { length }]) => (path.endsWith('.br') ? sum : sum + length), 0) / 1000
  say?.(
    `Built ${name}: ${files.size} files, ${kilobytes.toFixed(0)} kB, ${((Date.now() - began) / 1000).toFixed(1)} s.`,
  )
  return true
}

/** Of what it was made when it was built last. */
export const sourcesOf = async (folder: string, name: string): Promise<readonly string[]> =>
  (await readManifest(folder, name))?.sources ?? []

/** Inputs of every build, beside its own sources. */
const common = [
  'package-lock.json',
  'react/build.ts',
  'wasm/build/kernel.wasm',
  ...['bundledSources', 'code', 'folder', 'forProduction', 'installed', 'manifest', 'ownHashes', 'upToDate'].map(
    (name) => `react/pack/${name}.ts`,
  ),
]

const isCurrent = async (folder: string, name: string): Promise<boolean> => {
  const manifest = await readManifest(folder, name)
  if (manifest?.inputs !== (await inputsOf(manifest?.sources ?? []))) return false
  return Object.keys(manifest.files).every((path) => existsSync(join(folder, name, path)))
}

/** Undefined where there is none, or none that this reads. */
const readManifest = async (folder: string, name: string): Promise<Manifest | undefined> => {
  try {
    return JSON.parse(await readFile(join(folder, `${name}.json`), 'utf8')) as Manifest
  } catch {
    return undefined
  }
}

/** A digest of the sources. A missing one counts as empty, and so as changed. */
const inputsOf = async (sources: readonly string[]): Promise<string> => {
  const hash = createHash('sha256')
  for (const path of [...common, ...sources]) {
    const bytes = await readFile(join(root, path)).catch(() => new Uint8Array())
    hash.update(`${path} ${bytes.length}\n`).update(bytes)
  }
  return hash.digest('hex')
}

type Making = {
  readonly folder: string
  readonly name: string
  readonly files: Built
  readonly sources: readonly string[]
  readonly began: number
}

/**
 * Files first, then the manifest, then removals, so that a process that serves the folder meanwhile finds every file.
 */
const store = async ({ folder, name, files, sources, began }: Making): Promise<void> => {
  for (const [path, bytes] of files) {
    if (path !== 'index.html') await replace(folder, join(name, path), bytes)
  }
  const index = files.get('index.html')
  if (index !== undefined) await replace(folder, join(name, 'index.html'), index)
  const manifest: Manifest = {
    files: Object.fromEntries([...files].map(([path, bytes]) => [path, digestOf(bytes)] as const).sort()),
    sources,
    // A write during the read may or may not be in the digest.
    inputs: (await areOlder(sources, began)) ? await inputsOf(sources) : '',
  }
  await replace(folder, `${name}.json`, new TextEncoder().encode(`${JSON.stringify(manifest, null, 2)}\n`))
  for (const entry of await readdir(join(folder, name), { recursive: true, withFileTypes: true })) {
    const path = pathFrom(join(folder, name), join(entry.parentPath, entry.name))
    if (entry.isFile() && !files.has(path)) await rm(join(folder, name, path), { force: true })
  }
}

const areOlder = async (sources: readonly string[], than: number): Promise<boolean> => {
  const times = await Promise.all(
    sources.map((path) =>
      stat(join(root, path)).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0,
      ),
    ),
  )
  return times.every((time) => time < than)
}

/** Writes by a rename: another process may be reading, or building the same. */
const replace = async (folder: string, path: string, bytes: Uint8Array): Promise<void> => {
  const next = join(folder, `${randomUUID()}.next`)
  await mkdir(dirname(join(folder, path)), { recursive: true })
  await writeFile(next, bytes)
  await rename(next, join(folder, path))
}

export const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
