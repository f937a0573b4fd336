/** Earlier versions of the sources, from the history of this clone: each as it was before a migration was added. */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { contracting, migrationNames } from '../../adapters/service/database/migrations/index.ts'

const root = join(import.meta.dirname, '..', '..')
const folder = 'adapters/service/database/migrations'

/** `lacks`: the migrations that it does not know, by name. */
export type VersionBefore = { readonly commit: string; readonly lacks: readonly string[] }

/**
 * The newest `count` versions that know fewer migrations than this one, the newest first, and why there are no more of them.
 * One that a contracting migration has left behind does not start any more.
 */
export const versionsBefore = (
  count: number,
): { readonly versions: readonly VersionBefore[]; readonly why: string | undefined } => {
  const versions: VersionBefore[] = []
  try {
    const changes = git('log', '--format=%H', '--', folder).split('\n')
    for (const revision of ['HEAD', ...changes.map((change) => `${change}^`)]) {
      const commit = git('rev-parse', '--verify', `${revision}^{commit}`)
      const known = namesAt(commit)
      const lacks = migrationNames().filter((name) => !known.includes(name))
      if (contracting(lacks).length > 0) return { versions, why: `${contracting(lacks).join(', ')} has run` }
      const isKnown = versions.some((version) => version.lacks.length === lacks.length)
      if (lacks.length > 0 && !isKnown) versions.push({ commit, lacks })
      if (versions.length === count) return { versions, why: undefined }
    }
    return { versions, why: 'the history has no other' }
  } catch {
    return { versions, why: 'the history of this clone is missing, or is cut off before (git fetch --unshallow)' }
  }
}

const git = (...parameters: readonly string[]): string =>
  execFileSync('git', ['-C', root, ...parameters], { encoding: 'utf8', stdio: 'pipe' }).trim()

const namesAt = (commit: string): readonly string[] =>
  git('grep', '-h', '-o', '-E', "^ +'[0-9]{3} [^']+'", commit, '--', folder)
    .split('\n')
    .map((line) => line.trim().slice(1, -1))

export type Sources = { readonly folder: string; readonly remove: () => void }

/** Its sources in a folder of their own, with the packages of its lockfile and with its kernel. */
export const checkOut = ({ commit }: VersionBefore): Sources => {
  const tree = mkdtempSync(join(tmpdir(), 'tandem-before-'))
  const sources = join(tree, 'sources')
  mkdirSync(sources)
  git('archive', '--format=tar', '-o', join(tree, 'sources.tar'), commit)
  execFileSync('tar', ['-xf', join(tree, 'sources.tar'), '-C', sources])
  const run = (command: string, ...parameters: readonly string[]) =>
    execFileSync(command, parameters, { cwd: sources, stdio: 'pipe', shell: process.platform === 'win32' })
  if (packagesIn(sources) === packagesIn(root))
    symlinkSync(join(root, 'node_modules'), join(sources, 'node_modules'), 'junction')
  else run('npm', 'ci', '--no-audit', '--no-fund', '--loglevel=error')
  cpSync(join(root, 'wasm', 'build'), join(sources, 'wasm', 'build'), { recursive: true })
  run(process.execPath, 'wasm/build.ts')
  return { folder: sources, remove: () => rmSync(tree, { recursive: true, force: true }) }
}

type Lockfile = { readonly packages: Readonly<Record<string, { readonly version?: string; readonly dev?: boolean }>> }

/** What a service may load. */
const packagesIn = (sources: string): string => {
  const { packages } = JSON.parse(readFileSync(join(sources, 'package-lock.json'), 'utf8')) as Lockfile
  const needed = Object.entries(packages).filter(([path, { dev }]) => path !== '' && dev !== true)
  return JSON.stringify(needed.map(([path, { version }]) => [path, version]))
}
