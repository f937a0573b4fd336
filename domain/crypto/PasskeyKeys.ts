/**
 * What a passkey wraps with (flows 4.6, 4.7): the PRF output where the authenticator has one, else the user handle,
 * which is made in the portal and never sent to the service.
 */
import { hkdf } from '@noble/hashes/hkdf.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { wrappingKeys, type WrappingKeys } from './CredentialWrap.ts'

/** `prf.eval.first`: a constant, so that a login without a known identity needs one gesture only. */
export const prfInput: Uint8Array = sha256(utf8ToBytes('tandem/passkey-prf/v1'))

/** Of a PRF output and of a user handle. */
export const secretLength = 32

/** `prf` from the PRF output, `handle` from the user handle; the second counts as weak in the recovery score. */
export type PasskeyVariant = 'prf' | 'handle'

/** `secret` is the 32-byte PRF output or user handle, by variant. */
export const passkeyWrappingKeys = (variant: PasskeyVariant, secret: Uint8Array, passkeyId: string): WrappingKeys => {
  if (secret.length !== secretLength) throw new RangeError('PRF output and user handle have 32 bytes')
  const family = `tandem/passkey/${variant}/v1`
  return wrappingKeys(hkdf(sha256, secret, utf8ToBytes(passkeyId), utf8ToBytes(`${family}/kek`), 32), passkeyId, family)
}
