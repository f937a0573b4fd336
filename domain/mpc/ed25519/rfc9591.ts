/**
 * FROST(Ed25519, SHA-512) of RFC 9591 §6.1 over the arithmetic port: what its signing and the distributed key
 * generation around it compute. H2 has no prefix, which makes the signatures those of RFC 8032.
 */
import { sha512 } from '@noble/hashes/sha2.js'
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { equal } from '../../crypto/Equal.ts'
import { wipe } from '../../crypto/wipe.ts'
import { present } from '../Stop.ts'
import { scalarLength, type Arithmetic } from './Arithmetic.ts'

/** H1, H3, H4, H5, and the hash of the proof of knowledge, by the ends of their prefixes. */
type Use = 'rho' | 'nonce' | 'msg' | 'com' | 'dkg'

const hashFor = (use: Use, ...parts: readonly Uint8Array[]): Uint8Array => {
  const encoded = concatBytes(utf8ToBytes(`FROST-ED25519-SHA512-v1${use}`), ...parts)
  const digest = sha512(encoded)
  wipe(encoded)
  return digest
}

/** An identifier as the scalar that it is. */
export const identifierOf = (number: number): Uint8Array =>
  Uint8Array.from({ length: scalarLength }, (_, index) => (index === 0 ? number : 0))

export type Commitments = { readonly hiding: Uint8Array; readonly binding: Uint8Array }
export type SignerCommitments = Commitments & { readonly identifier: Uint8Array }

/** One pair of nonces (d, e), d ‖ e, and its commitments: H3(32 random bytes ‖ share) each (§4.1, §5.1). */
export const commit = (
  { points, scalars }: Arithmetic,
  secret: Uint8Array,
  random: () => Uint8Array,
): { readonly nonces: Uint8Array; readonly commitments: Commitments } => {
  const digests = [hashFor('nonce', random(), secret), hashFor('nonce', random(), secret)]
  const wide = concatBytes(...digests)
  const nonces = scalars.reduce(wide)
  wipe(wide, ...digests)
  const commitments = present(points.multiplyBase(nonces), 'nonces')
  return { nonces, commitments: { hiding: commitments.subarray(0, 32), binding: commitments.subarray(32) } }
}

/** What a signing is about, all of it public. */
export type Group = {
  /** R, the sum of all terms. */
  readonly commitment: Uint8Array
  /** D_i + ρ_i·E_i, and ρ_i, of each signer in the order of the list. */
  readonly terms: readonly Uint8Array[]
  readonly factors: readonly Uint8Array[]
  /** c = H2(R ‖ PK ‖ message). */
  readonly challenge: Uint8Array
}

/** §4.3 to §4.6 of checked commitments, in the order of their identifiers. */
export const groupOf = (
  arithmetic: Arithmetic,
  publicKey: Uint8Array,
  list: readonly SignerCommitments[],
  message: Uint8Array,
): Group => {
  const { points, scalars } = arithmetic
  const encoded = list.flatMap(({ identifier, hiding, binding }) => [identifier, hiding, binding])
  const prefix = concatBytes(publicKey, hashFor('msg', message), hashFor('com', ...encoded))
  const factors = list.map(({ identifier }) => scalars.reduce(hashFor('rho', prefix, identifier)))
  const terms = list.map(({ hiding, binding }, index) =>
    present(points.addMultiple(hiding, present(factors[index], 'factor'), binding), 'group commitment'),
  )
  const commitment = terms.reduce((sum, term) => present(points.add(sum, term), 'group commitment'))
  return { commitment, terms, factors, challenge: challengeOf(arithmetic, commitment, publicKey, message) }
}

const challengeOf = (
  { scalars }: Arithmetic,
  commitment: Uint8Array,
  publicKey: Uint8Array,
  message: Uint8Array,
): Uint8Array => scalars.reduce(sha512(concatBytes(commitment, publicKey, message)))

/** d + ρ·e: of a signature share, what does not depend on the key. Erases the nonces, which serve once (§5.2). */
export const nonceSum = ({ scalars }: Arithmetic, nonces: Uint8Array, factor: Uint8Array): Uint8Array => {
  const bound = scalars.multiply(factor, nonces.subarray(32))
  const sum = scalars.add(nonces.subarray(0, 32), bound)
  wipe(bound, nonces)
  return sum
}

/**
 * RFC 8032 §5.1.7 without its cofactor, and so no signature that another reading of it refuses: R and the key are of
 * prime order and canonical, as s is, and s·G = R + c·PK.
 */
export const isSignature = (
  arithmetic: Arithmetic,
  publicKey: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
): boolean => {
  if (publicKey.length !== 32 || signature.length !== 64) return false
  const R = signature.subarray(0, 32)
  const c = challengeOf(arithmetic, R, publicKey, message)
  const { points } = arithmetic
  return points.areValid(concatBytes(R, publicKey)) && points.holds({ z: signature.subarray(32), R, c, X: publicKey })
}

/** A polynomial of degree 1, constant ‖ slope, its commitments, and a proof that its constant term is known. */
export const deal = (arithmetic: Arithmetic, identifier: Uint8Array, random: () => Uint8Array) => {
  const { points, scalars } = arithmetic
  const drawn = [scalars.positive(random()), scalars.positive(random()), scalars.positive(random())]
  const all = concatBytes(...drawn)
  const polynomial = all.slice(0, 64)
  const commitments = present(points.multiplyBase(all), 'dealing')
  const [constant, slope, R] = [0, 32, 64].map((offset) => commitments.slice(offset, offset + 32))
  const committed = { constant: present(constant, 'dealing'), slope: present(slope, 'dealing') }
  const c = proofChallenge(arithmetic, identifier, committed.constant, present(R, 'dealing'))
  const keyed = scalars.multiply(polynomial.subarray(0, 32), c)
  const z = scalars.add(all.subarray(64), keyed)
  wipe(all, keyed, ...drawn)
  return { polynomial, ...committed, proof: concatBytes(present(R, 'dealing'), z) }
}

/** Whether R ‖ z proves the knowledge of a checked commitment's scalar. */
export const isProof = (
  arithmetic: Arithmetic,
  identifier: Uint8Array,
  constant: Uint8Array,
  proof: Uint8Array,
): boolean => {
  const R = proof.subarray(0, 32)
  const c = proofChallenge(arithmetic, identifier, constant, R)
  const { points } = arithmetic
  return points.areValid(R) && points.holds({ z: proof.subarray(32), R, c, X: constant })
}

const proofChallenge = (
  { scalars }: Arithmetic,
  identifier: Uint8Array,
  constant: Uint8Array,
  R: Uint8Array,
): Uint8Array => scalars.reduce(hashFor('dkg', identifier, constant, R))

/** The polynomial's value at a place. */
export const valueAt = ({ scalars }: Arithmetic, polynomial: Uint8Array, identifier: Uint8Array): Uint8Array => {
  const term = scalars.multiply(polynomial.subarray(32), identifier)
  const value = scalars.add(polynomial.subarray(0, 32), term)
  wipe(term)
  return value
}

/** Whether a value fits the commitments of its polynomial (RFC 9591 appendix C.2). Zero is no share. */
export const isValueAt = (
  { points }: Arithmetic,
  value: Uint8Array,
  commitments: { readonly constant: Uint8Array; readonly slope: Uint8Array },
  identifier: Uint8Array,
): boolean =>
  !equal(value, new Uint8Array(scalarLength)) &&
  points.holds({ z: value, R: commitments.constant, c: identifier, X: commitments.slope })
