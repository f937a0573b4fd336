/**
 * Calls of contracts, as the token standards have them. A call is taken for one only if its arguments are encoded to the
 * same bytes again. Calls that a multicall carries are opened; nothing else is seen through, because what a contract
 * does with its arguments is its own.
 */
import {
  decodeFunctionData,
  encodeFunctionData,
  parseAbi,
  parseAbiItem,
  toFunctionSelector,
  toFunctionSignature,
  type AbiFunction,
} from 'viem'
import { tokenOf } from './evmAssets.ts'
import type { Call, Outflow } from './Facts.ts'

const standards: readonly AbiFunction[] = parseAbi([
  'function transfer(address,uint256)',
  'function transferFrom(address,address,uint256)',
  'function approve(address,uint256)',
  'function increaseAllowance(address,uint256)',
  'function decreaseAllowance(address,uint256)',
  'function permit(address,address,uint256,uint256,uint8,bytes32,bytes32)',
  'function permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)',
  'function safeTransferFrom(address,address,uint256)',
  'function safeTransferFrom(address,address,uint256,bytes)',
  'function safeTransferFrom(address,address,uint256,uint256,bytes)',
  'function safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)',
  'function setApprovalForAll(address,bool)',
  'function approve(address,address,uint160,uint48)',
  'function permit(address,((address,uint160,uint48,uint48),address,uint256),bytes)',
  'function permit(address,((address,uint160,uint48,uint48)[],address,uint256),bytes)',
  'function permitTransferFrom(((address,uint256),uint256,uint256),(address,uint256),address,bytes)',
  'function permitTransferFrom(((address,uint256)[],uint256,uint256),(address,uint256)[],address,bytes)',
  'function transferFrom(address,address,uint160,address)',
  'function transferFrom((address,address,uint160,address)[])',
  'function multicall(bytes[])',
  'function multicall(uint256,bytes[])',
  'function multicall(bytes32,bytes[])',
])
const bySelector: ReadonlyMap<string, AbiFunction> = new Map(standards.map((item) => [toFunctionSelector(item), item]))

const maximumDepth = 4
const maximumCalls = 64

type Read = { readonly method: string; readonly args: readonly unknown[] }

/**
 * A call that is of no standard, by a signature that its selector is of; `undefined` where the data is not exactly such
 * a call. One with the selector of a standard is read by the standard or not at all: a multicall that is too deep to be
 * opened stays unknown.
 */
export const callWith = (signature: string | undefined, data: `0x${string}`): Read | undefined => {
  if (signature === undefined || bySelector.has(data.slice(0, 10))) return undefined
  const item = parseAbiItem(`function ${signature}`)
  return item.type === 'function' ? readAs(item, data) : undefined
}

const readAs = (item: AbiFunction, data: `0x${string}`): Read | undefined => {
  try {
    const { functionName, args } = decodeFunctionData({ abi: [item], data })
    const isExact = encodeFunctionData({ abi: [item], functionName, args }) === data
    return isExact ? { method: toFunctionSignature(item), args: Array.isArray(args) ? args.map(plain) : [] } : undefined
  } catch {
    return undefined
  }
}

const plain = (arg: unknown): unknown => {
  if (Array.isArray(arg)) return arg.map(plain)
  return typeof arg === 'string' && /^0x/.test(arg) ? arg.toLowerCase() : arg
}

/** What one call of a token moves or permits. */
export type Effects = {
  readonly calls: readonly Call[]
  readonly outflows: readonly Outflow[]
  readonly recipients: readonly (string | undefined)[]
}

/** `chain` is `eip155:` and the chain id, `contract` the address that is called, in lower case. */
export const effectsOf = (chain: string, contract: string, data: `0x${string}`): Effects => {
  const calls = opened(data, 0) ?? [{ data, decoded: undefined }]
  const each = calls.map((call) => movedBy(chain, contract, call.decoded))
  return {
    calls,
    outflows: each.flatMap((flows) => flows ?? []),
    recipients: each.flatMap((flows) => flows?.map(({ to }) => to) ?? [undefined]),
  }
}

/** The call and those inside of it; `undefined` if they are too deep or too many. */
const opened = (data: `0x${string}`, depth: number): readonly Call[] | undefined => {
  const item = bySelector.get(data.slice(0, 10))
  const decoded = item && readAs(item, data)
  const inner = decoded?.method.startsWith('multicall(') === true ? decoded.args.at(-1) : undefined
  if (decoded === undefined || !Array.isArray(inner)) return [{ data, decoded }]
  if (depth === maximumDepth || inner.length > maximumCalls) return undefined
  const each = inner.map((one: unknown) => (isHex(one) ? opened(one, depth + 1) : undefined))
  const calls = each.every((one) => one !== undefined) ? each.flat() : undefined
  if (calls === undefined || calls.length >= maximumCalls) return undefined
  // The arguments of the multicall are the calls inside, which are read by themselves.
  const multicall = { ...decoded, args: [] }
  return [{ data, decoded: multicall, opened: { args: decoded.args.slice(0, -1), calls: inner.length } }, ...calls]
}

const isHex = (value: unknown): value is `0x${string}` => typeof value === 'string' && value.startsWith('0x')

/** An allowance that no supply reaches; tokens and Permit2 have their own largest numbers. */
const unlimitedFrom = 2n ** 159n

export const amountOf = (amount: bigint): bigint | 'unlimited' => (amount >= unlimitedFrom ? 'unlimited' : amount)

const moves = (asset: string, amount: bigint, to: string): Outflow => ({ asset, amount, to, isApproval: false })

const permits = (asset: string, amount: bigint | 'unlimited', to: string): Outflow => ({
  asset,
  amount,
  to,
  isApproval: true,
})

/** `undefined` if it cannot be known. */
const movedBy = (chain: string, contract: string, call: Read | undefined): readonly Outflow[] | undefined => {
  if (call === undefined) return undefined
  const ofPermit2 = contract === permit2 ? movedByPermit2(chain, call) : undefined
  if (ofPermit2 !== undefined) return ofPermit2
  const { method, args } = call
  const at = (index: number) => String(args[index])
  const number = (index: number) => BigInt(at(index))
  const erc20 = tokenOf(chain, contract)
  const nft = (standard: 'erc721' | 'erc1155', id: bigint) => `${chain}/${standard}:${contract}/${id}`
  switch (method) {
    case 'transfer(address,uint256)':
      return [moves(erc20, number(1), at(0))]
    case 'transferFrom(address,address,uint256)':
      return [moves(erc20, number(2), at(1))]
    case 'approve(address,uint256)':
    case 'increaseAllowance(address,uint256)':
      return [permits(erc20, amountOf(number(1)), at(0))]
    case 'permit(address,address,uint256,uint256,uint8,bytes32,bytes32)':
      return [permits(erc20, amountOf(number(2)), at(1))]
    case 'permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)':
      return [permits(erc20, args[4] === true ? 'unlimited' : 0n, at(1))]
    case 'safeTransferFrom(address,address,uint256)':
    case 'safeTransferFrom(address,address,uint256,bytes)':
      return [moves(nft('erc721', number(2)), 1n, at(1))]
    case 'safeTransferFrom(address,address,uint256,uint256,bytes)':
      return [moves(nft('erc1155', number(2)), number(3), at(1))]
    case 'safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)': {
      const [ids, amounts] = [args[2], args[3]]
      if (!isNumbers(ids) || !isNumbers(amounts) || ids.length !== amounts.length) return undefined
      return ids.map((id, index) => moves(nft('erc1155', id), amounts[index] ?? 0n, at(1)))
    }
    case 'setApprovalForAll(address,bool)':
      return [permits(`${chain}/erc721:${contract}`, args[1] === true ? 'unlimited' : 0n, at(0))]
    case 'decreaseAllowance(address,uint256)':
      return []
    default:
      return method.startsWith('multicall(') ? [] : undefined
  }
}

/** A token of Permit2 and how much of it; what follows is times and numbers. */
type Permission = readonly [token: string, amount: bigint, ...unknown[]]
type Transfer = readonly [from: string, to: string, amount: bigint, token: string]
type Target = readonly [to: string, amount: bigint]

/** What a call that only Permit2 has moves; `undefined` if it is none of them. */
const movedByPermit2 = (chain: string, { method, args }: Read): readonly Outflow[] | undefined => {
  const permit = ([token, amount]: Permission, to: string) => permits(tokenOf(chain, token), amountOf(amount), to)
  const move = (token: string, amount: bigint, to: string) => moves(tokenOf(chain, token), amount, to)
  switch (method) {
    case 'approve(address,address,uint160,uint48)': {
      const [token, spender, amount] = args as readonly [string, string, bigint]
      return [permit([token, amount], spender)]
    }
    case 'permit(address,((address,uint160,uint48,uint48),address,uint256),bytes)': {
      const [permission, spender] = args[1] as readonly [Permission, string]
      return [permit(permission, spender)]
    }
    case 'permit(address,((address,uint160,uint48,uint48)[],address,uint256),bytes)': {
      const [permissions, spender] = args[1] as readonly [readonly Permission[], string]
      return permissions.map((permission) => permit(permission, spender))
    }
    case 'permitTransferFrom(((address,uint256),uint256,uint256),(address,uint256),address,bytes)': {
      const [[[token]], [to, amount]] = args as readonly [readonly [Permission], Target]
      return [move(token, amount, to)]
    }
    case 'permitTransferFrom(((address,uint256)[],uint256,uint256),(address,uint256)[],address,bytes)': {
      const [[permissions], targets] = args as readonly [readonly [readonly Permission[]], readonly Target[]]
      // The contract refuses lists of two lengths.
      if (permissions.length !== targets.length) return undefined
      return targets.flatMap(([to, amount], index) => {
        const [token] = permissions[index] ?? []
        return token === undefined ? [] : [move(token, amount, to)]
      })
    }
    case 'transferFrom(address,address,uint160,address)': {
      const [, to, amount, token] = args as Transfer
      return [move(token, amount, to)]
    }
    case 'transferFrom((address,address,uint160,address)[])': {
      const [transfers] = args as readonly [readonly Transfer[]]
      return transfers.map(([, to, amount, token]) => move(token, amount, to))
    }
    default:
      return undefined
  }
}

const isNumbers = (value: unknown): value is readonly bigint[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'bigint')

/** Where the contract is the same on every chain (github.com/Uniswap/permit2). */
export const permit2 = '0x000000000022d473030f116ddee9f6b43ac78ba3'
