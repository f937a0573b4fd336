/** What a person is shown of a document of Cosmos: each field by the name that the chain gives it. */
import { bytesToHex } from '@noble/hashes/utils.js'
import { wholeNumber, type Decoded } from './Facts.ts'

export type Details = Decoded['details']
export type Coin = { readonly denom: string; readonly amount: string }

/**
 * A message of protobuf as an amino document has it: names with underscores, whole numbers of 64 bits in decimal text; bytes
 * in hex.
 */
export const named = (value: unknown): unknown => {
  if (typeof value === 'bigint') return String(value)
  if (value instanceof Uint8Array) return `0x${bytesToHex(value)}`
  if (Array.isArray(value)) return value.map(named)
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).filter(([, one]) => one !== undefined)
  return Object.fromEntries(fields.map(([name, one]) => [underscored(name), named(one)]))
}

const underscored = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Each text and number inside with its path; a coin is one of them. Nothing of an optional field that is not set. */
export const detailsOf = (path: string, value: unknown): Details => {
  if (typeof value !== 'object' || value === null) return [{ name: path, value: String(value) }]
  if (isCoin(value)) return [{ name: path, value: coinText(value) }]
  if (Array.isArray(value)) return value.flatMap((one, index) => detailsOf(`${path}[${index}]`, one))
  return Object.entries(value).flatMap(([name, one]: [string, unknown]) =>
    unset.get(name) === one ? [] : detailsOf(path === '' ? name : `${path}.${name}`, one),
  )
}

/** Fields that amino documents leave out, with the value that a direct document has there. */
const unset: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['memo', ''],
  ['encoding', ''],
  ['revision_number', '0'],
  ['revision_height', '0'],
  ['timeout_height', '0'],
  ['timeout_timestamp', '0'],
  ['unordered', false],
])

const isCoin = (value: object): value is Coin =>
  Object.keys(value).length === 2 &&
  'denom' in value &&
  'amount' in value &&
  typeof value.denom === 'string' &&
  typeof value.amount === 'string'

/** Amounts and names with other signs are no coin of a chain, and shown so that each is told from the other. */
export const coinText = ({ denom, amount }: Coin): string =>
  wholeNumber.test(amount) && isName.test(denom) ? `${amount} ${denom}` : JSON.stringify({ amount, denom })

/**
 * What can name a chain, a coin or an account: chains take no longer names (CometBFT 50, the SDK's coins 128), and of
 * bech32 no other signs. Of anything else nothing is known, and it is not kept among what was paid.
 */
export const isName = /^[!-~]{1,256}$/
