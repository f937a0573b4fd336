/** What a person is shown: every field that is signed, so that two payloads which differ in one are never shown alike. */
import { serializeSignDoc, type AminoMsg } from '@cosmjs/amino'
import { bytesToHex } from '@noble/hashes/utils.js'
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
import { contentOf } from '../../../../domain/service/policy/content.ts'
import { factsOf } from '../../../../domain/service/policy/facts.ts'
import type { Asked } from '../../../../domain/service/policy/facts/Facts.ts'
import { times } from '../../../kit/long.ts'
import { aminoTransfer, execute, grant, send, transfer } from './cosmosPayloads.ts'
import { ask } from './table.ts'

const shown = (asked: Asked) => contentOf(asked, factsOf(asked), () => true)

/** Values by their paths, such as `amount.0.denom`. */
type Values = Readonly<Record<string, string>>
type Build = (values: Values) => Asked

/** Bytes of what is not decoded, which tell two payloads apart and say nothing to a person. */
const isRaw = /^(?:signDoc|transaction|data|message)$|\.value$/

/** Two values of one field never look the same, whatever the others are. */
const expectTold = (build: Build, fields: Readonly<Record<string, fc.Arbitrary<string>>>, field: string) => {
  const value = fields[field] ?? fc.constant('')
  fc.assert(
    fc.property(fc.record(fields), value, value, (others, one, two) => {
      fc.pre(one !== two)
      const [first, second] = [one, two].map((chosen) => shown(build({ ...others, [field]: chosen })))
      expect(first).not.toEqual(second)
      expect(first?.details.filter(({ name }) => isRaw.test(name))).toEqual([])
    }),
    { numRuns: times(2, 200) },
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
      { numRuns: times(2, 200) },
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
    seconds: fc.integer({ min: 0, max: 2 ** 40 }).map(String),
    signer: u64,
  }

  it.each(Object.keys(directOnly))('is shown with its %s', (field) => {
    expectTold((values) => directDocument([paid], values), directOnly, field)
    if (!Object.hasOwn(both, field)) return
    const value = { from_address: 'cosmos1wallet', to_address: 'cosmos1friend', amount: [] }
    expectTold((values) => aminoDocument([{ type: 'cosmos-sdk/MsgSend', value }], values), both, field)
  })

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
