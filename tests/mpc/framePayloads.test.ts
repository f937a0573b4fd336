import { createHash, randomBytes } from 'node:crypto'
import { hashAuthorization as hashByEthers } from 'ethers'
import * as Result from 'effect/Result'
import fc from 'fast-check'
import {
  concatHex,
  hashMessage,
  hashTypedData,
  keccak256,
  serializeTransaction,
  toRlp,
  zeroAddress,
  type Hex,
} from 'viem'
import { hashAuthorization } from 'viem/utils'
import { describe, expect, it } from 'vitest'
import type { Scheme } from '../../domain/mpc/Protocol.ts'
import * as SigningRequest from '../../domain/mpc/SigningRequest.ts'
import { isTransactionMessage } from '../../domain/mpc/SolanaTransaction.ts'
import * as TypedData from '../../domain/mpc/TypedData.ts'
import { times } from '../kit/long.ts'
import { mutationsOf } from '../kit/mutated.ts'
import { legacy, to, typed } from './transactions.ts'

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
const digestOf = (request: unknown, scheme: Scheme) => {
  const payload = Result.flatMap(SigningRequest.read(request), (read) => SigningRequest.payloadDigest(read, scheme))
  return Result.isSuccess(payload) ? `${payload.success.class} ${hex(payload.success.message)}` : payload.failure.reason
}
const jsonOf = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return undefined
  }
}
const transaction = (serialized: Hex, chainId = '5') => ({
  kind: 'transaction',
  transaction: serialized.slice(2),
  chainId,
  send: false,
})

const permit = {
  types: {
    Permit: [
      { name: 'owner', type: 'address' },
      { name: 'value', type: 'uint256' },
    ],
  },
  primaryType: 'Permit',
  domain: { name: 'Coin', chainId: 5 },
  message: { owner: to, value: 2n ** 256n - 1n },
} as const

/** Three empty fields behind those of an RLP list of scalars and lists, as clients send them. */
const withEmptySignature = (fields: readonly unknown[], head: Hex = '0x') =>
  concatHex([head, toRlp([...fields, '0x', '0x', '0x'] as Parameters<typeof toRlp>[0])])

describe('the signed digest', () => {
  it('is for eip191 the prefixed Keccak of viem', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (message) => {
        const ofClass = message.length === 32 ? 'eip191Hash' : 'eip191'
        expect(digestOf({ kind: 'eip191', message: hex(message) }, 'DKLS')).toBe(
          `${ofClass} ${hashMessage({ raw: message }).slice(2)}`,
        )
      }),
    )
  })

  it('is for 32 raw bytes the same, and of a class of its own: they may be the hash of an operation', () => {
    const classOf = (length: number) => digestOf({ kind: 'eip191', message: '5a'.repeat(length) }, 'DKLS').split(' ')[0]

    expect([31, 32, 33].map(classOf)).toEqual(['eip191', 'eip191Hash', 'eip191'])
  })

  it('is for typed data that of the text, which is read strictly', () => {
    const text = TypedData.read(permit)?.text ?? ''

    expect(digestOf({ kind: 'eip712', typedData: text }, 'DKLS')).toBe(`eip712 ${hashTypedData(permit).slice(2)}`)
    expect(
      digestOf(
        { kind: 'eip712', typedData: JSON.stringify({ ...permit, message: { owner: to, value: '1' } }) },
        'DKLS',
      ),
    ).toBe('malformed')
    expect(digestOf({ kind: 'eip712', typedData: permit }, 'DKLS')).toBe('malformed')
    expect(digestOf({ kind: 'eip712', typedData: text }, 'ED25519')).toBe('another scheme')
  })

  it('is for an authorization that of viem', () => {
    const addresses = [to, zeroAddress] as const
    const counts = [0, 1, 0x7f, 0x80, 2 ** 31, Number.MAX_SAFE_INTEGER]
    for (const address of addresses) {
      for (const nonce of counts) {
        const chainId = nonce + 1 > Number.MAX_SAFE_INTEGER ? nonce : nonce + 1
        const asked = { kind: 'authorization', address: address.slice(2), chainId: `${chainId}`, nonce: `${nonce}` }
        expect(digestOf(asked, 'DKLS')).toBe(`authorization ${hashAuthorization({ address, chainId, nonce }).slice(2)}`)
        expect(digestOf(asked, 'ED25519')).toBe('another scheme')
      }
    }
  })

  it('is for an authorization that of ethers, whatever became of the request’s text', () => {
    const asked = { kind: 'authorization', address: to.slice(2), chainId: '8453', nonce: '255' }
    const good = new TextEncoder().encode(JSON.stringify(asked))
    let taken = 0
    for (const bytes of mutationsOf([good], times(300, 10_000))) {
      const read = jsonOf(bytes)
      const digest = digestOf(read, 'DKLS')
      if (!digest.startsWith('authorization ')) continue
      taken += 1
      const { address, chainId, nonce } = read as typeof asked
      const hash = hashByEthers({ address: `0x${address}`, chainId: BigInt(chainId), nonce: BigInt(nonce) })
      expect(digest).toBe(`authorization ${hash.slice(2)}`)
    }
    expect(taken).toBeGreaterThan(times(300, 10_000) / 50)
  })

  it.each(typed)('is for an unsigned $type transaction the Keccak of its serialisation', (one) => {
    const serialized = serializeTransaction(one)

    expect(digestOf(transaction(serialized), 'DKLS')).toBe(`transaction ${keccak256(serialized).slice(2)}`)
    expect(digestOf(transaction(serialized, '6'), 'DKLS')).toBe('no such transaction')
    const signed = serializeTransaction(one, { r: `0x${'01'.repeat(32)}`, s: `0x${'02'.repeat(32)}`, yParity: 1 })
    expect(digestOf(transaction(signed), 'DKLS')).toBe('no such transaction')
  })

  it('is the same for a typed transaction whose signature fields are present but empty', () => {
    const fields = ['0x05', '0x', '0x01', '0x09', '0x5208', to, '0x', '0x', []] as const
    const bare = concatHex(['0x02', toRlp([...fields] as Parameters<typeof toRlp>[0])])

    expect(digestOf(transaction(withEmptySignature(fields, '0x02')), 'DKLS')).toBe(
      `transaction ${keccak256(bare).slice(2)}`,
    )
  })

  it('is for a legacy transaction the Keccak with its chain (EIP-155), which it names or leaves empty', () => {
    const fields = ['0x09', '0x14', '0x5208', to, '0x0de0b6b3a7640000', '0x'] as const
    const expected = `transaction ${keccak256(serializeTransaction({ ...legacy, chainId: 5 })).slice(2)}`
    const forms = [
      serializeTransaction({ ...legacy, chainId: 5 }),
      withEmptySignature(fields),
      toRlp([...fields, '0x05', '0x', '0x']),
    ]

    expect(forms.map((form) => digestOf(transaction(form), 'DKLS'))).toEqual(forms.map(() => expected))
    const refused = [
      serializeTransaction(legacy),
      serializeTransaction({ ...legacy, chainId: 6 }),
      toRlp([...fields, '0x1c', '0x', '0x']),
      toRlp([...fields, '0x05', '0x01', '0x']),
      toRlp([...fields, '0x', '0x', '0x01']),
      toRlp([...fields, '0x05']),
      toRlp([...fields, '0x05', '0x', '0x', '0x']),
      toRlp([...fields.slice(0, 5), []]),
      toRlp(fields.slice(0, 5)),
    ]
    expect(refused.map((form) => digestOf(transaction(form), 'DKLS'))).toEqual(refused.map(() => 'no such transaction'))
  })

  it('is the EIP-155 digest of the example in the EIP itself', () => {
    const example = '0xec098504a817c800825208943535353535353535353535353535353535353535880de0b6b3a764000080018080'

    expect(digestOf(transaction(example, '1'), 'DKLS')).toBe(
      'transaction daf5a779ae972f972197303d7b574746c7ef83eadac0f2791ad23db92e4c8e53',
    )
  })

  it('is for Cosmos the SHA-256 of the sign document', () => {
    const signDoc = hex(randomBytes(90))
    const expected = createHash('sha256').update(Buffer.from(signDoc, 'hex')).digest('hex')

    expect(digestOf({ kind: 'cosmosDirect', signDoc }, 'DKLS')).toBe(`cosmosDirect ${expected}`)
    expect(digestOf({ kind: 'cosmosAmino', signDoc, prefix: 'osmo' }, 'DKLS')).toBe(`cosmosAmino ${expected}`)
  })

  it('is for a Solana message the message, and for blind the digest or bytes themselves', () => {
    const digest = hex(randomBytes(32))

    expect(digestOf({ kind: 'solanaMessage', message: '68656c6c6f' }, 'ED25519')).toBe('solanaMessage 68656c6c6f')
    expect(digestOf({ kind: 'blind', digest }, 'DKLS')).toBe(`blind ${digest}`)
    expect(digestOf({ kind: 'blind', digest: '0102' }, 'ED25519')).toBe('blind 0102')
    expect(digestOf({ kind: 'blind', digest: '0102' }, 'DKLS')).toBe('malformed')
  })

  it('depends on the scheme', () => {
    const message = '68656c6c6f'
    expect(digestOf({ kind: 'eip191', message }, 'ED25519')).toBe('another scheme')
    expect(digestOf({ kind: 'solanaMessage', message }, 'DKLS')).toBe('another scheme')
    expect(digestOf({ kind: 'solanaTransaction', message }, 'DKLS')).toBe('another scheme')
    expect(digestOf({ kind: 'cosmosAmino', signDoc: message }, 'ED25519')).toBe('another scheme')
    expect(digestOf(transaction(serializeTransaction({ ...legacy, chainId: 5 })), 'ED25519')).toBe('another scheme')
  })

  it('is the claim, which for ED25519 is the SHA-256 of the message', () => {
    const message = randomBytes(32)

    expect(SigningRequest.digestClaim({ message, class: 'blind' }, 'DKLS')).toEqual(message)
    expect(hex(SigningRequest.digestClaim({ message, class: 'blind' }, 'ED25519'))).toBe(
      createHash('sha256').update(message).digest('hex'),
    )
  })
})

describe('a signing request', () => {
  it('is refused with a field too many, too few or malformed', () => {
    const good = transaction(serializeTransaction({ ...legacy, chainId: 5 }))
    const authorization = { kind: 'authorization', address: to.slice(2), chainId: '1', nonce: '0' }
    expect(digestOf(authorization, 'DKLS')).toMatch('authorization ')
    const others: readonly unknown[] = [
      undefined,
      null,
      'eip191',
      [],
      {},
      { kind: 'other' },
      { kind: 'eip191' },
      { kind: 'eip191', message: '0x12' },
      { kind: 'eip191', message: 'AB' },
      { kind: 'eip191', message: 'abc' },
      { kind: 'eip191', message: 'ab', chainId: '1' },
      { ...good, chainId: 5 },
      { ...good, chainId: '0' },
      { ...good, chainId: '05' },
      { ...good, chainId: '-5' },
      { ...good, send: 'false' },
      { ...good, more: 1 },
      { kind: 'transaction', transaction: good.transaction, chainId: '5' },
      { kind: 'eip712' },
      { kind: 'eip712', typedData: '{}' },
      { kind: 'eip712', typedData: '{}', more: 1 },
      { ...authorization, chainId: '0' },
      { ...authorization, chainId: 1 },
      { ...authorization, nonce: '01' },
      { ...authorization, nonce: '-1' },
      { ...authorization, nonce: String(2n ** 64n - 1n) },
      { ...authorization, address: to },
      { ...authorization, address: authorization.address.slice(2) },
      { ...authorization, more: 1 },
      { kind: 'authorization', address: authorization.address, chainId: '1' },
      { kind: 'solanaTransaction' },
      { kind: 'solanaTransaction', message: 'ab', prefix: 'cosmos' },
      { kind: 'cosmosAmino', signDoc: 'ab', prefix: 'Osmo' },
      { kind: 'cosmosAmino', signDoc: 'ab', prefix: 1 },
      { kind: 'cosmosAmino', signDoc: 'ab', prefix: 'a'.repeat(52) },
      { kind: 'cosmosDirect', signDoc: 1 },
      { kind: 'blind', digest: null },
    ]

    expect(others.map((other) => digestOf(other, 'DKLS'))).toEqual(others.map(() => 'malformed'))
  })
})

describe('the message of a Solana transaction', () => {
  const key = (byte: number) => Buffer.alloc(32, byte)
  const body = Buffer.concat([
    Buffer.from([1, 0, 1]),
    Buffer.from([3]),
    key(1),
    key(2),
    key(3),
    key(9),
    Buffer.from([1, 2, 2, 0, 1, 12, 2, 0, 0, 0]),
    Buffer.from([0, 0, 0, 0, 0, 0, 0, 1]),
  ])
  const transfer = body

  it('is not signed as a message', () => {
    expect(isTransactionMessage(transfer)).toBe(true)
    expect(isTransactionMessage(Buffer.concat([Buffer.from([0x80]), transfer, Buffer.from([0])]))).toBe(true)
    expect(digestOf({ kind: 'solanaMessage', message: hex(transfer) }, 'ED25519')).toBe('a transaction as a message')
  })

  it('is signed as a transaction, and what is none is not', () => {
    const asked = (message: Uint8Array) => digestOf({ kind: 'solanaTransaction', message: hex(message) }, 'ED25519')

    expect(asked(transfer)).toBe(`solanaTransaction ${hex(transfer)}`)
    expect(asked(Buffer.concat([Buffer.from([1]), Buffer.alloc(64), transfer]))).toBe('no such transaction')
    expect(asked(Buffer.from('hello'))).toBe('no such transaction')
  })

  it('is not read from text, an off-chain message, or bytes that do not end with it', () => {
    const others = [
      Buffer.from(''),
      Buffer.from('Sign in to shop.example'),
      Buffer.from('😀 hello'),
      Buffer.from('\xffsolana offchain', 'latin1'),
      transfer.subarray(0, -1),
      Buffer.concat([transfer, Buffer.from([0])]),
      Buffer.concat([Buffer.from([0]), transfer.subarray(1)]),
      randomBytes(32).fill(1, 0, 1),
    ]

    expect(others.map(isTransactionMessage)).toEqual(others.map(() => false))
  })

  it('is found with counts of more than one byte', () => {
    const data = Buffer.alloc(200, 7)
    const long = Buffer.concat([transfer.subarray(0, -13), Buffer.from([0xc8, 0x01]), data])

    expect(isTransactionMessage(long)).toBe(true)
    expect(isTransactionMessage(long.subarray(0, -1))).toBe(false)
  })
})
