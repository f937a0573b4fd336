/** Transactions and authorizations of EVM chains. */
import { bytesToHex } from '@noble/hashes/utils.js'
import * as Rlp from '../../../mpc/Rlp.ts'
import { unsignedTransaction } from '../../../mpc/EvmTransaction.ts'
import type { SigningRequest } from '../../../mpc/SigningRequest.ts'
import { effectsOf } from './calls.ts'
import { coinOf } from './evmAssets.ts'
import { fieldsOf, known, listed, unknown, type Decoded, type Outflow, type Warning } from './Facts.ts'

type Transaction = {
  /** Lower case with 0x; `undefined` where a contract is created. */
  readonly to: string | undefined
  readonly value: bigint
  readonly data: `0x${string}`
  /** The most that it can cost beside its value, in wei. */
  readonly maxFee: bigint
  /** What accounts are delegated to. */
  readonly delegates: readonly string[]
  /** What a person is shown of it besides, by the names of its type. */
  readonly rest: Decoded['details']
}

/** `undefined` if it is no unsigned transaction of the chain. */
export const transactionFacts = (bytes: Uint8Array, chainId: string): Decoded | undefined => {
  const transaction = readTransaction(bytes, BigInt(chainId))
  if (transaction === undefined) return undefined
  const { to, value, data, maxFee, delegates, rest } = transaction
  const chain = `eip155:${chainId}`
  const hasCall = data !== '0x'
  const effects =
    to === undefined
      ? { calls: [{ data, decoded: undefined }], outflows: [], recipients: [undefined] }
      : hasCall
        ? effectsOf(chain, to, data)
        : { calls: [], outflows: [], recipients: [to] }
  const sent: readonly Outflow[] = value > 0n ? [{ asset: coinOf(chain), amount: value, to, isApproval: false }] : []
  const unknownCalls = effects.recipients.includes(undefined)
  const outflowUnknown = unknownCalls || delegates.length > 0
  const recipients = [...sent.map((outflow) => outflow.to), ...effects.recipients]
  const methods = effects.calls.map((call) => call.decoded?.method ?? call.data.slice(0, 10))
  return {
    chain,
    fields: fieldsOf({
      chainId: known(chainId),
      to: to === undefined ? undefined : known(to),
      value: known(String(value)),
      maxFee: known(String(maxFee)),
      delegate: listed(delegates),
      recipient: delegates.length > 0 ? { ...listed(recipients), isUnknown: true } : listed(recipients),
    }),
    calls: effects.calls,
    outflows: [...sent, ...effects.outflows],
    outflowUnknown,
    details: [
      ...(to === undefined ? [{ name: 'creates', value: 'a contract' }] : [{ name: 'to', value: to }]),
      { name: 'value', value: String(value) },
      ...effects.calls.flatMap(({ decoded, opened }, index) => [
        { name: 'method', value: methods[index] ?? '' },
        ...(opened?.args ?? decoded?.args ?? []).map((arg, at) => ({ name: `args.${at}`, value: shown(arg) })),
        ...(opened === undefined ? [] : [{ name: 'calls', value: String(opened.calls) }]),
      ]),
      ...(unknownCalls && hasCall ? [{ name: 'data', value: data }] : []),
      { name: 'maxFee', value: String(maxFee) },
      ...delegates.map((delegate) => ({ name: 'delegate', value: delegate })),
      ...rest,
    ],
    warnings: [
      ...(unknownCalls ? [{ code: 'UNKNOWN_CALL', subject: to ?? 'creation of a contract' } as const] : []),
      ...delegates.map((subject): Warning => ({ code: 'ACCOUNT_DELEGATED', subject })),
    ],
  }
}

const shown = (arg: unknown): string => (Array.isArray(arg) ? `[${arg.map(shown).join(', ')}]` : String(arg))

/** `address` is hex without 0x; zeros revoke what was authorized before. */
export const authorizationFacts = ({
  address,
  chainId,
  nonce,
}: Extract<SigningRequest, { readonly kind: 'authorization' }>): Decoded => {
  const isRevoked = /^0*$/.test(address)
  const delegate = `0x${address}`
  return {
    chain: `eip155:${chainId}`,
    fields: fieldsOf({
      chainId: known(chainId),
      delegate: known(delegate),
      recipient: isRevoked ? undefined : unknown,
    }),
    outflows: [],
    outflowUnknown: !isRevoked,
    details: [
      { name: 'delegate', value: delegate },
      { name: 'nonce', value: nonce },
    ],
    warnings: isRevoked ? [] : [{ code: 'ACCOUNT_DELEGATED', subject: delegate }],
  }
}

const readTransaction = (bytes: Uint8Array, chainId: bigint): Transaction | undefined => {
  const unsigned = unsignedTransaction(bytes, chainId)
  if (unsigned === undefined) return undefined
  const type = unsigned[0] ?? 0
  const isLegacy = Rlp.beginsList(type)
  const items = Rlp.readList(isLegacy ? unsigned : unsigned.subarray(1)) ?? []
  const layout = isLegacy ? layouts[0] : layouts[type]
  if (layout === undefined) return undefined
  const names = namesOf[isLegacy ? 0 : type] ?? []
  const number = (index: number | undefined): bigint => {
    const item = index === undefined ? undefined : items[index]
    return item === undefined ? 0n : Rlp.readInteger(item)
  }
  const hex = (index: number): `0x${string}` => `0x${bytesToHex(items[index]?.content ?? new Uint8Array(0))}`
  const to = hex(layout.to)
  const blobs = type === 3 ? BigInt(Rlp.itemsOf(items[blobHashes])?.length ?? 0) : 0n
  const authorizations = type === 4 ? (Rlp.itemsOf(items[authorizationList]) ?? []) : []
  return {
    to: to === '0x' ? undefined : to,
    value: number(layout.to + 1),
    data: hex(layout.to + 2),
    maxFee: number(layout.price) * number(layout.to - 1) + blobs * gasPerBlob * (type === 3 ? number(blobPrice) : 0n),
    delegates: authorizations.flatMap((one) => {
      const delegate = Rlp.itemsOf(one)?.[1]
      return delegate === undefined ? [] : [`0x${bytesToHex(delegate.content)}`]
    }),
    rest: [
      { name: 'type', value: isLegacy ? 'legacy' : String(type) },
      ...names.flatMap((name, index) => (name === '' ? [] : restOf(name, items[index]))),
    ],
  }
}

/** A number, or a list with its items one by one. */
const restOf = (name: string, item: Rlp.Item | undefined): Decoded['details'] => {
  if (item === undefined) return []
  const items = Rlp.itemsOf(item)
  if (items === undefined) return [{ name, value: String(Rlp.readInteger(item)) }]
  if (name !== 'authorizationList') return items.map((one, at) => ({ name: `${name}[${at}]`, value: listText(one) }))
  return items.flatMap((one, at) =>
    (Rlp.itemsOf(one) ?? []).map((field, index) => {
      const [part = '', isNumber] = authorizationFields[index] ?? []
      return { name: `${name}[${at}].${part}`, value: isNumber ? String(Rlp.readInteger(field)) : listText(field) }
    }),
  )
}

/** EIP-7702, each with whether it is a number or bytes. */
const authorizationFields = [
  ['chainId', true],
  ['address', false],
  ['nonce', true],
  ['yParity', true],
  ['r', false],
  ['s', false],
] as const

const listText = (item: Rlp.Item): string => {
  const items = Rlp.itemsOf(item)
  return items === undefined ? `0x${bytesToHex(item.content)}` : `[${items.map(listText).join(', ')}]`
}

/** The fields of each type that are shown under no other name, in their order. */
const namesOf: Readonly<Record<number, readonly string[]>> = {
  0: ['nonce', 'gasPrice', 'gas'],
  1: ['', 'nonce', 'gasPrice', 'gas', '', '', '', 'accessList'],
  2: ['', 'nonce', 'maxPriorityFeePerGas', 'maxFeePerGas', 'gas', '', '', '', 'accessList'],
  3: [
    ...['', 'nonce', 'maxPriorityFeePerGas', 'maxFeePerGas', 'gas', '', '', '', 'accessList'],
    ...['maxFeePerBlobGas', 'blobVersionedHashes'],
  ],
  4: ['', 'nonce', 'maxPriorityFeePerGas', 'maxFeePerGas', 'gas', '', '', '', 'accessList', 'authorizationList'],
}

/** The price of gas and the recipient; before the recipient is the gas, and after it value and data. */
const layouts: Readonly<Record<number, { readonly price: number; readonly to: number }>> = {
  0: { price: 1, to: 3 },
  1: { price: 2, to: 4 },
  2: { price: 3, to: 5 },
  3: { price: 3, to: 5 },
  4: { price: 3, to: 5 },
}
const authorizationList = 9
const blobPrice = 9
const blobHashes = 10
/** EIP-4844, GAS_PER_BLOB. */
const gasPerBlob = 131_072n
