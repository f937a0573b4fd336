/** What holds for every policy, whatever its rules are. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { factsOf } from '../../../../domain/service/policy/facts.ts'
import type { Asked } from '../../../../domain/service/policy/facts/Facts.ts'
import { judge, limitsOf, recipientsOf, spendOf, type LimitQuery } from '../../../../domain/service/policy/judge.ts'
import type { Policy, Predicate, Rule } from '../../../../domain/service/policy/Policy.ts'
import { amino, aminoSend, direct, execute, friend as cosmosFriend, send } from './cosmosPayloads.ts'
import { call, contract, data, friend, most, thief, transfer, usdc, usdcAsset } from './evmPayloads.ts'
import { other, pay, friend as solanaFriend, signed, transferChecked } from './solanaPayloads.ts'
import { ask, limit, policy, rule } from './table.ts'

const asked: readonly Asked[] = [
  call(friend, '0x', 5n),
  call(usdc, transfer(friend, 5n)),
  call(usdc, transfer(thief, 500n)),
  call(usdc, data('approve(address,uint256)', thief, most)),
  call(usdc, data('multicall(bytes[])', [transfer(friend, 1n), transfer(thief, 2n)])),
  call(contract, '0x12345678'),
  call(contract, data('deposit(uint256)', 3n)),
  ask({ kind: 'eip191', message: '6869' }),
  ask({ kind: 'eip191', message: '22'.repeat(32) }),
  ask({ kind: 'blind', digest: '11'.repeat(32) }),
  ask({ kind: 'blind', digest: '11'.repeat(32) }, { optedIn: true }),
  signed([pay(solanaFriend, 5)]),
  signed([transferChecked(solanaFriend, 5n), other]),
  direct([send(cosmosFriend, 5)]),
  direct([execute(send(cosmosFriend, 5))]),
  amino(aminoSend(cosmosFriend, 5)),
]

const texts = [
  'evm.message',
  'evm.transaction',
  'blind',
  friend,
  thief,
  usdc,
  '8453',
  'cosmoshub-4',
  'https://shop.example',
]
const methods = ['transfer(address,uint256)', 'approve(address,uint256)', 'deposit(uint256)', 'multicall(bytes[])']
const text = fc.constantFrom(...texts)
const number = fc.constantFrom('0', '4', '5', '100', '1000000')
const ofText: fc.Arbitrary<Predicate> = fc.oneof(
  text.map((is) => ({ is })),
  fc
    .uniqueArray(text, { minLength: 1, maxLength: 3 })
    .map(([first = '', ...more]) => ({ in: [first, ...more] as const })),
  fc
    .uniqueArray(text, { minLength: 1, maxLength: 3 })
    .map(([first = '', ...more]) => ({ notIn: [first, ...more] as const })),
  fc.constant({ inList: 'list' }),
)
const ofNumber: fc.Arbitrary<Predicate> = fc.oneof(
  number.map((atMost) => ({ atMost })),
  number.map((atLeast) => ({ atLeast })),
)
const when: fc.Arbitrary<Rule['when']> = fc
  .record(
    {
      payload: ofText,
      origin: ofText,
      recipient: ofText,
      to: ofText,
      chainId: ofText,
      value: ofNumber,
      lamports: ofNumber,
      method: fc.constantFrom(...methods).map((is) => ({ is })),
      'args.0': ofText,
      'args.1': ofNumber,
    },
    { requiredKeys: [] },
  )
  .map((fields) => Object.fromEntries(Object.entries(fields).slice(0, 2)))

const limits = fc.record({
  asset: fc.constantFrom('count', usdcAsset, 'eip155:8453/slip44:60'),
  max: number,
  per: fc.constantFrom('1h', '24h'),
  of: fc.constantFrom('wallet', 'user', 'partner'),
  over: fc.constantFrom('deny', 'review'),
})
const review = fc.record({ by: fc.constantFrom('user', 'partner', 'both'), stepUp: fc.boolean() })

const denying: fc.Arbitrary<Rule> = when.chain((fields) =>
  fc
    .constantFrom({}, { onUnknown: 'ignore' as const })
    .map((more) => ({ id: 'x', effect: 'deny', when: fields, ...more })),
)
const anyRule: fc.Arbitrary<Rule> = fc.oneof(
  denying,
  fc
    .record({ when, limits: fc.array(limits, { maxLength: 2 }) })
    .map((given): Rule => ({ id: 'x', effect: 'allow', ...given })),
  fc.record({ when, review }).map((given): Rule => ({ id: 'x', effect: 'review', ...given })),
)
const anyPolicy = fc
  .record({ rules: fc.array(anyRule, { maxLength: 5 }), default: fc.constantFrom('allow', 'deny', 'review') })
  .map((given): Policy => ({
    tandem: 'policy/1',
    default: given.default,
    rules: given.rules.map((one, index) => ({ ...one, id: `rule${index}` })),
    lists: { list: [friend, usdc] },
  }))
const anyFacts = fc.constantFrom(...asked).map(factsOf)
const anySpent = fc.bigInt({ min: 0n, max: 200n })

const order = { deny: 0, review: 1, allow: 2 }

describe('every policy', () => {
  it('allows no more with a rule added that denies, and it holds nothing that it denied', () => {
    fc.assert(
      fc.property(anyPolicy, denying, anyFacts, anySpent, (given, added, facts, spent) => {
        const before = judge(given, facts, () => spent)
        const after = judge({ ...given, rules: [...given.rules, added] }, facts, () => spent)
        expect(order[after.effect]).toBeLessThanOrEqual(order[before.effect])
      }),
    )
  })

  it('says the same in every order of its rules', () => {
    fc.assert(
      fc.property(
        anyPolicy.chain((given) =>
          fc.tuple(fc.constant(given), fc.shuffledSubarray([...given.rules], { minLength: given.rules.length })),
        ),
        anyFacts,
        anySpent,
        ([given, rules], facts, spent) => {
          expect(judge({ ...given, rules }, facts, () => spent)).toEqual(judge(given, facts, () => spent))
        },
      ),
    )
  })

  it('allows no more when more was spent', () => {
    fc.assert(
      fc.property(anyPolicy, anyFacts, anySpent, anySpent, (given, facts, one, other) => {
        const [less, more] = one < other ? [one, other] : [other, one]
        const effects = [less, more].map((spent) => judge(given, facts, () => spent).effect)
        expect(order[effects[1] ?? 'deny']).toBeLessThanOrEqual(order[effects[0] ?? 'deny'])
      }),
    )
  })

  it('asks for no sum that its limits do not name beforehand', () => {
    fc.assert(
      fc.property(anyPolicy, anyFacts, (given, facts) => {
        const named = limitsOf(given, facts).map((query) => JSON.stringify(query))
        judge(given, facts, (query) => {
          expect(named).toContain(JSON.stringify(query))
          return 0n
        })
      }),
    )
  })

  it('allows a bare digest only where a rule names it and the partner allows it', () => {
    const facts = factsOf(ask({ kind: 'blind', digest: '11'.repeat(32) }, { optedIn: true }))
    const names = ({ effect, when: { payload } }: Rule) =>
      effect !== 'deny' && (payload?.is === 'blind' || payload?.in?.includes('blind') === true)
    fc.assert(
      fc.property(anyPolicy, (given) => {
        const { effect } = judge(given, facts, () => 0n)
        if (effect !== 'deny') expect(given.rules.some(names)).toBe(true)
        expect(judge(given, { ...facts, optedIn: false }, () => 0n).effect).toBe('deny')
      }),
    )
  })
})

describe('a judgement', () => {
  const message = factsOf(ask({ kind: 'eip191', message: '6869' }))
  const unknownCall = factsOf(call(contract, '0x12345678'))
  const effectOf = (given: Rule, facts = message) => judge(policy('allow', [given]), facts, () => 0n).effect

  it('matches no rule by a field that the payload does not have', () => {
    expect(effectOf(rule('deny', { recipient: { is: friend } }))).toBe('allow')
    expect(effectOf(rule('deny', { recipient: { notIn: [friend] } }))).toBe('allow')
    expect(effectOf(rule('deny', { value: { atLeast: '0' } }))).toBe('allow')
  })

  it('matches denying and holding rules by a field that is unknown, and no allowing ones', () => {
    expect(effectOf(rule('deny', { recipient: { is: friend } }), unknownCall)).toBe('deny')
    expect(effectOf(rule('review', { recipient: { is: friend } }), unknownCall)).toBe('review')
    expect(effectOf(rule('deny', { recipient: { is: friend } }, { onUnknown: 'ignore' }), unknownCall)).toBe('allow')
    const allowing = policy('deny', [rule('allow', { recipient: { notIn: [thief] } })])
    expect(judge(allowing, unknownCall, () => 0n).effect).toBe('deny')
  })

  it('is certain of a rule that another field rules out', () => {
    const both = { recipient: { is: friend }, to: { is: usdc } }
    expect(effectOf(rule('deny', both), unknownCall)).toBe('allow')
  })

  it('asks of each limit the sum in its window', () => {
    const limits = [
      { asset: 'count', max: '3', per: '15m', of: 'wallet' },
      { asset: usdcAsset, max: '9', per: '30d', of: 'partner' },
    ] as const
    const given = policy('deny', [rule('allow', { to: { is: usdc } }, { limits }), rule('deny', { to: { is: thief } })])
    const asks: readonly LimitQuery[] = [
      { rule: 'allow', asset: 'count', windowMs: 900_000, of: 'wallet' },
      { rule: 'allow', asset: usdcAsset, windowMs: 2_592_000_000, of: 'partner' },
    ]
    expect(limitsOf(given, factsOf(call(usdc, transfer(friend, 5n))))).toEqual(asks)
    expect(limitsOf(given, unknownCall)).toEqual([])
  })

  it('asks for sums of an asset as they are counted, however the policy writes it', () => {
    const asset = 'eip155:8453/erc20:0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
    const given = policy('deny', [rule('allow', {}, limit(asset, '9'))])
    const facts = factsOf(call(usdc, transfer(friend, 5n)))
    const spends = new Map(spendOf(facts).map(({ asset: spent, amount }) => [spent, amount]))
    expect(limitsOf(given, facts).map((query) => spends.get(query.asset))).toEqual([5n])
    expect(judge(given, facts, (query) => spends.get(query.asset) ?? 0n).effect).toBe('deny')
  })

  it('counts each signature once and the sum of each asset', () => {
    const payments = factsOf(call(usdc, data('multicall(bytes[])', [transfer(friend, 5n), transfer(thief, 6n)])))
    expect(spendOf(payments)).toEqual([
      { asset: 'count', amount: 1n },
      { asset: usdcAsset, amount: 11n },
    ])
    expect(recipientsOf(payments)).toEqual([friend, thief])
    expect(spendOf(message)).toEqual([{ asset: 'count', amount: 1n }])
    expect(spendOf(factsOf(call(usdc, data('approve(address,uint256)', thief, most))))).toEqual([
      { asset: 'count', amount: 1n },
      { asset: usdcAsset, amount: most },
    ])
  })

  it('denies where one limit denies and another holds, and passes what moves nothing of a limit that is used up', () => {
    const { limits: holding } = limit(usdcAsset, '1', 'review')
    const { limits: strict } = limit(usdcAsset, '2')
    const given = policy('deny', [rule('allow', {}, { limits: [...holding, ...strict] })])
    const payment = (amount: bigint) => factsOf(call(usdc, transfer(friend, amount)))
    expect(judge(given, payment(2n), () => 0n).effect).toBe('review')
    expect(judge(given, payment(3n), () => 0n)).toMatchObject({ effect: 'deny', limited: ['allow'] })
    expect(judge(given, message, () => 1_000n).effect).toBe('allow')
  })

  it('asks the strictest of several reviews', () => {
    const by = (id: string, one: 'user' | 'partner', stepUp?: boolean): Rule => ({
      ...rule('review', {}),
      id,
      review: { by: one, ...(stepUp === undefined ? {} : { stepUp }) },
    })
    const of = (...rules: readonly Rule[]) =>
      judge({ tandem: 'policy/1', default: 'deny', rules }, message, () => 0n).review
    expect(of(by('a', 'user', false))).toEqual({ by: 'user', stepUp: false })
    expect(of(by('a', 'user', false), by('b', 'partner', false))).toEqual({ by: 'both', stepUp: false })
    expect(of(by('a', 'partner', true), by('b', 'partner', false))).toEqual({ by: 'partner', stepUp: true })
    expect(of(by('a', 'user'))).toEqual({ by: 'user', stepUp: true })
    expect(of(by('a', 'user', false), by('b', 'user'))).toEqual({ by: 'user', stepUp: true })
    expect(of(by('a', 'partner'))).toEqual({ by: 'partner', stepUp: false })
    expect(of(by('a', 'user', false), by('b', 'partner'))).toEqual({ by: 'both', stepUp: false })
    expect(of(rule('review', {}))).toEqual({ by: 'user', stepUp: true })
    expect(judge(policy('review', []), message, () => 0n).review).toEqual({ by: 'user', stepUp: true })
    expect(judge(policy('allow', []), message, () => 0n).review).toBeUndefined()
  })
})
