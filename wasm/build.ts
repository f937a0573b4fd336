/**
 * `node wasm/build.ts` compiles the kernel from its AssemblyScript sources, if they or the compiler have changed since
 * the last build: build/kernel.wasm, and beside it the hash of what it was made from. With `--pin` the digest of the
 * kernel is written to kernelDigest.ts; without it, any digest but the pinned one is an error.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { kernelDigest } from './kernelDigest.ts'

const sources = new URL('./assembly/', import.meta.url)
const folder = new URL('./build/', import.meta.url)
const hashFile = new URL('kernel.hash', folder)

/** Where the built kernel is. */
export const kernelFile = new URL('kernel.wasm', folder)

const flags = ['-O3', '--noAssert', '--runtime', 'stub', '--enable', 'simd', '--initialMemory', '16', '--use', 'abort=']

const sourceFiles = (): readonly string[] =>
  readdirSync(sources)
    .filter((name) => name.endsWith('.ts'))
    .sort()

const sourceHash = (): string => {
  const hash = createHash('sha256').update(flags.join(' '))
  const compiler = createRequire(import.meta.url).resolve('assemblyscript/package.json')
  for (const file of [pathToFileURL(compiler), ...sourceFiles().map((name) => new URL(name, sources))]) {
    const bytes = readFileSync(file)
    hash.update(`${file.pathname.split('/').at(-1)} ${bytes.length}\n`).update(bytes)
  }
  return hash.digest('hex')
}

const isBuilt = (hash: string): boolean =>
  existsSync(kernelFile) && existsSync(hashFile) && readFileSync(hashFile, 'utf8') === hash

/** By a name that the type checker does not follow: the compiler's declarations change the globals of its importers. */
const compilerName: string = 'assemblyscript/asc'

type Compiler = {
  readonly createMemoryStream: () => { readonly toString: () => string }
  readonly main: (
    flags: readonly string[],
    files: {
      readonly stderr: unknown
      readonly readFile: (name: string) => string | null
      readonly writeFile: (name: string, contents: string | Uint8Array) => void
      readonly listFiles: () => null
    },
  ) => Promise<{ readonly error: Error | null }>
}

/** Compiles the kernel unless it is what the sources say; says whether it did. */
export const buildKernel = async (): Promise<boolean> => {
  const hash = sourceHash()
  if (isBuilt(hash)) return false
  // The compiler is large: it is loaded only where there is something to compile.
  const asc = (await import(compilerName)) as Compiler
  let binary: Uint8Array | undefined
  const complaints = asc.createMemoryStream()
  const { error } = await asc.main(['index.ts', '--outFile', 'kernel.wasm', ...flags], {
    stderr: complaints,
    readFile: (name) => {
      const file = new URL(name, sources)
      return existsSync(file) ? readFileSync(file, 'utf8') : null
    },
    writeFile: (_name, contents) => {
      if (typeof contents !== 'string') binary = contents
    },
    listFiles: () => null,
  })
  if (error !== null || binary === undefined) throw new Error(`the kernel does not compile: ${complaints.toString()}`)
  mkdirSync(folder, { recursive: true })
  put(kernelFile, binary)
  put(hashFile, hash)
  return true
}

/** Written whole or not at all, because several processes may build at once. */
const put = (file: URL, content: Uint8Array | string): void => {
  const draft = new URL(`${file.href}.${process.pid}`)
  writeFileSync(draft, content)
  renameSync(draft, file)
}

/** Throws where the built kernel is not the pinned one. */
export const requirePinned = (): void => {
  const digest = builtDigest()
  if (digest === kernelDigest) return
  throw new Error(`kernel.wasm has the digest ${digest}, not the pinned one; \`node wasm/build.ts --pin\` pins it`)
}

const builtDigest = (): string => createHash('sha256').update(readFileSync(kernelFile)).digest('hex')

const pin = (): void => {
  const file = new URL('kernelDigest.ts', import.meta.url)
  put(file, readFileSync(file, 'utf8').replace(kernelDigest, builtDigest()))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  console.log((await buildKernel()) ? 'The kernel is built.' : 'The kernel is as its sources.')
  if (process.argv.includes('--pin')) pin()
  else requirePinned()
}
