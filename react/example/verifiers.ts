/** Verifies signatures without code of ours: by viem for Ethereum, by WebCrypto for Solana. */
import { base58 } from '@scure/base'
import { verifyMessage, type Address, type Hex } from 'viem'

/** A wallet by the name of its chain. */
export type Signable = { readonly name: keyof typeof verifiers; readonly id: string; readonly address: string }

/** What was signed is text as UTF-8. */
type Signed = { readonly ethereumSignature?: Hex; readonly bytes: Uint8Array }

type Verifier = {
  readonly name: string
  readonly verify: (address: string, message: string, signed: Signed) => Promise<boolean>
}

export const verifiers = {
  Ethereum: {
    name: 'viem',
    verify: async (address, message, { ethereumSignature = '0x' }) =>
      verifyMessage({ address: address as Address, message, signature: ethereumSignature }),
  },
  Solana: {
    name: 'Your browser',
    /** The address is the key (RFC 8032, in base58). */
    verify: async (address, message, { bytes }) => {
      const key = await crypto.subtle.importKey('raw', Uint8Array.from(base58.decode(address)), 'Ed25519', false, [
        'verify',
      ])
      return crypto.subtle.verify('Ed25519', key, Uint8Array.from(bytes), new TextEncoder().encode(message))
    },
  },
} as const satisfies Readonly<Record<string, Verifier>>
