/**
 * Proof of knowledge of a share (Schnorr, Fiat-Shamir), bound to its purpose, the prover's role and a session or
 * transcript: c = H_scalar("proof", purpose, session, X, R), z = k + c·x, and z·G = R + c·X.
 */
import { concatBytes } from '@noble/hashes/utils.js'
import { expand } from '../../crypto/expand.ts'
import { wipe } from '../../crypto/wipe.ts'
import { demand, present } from '../Stop.ts'
import type { Arithmetic } from './Arithmetic.ts'
import { tags } from './Frost.ts'

export type Statement = {
  /** What is proven: the key share, or the share over the whole run. */
  readonly purpose: 'share/C' | 'share/S' | 'conf/C' | 'conf/S'
  readonly session: Uint8Array
  readonly point: Uint8Array
}

export const proofLength = 64

/** R ‖ z. `nonce`: 64 random bytes, fresh for this statement and then overwritten. */
export const prove = (
  arithmetic: Arithmetic,
  statement: Statement,
  secret: Uint8Array,
  nonce: Uint8Array,
): Uint8Array => {
  const { points, scalars } = arithmetic
  const k = scalars.reduce(nonce)
  const R = present(points.multiplyBase(k), 'degenerate nonce')
  const keyed = scalars.multiply(challenge(arithmetic, statement, R), secret)
  const z = scalars.add(k, keyed)
  wipe(k, keyed, nonce)
  return concatBytes(R, z)
}

export const verify = (arithmetic: Arithmetic, statement: Statement, proof: Uint8Array): void => {
  const { points } = arithmetic
  const X = statement.point
  const R = proof.subarray(0, 32)
  const z = proof.subarray(32)
  const c = challenge(arithmetic, statement, R)
  demand(points.areValid(concatBytes(R, X)) && points.holds({ z, R, c, X }), `proof ${statement.purpose}`)
}

const challenge = ({ scalars }: Arithmetic, { purpose, session, point }: Statement, R: Uint8Array): Uint8Array =>
  scalars.reduce(expand(tags.proof, [purpose, session, point, R], 64))
