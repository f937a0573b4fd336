import { describe, expect, it } from 'vitest'
import { adviceOn, missingCharacters, refusalOf } from '../../../adapters/browser/portal/password.ts'

describe('the page’s advice on a password', () => {
  it('refuses less than eight characters, counted as people count them', () => {
    expect(refusalOf('1234567')).toBe('too-short')
    expect(refusalOf('🐈🐈🐈🐈')).toBe('too-short')
    expect(missingCharacters('🐈🐈🐈🐈')).toBe(4)
    expect(refusalOf('a cat naps')).toBeUndefined()
  })

  it('refuses a common password, in whatever case and width it is typed', () => {
    expect(refusalOf('Password1')).toBe('too-common')
    expect(refusalOf('ｐａｓｓｗｏｒｄ１')).toBe('too-common')
  })

  it('sets no maximum length', () => {
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
  ])('rates %j as %s', (password, advice) => {
    expect(adviceOn(password, 'Ada.Lovelace@example.com')).toBe(advice)
  })
})
