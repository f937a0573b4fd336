/** A chain of EVM as its node sees it: each nonce of a sender is used once. */
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js'
import { parseTransaction, serializeTransaction, toHex, type Hex } from 'viem'
import type { Protocols } from './protocols.ts'

/** Hex: the hash of the transaction, and of what its sender signed. */
export type Taken = { readonly hash: string; readonly digest: string }

export class ToyChain {
  /** By the sender's public key in hex, and the nonce. */
  readonly #taken = new Map<string, Taken>()
  readonly #protocols: Protocols
  readonly #senders: () => Iterable<string>

  /** `senders`: hex, the public keys of those who have something to send. */
  constructor(protocols: Protocols, senders: () => Iterable<string>) {
    this.#protocols = protocols
    this.#senders = senders
  }

  /** Whether the transaction is on the chain then. Nobody else's signature has a balance. */
  take(signed: Uint8Array): boolean {
    const { r, s, yParity = 0, ...fields } = parseTransaction(toHex(signed))
    const unsigned = serializeTransaction({ ...fields, v: undefined })
    const digest = keccak_256(hexToBytes(unsigned.slice(2)))
    const signature = concatBytes(paddedOf(r), paddedOf(s), Uint8Array.of(yParity))
    const sender = [...this.#senders()].find((publicKey) =>
      this.#protocols.isSigned({ scheme: 'DKLS', publicKey: hexToBytes(publicKey) }, digest, signature),
    )
    if (sender === undefined) return false
    const hash = bytesToHex(keccak_256(signed))
    const place = `${sender} ${fields.nonce ?? 0}`
    const taken = this.#taken.get(place) ?? { hash, digest: bytesToHex(digest) }
    this.#taken.set(place, taken)
    return taken.hash === hash
  }

  /** What this sender, by its public key in hex, has on the chain of what has this digest. */
  find(sender: string, digest: string): Taken | undefined {
    for (const [place, taken] of this.#taken)
      if (place.startsWith(`${sender} `) && taken.digest === digest) return taken
    return undefined
  }
}

/** RLP leaves out zeros in front. */
const paddedOf = (number: Hex | undefined): Uint8Array => hexToBytes((number ?? '0x').slice(2).padStart(64, '0'))
