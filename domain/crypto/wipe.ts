/** Overwrites what was secret. Copies that an engine made by itself are out of reach (mpc-review 20). */
export const wipe = (...secrets: readonly Uint8Array[]): void => {
  for (const secret of secrets) secret.fill(0)
}

/**
 * Zeros for a secret. V8 keeps arrays of up to 64 bytes in its own heap, where the collector moves them and leaves
 * copies behind; one on a buffer of its own stays where it is.
 */
export const offHeap = (length: number): Uint8Array<ArrayBuffer> => new Uint8Array(new ArrayBuffer(length))
