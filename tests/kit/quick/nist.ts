/** `@noble/curves/nist.js` for uncompressed keys: of its keys only some are made, again and again. */
import { p256 as noble } from '@noble/curves/nist.js'
import { signing } from './signing.ts'

const toy = signing('p256', (secretKey) => noble.getPublicKey(secretKey, false))
const secretKeys = Array.from({ length: 256 }, () => noble.utils.randomSecretKey())
let made = 0

export const p256 = {
  ...noble,
  ...toy,
  utils: {
    ...noble.utils,
    randomSecretKey: (): Uint8Array => secretKeys[made++ % secretKeys.length] ?? noble.utils.randomSecretKey(),
    isValidPublicKey: (publicKey: Uint8Array): boolean => publicKey.length === 65 && publicKey[0] === 4,
  },
}
