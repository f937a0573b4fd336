/**
 * The header by which a request names the session's device key and is signed by it, as a client makes it. Every page loads
 * this, so how it is checked stands in DeviceKey.ts. domain/crypto/README.md#device-keys
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { hash } from './Transcript.ts'

/** `keyThumb`, 32 bytes: names the key in headers and frames. `publicKey` is 65 bytes. */
export const thumbprint = (publicKey: Uint8Array): Uint8Array => hash('tandem/device-key/v1', [publicKey])

/** A request that the device key signs. */
export type SignedRequest = {
  readonly method: string
  /** Path and, if there is one, `?` and the query, as they stand in the request line. */
  readonly target: string
  /** Milliseconds since 1970. */
  readonly ms: number
  readonly sessionId: string
  readonly body: Uint8Array
}

/** What the device key signs: 32 bytes. */
export const requestMessage = (request: SignedRequest): Uint8Array =>
  hash('tandem/request/v1', [
    request.method.toUpperCase(),
    request.target,
    String(request.ms),
    request.sessionId,
    sha256(request.body),
  ])

/**
 * The header `x-tandem-device`: hex of the thumbprint of 32 bytes, milliseconds since 1970, hex of the signature of 64
 * bytes, joined by dots.
 */
export type DeviceHeader = {
  readonly keyThumb: Uint8Array
  readonly ms: number
  readonly signature: Uint8Array
}

export const formatHeader = (header: DeviceHeader): string =>
  `${bytesToHex(header.keyThumb)}.${header.ms}.${bytesToHex(header.signature)}`
