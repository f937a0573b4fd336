/** Overwrites secrets. Copies that the engine made are out of reach. domain/crypto/README.md#what-is-erased */
export const wipe = (...secrets: readonly Uint8Array[]): void => {
  for (const secret of secrets) secret.fill(0)
}

/**
 * `length` zero bytes to hold a secret. V8 keeps arrays of up to 64 bytes in its own heap, where the collector moves
 * them and leaves copies behind; an array on a buffer of its own stays where it is.
 */
export const offHeap = (length: number): Uint8Array<ArrayBuffer> => new Uint8Array(new ArrayBuffer(length))
