/** What the package says of itself. */

/** The name under which apps install and import the SDK; nothing else spells it. */
export const packageName = '@tandem/sdk'

/** The entries: their source, and their sub-path. The name is that of the built file. */
export const entries = {
  index: { source: 'adapters/browser/sdk.ts', path: '.' },
  react: { source: 'react/index.ts', path: './react' },
} as const

/** Files that an app may host by itself, or imports for its effect. The compiler asks of each what it exports. */
export const filesWithoutExports = {
  './react/styles.css': 'styles.css',
  './worker.js': 'worker.js',
  './worker-noble.js': 'worker-noble.js',
} as const

const exporting = (file: string) => ({ types: `./dist/${file.replace(/\.js$/, '')}.d.ts`, default: `./dist/${file}` })

type Root = { readonly version: string; readonly license: string }

/** Of the package.json of the repository comes what both share. */
export const manifestOf = ({ version, license }: Root) => ({
  name: packageName,
  version,
  description: 'Embedded wallets whose key is never whole: the web SDK and its React hooks.',
  license,
  type: 'module',
  sideEffects: ['**/*.css'],
  engines: { node: '>=20.19' },
  exports: {
    ...Object.fromEntries(Object.entries(entries).map(([name, { path }]) => [path, exporting(`${name}.js`)])),
    ...Object.fromEntries(Object.entries(filesWithoutExports).map(([path, file]) => [path, exporting(file)])),
    './digests.json': './dist/digests.json',
    './package.json': './package.json',
  },
  files: ['dist'],
  peerDependencies: { react: '>=18', 'react-dom': '>=18' },
  peerDependenciesMeta: { react: { optional: true }, 'react-dom': { optional: true } },
})
