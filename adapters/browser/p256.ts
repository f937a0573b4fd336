const ecdsa = { name: 'ECDSA', namedCurve: 'P-256' }

/**
 * Signatures of P-256 checked by WebCrypto, with the verdict that noble has on the same bytes (domain/crypto/Signatures.ts): a
 * page then needs no curve of its own. False where the platform cannot check. The import refuses a key that is not on the curve.
 */
export const verifyP256 = async (
  publicKey: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
): Promise<boolean> => {
  if (publicKey.length !== 65 || publicKey[0] !== 4 || signature.length !== 64) return false
  const [point, bytes, signed] = [Uint8Array.from(publicKey), Uint8Array.from(message), Uint8Array.from(signature)]
  try {
    const key = await crypto.subtle.importKey('raw', point, ecdsa, false, ['verify'])
    return await crypto.subtle.verify({ name: 'ECDSA', hash: 'SHA-256' }, key, signed, bytes)
  } catch {
    return false
  }
}
