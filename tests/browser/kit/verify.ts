/** Signatures and transfers, judged by what shares no code with us: viem, Node's OpenSSL and the chain. */
import { createPublicKey, verify } from 'node:crypto'
import { base58, base64urlnopad } from '@scure/base'
import type { Page } from 'playwright'
import { createPublicClient, http, verifyMessage, type Address, type Hex } from 'viem'
import { expect } from 'vitest'
import type { Bare } from '../harness/host.ts'
import { chainUrl } from './visitor.ts'

export const expectEvmSignature = async (address: string, message: string, signature: Hex): Promise<void> => {
  expect(await verifyMessage({ address: address as Address, message, signature })).toBe(true)
}

export const expectSolanaSignature = (address: string, message: string, signature: Uint8Array): void => {
  const key = createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x: base64urlnopad.encode(base58.decode(address)) } })
  expect(verify(null, Buffer.from(message), key, signature)).toBe(true)
}

/** It was mined, and the chain saw this address as its sender. */
export const expectMined = async (hash: Hex, sender: string): Promise<void> => {
  const client = createPublicClient({ transport: http(chainUrl()) })
  const { status, from } = await client.getTransactionReceipt({ hash })
  expect(status).toBe('success')
  expect(from.toLowerCase()).toBe(sender.toLowerCase())
}

/** On the bare host: the signature of the wallet of this type, and its address. */
export const signOnBareHost = (page: Page, type: 'EVM' | 'SOLANA', message: string) =>
  page.evaluate(
    async ({ type, message }) => {
      const { para } = window as unknown as Bare
      const wallet = (await para.getWallets()).find((found) => found.type === type)
      if (wallet === undefined) throw new Error(`there is no wallet of type ${type}`)
      const { address, signature, ethereumSignature } = await para.signMessage({ walletId: wallet.id, message })
      return { address, signature, ethereumSignature: ethereumSignature ?? null }
    },
    { type, message },
  )
