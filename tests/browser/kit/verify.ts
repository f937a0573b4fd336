/** Signatures and transfers, judged by what shares no code with us: viem, Node's OpenSSL and the chain. */
import { createPublicKey, verify } from 'node:crypto'
import { base58, base64urlnopad } from '@scure/base'
import { createPublicClient, http, verifyMessage, type Address, type Hex } from 'viem'
import { expect } from 'vitest'
import { chainUrl } from './visitor.ts'

export const expectEvmSignature = async (address: string, message: string, signature: Hex): Promise<void> => {
  expect(await verifyMessage({ address: address as Address, message, signature })).toBe(true)
}

export const expectSolanaSignature = (address: string, message: string | Uint8Array, signature: Uint8Array): void => {
  const x = base64urlnopad.encode(base58.decode(address))
  const key = createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x } })
  expect(verify(null, typeof message === 'string' ? Buffer.from(message) : message, key, signature)).toBe(true)
}

/** It was mined, and the chain saw this address as its sender. */
export const expectMined = async (hash: Hex, sender: string): Promise<void> => {
  const client = createPublicClient({ transport: http(chainUrl()) })
  const { status, from } = await client.waitForTransactionReceipt({ hash, pollingInterval: 50, timeout: 30_000 })
  expect(status).toBe('success')
  expect(from.toLowerCase()).toBe(sender.toLowerCase())
}
