import { describe, expect, it, vi } from 'vitest'
import { allForProduction } from '../../react/pack/forProduction.ts'

const environment = (): string | undefined => process.env['NODE_ENV']

describe('builds at once', () => {
  it('are for production to their end, also where another one fails', async () => {
    const before = environment()
    const said: (string | undefined)[] = []
    const refused = () => Promise.reject(new Error('refused'))
    const slow = async () => {
      await new Promise((resolve) => setTimeout(resolve, 10))
      said.push(environment())
    }

    await expect(allForProduction([slow, refused])).rejects.toThrow('refused')
    await vi.waitFor(() => expect(said).toEqual(['production']))
    expect(environment()).toBe(before)
  })
})
