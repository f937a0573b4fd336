/**
 * The keys that a passkey wraps with: from the PRF output where the authenticator has a PRF, else from the user handle,
 * which the portal's page makes and never sends to the service. domain/crypto/README.md#passkey-keys
 */
import { hkdf } from '@noble/hashes/hkdf.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { wrappingKeys, type WrappingKeys } from './CredentialWrap.ts'

/** `prf.eval.first`, 32 bytes: a constant, so that a login without a known identity needs one gesture only. */
export const prfInput: Uint8Array = sha256(utf8ToBytes('tandem/passkey-prf/v1'))

/** Bytes of a PRF output and of a user handle. */
export const secretLength = 32

/** `prf` from the PRF output, `handle` from the user handle; the second counts as weak. */
export type PasskeyVariant = 'prf' | 'handle'

/** `secret` is the PRF output or the user handle, 32 bytes, by variant. */
export const passkeyWrappingKeys = (variant: PasskeyVariant, secret: Uint8Array, passkeyId: string): WrappingKeys => {
  if (secret.length !== secretLength) throw new RangeError('PRF output and user handle have 32 bytes')
  const family = `tandem/passkey/${variant}/v1`
  return wrappingKeys(hkdf(sha256, secret, utf8ToBytes(passkeyId), utf8ToBytes(`${family}/kek`), 32), passkeyId, family)
}
