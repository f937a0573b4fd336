/** What a person is shown of a payload: the contract's form, and nothing that a policy did not see. */
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import * as fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { contentOf } from '../../../../domain/service/policy/content.ts'
import { factsOf } from '../../../../domain/service/policy/facts.ts'
import type { Asked } from '../../../../domain/service/policy/facts/Facts.ts'
import { judge } from '../../../../domain/service/policy/judge.ts'
import { vReviewContent } from '../../../../generated/validators/valibot.gen.ts'
import { times } from '../../../kit/long.ts'
import {
  amino,
  aminoSend,
  aminoTransfer,
  direct,
  friend as cosmosFriend,
  grant,
  multiSend,
  send,
  thief as cosmosThief,
  transfer as ibc,
} from './cosmosPayloads.ts'
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
import { ask, policy } from './table.ts'

const shown = (asked: Asked, isKnown: (address: string) => boolean = () => true) =>
  v.parse(vReviewContent, contentOf(factsOf(asked), isKnown))
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
    expect(shown(message(utf8ToBytes('❤️ می\u200cخواهم')))).toMatchObject({ text: '❤️ می\u200cخواهم', warnings: [] })
    const ignored = [
      '\u034f',
      '\ufe00',
      '\ufe0f',
      '\u{e0100}',
      '\u{e01ef}',
      '\u180b',
      '\u17b4',
      '\u00ad',
      '\u3164',
      '\u{e0041}',
    ]
    const hidden = [
      ...ignored.map((sign) => `1${sign}`),
      'a\u0000b',
      'a\u001b[2Kb',
      'a\u202eb',
      'a\u2066b',
      '\ufeffa',
      'a\u0085b',
      'a\u2028b',
    ]
    for (const bytes of [...hidden.map(utf8ToBytes), Uint8Array.of(0xff, 0xfe), Uint8Array.of(0xed, 0xa0, 0x80)]) {
      expect(shown(message(bytes))).toEqual({
        kind: 'evm.message',
        transfers: [],
        details: [{ name: 'message', value: `0x${bytesToHex(bytes)}` }],
        warnings: [{ code: 'UNREADABLE' }],
      })
    }
  })

  it('says each warning once, so that none takes the room of another', () => {
    const unknown = Array.from({ length: 60 }, () => ({ type: 'x/Noop', value: {} }))
    const { transfers, warnings } = shown(amino(...unknown, aminoSend(cosmosThief, 9)), () => false)
    expect(transfers).toContainEqual(expect.objectContaining({ amount: '9', to: cosmosThief }))
    expect(warnings).toEqual([
      { code: 'UNKNOWN_CALL', subject: 'x/Noop' },
      { code: 'OUTFLOW_UNKNOWN' },
      { code: 'FIRST_TIME_ADDRESS', subject: cosmosThief },
    ])
  })
})

describe('what cannot be shown whole', () => {
  const everyOne = policy('review', [])
  const judged = (asked: Asked) => judge(everyOne, factsOf(asked), () => 0n)
  const self = 'cosmos1wallet'
  const unknown = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ type: `x/Noop${index}`, value: {} }))
  const batch = (count: number) =>
    call(
      contract,
      data(
        'safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)',
        contract,
        friend,
        Array.from({ length: count }, (_, index) => BigInt(index)),
        Array.from({ length: count }, () => 1n),
        '0x',
      ),
    )
  const text = (length: number) => ask({ kind: 'eip191', message: '61'.repeat(length) })
  const opaque = (length: number) =>
    ask({ kind: 'transaction', transaction: '00'.repeat(length), chainId: '1', send: false })
  const repeated = (count: number) => Array.from({ length: count }, () => ({ type: 'x/Noop', value: {} }))

  /** The most of each that a review shows, and one more. */
  const rows: readonly (readonly [part: string, shown: Asked, tooMuch: Asked])[] = [
    // One transfer is the fee.
    [
      'transfers',
      direct([multiSend(...Array<string>(63).fill(self))]),
      direct([multiSend(...Array<string>(64).fill(self))]),
    ],
    ['transfers', batch(64), batch(65)],
    ['text', text(65_536), text(65_537)],
    ['details.3.value', call(contract, `0x${'12'.repeat(32_767)}`), call(contract, `0x${'12'.repeat(32_768)}`)],
    ['details.0.value', opaque(32_767), opaque(32_768)],
    // Each message has two, and the document four more.
    ['details', amino(...repeated(126)), amino(...repeated(127))],
    ['chain', direct([send(self, 1)], { chain: 'c'.repeat(121) }), direct([send(self, 1)], { chain: 'c'.repeat(122) })],
    ['transfers.0.to', direct([send('a'.repeat(128), 1)]), direct([send('a'.repeat(129), 1)])],
    ['transfers.0.asset', direct([send(self, 1, 'd'.repeat(231))]), direct([send(self, 1, 'd'.repeat(232))])],
    ['warnings', amino(...unknown(63)), amino(...unknown(64))],
    // The account that is paid may be one to warn of.
    ['warnings', amino(...unknown(62), aminoSend(self, 1)), amino(...unknown(63), aminoSend(self, 1))],
    ['warnings.0.subject', amino({ type: 'x'.repeat(256), value: {} }), amino({ type: 'x'.repeat(257), value: {} })],
  ]
  it.each(rows)('is denied where it would be held: %s', (part, whole, tooMuch) => {
    expect(judged(whole)).toMatchObject({ effect: 'review', review: { by: 'user' } })
    expect(
      v.is(
        vReviewContent,
        contentOf(factsOf(whole), () => false),
      ),
    ).toBe(true)
    const because = `No rule matches, and the default is review. A review cannot show all of its ${part}.`
    expect(judged(tooMuch)).toMatchObject({ effect: 'deny', because, review: undefined })
    expect(judge(policy('allow', []), factsOf(tooMuch), () => 0n).effect).toBe('allow')
  })

  it('hides no payment behind what fills the room of a review', () => {
    const selves = Array.from({ length: 64 }, () => aminoSend(self, 1))
    const channels = Array.from({ length: 64 }, (_, index) => ibc(self, `channel-${index}`))
    const delegates = Array.from({ length: 64 }, (_, index) => ({
      address: `0x${String(index).padStart(40, '0')}` as const,
      chainId: 1,
      nonce: index,
      yParity: 0,
      r: `0x${'11'.repeat(32)}` as const,
      s: `0x${'11'.repeat(32)}` as const,
    }))
    const attacks = [
      amino(...unknown(64), ...selves, aminoSend(cosmosThief, 999_000_000_000)),
      direct([...channels, send(cosmosThief, 999_000_000_000)]),
      ask(requestOf({ type: 'eip7702', chainId: 1, to: thief, value: most, authorizationList: delegates })),
    ]
    for (const attack of attacks) expect(judged(attack).effect).toBe('deny')
  })

  it('depends on nothing but the payload: what is held is shown whole, whatever was paid before', () => {
    const messages = fc.array(
      fc.oneof(
        fc.nat(80).map((index) => ({ type: `x/Noop${index}`, value: {} })),
        fc.nat(80).map((index) => aminoTransfer(self, `channel-${index}`)),
        fc.nat(80).map((index) => aminoSend(`cosmos1friend${index}`, index)),
      ),
      { minLength: 1, maxLength: 90, size: 'max' },
    )
    const effects = new Set<string>()
    fc.assert(
      fc.property(messages, fc.func(fc.boolean()), (msgs, isKnown) => {
        const asked = amino(...msgs)
        const facts = factsOf(asked)
        const { effect } = judged(asked)
        effects.add(effect)
        if (effect === 'deny') return
        const { transfers, details, warnings } = shown(asked, isKnown)
        expect(transfers.map(({ to, amount }) => [to, amount])).toEqual(
          facts.outflows.map(({ to, amount }) => [to, String(amount)]),
        )
        expect(details).toEqual(facts.details)
        for (const { code, subject } of facts.warnings) expect(warnings).toContainEqual({ code, subject })
        if (facts.outflowUnknown) expect(warnings).toContainEqual({ code: 'OUTFLOW_UNKNOWN' })
      }),
      { numRuns: times(40, 1_000) },
    )
    expect([...effects].toSorted()).toEqual(['deny', 'review'])
  })
})
