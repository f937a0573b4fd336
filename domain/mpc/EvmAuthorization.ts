/** What is signed for an authorization of EIP-7702: an account lets the code at an address act for it. */
import { keccak_256 } from '@noble/hashes/sha3.js'
import { concatBytes } from '@noble/hashes/utils.js'
import * as Rlp from './Rlp.ts'

/** MAGIC of EIP-7702: no transaction and no message begins with it. */
const magic = new Uint8Array([0x05])

/** An authorization is void from this nonce on (EIP-7702, behaviour, step 2). */
export const nonceLimit = 2n ** 64n - 1n

/** `address` is 20 bytes; zeros revoke what was authorized before. */
export const authorizationDigest = (address: Uint8Array, chainId: bigint, nonce: bigint): Uint8Array =>
  keccak_256(
    concatBytes(magic, Rlp.writeList([Rlp.writeInteger(chainId), Rlp.writeBytes(address), Rlp.writeInteger(nonce)])),
  )
