/**
 * What an app downloads for its wallets: minified and gzipped, as bundlers make it of the package's entries, React and
 * its renderer left out. A budget is shown, not asserted.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build, type Rolldown } from 'vite'
import { buildKernel, kernelFile } from '../../wasm/build.ts'
import type { Figures } from './rows.ts'

const root = join(import.meta.dirname, '..', '..')

const suite = 'size'

type File = Rolldown.OutputChunk | Rolldown.OutputAsset

export const size = async (): Promise<readonly Figures[]> => {
  await buildKernel()
  const app = await bundle('react/index.ts')
  const core = reached(app, app.filter(isEntry))
  const modal = outside(core, reached(app, app.filter(({ fileName }) => /\bModal-[^/]*\.js$/.test(fileName))))
  const flows = outside(core, reached(app, app.filter(({ fileName }) => /\bflows-[^/]*\.js$/.test(fileName))))
  const style = app.filter(({ fileName }) => fileName.endsWith('.css'))
  const worker = await bundle('adapters/browser/mpc.worker.ts')
  const always = reached(worker, worker.filter(isEntry))
  const kernel = worker.filter(({ fileName }) => fileName.endsWith('.wasm'))
  return [
    { suite, case: 'core with hooks', bytes: gzipped(core), budgetBytes: 40_000 },
    { suite, case: 'flows, with the first verb', bytes: gzipped(flows) },
    { suite, case: 'modal with its style', bytes: gzipped([...modal, ...style]), budgetBytes: 50_000 },
    { suite, case: 'worker with kernel', bytes: gzipped([...always, ...kernel]), budgetBytes: 60_000 },
    { suite, case: 'kernel', bytes: gzipped(kernel), budgetBytes: 25_000 },
    { suite, case: 'noble, where the kernel may not run', bytes: gzipped(outside(always, worker.filter(isChunk))) },
  ]
}

const isChunk = (file: File): file is Rolldown.OutputChunk => file.type === 'chunk'
const isEntry = (file: File): boolean => isChunk(file) && file.isEntry

/** Files, and the chunks that come with them because they are imported: not what waits for an import(). */
const reached = (all: readonly File[], from: readonly File[]): readonly File[] => {
  const found = new Set(from)
  for (const file of found) {
    const names = isChunk(file) ? file.imports : []
    for (const next of all.filter(({ fileName }) => names.includes(fileName))) found.add(next)
  }
  return [...found]
}

const outside = (loaded: readonly File[], files: readonly File[]): readonly File[] =>
  files.filter((file) => !loaded.includes(file))

const gzipped = (files: readonly File[]): number => {
  if (files.length === 0) throw new Error('there is no such file in the bundle')
  return files.reduce((sum, file) => sum + gzipSync(isChunk(file) ? file.code : file.source, { level: 9 }).length, 0)
}

/** In memory, by the settings that the pages are built with. */
const bundle = async (entry: string): Promise<readonly File[]> => {
  const environment = process.env['NODE_ENV']
  process.env['NODE_ENV'] = 'production'
  try {
    const digest = createHash('sha256').update(readFileSync(kernelFile)).digest('hex')
    const { output } = (await build({
      root,
      configFile: false,
      envDir: false,
      publicDir: false,
      mode: 'production',
      logLevel: 'error',
      define: { 'import.meta.env.MPC_MODULE_SHA256': JSON.stringify(digest) },
      worker: { format: 'es' },
      build: {
        write: false,
        target: 'es2022',
        assetsInlineLimit: 0,
        modulePreload: false,
        rolldownOptions: {
          input: join(root, entry),
          external: [/^react(-dom)?($|\/)/],
          preserveEntrySignatures: 'strict',
        },
      },
    })) as Rolldown.RolldownOutput
    return output
  } finally {
    if (environment === undefined) delete process.env['NODE_ENV']
    else process.env['NODE_ENV'] = environment
  }
}
