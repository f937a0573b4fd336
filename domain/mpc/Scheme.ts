/** The protocols of this folder. */
export type Scheme = 'DKLS' | 'ED25519'

/** The protocol of a wallet's scheme. The wire also knows CGGMP, for which there is no protocol: no wallet is made with it. */
export const protocolOf = (scheme: Scheme | 'CGGMP'): Scheme => (scheme === 'ED25519' ? 'ED25519' : 'DKLS')
