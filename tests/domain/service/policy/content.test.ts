/** What a person is shown of a payload: the contract's form, and nothing that a policy did not see. */
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { contentOf } from '../../../../domain/service/policy/content.ts'
import { factsOf } from '../../../../domain/service/policy/facts.ts'
import type { Asked } from '../../../../domain/service/policy/facts/Facts.ts'
import { vReviewContent } from '../../../../generated/validators/valibot.gen.ts'
import { direct, friend as cosmosFriend, grant, send, transfer as ibc } from './cosmosPayloads.ts'
import {
  call,
  contract,
  data,
  friend,
  most,
  permit2,
  requestOf,
  thief,
  transfer,
  usdc,
  usdcAsset,
} from './evmPayloads.ts'
import {
  other,
  pay,
  friend as solanaFriend,
  signed,
  table,
  tables,
  thief as solanaThief,
  wallet,
} from './solanaPayloads.ts'
import { ask } from './table.ts'

const shown = (asked: Asked, isKnown: (address: string) => boolean = () => true) =>
  v.parse(vReviewContent, contentOf(asked, factsOf(asked), isKnown))
const message = (bytes: Uint8Array) => ask({ kind: 'eip191', message: bytesToHex(bytes) })
const codes = (asked: Asked) => shown(asked).warnings.map(({ code, subject }) => [code, subject])

describe('what is shown', () => {
  it('names transfers, the call and its arguments', () => {
    expect(shown(call(usdc, transfer(friend, 5n), 3n))).toEqual({
      kind: 'evm.transaction',
      chain: 'eip155:8453',
      transfers: [
        { asset: 'eip155:8453/slip44:60', amount: '3', to: usdc, isApproval: false },
        { asset: usdcAsset, amount: '5', to: friend, isApproval: false },
      ],
      details: [
        { name: 'to', value: usdc },
        { name: 'value', value: '3' },
        { name: 'method', value: 'transfer(address,uint256)' },
        { name: 'args.0', value: friend },
        { name: 'args.1', value: '5' },
        { name: 'maxFee', value: '0' },
        { name: 'type', value: '2' },
        { name: 'nonce', value: '0' },
        { name: 'maxPriorityFeePerGas', value: '0' },
        { name: 'maxFeePerGas', value: '0' },
        { name: 'gas', value: '0' },
      ],
      warnings: [],
    })
  })

  it('names the account that an authorization hands over to, and its nonce', () => {
    const authorization = { kind: 'authorization', address: contract.slice(2), chainId: '8453', nonce: '7' } as const
    expect(shown(ask(authorization))).toMatchObject({
      kind: 'evm.authorization',
      chain: 'eip155:8453',
      details: [
        { name: 'delegate', value: contract },
        { name: 'nonce', value: '7' },
      ],
    })
  })

  it('names the parts of an argument that is a list', () => {
    const single = 'permit(address,((address,uint160,uint48,uint48),address,uint256),bytes)'
    const asked = call(permit2, data(single, contract, [[usdc, 250n, 9, 0], friend, 8n], '0x11'))
    expect(shown(asked).details).toContainEqual({ name: 'args.1', value: `[[${usdc}, 250, 9, 0], ${friend}, 8]` })
  })

  it('warns of addresses that were not paid before', () => {
    const asked = call(usdc, data('multicall(bytes[])', [transfer(friend, 1n), transfer(thief, 1n)]))
    const { warnings } = shown(asked, (address) => address === friend)
    expect(warnings).toEqual([{ code: 'FIRST_TIME_ADDRESS', subject: thief }])
  })

  it('warns of what cannot be known or has no end', () => {
    expect(codes(call(contract, '0x12345678'))).toEqual([
      ['UNKNOWN_CALL', contract],
      ['OUTFLOW_UNKNOWN', undefined],
    ])
    expect(codes(call(usdc, data('approve(address,uint256)', thief, most)))).toEqual([['UNLIMITED_APPROVAL', thief]])
    expect(codes(ask({ kind: 'authorization', address: contract.slice(2), chainId: '1', nonce: '0' }))).toEqual([
      ['ACCOUNT_DELEGATED', contract],
      ['OUTFLOW_UNKNOWN', undefined],
    ])
    expect(codes(signed([pay(solanaFriend, 1), other]))).toEqual([
      ['UNKNOWN_PROGRAM', other.programId.toBase58()],
      ['OUTFLOW_UNKNOWN', undefined],
    ])
    expect(codes(signed([pay(solanaThief, 1)], wallet, tables))).toEqual([['LOOKUP_TABLE', table.toBase58()]])
    expect(codes(direct([grant]))).toEqual([
      ['UNKNOWN_CALL', '/cosmos.authz.v1beta1.MsgGrant'],
      ['OUTFLOW_UNKNOWN', undefined],
    ])
    expect(codes(direct([send(cosmosFriend, 1)]))).toEqual([])
    expect(codes(direct([ibc(cosmosFriend), ibc(cosmosFriend), ibc(cosmosFriend, 'channel-7')]))).toEqual([
      ['OTHER_CHAIN', 'transfer/channel-141'],
      ['OTHER_CHAIN', 'transfer/channel-7'],
    ])
    expect(codes(ask({ kind: 'blind', digest: '11'.repeat(32) }, { optedIn: true }))).toEqual([
      ['UNREADABLE', undefined],
      ['OUTFLOW_UNKNOWN', undefined],
    ])
  })

  it('has a message as text, and as bytes where a person would not see what it says', () => {
    expect(shown(message(utf8ToBytes('hello\n\tünï 👩‍🚀')))).toMatchObject({
      text: 'hello\n\tünï 👩‍🚀',
      details: [],
      warnings: [],
    })
    const hidden = ['a\u0000b', 'a\u001b[2Kb', 'a\u202eb', 'a\u2066b', '\ufeffa', 'a\u0085b', 'a\u2028b']
    for (const bytes of [...hidden.map(utf8ToBytes), Uint8Array.of(0xff, 0xfe), Uint8Array.of(0xed, 0xa0, 0x80)]) {
      expect(shown(message(bytes))).toEqual({
        kind: 'evm.message',
        transfers: [],
        details: [{ name: 'message', value: `0x${bytesToHex(bytes)}` }],
        warnings: [{ code: 'UNREADABLE' }],
      })
    }
  })

  it('says so where it cannot show everything, and stays in the contract’s form', () => {
    const many = Array.from({ length: 60 }, (_, index) => transfer(friend, BigInt(index)))
    const nested = data('multicall(bytes[])', [data('multicall(bytes[])', many.slice(0, 30)), ...many.slice(30)])
    const amounts = Array.from({ length: 70 }, () => 1n)
    const batch = data(
      'safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)',
      contract,
      friend,
      amounts.map((_, index) => BigInt(index)),
      amounts,
      '0x',
    )
    const long = ask(requestOf({ type: 'eip1559', chainId: 1, to: contract, data: `0x${'11'.repeat(40_000)}` }))
    const memo = ask({ kind: 'eip191', message: bytesToHex(utf8ToBytes('a'.repeat(70_000))) })
    expect(shown(call(usdc, nested)).transfers).toHaveLength(60)
    for (const asked of [call(contract, batch), long, memo]) {
      expect(shown(asked, () => false).warnings.map(({ code }) => code)).toContain('UNREADABLE')
    }
  })
})
