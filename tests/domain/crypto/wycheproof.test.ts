import { createPublicKey, verify, webcrypto } from 'node:crypto'
import { cbc } from '@noble/ciphers/aes.js'
import { ed25519 } from '@noble/curves/ed25519.js'
import { hkdf } from '@noble/hashes/hkdf.js'
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { base64urlnopad } from '@scure/base'
import * as Result from 'effect/Result'
import { describe, expect, it } from 'vitest'
import * as RsaKey from '../../../domain/crypto/RsaKey.ts'
import * as Wrap from '../../../domain/crypto/Wrap.ts'
import { rfc8032 } from './rfc8032.ts'
import { bytesOf, itWithVectors, wycheproof, type Vector } from './wycheproof.ts'

const empty = new Uint8Array(0)

/** What a function that throws for wrong input returns, else `undefined`. */
const attempt = <A>(compute: () => A): A | undefined => {
  try {
    return compute()
  } catch {
    return undefined
  }
}

/** An invalid vector must give nothing, a valid one exactly what it says. */
const agrees = (vector: Vector, found: Uint8Array | undefined, expected: Uint8Array) =>
  vector.result === 'valid' ? found !== undefined && Buffer.from(expected).equals(found) : found === undefined

const failuresOf = (vectors: readonly Vector[], check: (vector: Vector) => boolean) =>
  vectors.filter((vector) => !check(vector)).map((vector) => `${vector.tcId} ${vector['comment']}`)

describe('Wycheproof', () => {
  itWithVectors('Ed25519 verifies strictly, as RFC 8032 says', () => {
    for (const group of wycheproof('ed25519_test')) {
      const { pk } = group['publicKey'] as { readonly pk: string }
      const publicKey = Buffer.from(pk, 'hex')
      const failures = failuresOf(group.tests, (vector) => {
        const isValid = attempt(() =>
          ed25519.verify(bytesOf(vector, 'sig'), bytesOf(vector, 'msg'), publicKey, { zip215: false }),
        )
        return (isValid ?? false) === (vector.result === 'valid')
      })
      expect(failures).toEqual([])
    }
  })

  itWithVectors('AES-256-GCM opens the v2 envelope', () => {
    for (const group of wycheproof('aes_gcm_test')) {
      if (group['keySize'] !== 256 || group['ivSize'] !== 96 || group['tagSize'] !== 128) continue
      const failures = failuresOf(group.tests, (vector) => {
        const [key, iv, aad] = [bytesOf(vector, 'key'), bytesOf(vector, 'iv'), bytesOf(vector, 'aad')]
        const [plaintext, ct, tag] = [bytesOf(vector, 'msg'), bytesOf(vector, 'ct'), bytesOf(vector, 'tag')]
        const text = `v2.${base64urlnopad.encode(Buffer.concat([iv, ct, tag]))}`
        const opened = Wrap.open({ key, aad, text })
        const isSealed = vector.result !== 'valid' || Wrap.seal({ key, aad, plaintext, iv }) === text
        return isSealed && agrees(vector, Result.isSuccess(opened) ? opened.success : undefined, plaintext)
      })
      expect(failures).toEqual([])
    }
  })

  itWithVectors('AES-128-CBC with PKCS#7 padding', () => {
    for (const group of wycheproof('aes_cbc_pkcs5_test')) {
      const failures = failuresOf(group.tests, (vector) => {
        const cipher = () => cbc(bytesOf(vector, 'key'), bytesOf(vector, 'iv'))
        const opened = attempt(() => cipher().decrypt(bytesOf(vector, 'ct')))
        const sealed = cipher().encrypt(bytesOf(vector, 'msg'))
        const isSealed = vector.result !== 'valid' || bytesOf(vector, 'ct').equals(sealed)
        return isSealed && agrees(vector, opened, bytesOf(vector, 'msg'))
      })
      expect(failures).toEqual([])
    }
  })

  itWithVectors('HKDF-SHA-256', () => {
    for (const group of wycheproof('hkdf_sha256_test')) {
      const failures = failuresOf(group.tests, (vector) => {
        const [ikm, salt, info] = [bytesOf(vector, 'ikm'), bytesOf(vector, 'salt'), bytesOf(vector, 'info')]
        return agrees(
          vector,
          attempt(() => hkdf(sha256, ikm, salt, info, Number(vector['size']))),
          bytesOf(vector, 'okm'),
        )
      })
      expect(failures).toEqual([])
    }
  })

  itWithVectors('HMAC-SHA-256', () => {
    for (const group of wycheproof('hmac_sha256_test')) {
      const length = Number(group['tagSize']) / 8
      const failures = failuresOf(group.tests, (vector) => {
        const mac = hmac(sha256, bytesOf(vector, 'key'), bytesOf(vector, 'msg')).subarray(0, length)
        return bytesOf(vector, 'tag').equals(mac) === (vector.result === 'valid')
      })
      expect(failures).toEqual([])
    }
  })

  itWithVectors('RSA-OAEP with SHA-1 of WebCrypto, under a key that went through PKCS#1', async () => {
    for (const group of wycheproof('rsa_oaep_2048_sha1_mgf1sha1_test')) {
      const der = RsaKey.fromPkcs8(Buffer.from(String(group['privateKeyPkcs8']), 'hex'))
      expect(der).toBeDefined()
      const throughText = RsaKey.privateDer(RsaKey.privatePemHex(der ?? empty)) ?? empty
      const key = await webcrypto.subtle.importKey(
        'pkcs8',
        RsaKey.toPkcs8(throughText),
        { name: 'RSA-OAEP', hash: 'SHA-1' },
        false,
        ['decrypt'],
      )
      for (const vector of group.tests) {
        const algorithm = { name: 'RSA-OAEP', label: bytesOf(vector, 'label') }
        const opened = await webcrypto.subtle.decrypt(algorithm, key, bytesOf(vector, 'ct')).then(
          (bytes) => new Uint8Array(bytes),
          () => undefined,
        )
        expect([vector.tcId, agrees(vector, opened, bytesOf(vector, 'msg'))]).toEqual([vector.tcId, true])
      }
    }
  })
})

describe('RFC 8032', () => {
  it.each(rfc8032)('signs and verifies test $name', ({ seed, publicKey, message, signature }) => {
    const signed = ed25519.sign(Buffer.from(message, 'hex'), Buffer.from(seed, 'hex'))
    const spki = Buffer.from(`302a300506032b6570032100${publicKey}`, 'hex')
    const key = createPublicKey({ key: spki, format: 'der', type: 'spki' })

    expect(Buffer.from(signed).toString('hex')).toBe(signature)
    expect(Buffer.from(ed25519.getPublicKey(Buffer.from(seed, 'hex'))).toString('hex')).toBe(publicKey)
    expect(verify(null, Buffer.from(message, 'hex'), key, signed)).toBe(true)
  })
})
