/**
 * Transactions as apps hand them to a provider (EIP-1474, `eth_sendTransaction`): their fields are read strictly, what
 * is missing is asked of the chain's node, and the rest is their serialisation (EIP-155, 2718, 2930, 1559, 7702).
 */
import { concatBytes, hexToBytes } from '@noble/hashes/utils.js'
import * as Rlp from '../../../domain/mpc/Rlp.ts'
import type { TransactionSignature } from '../verbs.ts'
import { fieldsOf, invalid, quantityOf, type Fields, type Hex } from './ethereumValues.ts'

/** Asks the chain's node. */
export type Ask = (method: string, params: readonly unknown[]) => Promise<unknown>

type AccessList = readonly { readonly address: Uint8Array; readonly storageKeys: readonly Uint8Array[] }[]

export type Transaction = {
  readonly type: 0 | 1 | 2 | 4
  readonly chainId: bigint
  readonly nonce: bigint
  readonly gas: bigint
  readonly gasPrice: bigint
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
  readonly to: Uint8Array
  readonly value: bigint
  readonly data: Uint8Array
  readonly accessList: AccessList
  readonly authorizationList: readonly Authorization[]
}

/** Chain id, delegate, nonce, y parity, r, s. */
type Authorization = readonly [bigint, Uint8Array, bigint, bigint, bigint, bigint]

/** The transaction with all its fields, for the chain and by the account. */
export const completeTransaction = async (
  given: unknown,
  {
    chainId,
    from,
    ask,
    block = 'latest',
  }: {
    readonly chainId: number
    readonly from: Hex
    readonly ask: Ask
    /** On which state its gas is estimated. */
    readonly block?: 'latest' | 'pending'
  },
): Promise<Transaction> => {
  const fields = fieldsOf(given, 'transaction')
  const named = quantity(fields, 'chainId')
  if (named !== undefined && named !== BigInt(chainId)) throw invalid('chainId is not the chain that is chosen')
  const type = await typeOf(fields, ask)
  const read = {
    to: fields['to'] === undefined || fields['to'] === null ? none : bytes(fields['to'], 'to', 20),
    value: quantity(fields, 'value') ?? 0n,
    data: dataOf(fields),
    accessList: accessListOf(fields['accessList']),
    authorizationList: listOf(fields['authorizationList'], 'authorizationList').map(authorizationOf),
  }
  if (type === 4 && (read.to.length === 0 || read.authorizationList.length === 0)) {
    throw invalid('a transaction of type 4 needs to and authorizationList')
  }
  const [fees, nonce, gas] = await Promise.all([
    feesOf(fields, type, ask),
    quantity(fields, 'nonce') ?? ask('eth_getTransactionCount', [from, 'pending']).then(quantityOf),
    quantity(fields, 'gas') ?? quantity(fields, 'gasLimit') ?? estimate(fields, { from, ask, block }),
  ])
  return { type, chainId: BigInt(chainId), ...fees, ...read, nonce, gas }
}

const none = new Uint8Array(0)

/** Its own, or the newest that its fields and the chain allow. */
const typeOf = async (fields: Fields, ask: Ask): Promise<Transaction['type']> => {
  const type = quantity(fields, 'type')
  if (type === 3n || fields['blobVersionedHashes'] !== undefined) {
    throw invalid('a provider takes no transaction with blobs, the accounts of viem and ethers do')
  }
  if (type !== undefined) {
    const known = ([0, 1, 2, 4] as const).find((one) => BigInt(one) === type)
    if (known === undefined) throw invalid(`transactions of type ${String(type)} are not known`)
    return known
  }
  if (fields['authorizationList'] !== undefined) return 4
  if (fields['gasPrice'] !== undefined) return fields['accessList'] === undefined ? 0 : 1
  if (fields['maxFeePerGas'] !== undefined || (await baseFee(ask)) !== undefined) return 2
  return fields['accessList'] === undefined ? 0 : 1
}

const baseFee = async (ask: Ask): Promise<bigint | undefined> => {
  const block = fieldsOf(await ask('eth_getBlockByNumber', ['latest', false]), 'block')
  return quantity(block, 'baseFeePerGas')
}

const feesOf = async (fields: Fields, type: Transaction['type'], ask: Ask) => {
  const gasPrice = quantity(fields, 'gasPrice')
  const [most, priority] = [quantity(fields, 'maxFeePerGas'), quantity(fields, 'maxPriorityFeePerGas')]
  if (type < 2) {
    if (most !== undefined || priority !== undefined) throw invalid('maxFeePerGas is not of this type of transaction')
    const price = gasPrice ?? quantityOf(await ask('eth_gasPrice', []))
    return { gasPrice: price, maxFeePerGas: 0n, maxPriorityFeePerGas: 0n }
  }
  if (gasPrice !== undefined) throw invalid('gasPrice is not of this type of transaction')
  const tip = priority ?? smallest(quantityOf(await ask('eth_maxPriorityFeePerGas', [])), most)
  // Blocks become dearer by an eighth at most: twice the base fee lasts for five full ones.
  const maxFeePerGas = most ?? 2n * ((await baseFee(ask)) ?? 0n) + tip
  if (tip > maxFeePerGas) throw invalid('maxPriorityFeePerGas is above maxFeePerGas')
  return { gasPrice: 0n, maxFeePerGas, maxPriorityFeePerGas: tip }
}

const smallest = (one: bigint, other: bigint | undefined) => (other !== undefined && other < one ? other : one)

/** A node's refusal, for example because the transaction would revert, is the call's. */
const estimate = async (
  fields: Fields,
  { from, ask, block }: { readonly from: Hex; readonly ask: Ask; readonly block: string },
): Promise<bigint> => {
  const { to, value, data, input, accessList, authorizationList } = fields
  const call = { from, to, value, data: data ?? input, accessList, authorizationList }
  return quantityOf(await ask('eth_estimateGas', [call, block]))
}

/** Two names of one field; both may be there if they agree. */
const dataOf = ({ data, input }: Fields): Uint8Array => {
  if (data !== undefined && input !== undefined && data !== input) throw invalid('data and input differ')
  const given = data ?? input
  return given === undefined || given === null ? none : bytes(given, 'data')
}

const accessListOf = (given: unknown): AccessList =>
  listOf(given, 'accessList').map((one) => {
    const { address, storageKeys } = fieldsOf(one, 'accessList')
    return {
      address: bytes(address, 'accessList', 20),
      storageKeys: listOf(storageKeys, 'accessList').map((key) => bytes(key, 'accessList', 32)),
    }
  })

const authorizationOf = (one: unknown): Authorization => {
  const fields = fieldsOf(one, 'authorizationList')
  const number = (...names: readonly string[]): bigint => {
    const found = names.map((name) => quantity(fields, name)).find((value) => value !== undefined)
    if (found === undefined) throw invalid(`authorizationList has no ${names[0] ?? ''}`)
    return found
  }
  const delegate = bytes(fields['address'], 'authorizationList', 20)
  return [
    number('chainId'),
    delegate,
    number('nonce'),
    number('yParity', 'v') % 27n,
    scalar(fields, 'r'),
    scalar(fields, 's'),
  ]
}

/** r and s are written as 32 bytes by some, and as numbers by others. */
const scalar = (fields: Fields, name: string): bigint => {
  const value = fields[name]
  if (typeof value !== 'string' || !/^0x[0-9a-fA-F]{1,64}$/.test(value)) throw invalid(`${name} is no scalar`)
  return BigInt(value)
}

/** What is signed; with a signature what is sent. */
export const serialize = (
  transaction: Transaction,
  signature?: Pick<TransactionSignature, 'r' | 's' | 'yParity'>,
): Uint8Array => {
  const { type, chainId, nonce, gas, to, value, data } = transaction
  const body = [integer(gas), Rlp.writeBytes(to), integer(value), Rlp.writeBytes(data)]
  const scalars = signature === undefined ? [] : [integer(BigInt(signature.r)), integer(BigInt(signature.s))]
  if (type === 0) {
    // EIP-155: the chain's id is in v, and before that in its place.
    const v = signature === undefined ? chainId : chainId * 2n + 35n + BigInt(signature.yParity)
    const end = signature === undefined ? [integer(0n), integer(0n)] : scalars
    return Rlp.writeList([integer(nonce), integer(transaction.gasPrice), ...body, integer(v), ...end])
  }
  const fees =
    type === 1
      ? [integer(transaction.gasPrice)]
      : [integer(transaction.maxPriorityFeePerGas), integer(transaction.maxFeePerGas)]
  const end = signature === undefined ? [] : [integer(BigInt(signature.yParity)), ...scalars]
  const lists = [writeAccessList(transaction), ...(type === 4 ? [writeAuthorizations(transaction)] : [])]
  const payload = Rlp.writeList([integer(chainId), integer(nonce), ...fees, ...body, ...lists, ...end])
  return concatBytes(Uint8Array.of(type), payload)
}

const integer = Rlp.writeInteger

const writeAccessList = ({ accessList }: Transaction): Uint8Array =>
  Rlp.writeList(
    accessList.map(({ address, storageKeys }) =>
      Rlp.writeList([Rlp.writeBytes(address), Rlp.writeList(storageKeys.map((key) => Rlp.writeBytes(key)))]),
    ),
  )

const writeAuthorizations = ({ authorizationList }: Transaction): Uint8Array =>
  Rlp.writeList(
    authorizationList.map(([chainId, address, ...rest]) =>
      Rlp.writeList([integer(chainId), Rlp.writeBytes(address), ...rest.map(integer)]),
    ),
  )

const listOf = (value: unknown, name: string): readonly unknown[] => {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) throw invalid(`${name} is no list`)
  return value
}

const bytes = (value: unknown, name: string, length?: number): Uint8Array => {
  if (typeof value !== 'string' || !/^0x(?:[0-9a-fA-F]{2})*$/.test(value)) throw invalid(`${name} is not hexadecimal`)
  const content = hexToBytes(value.slice(2))
  if (length !== undefined && content.length !== length) throw invalid(`${name} does not have ${length} bytes`)
  return content
}

const quantity = (fields: Fields, name: string): bigint | undefined => {
  const value = fields[name]
  return value === undefined || value === null ? undefined : quantityOf(value, name)
}
