import { describe, expect, it } from 'vitest'
import { networkOf, networksBy } from '../../../adapters/service/http/network.ts'

const usual = { ipv4: 32, ipv6: 64 }

describe('the network of an address', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7/32'],
    ['::ffff:203.0.113.7', '203.0.113.7/32'],
    ['::ffff:cb00:7107', '203.0.113.7/32'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::1', '2001:db8:1:2::/64'],
    ['fe80::1%eth0', 'fe80::/64'],
    ['::1', '::/64'],
    ['nonsense', 'unknown'],
    ['', 'unknown'],
  ])('of %s is %s', (address, network) => {
    expect(networkOf(address, usual)).toBe(network)
  })

  it('is as wide as the operator sets it', () => {
    expect(networkOf('203.0.113.7', { ...usual, ipv4: 24 })).toBe('203.0.113.0/24')
    expect(networkOf('2001:db8:1:2:3:4:5:6', { ...usual, ipv6: 56 })).toBe('2001:db8:1::/56')
    expect(networkOf('2001:db8:1:2:3:4:5:6', { ...usual, ipv6: 128 })).toBe('2001:db8:1:2:3:4:5:6/128')
  })

  it('is the same when the address comes again, and after ten thousand others', () => {
    const remembering = networksBy(usual)
    const addresses = Array.from(
      { length: 10_001 },
      (_, index) => `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`,
    )

    for (const address of [...addresses, ...addresses.slice(0, 3)]) expect(remembering(address)).toBe(`${address}/32`)
    expect([remembering('nonsense'), remembering('nonsense')]).toEqual(['unknown', 'unknown'])
  })
})
