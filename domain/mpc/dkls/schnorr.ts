/**
 * Proof of knowledge of a discrete logarithm (Schnorr, Fiat-Shamir), bound to its purpose, the prover's role and a
 * session or transcript: c = H_scalar("proof", purpose, session, X, R), z = k + c·x, and z·G = R + c·X.
 */
import { concatBytes } from '@noble/hashes/utils.js'
import { equal } from '../../crypto/Equal.ts'
import { wipe } from '../../crypto/wipe.ts'
import { demand, present } from '../Stop.ts'
import type { Arithmetic } from './Arithmetic.ts'
import { pointLength, scalarLength, tags } from './Parameters.ts'
import { hashToScalar } from './Session.ts'

/** What is proven, and by which party: the key share, the base of the base OTs, or the share over the whole run. */
export type Purpose = 'share/C' | 'share/S' | 'base/C' | 'base/S' | 'conf/C' | 'conf/S'

export const proofLength = pointLength + scalarLength

/** R ‖ z. `nonce` is 64 random bytes, fresh for this statement and then overwritten. */
export const prove = (
  arithmetic: Arithmetic,
  statement: { readonly purpose: Purpose; readonly session: Uint8Array; readonly point: Uint8Array },
  secret: Uint8Array,
  nonce: Uint8Array,
): Uint8Array => {
  const { scalars, points } = arithmetic
  const k = scalars.reduce(nonce)
  const R = present(points.multiplyBase(k), 'degenerate nonce')
  const c = hashToScalar(arithmetic, tags.proof, [statement.purpose, statement.session, statement.point, R])
  const keyed = scalars.multiply(c, secret)
  const z = scalars.add(k, keyed)
  wipe(k, keyed, nonce)
  return concatBytes(R, z)
}

/** Aborts unless the proof holds. The caller has validated the statement's point. */
export const verify = (
  arithmetic: Arithmetic,
  statement: { readonly purpose: Purpose; readonly session: Uint8Array; readonly point: Uint8Array },
  proof: Uint8Array,
): void => {
  const { scalars, points } = arithmetic
  const reason = `proof ${statement.purpose}`
  const R = proof.subarray(0, pointLength)
  const z = proof.subarray(pointLength)
  demand(points.areValid(R) && scalars.areCanonical(z), reason)
  const c = hashToScalar(arithmetic, tags.proof, [statement.purpose, statement.session, statement.point, R])
  const left = present(points.multiplyBase(z), reason)
  const right = present(points.add(R, present(points.multiply(c, statement.point), reason)), reason)
  demand(equal(left, right), reason)
}
