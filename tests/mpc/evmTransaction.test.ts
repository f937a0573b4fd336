/** The strict reading of Ethereum transactions, beside viem's. */
import { concatBytes } from '@noble/hashes/utils.js'
import fc from 'fast-check'
import { concatHex, hexToBytes, parseTransaction, serializeTransaction, toHex, toRlp, type Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import { unsignedTransaction } from '../../domain/mpc/EvmTransaction.ts'
import { times } from '../kit/long.ts'
import { legacy, to, typed } from './transactions.ts'

describe('the serialisation of an Ethereum transaction', () => {
  const serialized = Buffer.from(serializeTransaction({ ...legacy, chainId: 5 }).slice(2), 'hex')

  it('is never read from bytes that are truncated, extended or of an unknown type', () => {
    for (const one of [serialized, ...typed.map((of) => Buffer.from(serializeTransaction(of).slice(2), 'hex'))]) {
      for (let length = 0; length < one.length; length++) {
        expect(unsignedTransaction(one.subarray(0, length), 5n)).toBeUndefined()
      }
      expect(unsignedTransaction(Buffer.concat([one, Buffer.from([0x80])]), 5n)).toBeUndefined()
    }
    for (const type of [0, 5, 0x7f, 0x80, 0xbf]) {
      expect(unsignedTransaction(Buffer.concat([Buffer.from([type]), serialized]), 5n)).toBeUndefined()
    }
  })

  it('never throws, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
        expect(() => unsignedTransaction(bytes, 5n)).not.toThrow()
        expect(() => unsignedTransaction(Uint8Array.of(2, ...bytes), 5n)).not.toThrow()
      }),
      { numRuns: times(500, 5_000) },
    )
  })

  it('has one RLP encoding at its outer level', () => {
    const fields = ['0x09', '0x14', '0x5208', to, '0x0a', '0x', '0x', '0x', '0x'] as const
    const list = toRlp([...fields]).slice(2)
    const content = list.slice(2)
    const length = content.length / 2
    const long = `f8${length.toString(16).padStart(2, '0')}${content}`
    const head = (0xc0 + length + 1).toString(16)
    const others = [long, `${head}8109${content.slice(2)}`, `f90000${content}`, `ff${'ff'.repeat(8)}${content}`]

    expect(unsignedTransaction(Buffer.from(list, 'hex'), 5n)).toBeDefined()
    const read = others.map((other) => unsignedTransaction(Buffer.from(other, 'hex'), 5n))
    expect(read).toEqual(others.map(() => undefined))
  })
})

type Item = Hex | readonly Item[]

describe('the fields of an Ethereum transaction', () => {
  const key: Hex = `0x${'11'.repeat(32)}`
  const wide: Hex = `0x${'11'.repeat(33)}`
  const long: Hex = `0x${'11'.repeat(9)}`
  const access: Item = [[to, [key, key]]]
  const authorized: Item = [['0x05', to, '0x', '0x', key, key]]
  const fieldsOf: Readonly<Record<number, readonly Item[]>> = {
    0: ['0x09', '0x14', '0x5208', to, '0x0a', '0x1234', '0x', '0x', '0x'],
    1: ['0x05', '0x09', '0x14', '0x5208', to, '0x0a', '0x1234', access],
    2: ['0x05', '0x09', '0x14', '0x14', '0x5208', to, '0x0a', '0x1234', access],
    3: ['0x05', '0x09', '0x14', '0x14', '0x5208', to, '0x0a', '0x1234', access, '0x01', [key]],
    4: ['0x05', '0x09', '0x14', '0x14', '0x5208', to, '0x0a', '0x1234', access, authorized],
  }
  const write = (type: number, fields: readonly Item[]) => {
    const list = toRlp(fields as Parameters<typeof toRlp>[0])
    return hexToBytes(type === 0 ? list : concatHex([`0x0${type}`, list]))
  }
  const isRead = (type: number, change: readonly [number, Item]) => {
    const fields = (fieldsOf[type] ?? []).map((field, index) => (index === change[0] ? change[1] : field))
    return unsignedTransaction(write(type, fields), 5n) !== undefined
  }

  it.each([0, 1, 2, 3, 4])('of type %i are what their type says', (type) => {
    const at = (usual: number) => (type === 0 ? usual - 1 : type === 1 ? usual : usual + 1)
    const [nonce, gas, recipient, value, data] = [type === 0 ? 0 : 1, at(3), at(4), at(5), at(6)]
    const creates = type < 3
    const changes: readonly (readonly [number, Item, boolean])[] = [
      [nonce, '0x', true],
      [nonce, '0x00', false],
      [nonce, '0x0009', false],
      [nonce, long, false],
      [nonce, [], false],
      [gas, long, false],
      [gas, '0x', true],
      [value, key, true],
      [value, wide, false],
      [value, '0x00', false],
      [value, [], false],
      [recipient, '0x', creates],
      [recipient, `${to}00`, false],
      [recipient, '0x01', false],
      [recipient, [to], false],
      [data, [], false],
      [data, `0x${'00'.repeat(300)}`, true],
    ]

    expect(isRead(type, [-1, '0x'])).toBe(true)
    expect(changes.map(([index, item]) => [index, item, isRead(type, [index, item])])).toEqual(changes)
  })

  it('are lists whose items are what they have to be', () => {
    const changes: readonly (readonly [number, number, Item, boolean])[] = [
      ...[1, 2, 3, 4].flatMap((type): readonly (readonly [number, number, Item, boolean])[] => {
        const list = type === 1 ? 7 : 8
        return [
          [type, list, [], true],
          [type, list, [[to, []]], true],
          [type, list, '0x', false],
          [type, list, [to], false],
          [type, list, [[to]], false],
          [type, list, [[to, key]], false],
          [type, list, [[to, [key], key]], false],
          [type, list, [[`${to}00`, [key]]], false],
          [type, list, [[to, ['0x11']]], false],
          [type, list, [[to, [[key]]]], false],
        ]
      }),
      [3, 10, [], true],
      [3, 10, [key, key], true],
      [3, 10, [wide], false],
      [3, 10, [[key]], false],
      [3, 10, key, false],
      [3, 9, wide, false],
      [4, 9, [], true],
      [4, 9, [['0x', to, '0x', '0x01', '0x01', '0x01']], true],
      [4, 9, '0x', false],
      [4, 9, [authorized], false],
      [4, 9, [['0x05', to, '0x', '0x', key]], false],
      [4, 9, [['0x05', '0x', '0x', '0x', key, key]], false],
      [4, 9, [['0x0005', to, '0x', '0x', key, key]], false],
      [4, 9, [['0x05', to, long, '0x', key, key]], false],
      [4, 9, [['0x05', to, '0x', '0x0100', key, key]], false],
      [4, 9, [['0x05', to, '0x', '0x', wide, key]], false],
      [4, 9, [['0x05', to, '0x', '0x', key, wide]], false],
    ]

    expect(changes.map(([type, index, item]) => [type, index, item, isRead(type, [index, item])])).toEqual(changes)
  })

  it('are after each mutation refused, or those that viem reads', () => {
    const samples = Object.entries(fieldsOf).map(([type, fields]) => write(Number(type), fields))
    const byte = fc.nat(255).map((one) => Uint8Array.of(one))
    const piece = fc.oneof(fc.tuple(fc.constant(1), byte), fc.tuple(fc.nat(2), fc.uint8Array({ maxLength: 2 })))
    let read = 0
    fc.assert(
      fc.property(fc.constantFrom(...samples), fc.nat(999), piece, (bytes, place, [cut, put]) => {
        const at = Math.floor((place * bytes.length) / 1_000)
        const unsigned = unsignedTransaction(concatBytes(bytes.subarray(0, at), put, bytes.subarray(at + cut)), 5n)
        if (unsigned === undefined) return
        read += 1
        expect([undefined, toHex(unsigned)]).toContain(byViem(unsigned))
      }),
      { numRuns: times(1_000, 10_000) },
    )
    expect(read).toBeGreaterThan(times(100, 1_000))
  })
})

/** What viem makes of its own reading; `undefined` where it refuses, and with it the co-signer. */
const byViem = (bytes: Uint8Array): Hex | undefined => {
  try {
    return serializeTransaction(parseTransaction(toHex(bytes)))
  } catch {
    return undefined
  }
}
