import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

describe('the quick start', () => {
  const app = read('react/example/App.tsx')

  it('is the example’s own code', () => {
    expect(read('README.md')).toContain(app.replace('../index.ts', './react/index.ts'))
  })

  it('takes at most twelve lines to a signature', () => {
    expect(app.split('\n').filter((line) => line.trim() !== '').length).toBeLessThanOrEqual(12)
  })
})
