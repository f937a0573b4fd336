/** Typed data: its digest against EIP-712's example and viem, and that it has one text. */
import { secp256k1 } from '@noble/curves/secp256k1.js'
import * as Result from 'effect/Result'
import fc from 'fast-check'
import { hashTypedData, hexToBytes, keccak256, stringToHex, type Hex, type TypedDataDefinition } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import * as Signature from '../../domain/model/Signature.ts'
import * as Frame from '../../domain/mpc/Frame.ts'
import * as TypedData from '../../domain/mpc/TypedData.ts'
import { times } from '../kit/long.ts'

const hex = (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes).toString('hex')
const byViem = (text: string) => hashTypedData(JSON.parse(text) as TypedDataDefinition).slice(2)

/** Fails where what we read has another digest than viem finds, or viem cannot read it. */
const expectSame = (read: TypedData.TypedData | undefined) => {
  if (read !== undefined) expect(hex(read.digest)).toBe(byViem(read.text))
}

/** The example of EIP-712 itself. */
const mail = {
  types: {
    EIP712Domain: [
      { name: 'name', type: 'string' },
      { name: 'version', type: 'string' },
      { name: 'chainId', type: 'uint256' },
      { name: 'verifyingContract', type: 'address' },
    ],
    Person: [
      { name: 'name', type: 'string' },
      { name: 'wallet', type: 'address' },
    ],
    Mail: [
      { name: 'from', type: 'Person' },
      { name: 'to', type: 'Person' },
      { name: 'contents', type: 'string' },
    ],
  },
  primaryType: 'Mail',
  domain: {
    name: 'Ether Mail',
    version: '1',
    chainId: 1,
    verifyingContract: '0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC',
  },
  message: {
    from: { name: 'Cow', wallet: '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826' },
    to: { name: 'Bob', wallet: '0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB' },
    contents: 'Hello, Bob!',
  },
}

/** Request 1 of a DKLS signature, which goes with the text (domain/mpc/README.md#messages). */
const firstMessage = 10_864

/** One value of one type. */
const single = (type: string, value: unknown) => ({
  types: { One: [{ name: 'value', type }] },
  primaryType: 'One',
  domain: { name: 'one' },
  message: { value },
})

const address = '0xcd2a3d9f938e13cd947ec05abc7fe734df8dd826'

describe('the digest of typed data', () => {
  it('is that of the example in EIP-712', () => {
    expect(hex(TypedData.read(mail)?.digest)).toBe('be609aee343fb3c4b28e1df9e632fca64fcfaede20f02e86244efddf30957bd2')
  })

  it('is signed by a key as in that example, and as viem signs', async () => {
    const digest = TypedData.read(mail)?.digest ?? new Uint8Array(0)
    const signedBy = (key: Hex) => {
      const signature = secp256k1.sign(digest, hexToBytes(key), { prehash: false, format: 'recovered' })
      const [v, ...scalars] = signature
      return Signature.toEthereumHex(Result.getOrThrow(Signature.fromBytes(Uint8Array.of(...scalars, v ?? 0))))
    }
    const cow = keccak256(stringToHex('cow'))
    const own: Hex = `0x${'11'.repeat(32)}`

    expect(signedBy(cow)).toBe(
      '0x4355c47d63924e8a72e509b65029052eb6c299d53a04e167c5775fd466751c9d' +
        '07299936d304c153f6443dfa05f40ff007d72911b6f72307f996231605b915621c',
    )
    expect(signedBy(own)).toBe(await privateKeyToAccount(own).signTypedData(mail as unknown as TypedDataDefinition))
  })

  it.each([
    ['2^256 - 1', single('uint256', 2n ** 256n - 1n)],
    ['the lowest of int8', single('int8', -128)],
    [
      'nested arrays',
      single('uint8[2][]', [
        [1, 2],
        ['3', 4n],
      ]),
    ],
    ['an empty array', single('string[]', [])],
    ['bytes32', single('bytes32', `0x${'aB'.repeat(32)}`)],
    ['short bytes', single('bytes3', '0x010203')],
    ['no bytes', single('bytes', '0x')],
    ['text beyond the first plane', single('string', '\u{1f980} \u2028 "quoted"')],
    ['an address in upper case', single('address', `0x${address.slice(2).toUpperCase()}`)],
    ['an empty domain', { ...mail, types: { ...mail.types, EIP712Domain: [] }, domain: {} }],
    ['no domain', { ...single('bool', true), domain: undefined }],
    ['a salt', { ...single('bool', false), domain: { salt: `0x${'11'.repeat(32)}`, chainId: '5' } }],
    [
      'a domain in an order of its own',
      { ...mail, types: { ...mail.types, EIP712Domain: mail.types.EIP712Domain.toReversed() } },
    ],
    [
      'a name with a colon',
      { ...mail, types: { 'Some:Mail': mail.types.Person }, primaryType: 'Some:Mail', message: mail.message.to },
    ],
  ])('is that of viem for %s', (_, typedData) => {
    const read = TypedData.read(typedData)

    expect(read).toBeDefined()
    expectSame(read)
  })

  it.each([
    ['a number', 1],
    ['a bigint', 1n],
    ['decimal text', '1'],
    ['hexadecimal text', '0x1'],
  ])('is the same for a chain id as %s', (_, chainId) => {
    const { EIP712Domain: _domain, ...types } = mail.types
    for (const one of [mail, { ...mail, types }]) {
      expect(TypedData.read({ ...one, domain: { ...mail.domain, chainId } })).toEqual(TypedData.read(mail))
    }
  })

  it('leaves types out that the primary type does not need', () => {
    const types = { ...mail.types, Unused: [{ name: 'any', type: 'thing' }] }

    expect(TypedData.read({ ...mail, types })).toEqual(TypedData.read(mail))
  })
})

describe('typed data is refused', () => {
  const deep = (depth: number): unknown => (depth === 0 ? [] : [deep(depth - 1)])
  const person = mail.types.Person
  const longName = 'T'.repeat(129)

  it.each([
    ['undefined', undefined],
    ['a list', []],
    ['no types', { ...mail, types: undefined }],
    ['no message', { ...mail, message: undefined }],
    ['a field that is not known', { ...mail, more: 1 }],
    ['a value that its type does not have', { ...mail, message: { ...mail.message, more: 1 } }],
    ['a value that is missing', { ...mail, message: { from: mail.message.from, to: mail.message.to } }],
    ['null for a struct', { ...mail, message: { ...mail.message, from: null } }],
    ['a list for a struct', { ...mail, message: { ...mail.message, from: [] } }],
    ['a type that is missing', { ...mail, types: { ...mail.types, Person: undefined } }],
    ['a type of an object’s prototype', { ...single('toString', {}) }],
    [
      'a field of the type with more',
      { ...mail, types: { ...mail.types, Person: [{ ...person[0], more: 1 }, person[1]] } },
    ],
    ['two fields of one name', { ...mail, types: { ...mail.types, Person: [...person, person[0]] } }],
    ['a name that is none', { ...single('bool', true), types: { One: [{ name: 'value,bool other', type: 'bool' }] } }],
    ['the domain as its primary type', { ...mail, primaryType: 'EIP712Domain', message: mail.domain }],
    [
      'the domain inside',
      { ...mail, types: { ...mail.types, Mail: [{ name: 'd', type: 'EIP712Domain' }] }, message: { d: mail.domain } },
    ],
    ['a cycle', { ...single('One', {}), message: { value: { value: {} } } }],
    ['a cycle by an array', single('One[]', [{ value: [] }])],
    [
      'a struct inside a name with a colon',
      { ...mail, types: { ...mail.types, 'Some:Mail': mail.types.Mail }, primaryType: 'Some:Mail' },
    ],
    [
      'a struct that is named like an elementary type',
      { ...mail, types: { uint8: person }, primaryType: 'uint8', message: mail.message.to },
    ],
    ['a domain with more than its type', { ...mail, domain: { ...mail.domain, salt: `0x${'11'.repeat(32)}` } }],
    ['a domain with less than its type', { ...mail, domain: { name: 'Ether Mail' } }],
    [
      'a domain of other types',
      { ...mail, types: { ...mail.types, EIP712Domain: [{ name: 'name', type: 'bytes' }] }, domain: { name: '0x' } },
    ],
    [
      'a field that no domain has',
      { ...mail, domain: { ...mail.domain, chain: 1 }, types: { Mail: mail.types.Mail, Person: person } },
    ],
    ['uint without a size', single('uint', 1)],
    ['a size that is not of bytes', single('uint12', 1)],
    ['uint264', single('uint264', 1)],
    ['bytes33', single('bytes33', `0x${'11'.repeat(33)}`)],
    ['uint8 of 256', single('uint8', 256)],
    ['a negative uint', single('uint256', -1)],
    ['2^256', single('uint256', 2n ** 256n)],
    ['int8 of 128', single('int8', 128)],
    ['int8 of -129', single('int8', -129)],
    ['a number above 2^53', single('uint256', 2 ** 53)],
    ['a fraction', single('uint256', 1.5)],
    ['not a number', single('uint256', Number.NaN)],
    ['no digits', single('uint256', '')],
    ['leading zeros', single('uint256', '01')],
    ['an exponent', single('uint256', '1e3')],
    ['a negative zero as text', single('int256', '-0')],
    ['a number as a bool', single('bool', 1)],
    ['text as a bool', single('bool', 'true')],
    ['an address with a wrong checksum', single('address', mail.message.from.wallet.replace('CD', 'cD'))],
    ['a short address', single('address', address.slice(0, -2))],
    ['bytes with half a byte', single('bytes', '0x123')],
    ['bytes without 0x', single('bytes', '12')],
    ['too many bytes', single('bytes2', '0x010203')],
    ['too few bytes', single('bytes2', '0x01')],
    ['a lone surrogate', single('string', '\ud800')],
    ['a fixed array that is too short', single('uint8[2]', [1])],
    ['a fixed array of nothing', single('uint8[0]', [])],
    ['a value for an array', single('uint8[]', 1)],
    ['an array for a value', single('uint8', [1])],
    ['arrays that are too deep', single(`uint8${'[]'.repeat(20)}`, deep(19))],
    [
      'too many values',
      single(
        'uint8[]',
        Array.from({ length: TypedData.maximumValues }, () => 1),
      ),
    ],
    ['text that is too long', single('string', 'a'.repeat(TypedData.maximumTextLength))],
    [
      'a type name that is too long',
      { ...single(longName, {}), types: { One: [{ name: 'value', type: longName }], [longName]: [] } },
    ],
    ['a type with too many brackets', single(`uint8${'[]'.repeat(17)}`, [])],
    [
      'too many types',
      {
        ...single('T0', {}),
        types: Object.fromEntries([
          ['One', Array.from({ length: 40 }, (_, index) => ({ name: `v${index}`, type: `T${index}` }))],
          ...Array.from({ length: 40 }, (_, index) => [`T${index}`, []]),
        ]),
        message: Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`v${index}`, {}])),
      },
    ],
  ])('with %s', (_, typedData) => {
    expect(TypedData.read(typedData)).toBeUndefined()
  })
})

describe('the text of typed data', () => {
  const text = TypedData.read(mail)?.text ?? ''

  it('fits into a frame at its longest', () => {
    for (const one of ['\u{1f980}', '\u20ac', '"', '\u0001']) {
      const bare = TypedData.read(single('string', ''))?.text.length ?? 0
      const times = Math.floor((TypedData.maximumTextLength - bare) / (JSON.stringify(one).length - 2))
      const typedData = TypedData.read(single('string', one.repeat(times)))?.text ?? ''
      expect(typedData.length).toBeGreaterThan(TypedData.maximumTextLength - 10)
      const request = Buffer.byteLength(JSON.stringify({ kind: 'eip712', typedData }))
      expect(request).toBeLessThan(Frame.maximumLength - firstMessage - 1_024)
    }
  })

  it('is read again as the same', () => {
    expect(TypedData.parse(text)).toEqual(TypedData.read(mail))
  })

  it.each([
    ['a space', text.replace(',', ', ')],
    ['a key twice', text.replace('"contents":', '"contents":"Pay Bob","contents":')],
    ['keys in another order', JSON.stringify({ ...(JSON.parse(text) as object), types: mail.types })],
    ['a number for digits', text.replace('"chainId":"1"', '"chainId":1')],
    ['another spelling of a number', text.replace('"chainId":"1"', '"chainId":"0x1"')],
    ['an address in checksum case', text.replace(address, mail.message.from.wallet)],
    ['an escape that is not needed', text.replace('Bob!', '\\u0042ob!')],
    ['a type that is not used', text.replace('"types":{', '"types":{"Unused":[],')],
    ['something behind it', `${text} `],
    ['nothing', ''],
    ['a text that is too long', text.replace('Bob!', 'b'.repeat(TypedData.maximumTextLength))],
  ])('is not read with %s', (_, other) => {
    expect(other).not.toBe(text)
    expect(TypedData.parse(other)).toBeUndefined()
  })
})

type Fields = readonly { readonly name: string; readonly type: string }[]
type Types = Readonly<Record<string, Fields>>

const integers = fc.tuple(fc.boolean(), fc.integer({ min: 1, max: 32 })).map(([signed, bytes]) => ({
  type: `${signed ? '' : 'u'}int${bytes * 8}`,
  value: fc.bigInt(
    signed
      ? { min: -(2n ** BigInt(bytes * 8 - 1)), max: 2n ** BigInt(bytes * 8 - 1) - 1n }
      : { min: 0n, max: 2n ** BigInt(bytes * 8) - 1n },
  ),
}))
const hexOf = (length: { readonly minLength?: number; readonly maxLength: number }) =>
  fc.uint8Array(length).map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`)
const atoms: fc.Arbitrary<{ readonly type: string; readonly value: fc.Arbitrary<unknown> }> = fc.oneof(
  integers,
  fc
    .integer({ min: 1, max: 32 })
    .map((size) => ({ type: `bytes${size}`, value: hexOf({ minLength: size, maxLength: size }) })),
  fc.constantFrom(
    { type: 'bool', value: fc.boolean() },
    { type: 'string', value: fc.string({ unit: 'binary', maxLength: 8 }) },
    { type: 'bytes', value: hexOf({ maxLength: 40 }) },
    { type: 'address', value: hexOf({ minLength: 20, maxLength: 20 }) },
  ),
)
/** A type, of struct or atom, with its values: as it is, or in arrays. */
const inArrays = ({ type, value }: { readonly type: string; readonly value: fc.Arbitrary<unknown> }) =>
  fc.constantFrom(
    { type, value },
    { type: `${type}[]`, value: fc.array(value, { maxLength: 3 }) },
    { type: `${type}[2]`, value: fc.tuple(value, value) },
    { type: `${type}[][2]`, value: fc.tuple(fc.array(value, { maxLength: 2 }), fc.array(value, { maxLength: 2 })) },
  )

/** Structs of which each may contain the one after it. */
const structs = (
  names: readonly string[],
): fc.Arbitrary<{ readonly types: Types; readonly value: fc.Arbitrary<unknown> }> => {
  const [name, ...others] = names
  if (name === undefined) return fc.constant({ types: {}, value: fc.constant(undefined) })
  return structs(others).chain((inner) => {
    const [next] = others
    const kinds = next === undefined ? atoms : fc.oneof(atoms, fc.constant({ type: next, value: inner.value }))
    return fc.array(kinds.chain(inArrays), { minLength: 1, maxLength: 4 }).map((members) => {
      const fields = members.map(({ type }, index) => ({ name: `f${index}`, type }))
      const value = fc.record(Object.fromEntries(members.map((member, index) => [`f${index}`, member.value])))
      return { types: { ...inner.types, [name]: fields }, value }
    })
  })
}

const domains = fc.record(
  {
    name: fc.string({ maxLength: 5 }),
    version: fc.constant('1'),
    chainId: fc.integer({ min: 0 }),
    verifyingContract: hexOf({ minLength: 20, maxLength: 20 }),
    salt: hexOf({ minLength: 32, maxLength: 32 }),
  },
  { requiredKeys: [] },
)

const typedData = structs(['Order', 'Zebra', 'Item']).chain(({ types, value }) =>
  fc.record({ types: fc.constant(types), primaryType: fc.constant('Order'), domain: domains, message: value }),
)

describe('of generated typed data', () => {
  it('each has the digest that viem finds, and one text', () => {
    fc.assert(
      fc.property(typedData, (one) => {
        const read = TypedData.read(one)

        expect(hex(read?.digest)).toBe(hashTypedData(one as unknown as TypedDataDefinition).slice(2))
        expect(TypedData.parse(read?.text ?? '')).toEqual(read)
        expectSame(read)
      }),
      { numRuns: times(60, 3_000) },
    )
  })

  const piece = fc.oneof(
    fc.tuple(fc.constant(1), fc.constantFrom(...'0123456789abcdefx-_"'.split(''))),
    fc.tuple(
      fc.nat(6),
      fc.constantFrom('{}', '[]', ',', ':', '-1', '1e3', '"0x"', 'null', 'true', 'uint256', '[2]', '\\u0000'),
    ),
  )

  it('each mutation is refused, or has the digest that viem finds', () => {
    const texts = fc.sample(typedData, times(30, 300)).map((one) => TypedData.read(one)?.text ?? '')
    let accepted = 0
    fc.assert(
      fc.property(fc.constantFrom(...texts), fc.integer({ min: 0, max: 1e6 - 1 }), piece, (text, place, [cut, put]) => {
        const at = Math.floor((place * text.length) / 1e6)
        const mutated = text.slice(0, at) + put + text.slice(at + cut)
        const parsed = TypedData.parse(mutated)
        if (parsed !== undefined && mutated !== text) accepted += 1
        expectSame(parsed)
        try {
          expectSame(TypedData.read(JSON.parse(mutated)))
        } catch (error) {
          if (!(error instanceof SyntaxError)) throw error
        }
      }),
      { numRuns: times(1_000, 10_000) },
    )
    // Some mutations make another text or number.
    expect(accepted).toBeGreaterThan(times(10, 100))
  })
})
