/**
 * The arithmetic on @noble/curves, @noble/hashes and @noble/ciphers: the reference, and the browser's fallback where
 * WebAssembly may not run. Its scalars are BigInts, which are not constant time and cannot be erased.
 * domain/mpc/README.md#constant-time
 */
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { concatBytes } from '@noble/hashes/utils.js'
import type { Arithmetic } from './Arithmetic.ts'
import { equal } from '../../crypto/Equal.ts'
import { extension } from './noble/extension.ts'
import { multiplication } from './noble/multiplication.ts'
import { points } from './noble/points.ts'
import { scalars } from './noble/scalars.ts'
import { transfer } from './noble/transfer.ts'

const isSignature: Arithmetic['isSignature'] = (publicKey, digest, signature) => {
  const compact = signature.subarray(0, 64)
  const v = signature[64]
  if (signature.length !== 65 || (v !== 0 && v !== 1)) return false
  const options = { prehash: false, lowS: true }
  if (!secp256k1.verify(compact, digest, publicKey, options)) return false
  const recovered = secp256k1.recoverPublicKey(concatBytes(new Uint8Array([v]), compact), digest, options)
  return equal(recovered, publicKey)
}

export const noble: Arithmetic = { points, scalars, transfer, extension, multiplication, isSignature }
