import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as Url from '../../../domain/model/Url.ts'

const name = fc.string({ minLength: 1, unit: 'grapheme' })
const query = fc.dictionary(name, fc.string({ unit: 'grapheme' }), { noNullPrototype: true })

describe('a URL', () => {
  it('has the parts that a browser reads', () => {
    fc.assert(
      fc.property(query, (query) => {
        const url = Url.withQuery('https://a.example/b', query)

        expect(Object.fromEntries(new URL(url).searchParams)).toEqual(query)
        expect(Url.read(url)?.query).toEqual(query)
      }),
    )
  })

  it('is read as a browser reads it', () => {
    fc.assert(
      fc.property(query, fc.array(name), (query, segments) => {
        const location = `https://a.example/${segments.map(Url.encode).join('/')}`
        const url = `${location}?${new URLSearchParams(query)}#ignored?x=y`

        expect(Url.read(url)).toEqual({ segments, query })
      }),
    )
  })

  it('halves of surrogate pairs do not throw', () => {
    expect(Url.encode('a\ud800b')).toBe('a%EF%BF%BDb')
    expect(Url.encode('😀')).toBe('%F0%9F%98%80')
  })

  it('is not read from broken percent-encoding', () => {
    expect(Url.read('https://a.example/%')).toBeUndefined()
    expect(Url.read('https://a.example/?a=%zz')).toBeUndefined()
  })

  it('base and path meet in one slash', () => {
    const joined = ['https://a.example', 'https://a.example/', 'https://a.example//'].flatMap((base) =>
      ['/b', 'b'].map((path) => Url.join(base, path)),
    )

    expect(new Set(joined)).toEqual(new Set(['https://a.example/b']))
  })

  it('has no trace of an absent value', () => {
    expect(Url.withQuery('/b', { a: undefined })).toBe('/b')
    expect(Url.withQuery('/b', { a: undefined, c: '' })).toBe('/b?c=')
  })
})
