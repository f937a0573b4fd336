/** The checks that need no running service, each a step with a name and a verdict. */
import { spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generate } from '../openapi/generate.ts'

export type Step = { readonly name: string; readonly run: () => Promise<boolean> }

const root = join(import.meta.dirname, '..')

const sources = ['adapters', 'domain', 'generated', 'openapi', 'react', 'tests', 'wasm']

const tool = (script: string, ...parameters: readonly string[]) => node(`node_modules/${script}`, { parameters })

const knip = (include: string, ...parameters: readonly string[]) =>
  tool('knip/bin/knip.js', '--config', 'tests/knip.ts', '--no-progress', '--include', include, ...parameters)

/** What the tests themselves rely on: `npm test` begins with it. */
export const quickChecks: readonly Step[] = [
  { name: 'generated files are those of the contract', run: () => generatesNoDifference() },
  { name: 'types', run: () => tool('typescript-7/bin/tsc', '-b') },
]

export const checks: readonly Step[] = [
  ...quickChecks,
  { name: 'format', run: () => tool('prettier/bin/prettier.cjs', '--check', '--log-level', 'warn', '.') },
  { name: 'files, exports and dependencies that nothing reaches', run: () => knip('files,exports,types,dependencies') },
  {
    name: 'files and exports that only tests reach',
    run: () => knip('files,exports,types,nsExports,nsTypes', '--production'),
  },
  { name: 'walls', run: () => tool('.bin/depcruise', '--config', '.dependency-cruiser.mjs', ...sources) },
  // In two processes: the types of sources and tests together take more memory than Node gives to one.
  {
    name: 'lint',
    run: () => tool('.bin/eslint', '--config', 'tests/eslint.config.js', '.', '--ignore-pattern', 'tests/'),
  },
  { name: 'lint of tests', run: () => tool('.bin/eslint', '--config', 'tests/eslint.config.js', 'tests') },
]

/** Runs a script with the Node that runs this; what it says goes to the terminal. */
export const node = (script: string, { parameters = [], environment = {} }: Running = {}): Promise<boolean> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [join(root, script), ...parameters], {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, ...environment },
    })
    child.once('exit', (code) => resolve(code === 0))
    child.once('error', () => resolve(false))
  })

type Running = {
  readonly parameters?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
}

/** Runs the steps one after the other, all of them, and says how each ended. */
export const runSteps = async (
  steps: readonly Step[],
): Promise<{ readonly passed: number; readonly failed: number }> => {
  const verdicts: boolean[] = []
  for (const { name, run } of steps) {
    const began = performance.now()
    const passed = await run().catch((cause: unknown) => {
      console.error(cause)
      return false
    })
    verdicts.push(passed)
    console.log(`${passed ? 'passed' : 'FAILED'}  ${name}  ${((performance.now() - began) / 1000).toFixed(1)} s`)
  }
  const passed = verdicts.filter(Boolean).length
  return { passed, failed: verdicts.length - passed }
}

/** Generates beside and compares byte by byte. */
const generatesNoDifference = async (): Promise<boolean> => {
  const fresh = await mkdtemp(join(tmpdir(), 'tandem-generated-'))
  try {
    await generate(fresh)
    const existing = join(root, 'generated')
    const names = new Set([...(await filesIn(fresh)), ...(await filesIn(existing))])
    names.delete('tsconfig.json')
    const different: string[] = []
    for (const name of names) {
      const texts = await Promise.all(
        [fresh, existing].map((folder) => readFile(join(folder, name)).catch(() => undefined)),
      )
      const [ours, theirs] = texts
      if (ours === undefined || theirs === undefined || !ours.equals(theirs)) different.push(name)
    }
    if (different.length > 0) console.error(`npm run generate changes ${different.join(', ')}`)
    return different.length === 0
  } finally {
    await rm(fresh, { recursive: true, force: true })
  }
}

const filesIn = async (folder: string): Promise<readonly string[]> =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
