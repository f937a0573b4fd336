import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { packageName } from '../../react/pack/manifest.ts'

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

  it('takes at most twelve lines to a signature', () => {
    expect(app.split('\n').filter((line) => line.trim() !== '').length).toBeLessThanOrEqual(12)
  })
})
