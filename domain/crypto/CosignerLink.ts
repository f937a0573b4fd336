/**
 * What a key of the co-signer says of the one that takes its place: a link of the chain that devices walk from the key
 * that they pin (domain/crypto/README.md#rotation-of-the-co-signers-key). It needs no curve: pages verify by WebCrypto.
 */
import { equal } from './Equal.ts'
import { hash } from './Transcript.ts'

/** Keys have 65 bytes. */
export type Link = {
  /** The co-signer's. */
  readonly name: string
  readonly oldKey: Uint8Array
  readonly newKey: Uint8Array
  /** When the new key begins to sign answers, in milliseconds since 1970. */
  readonly from: number
  /** Whether another than the co-signer may have used the old key. */
  readonly isCompromised: boolean
}

/** `signature`: 64 bytes, by the old key over `linkMessage`. */
export type SignedLink = Link & { readonly signature: Uint8Array }

/** 32 bytes. */
export const linkMessage = ({ name, oldKey, newKey, from, isCompromised }: Link): Uint8Array =>
  hash('tandem/cosigner-key/v1', [name, oldKey, newKey, String(from), Uint8Array.of(isCompromised ? 1 : 0)])

/**
 * Those that say they lead on from `key`, for the co-signer of this name, and are of a later time than `after`, that of
 * the link before. The caller checks their signatures.
 */
export const leadingOn = (
  { name, key, after = -1 }: { readonly name: string; readonly key: Uint8Array; readonly after?: number | undefined },
  links: readonly SignedLink[],
): readonly SignedLink[] => links.filter((link) => link.name === name && equal(link.oldKey, key) && link.from > after)
