/** What a person is shown: every field that is signed, so that two payloads which differ in one are never shown alike. */
import { serializeSignDoc, type AminoMsg } from '@cosmjs/amino'
import { bytesToHex } from '@noble/hashes/utils.js'
import { PublicKey, TransactionInstruction, TransactionMessage } from '@solana/web3.js'
import { MsgExec } from 'cosmjs-types/cosmos/authz/v1beta1/tx'
import { MsgMultiSend, MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { MsgWithdrawDelegatorReward } from 'cosmjs-types/cosmos/distribution/v1beta1/tx'
import { MsgVote } from 'cosmjs-types/cosmos/gov/v1beta1/tx'
import { MsgBeginRedelegate, MsgDelegate, MsgUndelegate } from 'cosmjs-types/cosmos/staking/v1beta1/tx'
import { SignMode } from 'cosmjs-types/cosmos/tx/signing/v1beta1/signing'
import { AuthInfo, SignDoc, TxBody } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { MsgTransfer } from 'cosmjs-types/ibc/applications/transfer/v1/tx'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Hex } from 'viem'
import * as TypedData from '../../../../domain/mpc/TypedData.ts'
import { contentOf } from '../../../../domain/service/policy/content.ts'
import { factsOf } from '../../../../domain/service/policy/facts.ts'
import type { Asked } from '../../../../domain/service/policy/facts/Facts.ts'
import { times } from '../../../kit/long.ts'
import { aminoTransfer, execute, grant, send, transfer } from './cosmosPayloads.ts'
import { call, contract, data, friend, permit2, requestOf, thief, transfer as transferOf, usdc } from './evmPayloads.ts'
import {
  friend as solanaFriend,
  mint,
  other,
  pay,
  signed,
  sponsor,
  table,
  tables,
  thief as solanaThief,
  transferChecked,
  wallet,
} from './solanaPayloads.ts'
import { ask } from './table.ts'

const shown = (asked: Asked) => contentOf(factsOf(asked), () => true)

/** Bytes of what is not decoded tell two payloads apart and say nothing to a person. */
const isRaw = /^(?:signDoc|transaction|message|typedData|data)$|^msgs.*\.value$/

const expectDifferent = (one: Asked | undefined, two: Asked | undefined): void => {
  if (one === undefined || two === undefined) throw new Error('there are not two payloads')
  expect(shown(one)).not.toEqual(shown(two))
  expect(shown(one).details.filter(({ name }) => isRaw.test(name))).toEqual([])
}

/** Values by their paths, such as `amount.0.denom`. */
type Values = Readonly<Record<string, string>>
type Build = (values: Values) => Asked

/** Two values of one field never look the same, whatever the others are. */
const expectTold = (build: Build, fields: Readonly<Record<string, fc.Arbitrary<string>>>, field: string) => {
  const value = fields[field] ?? fc.constant('')
  fc.assert(
    fc.property(fc.record(fields), value, value, (others, one, two) => {
      fc.pre(one !== two)
      const [first, second] = [one, two].map((chosen) => build({ ...others, [field]: chosen }))
      expectDifferent(first, second)
    }),
    { numRuns: times(2, 60) },
  )
}

const text = fc.oneof(fc.constantFrom('', '0', '1 uatom', 'a', ' a'), fc.string({ maxLength: 20 }))
const u64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(String)

type Kind = {
  readonly codec: { readonly typeUrl: string; readonly encode: (message: never) => { finish: () => Uint8Array } }
  readonly amino: string
  readonly fields: Readonly<Record<string, fc.Arbitrary<string>>>
}

const coinAt = (path: string) => ({ [`${path}.denom`]: text, [`${path}.amount`]: text })
const delegation = { delegator_address: text, validator_address: text, ...coinAt('amount') }
const kinds: readonly Kind[] = [
  {
    codec: MsgSend,
    amino: 'cosmos-sdk/MsgSend',
    fields: { from_address: text, to_address: text, ...coinAt('amount.0'), ...coinAt('amount.1') },
  },
  {
    codec: MsgMultiSend,
    amino: 'cosmos-sdk/MsgMultiSend',
    fields: {
      'inputs.0.address': text,
      ...coinAt('inputs.0.coins.0'),
      'outputs.0.address': text,
      ...coinAt('outputs.0.coins.0'),
      'outputs.1.address': text,
      ...coinAt('outputs.1.coins.0'),
    },
  },
  {
    codec: MsgTransfer,
    amino: 'cosmos-sdk/MsgTransfer',
    fields: {
      source_port: text,
      source_channel: text,
      ...coinAt('token'),
      sender: text,
      receiver: text,
      'timeout_height.revision_number': u64,
      'timeout_height.revision_height': u64,
      timeout_timestamp: u64,
      memo: text,
      encoding: text,
    },
  },
  { codec: MsgDelegate, amino: 'cosmos-sdk/MsgDelegate', fields: delegation },
  { codec: MsgUndelegate, amino: 'cosmos-sdk/MsgUndelegate', fields: delegation },
  {
    codec: MsgBeginRedelegate,
    amino: 'cosmos-sdk/MsgBeginRedelegate',
    fields: {
      delegator_address: text,
      validator_src_address: text,
      validator_dst_address: text,
      ...coinAt('amount'),
    },
  },
  {
    codec: MsgWithdrawDelegatorReward,
    amino: 'cosmos-sdk/MsgWithdrawDelegationReward',
    fields: { delegator_address: text, validator_address: text },
  },
  {
    codec: MsgVote,
    amino: 'cosmos-sdk/MsgVote',
    fields: { proposal_id: u64, voter: text, option: fc.integer({ min: 0, max: 9 }).map(String) },
  },
]

/** The object of the values by their paths; a segment that is a number is an index. */
const nested = (values: Values, nameOf: (name: string) => string, leafOf: (name: string, value: string) => unknown) => {
  const put = (into: Record<string, unknown>, path: readonly string[], value: string): void => {
    const [name = '', next, ...rest] = path
    const key = nameOf(name)
    if (next === undefined) {
      into[key] = leafOf(name, value)
      return
    }
    into[key] ??= /^\d+$/.test(next) ? [] : {}
    put(into[key] as Record<string, unknown>, [next, ...rest], value)
  }
  const root: Record<string, unknown> = {}
  for (const [path, value] of Object.entries(values)) put(root, path.split('.'), value)
  return root
}

const camel = (name: string) => name.replace(/_[a-z]/g, (match) => (match[1] ?? '').toUpperCase())
const longs = ['proposal_id', 'revision_number', 'revision_height', 'timeout_timestamp']

const directDocument = (
  messages: readonly { readonly typeUrl: string; readonly value: Uint8Array }[],
  values: Values = {},
): Asked => {
  const { memo = '', chain_id: chainId = 'cosmoshub-4', account_number = '7', sequence = '0', gas = '1' } = values
  const { timeout_height = '0', payer = '', granter = '', unordered = '', seconds = '0' } = values
  const body = TxBody.fromPartial({
    messages: [...messages],
    memo,
    timeoutHeight: BigInt(timeout_height),
    unordered: unordered !== '',
    ...(seconds === '0' ? {} : { timeoutTimestamp: { seconds: BigInt(seconds), nanos: 0 } }),
  })
  const authInfo = AuthInfo.fromPartial({
    signerInfos: [
      { modeInfo: { single: { mode: SignMode.SIGN_MODE_DIRECT } }, sequence: BigInt(sequence) },
      ...(values['signer'] === undefined ? [] : [{ sequence: BigInt(values['signer']) }]),
    ],
    fee: {
      amount: [{ denom: values['fee.denom'] ?? 'uatom', amount: values['fee.amount'] ?? '1' }],
      gasLimit: BigInt(gas),
      payer,
      granter,
    },
  })
  const signDoc = SignDoc.encode({
    bodyBytes: TxBody.encode(body).finish(),
    authInfoBytes: AuthInfo.encode(authInfo).finish(),
    chainId,
    accountNumber: BigInt(account_number),
  }).finish()
  return ask({ kind: 'cosmosDirect', signDoc: bytesToHex(signDoc) })
}

const aminoDocument = (msgs: readonly AminoMsg[], values: Values = {}) => {
  const { memo = '', chain_id = 'cosmoshub-4', account_number = '7', sequence = '0', gas = '1' } = values
  const { timeout_height, payer, granter } = values
  const document = {
    chain_id,
    account_number,
    sequence,
    fee: {
      amount: [{ denom: values['fee.denom'] ?? 'uatom', amount: values['fee.amount'] ?? '1' }],
      gas,
      ...(payer ? { payer } : {}),
      ...(granter ? { granter } : {}),
    },
    msgs,
    memo,
    ...(timeout_height === undefined ? {} : { timeout_height }),
  }
  return ask({ kind: 'cosmosAmino', signDoc: bytesToHex(serializeSignDoc(document)) })
}

const directMessage = ({ codec }: Kind, values: Values) => {
  const leafOf = (name: string, value: string) =>
    longs.includes(name) ? BigInt(value) : name === 'option' ? Number(value) : value
  return { typeUrl: codec.typeUrl, value: codec.encode(nested(values, camel, leafOf) as never).finish() }
}
const aminoMessage = ({ amino }: Kind, values: Values) => ({
  type: amino,
  value: nested(
    values,
    (name) => name,
    (name, value) => (name === 'option' ? Number(value) : value),
  ),
})

describe.each(kinds)('$amino', (kind) => {
  it.each(Object.keys(kind.fields))('is shown with its %s', (field) => {
    expectTold((values) => directDocument([directMessage(kind, values)]), kind.fields, field)
    expectTold((values) => aminoDocument([aminoMessage(kind, values)]), kind.fields, field)
  })

  it('is shown in the same words from both forms, each of its fields once', () => {
    fc.assert(
      fc.property(fc.record(kind.fields), (values) => {
        const { details } = shown(directDocument([directMessage(kind, values)]))
        expect(shown(aminoDocument([aminoMessage(kind, values)])).details).toEqual(details)
        const names = details.map(({ name }) => name)
        expect(new Set(names).size).toBe(names.length)
      }),
      { numRuns: times(2, 60) },
    )
  })
})

describe('a transaction of Cosmos', () => {
  const paid = send('cosmos1friend', 5)
  const both = {
    chain_id: fc.integer({ min: 1, max: 99 }).map((number) => `chain-${number}`),
    account_number: u64,
    sequence: u64,
    gas: u64,
    'fee.denom': text,
    'fee.amount': text,
    payer: text,
    granter: text,
    memo: text,
    timeout_height: u64,
  }
  const directOnly = {
    ...both,
    unordered: fc.constantFrom('', 'true'),
    seconds: fc.integer({ min: 0, max: 2 ** 31 - 1 }).map(String),
    signer: u64,
  }

  it.each(Object.keys(directOnly))('is shown with its %s', (field) => {
    expectTold((values) => directDocument([paid], values), directOnly, field)
    if (!Object.hasOwn(both, field)) return
    const value = { from_address: 'cosmos1wallet', to_address: 'cosmos1friend', amount: [] }
    expectTold((values) => aminoDocument([{ type: 'cosmos-sdk/MsgSend', value }], values), both, field)
  })

  it.each(['data', 'signer', 'more', ...Object.keys(both).filter((name) => name !== 'chain_id')])(
    'of a plain message is shown with its %s',
    (field) => {
      const fields = { ...both, chain_id: fc.constant(''), data: text, signer: text, more: text }
      const build = ({ data: message = '', signer = '', more = '', ...values }: Values) => {
        const value = { data: Buffer.from(message).toString('base64'), signer, more }
        return aminoDocument([{ type: 'sign/MsgSignData', value }], values)
      }
      expectTold(build, fields, field)
    },
  )

  it('is shown with the messages inside of others where they are', () => {
    const grouped = [
      [execute(paid, paid)],
      [execute(paid), paid],
      [execute(execute(paid), paid)],
      [execute(execute(paid, paid))],
    ].map((messages) => JSON.stringify(shown(directDocument(messages)).details))
    expect(new Set(grouped).size).toBe(grouped.length)
  })

  it('is shown with the account that executes messages for another', () => {
    const grantee = { name: 'msgs[0].grantee', value: 'cosmos1other' }
    const bytes = MsgExec.encode({ grantee: grantee.value, msgs: [paid] }).finish()
    expect(shown(directDocument([{ typeUrl: MsgExec.typeUrl, value: bytes }])).details).toContainEqual(grantee)
    const value = { grantee: grantee.value, msgs: [aminoTransfer('osmo1friend', 'channel-141')] }
    expect(shown(aminoDocument([{ type: 'cosmos-sdk/MsgExec', value }])).details).toContainEqual(grantee)
  })

  it('is shown with the option of a vote, also one that no chain has', () => {
    const options = Array.from({ length: 10 }, (_, option) => {
      const value = { proposal_id: '1', voter: 'cosmos1wallet', option }
      return JSON.stringify(shown(aminoDocument([{ type: 'cosmos-sdk/MsgVote', value }])).details)
    })
    expect(new Set(options).size).toBe(options.length)
  })

  it('is shown with what of its coins is the amount', () => {
    const coin = (amount: string, denom: string) =>
      shown(directDocument([paid], { 'fee.amount': amount, 'fee.denom': denom })).details
    expect(coin('1', '2 uatom')).not.toEqual(coin('1 2', 'uatom'))
  })

  it('is shown without the fields that are not set, in the same words from both forms', () => {
    const { type, value } = aminoTransfer('osmo1friend', 'channel-141')
    const { details } = shown(aminoDocument([{ type, value }]))
    expect(details).toContainEqual({ name: 'msgs[0].timeout_timestamp', value: '1900000000' })
    expect(details.map(({ name }) => name)).not.toContain('msgs[0].memo')
    expect(shown(directDocument([transfer('osmo1friend')])).details).toEqual(details)
  })

  it('is shown with the bytes of a message that is not known', () => {
    const other = { ...grant, value: Uint8Array.of(10, 1, 97) }
    const deep = (one: typeof grant) => execute(execute(execute(execute(execute(one)))))
    for (const [one, two] of [
      [grant, other],
      [execute(grant), execute(other)],
      [deep(grant), deep(other)],
    ] as const) {
      expect(shown(directDocument([one]))).not.toEqual(shown(directDocument([two])))
    }
    const contract = (sender: string) => aminoDocument([{ type: 'wasm/MsgExecuteContract', value: { sender } }])
    expect(shown(contract('a'))).not.toEqual(shown(contract('b')))
  })

  it('shows a vote and a transfer to another chain by the names of the chain', () => {
    const vote = { proposal_id: '857', voter: 'cosmos1wallet', option: 4 }
    expect(shown(aminoDocument([{ type: 'cosmos-sdk/MsgVote', value: vote }])).details).toEqual([
      { name: 'msgs[0]', value: '/cosmos.gov.v1beta1.MsgVote' },
      { name: 'msgs[0].proposal_id', value: '857' },
      { name: 'msgs[0].voter', value: 'cosmos1wallet' },
      { name: 'msgs[0].option', value: 'VOTE_OPTION_NO_WITH_VETO' },
      { name: 'fee', value: '1 uatom' },
      { name: 'gas', value: '1' },
      { name: 'account_number', value: '7' },
      { name: 'sequence', value: '0' },
    ])
    const transferred = {
      source_port: 'transfer',
      source_channel: 'channel-141',
      token: { denom: 'uatom', amount: '5' },
      sender: 'cosmos1wallet',
      receiver: 'osmo1friend',
      timeout_height: { revision_height: '9' },
      timeout_timestamp: '1900000000000000000',
      memo: 'tea',
    }
    expect(shown(aminoDocument([{ type: 'cosmos-sdk/MsgTransfer', value: transferred }])).details.slice(0, 9)).toEqual([
      { name: 'msgs[0]', value: '/ibc.applications.transfer.v1.MsgTransfer' },
      { name: 'msgs[0].source_port', value: 'transfer' },
      { name: 'msgs[0].source_channel', value: 'channel-141' },
      { name: 'msgs[0].token', value: '5 uatom' },
      { name: 'msgs[0].sender', value: 'cosmos1wallet' },
      { name: 'msgs[0].receiver', value: 'osmo1friend' },
      { name: 'msgs[0].timeout_height.revision_height', value: '9' },
      { name: 'msgs[0].timeout_timestamp', value: '1900000000000000000' },
      { name: 'msgs[0].memo', value: 'tea' },
    ])
  })
})

describe('a transaction of an EVM chain', () => {
  const word = (byte: string): Hex => `0x${byte.repeat(32)}`
  const address = fc.constantFrom<Hex>(friend, thief, contract)
  const small = fc.bigInt({ min: 0n, max: 9n })
  const fields = {
    chainId: fc.constantFrom(1, 8453),
    nonce: fc.integer({ min: 0, max: 9 }),
    to: address,
    value: small,
    gas: small,
    gasPrice: small,
    maxFeePerGas: small,
    maxPriorityFeePerGas: small,
    maxFeePerBlobGas: small,
    accessList: fc.array(
      fc.record({ address, storageKeys: fc.array(fc.constantFrom(word('11'), word('22')), { maxLength: 2 }) }),
      { maxLength: 2 },
    ),
    blobVersionedHashes: fc.array(fc.constantFrom<Hex>(`0x01${'11'.repeat(31)}`, `0x01${'22'.repeat(31)}`), {
      minLength: 1,
      maxLength: 3,
    }),
    authorizationList: fc.array(
      fc.record({
        address,
        chainId: fc.integer({ min: 1, max: 3 }),
        nonce: fc.integer({ min: 0, max: 3 }),
        r: fc.constantFrom(word('11'), word('22')),
        s: fc.constantFrom(word('11'), word('22')),
        yParity: fc.constantFrom(0, 1),
      }),
      { minLength: 1, maxLength: 2 },
    ),
  }
  const common = ['chainId', 'nonce', 'to', 'value', 'gas'] as const
  const fees = [...common, 'accessList', 'maxFeePerGas', 'maxPriorityFeePerGas'] as const
  const types = {
    legacy: [...common, 'gasPrice'],
    eip2930: [...common, 'gasPrice', 'accessList'],
    eip1559: fees,
    eip4844: [...fees, 'maxFeePerBlobGas', 'blobVersionedHashes'],
    eip7702: [...fees, 'authorizationList'],
  } as const
  const all = Object.entries(types).flatMap(([type, names]) => names.map((name) => ({ type, name, names })))

  it.each(all)('of $type is shown with its $name', ({ type, name, names }) => {
    const own = Object.fromEntries(names.map((one) => [one, fields[one]]))
    const value: fc.Arbitrary<unknown> = fields[name]
    fc.assert(
      fc.property(fc.record(own), value, value, (others, one, two) => {
        const [first, second] = [one, two].map((chosen) => {
          const priced = { ...others, [name]: chosen }
          const transaction = { type, sidecars: false, data: transferOf(friend, 5n), ...priced }
          // What is left of the cap is the tip.
          const tip = priced as { maxFeePerGas?: bigint; maxPriorityFeePerGas?: bigint }
          if (tip.maxFeePerGas !== undefined) tip.maxFeePerGas += 9n
          return requestOf({ ...transaction, ...tip } as Parameters<typeof requestOf>[0])
        })
        fc.pre(JSON.stringify(first) !== JSON.stringify(second))
        expectDifferent(first && ask(first), second && ask(second))
      }),
      { numRuns: times(2, 60) },
    )
  })

  it('is shown with its type', () => {
    const same = { chainId: 1, to: contract, gasPrice: 5n, gas: 9n } as const
    const [one, two] = (['legacy', 'eip2930'] as const).map((type) => ask(requestOf({ ...same, type })))
    expectDifferent(one, two)
  })

  it('is shown with gas that costs nothing', () => {
    const of = (gas: bigint, gasPrice: bigint) =>
      ask(requestOf({ type: 'legacy', chainId: 1, to: contract, gas, gasPrice }))
    expectDifferent(of(1n, 0n), of(2n, 0n))
    expectDifferent(of(0n, 1n), of(0n, 2n))
  })

  it('is shown with its lists by the names of their standards', () => {
    const [r, s] = [word('11'), word('22')]
    const authorizationList = [{ address: friend, chainId: 3, nonce: 0, r, s, yParity: 1 }] as const
    const accessList = [{ address: thief, storageKeys: [word('33')] }] as const
    const asked = ask(requestOf({ type: 'eip7702', chainId: 1, to: contract, accessList, authorizationList }))
    expect(shown(asked).details.slice(-7)).toEqual([
      { name: 'accessList[0]', value: `[${thief}, [${word('33')}]]` },
      { name: 'authorizationList[0].chainId', value: '3' },
      { name: 'authorizationList[0].address', value: friend },
      { name: 'authorizationList[0].nonce', value: '0' },
      { name: 'authorizationList[0].yParity', value: '1' },
      { name: 'authorizationList[0].r', value: r },
      { name: 'authorizationList[0].s', value: s },
    ])
  })

  const argument = (type: string): fc.Arbitrary<unknown> => {
    const [, item] = /^(.*)\[\]$/.exec(type) ?? []
    if (item !== undefined) return fc.array(argument(item), { minLength: 2, maxLength: 2 })
    if (type.startsWith('(')) return fc.tuple(...partsOf(type.slice(1, -1)).map(argument))
    if (type === 'address') return address
    if (type === 'bool') return fc.boolean()
    if (type === 'bytes32') return fc.constantFrom(word('11'), word('22'))
    if (type === 'bytes') return fc.constantFrom('0x', '0x11', '0x1100')
    // Numbers of 48 bits and less are plain ones for viem.
    return Number(type.slice('uint'.length)) > 48 ? small : small.map(Number)
  }
  /** The types between the commas that are in no bracket. */
  const partsOf = (types: string): readonly string[] => types.match(/(?:[^,()]|\((?:[^()]|\([^()]*\))*\))+/g) ?? []

  const calls = [
    'transfer(address,uint256)',
    'transferFrom(address,address,uint256)',
    'decreaseAllowance(address,uint256)',
    'permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)',
    'safeTransferFrom(address,address,uint256,uint256,bytes)',
    'safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)',
    'setApprovalForAll(address,bool)',
    'permit(address,((address,uint160,uint48,uint48)[],address,uint256),bytes)',
    'permitTransferFrom(((address,uint256),uint256,uint256),(address,uint256),address,bytes)',
    'transferFrom((address,address,uint160,address)[])',
    'multicall(uint256,bytes[])',
    'multicall(bytes32,bytes[])',
  ]
  it.each(calls)('is shown with the arguments of %s', (signature) => {
    const parts = partsOf(signature.slice(signature.indexOf('(') + 1, -1))
    const inner = fc.array(
      small.map((amount) => transferOf(friend, amount)),
      { maxLength: 2 },
    )
    const values = fc.tuple(...parts.map((part) => (part === 'bytes[]' ? inner : argument(part))))
    fc.assert(
      fc.property(values, values, fc.nat(parts.length - 1), (one, other, at) => {
        const two = one.map((arg, index) => (index === at ? other[index] : arg))
        const [first, second] = [one, two].map((args) => data(signature, ...args))
        fc.pre(first !== second)
        expectDifferent(call(permit2, first), call(permit2, second))
      }),
      { numRuns: times(4, 100) },
    )
  })

  it('is shown with the calls inside of others where they are', () => {
    const [one, two] = [transferOf(friend, 1n), transferOf(friend, 2n)]
    const multicall = (...inner: readonly Hex[]) => data('multicall(bytes[])', inner)
    expectDifferent(call(usdc, multicall(multicall(one), two)), call(usdc, multicall(multicall(one, two))))
  })
})

describe('typed data', () => {
  const typed = (types: object, primaryType: string, message: object, domain: object = { chainId: 1 }): Asked => {
    const read = TypedData.read({ types, primaryType, domain, message })
    if (read === undefined) throw new Error('it is no typed data')
    return ask({ kind: 'eip712', typedData: read.text })
  }
  const lists = { Lists: [{ name: 'all', type: 'uint256[][]' }] }
  const structs = {
    Outer: [{ name: 'all', type: 'Inner[]' }],
    Inner: [{ name: 'to', type: 'address[]' }],
  }

  it.each([
    ['lists in lists', typed(lists, 'Lists', { all: [[1, 2], [3]] }), typed(lists, 'Lists', { all: [[1], [2, 3]] })],
    ['lists without items', typed(lists, 'Lists', { all: [[], [1]] }), typed(lists, 'Lists', { all: [[1], []] })],
    ['no list and one without items', typed(lists, 'Lists', { all: [] }), typed(lists, 'Lists', { all: [[]] })],
    [
      'lists of structs',
      typed(structs, 'Outer', { all: [{ to: [friend, thief] }, { to: [contract] }] }),
      typed(structs, 'Outer', { all: [{ to: [friend] }, { to: [thief, contract] }] }),
    ],
    [
      'types of the same values',
      typed({ Order: [{ name: 'amount', type: 'uint256' }] }, 'Order', { amount: '5' }),
      typed({ Order: [{ name: 'amount', type: 'string' }] }, 'Order', { amount: '5' }),
    ],
    [
      'names of the struct inside',
      typed({ Order: [{ name: 'of', type: 'A' }], A: [{ name: 'to', type: 'address' }] }, 'Order', {
        of: { to: friend },
      }),
      typed({ Order: [{ name: 'of', type: 'B' }], B: [{ name: 'to', type: 'address' }] }, 'Order', {
        of: { to: friend },
      }),
    ],
    [
      'domains',
      typed(lists, 'Lists', { all: [] }, { name: 'a', version: '1' }),
      typed(lists, 'Lists', { all: [] }, { name: 'a', chainId: 1 }),
    ],
  ])('is shown with its %s', (_, one, two) => {
    expectDifferent(one, two)
  })
})

describe('a list of typed data without items', () => {
  it('is shown, and is no value that a policy could ask for', () => {
    const types = { Lists: [{ name: 'all', type: 'uint256[]' }] }
    const read = TypedData.read({ types, primaryType: 'Lists', domain: { chainId: 1 }, message: { all: [] } })
    const asked = ask({ kind: 'eip712', typedData: read?.text ?? '' })
    expect(shown(asked).details).toContainEqual({ name: 'message.all', value: '[]' })
    expect([...factsOf(asked).fields.keys()].filter((name) => name.startsWith('message'))).toEqual([])
  })
})

describe('a transaction of Solana', () => {
  const key = fc.constantFrom(solanaFriend, solanaThief, mint, sponsor)
  const number = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })
  const u8 = fc.integer({ min: 0, max: 255 })
  const u32 = fc.integer({ min: 0, max: 2 ** 32 - 1 })
  const bytesOf = (value: unknown): readonly number[] => {
    if (typeof value === 'bigint') return [...new Uint8Array(new BigUint64Array([value]).buffer)]
    if (value instanceof PublicKey) return [...value.toBytes()]
    return Array.isArray(value) ? value.flatMap(bytesOf) : [Number(value)]
  }
  const le32 = (value: number) => [...new Uint8Array(new Uint32Array([value]).buffer)]
  const programs = {
    system: '11111111111111111111111111111111',
    token: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
    token2022: 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
    associated: 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL',
    budget: 'ComputeBudget111111111111111111111111111111',
    memo: 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
  } as const
  type Name = keyof typeof programs

  /** The tag, what follows it, and how many accounts there are. */
  const kinds: readonly (readonly [string, Name, readonly number[], readonly fc.Arbitrary<unknown>[], number])[] = [
    ['system.transfer', 'system', le32(2), [number], 2],
    ['system.createAccount', 'system', le32(0), [number, number, key], 2],
    ['system.advanceNonceAccount', 'system', le32(4), [], 3],
    ['token.transfer', 'token', [3], [number], 3],
    ['token.approve', 'token2022', [4], [number], 4],
    ['token.transferChecked', 'token', [12], [number, u8], 5],
    ['token.approveChecked', 'token2022', [13], [number, u8], 4],
    ['token.burnChecked', 'token', [15], [number, u8], 3],
    ['token.revoke', 'token', [5], [], 2],
    ['token.syncNative', 'token', [17], [], 1],
    ['token.closeAccount', 'token', [9], [], 3],
    ['token.setAuthority', 'token', [6], [fc.constantFrom(0, 1, 2, 3), key.map((one) => [1, one])], 2],
    ['associatedToken.createIdempotent', 'associated', [1], [], 6],
    ['computeBudget.requestHeapFrame', 'budget', [1], [u32.map(le32)], 0],
    ['computeBudget.setComputeUnitLimit', 'budget', [2], [u32.map(le32)], 0],
    ['computeBudget.setComputeUnitPrice', 'budget', [3], [number], 0],
    ['memo.memo', 'memo', [104], [fc.integer({ min: 65, max: 90 })], 1],
  ]

  it.each(kinds)('is shown with each part of %s', (method, program, tag, parts, count) => {
    const instruction = (keys: readonly PublicKey[], said: readonly unknown[]) =>
      new TransactionInstruction({
        programId: new PublicKey(programs[program]),
        keys: keys.map((pubkey) => ({ pubkey, isSigner: false, isWritable: true })),
        data: Buffer.from([...tag, ...bytesOf(said)]),
      })
    const values = fc.tuple(fc.array(key, { minLength: count, maxLength: count }), fc.tuple(...parts))
    const places = count + parts.length
    fc.assert(
      fc.property(values, values, fc.nat(places - 1), (one, other, at) => {
        const [accounts, said] = one
        const changed = [
          accounts.map((account, index) => (index === at ? (other[0][index] ?? account) : account)),
          said.map((part, index) => (index + count === at ? other[1][index] : part)),
        ] as const
        const [first, second] = [instruction(accounts, said), instruction(...changed)]
        const [before, after] = [signed([first]), signed([second])]
        fc.pre(JSON.stringify(before) !== JSON.stringify(after))
        expect(shown(before).details).toContainEqual({ name: 'instructions[0]', value: method })
        expectDifferent(before, after)
      }),
      { numRuns: times(4, 100) },
    )
  })

  it('is shown with its programs, also with the data for one that is not known', () => {
    const { keys, data: bytes } = transferChecked(solanaFriend, 5n)
    const [one, two] = [programs.token, programs.token2022].map((program) =>
      signed([new TransactionInstruction({ keys, data: bytes, programId: new PublicKey(program) })]),
    )
    expectDifferent(one, two)
    expectDifferent(
      signed([other]),
      signed([new TransactionInstruction({ keys: other.keys, programId: other.programId, data: Buffer.from([2]) })]),
    )
  })

  it('is shown with the accounts that a table holds, by their places', () => {
    const places = [solanaFriend, solanaThief].map((to) => {
      const { details } = shown(signed([pay(to, 5)], wallet, tables))
      return details.find(({ name }) => name === 'instructions[0].to')?.value
    })
    expect(places).toEqual([1, 0].map((index) => `account ${index} of the table ${table.toBase58()}`))
  })

  it('is shown with its form, its block and who signs besides', () => {
    const of = (recentBlockhash: string, instructions: TransactionInstruction[], isLegacy = false) => {
      const message = new TransactionMessage({ payerKey: wallet, recentBlockhash, instructions })
      const compiled = isLegacy ? message.compileToLegacyMessage() : message.compileToV0Message()
      return ask({ kind: 'solanaTransaction', message: bytesToHex(Uint8Array.from(compiled.serialize())) })
    }
    const hash = mint.toBase58()
    const paid = [pay(solanaFriend, 5)]
    expectDifferent(of(hash, paid), of(sponsor.toBase58(), paid))
    expectDifferent(of(hash, paid), of(hash, paid, true))
    expect(shown(of(hash, [pay(solanaFriend, 5, sponsor)])).details).toContainEqual({
      name: 'signer',
      value: sponsor.toBase58(),
    })
  })
})
