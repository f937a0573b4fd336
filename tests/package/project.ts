/** An empty project outside of the repository, into which the package is installed from its tarball. */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { packed } from './packed.ts'

const run = promisify(execFile)

const root = join(import.meta.dirname, '..', '..')

/** That of a developer's terminal: vitest says NODE_ENV=test, with which tools build in another way. */
export const environment = (): NodeJS.ProcessEnv => {
  const { NODE_ENV: _, ...rest } = process.env
  return { ...rest, NEXT_TELEMETRY_DISABLED: '1' }
}

export type Project = {
  readonly folder: string
  readonly tarball: string
  readonly write: (files: Readonly<Record<string, string>>) => Promise<void>
  /** Gives it packages of the repository by links: what an app brings along. */
  readonly link: (names: readonly string[]) => Promise<void>
  /** Gives it a package of the repository under another name, in place of what it had there. */
  readonly linkAs: (name: string, installed: string) => Promise<void>
  /** Gives it packages from npm's registry. */
  readonly install: (packages: readonly string[]) => Promise<void>
  /** What a script of Node writes to its output. */
  readonly node: (parameters: readonly string[]) => Promise<string>
  readonly remove: () => Promise<void>
}

export const makeProject = async (): Promise<Project> => {
  const temporary = await mkdtemp(join(tmpdir(), 'tandem-package-'))
  const folder = join(temporary, 'app')
  const write: Project['write'] = async (files) => {
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, name)), { recursive: true })
      await writeFile(join(folder, name), text)
    }
  }
  const tarball = await packed()
  await write({ 'package.json': JSON.stringify({ name: 'app', private: true, type: 'module' }) })
  const install = async (parameters: readonly string[]) => {
    const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
    const all = ['install', ...parameters, ...quiet, '--fetch-retries=5']
    await run('npm', all, { cwd: folder, shell: process.platform === 'win32' })
  }
  await install([tarball, '--offline'])
  const linkAs: Project['linkAs'] = async (name, installed) => {
    const link = join(folder, 'node_modules', name)
    await rm(link, { force: true })
    await mkdir(dirname(link), { recursive: true })
    await symlink(join(root, 'node_modules', installed), link, 'junction')
  }
  return {
    folder,
    tarball,
    write,
    install,
    link: async (names) => {
      for (const name of names) await linkAs(name, name)
    },
    linkAs,
    node: async (parameters) => {
      try {
        return (await run(process.execPath, parameters, { cwd: folder, env: environment() })).stdout
      } catch (cause) {
        // Compilers and builds say on either stream why they fail.
        const { message, stdout = '' } = cause as Error & { readonly stdout?: string }
        throw new Error(`${message}${stdout}`, { cause })
      }
    },
    remove: () => rm(temporary, { recursive: true, force: true }),
  }
}
