/**
 * The port behind which all arithmetic of the two-party ECDSA happens. Only bytes cross it and its operations are
 * coarse, so that a WebAssembly kernel can fill it without a change to any protocol file, and so that secrets stay
 * inside.
 *
 * Points are 33 bytes, SEC1 compressed, and never the identity; scalars are 32 bytes, big-endian, below the group
 * order; vectors are such items one after another. "Secret" below marks what an implementation must treat in constant
 * time, as far as its platform allows (domain/mpc/README.md#constant-time). `undefined` is the answer for an operand or
 * result outside these rules (an invalid point, a zero or non-canonical scalar, the identity) and, where a docblock
 * says so, for a failed check.
 */
import type { Direction } from './Parameters.ts'

export type Arithmetic = {
  readonly points: Points
  readonly scalars: Scalars
  readonly transfer: Transfer
  readonly extension: Extension
  readonly multiplication: Multiplication
  /**
   * Whether r ‖ s ‖ v is a signature of `digest` (32 bytes below the group order) under the key: r and s canonical and
   * not 0, s at most half the order, v 0 or 1, and recovery gives the key. Everything here is public.
   */
  readonly isSignature: (publicKey: Uint8Array, digest: Uint8Array, signature: Uint8Array) => boolean
}

export type Points = {
  /** Whether every item is the canonical encoding of a point on the curve. */
  readonly areValid: (points: Uint8Array) => boolean
  /** k_i·G for secret k_i. */
  readonly multiplyBase: (scalars: Uint8Array) => Uint8Array | undefined
  /** k·P_i for secret k. */
  readonly multiply: (scalar: Uint8Array, points: Uint8Array) => Uint8Array | undefined
  /** P_i + Q_i. */
  readonly add: (points: Uint8Array, others: Uint8Array) => Uint8Array | undefined
}

export type Scalars = {
  /** Items of 64 bytes, each reduced: uniform bytes give uniform scalars. */
  readonly reduce: (wide: Uint8Array) => Uint8Array
  /** Whether every item is below the group order. Zero is. */
  readonly areCanonical: (scalars: Uint8Array) => boolean
  readonly add: (a: Uint8Array, b: Uint8Array) => Uint8Array
  readonly subtract: (a: Uint8Array, b: Uint8Array) => Uint8Array
  readonly multiply: (a: Uint8Array, b: Uint8Array) => Uint8Array
  /** Of a public scalar. */
  readonly invert: (scalar: Uint8Array) => Uint8Array | undefined
  /** Whether a public scalar is above half the group order. */
  readonly isHigh: (scalar: Uint8Array) => boolean
}

/** The group operations of the base OTs, κ at a time; bit i of `choices` is bit i mod 8 of byte i div 8. */
export type Transfer = {
  /** B_i = b_i·G + Δ_i·A by masked select, and K_i = b_i·A. `blinds` and `choices` are secret. */
  readonly choose: (input: {
    readonly base: Uint8Array
    readonly blinds: Uint8Array
    readonly choices: Uint8Array
  }) => { readonly points: Uint8Array; readonly keys: Uint8Array } | undefined
  /** a·B_i and a·(B_i − A), for secret a. `undefined` too when some B_i = A. */
  readonly keys: (input: {
    readonly secret: Uint8Array
    readonly base: Uint8Array
    readonly points: Uint8Array
  }) => { readonly zero: Uint8Array; readonly one: Uint8Array } | undefined
}

/** The correlated OT extension of one direction under one session id. domain/mpc/README.md#extension */
export type Extension = {
  /** The receiver's message, and its rows t transposed to ξ columns of 16 bytes. */
  readonly receive: (input: {
    readonly session: Uint8Array
    readonly direction: Direction
    readonly zeroSeeds: Uint8Array
    readonly oneSeeds: Uint8Array
    readonly choices: Uint8Array
  }) => ExtensionMessage & { readonly columns: Uint8Array }
  /** The receiver's columns alone, again. */
  readonly columns: (input: {
    readonly session: Uint8Array
    readonly direction: Direction
    readonly zeroSeeds: Uint8Array
  }) => Uint8Array
  /** The sender's columns, or `undefined` when the consistency check fails in any row. Δ and the seeds are secret. */
  readonly send: (input: {
    readonly session: Uint8Array
    readonly direction: Direction
    readonly seeds: Uint8Array
    readonly delta: Uint8Array
    readonly message: ExtensionMessage
  }) => Uint8Array | undefined
}

export type ExtensionMessage = {
  /** κ rows of 68 bytes. */
  readonly matrix: Uint8Array
  /** Hash of the choices: 16 bytes. */
  readonly choiceHash: Uint8Array
  /** Hash of each row t_i: κ times 16 bytes. */
  readonly rowHashes: Uint8Array
}

/** Random vector OLE over one extension: c_k + d_k = a_k·χ for k = 0, 1. domain/mpc/README.md#multiplication */
export type Multiplication = {
  /** The public gadget vector g_0 … g_{ξ−1} of a direction. */
  readonly gadget: (seed: Uint8Array, direction: Direction) => Uint8Array
  /** χ = Σ g_j·x_j for secret choices x. */
  readonly choice: (gadget: Uint8Array, choices: Uint8Array) => Uint8Array
  /** Alice's message for secret inputs a_0 ‖ a_1 and check value â, and her outputs c_0 ‖ c_1. */
  readonly send: (input: {
    readonly session: Uint8Array
    readonly direction: Direction
    readonly gadget: Uint8Array
    readonly columns: Uint8Array
    readonly delta: Uint8Array
    readonly inputs: Uint8Array
    readonly check: Uint8Array
  }) => MultiplicationMessage & { readonly outputs: Uint8Array }
  /** Bob's outputs d_0 ‖ d_1, or `undefined` when μ does not match. `tau` and `eta` are canonical scalars. */
  readonly receive: (input: {
    readonly session: Uint8Array
    readonly direction: Direction
    readonly gadget: Uint8Array
    readonly columns: Uint8Array
    readonly choices: Uint8Array
    readonly message: MultiplicationMessage
  }) => Uint8Array | undefined
}

export type MultiplicationMessage = {
  /** ξ × 3 scalars, row after row. */
  readonly tau: Uint8Array
  readonly eta: Uint8Array
  readonly mu: Uint8Array
}
