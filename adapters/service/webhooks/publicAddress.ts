/** Which addresses of the internet a message may go to: those that everyone can reach, and no network of the operator's. */
import ipaddr from 'ipaddr.js'

/**
 * Whether an IP address, as text, is a public one. IPv6 has its public addresses in 2000::/3 (RFC 4291); forms that carry
 * an IPv4 address, such as those of NAT64 and 6to4, are none, because what they lead to depends on the network.
 */
export const isPublicAddress = (address: string): boolean => {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast') return false
  return parsed instanceof ipaddr.IPv4 || parsed.match(globalUnicast)
}

const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')
