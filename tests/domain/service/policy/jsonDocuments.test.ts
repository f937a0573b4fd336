/**
 * Payloads that are JSON, typed data and amino documents, against a second reader. It keeps a key that is there twice, a name
 * that is a prototype's, and every digit of a number, all of which JSON.parse lets go: what it reads has to have one
 * meaning, or the payload is refused.
 */
import type { StdSignDoc } from '@cosmjs/amino'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { TypedDataEncoder } from 'ethers'
import * as Result from 'effect/Result'
import { describe, expect, it } from 'vitest'
import { isMap, isScalar, isSeq, parseDocument } from 'yaml'
import { aminoBytes } from '../../../../domain/model/CosmosMessage.ts'
import { payloadDigest } from '../../../../domain/mpc/SigningRequest.ts'
import * as TypedData from '../../../../domain/mpc/TypedData.ts'
import { factsOf } from '../../../../domain/service/policy/facts.ts'
import type { Facts } from '../../../../domain/service/policy/facts/Facts.ts'
import { times } from '../../../kit/long.ts'
import { mutationsOf } from '../../../kit/mutated.ts'
import { aminoDocument, aminoSend, friend as cosmosFriend, thief as cosmosThief } from './cosmosPayloads.ts'
import { contract, friend, most, permit2, thief, usdc } from './evmPayloads.ts'
import { ask } from './table.ts'

/** Of each of three kinds of change. */
const numbers = times(100, 4_000)

/** Whole numbers with all of their digits; an object as its keys and values in their order, each as often as it is there. */
type Node = string | number | bigint | boolean | null | readonly Node[] | Fields
class Fields {
  readonly entries: readonly (readonly [string, Node])[]
  constructor(entries: Fields['entries']) {
    this.entries = entries
  }
}

/** JSON is YAML; `undefined` if it is none. */
const readBy = (text: string): Node | undefined => {
  const document = parseDocument(text, { schema: 'json', uniqueKeys: false, intAsBigInt: true })
  return document.errors.length > 0 ? undefined : nodeOf(document.contents)
}

const nodeOf = (given: unknown): Node => {
  if (isSeq(given)) return given.items.map(nodeOf)
  if (isMap(given)) {
    return new Fields(
      given.items.map(({ key, value }) => [String(isScalar(key) ? key.value : undefined), nodeOf(value)] as const),
    )
  }
  if (isScalar(given)) return given.value as Node
  throw new Error('no JSON')
}

const hasTwice = (node: Node): boolean => {
  if (Array.isArray(node)) return (node as readonly Node[]).some(hasTwice)
  if (!(node instanceof Fields)) return false
  const names = node.entries.map(([name]) => name)
  return new Set(names).size < names.length || node.entries.some(([, one]) => hasTwice(one))
}

const at = (node: Node | undefined, ...path: readonly (string | number)[]): Node | undefined =>
  path.reduce<Node | undefined>((within, name) => {
    if (within instanceof Fields) return within.entries.find(([key]) => key === name)?.[1]
    return Array.isArray(within) ? (within as readonly Node[])[Number(name)] : undefined
  }, node)
const list = (node: Node | undefined): readonly Node[] => (Array.isArray(node) ? (node as readonly Node[]) : [])
const text = (node: Node | undefined): string => (typeof node === 'string' ? node : `no text: ${typeof node}`)

/** For ethers, which takes objects. */
const plain = (node: Node | undefined): unknown => {
  if (Array.isArray(node)) return (node as readonly Node[]).map(plain)
  return node instanceof Fields ? Object.fromEntries(node.entries.map(([name, one]) => [name, plain(one)])) : node
}

/** What readers of JSON do not agree on. */
const pieces = [
  '"spender":"THIEF",',
  '"to_address":"THIEF",',
  '"amount":"1",',
  '"chainId":"2",',
  '"chain_id":"osmosis-1",',
  '"__proto__":{"spender":"THIEF"},',
  '"constructor":"1",',
  '"\\u0061mount":"1",',
  '9007199254740993,',
  '1e400,',
  '-0,',
  '"\\ud800",',
  '"\\ud83d\\ude00",',
  '"\u2028",',
  '\ufeff',
  '/**/',
  'NaN,',
]

/** A piece behind one of the signs that begin a value or a field, there beside what follows or in its place. */
const piecedOf = function* (good: readonly string[], count: number, thiefsAddress: string): Generator<string> {
  for (let index = 0; index < count; index++) {
    const [a = 0, b = 0, c = 0, d = 0] = sha256(utf8ToBytes(`piece ${index}`))
    const whole = good[index % good.length] ?? ''
    const places = [...whole.matchAll(/[{[,:]/g)].map((found) => found.index + 1)
    const place = places[(256 * a + b) % places.length] ?? 0
    const piece = (pieces[c % pieces.length] ?? '').replace('THIEF', thiefsAddress)
    const rest = whole.slice(place)
    yield whole.slice(0, place) + (d % 2 === 0 ? piece + rest : rest.replace(/^[^,}\]]*/, piece.replace(/,$/, '')))
  }
}

/** Another digit in the place of one: most of them make another address or number. */
const redigitedOf = function* (good: readonly string[], count: number): Generator<string> {
  for (let index = 0; index < count; index++) {
    const [a = 0, b = 0, c = 0] = sha256(utf8ToBytes(`digit ${index}`))
    const whole = good[index % good.length] ?? ''
    const places = [...whole.matchAll(/[0-9]/g)].map((found) => found.index)
    const place = places[(256 * a + b) % places.length] ?? 0
    yield whole.slice(0, place) + String(c % 10) + whole.slice(place + 1)
  }
}

/** Bytes changed, digits changed, and pieces put in. Bytes that are no UTF-8 have no text. */
const changedOf = function* (good: readonly string[], thiefsAddress: string): Generator<string> {
  for (const bytes of mutationsOf(good.map(utf8ToBytes), numbers)) yield new TextDecoder().decode(bytes)
  yield* redigitedOf(good, numbers)
  yield* piecedOf(good, numbers, thiefsAddress)
}

const isJson = (whole: string): boolean => {
  try {
    JSON.parse(whole)
    return true
  } catch {
    return false
  }
}

describe('typed data', () => {
  const details = { token: 'address', amount: 'uint160', expiration: 'uint48', nonce: 'uint48' }
  const permissions = { token: 'address', amount: 'uint256' }
  const authorization = {
    from: 'address',
    to: 'address',
    value: 'uint256',
    validAfter: 'uint256',
    validBefore: 'uint256',
    nonce: 'bytes32',
  }
  const word = `0x${'11'.repeat(32)}`
  const token = { name: 'USD Coin', version: '2', chainId: 1, verifyingContract: usdc }
  const ofPermit2 = { name: 'Permit2', chainId: 1, verifyingContract: permit2 }
  const times = { validAfter: 0, validBefore: 9, nonce: word }
  const permitted = (amount: bigint) => ({ token: usdc, amount })
  const detailed = (amount: bigint) => ({ ...permitted(amount), expiration: 9, nonce: 0 })
  const documentOf = (
    types: Readonly<Record<string, Readonly<Record<string, string>>>>,
    domain: object,
    message: object,
  ) => {
    const written = Object.fromEntries(
      Object.entries(types).map(([name, fields]) => [
        name,
        Object.entries(fields).map(([field, type]) => ({ name: field, type })),
      ]),
    )
    return TypedData.read({ types: written, primaryType: Object.keys(types)[0], domain, message })?.text ?? ''
  }
  const good = [
    documentOf(
      { Permit: { owner: 'address', spender: 'address', value: 'uint256', nonce: 'uint256', deadline: 'uint256' } },
      token,
      { owner: contract, spender: friend, value: 250n, nonce: 0, deadline: most },
    ),
    documentOf(
      { Permit: { holder: 'address', spender: 'address', nonce: 'uint256', expiry: 'uint256', allowed: 'bool' } },
      token,
      { holder: contract, spender: friend, nonce: 0, expiry: 9, allowed: true },
    ),
    documentOf({ TransferWithAuthorization: authorization }, token, {
      from: contract,
      to: friend,
      value: 5n,
      ...times,
    }),
    documentOf({ ReceiveWithAuthorization: authorization }, token, { from: contract, to: friend, value: 5n, ...times }),
    documentOf(
      {
        PermitSingle: { details: 'PermitDetails', spender: 'address', sigDeadline: 'uint256' },
        PermitDetails: details,
      },
      ofPermit2,
      { details: detailed(2501n), spender: friend, sigDeadline: 99 },
    ),
    documentOf(
      {
        PermitBatch: { details: 'PermitDetails[]', spender: 'address', sigDeadline: 'uint256' },
        PermitDetails: details,
      },
      ofPermit2,
      { details: [detailed(2501n), detailed(7n)], spender: friend, sigDeadline: 99 },
    ),
    documentOf(
      {
        PermitTransferFrom: {
          permitted: 'TokenPermissions',
          spender: 'address',
          nonce: 'uint256',
          deadline: 'uint256',
        },
        TokenPermissions: permissions,
      },
      ofPermit2,
      { permitted: permitted(250n), spender: friend, nonce: 0, deadline: 9 },
    ),
    documentOf(
      {
        PermitBatchTransferFrom: {
          permitted: 'TokenPermissions[]',
          spender: 'address',
          nonce: 'uint256',
          deadline: 'uint256',
        },
        TokenPermissions: permissions,
      },
      ofPermit2,
      { permitted: [permitted(250n), permitted(7n)], spender: friend, nonce: 0, deadline: 9 },
    ),
  ]

  type Flow = Facts['outflows'][number]

  /** By the names of the forms, whose fields are compared one by one. */
  const flowsBy = (root: Node): readonly Flow[] => {
    const message = at(root, 'message')
    const chain = `eip155:${text(at(root, 'domain', 'chainId'))}`
    const own = text(at(root, 'domain', 'verifyingContract'))
    const amountOf = (node: Node | undefined) => (BigInt(text(node)) >= 2n ** 159n ? 'unlimited' : BigInt(text(node)))
    const permit = (contractOfToken: string, amount: bigint | 'unlimited'): Flow => ({
      asset: `${chain}/erc20:${contractOfToken}`,
      amount,
      to: text(at(message, 'spender')),
      isApproval: true,
    })
    const fieldsOfForm = list(at(root, 'types', text(at(root, 'primaryType')))).map((field) => text(at(field, 'name')))
    switch (text(at(root, 'primaryType'))) {
      case 'Permit':
        return fieldsOfForm.includes('allowed')
          ? [permit(own, at(message, 'allowed') === true ? 'unlimited' : 0n)]
          : [permit(own, amountOf(at(message, 'value')))]
      case 'TransferWithAuthorization':
      case 'ReceiveWithAuthorization':
        return [
          {
            asset: `${chain}/erc20:${own}`,
            amount: BigInt(text(at(message, 'value'))),
            to: text(at(message, 'to')),
            isApproval: false,
          },
        ]
      default: {
        expect(own).toBe(permit2)
        const all = at(message, fieldsOfForm[0] ?? '')
        return (Array.isArray(all) ? list(all) : [all]).map((one) =>
          permit(text(at(one, 'token')), amountOf(at(one, 'amount'))),
        )
      }
    }
  }

  const digestBy = (root: Node): string => {
    const types = plain(at(root, 'types')) as Record<string, { name: string; type: string }[]>
    const { EIP712Domain: domainType = [], ...others } = types
    const primaryType = text(at(root, 'primaryType'))
    const encoder = TypedDataEncoder.from(others)
    expect(encoder.primaryType).toBe(primaryType)
    expect(domainType.map(({ name }) => name)).toEqual(Object.keys(plain(at(root, 'domain')) as object))
    return TypedDataEncoder.hash(plain(at(root, 'domain')) as object, others, plain(at(root, 'message')) as object)
  }

  it('has one meaning, whatever became of its bytes', () => {
    let [taken, known, refused] = [0, 0, 0]
    for (const whole of changedOf(good, thief)) {
      const facts = factsOf(ask({ kind: 'eip712', typedData: whole }))
      const digest = payloadDigest({ kind: 'eip712', typedData: whole }, 'DKLS')
      expect(facts.isOpaque).toBe(Result.isFailure(digest))
      if (Result.isFailure(digest)) {
        if (isJson(whole)) refused += 1
        continue
      }
      taken += 1
      const root = readBy(whole)
      if (root === undefined) throw new Error(`no JSON: ${whole}`)
      expect(hasTwice(root)).toBe(false)
      expect(`0x${bytesToHex(digest.success.message)}`).toBe(digestBy(root))
      if (facts.outflowUnknown) continue
      known += 1
      expect(facts.outflows).toEqual(flowsBy(root))
    }
    expect(taken).toBeGreaterThan(numbers / 20)
    expect(known).toBeGreaterThan(numbers / 40)
    expect(refused).toBeGreaterThan(numbers / 5)
  })
})

describe('an amino document', () => {
  const textOf = (...messages: readonly StdSignDoc['msgs'][number][]) =>
    new TextDecoder().decode(aminoBytes(aminoDocument(...messages)))
  const good = [
    textOf(aminoSend(cosmosFriend, 5), aminoSend(cosmosThief, 7)),
    textOf({ type: 'cosmos-sdk/MsgExec', value: { grantee: cosmosFriend, msgs: [aminoSend(cosmosFriend, 5)] } }),
    // Nothing is known of its value, which may have numbers and names of any kind.
    textOf({ type: 'an/App', value: { amount: 9_007_199_254_740_991, to: { name: 'a' }, many: [1, true, null] } }),
  ]

  const flowsBy = (root: Node): readonly unknown[] => {
    const chain = `cosmos:${text(at(root, 'chain_id'))}`
    const of = (to: string | undefined, coins: Node | undefined) =>
      list(coins).map((coin) => [chain, text(at(coin, 'denom')), BigInt(text(at(coin, 'amount'))), to])
    const sent = (messages: Node | undefined): readonly unknown[] =>
      list(messages).flatMap((message) => {
        if (at(message, 'type') === 'cosmos-sdk/MsgExec') return sent(at(message, 'value', 'msgs'))
        expect(at(message, 'type')).toBe('cosmos-sdk/MsgSend')
        return of(text(at(message, 'value', 'to_address')), at(message, 'value', 'amount'))
      })
    return [...sent(at(root, 'msgs')), ...of(undefined, at(root, 'fee', 'amount'))]
  }

  /** Whether both readers have the same, number by number. */
  const isSame = (node: Node | undefined, parsed: unknown): boolean => {
    if (Array.isArray(node)) {
      const items = node as readonly Node[]
      return (
        Array.isArray(parsed) &&
        items.length === parsed.length &&
        items.every((one, index) => isSame(one, parsed[index]))
      )
    }
    if (node instanceof Fields) {
      const fields = new Map(Object.entries(parsed as object))
      return fields.size === node.entries.length && node.entries.every(([name, one]) => isSame(one, fields.get(name)))
    }
    return typeof node === 'bigint' ? typeof parsed === 'number' && BigInt(parsed) === node : node === parsed
  }

  it('has one meaning, whatever became of its bytes', () => {
    let [taken, known, refused] = [0, 0, 0]
    for (const whole of changedOf(good, cosmosThief)) {
      const facts = factsOf(ask({ kind: 'cosmosAmino', signDoc: bytesToHex(new TextEncoder().encode(whole)) }))
      if (facts.isOpaque) {
        if (isJson(whole)) refused += 1
        continue
      }
      taken += 1
      const root = readBy(whole)
      if (root === undefined) throw new Error(`no JSON: ${whole}`)
      expect(hasTwice(root)).toBe(false)
      expect(isSame(root, JSON.parse(whole))).toBe(true)
      if (facts.outflowUnknown) continue
      known += 1
      expect(
        facts.outflows.map(({ asset, amount, to }) => {
          const [chain = '', denom = ''] = asset.split('/denom:')
          return [chain, decodeURIComponent(denom), amount, to]
        }),
      ).toEqual(flowsBy(root))
    }
    expect(taken).toBeGreaterThan(numbers / 20)
    expect(known).toBeGreaterThan(numbers / 40)
    expect(refused).toBeGreaterThan(numbers / 5)
  })
})

describe('the second reader', () => {
  it('keeps what JSON.parse lets go', () => {
    const twice = readBy('{"a":1,"a":9007199254740993,"__proto__":{"b":"\\ud800"}}')
    expect(twice).toEqual(
      new Fields([
        ['a', 1n],
        ['a', 9_007_199_254_740_993n],
        ['__proto__', new Fields([['b', '\ud800']])],
      ]),
    )
    expect(twice !== undefined && hasTwice(twice)).toBe(true)
    expect(readBy('{"a":NaN}')).toBeUndefined()
  })
})
