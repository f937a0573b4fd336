/** A chain of Solana or Cosmos by its CAIP-2 identifier, for example `solana:mainnet` or `cosmos:cosmoshub-4`. */
export type NamedChain = { readonly type: 'SOLANA' | 'COSMOS'; readonly reference: string }

/** `undefined` for what names no such chain. */
export const chainOf = (chainId: string): NamedChain | undefined => {
  const [, namespace, reference = ''] = /^(solana|cosmos):([-_a-zA-Z0-9]{1,32})$/.exec(chainId) ?? []
  if (namespace === undefined) return undefined
  return { type: namespace === 'solana' ? 'SOLANA' : 'COSMOS', reference }
}
