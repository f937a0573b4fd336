/** The folder of the package, and what npm packs of it. */
import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { Files } from './code.ts'
import type { Manifest } from './manifest.ts'

const run = promisify(execFile)

type Content = {
  readonly folder: string
  readonly code: Files
  readonly manifest: Manifest
  /** Contents by paths in the folder. */
  readonly others?: Files
}

export const writePackage = async ({ folder, code, manifest, others = new Map() }: Content): Promise<void> => {
  const files = new Map([
    ...[...code].map(([name, text]) => [`dist/${name}`, text] as const),
    ['package.json', toJson(manifest)],
    ...others,
  ])
  for (const [name, text] of files) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
}

export type Packed = {
  readonly tarball: string
  /** Paths in the folder. */
  readonly files: readonly string[]
}

/** Writes the tarball beside the folder. */
export const packPackage = async (folder: string): Promise<Packed> => {
  const destination = dirname(folder)
  const options = ['pack', '--json', '--ignore-scripts', '--pack-destination', destination]
  const { stdout } = await run('npm', options, { cwd: folder, shell: process.platform === 'win32' })
  const { filename, files } = onlyOneIn(JSON.parse(stdout))
  return { tarball: join(destination, filename), files: files.map(({ path }) => path) }
}

type Answer = { readonly filename: string; readonly files: readonly { readonly path: string }[] }

/** npm 10 and 11 answer a list, npm 12 an object by names. */
const onlyOneIn = (answer: unknown): Answer => {
  const [first] = Object.values(answer as Readonly<Record<string, Answer>>)
  if (first === undefined) throw new Error('npm packed nothing')
  return first
}

export const toJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`
