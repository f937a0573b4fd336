/** The reference of the package: a page for each entry, made by TypeDoc from the declarations that the package has. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { Application } from 'typedoc'
import { entries } from './manifest.ts'

/** `types` are the declarations by their names in dist. `root` is where the types of peers are found. */
export const makeReference = async (types: ReadonlyMap<string, string>, root: string): Promise<Map<string, string>> => {
  await mkdir(join(root, 'dist'), { recursive: true })
  const folder = await mkdtemp(join(root, 'dist', 'reference-'))
  try {
    for (const [name, text] of types) await writeFile(join(folder, name), text)
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
      // Types that only stand in signatures are written out there.
      validation: false,
      logLevel: 'Error' as const,
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
