/**
 * The unsigned serialisation of an Ethereum transaction: what its signature covers (EIP-155, 2718, 2930, 1559, 4844,
 * 7702).
 *
 * Clients also send transactions whose signature fields are present but empty; those are cut off. A signature field
 * that is not empty means that the transaction is signed already, and it is refused, as is anything that is not
 * canonical RLP, has a field that its type does not allow, or is not for the chain that was named.
 */
import { concatBytes } from '@noble/hashes/utils.js'
import * as Rlp from './Rlp.ts'

/** The bytes that are hashed, or `undefined` when they are no unsigned transaction for this chain. */
export const unsignedTransaction = (bytes: Uint8Array, chainId: bigint): Uint8Array | undefined => {
  const type = bytes[0] ?? 0
  return Rlp.beginsList(type) ? unsignedLegacy(bytes, chainId) : unsignedTyped(bytes, type, chainId)
}

const counter = Rlp.isInteger(8)
const amount = Rlp.isInteger(32)
const address = Rlp.isOfLength(20)
/** Empty in a transaction that creates a contract. */
const recipient = Rlp.isOfLength(0, 20)
const hash = Rlp.isOfLength(32)
const accessList = Rlp.isListOf(Rlp.isTuple(address, Rlp.isListOf(hash)))
/** Signed already, each by its own account: chain id, delegate, nonce, y parity, r, s. */
const authorizationList = Rlp.isListOf(Rlp.isTuple(amount, address, counter, Rlp.isInteger(1), amount, amount))

/** Nonce, gas price, gas, to, value, data. */
const legacy = [counter, amount, counter, recipient, amount, Rlp.isBytes]

/** Fields of each typed envelope up to its signature. The first is the chain id, the second the nonce. */
const envelopes: ReadonlyMap<number, readonly Rlp.Check[]> = new Map([
  [1, [amount, ...legacy, accessList]],
  [2, [amount, counter, amount, amount, counter, recipient, amount, Rlp.isBytes, accessList]],
  [3, [amount, counter, amount, amount, counter, address, amount, Rlp.isBytes, accessList, amount, Rlp.isListOf(hash)]],
  [4, [amount, counter, amount, amount, counter, address, amount, Rlp.isBytes, accessList, authorizationList]],
])

const emptySignature = [Rlp.isEmpty, Rlp.isEmpty, Rlp.isEmpty]

/**
 * The six fields, then (chainId, 0, 0) or three empty ones; signed by EIP-155. Six fields alone are refused: their
 * author meant a signature that holds on every chain, over another digest.
 */
const unsignedLegacy = (bytes: Uint8Array, chainId: bigint): Uint8Array | undefined => {
  const items = Rlp.readList(bytes) ?? []
  const [v] = items.slice(legacy.length)
  if (!Rlp.fits(items, [...legacy, amount, Rlp.isEmpty, Rlp.isEmpty]) || v === undefined) return undefined
  if (!Rlp.isEmpty(v) && Rlp.readInteger(v) !== chainId) return undefined
  const content = items.slice(0, legacy.length).map((item) => item.bytes)
  return Rlp.writeList([...content, Rlp.writeInteger(chainId), Rlp.writeInteger(0n), Rlp.writeInteger(0n)])
}

const unsignedTyped = (bytes: Uint8Array, type: number, chainId: bigint): Uint8Array | undefined => {
  const fields = envelopes.get(type)
  const items = Rlp.readList(bytes.subarray(1))
  const [named] = items ?? []
  if (fields === undefined || items === undefined || named === undefined) return undefined
  if (!Rlp.fits(items, items.length === fields.length ? fields : [...fields, ...emptySignature])) return undefined
  if (Rlp.readInteger(named) !== chainId) return undefined
  const content = items.slice(0, fields.length).map((item) => item.bytes)
  return concatBytes(bytes.subarray(0, 1), Rlp.writeList(content))
}
