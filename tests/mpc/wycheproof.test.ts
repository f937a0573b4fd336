/** Foreign vectors through the arithmetic port: signatures and the decoding of points. */
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { bytesToNumberBE, numberToBytesBE } from '@noble/curves/utils.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js'
import { describe, expect } from 'vitest'
import type { Arithmetic } from '../../domain/mpc/dkls/Arithmetic.ts'
import { bytesOf, itWithVectors, wycheproof, type Group, type Vector } from '../domain/crypto/wycheproof.ts'
import { arithmetics } from './kernel.ts'

const n = secp256k1.Point.Fn.ORDER

/** The 33 bytes of a point that is given as 65. */
const compressed = (uncompressed: Uint8Array): Uint8Array =>
  concatBytes(new Uint8Array([2 + ((uncompressed[64] ?? 0) & 1)]), uncompressed.subarray(1, 33))

const keyOf = (group: Group): Uint8Array => {
  const { uncompressed } = group['publicKey'] as { readonly uncompressed: string }
  return compressed(hexToBytes(uncompressed))
}

/** Our signatures carry v; a foreign one counts as valid if it verifies with either v. */
const validity =
  ({ scalars, isSignature }: Arithmetic) =>
  (key: Uint8Array, message: Uint8Array, compact: Uint8Array): boolean => {
    const digest = scalars.reduce(concatBytes(new Uint8Array(32), sha256(message)))
    const accepts = (v: number) => isSignature(key, digest, concatBytes(compact, new Uint8Array([v])))
    return accepts(0) || accepts(1)
  }

/**
 * A nonce point whose x is not below the order: ECDSA accepts it, we do not, because its v is neither 0 nor 1. Such
 * signatures occur only in crafted vectors.
 */
const largeX = ['k*G has a large x-coordinate', 'r = 2, x = n + 2 is the smallest possible x with a reduction']
const hasLargeX = (vector: Vector): boolean => vector.result === 'valid' && largeX.includes(String(vector['comment']))

describe.each(arithmetics)('wycheproof: ECDSA on secp256k1 with SHA-256, by %s', (_, arithmetic) => {
  const isValid = validity(arithmetic)

  itWithVectors('in IEEE P1363 form, where we also demand a low s', () => {
    const groups = wycheproof('ecdsa_secp256k1_sha256_p1363_test')
    let checked = 0
    for (const group of groups) {
      for (const vector of group.tests) {
        const signature = bytesOf(vector, 'sig')
        const high = signature.length === 64 && bytesToNumberBE(signature.subarray(32)) > n >> 1n
        const expected = vector.result === 'valid' && !high && !hasLargeX(vector)
        const found = signature.length === 64 && isValid(keyOf(group), bytesOf(vector, 'msg'), signature)
        expect([vector.tcId, found]).toEqual([vector.tcId, expected])
        if (vector.result === 'valid' && high && !hasLargeX(vector)) {
          const low = numberToBytesBE(n - bytesToNumberBE(signature.subarray(32)), 32)
          const turned = concatBytes(signature.subarray(0, 32), low)
          expect([vector.tcId, isValid(keyOf(group), bytesOf(vector, 'msg'), turned)]).toEqual([vector.tcId, true])
        }
        checked++
      }
    }
    expect(checked).toBe(252)
  })

  itWithVectors("in Bitcoin's form, low s included", () => {
    const groups = wycheproof('ecdsa_secp256k1_sha256_bitcoin_test')
    const compactOf = (der: Uint8Array): Uint8Array | undefined => {
      try {
        return secp256k1.Signature.fromBytes(der, 'der').toBytes('compact')
      } catch {
        return undefined
      }
    }
    let checked = 0
    for (const group of groups) {
      for (const vector of group.tests) {
        const compact = compactOf(bytesOf(vector, 'sig'))
        const found = compact !== undefined && isValid(keyOf(group), bytesOf(vector, 'msg'), compact)
        const expected = vector.result === 'valid' && !hasLargeX(vector)
        expect([vector.tcId, found]).toEqual([vector.tcId, expected])
        checked++
      }
    }
    expect(checked).toBe(463)
  })
})

describe.each(arithmetics)('wycheproof: ECDH on secp256k1, by %s', (_, { points }) => {
  itWithVectors('points are decoded and multiplied as the vectors say, and those off the curve are refused', () => {
    const uncompressedHead = '3056301006072a8648ce3d020106052b8104000a034200'
    const compressedHead = '3036301006072a8648ce3d020106052b8104000a032200'
    const groups = wycheproof('ecdh_secp256k1_test')
    const counts = { multiplied: 0, refused: 0 }
    for (const vector of groups.flatMap((group) => group.tests)) {
      const der = bytesToHex(bytesOf(vector, 'public'))
      const head = [uncompressedHead, compressedHead].find((prefix) => der.startsWith(prefix))
      if (head === undefined) continue
      const bytes = hexToBytes(der.slice(head.length))
      const point = head === uncompressedHead && bytes.length === 65 && bytes[0] === 4 ? compressed(bytes) : bytes
      if (vector.result === 'invalid') {
        // Compression loses y: a false y with a true x is another, valid point and not what the vector is about.
        const truePoint = point.length === 33 && points.areValid(point)
        if (truePoint && head === uncompressedHead) continue
        expect([vector.tcId, points.areValid(point)]).toEqual([vector.tcId, false])
        counts.refused++
      } else if (point.length === 33) {
        const secret = numberToBytesBE(bytesToNumberBE(bytesOf(vector, 'private')), 32)
        const shared = points.multiply(secret, point)
        expect([vector.tcId, bytesToHex(shared?.subarray(1) ?? point)]).toEqual([vector.tcId, vector['shared']])
        counts.multiplied++
      }
    }
    expect(counts).toEqual({ multiplied: 475, refused: 16 })
  })
})
