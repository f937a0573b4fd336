/**
 * The co-signer's frame key: P-256, pinned in the share text at key generation. It signs every answer, so that a proxy
 * between co-signer and client cannot make the client abort a run or lock its OT records. A repeated request gets the
 * same body; whether its signature has the same bytes depends on what signs. domain/crypto/README.md#co-signers-answers
 *
 * A key that takes the place of another is signed by that other: a link of the chain that devices walk from the key that
 * they pin. domain/crypto/README.md#rotation-of-the-co-signers-key
 */
import { p256 } from '@noble/curves/nist.js'
import { answerMessage, type SignedAnswer } from './CosignerAnswer.ts'
import { leadingOn, linkMessage, type Link, type SignedLink } from './CosignerLink.ts'
import * as DeviceKey from './DeviceKey.ts'
import { noble, type Signatures } from './Signatures.ts'

export type { SignedAnswer } from './CosignerAnswer.ts'

/** Bytes. */
export const secretKeyLength = 32

/** 65 bytes: the uncompressed point of a 32-byte secret key. */
export const publicKeyOf = (secretKey: Uint8Array): Uint8Array => p256.getPublicKey(secretKey, false)

/** 64 bytes, r ‖ s with low s. */
export const sign = (
  secretKey: Uint8Array,
  answer: SignedAnswer,
  { signP256, sha256 }: Pick<Signatures, 'signP256' | 'sha256'> = noble,
): Uint8Array => signP256(secretKey, answerMessage(answer, sha256))

/** Whether the signature of 64 bytes is by the key of 65 bytes. */
export const verify = (publicKey: Uint8Array, answer: SignedAnswer, signature: Uint8Array): boolean =>
  DeviceKey.verify(publicKey, answerMessage(answer), signature)

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
