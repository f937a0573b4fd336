/**
 * What an app downloads for its wallets: the package, minified and gzipped as an app's bundler makes it, React and its renderer
 * left out, as are the libraries of the bridges. `npm run bench` fails above a budget.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build, type Rolldown } from 'vite'
import { forProduction, productionBuild } from '../../react/pack/forProduction.ts'
import { installPackage } from '../../react/pack/installed.ts'
import { buildKernel, kernelFile } from '../../wasm/build.ts'
import type { Figures } from './rows.ts'

const root = join(import.meta.dirname, '..', '..')

const suite = 'size'

type File = Rolldown.OutputChunk | Rolldown.OutputAsset

export const size = async (): Promise<readonly Figures[]> => {
  await buildKernel()
  const folder = join((await installPackage()).folder, 'dist')
  const app = await bundle(folder, 'react.js')
  const chunkOf = chunksOf(app, folder)
  const core = reached(app, app.filter(isEntry))
  // A page whose user is signed in signs its first request.
  const mounted = reached(app, [...core, ...chunkOf('engine')])
  const signed = reached(app, [...mounted, ...chunkOf('signing')])
  const entering = outside(signed, reached(app, chunkOf('portal')))
  const modal = outside(mounted, reached(app, chunkOf('Modal')))
  const bridges = await bridgesOf(folder)
  const server = await bundle(folder, 'server.js')
  const styles = await bundle(folder, 'styles.css')
  return [
    { suite, case: 'core with hooks, imported', bytes: gzipped(core), budgetBytes: 40_000 },
    { suite, case: 'core with hooks, mounted', bytes: gzipped(mounted), budgetBytes: 40_000 },
    { suite, case: 'core with hooks, after a signature', bytes: gzipped(signed), budgetBytes: 40_000 },
    { suite, case: 'more with a login or a sign-up', bytes: gzipped(entering) },
    { suite, case: 'modal with its style', bytes: gzipped([...modal, ...styles]), budgetBytes: 50_000 },
    { suite, case: 'worker with kernel', bytes: gzip(await readFile(join(folder, 'worker.js'))), budgetBytes: 60_000 },
    { suite, case: 'kernel', bytes: gzip(await readFile(kernelFile)), budgetBytes: 25_000 },
    {
      suite,
      case: 'worker with noble, where the kernel may not run',
      bytes: gzip(await readFile(join(folder, 'worker-noble.js'))),
    },
    ...bridges,
    { suite, case: 'entry for servers', bytes: gzipped(server), budgetBytes: 12_000 },
  ]
}

/** What Vite puts around an import(): an app has it with the core. */
const importHelper = { name: 'import-helper', test: /vite\/preload-helper/ }

/** Each bridge without its library, which an app that uses it has. That to wagmi is built on the provider. */
const bridgesOf = async (folder: string): Promise<readonly Figures[]> => {
  const loadedWith = async (name: string): Promise<number> => {
    const files = await bundle(folder, `${name}.js`, importHelper)
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

/** Where an app has a chunk of the package. */
const chunksOf =
  (all: readonly File[], folder: string) =>
  (name: string): readonly File[] => {
    const found = all.filter((file) => isChunk(file) && file.moduleIds.includes(join(folder, 'chunks', `${name}.js`)))
    if (found.length === 0) throw new Error(`${name} is in no chunk`)
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
  files.reduce((sum, file) => sum + gzip(isChunk(file) ? file.code : file.source), 0)

const gzip = (content: string | Uint8Array): number => gzipSync(content, { level: 9 }).length

/** In memory; never two at once. A part may be put into a chunk of its own. */
const bundle = (folder: string, entry: string, apart?: typeof importHelper): Promise<readonly File[]> =>
  forProduction(async () => {
    const { output } = (await build({
      root,
      ...productionBuild,
      worker: { format: 'es' },
      build: {
        write: false,
        target: 'es2022',
        assetsInlineLimit: 0,
        modulePreload: false,
        rolldownOptions: {
          input: join(folder, entry),
          external: [/^(react(-dom)?|viem|ethers|wagmi)($|\/)/],
          // An app's own code is around the entry, so what chunks share may stand in it.
          preserveEntrySignatures: 'allow-extension',
          ...(apart === undefined ? {} : { output: { codeSplitting: { groups: [apart] } } }),
        },
      },
    })) as Rolldown.RolldownOutput
    return output
  })
