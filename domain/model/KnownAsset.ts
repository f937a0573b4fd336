/**
 * Chains and assets that a page can name to a person. Only a chain's own coin is known: the symbol of a token is what its
 * contract claims, and is never guessed.
 */

/** `decimals`: how many digits of an amount in base units stand behind the point. */
export type Coin = { readonly symbol: string; readonly decimals: number }

type Chain = { readonly name: string; readonly coin: Coin }

const ether: Coin = { symbol: 'ETH', decimals: 18 }
const sol: Coin = { symbol: 'SOL', decimals: 9 }

/** By CAIP-2. Solana's references are the first 32 characters of the genesis hashes. */
const chains: ReadonlyMap<string, Chain> = new Map([
  ['eip155:1', { name: 'Ethereum', coin: ether }],
  ['eip155:10', { name: 'Optimism', coin: ether }],
  ['eip155:137', { name: 'Polygon', coin: { symbol: 'POL', decimals: 18 } }],
  ['eip155:8453', { name: 'Base', coin: ether }],
  ['eip155:42161', { name: 'Arbitrum One', coin: ether }],
  ['eip155:42220', { name: 'Celo', coin: { symbol: 'CELO', decimals: 18 } }],
  ['eip155:11155111', { name: 'Sepolia, a test network', coin: ether }],
  ['eip155:31337', { name: 'A local test network', coin: ether }],
  ['solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', { name: 'Solana', coin: sol }],
  ['solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1', { name: 'Solana Devnet, a test network', coin: sol }],
  ['cosmos:cosmoshub-4', { name: 'Cosmos Hub', coin: { symbol: 'ATOM', decimals: 6 } }],
])

/** A chain's name, by its CAIP-2 identifier. */
export const chainName = (chain: string): string | undefined => chains.get(chain)?.name

/** The coin of a CAIP-19 identifier, if it is a chain's own: by its SLIP-44 type, or by the hub's denomination. */
export const coinOf = (asset: string): Coin | undefined => {
  const [chain = '', kind = '', ...others] = asset.split('/')
  if (others.length > 0) return undefined
  const isOwn = /^slip44:\d+$/.test(kind) || (chain === 'cosmos:cosmoshub-4' && /^[a-z0-9]+:uatom$/.test(kind))
  return isOwn ? chains.get(chain)?.coin : undefined
}

/** An amount in base units as units of the coin, exactly, without zeros at its end. `undefined` for other texts. */
export const inUnits = (amount: string, { decimals }: Coin): string | undefined => {
  if (!/^\d+$/.test(amount)) return undefined
  const digits = amount.replace(/^0+(?=\d)/, '').padStart(decimals + 1, '0')
  const fraction = digits.slice(-decimals).replace(/0+$/, '')
  const whole = digits.slice(0, -decimals)
  return fraction === '' ? whole : `${whole}.${fraction}`
}
