import { describe, expect, it } from 'vitest'
import { SecureContextRequired } from '../../adapters/browser/SdkError.ts'
import { RootKeyUnknown, WalletOnOtherDevice } from '../../domain/client/createWallet.ts'
import { LoginKeyLost, OtherAccountSignedIn } from '../../domain/client/login.ts'
import { BackupNotStored, RecoverySecretNotShown, WalletBeingMade } from '../../domain/client/logout.ts'
import { OpenerNotProven } from '../../domain/client/OpenerNotProven.ts'
import { PopupBlocked } from '../../domain/client/ports/Popup.ts'
import { DeviceKeyMissing } from '../../domain/client/runProtocol.ts'
import { connectionError, fromAnswer } from '../../domain/model/ApiError.ts'
import { InvalidAuthObject } from '../../domain/model/Identity.ts'
import { BackupEncryptionFailed } from '../../domain/model/KeyShare.ts'
import { PopupClosed } from '../../domain/model/Popup.ts'
import { ExitedWithoutSetup, NoSignedInUser } from '../../domain/model/Session.ts'
import { OperationTimedOut } from '../../domain/model/Timeout.ts'
import { AccountCreationFailed } from '../../domain/model/WalletKeyFailures.ts'
import { problemOf, type Doing } from '../../react/modal/Problem.ts'
import { isWithPortal, progressLines } from '../../react/modal/progressLines.ts'

const portal = 'portal.example.com'
const operator = 'Corner Bank'
const doings: readonly Doing[] = ['asking', 'verifying', 'set-up', 'login', 'finishing', 'signing-out', 'stopping']

describe('a failure', () => {
  it.each(doings)('during %s has a text with what was kept and what to do next', (doing) => {
    const { title, text } = problemOf(connectionError(), doing, portal, operator)

    expect(title).toBe('No connection')
    expect(text).toMatch(/^(Nothing|Your|You) .*\. Check your connection and try again\.$/)
  })

  it('of a window names the window, and how to continue without one', () => {
    const blocked = new PopupBlocked({ continueUrl: 'https://portal.example.com/web/passwords/login' })

    expect(problemOf(blocked, 'login', portal, operator)).toEqual({
      title: 'Your browser blocked the window',
      text:
        'Your account and your wallets are unchanged. ' +
        `Open the window again, or continue to ${portal} in this tab and come back here.`,
      isOfField: false,
      continueUrl: 'https://portal.example.com/web/passwords/login',
    })
    expect(problemOf(new PopupClosed({ kind: 'LOGIN_PASSKEY' }), 'login', portal, operator).title).toContain('closed')
    expect(problemOf(new ExitedWithoutSetup(), 'set-up', portal, operator).text).toContain('stays confirmed')
  })

  it('of typed text is shown beneath its field', () => {
    const wrong = fromAnswer({ status: 400, body: 'invalid verification code', code: 'InvalidVerificationCode' })

    expect(problemOf(wrong, 'verifying', portal, operator)).toMatchObject({ isOfField: true, title: 'Incorrect code' })
    expect(problemOf(new InvalidAuthObject(), 'asking', portal, operator).isOfField).toBe(true)
    const busy = fromAnswer({ status: 429, body: 'too many attempts' })
    expect(problemOf(busy, 'asking', portal, operator).title).toBe('Too many attempts')
  })

  it.each([
    [new SecureContextRequired(), 'Wallets need https, or localhost'],
    [
      fromAnswer({ status: 409, body: 'device key is set', code: 'DeviceKeyIsSet' }),
      'This browser has lost a key of your session',
    ],
    [new DeviceKeyMissing(), 'Your session has ended'],
    [new LoginKeyLost(), 'Your session has ended'],
    [new NoSignedInUser(), 'Your session has ended'],
    [new OpenerNotProven(), 'We couldn’t verify the window'],
    [new OtherAccountSignedIn(), 'Someone else is signed in'],
    [new WalletOnOtherDevice({ walletId: 'w' }), 'A wallet was made on another device'],
    [new RootKeyUnknown(), 'Sign in once more'],
    [new BackupNotStored({ walletIds: ['w'] }), 'A wallet has no backup yet'],
    [new WalletBeingMade(), 'A wallet is being made in another tab'],
    [new RecoverySecretNotShown(), 'Your recovery secret was not shown yet'],
    [new BackupEncryptionFailed(), 'A backup could not be made'],
    [new OperationTimedOut({ ms: 90_000 }), 'It took too long'],
    [
      fromAnswer({ status: 409, body: 'user already exists', code: 'UserAlreadyExists' }),
      'You have an account already',
    ],
    [
      fromAnswer({ status: 403, body: 'origin not allowed', code: 'OriginNotAllowed' }),
      'This site isn’t allowed to use this API key',
    ],
    [fromAnswer({ status: 403, body: 'partner is frozen', code: 'PartnerFrozen' }), 'This app is paused'],
    [fromAnswer({ status: 403, body: 'user is frozen', code: 'UserFrozen' }), 'Your account is paused'],
    [fromAnswer({ status: 410, body: 'link expired', code: 'LinkExpired' }), 'The window expired'],
  ])('%s has a plain title', (error, title) => {
    expect(problemOf(error, 'login', portal, operator).title).toBe(title)
  })

  it.each(['OriginNotAllowed', 'PartnerFrozen', 'UserFrozen'])('%s names who decided it', (code) => {
    expect(problemOf(fromAnswer({ status: 403, body: '', code }), 'login', portal, operator).text).toContain(
      `by ${operator}.`,
    )
  })

  it('of a wallet has the title of its cause', () => {
    const cause = connectionError()
    const failed = new AccountCreationFailed({ type: 'EVM', userId: 'u', walletId: 'w', cause })

    expect(problemOf(failed, 'set-up', portal, operator).title).toBe('No connection')
  })

  it('without words of its own quotes the error’s sentence, so that it can be reported', () => {
    const { text } = problemOf(new Error('key generation gave no share'), 'finishing', portal, operator)

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
        { step: 'generating', type: 'SOLANA', round: 2, of: 2 },
        { step: 'distributing', type: 'EVM' },
        { step: 'generating', type: 'SOLANA', round: 2, of: 2 },
      ],
      portal,
    )

    expect(lines).toEqual([
      { id: 'portal', label: `Confirming in the window of ${portal}`, state: 'done' },
      { id: 'wallet-EVM', label: 'Ethereum wallet', state: 'done' },
      { id: 'wallet-SOLANA', label: 'Solana wallet', state: 'working', detail: 'step 2 of 2' },
    ])
  })

  it('shows no wallet as done while its key is still being made', () => {
    const lines = progressLines(
      [
        { step: 'waiting' },
        { step: 'generating', type: 'EVM', round: 1, of: 3 },
        { step: 'generating', type: 'SOLANA', round: 1, of: 2 },
      ],
      portal,
    )

    expect(lines.map(({ id, state }) => [id, state])).toEqual([
      ['portal', 'done'],
      ['wallet-EVM', 'working'],
      ['wallet-SOLANA', 'working'],
    ])
  })

  it('shows that nothing has begun', () => {
    expect(progressLines([], portal)).toMatchObject([{ state: 'working' }])
  })

  it('is at the portal until the next step', () => {
    expect(isWithPortal([])).toBe(true)
    expect(isWithPortal([{ step: 'portal' }, { step: 'waiting' }])).toBe(true)
    expect(isWithPortal([{ step: 'waiting' }, { step: 'receiving' }])).toBe(false)
  })
})
