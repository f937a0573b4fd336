import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { developmentHosts } from '../../domain/model/Environment.ts'
import * as Events from '../../domain/model/Events.ts'
import { packageName } from '../../react/pack/manifest.ts'
import { quickstart } from '../../react/pack/quickstart.ts'

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

describe('the quick start', () => {
  const app = read('react/example/App.tsx')

  it('is the example’s own code', () => {
    expect(read('README.md')).toContain(app.replace('../index.ts', `${packageName}/react`))
  })

  it('is the sample of the package, too', () => {
    const sample = app.replace("'../index.ts'\n", "'${name}/react'\nimport '${name}/react/styles.css'\n")
    expect(read('react/pack/README.md')).toContain(sample)
  })

  it('is the sample of the pages about Vite and Next, too', () => {
    const [sample = ''] = /^const Hello = [\s\S]*?^}$/m.exec(app) ?? []
    expect(sample).toContain('useSignMessage')
    expect(quickstart('vite').files['src/App.tsx']).toContain(sample)
    expect(quickstart('next').files['app/Wallet.tsx']).toContain(sample)
  })

  it('for servers listens on no port of the development stack', () => {
    const [, port] = /\?\? (\d+)\)/.exec(quickstart('node').files['server.ts'] ?? '') ?? []
    expect(port).toBeDefined()
    expect(Object.values(developmentHosts).map((host) => new URL(host).port)).not.toContain(port)
  })

  it('takes at most twelve lines to a signature', () => {
    expect(app.split('\n').filter((line) => line.trim() !== '').length).toBeLessThanOrEqual(12)
  })
})

describe('the guide', () => {
  /** The names in the first cells of the table's rows, under its heading. */
  const namesOf = (page: string, heading: RegExp) => {
    const [table = ''] = new RegExp(`${heading.source}.*\\n\\| ---.*\\n(?:\\|.*\\n)+`).exec(read(page)) ?? []
    const cells = table
      .split('\n')
      .slice(2)
      .map((row) => row.split('|')[1] ?? '')
    return cells.flatMap((cell) => [...cell.matchAll(/`([\w.]+)`/g)].map(([, name]) => name)).sort()
  }

  it('has each event that is told', () => {
    expect(namesOf('react/docs/guide.md', /\| event \|/)).toEqual([...Events.told].sort())
  })

  it('has each type of a webhook that the service’s page has', () => {
    const types = namesOf('domain/service/README.md', /\| type \| told at \|/)
    expect(types.length).toBeGreaterThan(10)
    expect(namesOf('react/docs/guide.md', /\| `type` \|/)).toEqual(types)
  })
})
