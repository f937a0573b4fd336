/** How an address of Ethereum is written and recognised, which takes no curve. */
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

/** Mixed case as a checksum (ERC-55), of 40 hex digits with or without 0x. */
export const checksum = (address: string): `0x${string}` => {
  const digits = address.replace(/^0x/i, '').toLowerCase()
  const hash = bytesToHex(keccak_256(utf8ToBytes(digits)))
  const isUpper = (index: number) => Number.parseInt(hash.charAt(index), 16) >= 8
  return `0x${[...digits].map((digit, index) => (isUpper(index) ? digit.toUpperCase() : digit)).join('')}`
}

/** 40 hex digits after 0x, all in one case or in checksum case. */
export const isEvm = (address: string): boolean => {
  const [, digits] = /^0x([0-9a-fA-F]{40})$/.exec(address) ?? []
  if (digits === undefined) return false
  return digits === digits.toLowerCase() || digits === digits.toUpperCase() || address === checksum(digits)
}
