/** The reference of the package: a page for each entry, made by TypeDoc from the declarations that the package has. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { Application } from 'typedoc'
import { entries } from './manifest.ts'

/** Types that are read where they stand: how others are made, and what wagmi and its dialogs ask for. */
const intentionallyNotExported = [
  'Config',
  'Create',
  'Listener',
  'MaybePromise',
  'NamedCalls',
  'ResultOf',
  'Silent',
  'StateStorage',
  'VerbName',
  'Verbs',
  'WalletDetails',
]

/** A type that is made of a list names its members. */
const withMembers = (text: string): string => {
  const lists = new Map(
    [...text.matchAll(/declare const (\w+): readonly \[([^\]]*)\]/g)].map(([, name, list]) => [name, list]),
  )
  return text.replaceAll(
    /\(typeof (\w+)\)\[number\]/g,
    (whole, name: string) => lists.get(name)?.replaceAll(', ', ' | ') ?? whole,
  )
}

/** `types` are the declarations by their names in dist. `root` is where the types of peers are found. */
export const makeReference = async (types: ReadonlyMap<string, string>, root: string): Promise<Map<string, string>> => {
  await mkdir(join(root, 'dist'), { recursive: true })
  const folder = await mkdtemp(join(root, 'dist', 'reference-'))
  try {
    for (const [name, text] of types) await writeFile(join(folder, name), withMembers(text))
    const tsconfig = join(folder, 'tsconfig.json')
    const compilerOptions = {
      target: 'es2022',
      lib: ['es2022', 'dom'],
      module: 'esnext',
      moduleResolution: 'bundler',
      strict: true,
      skipLibCheck: true,
      types: [],
    }
    await writeFile(tsconfig, JSON.stringify({ compilerOptions, include: ['*.d.ts'] }))
    const options = {
      tsconfig,
      entryPoints: Object.keys(entries).map((name) => join(folder, `${name}.d.ts`)),
      plugin: ['typedoc-plugin-markdown'],
      out: join(folder, 'pages'),
      name: 'Reference',
      readme: 'none',
      excludeProtected: true,
      excludePrivate: true,
      disableSources: true,
      disableGit: true,
      // What a class has from the language or from Node.
      excludeExternals: true,
      // A type that stands in a signature has an entry of its own.
      validation: { notExported: true, invalidLink: true, notDocumented: false },
      intentionallyNotExported,
      treatValidationWarningsAsErrors: true,
      logLevel: 'Warn' as const,
      outputFileStrategy: 'modules',
      hidePageHeader: true,
      hideBreadcrumbs: true,
      parametersFormat: 'table',
      propertiesFormat: 'table',
      typeDeclarationFormat: 'table',
    }
    const application = await Application.bootstrapWithPlugins(options)
    const project = await application.convert()
    if (project === undefined || application.logger.hasErrors())
      throw new Error('TypeDoc does not understand the types')
    application.validate(project)
    if (application.logger.hasErrors() || application.logger.hasWarnings())
      throw new Error('a type that the entries name is not exported')
    await application.generateOutputs(project)
    const written = await readdir(join(folder, 'pages'), { recursive: true, withFileTypes: true })
    const pages = written
      .filter((entry) => entry.isFile())
      .map((entry) => relative(join(folder, 'pages'), join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
      .sort()
    return new Map(
      await Promise.all(
        pages.map(async (page) => [page, await readFile(join(folder, 'pages', page), 'utf8')] as const),
      ),
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
