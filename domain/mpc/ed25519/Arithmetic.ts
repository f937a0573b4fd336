/**
 * The port behind which all arithmetic of the two-party EdDSA happens. Only bytes cross it, so that a WebAssembly
 * kernel can fill it and secrets stay inside (as dkls/Arithmetic.ts).
 *
 * Points are 32 bytes (RFC 8032 §5.1.2), canonical and never the identity; scalars are 32 bytes, little-endian, below
 * the order L of the base point. "Secret" below marks what an implementation must treat in constant time, as far as its
 * platform allows; all operands of `scalars` are. `undefined`, or `false`, is the answer for an operand
 * or result outside these rules. Only `areValid` looks at a point's order: what a peer sends goes through it first.
 */

export type Arithmetic = {
  readonly points: Points
  readonly scalars: Scalars
  readonly exchange: Exchange
}

export type Points = {
  /** Whether every item is the canonical encoding of a point of order L (RFC 9591 §3.1, DeserializeElement). */
  readonly areValid: (points: Uint8Array) => boolean
  /** k_i·G for secret k_i other than 0. */
  readonly multiplyBase: (scalars: Uint8Array) => Uint8Array | undefined
  /** P_i + Q_i. */
  readonly add: (points: Uint8Array, others: Uint8Array) => Uint8Array | undefined
  /** P + k·Q for public k. */
  readonly addMultiple: (point: Uint8Array, scalar: Uint8Array, other: Uint8Array) => Uint8Array | undefined
  /** Whether z·G = R + c·X, all but z public: a signature, a share of one, a proof, or the value of a polynomial. */
  readonly holds: (equation: Equation) => boolean
}

export type Equation = {
  readonly z: Uint8Array
  readonly R: Uint8Array
  readonly c: Uint8Array
  readonly X: Uint8Array
}

export type Scalars = {
  /** Items of 64 bytes, little-endian, each modulo L: uniform bytes give uniform scalars. */
  readonly reduce: (wide: Uint8Array) => Uint8Array
  /** 48 bytes, little-endian, modulo L − 1, plus 1: a scalar that is not 0 (RFC 9380 §5 with one value left out). */
  readonly positive: (bytes: Uint8Array) => Uint8Array
  /** Whether every item is below L. Zero is. */
  readonly areCanonical: (scalars: Uint8Array) => boolean
  /** Operands that are not canonical are taken modulo L. */
  readonly add: (a: Uint8Array, b: Uint8Array) => Uint8Array
  readonly subtract: (a: Uint8Array, b: Uint8Array) => Uint8Array
  readonly multiply: (a: Uint8Array, b: Uint8Array) => Uint8Array
}

/** X25519 (RFC 7748) with a secret key: 32 bytes each. */
export type Exchange = {
  readonly publicKey: (secret: Uint8Array) => Uint8Array
  /** `undefined` when it is 0, as for a peer of small order. */
  readonly shared: (secret: Uint8Array, peer: Uint8Array) => Uint8Array | undefined
}

export const pointLength = 32
export const scalarLength = 32
