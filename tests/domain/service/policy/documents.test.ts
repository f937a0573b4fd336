/** Documents of policies and cases: what is read, what is refused, and what `check` finds. */
import { p256 } from '@noble/curves/nist.js'
import { ed25519 } from '@noble/curves/ed25519.js'
import { base64urlnopad } from '@scure/base'
import * as Result from 'effect/Result'
import { describe, expect, it } from 'vitest'
import { readCases, runCases } from '../../../../domain/service/policy/cases.ts'
import { check } from '../../../../domain/service/policy/check.ts'
import { read, readStored } from '../../../../domain/service/policy/Policy.ts'
import { contract, friend, thief, usdc, usdcAsset } from './evmPayloads.ts'
import { aminoDocument, aminoSend } from './cosmosPayloads.ts'

const point = p256.getPublicKey(new Uint8Array(32).fill(7), false)
const approver = {
  kty: 'EC',
  crv: 'P-256',
  x: base64urlnopad.encode(point.subarray(1, 33)),
  y: base64urlnopad.encode(point.subarray(33)),
}
const small = {
  id: 'small',
  effect: 'allow',
  when: { to: { is: usdc }, method: { is: 'transfer(address,uint256)' } },
  limits: [{ asset: usdcAsset, max: '250', per: '24h', of: 'user', over: 'review' }],
  review: { by: 'both', stepUp: true },
}
const sanctioned = { id: 'sanctioned', effect: 'deny', when: { recipient: { inList: 'sanctions' } } }
const whole = {
  tandem: 'policy/1',
  default: 'deny',
  rules: [small, sanctioned],
  lists: { sanctions: [thief] },
  approver,
}

const problemsOf = (json: unknown) => {
  const policy = read(json)
  return Result.isFailure(policy) ? policy.failure.problems : []
}
const withRule = (more: object) => ({ ...whole, rules: [{ ...small, ...more }, sanctioned] })
const withWhen = (when: object) => withRule({ when })
const withLimit = (more: object) => withRule({ limits: [{ ...small.limits[0], ...more }] })

describe('a policy', () => {
  it('is read', () => {
    expect(Result.getOrThrow(read(whole))).toEqual(whole)
    const x = base64urlnopad.encode(ed25519.getPublicKey(new Uint8Array(32).fill(7)))
    expect(problemsOf({ ...whole, approver: { kty: 'OKP', crv: 'Ed25519', x } })).toEqual([])
  })

  const refused: readonly (readonly [string, unknown, string])[] = [
    [
      'a limit of a contract that moves the coin',
      withLimit({ asset: 'eip155:42220/erc20:0x471EcE3750Da237f93B8E339c536989b8978a438' }),
      'rules[0].limits[0].asset: nothing counts under this name, but as eip155:42220/slip44:60',
    ],
    ['no object', [], 'the document: has to be object'],
    ['another version', { ...whole, tandem: 'policy/2' }, 'tandem: has to be "policy/1"'],
    ['an unknown key', { ...whole, delay: '1h' }, 'delay: there is no such key'],
    ['no default', { ...whole, default: undefined }, 'default: has to be "allow" | "deny" | "review"'],
    ['an unknown key of a rule', withRule({ unless: {} }), 'rules[0].unless: there is no such key'],
    ['an unknown effect', withRule({ effect: 'permit' }), 'rules[0].effect: has to be "allow" | "deny" | "review"'],
    [
      'an id twice',
      { ...whole, rules: [small, { ...sanctioned, id: 'small' }] },
      'rules[1].id: another rule is called small',
    ],
    [
      'an id with spaces',
      withRule({ id: 'a b' }),
      'rules[0].id: has to be 1 to 64 letters, digits, dots, dashes or underscores',
    ],
    ['an unknown field', withWhen({ too: { is: usdc } }), 'rules[0].when.too: there is no such field'],
    [
      'a field of every object',
      withWhen({ constructor: { is: 'x' } }),
      'rules[0].when.constructor: there is no such field',
    ],
    ['an unknown predicate', withWhen({ to: { equals: usdc } }), 'rules[0].when.to.equals: there is no such key'],
    ['no predicate', withWhen({ to: {} }), 'rules[0].when.to: has no predicate'],
    ['a number that is none', withWhen({ value: { atMost: 5 } }), 'rules[0].when.value.atMost: has to be string'],
    [
      'a number in hex',
      withWhen({ value: { atMost: '0x5' } }),
      'rules[0].when.value.atMost: is no whole number in decimal',
    ],
    ['a bound of a text', withWhen({ to: { atMost: '5' } }), 'rules[0].when.to.atMost: the field is no number'],
    [
      'a time without unit',
      withWhen({ walletAge: { atLeast: '5' } }),
      'rules[0].when.walletAge.atLeast: is no time such as 24h',
    ],
    [
      'a list that is not there',
      withWhen({ to: { inList: 'friends' } }),
      'rules[0].when.to.inList: there is no list friends',
    ],
    [
      'a list of every object',
      withWhen({ to: { inList: 'constructor' } }),
      'rules[0].when.to.inList: there is no list constructor',
    ],
    [
      'a method that is none',
      withWhen({ method: { is: 'transfer' } }),
      'rules[0].when.method: transfer is not a signature such as transfer(address,uint256)',
    ],
    [
      'a method with names',
      withWhen({ method: { in: ['transfer(address to, uint256)'] } }),
      'rules[0].when.method: transfer(address to, uint256) is not a signature such as transfer(address,uint256)',
    ],
    ['a limit without asset', withLimit({ asset: undefined }), 'rules[0].limits[0].asset: has to be string'],
    [
      'a limit of no asset',
      withLimit({ asset: 'USDC' }),
      'rules[0].limits[0].asset: is neither count nor a CAIP-19 identifier',
    ],
    [
      'a limit with a fraction',
      withLimit({ max: '2.5' }),
      'rules[0].limits[0].max: is no amount in base units, in decimal',
    ],
    ['a limit of a year', withLimit({ per: '365d' }), 'rules[0].limits[0].per: has to be a time from 1m to 30d'],
    [
      'a misspelled payload',
      withWhen({ payload: { is: 'evm.mesage' } }),
      'rules[0].when.payload: evm.mesage is not one of evm.message',
    ],
    [
      'an address that is cut',
      withWhen({ to: { in: ['0x8335…2913'] } }),
      'rules[0].when.to: 0x8335…2913 is not an address of an EVM account',
    ],
    [
      'an address with a wrong checksum',
      withWhen({ to: { is: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02914' } }),
      'rules[0].when.to: 0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02914 is not an address of an EVM account',
    ],
    [
      'a chain in hex',
      withWhen({ chainId: { notIn: ['0x2105'] } }),
      'rules[0].when.chainId: 0x2105 is not a chain such as 8453 or cosmoshub-4',
    ],
    [
      'a list of chains in hex',
      { ...withWhen({ chainId: { inList: 'chains' } }), lists: { ...whole.lists, chains: ['1', '0x1'] } },
      'lists.chains[1]: 0x1 is not a chain such as 8453 or cosmoshub-4, and chainId asks for the list',
    ],
    [
      'a list with an address that is cut',
      { ...whole, lists: { sanctions: [thief, '0x1234'] } },
      'lists.sanctions[1]: 0x1234 is not an address of an EVM account, and recipient asks for the list',
    ],
    [
      'a recipient that is cut',
      withWhen({ recipient: { is: '0x1234' } }),
      'rules[0].when.recipient: 0x1234 is not an address of an EVM account',
    ],
    [
      'a recipient with another checksum',
      withWhen({ recipient: { is: '0x5aaEB6053f3e94c9b9a09f33669435E7ef1bEAeD' } }),
      'rules[0].when.recipient: 0x5aaEB6053f3e94c9b9a09f33669435E7ef1bEAeD is not an address of an EVM account (write it in lower case, or with the checksum of ERC-55)',
    ],
    [
      'a list with another checksum',
      { ...whole, lists: { sanctions: [thief, '0x5aaEB6053f3e94c9b9a09f33669435E7ef1bEAeD'] } },
      'lists.sanctions[1]: 0x5aaEB6053f3e94c9b9a09f33669435E7ef1bEAeD is not an address of an EVM account (write it in lower case, or with the checksum of ERC-55), and recipient',
    ],
    [
      'a negative number',
      withWhen({ value: { is: '-1' } }),
      'rules[0].when.value: -1 is not a whole number in decimal',
    ],
    [
      'a chain in hex of a domain',
      withWhen({ 'domain.chainId': { is: '0x1' } }),
      'rules[0].when.domain.chainId: 0x1 is not a whole number in decimal',
    ],
    [
      'an origin with a path',
      withWhen({ origin: { is: 'https://shop.example/' } }),
      'rules[0].when.origin: https://shop.example/ is not an origin such as https://shop.example',
    ],
    [
      'a program that is none',
      withWhen({ programIds: { is: 'system' } }),
      'rules[0].when.programIds: system is not an address of Solana',
    ],
    [
      'a limit of a rule that denies',
      { ...whole, rules: [small, { ...sanctioned, limits: small.limits }] },
      'rules[1].limits: a rule that denies has no limits',
    ],
    [
      'a review of a rule that holds nothing',
      withRule({ limits: [] }),
      'rules[0].review: the rule holds nothing: its effect is not review, and no limit has over: review',
    ],
    [
      'no approver',
      { ...whole, approver: undefined },
      'approver: has to be a public key as JWK, EC on P-256 or OKP on Ed25519',
    ],
    [
      'an approver’s private key',
      { ...whole, approver: { ...approver, d: approver.x } },
      'approver.d: there is no such key',
    ],
    [
      'an approver that is no point',
      { ...whole, approver: { ...approver, x: approver.y } },
      'approver: is no public key of its curve',
    ],
    [
      'an allowing rule that ignores what is unknown',
      withRule({ onUnknown: 'ignore' }),
      'rules[0].onUnknown: a rule that allows never matches what is unknown',
    ],
  ]
  it.each(refused)('is refused with %s', (_name, json, problem) => {
    expect(problemsOf(json)).toContainEqual(expect.stringContaining(problem))
  })

  it('takes recipients of every chain', () => {
    const sanctions = [
      thief,
      'cosmos1thief',
      '11111111111111111111111111111111',
      usdc.toUpperCase().replace('0X', '0x'),
    ]
    expect(problemsOf({ ...whole, lists: { sanctions } })).toEqual([])
  })

  describe('with a list that fields of several chains ask for', () => {
    const solanaThief = '11111111111111111111111111111111'
    const called = { id: 'called', effect: 'deny', when: { to: { inList: 'sanctions' } } }
    const minted = { id: 'minted', effect: 'deny', when: { mint: { inList: 'sanctions' } } }
    const sanctionedBy = (rules: readonly object[], sanctions: readonly string[]) =>
      problemsOf({ ...whole, rules, lists: { sanctions } })

    it('takes values that one of the fields can have', () => {
      expect(sanctionedBy([sanctioned, called], [thief, solanaThief])).toEqual([])
      expect(sanctionedBy([called, minted], [thief, solanaThief])).toEqual([])
    })

    it('is refused with a value that none of them can have, and where a field can have none of the values', () => {
      expect(sanctionedBy([sanctioned, called], [thief, '0x1234'])).toEqual([
        'lists.sanctions[1]: 0x1234 is not an address of an EVM account, and recipient asks for the list',
        'lists.sanctions[1]: 0x1234 is not an address of an EVM account, and to asks for the list',
      ])
      expect(sanctionedBy([called], [thief, solanaThief])).toEqual([
        `lists.sanctions[1]: ${solanaThief} is not an address of an EVM account, and to asks for the list`,
      ])
      expect(sanctionedBy([sanctioned, called], [solanaThief, 'cosmos1thief'])).toEqual([
        'lists.sanctions: no value of it is an address of an EVM account, and to asks for the list',
      ])
    })
  })

  it('looks at a list once, however many rules ask for it', () => {
    const long = Array.from({ length: 10_000 }, (_, index) => `0x${String(index).padStart(40, '0')}`)
    const rules = Array.from({ length: 256 }, (_, index) => ({ ...sanctioned, id: `sanctioned${index}` }))
    const from = performance.now()
    expect(problemsOf({ ...whole, rules, lists: { sanctions: long } })).toEqual([])
    expect(performance.now() - from).toBeLessThan(1_000)
  })

  it('is refused where the partner reviews and has no approver', () => {
    const { approver: _left, ...without } = whole
    expect(problemsOf(without)).toEqual([
      "rules[0].review.by: there is no approver, whose key signs the partner's decisions",
    ])
  })
})

describe('check', () => {
  const findings = (rules: readonly object[], lists: object = { sanctions: [thief] }) =>
    check({ tandem: 'policy/1', default: 'deny', rules, lists })
  const allow = (when: object) => ({ id: 'a', effect: 'allow', when })
  const deny = (when: object) => ({ id: 'd', effect: 'deny', when })
  const dead = 'rules[0]: a is dead: d denies everything that it matches'

  it('finds what apply refuses, also in a policy that was applied before', () => {
    const never = withLimit({ asset: 'eip155:137/slip44:966' })
    expect(Result.isSuccess(readStored(never))).toBe(true)
    expect(check(never)).toEqual([
      'rules[0].limits[0].asset: nothing counts under this name, but as eip155:137/slip44:60',
    ])
  })

  it('finds nothing in a sound policy, and what is wrong with its form', () => {
    expect(check(whole)).toEqual([])
    expect(check({ ...whole, default: 'x' })).toEqual(['default: has to be "allow" | "deny" | "review"'])
  })

  it('finds rules that a denying one always beats', () => {
    const shadowed = [
      [{ to: { is: usdc } }, {}],
      [
        { to: { is: usdc }, value: { atMost: '5' } },
        { to: { in: [usdc.toUpperCase().replace('0X', '0x'), contract] } },
      ],
      [{ value: { atMost: '5' } }, { value: { atMost: '6' } }],
      [{ value: { is: '5' } }, { value: { atLeast: '5' } }],
      [{ to: { notIn: [usdc, contract] } }, { to: { notIn: [usdc] } }],
      [{ recipient: { is: thief } }, { recipient: { inList: 'sanctions' } }],
      [{ origin: { startsWith: 'https://shop.example/' } }, { origin: { startsWith: 'https://' } }],
      [{ to: { startsWith: '0xABCD' } }, { to: { startsWith: '0xab' } }],
    ] as const
    for (const [narrow, wide] of shadowed) {
      expect(findings([allow(narrow), deny(wide), sanctioned])).toEqual([dead])
    }
  })

  it('finds no rule dead that may match', () => {
    const alive = [
      [{}, { to: { is: usdc } }],
      [{ to: { in: [usdc, contract] } }, { to: { is: usdc } }],
      [{ value: { atMost: '6' } }, { value: { atMost: '5' } }],
      [{ to: { is: usdc } }, { to: { is: usdc }, value: { atLeast: '1' } }],
      [{ to: { notIn: [usdc] } }, { to: { notIn: [usdc, contract] } }],
      [{ method: { is: 'deposit(uint256)' }, 'args.0': { is: '1' } }, { 'args.0': { is: '1' } }],
    ] as const
    for (const [narrow, wide] of alive) expect(findings([allow(narrow), deny(wide), sanctioned])).toEqual([])
    const ignoring = { ...deny({ recipient: { is: thief } }), onUnknown: 'ignore' }
    expect(findings([{ ...allow({ recipient: { is: thief } }), effect: 'review' }, ignoring], {})).toEqual([])
  })

  it('finds fields that do not occur together, and lists that serve nothing', () => {
    expect(
      findings([allow({ programIds: { is: '11111111111111111111111111111111' }, to: { is: usdc } }), sanctioned]),
    ).toEqual(['rules[0]: no payload has programIds and to together, so a never matches'])
    expect(findings([allow({ payload: { is: 'evm.message' }, recipient: { is: friend } }), sanctioned])).toEqual([
      'rules[0]: no payload has payload and recipient together, so a never matches',
    ])
    expect(findings([allow({})])).toEqual(['lists.sanctions: no rule asks for it'])
    expect(findings([sanctioned], { sanctions: [] })).toEqual(['lists.sanctions: is empty, so nothing is in it'])
  })
})

describe('cases', () => {
  const pay = (amount: string, more: object = {}) => ({
    evm: { chainId: '8453', to: usdc, method: 'transfer(address,uint256)', args: [friend, amount], ...more },
  })
  const run = (...cases: readonly object[]) =>
    Result.gen(function* () {
      return yield* runCases(yield* read(whole), yield* readCases({ tandem: 'policy-cases/1', cases }))
    })
  const effects = (...cases: readonly object[]) =>
    Result.getOrThrow(run(...cases)).results.map(({ isOk, judgement }) => [isOk, judgement.effect])

  it('are judged after what was signed before, each over a digest of its own', () => {
    const after = [
      { ago: '1h', ...pay('100') },
      { ago: '23h', ...pay('100') },
    ]
    expect(
      effects(
        { name: 'within', ...pay('50'), after, expect: 'allow', rule: 'small' },
        { name: 'beyond', ...pay('51'), after, expect: 'review', rule: 'small' },
        { name: 'a day later', ...pay('150'), after: [after[0], { ago: '24h', ...pay('100') }], expect: 'allow' },
        { name: 'another expectation', ...pay('50'), expect: 'deny' },
        { name: 'another rule', ...pay('50'), expect: 'allow', rule: 'sanctioned' },
      ),
    ).toEqual([
      [true, 'allow'],
      [true, 'review'],
      [true, 'allow'],
      [false, 'allow'],
      [false, 'allow'],
    ])
  })

  it('keep the case of text arguments, which is not that of hex', () => {
    const named = { method: 'setName(string)', args: ['Alice'] }
    const policy = {
      tandem: 'policy/1',
      default: 'deny',
      rules: [{ id: 'alice', effect: 'allow', when: { method: { is: named.method }, 'args.0': { is: 'Alice' } } }],
    }
    const given = [{ name: 'alice', evm: { chainId: '8453', to: usdc, ...named }, expect: 'allow' }]
    const ran = Result.gen(function* () {
      return yield* runCases(yield* read(policy), yield* readCases({ tandem: 'policy-cases/1', cases: given }))
    })
    expect(Result.getOrThrow(ran).results.map(({ judgement }) => judgement.effect)).toEqual(['allow'])
  })

  it('name the rules that none of them reaches', () => {
    const { unreached } = Result.getOrThrow(run({ name: 'one', ...pay('1'), expect: 'allow' }))
    expect(unreached).toEqual(['sanctioned'])
  })

  it('take every kind of payload', () => {
    const typedData = {
      types: { Login: [{ name: 'text', type: 'string' }] },
      primaryType: 'Login',
      domain: { name: 'x' },
      message: { text: 'hi' },
    }
    const solana = 'AQABAlUhKMOVXPkudRQ+fHE7b1WaSzWwVy0SuKfXJwUiRqJW'
    const given = [
      { typedData, expect: 'deny' },
      { authorization: { chainId: '1', address: contract }, expect: 'deny' },
      { message: 'hello', expect: 'deny' },
      { solanaMessage: 'hello', expect: 'deny' },
      { cosmos: aminoDocument(aminoSend('cosmos1a', 1)), expect: 'deny' },
      { blind: '11'.repeat(32), optedIn: true, expect: 'deny' },
      { evm: { chainId: '1', data: '0x6000' }, expect: 'deny' },
    ]
    expect(effects(...given.map((one, index) => ({ name: String(index), ...one }))).every(([isOk]) => isOk)).toBe(true)
    const broken = run({ name: 'x', solana, expect: 'deny' })
    expect(Result.isFailure(broken) && broken.failure.problems).toEqual([
      'cases[0]: solana is nothing that can be signed',
    ])
  })

  const refused: readonly (readonly [string, object, string])[] = [
    ['no payload', {}, 'cases[0]: has to have one of evm, typedData'],
    ['two payloads', { ...pay('1'), message: 'x' }, 'cases[0]: has to have one of evm, typedData'],
    ['arguments that are none', pay('x'), 'cases[0]: evm cannot be read'],
    ['data and a method', pay('1', { data: '0x' }), 'cases[0]: evm cannot be read'],
    ['an unknown key', { ...pay('1'), agee: '1h' }, 'cases[0].agee: there is no such key'],
    ['an age that is none', { ...pay('1'), walletAge: '1' }, 'cases[0].walletAge: has to be a time such as 24h'],
    ['typed data that is none', { typedData: {} }, 'cases[0]: typedData cannot be read'],
  ]
  it.each(refused)('are refused with %s', (_name, given, problem) => {
    const report = run({ name: 'one', expect: 'allow', ...given })
    expect(Result.isFailure(report) && report.failure.problems[0]).toContain(problem)
  })
})
