/** The recovery page in every state: what it says, and what it must not offer. */
import { renderToStaticMarkup } from 'react-dom/server'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Failure, LeftWallet, RecoverableWallet, Recovery, RecoveryState } from '../../adapters/browser/connect.ts'
import { Recover } from '../../react/connect/Recover.tsx'
import { failureWords } from '../../react/connect/words.ts'
import { Surface } from '../../react/theme/Surface.tsx'

const email = 'ada@example.com'
const secret = '{"backupDecryptionKey":"c0ffee"}'
const wallet: RecoverableWallet = {
  walletId: '9b0c7a10-1f6e-4c1d-9a44-0d7d8c3b1a0b',
  type: 'EVM',
  scheme: 'DKLS',
  address: '0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf',
  publicKey: '02'.repeat(33),
  epoch: 1,
  shareId: '03'.repeat(32),
  partnerId: '9b0c7a10-1f6e-4c1d-9a44-0d7d8c3b1a02',
  partnerName: 'Shop & Sons',
}
const wallets = [wallet]
const leftBehind: readonly LeftWallet[] = [
  { wallet: { ...wallet, walletId: 'left', address: '0xleft' }, code: 'RecoveryBackupMissing' },
]
const failure: Failure = { code: 'Offline', sentence: 'Connection error', wallet }
const progress = [{ wallet, state: 'failed' }] as const

const draw = (state: RecoveryState): string => {
  const nothing = () => Promise.resolve()
  const recovery: Recovery = {
    subscribe: () => () => undefined,
    get: () => state,
    host: 'connect.example',
    portalHost: () => 'portal.example',
    submitEmail: nothing,
    submitCode: nothing,
    resendCode: nothing,
    submitSecret: nothing,
    checkAgain: () => Promise.resolve(),
    leaveBehind: () => undefined,
    confirmAddresses: () => undefined,
    setUp: nothing,
    closeWindow: () => undefined,
    goOn: nothing,
    kept: nothing,
    startOver: nothing,
    retry: nothing,
  }
  return renderToStaticMarkup(
    <Surface>
      <Recover recovery={recovery} />
    </Surface>,
  )
}

const states: readonly RecoveryState[] = [
  { status: 'unreachable' },
  { status: 'email', email, isBusy: false },
  { status: 'email', email, isBusy: true, failure },
  { status: 'code', email, isBusy: false, refusals: 0, isResent: true },
  {
    status: 'code',
    email,
    isBusy: false,
    refusals: 1,
    isResent: false,
    failure: { code: 'InvalidVerificationCode', sentence: '' },
  },
  { status: 'secret', email, wallets, isBusy: false },
  {
    status: 'secret',
    email,
    wallets,
    isBusy: true,
    failure: { code: 'RecoveryBackupRefused', sentence: 'refused', wallet },
  },
  { status: 'leaving', email, wallets, leftBehind, isBusy: false },
  { status: 'comparing', email, wallets },
  { status: 'credential', email, wallets, isOpen: false, failure },
  { status: 'credential', email, wallets, isOpen: true },
  {
    status: 'working',
    email,
    progress: [{ wallet, state: 'working', doing: { step: 'refreshing', round: 2, of: 3 } }],
    isFinishing: false,
  },
  { status: 'stopped', email, progress, isFinishing: false, failure, canGoOn: true },
  {
    status: 'stopped',
    email,
    progress: [],
    isFinishing: false,
    failure: { code: 'LinkExpired', sentence: '' },
    canGoOn: false,
  },
  { status: 'secret-made', secret, isCertain: true, finished: { wallets, leftBehind: [], method: 'PASSKEY' } },
  { status: 'secret-made', secret, isCertain: false },
  { status: 'done', finished: { wallets, leftBehind, method: 'PASSWORD' } },
  { status: 'done', finished: { wallets: [], leftBehind: [], method: 'PASSWORD' } },
  { status: 'done' },
]

// Whether a browser has passkeys its window says.
beforeAll(() => vi.stubGlobal('window', { PublicKeyCredential: Object }))
afterAll(() => vi.unstubAllGlobals())

describe('the recovery page', () => {
  it('has one heading, a title, and says whose page it is, in every state', () => {
    for (const state of states) {
      const drawn = draw(state)
      expect(drawn.match(/<h1/g), state.status).toHaveLength(1)
      expect(drawn, state.status).toMatch(/<title>[^<]+<\/title>/)
      expect(drawn, state.status).toContain('connect.example')
    }
  })

  it('shows the new secret in its field, and in no attribute of the page', () => {
    for (const isCertain of [true, false]) {
      const drawn = draw({ status: 'secret-made', secret, isCertain })
      const [field = ''] = /<textarea[^>]*>[^<]*<\/textarea>/.exec(drawn) ?? []

      expect(field).toContain('c0ffee')
      expect(drawn.replace(field, '')).not.toContain('c0ffee')
    }
  })

  it('asks the person to check every address where the secret certifies no root key', () => {
    const drawn = draw({ status: 'comparing', email, wallets }).replace(/<[^>]*>/g, '')

    expect(drawn).toContain('Compare the addresses')
    expect(drawn).toContain('Ethereum wallet of Shop &amp; Sons')
    expect(drawn).toContain(wallet.address)
  })

  it('names each wallet that stays behind, and why, before the person goes on and at the end', () => {
    const finished = { wallets, leftBehind, method: 'PASSWORD' } as const
    for (const state of [
      { status: 'leaving', email, wallets, leftBehind, isBusy: false },
      { status: 'done', finished },
    ] as const) {
      const drawn = draw(state).replace(/<[^>]*>/g, '')
      expect(drawn, state.status).toContain('0xleft')
      expect(drawn, state.status).toContain('It has no backup for a recovery secret.')
    }
    const leaving = { status: 'leaving', email, wallets, leftBehind, isBusy: false } as const
    for (const way of ['Check again', 'Go on without them']) expect(draw(leaving)).toContain(way)
    expect(draw({ ...leaving, failure: { code: 'Offline', sentence: '' } })).toContain('No connection')
  })

  it('speaks of an account, and of no secret that was entered, where there are no wallets', () => {
    const finished = { wallets: [], leftBehind: [], method: 'PASSWORD' } as const
    const drawn = [
      draw({ status: 'credential', email, wallets: [], isOpen: false }),
      draw({ status: 'secret-made', secret, isCertain: true, finished }),
      draw({ status: 'done', finished }),
    ]
    for (const one of drawn) expect(one).not.toMatch(/backups are open|you entered|wallets are (back|recovered)/)
    expect(drawn[0]).toContain('This account has no wallets yet.')
  })

  it('offers to begin again wherever it stopped, but not while the recovery may be done', () => {
    const stopped = { status: 'stopped', email, progress, failure } as const

    expect(draw({ ...stopped, isFinishing: false, canGoOn: true })).toContain('Begin again')
    expect(draw({ ...stopped, isFinishing: true, canGoOn: false })).toContain('Begin again')
    const unknown = draw({ ...stopped, isFinishing: true, canGoOn: true })
    expect(unknown).not.toContain('Begin again')
    expect(unknown).toContain('Keep your old recovery secret')
  })

  it('does not offer to start over where the store does not open', () => {
    const closed = { code: 'StorageFailed', sentence: 'key shares cannot be stored here' }
    const drawn = draw({ status: 'stopped', email, progress: [], isFinishing: true, failure: closed, canGoOn: true })

    expect(drawn).toContain('Your browser cannot store what this needs')
    expect(drawn).toContain('Keep your old recovery secret')
    expect(drawn).toContain(closed.sentence)
    expect(drawn).toContain('Try again')
    expect(drawn).not.toContain('Begin again')
    expect(drawn).not.toContain('Check your connection')
  })

  it('names the wallet of a failure, and the sentence to report', () => {
    expect(failureWords({ code: 'RecoveryBackupRefused', sentence: 's', wallet })).toMatchObject({
      title: 'The backup of your Ethereum wallet of Shop & Sons cannot be trusted',
      isToBeTold: true,
    })
    const { text } = failureWords({ code: 'UserFrozen', sentence: 's' }, 'All is well.', 'Corner Bank')
    expect(text).toBe('All is well. It is stopped for now by Corner Bank.')
    expect(failureWords({ code: 'somethingNew', sentence: 's' }, 'All is well.')).toMatchObject({
      text: expect.stringContaining('All is well.') as string,
      isToBeTold: true,
    })
  })
})
