import { describe, expect, it } from 'vitest'
import type { Failure, PortalPage, PortalState, Review } from '../../adapters/browser/portal.ts'
import { pages } from '../../domain/model/PortalUrl.ts'
import { planOf } from '../../adapters/browser/portal/work.ts'
import { failureWords, stepWords } from '../../react/portal/words.ts'
import { drawPortal } from './fakePortal.tsx'

const requester = { app: 'Shop & Sons', origin: 'https://shop.example' }
const account = 'ada@example.com'
const address = '0x52908400098527886E0F7030069857D2E4169EE7'
const exporting = { address, methods: ['PASSWORD', 'PASSKEY'] } as const

const review: Review = {
  pendingTransactionId: 'dd0c7a10-1f6e-4c1d-9a44-0d7d8c3b1a0d',
  content: { kind: 'transaction', transfers: [], details: [], warnings: [] },
  contentHash: '5f'.repeat(32),
  origin: undefined,
  endsAt: Number.MAX_SAFE_INTEGER,
  by: 'user',
  stepUp: false,
}
const reviewing = { review, methods: ['PASSWORD', 'PASSKEY'] } as const

const failureOf = (code: string, retry: Failure['retry']): Failure => ({ code, sentence: 'link expired', retry })

/** Every state in which the service has said who asks. */
const statesOf = (page: PortalPage): readonly PortalState[] => {
  const known = { page, requester, account }
  return [
    { status: 'starting', page, requester },
    { status: 'asking', ...known, named: 'link', why: 'ask' },
    { status: 'asking', ...known, named: 'service', why: 'redirect' },
    { status: 'ready', ...known, failure: undefined, passkeys: true, exporting, reviewing },
    { status: 'ready', ...known, failure: undefined, passkeys: false },
    { status: 'ready', ...known, failure: failureOf('Offline', 'again'), passkeys: true, exporting, reviewing },
    { status: 'working', ...known, steps: planOf(page), passkeys: true },
    { status: 'exported', ...known, address, key: 'hidden' },
    { status: 'exported', ...known, address, key: 'gone' },
    { status: 'done', ...known, ends: 'closes', missing: 0 },
    { status: 'done', ...known, ends: 'returns', missing: 2 },
    { status: 'failed', page, requester, failure: failureOf('OpenerNotProven', 'none') },
    { status: 'left', requester, isCertain: true },
    { status: 'left', requester, isCertain: false },
  ]
}

describe.each(pages)('the page %s', (page) => {
  it('names the app and its origin in every state', () => {
    for (const state of statesOf(page)) {
      const drawn = drawPortal(state)
      expect(drawn, state.status).toContain('Shop &amp; Sons')
      expect(drawn.replace(/<[^>]*>/g, ''), state.status).toContain('https://shop.example')
    }
  })

  it('says whether the service or only the link names the account', () => {
    const drawn = (named: 'service' | 'link') =>
      drawPortal({ status: 'asking', page, requester, account, named, why: 'redirect' }).replace(/<[^>]*>/g, '')

    expect(drawn('service')).toContain('It is for the account ada@example.com.')
    expect(drawn('link')).toContain('The link says, unchecked, that it is for ada@example.com.')
  })

  it('is in our own font where a person decides by what they read', () => {
    for (const state of statesOf(page)) {
      const isOwn = state.status === 'asking' || (state.status !== 'left' && ['review', 'export'].includes(page))
      expect(drawPortal(state), state.status).toMatch(
        new RegExp(`<main class="[^"]+" data-font="${isOwn ? 'own' : 'chosen'}">`),
      )
    }
  })

  it('has one heading, and a title of its own', () => {
    for (const state of statesOf(page)) {
      const drawn = drawPortal(state)
      expect(drawn.match(/<h1/g), state.status).toHaveLength(1)
      expect(drawn.match(/<title>[^<]+<\/title>/g), state.status).toHaveLength(1)
    }
  })

  it('has its deciding button inert, with the reason, before it was in view', () => {
    const known = { page, requester, account, failure: undefined, passkeys: true, exporting, reviewing }
    const ready: PortalState = { status: 'ready', ...known }

    const [inert] = drawPortal(ready, { isAttentive: false }).match(/<button[^>]*aria-disabled="true"[^>]*>/) ?? []
    const reason = /aria-describedby="([^"]+)"/.exec(inert ?? '')?.[1]

    expect(drawPortal(ready, { isAttentive: false })).toContain(`id="${reason}"`)
    expect(drawPortal(ready, { isAttentive: false })).toContain(
      'Available once this window has been in view for a moment.',
    )
    expect(drawPortal(ready, { isAttentive: true })).not.toContain('aria-disabled="true"')
  })

  it('has a text of its own for each of its steps', () => {
    const words = planOf(page).map(({ step }) => stepWords(step, page, 'Shop', 'Corner Bank'))

    expect(new Set(words).size).toBe(words.length)
    expect(words).not.toContain('Working')
  })
})

describe('a password page', () => {
  it('tells password managers the account, and whether the password is new', () => {
    const known = { requester, account, failure: undefined, passkeys: false }
    const creating = drawPortal({ status: 'ready', page: 'create-password', ...known })
    const entering = drawPortal({ status: 'ready', page: 'login-password', ...known })

    for (const drawn of [creating, entering]) {
      expect(drawn).toMatch(/<input[^>]*autoComplete="username"[^>]*value="ada@example.com"/)
      expect(drawn).not.toMatch(/maxlength/i)
    }
    expect(creating.match(/autoComplete="new-password"/g)).toHaveLength(2)
    expect(entering.match(/autoComplete="current-password"/g)).toHaveLength(1)
  })
})

describe('the page of a private key', () => {
  const secret = `0x${'1f'.repeat(32)}`
  const known = { page: 'export', requester, account, address } as const
  const drawnOf = (key: 'hidden' | 'shown' | 'gone') => {
    const state: PortalState = { status: 'exported', ...known, key }
    return drawPortal(state, { privateKey: () => secret }).replace(/<[^>]*>/g, '')
  }

  it('has the key only while it is shown', () => {
    expect(drawnOf('shown')).toContain(secret)
    expect(drawnOf('hidden')).not.toContain('1f1f')
    expect(drawnOf('gone')).not.toContain('1f1f')
  })

  it('offers the credentials that its user has and this browser can use', () => {
    const ready = (methods: readonly ('PASSWORD' | 'PASSKEY')[], passkeys: boolean) =>
      drawPortal({ status: 'ready', ...known, failure: undefined, passkeys, exporting: { address, methods } })

    expect(ready(['PASSWORD', 'PASSKEY'], true)).toMatch(/autoComplete="current-password".*Use my passkey instead/s)
    expect(ready(['PASSWORD', 'PASSKEY'], false)).not.toContain('passkey instead')
    expect(ready(['PASSKEY'], true)).toContain('Use passkey and export the key')
    expect(ready(['PASSKEY'], true)).not.toContain('type="password"')
    expect(ready(['PASSKEY'], false)).toContain('This browser can’t confirm that it’s you')
  })

  it('explains the export before the person confirms', () => {
    const drawn = drawPortal({ status: 'ready', ...known, failure: undefined, passkeys: true, exporting, reviewing })

    expect(drawn).toContain('Anyone with this key controls the wallet')
    expect(drawn.replace(/<[^>]*>/g, '')).toContain(address)
  })
})

describe('a page’s text for a failure', () => {
  const codes = [
    'Offline',
    'Unavailable',
    'InternalError',
    'InvalidPassword',
    'TooManyAttempts',
    'PasskeyCancelled',
    'PasskeyUnsupported',
    'PasskeyExists',
    'UnknownPasskey',
    'LinkExpired',
    'NotFound',
    'OpenerNotProven',
    'LoginKeyMismatch',
    'OriginNotAllowed',
    'PartnerFrozen',
    'Conflict',
    'OtherAccount',
    'BackupDecryptionFailed',
    'RootKeyDiffers',
    'KdfRefused',
    'WrapBroken',
    'InvalidAuthObject',
    'OpenerMissing',
    'ExportRefused',
    'ExportNotAllowed',
    'TooManyExports',
    'StepUpRequired',
    'KeyShareLocked',
    'WalletNotFound',
  ]

  it.each(codes)('is specific for %s, and says what was kept', (code) => {
    const other = failureWords(failureOf('SomethingElse', 'none'), 'Shop')
    const { title, text } = failureWords(failureOf(code, 'none'), 'Shop')

    expect(title).not.toBe(other.title)
    expect(text).toMatch(/[Nn]othing|unchanged|as it was|paus|pause/)
    expect(text).toMatch(/\.$/)
  })

  it.each(['TooManyAttempts', 'InvalidPassword'])('names no time that the operator’s limits decide: %s', (code) => {
    expect(failureWords(failureOf(code, 'none'), 'Shop').text).not.toMatch(/\d|five|sign-in/)
  })

  it.each(['PartnerFrozen', 'UserFrozen'])('names the operator, who decided it: %s', (code) => {
    expect(failureWords(failureOf(code, 'none'), 'Shop', 'Corner Bank').text).toContain('by Corner Bank.')
  })

  it('has the error’s own sentence beside it, to be quoted to support', () => {
    const drawn = drawPortal({
      status: 'failed',
      page: 'login-password',
      requester,
      failure: { code: 'LinkExpired', sentence: 'link expired', retry: 'none' },
    })

    expect(drawn).toContain('<q>link expired</q>')
  })

  it('offers another try only where one may succeed', () => {
    const failed = (retry: Failure['retry']): PortalState => ({
      status: 'failed',
      page: 'login-password',
      requester,
      failure: failureOf('Offline', retry),
    })

    expect(drawPortal(failed('reopen'))).toContain('Try again')
    expect(drawPortal(failed('none'))).not.toContain('Try again')
  })
})
