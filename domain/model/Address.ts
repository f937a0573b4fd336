/** Addresses: how each wallet type derives one from its public key, what a valid one looks like, how one is shown. */
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { ripemd160 } from '@noble/hashes/legacy.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { base58, bech32 } from '@scure/base'
import { checksum } from './EvmAddress.ts'
import { defaultCosmosPrefix, truncatedSideLength } from './Limits.ts'
import type { WalletType } from './WalletTypes.ts'

export { isCosmosPrefix } from './CosmosPrefix.ts'
export { checksum, isEvm } from './EvmAddress.ts'

/** The address of a public key: a SEC1 point for EVM and Cosmos, 32 bytes for Solana. Throws for anything else. */
export const fromPublicKey = (
  type: WalletType,
  publicKey: Uint8Array,
  cosmosPrefix: string = defaultCosmosPrefix,
): string => {
  switch (type) {
    case 'EVM':
      return evm(publicKey)
    case 'SOLANA':
      return solana(publicKey)
    case 'COSMOS':
      return cosmos(publicKey, cosmosPrefix)
  }
}

/** The last 20 bytes of the Keccak-256 hash of x ‖ y, in checksum case. */
export const evm = (publicKey: Uint8Array): `0x${string}` =>
  checksum(bytesToHex(keccak_256(uncompressed(publicKey).slice(1)).slice(-20)))

/** The key itself in base58. */
export const solana = (publicKey: Uint8Array): string => {
  if (publicKey.length !== 32) throw new RangeError('an Ed25519 public key has 32 bytes')
  return base58.encode(publicKey)
}

/** bech32(prefix, RIPEMD-160(SHA-256(compressed key))). */
export const cosmos = (publicKey: Uint8Array, prefix: string = defaultCosmosPrefix): string =>
  bech32.encode(prefix, bech32.toWords(ripemd160(sha256(compressed(publicKey)))))

/** Whether the text is 32 bytes in base58. */
export const isSolana = (address: string): boolean => {
  try {
    return base58.decode(address).length === 32
  } catch {
    return false
  }
}

/**
 * An address with 4 characters on each side of an ellipsis. `0x`, or the bech32 prefix with its 1, is kept in front of
 * them and not counted: every address of the kind begins with it. Pages show addresses whole; the public client's
 * `truncateEthAddress` for apps is not built yet.
 * @notBuilt
 */
export const truncate = (address: string, sideLength: number = truncatedSideLength): string => {
  const [lead = ''] = /^(0x|[a-z]+1(?=[02-9ac-hj-np-z]{38}$))/.exec(address) ?? []
  const body = address.slice(lead.length)
  if (body.length <= 2 * sideLength) return address
  return `${lead}${body.slice(0, sideLength)}...${body.slice(body.length - sideLength)}`
}

/** The 65 bytes 04 ‖ x ‖ y of a SEC1 point in either form. Throws when it is not on the curve. */
const uncompressed = (publicKey: Uint8Array): Uint8Array => secp256k1.Point.fromBytes(publicKey).toBytes(false)

/** The 33 bytes of a SEC1 point in either form. Throws when it is not on the curve. */
const compressed = (publicKey: Uint8Array): Uint8Array => secp256k1.Point.fromBytes(publicKey).toBytes(true)
