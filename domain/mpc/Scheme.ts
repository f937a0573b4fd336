/** The wire also knows CGGMP, for which there is no protocol here. */
export type Scheme = 'DKLS' | 'ED25519'
