/** The bare host with the package: built once per run, and served among the shop's files, so from its origin and under its policy. */
import { join } from 'node:path'
import { build } from 'vite'
import { productionBuild } from '../../../react/pack/forProduction.ts'
import { installPackage } from '../../../react/pack/installed.ts'

/** Where the shop's origin has it. */
export const harnessBase = '/assets/bare/'

/** Into a copy of the built pages, which is then what the stack serves. */
export const buildHarness = async (pagesFolder: string): Promise<void> => {
  const { plugin } = await installPackage()
  await build({
    plugins: [plugin],
    root: join(import.meta.dirname, '..', 'harness'),
    base: harnessBase,
    ...productionBuild,
    worker: { format: 'es' },
    build: {
      outDir: join(pagesFolder, 'example', ...harnessBase.split('/')),
      target: 'es2022',
      emptyOutDir: true,
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
    },
  })
}
