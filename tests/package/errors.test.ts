import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { errorsPage, sentenceOf } from '../../adapters/browser/errorCodes.ts'

const root = join(import.meta.dirname, '..', '..')

const sourcesIn = (folder: string): readonly string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(root, folder, name), 'utf8'))

const sources = ['domain/client', 'domain/crypto', 'domain/model', 'domain/mpc', 'adapters/browser'].flatMap(sourcesIn)

const messages = /class \w+ extends Data\.TaggedError\('(\w+)'\)(?:(?!class ).)*?\bmessage = ['`]([^$'`]*)([$'`])/gs

/** Each error's sentence by its class, and whether it ends there: else a value comes next. */
const written = sources.flatMap((text) =>
  [...text.matchAll(messages)].map(([, code = '', sentence = '', end]) => ({ code, sentence, isWhole: end !== '$' })),
)

const rows = errorsPage()
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| /, '').replace(/ \|$/, '')))

describe('the page of errors', () => {
  it('is what the table of codes says', async () => {
    await expect(errorsPage()).toMatchFileSnapshot(join(root, 'react/pack/ERRORS.md'))
  })

  it('says of every code what came before it and what to do', () => {
    expect(rows.length).toBeGreaterThan(100)
    expect(rows.filter((cells) => cells.length !== 4 || cells.some((cell) => cell.length < 3))).toEqual([
      expect.arrayContaining(['`UnknownError`', '']),
    ])
  })

  it('has the sentences of the errors themselves', () => {
    const shown = written.flatMap((one) => {
      const sentenceShown = sentenceOf(one.code)
      return sentenceShown === undefined ? [] : [{ ...one, sentenceShown }]
    })
    const wrong = shown.filter(({ sentence, sentenceShown, isWhole }) =>
      isWhole ? sentenceShown !== sentence : !sentenceShown.startsWith(sentence),
    )
    expect(wrong).toEqual([])
    expect(shown.length).toBeGreaterThan(50)
  })
})
