/**
 * The provider's half of a key, sealed to the page that exports it. The page makes the recipient's key for this one
 * portal session; the device signs it with its answer to the page, and the user's fresh proof covers it. The ciphertext
 * opens for this wallet, sharing, portal session, session and user alone. domain/crypto/README.md#key-export
 */
import { base64urlnopad } from '@scure/base'
import { fromHex } from './Hex.ts'
import * as Hpke from './Hpke.ts'
import { hash, u32 } from './Transcript.ts'

/** The nonce of the page's `tandem.hello`, 32 bytes: the opener's signature covers it, and so the recipient. */
export const nonceOf = (recipientPublicKey: Uint8Array): Uint8Array =>
  hash('tandem/export-nonce/v1', [recipientPublicKey])

/** The 32-byte challenge that a passkey signs on an export page in place of the service's. */
export const challengeOf = (challenge: Uint8Array, recipientPublicKey: Uint8Array): Uint8Array =>
  hash('tandem/export-challenge/v1', [challenge, recipientPublicKey])

export type Binding = {
  readonly walletId: string
  /** 32 bytes. */
  readonly shareId: Uint8Array
  readonly epoch: number
  readonly openingId: string
  readonly sessionId: string
  readonly userId: string
  /** X_S and PK, 33 bytes each. */
  readonly serverPublic: Uint8Array
  readonly publicKey: Uint8Array
}

const bytesOf = (binding: Binding): Uint8Array =>
  hash('tandem/export/v1', [
    binding.walletId,
    binding.shareId,
    u32(binding.epoch),
    binding.openingId,
    binding.sessionId,
    binding.serverPublic,
    binding.publicKey,
    binding.userId,
  ])

const prefix = 'hpke1.'

/** `hpke1.` ‖ base64url(enc ‖ ciphertext) of `secret`, which is x_S, 32 bytes; `undefined` for a recipient's key of small order. */
export const seal = (
  binding: Binding,
  secret: Uint8Array,
  keys: Pick<Hpke.Sealing, 'recipientPublicKey' | 'ephemeralSecretKey'>,
): string | undefined => {
  const bound = bytesOf(binding)
  const sealed = Hpke.seal({ ...keys, info: bound, aad: bound, plaintext: secret })
  return sealed === undefined ? undefined : prefix + base64urlnopad.encode(sealed)
}

/** x_S, 32 bytes, or `undefined` where the text was not sealed for exactly this binding and key. */
export const open = (binding: Binding, text: string, recipientSecretKey: Uint8Array): Uint8Array | undefined => {
  const sealed = text.startsWith(prefix) ? decoded(text.slice(prefix.length)) : undefined
  if (sealed === undefined) return undefined
  const bound = bytesOf(binding)
  const secret = Hpke.open({ recipientSecretKey, info: bound, aad: bound, sealed })
  return secret?.length === 32 ? secret : undefined
}

/** The 32 bytes of a recipient's public key, which is hex on the wire. */
export const readPublicKey = (text: string): Uint8Array | undefined => fromHex(text, Hpke.keyLength)

const decoded = (text: string): Uint8Array | undefined => {
  try {
    return base64urlnopad.decode(text)
  } catch {
    return undefined
  }
}
