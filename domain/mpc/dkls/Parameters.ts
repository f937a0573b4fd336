/** Sizes and transcript tags of the two-party ECDSA. domain/mpc/README.md#parameters-of-dkls */

/** Base OTs per direction: the computational parameter κ. */
export const kappa = 128
/** Choice bits per multiplication: ξ = 256 + 2·80, so that χ is 2^-80 close to uniform (leftover hash). */
export const xi = 416
/** One multiplication's choices as bytes: ξ bits, then σ = 128 mask bits of the consistency check. */
export const choicesLength = (xi + 128) / 8
/** Columns of a multiplication: two values and one check value. */
export const width = 3

export const pointLength = 33
export const scalarLength = 32
export const keyLength = 32

/** Bytes of a base OT vector of keys, of the bits Δ, of an extension's rows and of its transpose. */
export const keysLength = kappa * keyLength
export const deltaLength = kappa / 8
export const rowsLength = kappa * choicesLength
export const columnsLength = xi * deltaLength
export const tauLength = xi * width * scalarLength

/**
 * Direction 1: C is base sender and OT extension receiver, S holds Δ. Direction 2 is the mirror image.
 * As a transcript field it is one byte.
 */
export type Direction = 1 | 2
export const directionField = (direction: Direction): Uint8Array => new Uint8Array([direction])

/** Every tag under which this protocol hashes. No other code uses them. */
export const tags = {
  sid1: 'tandem/dkls/v1/sid1',
  sid2: 'tandem/dkls/v1/sid2',
  sid3: 'tandem/dkls/v1/sid3',
  commitment: 'tandem/dkls/v1/commitment',
  nonceCommitment: 'tandem/dkls/v1/nonce-commitment',
  proof: 'tandem/dkls/v1/proof',
  transfer: 'tandem/dkls/v1/ot',
  transferOpen: 'tandem/dkls/v1/vsot-open',
  transferChallenge: 'tandem/dkls/v1/vsot-chal',
  transferSeed: 'tandem/dkls/v1/vsot-seed',
  confirmation: 'tandem/dkls/v1/conf',
  chainCode: 'tandem/dkls/v1/chain-code',
  /** Of the refresh offset ω; it is unrelated to Δ. */
  offset: 'tandem/dkls/v1/delta',
  otId: 'tandem/dkls/v1/ot-id',
  gadget: 'tandem/dkls/v1/gadget',
  rows: 'tandem/dkls/v1/prg',
  consistency: 'tandem/dkls/v1/cot-chal',
  pad: 'tandem/dkls/v1/pad',
  theta: 'tandem/dkls/v1/theta',
  mu: 'tandem/dkls/v1/mu',
} as const
