/**
 * The co-signer's frame key: P-256, pinned in the share text at key generation. It signs every answer, so that a proxy
 * between co-signer and client cannot make the client abort a run or lock its OT records. A repeated request gets the
 * same body; whether its signature has the same bytes depends on what signs. domain/crypto/README.md#co-signers-answers
 *
 * A key that takes the place of another is signed by that other: a link of the chain that devices walk from the key that
 * they pin. domain/crypto/README.md#rotation-of-the-co-signers-key
 */
import { p256 } from '@noble/curves/nist.js'
import { leadingOn, linkMessage, type Link, type SignedLink } from './CosignerLink.ts'
import * as DeviceKey from './DeviceKey.ts'
import { noble } from './Signatures.ts'

/** Bytes. */
export const secretKeyLength = 32

/** 65 bytes: the uncompressed point of a 32-byte secret key. */
export const publicKeyOf = (secretKey: Uint8Array): Uint8Array => p256.getPublicKey(secretKey, false)

/** The old key signs the link. */
export const signLink = (oldSecretKey: Uint8Array, link: Link): SignedLink => ({
  ...link,
  signature: noble.signP256(oldSecretKey, linkMessage(link)),
})

/** The links that lead on from `pinned`, each signed by the key before it; what follows no such chain is left out. */
export const walk = (name: string, pinned: Uint8Array, links: readonly SignedLink[]): readonly SignedLink[] => {
  const walked: SignedLink[] = []
  for (;;) {
    const last = walked.at(-1)
    const key = last?.newKey ?? pinned
    const next = leadingOn({ name, key, after: last?.from }, links).find((link) =>
      DeviceKey.verify(key, linkMessage(link), link.signature),
    )
    if (next === undefined) return walked
    walked.push(next)
  }
}
