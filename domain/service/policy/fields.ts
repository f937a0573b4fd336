/** The names by which a policy asks about a payload (domain/service/policy/README.md#fields). */
import { parseAbiItem, toFunctionSignature } from 'viem'
import { isEvm, isSolana } from '../../model/Address.ts'
import { payloads, wholeNumber, type Payload } from './facts/Facts.ts'

/** What a field's values are: text, whole numbers, times, or whatever the payload has there. */
export type Kind = 'text' | 'number' | 'duration' | 'any'

type FieldRule = {
  readonly kind: Kind
  readonly payloads: readonly Payload[]
  /** What its values look like, where another could only be a mistake. */
  readonly form?: Form
}

type Form = {
  readonly name: string
  readonly isOf: (value: string) => boolean
  /** How a value that is not of this form becomes one, where that is known. */
  readonly mendOf?: (value: string) => string | undefined
}

/** Some chains have another checksum, as Rootstock (ERC-1191), which no check tells from a mistake. */
export const checksumMend = 'write it in lower case, or with the checksum of ERC-55'

const evmAddress = {
  name: 'an address of an EVM account',
  isOf: isEvm,
  mendOf: (value: string) => (isEvm(value.toLowerCase()) ? checksumMend : undefined),
}
/** Addresses of Solana and Cosmos have many forms, and none of them begins so. */
const recipient = { ...evmAddress, isOf: (value: string) => !/^0x/i.test(value) || isEvm(value) }
const solanaAddress = { name: 'an address of Solana', isOf: isSolana }
const origin = {
  name: 'an origin such as https://shop.example',
  isOf: (value: string) => /^[a-z][a-z0-9+.-]*:\/\/[^/\sA-Z]+$/.test(value),
}
/** The number of an EVM chain, or the name of one of Cosmos. */
const chain = {
  name: 'a chain such as 8453 or cosmoshub-4',
  isOf: (value: string) => /^(?:[1-9][0-9]*|[a-zA-Z][\w.-]*)$/.test(value),
}
const number = { name: 'a whole number in decimal', isOf: (value: string) => wholeNumber.test(value) }
/** A canonical signature of Solidity: no names, no spaces, no `uint`. */
const signature = {
  name: 'a signature such as transfer(address,uint256)',
  isOf: (value: string) => {
    try {
      const item = parseAbiItem(`function ${value}`)
      return item.type === 'function' && toFunctionSignature(item) === value
    } catch {
      return false
    }
  },
}
const channel = {
  name: 'a chain, a port and a channel such as cosmoshub-4/transfer/channel-141',
  isOf: (value: string) => /^[^/\s]+\/[^/\s]+\/[^/\s]+$/.test(value),
}
const oneOf = (names: readonly string[]) => ({
  name: `one of ${names.join(', ')}`,
  isOf: (value: string) => names.includes(value),
})

const evmTransaction: readonly Payload[] = ['evm.transaction']
const typedData: readonly Payload[] = ['evm.typedData']
const solana: readonly Payload[] = ['solana.transaction']
const cosmos: readonly Payload[] = ['cosmos.direct', 'cosmos.amino']
const moving: readonly Payload[] = [
  'evm.transaction',
  'evm.typedData',
  'evm.authorization',
  'evm.messageHash',
  'solana.transaction',
  ...cosmos,
  'blind',
]

const rules: Readonly<Record<string, FieldRule>> = {
  payload: { kind: 'text', payloads, form: oneOf(payloads) },
  scheme: { kind: 'text', payloads, form: oneOf(['DKLS', 'ED25519']) },
  origin: { kind: 'text', payloads, form: origin },
  walletAge: { kind: 'duration', payloads },
  deviceAge: { kind: 'duration', payloads },
  recipient: { kind: 'text', payloads: moving, form: recipient },
  chainId: {
    kind: 'text',
    payloads: ['evm.transaction', 'evm.typedData', 'evm.authorization', ...cosmos, 'blind'],
    form: chain,
  },
  to: { kind: 'text', payloads: evmTransaction, form: evmAddress },
  value: { kind: 'number', payloads: evmTransaction, form: number },
  method: { kind: 'text', payloads: evmTransaction, form: signature },
  maxFee: { kind: 'number', payloads: [...evmTransaction, ...solana], form: number },
  delegate: { kind: 'text', payloads: ['evm.authorization', 'evm.transaction'], form: evmAddress },
  primaryType: { kind: 'text', payloads: typedData },
  'domain.name': { kind: 'text', payloads: typedData },
  'domain.version': { kind: 'text', payloads: typedData },
  'domain.chainId': { kind: 'text', payloads: typedData, form: number },
  'domain.verifyingContract': { kind: 'text', payloads: typedData, form: evmAddress },
  'domain.salt': { kind: 'text', payloads: typedData },
  programIds: { kind: 'text', payloads: solana, form: solanaAddress },
  'instructions[].method': { kind: 'text', payloads: solana },
  lamports: { kind: 'number', payloads: solana, form: number },
  mint: { kind: 'text', payloads: solana, form: solanaAddress },
  feePayer: { kind: 'text', payloads: [...solana, ...cosmos] },
  msgTypes: { kind: 'text', payloads: cosmos },
  denom: { kind: 'text', payloads: cosmos },
  channel: { kind: 'text', payloads: cosmos, form: channel },
}

/** What a value of another form is not. */
export const nameFor = ({ name, mendOf }: Form, value: string): string => {
  const mend = mendOf?.(value)
  return mend === undefined ? name : `${name} (${mend})`
}

/** `undefined` if there is no such field. */
export const fieldRule = (name: string): FieldRule | undefined => {
  if (Object.hasOwn(rules, name)) return rules[name]
  if (/^args\.(?:0|[1-9][0-9]?)$/.test(name)) return { kind: 'any', payloads: evmTransaction }
  return /^message\.[A-Za-z_][A-Za-z0-9_]*(?:\[\])*(?:\.[A-Za-z_][A-Za-z0-9_]*(?:\[\])*)*$/.test(name)
    ? { kind: 'any', payloads: typedData }
    : undefined
}

/** Milliseconds of a time such as `90s`, `15m`, `24h` or `30d`; `undefined` if it is none. */
export const durationOf = (text: string): number | undefined => {
  const [, count, unit] = /^(0|[1-9][0-9]{0,5})([smhd])$/.exec(text) ?? []
  return count === undefined ? undefined : Number(count) * (unitMs[unit ?? ''] ?? 0)
}

const second = 1_000
const unitMs: Readonly<Record<string, number>> = {
  s: second,
  m: 60 * second,
  h: 3_600 * second,
  d: 86_400 * second,
}

/** A whole number in decimal text, as policies write it. */
export const numberOf = (text: string): bigint | undefined =>
  /^(?:0|-?[1-9][0-9]{0,77})$/.test(text) ? BigInt(text) : undefined

/** Hex has no case: addresses, and assets of EVM chains. */
export const isSame = (one: string, other: string): boolean => one === other || plain(one) === plain(other)

/** Whether one of the values is the same. A list of a policy may be long and is asked for each rule, so its set is kept with it. */
export const isAmong = (values: readonly string[], value: string): boolean => {
  const known = sets.get(values) ?? new Set(values.map(plain))
  sets.set(values, known)
  return known.has(plain(value))
}

const sets = new WeakMap<readonly string[], ReadonlySet<string>>()

/** Whether the text begins so. */
export const beginsWith = (text: string, start: string): boolean => plain(text).startsWith(plain(start))

/** As facts and stored sums have it. */
export const plain = (text: string): string => (/^(?:0x|eip155:)/.test(text) ? text.toLowerCase() : text)
