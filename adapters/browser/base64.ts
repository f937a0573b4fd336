/** Base64 by the platform's own functions (RFC 4648 §4): the library's alphabets weigh more than a page's core may. */

export const toBase64 = (bytes: Uint8Array): string => {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text)
}

/** Throws for a text that is not base64. */
export const fromBase64 = (text: string): Uint8Array =>
  Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
