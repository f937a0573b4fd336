/** `@noble/curves/ed25519.js` but for its signatures, whose public keys are no points. */
import { hash } from 'node:crypto'
import { ed25519 as noble } from '@noble/curves/ed25519.js'
import { signing } from './signing.ts'

export * from '@noble/curves/ed25519.js'

const publicKeyOf = (secretKey: Uint8Array) => Uint8Array.from(hash('sha256', secretKey, 'buffer'))

export const ed25519 = { ...noble, ...signing('ed25519', publicKeyOf) }
