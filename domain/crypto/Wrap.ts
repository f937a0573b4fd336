/**
 * The envelope under symmetric keys, version 2: `v2.` ‖ base64url(IV 12 ‖ AES-256-GCM ‖ tag 16). Its associated data
 * names what it belongs to; it opens with no other. domain/crypto/README.md#envelopes
 */
import { gcm } from '@noble/ciphers/aes.js'
import { concatBytes } from '@noble/hashes/utils.js'
import { base64urlnopad } from '@scure/base'
import * as Data from 'effect/Data'
import * as Result from 'effect/Result'

export const prefix = 'v2.'
const keyLength = 32
/** Bytes. */
export const ivLength = 12
const tagLength = 16

/** `key` is 32 bytes, `iv` 12 fresh random ones: an IV is used once with a key. */
export const seal = (wrap: {
  readonly key: Uint8Array
  readonly aad: Uint8Array
  readonly plaintext: Uint8Array
  readonly iv: Uint8Array
}): string => {
  if (wrap.key.length !== keyLength || wrap.iv.length !== ivLength) {
    throw new RangeError('AES-256-GCM: key 32, IV 12 bytes')
  }
  return prefix + base64urlnopad.encode(concatBytes(wrap.iv, gcm(wrap.key, wrap.iv, wrap.aad).encrypt(wrap.plaintext)))
}

/** The plaintext of a text `v2.…` under a key of 32 bytes. Every failure is the same `SealBroken`. */
export const open = (wrap: {
  readonly key: Uint8Array
  readonly aad: Uint8Array
  readonly text: string
}): Result.Result<Uint8Array, SealBroken> => {
  const broken = Result.fail(new SealBroken({ envelope: 'v2' }))
  if (wrap.key.length !== keyLength || !wrap.text.startsWith(prefix)) return broken
  try {
    const bytes = base64urlnopad.decode(wrap.text.slice(prefix.length))
    if (bytes.length < ivLength + tagLength) return broken
    const iv = bytes.subarray(0, ivLength)
    return Result.succeed(gcm(wrap.key, iv, wrap.aad).decrypt(bytes.subarray(ivLength)))
  } catch {
    return broken
  }
}

/** An envelope that does not open: another key, other associated data, or changed bytes. Which of them is not said. */
export class SealBroken extends Data.TaggedError('SealBroken')<{
  readonly envelope: 'v2' | 'ecies' | 'hybrid'
}> {}
