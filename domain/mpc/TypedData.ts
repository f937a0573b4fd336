/**
 * Typed data of EIP-712: its digest, and the one text in which it is asked for (domain/mpc/README.md#typed-data).
 *
 * An app's object is read leniently in its spelling (numbers, bigints, addresses in checksum case, a missing type of
 * the domain), and strictly in its meaning: what another decoder could read differently, or would leave out of the hash,
 * is refused. A co-signer takes the text alone, and only if reading it gives the very same text again. So there is one
 * text for a meaning: duplicate keys, other spellings of a number and unused types are not in it.
 */
import { keccak_256 } from '@noble/hashes/sha3.js'
import { concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { isEvm } from '../model/EvmAddress.ts'

export type TypedData = {
  /** Canonical JSON. */
  readonly text: string
  /** 32 bytes. */
  readonly digest: Uint8Array
}

/** Its longest form in a frame, with what JSON escapes twice, is 192 KiB of the frame's 256. */
export const maximumTextLength = 65_536
const maximumTypes = 16
const maximumDepth = 16
/** Each is one hash at most. */
export const maximumValues = 2_048

/** Reads typed data as the tools of Ethereum have it: types, primaryType, domain, message. */
export const read = (input: unknown): TypedData | undefined => {
  const given = fieldsOf(input, ['types', 'primaryType', 'domain', 'message'])
  const types = fieldsOf(given?.get('types'))
  const primaryType = given?.get('primaryType')
  if (given === undefined || types === undefined || typeof primaryType !== 'string') return undefined
  const domain = given.has('domain') ? given.get('domain') : {}
  const domainFields = readDomainFields(types, domain)
  const needed = readStructs(types, primaryType)
  if (domainFields === undefined || needed === undefined) return undefined
  const all = new Map([[domainType, domainFields], ...needed])
  const structs = new Map([...all].map(([name, fields]) => [name, { fields, typeHash: typeHash(name, all) }]))
  const reading = { structs, valuesLeft: maximumValues }
  const [domainValue, message] = [
    readValue(reading, domainType, domain, 0),
    readValue(reading, primaryType, given.get('message'), 0),
  ]
  if (domainValue === undefined || message === undefined) return undefined
  const text = JSON.stringify({
    types: Object.fromEntries(
      [domainType, ...namesFrom(primaryType, needed.keys())].map((name) => [name, all.get(name)]),
    ),
    primaryType,
    domain: domainValue.json,
    message: message.json,
  })
  return text.length > maximumTextLength
    ? undefined
    : { text, digest: keccak_256(concatBytes(prefix, domainValue.word, message.word)) }
}

/** Reads the canonical text, and no other. */
export const parse = (text: string): TypedData | undefined => {
  if (text.length > maximumTextLength) return undefined
  const typedData = read(parseJson(text))
  return typedData?.text === text ? typedData : undefined
}

const prefix = new Uint8Array([0x19, 0x01])

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

type Field = { readonly name: string; readonly type: string }
type Types = ReadonlyMap<string, readonly Field[]>

const domainType = 'EIP712Domain'
const domainStandard: readonly Field[] = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
  { name: 'salt', type: 'bytes32' },
]

/** The fields of a domain in the order of its type; without a type in the standard's. */
const readDomainFields = (types: Fields, domain: unknown): readonly Field[] | undefined => {
  if (!types.has(domainType)) {
    const given = fieldsOf(domain)
    return given && domainStandard.filter(({ name }) => given.has(name))
  }
  const fields = readFields(types.get(domainType))
  const isStandard = ({ name, type }: Field) =>
    domainStandard.some((standard) => standard.name === name && standard.type === type)
  return fields?.every(isStandard) === true ? fields : undefined
}

/** The structs that the primary type needs; `undefined` if one is missing, malformed or contains itself. */
const readStructs = (types: Fields, primaryType: string): Types | undefined => {
  const found = new Map<string, readonly Field[]>()
  const find = (name: string, around: readonly string[]): boolean => {
    if (around.includes(name)) return false
    if (found.has(name)) return true
    const fields = readFields(types.get(name))
    if (fields === undefined || name === domainType || found.size === maximumTypes) return false
    found.set(name, fields)
    const isKnown = (type: string) => isAtom(type) || (isStructName(type) && find(type, [...around, name]))
    return fields.every(({ type }) => isKnown(itemType(type)))
  }
  if (!isStructName(primaryType) && !isQualifiedName.test(primaryType)) return undefined
  if (!find(primaryType, [])) return undefined
  // Decoders cut a name at its colon, and do not find the structs inside.
  return isStructName(primaryType) || found.size === 1 ? found : undefined
}

/** The hash of encodeType: the struct with its fields, and then those that it needs. */
const typeHash = (name: string, all: Types): Uint8Array => {
  const needed = new Set<string>()
  const need = (one: string): void => {
    if (!all.has(one) || needed.has(one)) return
    needed.add(one)
    for (const { type } of all.get(one) ?? []) need(itemType(type))
  }
  need(name)
  const fieldsText = (one: string) => (all.get(one) ?? []).map((field) => `${field.type} ${field.name}`).join(',')
  const encoded = namesFrom(name, needed).map((one) => `${one}(${fieldsText(one)})`)
  return keccak_256(utf8ToBytes(encoded.join('')))
}

/** The type inside all brackets of an array's. */
const itemType = (type: string): string => type.replace(/\[.*/, '')

/** The first, and then the others in the order of their names. */
const namesFrom = (first: string, names: Iterable<string>): readonly string[] => [
  first,
  ...[...names].filter((name) => name !== first).sort(),
]

const readFields = (given: unknown): readonly Field[] | undefined => {
  if (!Array.isArray(given)) return undefined
  const fields = Array.from(given, (one: unknown): Field | undefined => {
    const field = fieldsOf(one, ['name', 'type'])
    const [name, type] = [field?.get('name'), field?.get('type')]
    const isField = typeof name === 'string' && isName(name) && typeof type === 'string' && isType.test(type)
    return isField ? { name, type } : undefined
  })
  const isUnique = new Set(fields.map((field) => field?.name)).size === fields.length
  return isUnique ? whole(fields) : undefined
}

/** Identifiers of Solidity without $, at which decoders cut a name. */
const isName = (name: string): boolean => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && name !== '__proto__'

/** Decoders take a name that begins like an elementary type for one. */
const isStructName = (name: string): boolean => isName(name) && !/^(?:address$|bool$|string$|bytes|u?int)/.test(name)

/** A primary type of some chains, for example `HyperliquidTransaction:UsdSend`. */
const isQualifiedName = /^[A-Za-z_][A-Za-z0-9_]*:[A-Za-z_][A-Za-z0-9_]*$/

const isType = /^[A-Za-z_][A-Za-z0-9_]{0,127}(?:\[(?:[1-9][0-9]{0,4})?\]){0,16}$/

/** EIP-712 has neither `uint` nor `int`: libraries do not agree on their type hash. */
const isAtom = (type: string): boolean => {
  const [, integer, bytes] = /^(?:u?int([1-9][0-9]{0,2})|bytes([1-9][0-9]?))$/.exec(type) ?? []
  if (integer !== undefined) return Number(integer) % 8 === 0 && Number(integer) <= 256
  if (bytes !== undefined) return Number(bytes) <= 32
  return ['address', 'bool', 'string', 'bytes'].includes(type)
}

/** A value as the text has it, and the 32 bytes that stand for it in a hash. */
type Value = { readonly json: Json; readonly word: Uint8Array }
type Json = string | boolean | readonly Json[] | { readonly [name: string]: Json }

type Struct = { readonly fields: readonly Field[]; readonly typeHash: Uint8Array }
type Reading = { readonly structs: ReadonlyMap<string, Struct>; valuesLeft: number }

const readValue = (reading: Reading, type: string, value: unknown, depth: number): Value | undefined => {
  reading.valuesLeft -= 1
  if (depth > maximumDepth || reading.valuesLeft < 0) return undefined
  const [, item, length] = /^(.*)\[([0-9]*)\]$/.exec(type) ?? []
  if (item !== undefined) {
    if (!Array.isArray(value) || (length !== '' && value.length !== Number(length))) return undefined
    const items = whole(Array.from(value, (one: unknown) => readValue(reading, item, one, depth + 1)))
    return items && { json: items.map(({ json }) => json), word: hashed(items) }
  }
  const struct = reading.structs.get(type)
  return struct === undefined ? readAtom(type, value) : readStruct(reading, struct, value, depth)
}

const readStruct = (
  reading: Reading,
  { fields, typeHash }: Struct,
  value: unknown,
  depth: number,
): Value | undefined => {
  const given = fieldsOf(value)
  // With as many as its type has, one that is not known means that another is missing, which no type reads.
  if (given?.size !== fields.length) return undefined
  const read = whole(
    fields.map(({ name, type }) => {
      const one = readValue(reading, type, given.get(name), depth + 1)
      return one && { name, ...one }
    }),
  )
  if (read === undefined) return undefined
  return { json: Object.fromEntries(read.map(({ name, json }) => [name, json])), word: hashed(read, typeHash) }
}

const hashed = (values: readonly Value[], head: Uint8Array = new Uint8Array(0)): Uint8Array =>
  keccak_256(concatBytes(head, ...values.map(({ word }) => word)))

const readAtom = (type: string, value: unknown): Value | undefined => {
  if (type === 'bool') return typeof value === 'boolean' ? { json: value, word: wordOf(value ? 1n : 0n) } : undefined
  if (/^u?int/.test(type)) return readInteger(type, value)
  if (typeof value !== 'string') return undefined
  if (type === 'address') return isEvm(value) ? readAddress(value.toLowerCase()) : undefined
  if (type === 'string') {
    return hasLoneSurrogate.test(value) ? undefined : { json: value, word: keccak_256(utf8ToBytes(value)) }
  }
  if (!/^0x(?:[0-9a-fA-F]{2})*$/.test(value)) return undefined
  const json = value.toLowerCase()
  const bytes = hexToBytes(json.slice(2))
  if (type === 'bytes') return { json, word: keccak_256(bytes) }
  return bytes.length === Number(type.slice('bytes'.length))
    ? { json, word: concatBytes(bytes, new Uint8Array(32 - bytes.length)) }
    : undefined
}

const readAddress = (json: string): Value => ({ json, word: wordOf(BigInt(json)) })

/** UTF-8 has no form for it. */
const hasLoneSurrogate = /\p{Surrogate}/u

const readInteger = (type: string, value: unknown): Value | undefined => {
  const number = integerOf(value)
  const isSigned = type.startsWith('int')
  const bits = BigInt(type.replace(/^u?int/, '')) - (isSigned ? 1n : 0n)
  if (number === undefined || number >= 1n << bits || number < (isSigned ? -(1n << bits) : 0n)) return undefined
  return { json: String(number), word: wordOf(BigInt.asUintN(256, number)) }
}

/** A JSON number above 2^53 has lost digits already; text with leading zeros is octal to some. */
const integerOf = (value: unknown): bigint | undefined => {
  if (typeof value === 'bigint') return value
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : undefined
  return typeof value === 'string' && /^(?:0|-?[1-9][0-9]{0,77}|0x[0-9a-fA-F]{1,64})$/.test(value)
    ? BigInt(value)
    : undefined
}

const wordOf = (value: bigint): Uint8Array => hexToBytes(value.toString(16).padStart(64, '0'))

type Fields = ReadonlyMap<string, unknown>

/** An object's own fields but those that are `undefined`; none may be there besides the known ones. */
const fieldsOf = (value: unknown, known?: readonly string[]): Fields | undefined => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const given = Object.entries(value).filter(([, field]) => field !== undefined)
  return known !== undefined && given.some(([name]) => !known.includes(name)) ? undefined : new Map(given)
}

const whole = <A>(all: readonly (A | undefined)[]): readonly A[] | undefined =>
  all.every((one) => one !== undefined) ? all : undefined
