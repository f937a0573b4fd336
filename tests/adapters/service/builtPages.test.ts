/** What react/build.ts builds, from the sources as they stand. */
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { filesOf } from '../../../adapters/service/pages/BuiltPages.ts'
import { staticFiles } from '../../../domain/model/PortalFiles.ts'
import { buildPages } from '../../../react/build.ts'

const root = join(import.meta.dirname, '..', '..', '..')
const names = ['static', 'portal', 'connect', 'example'] as const
const pages = ['portal', 'connect', 'example'] as const

const folder = mkdtempSync(join(tmpdir(), 'tandem built '))
const said: string[] = []
let first: readonly string[] = []
beforeAll(async () => {
  first = await buildPages({ folder, say: (line) => said.push(line) })
})
afterAll(() => rmSync(folder, { recursive: true }))

const digestOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

const inFolder = (name: string) =>
  readdirSync(join(folder, name), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(join(folder, name), join(entry.parentPath, entry.name)))
    .sort()

const textOf = (name: string, path: string) => readFileSync(join(folder, name, path), 'utf8')

describe('the build', () => {
  it('writes every page and logs it', () => {
    expect(first).toEqual(names)
    for (const name of names) {
      expect(said).toContain(`Building ${name} …`)
      expect(said.some((line) => line.startsWith(`Built ${name}: `))).toBe(true)
    }
  })

  it.each(names)('writes down the digest of every file of %s', async (name) => {
    const files = (await filesOf(folder, name)) ?? {}

    expect(Object.keys(files).sort()).toEqual(inFolder(name))
    for (const [path, digest] of Object.entries(files)) {
      expect([path, digestOf(readFileSync(join(folder, name, path)))]).toEqual([path, digest])
    }
  })

  it('skips pages whose sources did not change, and rebuilds the others to the same bytes', async () => {
    const before = await Promise.all(names.map((name) => filesOf(folder, name)))
    expect(await buildPages({ folder })).toEqual([])

    rmSync(join(folder, 'connect', 'index.html'))
    writeFileSync(join(folder, 'connect', 'assets', 'left-over.js'), '')
    expect(await buildPages({ folder })).toEqual(['connect'])
    expect(inFolder('connect')).not.toContain('assets/left-over.js')

    for (const name of names) rmSync(join(folder, `${name}.json`))
    expect(await buildPages({ folder })).toEqual(names)
    expect(await Promise.all(names.map((name) => filesOf(folder, name)))).toEqual(before)
  })
})

describe('the pages', () => {
  it.each(pages)('of %s have no inline scripts or styles, and nothing from another origin', (name) => {
    for (const page of ['index.html', '404.html']) {
      const html = textOf(name, page)
      const sources = [...html.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, source]) => source ?? '')

      expect(html).not.toMatch(/<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)/)
      for (const source of sources) expect(source).toMatch(/^(\/assets\/[\w.-]+|\/config\.json|data:,)$/)
      for (const source of sources.filter((one) => one.startsWith('/assets/')))
        expect(inFolder(name)).toContain(source.slice(1))
    }
    expect(textOf(name, '404.html')).not.toContain('<script')
  })

  it.each(pages)('of %s are minified production builds without source maps or paths of this machine', (name) => {
    for (const path of inFolder(name).filter((file) => file.endsWith('.js'))) {
      const text = textOf(name, path)
      // The package has its workers as texts, too, which end as the files do.
      const isText = /\/worker(Noble)?Text-/.test(path)
      expect([path, /sourceMappingURL/.test(text), text.includes(root), /jsxDEV\(/.test(text)]).toEqual([
        path,
        isText,
        false,
        false,
      ])
    }
  })

  it.each(pages)('of %s have names that change with their content', (name) => {
    const unhashed = inFolder(name).filter((path) => !/^assets\/[\w.-]+-[\w-]{8}\.\w+(\.br)?$/.test(path))

    expect(unhashed).toEqual(['404.html', 'index.html'])
  })
})

describe('the compressed form', () => {
  it.each(pages)('of %s decompresses to the file itself', (name) => {
    const found = inFolder(name).filter((path) => path.endsWith('.br'))

    expect(found.length).toBeGreaterThan(0)
    for (const path of found) {
      const plain = readFileSync(join(folder, name, path.slice(0, -3)))
      expect(brotliDecompressSync(readFileSync(join(folder, name, path))).equals(plain)).toBe(true)
    }
  })
})

describe('the files that workers load', () => {
  it('are those that the contract names, the kernel and the prime search unchanged', () => {
    expect(inFolder('static')).toEqual(staticFiles.map((file) => `js/${file}`).sort())
    expect(
      readFileSync(join(folder, 'static/js/main.wasm')).equals(readFileSync(join(root, 'wasm/build/kernel.wasm'))),
    ).toBe(true)
    expect(
      readFileSync(join(folder, 'static/js/prime.worker.min.js')).equals(
        readFileSync(join(root, 'node_modules/node-forge/dist/prime.worker.min.js')),
      ),
    ).toBe(true)
  })

  it('have a digest that is pinned in every worker that loads the kernel', () => {
    const digest = digestOf(readFileSync(join(folder, 'static/js/main.wasm')))
    const worker = textOf('static', 'js/mpcWorker-bundle.js')
    const ofExample = inFolder('example').filter(
      (path) => /\/worker-.*\.js$/.test(path) && textOf('example', path).includes(digest),
    )

    expect(worker).toContain(digest)
    expect(worker).toContain('/static/js/main.wasm')
    expect(worker).not.toContain('hex:0061736d')
    expect(worker).not.toContain('data:application/wasm')
    expect(worker).not.toMatch(/\bimport\s*[({"']|\bexport\s*[{*]/)
    expect(ofExample).toHaveLength(1)
    // The package's worker, which has the kernel in it: the example is an app that has installed the package.
    expect(textOf('example', ofExample[0] ?? '')).toContain('hex:0061736d')
  })
})
