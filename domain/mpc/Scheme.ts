/** CGGMP is a scheme of the product too, but has no protocol here yet (design 8.26). */
export type Scheme = 'DKLS' | 'ED25519'
