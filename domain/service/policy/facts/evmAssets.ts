/** Assets of EVM chains, as CAIP-19 identifiers. `chain` is `eip155:` and the chain id, a contract is hex in lower case. */

/** A chain's own coin goes by the same number on every EVM chain (SLIP-44). */
export const coinOf = (chain: string): string => `${chain}/slip44:60`

/**
 * A token by its contract. On some chains a contract of the token standard moves the coin itself, so what it moves
 * counts as the coin: otherwise a limit of the coin would not see it.
 */
export const tokenOf = (chain: string, contract: string): string =>
  coinContracts.get(chain) === contract ? coinOf(chain) : `${chain}/erc20:${contract}`

/** Contracts that move the chain's own coin, by chain. */
const coinContracts: ReadonlyMap<string, string> = new Map([
  // Celo and its test chains (docs.celo.org, "token duality").
  ['eip155:42220', '0x471ece3750da237f93b8e339c536989b8978a438'],
  ['eip155:44787', '0xf194afdf50b03e69bd7d057c1aa9e10c9954e4c9'],
  ['eip155:11142220', '0x471ece3750da237f93b8e339c536989b8978a438'],
  // Metis Andromeda.
  ['eip155:1088', '0xdeaddeaddeaddeaddeaddeaddeaddeaddead0000'],
  // Moonbeam, Moonriver and Moonbase Alpha.
  ['eip155:1284', '0x0000000000000000000000000000000000000802'],
  ['eip155:1285', '0x0000000000000000000000000000000000000802'],
  ['eip155:1287', '0x0000000000000000000000000000000000000802'],
])
