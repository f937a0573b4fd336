import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as Popup from '../../../domain/model/Popup.ts'

const kind = fc.option(fc.constantFrom(...Popup.kinds), { nil: undefined })
const opener = fc.record({
  left: fc.integer({ min: -4000, max: 4000 }),
  top: fc.integer({ min: -4000, max: 4000 }),
  width: fc.integer({ min: 1, max: 4000 }),
  height: fc.integer({ min: 1, max: 4000 }),
})

describe('popups', () => {
  it('are 550 wide, with a height by their kind', () => {
    expect(Popup.kinds.map((kind) => [kind, Popup.size(kind).width, Popup.size(kind).height])).toEqual([
      ['SIGN_TRANSACTION_REVIEW', 550, 750],
      ['SIGN_MESSAGE_REVIEW', 550, 585],
      ['LOGIN_PASSKEY', 550, 798],
      ['CREATE_PASSKEY', 550, 464],
      ['OAUTH', 550, 768],
      ['ON_RAMP_TRANSACTION', 550, 768],
    ])
  })

  it('with no type, a 400x500 popup opens', () => {
    expect(Popup.size(undefined)).toEqual({ width: 400, height: 500 })
  })

  it('are centred over the opener', () => {
    fc.assert(
      fc.property(kind, opener, (kind, opener) => {
        const popup = Popup.placed(kind, opener)

        const offset = (start: 'left' | 'top', side: 'width' | 'height') =>
          Math.abs(popup[start] + popup[side] / 2 - (opener[start] + opener[side] / 2))
        expect(offset('left', 'width')).toBeLessThanOrEqual(0.5)
        expect(offset('top', 'height')).toBeLessThanOrEqual(0.5)
        expect(popup).toMatchObject(Popup.size(kind))
      }),
    )
  })

  it('give size and position in the features of the window', () => {
    const opener = { left: 100, top: 50, width: 1000, height: 900 }

    expect(Popup.features('LOGIN_PASSKEY', opener)).toBe('popup=yes,width=550,height=798,left=325,top=101')
    expect(Popup.features(undefined, opener)).toBe('popup=yes,width=400,height=500,left=400,top=250')
  })

  it('have a name of their kind that another tab cannot guess', () => {
    expect(Popup.windowName('OAUTH', 'r4nd0m')).toBe('OAUTH-r4nd0m')
    expect(Popup.windowName(undefined, 'r4nd0m')).toBe('POPUP-r4nd0m')
  })

  it('when blocked, the address opens in a new tab instead', () => {
    expect(Popup.blockedTarget).toBe('_blank')
  })
})
