import { bytesToHex, concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { expand } from '../../domain/crypto/expand.ts'
import { encode, hash, u32 } from '../../domain/crypto/Transcript.ts'
import { times } from '../kit/long.ts'

const field = fc.uint8Array({ maxLength: 6 })
const statement = fc.tuple(fc.string({ maxLength: 4 }), fc.array(field, { maxLength: 4 }))

describe('a transcript', () => {
  it('is the tag and the fields with their lengths', () => {
    const expected = concatBytes(
      u32(3),
      utf8ToBytes('tag'),
      u32(2),
      u32(2),
      new Uint8Array([1, 2]),
      u32(2),
      utf8ToBytes('é'),
    )
    expect(encode('tag', [new Uint8Array([1, 2]), 'é'])).toEqual(expected)
  })

  it('is different for different tags or fields, also where only the boundary between fields moves', () => {
    expect(hash('t', ['a$b', 'c'])).not.toEqual(hash('t', ['a', 'b$c']))
    expect(hash('t', ['ab', ''])).not.toEqual(hash('t', ['ab']))
    expect(expand('t', ['ab', 'c'], 64)).not.toEqual(expand('t', ['a', 'bc'], 64))
    fc.assert(
      fc.property(statement, statement, ([tag, fields], [otherTag, otherFields]) => {
        const same = tag === otherTag && fields.map(bytesToHex).join() === otherFields.map(bytesToHex).join()
        const bytes = bytesToHex(encode(tag, fields))
        expect(bytes === bytesToHex(encode(otherTag, otherFields))).toBe(same && fields.length === otherFields.length)
      }),
      { numRuns: times(500, 5_000) },
    )
  })
})
