/**
 * RLP, the serialisation of Ethereum (Yellow Paper, appendix B). Reading is strict: each value has one encoding, and
 * all else is refused, so that no other decoder reads the same bytes differently.
 */
import { concatBytes } from '@noble/hashes/utils.js'

/** One item with its header, and its content. */
export type Item = {
  readonly isList: boolean
  readonly bytes: Uint8Array
  readonly content: Uint8Array
}

/** What an item has to be. */
export type Check = (item: Item) => boolean

const stringOffset = 0x80
const listOffset = 0xc0
const shortLimit = 55

/** Whether bytes that begin with this one are a list. */
export const beginsList = (byte: number): boolean => byte >= listOffset

export const isBytes: Check = ({ isList }) => !isList

/** Bytes of one of these lengths. */
export const isOfLength =
  (...lengths: readonly number[]): Check =>
  ({ isList, content }) =>
    !isList && lengths.includes(content.length)

export const isEmpty = isOfLength(0)

/** A number of at most so many bytes: big-endian without leading zeros, 0 being empty. */
export const isInteger =
  (maximumBytes: number): Check =>
  ({ isList, content }) =>
    !isList && content.length <= maximumBytes && content[0] !== 0

export const isListOf =
  (check: Check): Check =>
  (item) =>
    item.isList && readItems(item.content)?.every(check) === true

/** A list of exactly these items. */
export const isTuple =
  (...checks: readonly Check[]): Check =>
  (item) =>
    item.isList && fits(readItems(item.content), checks)

/** Whether there are exactly as many items as checks, and each is what it has to be. */
export const fits = (items: readonly Item[] | undefined, checks: readonly Check[]): boolean =>
  items?.length === checks.length && items.every((item, index) => checks[index]?.(item) === true)

/** The items of a list that fills the bytes exactly. */
export const readList = (bytes: Uint8Array): readonly Item[] | undefined => {
  const list = readItem(bytes)
  return list?.isList === true && list.bytes.length === bytes.length ? readItems(list.content) : undefined
}

/** What a list contains; `undefined` if it is none. */
export const itemsOf = (item: Item | undefined): readonly Item[] | undefined =>
  item?.isList === true ? readItems(item.content) : undefined

const readItems = (content: Uint8Array): readonly Item[] | undefined => {
  const items: Item[] = []
  for (let offset = 0; offset < content.length;) {
    const item = readItem(content.subarray(offset))
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
  const isList = beginsList(head)
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

/** The number of an item that `isInteger`. */
export const readInteger = ({ content }: Item): bigint =>
  content.reduce((value, byte) => (value << 8n) | BigInt(byte), 0n)

const bigEndian = (value: bigint): Uint8Array => {
  const bytes: number[] = []
  for (let rest = value; rest > 0n; rest >>= 8n) bytes.unshift(Number(rest & 0xffn))
  return Uint8Array.from(bytes)
}

export const writeBytes = (content: Uint8Array): Uint8Array => {
  const isSelf = content.length === 1 && (content[0] ?? 0) < stringOffset
  return isSelf ? content : concatBytes(writeHead(stringOffset, content.length), content)
}

export const writeInteger = (value: bigint): Uint8Array => writeBytes(bigEndian(value))

/** A list of items that are written already. */
export const writeList = (items: readonly Uint8Array[]): Uint8Array => {
  const content = concatBytes(...items)
  return concatBytes(writeHead(listOffset, content.length), content)
}

const writeHead = (offset: number, length: number): Uint8Array => {
  if (length <= shortLimit) return new Uint8Array([offset + length])
  const lengthBytes = bigEndian(BigInt(length))
  return concatBytes(new Uint8Array([offset + shortLimit + lengthBytes.length]), lengthBytes)
}
