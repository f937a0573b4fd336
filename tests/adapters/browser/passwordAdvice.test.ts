import { describe, expect, it } from 'vitest'
import { adviceOn, missingCharacters, refusalOf } from '../../../adapters/browser/portal/password.ts'

describe('what the page says of a password', () => {
  it('is that one with less than eight characters is refused, counted as people count them', () => {
    expect(refusalOf('1234567')).toBe('too-short')
    expect(refusalOf('🐈🐈🐈🐈')).toBe('too-short')
    expect(missingCharacters('🐈🐈🐈🐈')).toBe(4)
    expect(refusalOf('a cat naps')).toBeUndefined()
  })

  it('is that a common one is refused, in whatever case and width it is typed', () => {
    expect(refusalOf('Password1')).toBe('too-common')
    expect(refusalOf('ｐａｓｓｗｏｒｄ１')).toBe('too-common')
  })

  it('knows no longest password', () => {
    expect(refusalOf('long words '.repeat(500))).toBeUndefined()
  })

  it.each([
    ['', 'none'],
    ['seven77', 'short'],
    ['ada.lovelace 1815', 'account'],
    ['abababababab', 'repeats'],
    ['2718281828459045', 'digits'],
    ['9 red fox', 'could-be-longer'],
    ['three cold spoons sing', 'fine'],
  ])('is honest about %j: %s', (password, advice) => {
    expect(adviceOn(password, 'Ada.Lovelace@example.com')).toBe(advice)
  })
})
