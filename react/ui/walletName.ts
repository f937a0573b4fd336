/** A wallet type's everyday name. */
export const walletName = (type: string): string =>
  type === 'SOLANA' ? 'Solana' : type === 'COSMOS' ? 'Cosmos' : type === 'EVM' ? 'Ethereum' : type
