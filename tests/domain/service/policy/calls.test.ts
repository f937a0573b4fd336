/** Calls of the token standards, mutated, against ethers as a second decoder: what is called, with what, and what it moves. */
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { Interface, type Result } from 'ethers'
import { serializeTransaction, type Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import { factsOf } from '../../../../domain/service/policy/facts.ts'
import type { Facts, Outflow } from '../../../../domain/service/policy/facts/Facts.ts'
import { times } from '../../../kit/long.ts'
import { mutationsOf } from '../../../kit/mutated.ts'
import { contract, data, friend, most, permit2, thief, transfer, usdc } from './evmPayloads.ts'
import { ask } from './table.ts'

const numbers = times(300, 10_000)

type Arg = string | bigint | boolean | readonly Arg[]
type Flow = Pick<Outflow, 'asset' | 'amount' | 'to' | 'isApproval'>

const chain = 'eip155:1'
const sends = (asset: string, amount: unknown, to: unknown): Flow => ({
  asset: `${chain}/${asset}`,
  amount: BigInt(String(amount)),
  to: String(to),
  isApproval: false,
})
const lets = (asset: string, amount: unknown, to: unknown): Flow => ({
  asset: `${chain}/${asset}`,
  amount: BigInt(String(amount)) >= 2n ** 159n ? 'unlimited' : BigInt(String(amount)),
  to: String(to),
  isApproval: true,
})
const list = (arg: Arg | undefined): readonly Arg[] => (Array.isArray(arg) ? (arg as readonly Arg[]) : [])

/** What each call moves by its standard's page; `undefined` where the contract does not take it. */
const standards: Readonly<Record<string, (args: readonly Arg[], to: string) => readonly Flow[] | undefined>> = {
  'transfer(address,uint256)': ([to, amount], token) => [sends(`erc20:${token}`, amount, to)],
  'transferFrom(address,address,uint256)': ([, to, amount], token) => [sends(`erc20:${token}`, amount, to)],
  'approve(address,uint256)': ([to, amount], token) => [lets(`erc20:${token}`, amount, to)],
  'increaseAllowance(address,uint256)': ([to, amount], token) => [lets(`erc20:${token}`, amount, to)],
  'decreaseAllowance(address,uint256)': () => [],
  'permit(address,address,uint256,uint256,uint8,bytes32,bytes32)': ([, to, amount], token) => [
    lets(`erc20:${token}`, amount, to),
  ],
  'permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)': ([, to, , , isAllowed], token) => [
    lets(`erc20:${token}`, isAllowed === true ? most : 0n, to),
  ],
  'safeTransferFrom(address,address,uint256)': ([, to, id], token) => [sends(`erc721:${token}/${String(id)}`, 1, to)],
  'safeTransferFrom(address,address,uint256,bytes)': ([, to, id], token) => [
    sends(`erc721:${token}/${String(id)}`, 1, to),
  ],
  'safeTransferFrom(address,address,uint256,uint256,bytes)': ([, to, id, amount], token) => [
    sends(`erc1155:${token}/${String(id)}`, amount, to),
  ],
  'safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)': ([, to, ids, amounts], token) =>
    list(ids).length === list(amounts).length
      ? list(ids).map((id, index) => sends(`erc1155:${token}/${String(id)}`, list(amounts)[index], to))
      : undefined,
  'setApprovalForAll(address,bool)': ([to, isAllowed], token) => [
    lets(`erc721:${token}`, isAllowed === true ? most : 0n, to),
  ],
  'multicall(bytes[])': () => [],
  'multicall(uint256,bytes[])': () => [],
  'multicall(bytes32,bytes[])': () => [],
}
const ofPermit2: typeof standards = {
  'approve(address,address,uint160,uint48)': ([token, to, amount]) => [lets(`erc20:${String(token)}`, amount, to)],
  'permit(address,((address,uint160,uint48,uint48),address,uint256),bytes)': ([, single]) => {
    const [details, to] = list(single)
    const [token, amount] = list(details)
    return [lets(`erc20:${String(token)}`, amount, to)]
  },
  'permit(address,((address,uint160,uint48,uint48)[],address,uint256),bytes)': ([, batch]) => {
    const [details, to] = list(batch)
    return list(details).map((one) => lets(`erc20:${String(list(one)[0])}`, list(one)[1], to))
  },
  'permitTransferFrom(((address,uint256),uint256,uint256),(address,uint256),address,bytes)': ([permit, details]) => {
    const [permitted] = list(permit)
    const [to, amount] = list(details)
    return [sends(`erc20:${String(list(permitted)[0])}`, amount, to)]
  },
  'permitTransferFrom(((address,uint256)[],uint256,uint256),(address,uint256)[],address,bytes)': ([
    permit,
    details,
  ]) => {
    const permitted = list(list(permit)[0])
    return permitted.length === list(details).length
      ? list(details).map((one, index) =>
          sends(`erc20:${String(list(permitted[index])[0])}`, list(one)[1], list(one)[0]),
        )
      : undefined
  },
  'transferFrom(address,address,uint160,address)': ([, to, amount, token]) => [
    sends(`erc20:${String(token)}`, amount, to),
  ],
  'transferFrom((address,address,uint160,address)[])': ([transfers]) =>
    list(transfers).map((one) => sends(`erc20:${String(list(one)[3])}`, list(one)[2], list(one)[1])),
}
const all = { ...standards, ...ofPermit2 }
const abi = new Interface(Object.keys(all).map((signature) => `function ${signature}`))

type Read = { readonly method: string; readonly args: readonly Arg[] } | undefined

const argOf = (value: unknown): Arg => {
  if (typeof value === 'string') return value.toLowerCase()
  return Array.isArray(value) ? value.map(argOf) : (value as bigint | boolean)
}

/** The call and those inside of it, as ethers reads them; one that it would write otherwise is none. */
const readBy = (called: Hex): readonly Read[] => {
  const fragment = called.length < 10 ? null : abi.getFunction(called.slice(0, 10))
  if (fragment === null) return [undefined]
  let args: Result
  try {
    args = abi.decodeFunctionData(fragment, called)
    if (abi.encodeFunctionData(fragment, args) !== called) return [undefined]
  } catch {
    return [undefined]
  }
  const method = fragment.format('sighash')
  const read = args.toArray(true).map(argOf)
  if (!method.startsWith('multicall')) return [{ method, args: read }]
  return [{ method, args: [] }, ...list(read.at(-1)).flatMap((one) => readBy(one as Hex))]
}

const flowsBy = (read: readonly Read[], to: string): readonly (Flow | undefined)[] =>
  read.flatMap((one): readonly (Flow | undefined)[] => {
    const moves = one && (standards[one.method] ?? (to === permit2 ? ofPermit2[one.method] : undefined))
    return moves?.(one?.args ?? [], to) ?? [undefined]
  })

/** What is read has small numbers as such. */
const readOf = ({ calls = [] }: Facts): readonly Read[] =>
  calls.map(({ decoded }) => decoded && { method: decoded.method, args: decoded.args.map(plainOf) })
const plainOf = (arg: unknown): Arg =>
  Array.isArray(arg) ? arg.map(plainOf) : typeof arg === 'number' ? BigInt(arg) : (arg as Arg)

const word = `0x${'11'.repeat(32)}`
const signature = `0x${'22'.repeat(65)}`
const permissions = [
  [usdc, 250n, 9, 1],
  [contract, 7n, 9, 2],
]
const good = [
  transfer(friend, 5n),
  data('transferFrom(address,address,uint256)', contract, friend, 7n),
  data('approve(address,uint256)', friend, 9n),
  data('increaseAllowance(address,uint256)', friend, 9n),
  data('decreaseAllowance(address,uint256)', friend, 9n),
  data('permit(address,address,uint256,uint256,uint8,bytes32,bytes32)', friend, thief, 250n, 9n, 27, word, word),
  data(
    'permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)',
    friend,
    thief,
    1n,
    9n,
    true,
    27,
    word,
    word,
  ),
  data('safeTransferFrom(address,address,uint256)', contract, friend, 9n),
  data('safeTransferFrom(address,address,uint256,bytes)', contract, friend, 9n, '0x010203'),
  data('safeTransferFrom(address,address,uint256,uint256,bytes)', contract, friend, 9n, 2n, '0x'),
  data(
    'safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)',
    contract,
    friend,
    [9n, 10n],
    [2n, 1n],
    '0x01',
  ),
  data('setApprovalForAll(address,bool)', friend, true),
  data('setApprovalForAll(address,bool)', friend, false),
  data('multicall(bytes[])', [transfer(friend, 5n), data('approve(address,uint256)', contract, 1n)]),
  data('multicall(uint256,bytes[])', 99n, [transfer(friend, 5n), data('multicall(bytes[])', [transfer(thief, 6n)])]),
  data('multicall(bytes32,bytes[])', word, [data('safeTransferFrom(address,address,uint256)', contract, friend, 9n)]),
  data('approve(address,address,uint160,uint48)', usdc, friend, 250n, 1),
  data(
    'permit(address,((address,uint160,uint48,uint48),address,uint256),bytes)',
    friend,
    [permissions[0], thief, 9n],
    signature,
  ),
  data(
    'permit(address,((address,uint160,uint48,uint48)[],address,uint256),bytes)',
    friend,
    [permissions, thief, 9n],
    signature,
  ),
  data(
    'permitTransferFrom(((address,uint256),uint256,uint256),(address,uint256),address,bytes)',
    [[usdc, 250n], 1n, 9n],
    [thief, 5n],
    friend,
    signature,
  ),
  data(
    'permitTransferFrom(((address,uint256)[],uint256,uint256),(address,uint256)[],address,bytes)',
    [
      [
        [usdc, 250n],
        [contract, 7n],
      ],
      1n,
      9n,
    ],
    [
      [thief, 5n],
      [friend, 6n],
    ],
    friend,
    signature,
  ),
  data('transferFrom(address,address,uint160,address)', friend, thief, 5n, usdc),
  data('transferFrom((address,address,uint160,address)[])', [
    [friend, thief, 5n, usdc],
    [friend, contract, 6n, contract],
  ]),
]

const factsOfCall = (to: string, called: Hex): Facts => {
  const transaction = serializeTransaction({ type: 'eip1559', chainId: 1, to: to as Hex, data: called }).slice(2)
  return factsOf(ask({ kind: 'transaction', transaction, chainId: '1', send: false }))
}

const expectSame = (to: string, called: Hex): readonly (Flow | undefined)[] => {
  const facts = factsOfCall(to, called)
  const read = readBy(called)
  const flows = flowsBy(read, to)
  const known = flows.filter((flow) => flow !== undefined)
  expect(readOf(facts)).toEqual(read)
  expect(facts.outflows).toEqual(known)
  expect(facts.outflowUnknown).toBe(flows.includes(undefined))
  const { values = [], isUnknown = false } = facts.fields.get('recipient') ?? {}
  expect({ values, isUnknown }).toEqual({
    values: [...new Set(known.map((flow) => flow.to))],
    isUnknown: flows.includes(undefined),
  })
  return flows
}

describe('a call of a standard', () => {
  it('is of each kind that is known, and read as ethers reads it', () => {
    const signatures = new Set(good.flatMap(readBy).map((one) => one?.method))
    expect([...signatures].toSorted()).toEqual(Object.keys(all).toSorted())
    for (const called of good) {
      expect(expectSame(permit2, called)).not.toContain(undefined)
      expectSame(usdc, called)
    }
  })

  it('moves nothing that is known where Permit2 gets lists of two lengths, or another contract its call', () => {
    const two = [
      [usdc, 250n],
      [contract, 7n],
    ]
    for (const [permitted, targets] of [
      [two, two.slice(1)],
      [two.slice(1), two],
    ]) {
      const called = data(
        'permitTransferFrom(((address,uint256)[],uint256,uint256),(address,uint256)[],address,bytes)',
        [permitted, 1n, 9n],
        targets,
        friend,
        signature,
      )
      expect(expectSame(permit2, called)).toEqual([undefined])
    }
    expect(expectSame(usdc, good.at(-1) ?? '0x')).toEqual([undefined])
  })

  it('is never read otherwise than ethers reads it, whatever became of its bytes', () => {
    let taken = 0
    const bytes = good.map((called) => hexToBytes(called.slice(2)))
    for (const mutated of mutationsOf(bytes, numbers)) {
      if (!expectSame(permit2, `0x${bytesToHex(mutated)}`).includes(undefined)) taken += 1
    }
    expect(taken).toBeGreaterThan(numbers / 20)
  })
})
