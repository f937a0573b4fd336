import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { groupedBy4 } from '../../react/ui/Address.tsx'

describe('an address in groups of four', () => {
  it('keeps 0x with its first group', () => {
    expect(groupedBy4('0x52908400098527886E0F7030069857D2E4169EE7').slice(0, 3)).toEqual(['0x5290', '8400', '0985'])
  })

  it('keeps a bech32 prefix apart', () => {
    const groups = groupedBy4('cosmos1vqpjljwsynsn58dugz0w8ut7kun7t8ls2qkmsq')

    expect(groups.slice(0, 3)).toEqual(['cosmos1', 'vqpj', 'ljws'])
  })

  it('neither drops nor adds a character', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme-ascii' }), (text) => groupedBy4(text).join('') === text))
  })
})
