/** What the package says of itself. */

/** The name under which apps install and import the SDK; nothing else spells it. */
export const packageName = '@tandem/sdk'

/** The package's command, the only one that an app gets. */
const commandName = 'create-tandem-app'

/** The entries: their source, and their sub-path. The name is that of the built file. */
export const entries = {
  index: { source: 'adapters/browser/sdk.ts', path: '.' },
  react: { source: 'react/index.ts', path: './react' },
  viem: { source: 'adapters/browser/bridges/viem.ts', path: './viem' },
  ethereum: { source: 'adapters/browser/bridges/ethereum.ts', path: './ethereum' },
  ethers: { source: 'adapters/browser/bridges/ethers.ts', path: './ethers' },
  wagmi: { source: 'adapters/browser/bridges/wagmi.ts', path: './wagmi' },
  server: { source: 'adapters/browser/server/server.ts', path: './server' },
  testing: { source: 'adapters/browser/testing/testing.ts', path: './testing' },
} as const

/** What an app brings itself, for the entries that it uses. */
const peers = { react: '>=18', 'react-dom': '>=18', viem: '>=2.28 <3', ethers: '^6.14', wagmi: '>=2 <4' } as const

/** Whether a module is of a peer, and so in no file of the package. */
export const ofPeers = new RegExp(`^(${Object.keys(peers).join('|')})($|/)`)

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
  bin: { [commandName]: './dist/create.js' },
  files: ['dist', 'docs', './ERRORS.md', 'llms.txt', 'template'],
  peerDependencies: peers,
  peerDependenciesMeta: Object.fromEntries(Object.keys(peers).map((name) => [name, { optional: true }])),
})

export type Manifest = ReturnType<typeof manifestOf>
