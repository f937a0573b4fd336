/** One .d.ts for each entry: the compiler's own declarations, rolled up by what the entries reach. */
import { dirname, join } from 'node:path'
import { rolldown, type Plugin } from 'rolldown'
import { dts } from 'rolldown-plugin-dts'
import { entries, ofPeers } from './manifest.ts'

/** `compiled` is where the compiler has written the declarations of all sources. Answers names and texts. */
export const rollDeclarations = async (compiled: string): Promise<ReadonlyMap<string, string>> => {
  const bundle = await rolldown({
    input: Object.fromEntries(
      Object.entries(entries).map(([name, { source }]) => [name, join(compiled, declarationOf(source))]),
    ),
    plugins: [compilerPaths, dts({ dtsInput: true, tsconfig: false, sourcemap: false })],
    external: [ofPeers],
    checks: { bundlerTimings: false },
  })
  try {
    const { output } = await bundle.generate({ format: 'es', chunkFileNames: 'types.d.ts' })
    return new Map(output.flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file.code] as const] : [])))
  } finally {
    await bundle.close()
  }
}

const declarationOf = (source: string): string => source.replace(/\.tsx?$/, '.d.ts')

/** Declarations name the sources; what stands beside them are declarations. */
const compilerPaths: Plugin = {
  name: 'tandem:declarations',
  resolveId: {
    order: 'pre',
    handler: (specifier, importer) =>
      importer !== undefined && /^\.\.?\/.*(?<!\.d)\.tsx?$/.test(specifier)
        ? join(dirname(importer), declarationOf(specifier))
        : undefined,
  },
}
