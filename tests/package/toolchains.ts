/**
 * The tools by which apps are built, each with the quick start that it builds: versions, what it needs beside the page, and
 * how it is run. They are made outside of the repository (project.ts) and driven in Chromium (tests/browser).
 */
import type { QuickstartName } from '../../react/pack/quickstart.ts'

export type Toolchain = {
  readonly name: string
  readonly quickstart: QuickstartName
  /** What `npm install` gets beside what the page names, as `vite@7.3.8`; a version of a package of the page's replaces its. */
  readonly packages: readonly string[]
  readonly files?: Readonly<Record<string, string>>
  /** Scripts of the project with their parameters, run in this order. */
  readonly build: readonly (readonly string[])[]
  /** The folder with the built page, or the script of a server whose last parameter is its port. */
  readonly serves: { readonly folder: string } | { readonly script: readonly string[] }
  /** This tool leaves the worker's file behind, so that it starts from its text. */
  readonly leavesWorker?: boolean
  /** The server renders the page. */
  readonly rendersOnServer?: boolean
}

// Exact versions: a release of another package is no reason to fail. What the page names alone is as npm has it.
export const react19 = ['react@19.3.1', 'react-dom@19.3.1', '@types/react@19.3.0', '@types/react-dom@19.3.0']
export const react18 = ['react@18.3.1', 'react-dom@18.3.1', '@types/react@18.3.31', '@types/react-dom@18.3.7']
export const vite8 = 'vite@8.3.8'
const vite7 = 'vite@7.3.8'
const next16 = 'next@16.4.6'

const vite = 'node_modules/vite/bin/vite.js'
const next = 'node_modules/next/dist/bin/next'

/** A page whose script and styles have the names of the tool's. */
const page = (styles: string, script = 'main.js') =>
  `<!doctype html><link rel="icon" href="data:,">${styles}<div id="root"></div><script type="module" src="/${script}"></script>`

/** The one that npm test drives, too: with the repository's own Vite. */
export const viteOfRepository: Toolchain = {
  name: 'Vite 8, React 19',
  quickstart: 'vite',
  packages: [vite8, ...react19],
  build: [[vite, 'build']],
  serves: { folder: 'dist' },
}

export const toolchains: readonly Toolchain[] = [
  { ...viteOfRepository, name: 'Vite 7, React 19', packages: [vite7, ...react19] },
  { ...viteOfRepository, name: 'Vite 6, React 18', packages: ['vite@6.4.6', ...react18] },
  {
    ...viteOfRepository,
    name: 'Vite 7 in development',
    packages: [vite7, ...react19],
    build: [],
    serves: { script: [vite, '--host', '127.0.0.1', '--strictPort', '--port'] },
    leavesWorker: true,
  },
  {
    name: 'webpack 5, React 19',
    quickstart: 'vite',
    packages: [
      ...react19,
      'webpack@5.112.2',
      'webpack-cli@7.3.1',
      'esbuild-loader@4.5.0',
      'style-loader@4.0.0',
      'css-loader@7.1.5',
    ],
    files: {
      'webpack.config.cjs': `
        module.exports = {
          mode: 'production',
          entry: './src/main.tsx',
          resolve: { extensions: ['.tsx', '.ts', '.js'] },
          module: {
            rules: [
              { test: /\\.tsx?$/, loader: 'esbuild-loader' },
              { test: /\\.css$/, use: ['style-loader', 'css-loader'] },
            ],
          },
          performance: false,
          bail: true,
        }`,
      'dist/index.html': page(''),
    },
    build: [['node_modules/webpack/bin/webpack.js']],
    serves: { folder: 'dist' },
  },
  {
    name: 'Rspack, React 18',
    quickstart: 'vite',
    packages: [...react18, '@rspack/core@2.3.3', '@rspack/cli@2.2.8'],
    files: {
      'rspack.config.mjs': `
        export default {
          mode: 'production',
          entry: './src/main.tsx',
          resolve: { extensions: ['.tsx', '.ts', '.js'] },
          module: {
            rules: [
              {
                test: /\\.tsx?$/,
                loader: 'builtin:swc-loader',
                type: 'javascript/auto',
                options: { jsc: { parser: { syntax: 'typescript', tsx: true }, transform: { react: { runtime: 'automatic' } } } },
              },
              { test: /\\.css$/, type: 'css' },
            ],
          },
          performance: false,
          bail: true,
        }`,
      'dist/index.html': page('<link rel="stylesheet" href="/main.css">'),
    },
    build: [['node_modules/@rspack/cli/bin/rspack.js', 'build']],
    serves: { folder: 'dist' },
  },
  {
    name: 'esbuild, React 19',
    quickstart: 'vite',
    packages: [...react19, 'esbuild@0.28.2'],
    files: {
      'build.mjs': `
        import { build } from 'esbuild'
        await build({
          entryPoints: ['src/main.tsx'], outdir: 'dist', bundle: true, splitting: true, format: 'esm', minify: true,
        })`,
      'dist/index.html': page('<link rel="stylesheet" href="/main.css">'),
    },
    build: [['build.mjs']],
    serves: { folder: 'dist' },
    leavesWorker: true,
  },
  {
    name: 'Next by Turbopack',
    quickstart: 'next',
    packages: [next16, ...react19],
    build: [[next, 'build', '--turbopack']],
    serves: { script: [next, 'start', '--hostname', '127.0.0.1', '--port'] },
    rendersOnServer: true,
  },
  {
    name: 'Next by webpack',
    quickstart: 'next',
    packages: [next16, ...react19],
    build: [[next, 'build', '--webpack']],
    serves: { script: [next, 'start', '--hostname', '127.0.0.1', '--port'] },
    rendersOnServer: true,
  },
]
