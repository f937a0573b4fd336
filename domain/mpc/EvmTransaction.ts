/**
 * The unsigned serialisation of an Ethereum transaction: what its signature covers (EIP-155, 2718, 2930, 1559, 4844,
 * 7702).
 *
 * Clients also send transactions whose signature fields are present but empty; those are cut off. A signature field
 * that is not empty means that the transaction is signed already, and it is refused, as is anything that is not
 * canonical RLP at its outer level or not for the chain that was named.
 */
import { concatBytes } from '@noble/hashes/utils.js'

/** The bytes that are hashed, or `undefined` when they are no unsigned transaction for this chain. */
export const unsignedTransaction = (bytes: Uint8Array, chainId: bigint): Uint8Array | undefined => {
  const type = bytes[0] ?? 0
  return type >= listOffset ? unsignedLegacy(bytes, chainId) : unsignedTyped(bytes, type, chainId)
}

/** Fields of each typed envelope up to its signature: `s` a string, `l` a list. The first is the chain id. */
const envelopes: ReadonlyMap<number, string> = new Map([
  [1, 'sssssssl'],
  [2, 'ssssssssl'],
  [3, 'sssssssslsl'],
  [4, 'ssssssssll'],
])

const legacyFields = 6
const signatureFields = 3

/** [nonce, gasPrice, gas, to, value, data], then nothing, (chainId, 0, 0) or three empty fields; signed by EIP-155. */
const unsignedLegacy = (bytes: Uint8Array, chainId: bigint): Uint8Array | undefined => {
  const items = readList(bytes)
  if (items === undefined || items.some((item) => item.isList)) return undefined
  const [v, r, s] = items.slice(legacyFields)
  const isBare = items.length === legacyFields
  const isUnsigned =
    items.length === legacyFields + signatureFields &&
    v !== undefined &&
    (isEmpty(v) || readInteger(v) === chainId) &&
    isEmpty(r) &&
    isEmpty(s)
  if (!isBare && !isUnsigned) return undefined
  const content = items.slice(0, legacyFields).map((item) => item.bytes)
  return writeList([...content, writeInteger(chainId), emptyString, emptyString])
}

const unsignedTyped = (bytes: Uint8Array, type: number, chainId: bigint): Uint8Array | undefined => {
  const shape = envelopes.get(type)
  const items = readList(bytes.subarray(1))
  if (shape === undefined || items === undefined) return undefined
  const content = items.slice(0, shape.length)
  const rest = items.slice(shape.length)
  if (content.map((item) => (item.isList ? 'l' : 's')).join('') !== shape) return undefined
  if (rest.length !== 0 && (rest.length !== signatureFields || !rest.every(isEmpty))) return undefined
  if (content[0] === undefined || readInteger(content[0]) !== chainId) return undefined
  return concatBytes(bytes.subarray(0, 1), writeList(content.map((item) => item.bytes)))
}

/** One RLP item with its header, and where its content begins. */
type Item = {
  readonly isList: boolean
  readonly bytes: Uint8Array
  readonly content: Uint8Array
}

const stringOffset = 0x80
const listOffset = 0xc0
const shortLimit = 55
const emptyString = new Uint8Array([stringOffset])

const isEmpty = (item: Item | undefined): boolean => item !== undefined && !item.isList && item.content.length === 0

/** The items of a list that fills the bytes exactly. */
const readList = (bytes: Uint8Array): readonly Item[] | undefined => {
  const list = readItem(bytes)
  if (list === undefined || !list.isList || list.bytes.length !== bytes.length) return undefined
  const items: Item[] = []
  for (let offset = 0; offset < list.content.length;) {
    const item = readItem(list.content.subarray(offset))
    if (item === undefined) return undefined
    items.push(item)
    offset += item.bytes.length
  }
  return items
}

/** The item that begins here, if its header is canonical and its content is there. */
const readItem = (bytes: Uint8Array): Item | undefined => {
  const head = bytes[0]
  if (head === undefined) return undefined
  if (head < stringOffset) return { isList: false, bytes: bytes.subarray(0, 1), content: bytes.subarray(0, 1) }
  const isList = head >= listOffset
  const short = head - (isList ? listOffset : stringOffset)
  const lengthBytes = short > shortLimit ? short - shortLimit : 0
  const length = lengthBytes === 0 ? short : readLength(bytes.subarray(1, 1 + lengthBytes), lengthBytes)
  const start = 1 + lengthBytes
  if (length === undefined || start + length > bytes.length) return undefined
  const content = bytes.subarray(start, start + length)
  if (!isList && length === 1 && (content[0] ?? 0) < stringOffset) return undefined
  return { isList, bytes: bytes.subarray(0, start + length), content }
}

/** A length of at most four bytes, without leading zeros and not short enough for the short form. */
const readLength = (bytes: Uint8Array, lengthBytes: number): number | undefined => {
  if (bytes.length !== lengthBytes || lengthBytes > 4 || bytes[0] === 0) return undefined
  const length = bytes.reduce((value, byte) => value * 256 + byte, 0)
  return length > shortLimit ? length : undefined
}

const readInteger = (item: Item): bigint | undefined =>
  item.isList || item.content[0] === 0
    ? undefined
    : item.content.reduce((value, byte) => (value << 8n) | BigInt(byte), 0n)

const bigEndian = (value: bigint): Uint8Array => {
  const bytes: number[] = []
  for (let rest = value; rest > 0n; rest >>= 8n) bytes.unshift(Number(rest & 0xffn))
  return Uint8Array.from(bytes)
}

const writeInteger = (value: bigint): Uint8Array => {
  const content = bigEndian(value)
  const isSelf = content.length === 1 && (content[0] ?? 0) < stringOffset
  return isSelf ? content : concatBytes(writeHead(stringOffset, content.length), content)
}

const writeList = (items: readonly Uint8Array[]): Uint8Array => {
  const content = concatBytes(...items)
  return concatBytes(writeHead(listOffset, content.length), content)
}

const writeHead = (offset: number, length: number): Uint8Array => {
  if (length <= shortLimit) return new Uint8Array([offset + length])
  const lengthBytes = bigEndian(BigInt(length))
  return concatBytes(new Uint8Array([offset + shortLimit + lengthBytes.length]), lengthBytes)
}
