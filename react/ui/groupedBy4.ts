/**
 * Groups of 4 characters. `0x` stays with the first group, and a bech32 prefix with its 1 is a group of its own: every
 * address of the kind begins with it.
 */
export const groupedBy4 = (address: string): readonly string[] => {
  const [prefix = ''] = /^[a-z]+1(?=[02-9ac-hj-np-z]{38}$)/.exec(address) ?? []
  const [lead = ''] = /^0x/.exec(address) ?? []
  const [first = '', ...groups] = address.slice(prefix.length + lead.length).match(/.{1,4}/g) ?? []
  return [...(prefix === '' ? [] : [prefix]), lead + first, ...groups]
}
