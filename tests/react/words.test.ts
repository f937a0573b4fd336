import { describe, expect, it } from 'vitest'
import { PopupBlocked } from '../../domain/client/ports/Popup.ts'
import { AccountCreationFailed } from '../../domain/model/Account.ts'
import { connectionError, fromAnswer } from '../../domain/model/ApiError.ts'
import { InvalidAuthObject } from '../../domain/model/Identity.ts'
import { PopupClosed } from '../../domain/model/Popup.ts'
import { ExitedWithoutSetup } from '../../domain/model/Session.ts'
import { problemOf, type Doing } from '../../react/modal/Problem.ts'
import { isWithPortal, progressLines } from '../../react/modal/progressLines.ts'

const portal = 'portal.example.com'
const doings: readonly Doing[] = ['asking', 'verifying', 'set-up', 'login', 'finishing', 'signing-out']

describe('a failure', () => {
  it.each(doings)('while %s says what was kept and what to do next', (doing) => {
    const { title, text } = problemOf(connectionError(), doing, portal)

    expect(title).toBe('No connection')
    expect(text).toMatch(/^(Nothing|Your|You) .*\. Check your connection and try again\.$/)
  })

  it('of a window names it, and how to go on without one', () => {
    const blocked = new PopupBlocked({ continueUrl: 'https://portal.example.com/web/passwords/login' })

    expect(problemOf(blocked, 'login', portal)).toEqual({
      title: 'Your browser blocked the window',
      text:
        'Your account and your wallets are unchanged. ' +
        `Open the window again, or go on to ${portal} in this tab and come back here.`,
      isOfField: false,
      continueUrl: 'https://portal.example.com/web/passwords/login',
    })
    expect(problemOf(new PopupClosed({ kind: 'LOGIN_PASSKEY' }), 'login', portal).title).toContain('closed')
    expect(problemOf(new ExitedWithoutSetup(), 'set-up', portal).text).toContain('stays confirmed')
  })

  it('of what was typed stands beneath its field', () => {
    const wrong = fromAnswer({ status: 400, body: 'invalid verification code', code: 'InvalidVerificationCode' })

    expect(problemOf(wrong, 'verifying', portal)).toMatchObject({ isOfField: true, title: 'This is not the code' })
    expect(problemOf(new InvalidAuthObject(), 'asking', portal).isOfField).toBe(true)
    const busy = fromAnswer({ status: 429, body: 'too many attempts' })
    expect(problemOf(busy, 'asking', portal).title).toBe('Too many attempts')
  })

  it('of a wallet is told by its cause', () => {
    const cause = connectionError()
    const failed = new AccountCreationFailed({ type: 'EVM', userId: 'u', walletId: 'w', cause })

    expect(problemOf(failed, 'set-up', portal).title).toBe('No connection')
  })

  it('that nobody foresaw quotes the sentence for whoever reports it', () => {
    const { text } = problemOf(new Error('key generation gave no share'), 'finishing', portal)

    expect(text).toContain('every wallet that was made')
    expect(text).toContain('“key generation gave no share”')
  })
})

describe('progress', () => {
  it('is one line for the window and one for each wallet, in the order in which they began', () => {
    const lines = progressLines(
      [
        { step: 'portal' },
        { step: 'waiting' },
        { step: 'generating', type: 'EVM', round: 1, of: 3 },
        { step: 'backing-up', type: 'EVM' },
        { step: 'generating', type: 'SOLANA', round: 2, of: 2 },
      ],
      portal,
    )

    expect(lines).toEqual([
      { id: 'portal', label: `The window of ${portal}`, state: 'done' },
      { id: 'wallet-EVM', label: 'Ethereum wallet', state: 'done' },
      { id: 'wallet-SOLANA', label: 'Solana wallet', state: 'working', detail: 'round 2 of 2' },
    ])
  })

  it('is with the portal until a step after it', () => {
    expect(isWithPortal([])).toBe(true)
    expect(isWithPortal([{ step: 'portal' }, { step: 'waiting' }])).toBe(true)
    expect(isWithPortal([{ step: 'waiting' }, { step: 'receiving' }])).toBe(false)
  })
})
