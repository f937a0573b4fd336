/**
 * Proof of knowledge of a share (Schnorr, Fiat-Shamir), bound to its purpose, the prover's role and a session or
 * transcript: c = H(purpose, session, X, R), z = k + c·x, and z·G = R + c·X (mpc-review 4).
 */
import { concatBytes } from '@noble/hashes/utils.js'
import { expand } from '../../crypto/Transcript.ts'
import { demand } from '../Stop.ts'
import { Fn, orAbort, Point, readPoint, reduce, tags } from './Frost.ts'

export type Statement = {
  /** What is proven: the key share, or the share over the whole run. */
  readonly purpose: 'share/C' | 'share/S' | 'conf/C' | 'conf/S'
  readonly session: Uint8Array
  readonly point: Uint8Array
}

export const proofLength = 64

/** R ‖ z. `nonce`: 64 random bytes, fresh for this statement. */
export const prove = (statement: Statement, secret: Uint8Array, nonce: Uint8Array): Uint8Array => {
  const k = reduce(nonce)
  const R = orAbort('degenerate nonce', () => Point.BASE.multiply(k)).toBytes()
  const z = Fn.add(k, Fn.mul(challenge(statement, R), Fn.fromBytes(secret)))
  return concatBytes(R, Fn.toBytes(z))
}

export const verify = (statement: Statement, proof: Uint8Array): void => {
  const reason = `proof ${statement.purpose}`
  const R = proof.subarray(0, 32)
  const X = readPoint(statement.point, reason)
  const left = orAbort(reason, () => Point.BASE.multiplyUnsafe(Fn.fromBytes(proof.subarray(32))))
  demand(left.equals(readPoint(R, reason).add(X.multiplyUnsafe(challenge(statement, R)))), reason)
}

const challenge = ({ purpose, session, point }: Statement, R: Uint8Array): bigint =>
  reduce(expand(tags.proof, [purpose, session, point, R], 64))
