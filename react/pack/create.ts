#!/usr/bin/env node
/**
 * `create-tandem-app FOLDER`, the package's command: an app that signs, in a new folder. It is the quick start with Vite
 * (react/docs/vite.md) as react/pack/main.ts has written it to the package's folder template.
 */
import { cp, mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { basename, join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'

const usage = `create-tandem-app FOLDER [--key KEY] [--sdk SPECIFIER]

Makes an app with Vite, React and TypeScript that signs.

  --key KEY          the publishable key; npm start of the service prints that of a development stack
  --sdk SPECIFIER    where npm installs the SDK from, for example its tarball; by default the tarball that npm has
                     installed this command from
`

const placeholder = 'your publishable key'

const create = async (folder: string, { key = placeholder, sdk: given }: Choice): Promise<void> => {
  // A key is letters, digits and signs that need no escape in a text of TypeScript.
  if (!/^[\w -]+$/.test(key)) throw new Refusal('--key is not a publishable key')
  const sdk = given ?? (await ownTarball())
  await mkdir(folder, { recursive: true })
  if ((await readdir(folder)).length > 0) throw new Refusal(`${folder} is not empty`)
  await cp(join(import.meta.dirname, '..', 'template'), folder, { recursive: true })
  // npm leaves a file of this name out of a package.
  await rename(join(folder, 'gitignore'), join(folder, '.gitignore'))
  await change(join(folder, 'src', 'settings.ts'), (text) => text.replace(placeholder, key))
  await change(join(folder, 'package.json'), (text) => {
    const manifest = JSON.parse(text) as { readonly dependencies: object }
    const dependencies = { [own.name]: specifierIn(folder, sdk), ...manifest.dependencies }
    return `${JSON.stringify({ name: nameOf(folder), ...manifest, dependencies }, null, 2)}\n`
  })
}

type Choice = { readonly key?: string | undefined; readonly sdk?: string | undefined }

/** A path is meant from where the command runs, and npm reads it from the app's folder. */
const specifierIn = (folder: string, sdk: string): string =>
  /\.tgz$/.test(sdk) && !/^https?:/.test(sdk)
    ? `file:${relative(folder, resolve(sdk.replace(/^file:/, ''))).replaceAll('\\', '/')}`
    : sdk

/**
 * The tarball that npm installed this command from, by npm's own list in `node_modules`. The app gets the SDK from it, because
 * the SDK is on no registry and another publisher can take its name there (DECISIONS.md#two-commands).
 */
const ownTarball = async (): Promise<string> => {
  const modules = join(import.meta.dirname, '..', ...own.name.split('/').map(() => '..'))
  const list = await readFile(join(modules, '.package-lock.json'), 'utf8').catch(() => '{}')
  const { packages = {} } = JSON.parse(list) as {
    readonly packages?: Readonly<Record<string, { readonly resolved?: string }>>
  }
  const { resolved = '' } = packages[`node_modules/${own.name}`] ?? {}
  if (!/^file:.*\.tgz$/.test(resolved)) {
    throw new Refusal(
      `${own.name} is on no registry: say by --sdk where its tarball is, as in --sdk ./tandem-sdk-${own.version}.tgz`,
    )
  }
  return resolve(modules, '..', resolved.replace('file:', ''))
}

const nameOf = (folder: string): string =>
  basename(resolve(folder))
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, '-')

const change = async (file: string, by: (text: string) => string): Promise<void> =>
  writeFile(file, by(await readFile(file, 'utf8')))

/** What the command says instead of making anything. */
class Refusal extends Error {}

const own = JSON.parse(await readFile(join(import.meta.dirname, '..', 'package.json'), 'utf8')) as {
  readonly name: string
  readonly version: string
}

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { key: { type: 'string' }, sdk: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
  })
  const [folder, ...others] = positionals
  if (values.help === true) {
    console.log(usage)
  } else if (folder === undefined || others.length > 0) {
    console.error(usage)
    process.exitCode = 2
  } else {
    await create(folder, values)
    console.log(`Made ${folder}. Next:\n\n  cd ${folder}\n  npm install\n  npm run dev\n`)
  }
} catch (error) {
  if (!(error instanceof Refusal) && !isWrongUsage(error)) throw error
  console.error(error.message)
  process.exitCode = 2
}

/** What parseArgs says of an option that it does not know. */
function isWrongUsage(error: unknown): error is Error {
  return error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')
}
