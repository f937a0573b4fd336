/** The network of a request, by which limits count (domain/service/README.md#rate-limits). */
import ipaddr from 'ipaddr.js'

/** How many leading bits of an address name its network. */
export type Prefixes = { readonly ipv4: number; readonly ipv6: number }

/**
 * One person is given a whole range of IPv6 addresses, and could have a budget for each. An IPv4 address in IPv6 form
 * counts as IPv4. A proxy may forward text that is no address: all such requests share a network.
 */
export const networkOf = (address: string, prefixes: Prefixes): string => {
  if (!ipaddr.isValid(address)) return 'unknown'
  const parsed = ipaddr.process(address)
  const length = prefixes[parsed.kind()]
  const range = `${ipaddr.fromByteArray(parsed.toByteArray()).toString()}/${length}`
  const family = parsed.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6
  return `${family.networkAddressFromCIDR(range).toString()}/${length}`
}

/** As `networkOf`, and remembers the last addresses: most requests come from few, and reading one costs 2 % of a call. */
export const networksBy = (prefixes: Prefixes): ((address: string) => string) => {
  const known = new Map<string, string>()
  return (address) => {
    const found = known.get(address)
    if (found !== undefined) return found
    if (known.size >= remembered) known.clear()
    const network = networkOf(address, prefixes)
    // A proxy may forward any text.
    if (address.length <= longest) known.set(address, network)
    return network
  }
}

/** About 200 bytes each. */
const remembered = 10_000

/** Characters of an address with the name of an interface. */
const longest = 64

/** An address, or a range of them as `10.0.0.0/8`. */
export const isRange = (text: string): boolean => ipaddr.isValid(text) || ipaddr.isValidCIDR(text)
