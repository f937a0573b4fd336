/**
 * What an app downloads for its wallets: minified and gzipped, as bundlers make it of the package's entries, React and
 * its renderer left out, as are the libraries of the bridges. `npm run bench` fails above a budget.
 */
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build, type Rolldown } from 'vite'
import { ownHashes } from '../../react/pack/ownHashes.ts'
import { untraced } from '../../react/pack/untraced.ts'
import { buildKernel } from '../../wasm/build.ts'
import type { Figures } from './rows.ts'

const root = join(import.meta.dirname, '..', '..')

const suite = 'size'

type File = Rolldown.OutputChunk | Rolldown.OutputAsset

export const size = async (): Promise<readonly Figures[]> => {
  await buildKernel()
  const app = await bundle('react/index.ts')
  const core = reached(app, app.filter(isEntry))
  // A page whose user is signed in signs its first request.
  const engine = [...chunkOf(app, 'adapters/browser/engine.ts'), ...chunkOf(app, 'domain/client/deviceHeader.ts')]
  const mounted = reached(app, [...core, ...engine])
  const signed = reached(app, [...mounted, ...chunkOf(app, 'adapters/browser/flows/signing.ts')])
  const entering = outside(signed, reached(app, chunkOf(app, 'adapters/browser/flows/portal.ts')))
  const modal = outside(mounted, reached(app, chunkOf(app, 'react/modal/Modal.tsx')))
  const style = app.filter(({ fileName }) => fileName.endsWith('.css'))
  const worker = await bundle('adapters/browser/mpc.worker.ts')
  const always = reached(worker, worker.filter(isEntry))
  const bridges = await bridgesOf()
  const server = await bundle('adapters/browser/server/server.ts')
  const kernel = worker.filter(({ fileName }) => fileName.endsWith('.wasm'))
  return [
    { suite, case: 'core with hooks, imported', bytes: gzipped(core), budgetBytes: 40_000 },
    { suite, case: 'core with hooks, mounted', bytes: gzipped(mounted), budgetBytes: 40_000 },
    { suite, case: 'core with hooks, after a signature', bytes: gzipped(signed), budgetBytes: 40_000 },
    { suite, case: 'more with a login or a sign-up', bytes: gzipped(entering) },
    { suite, case: 'modal with its style', bytes: gzipped([...modal, ...style]), budgetBytes: 50_000 },
    { suite, case: 'worker with kernel', bytes: gzipped([...always, ...kernel]), budgetBytes: 60_000 },
    { suite, case: 'kernel', bytes: gzipped(kernel), budgetBytes: 25_000 },
    { suite, case: 'noble, where the kernel may not run', bytes: gzipped(outside(always, worker.filter(isChunk))) },
    ...bridges,
    { suite, case: 'entry for servers', bytes: gzipped(server), budgetBytes: 12_000 },
  ]
}

/** What Vite puts around an import(): an app has it with the core. */
const importHelper = { name: 'import-helper', test: /vite\/preload-helper/ }

/** Each bridge without its library, which an app that uses it has. That to wagmi is built on the provider. */
const bridgesOf = async (): Promise<readonly Figures[]> => {
  const loadedWith = async (name: string): Promise<number> => {
    const files = await bundle(`adapters/browser/bridges/${name}.ts`, importHelper)
    const loaded = reached(files, files.filter(isEntry))
    return gzipped(loaded.filter((file) => !isChunk(file) || file.name !== importHelper.name))
  }
  // One after the other: each build sets the environment of the process, and sets it back.
  const viem = await loadedWith('viem')
  const ethers = await loadedWith('ethers')
  const ethereum = await loadedWith('ethereum')
  const wagmi = await loadedWith('wagmi')
  return [
    { suite, case: 'bridge to viem', bytes: viem, budgetBytes: 4_000 },
    { suite, case: 'bridge to ethers', bytes: ethers, budgetBytes: 4_000 },
    { suite, case: 'bridge to ethereum', bytes: ethereum, budgetBytes: 4_000 },
    { suite, case: 'bridge to wagmi, more than ethereum', bytes: wagmi - ethereum, budgetBytes: 4_000 },
  ]
}

const isChunk = (file: File): file is Rolldown.OutputChunk => file.type === 'chunk'
const isEntry = (file: File): boolean => isChunk(file) && file.isEntry

/** What an import() of this source loads. */
const chunkOf = (all: readonly File[], source: string): readonly File[] => {
  const found = all.filter((file) => isChunk(file) && file.facadeModuleId === join(root, source))
  if (found.length === 0) throw new Error(`${source} is in no chunk of its own`)
  return found
}

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

const gzipped = (files: readonly File[]): number =>
  files.reduce((sum, file) => sum + gzipSync(isChunk(file) ? file.code : file.source, { level: 9 }).length, 0)

/** In memory, by the settings and with the copies of libraries that the package is built with; never two at once. A part may be put into a chunk of its own. */
const bundle = async (entry: string, apart?: typeof importHelper): Promise<readonly File[]> => {
  const environment = process.env['NODE_ENV']
  process.env['NODE_ENV'] = 'production'
  try {
    const { output } = (await build({
      root,
      configFile: false,
      envDir: false,
      publicDir: false,
      mode: 'production',
      logLevel: 'error',
      plugins: entry.endsWith('.worker.ts') ? [] : [untraced, ownHashes],
      worker: { format: 'es' },
      build: {
        write: false,
        target: 'es2022',
        assetsInlineLimit: 0,
        modulePreload: false,
        rolldownOptions: {
          input: join(root, entry),
          external: [/^(react(-dom)?|viem|ethers|wagmi)($|\/)/],
          // An app's own code is around the entry, so what chunks share may stand in it.
          preserveEntrySignatures: 'allow-extension',
          ...(apart === undefined ? {} : { output: { codeSplitting: { groups: [apart] } } }),
        },
      },
    })) as Rolldown.RolldownOutput
    return output
  } finally {
    if (environment === undefined) delete process.env['NODE_ENV']
    else process.env['NODE_ENV'] = environment
  }
}
