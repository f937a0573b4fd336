/** Pages as react/build.ts leaves them, without building any: a service that has none does not start. */
import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { staticFiles } from '../../domain/model/PortalFiles.ts'

export type PageFiles = Readonly<Record<string, string | Uint8Array>>

/** The smallest set of files that a page may have. */
export const pageFiles = (name: string): PageFiles => ({
  'index.html': `<!doctype html><title>${name}</title>`,
  '404.html': `<!doctype html><title>No such page</title>`,
  'assets/index-1a2b3c.js': `document.title += ' runs'`,
  'assets/index-1a2b3c.css': 'body { margin: 0 }',
})

const emptyModule = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0)

export const workerFiles: PageFiles = Object.fromEntries(
  staticFiles.map((name) => [`js/${name}`, name.endsWith('.wasm') ? emptyModule : `// ${name}\n`]),
)

const writePage = (folder: string, name: string, files: PageFiles): void => {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name, path)), { recursive: true })
    writeFileSync(join(folder, name, path), content)
  }
  const digests = Object.entries(files).map(([path, content]) => [
    path,
    createHash('sha256').update(content).digest('hex'),
  ])
  writeFileSync(join(folder, `${name}.json`), JSON.stringify({ files: Object.fromEntries(digests) }))
}

/** All that portal, connect and the example app serve. Answers the folder. */
export const writePages = (folder: string): string => {
  writePage(folder, 'portal', pageFiles('portal'))
  writePage(folder, 'connect', pageFiles('connect'))
  writePage(folder, 'example', pageFiles('example'))
  writePage(folder, 'static', workerFiles)
  return folder
}
