import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Content, PortalState, Review } from '../../adapters/browser/portal.ts'
import { amountWords, endWords, question, warningWords } from '../../react/portal/reviewWords.ts'
import { visibleText } from '../../react/portal/visibleText.ts'
import { buttonsOf, drawPortal, textOf } from './fakePortal.tsx'

const requester = { app: 'Shop', origin: 'https://shop.example' }
const address = '0x52908400098527886E0F7030069857D2E4169EE7'
const token = 'eip155:1/erc20:0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'

const contentOf = (changes: Partial<Content> = {}): Content => ({
  kind: 'transaction',
  transfers: [],
  details: [],
  warnings: [],
  ...changes,
})

const reviewOf = (content: Content, changes: Partial<Review> = {}): Review => ({
  pendingTransactionId: 'dd0c7a10-1f6e-4c1d-9a44-0d7d8c3b1a0d',
  content,
  contentHash: '5f'.repeat(32),
  origin: requester.origin,
  endsAt: Date.now() + 24_000,
  by: 'user',
  stepUp: false,
  ...changes,
})

type Ready = Extract<PortalState, { readonly status: 'ready' }>

const readyOf = (review: Review, changes: Partial<Ready> = {}): Ready => ({
  status: 'ready',
  page: 'review',
  requester,
  account: 'ada@example.com',
  failure: undefined,
  passkeys: true,
  reviewing: { review, methods: ['PASSWORD', 'PASSKEY'] },
  ...changes,
})

describe('the review page', () => {
  it('shows who asks, the chain, each transfer and each detail, and the time that is left', () => {
    const content = contentOf({
      chain: 'eip155:8453',
      transfers: [
        { asset: 'eip155:8453/slip44:60', amount: '4200000000000000', to: address, isApproval: false },
        { asset: token, amount: '25000000', to: address, isApproval: true },
        { asset: 'eip155:8453/slip44:60', amount: '5', isApproval: false },
      ],
      details: [{ name: 'Nonce', value: '7' }],
    })
    const drawn = drawPortal(readyOf(reviewOf(content)))

    const text = textOf(drawn)
    expect(text).toContain('Shop asks for your signature on Base')
    expect(text).toContain('You send 0.0042 ETH 4200000000000000 base units of eip155:8453/slip44:60')
    expect(text).toContain(`Another account may take 25000000 base units of ${token}`)
    expect(text).toContain('Leaves your wallet 0.000000000000000005 ETH')
    expect(text).toContain('Nonce 7')
    expect(text).toMatch(/0:2[34] left/)
    expect(drawn.replace(/<[^>]*>/g, '')).toContain(address)
    expect(buttonsOf(drawn)).toEqual(['Accept', 'Deny'])
  })

  it('has its warnings before the content, the most dangerous first, and no button that invites', () => {
    const content = contentOf({
      transfers: [{ asset: token, amount: 'unlimited', to: address, isApproval: true }],
      warnings: [
        { code: 'FIRST_TIME_ADDRESS', subject: address },
        { code: 'UNLIMITED_APPROVAL', subject: token },
      ],
    })
    const drawn = drawPortal(readyOf(reviewOf(content)))

    const text = textOf(drawn)
    const at = ['Look at this before you accept', 'No limit', 'First payment', 'Any amount'].map((part) =>
      text.indexOf(part),
    )
    expect(at).toEqual([...at].sort((a, b) => a - b))
    expect(at.every((index) => index >= 0)).toBe(true)
    expect(drawn).toMatch(/<button[^>]*data-variant="danger"[^>]*>Accept/)
    expect(drawn).not.toMatch(/<button[^>]*data-variant="primary"[^>]*>Accept/)
    const first = drawPortal(
      readyOf(reviewOf(contentOf({ warnings: [{ code: 'FIRST_TIME_ADDRESS', subject: address }] }))),
    )
    expect(first).toMatch(/<button[^>]*data-variant="primary"[^>]*>Accept/)
  })

  it.each([
    ['a password and a passkey', {}, ['Show your password', 'Accept with my passkey instead', 'Accept', 'Deny'], true],
    ['a passkey alone', { methods: ['PASSKEY'] }, ['Accept with passkey', 'Deny'], false],
    ['neither in this browser', { methods: ['PASSKEY'], passkeys: false }, ['Deny'], false],
  ] as const)(
    'asks for the credential of a step-up: %s',
    (
      _,
      { methods, passkeys = true }: { readonly methods?: readonly 'PASSKEY'[]; readonly passkeys?: boolean },
      buttons,
      hasField,
    ) => {
      const review = reviewOf(contentOf(), { stepUp: true })
      const reviewing = { review, methods: methods ?? (['PASSWORD', 'PASSKEY'] as const) }
      const drawn = drawPortal(readyOf(review, { reviewing, passkeys }))

      expect(buttonsOf(drawn).filter(Boolean)).toEqual(buttons.filter((name) => !name.startsWith('Show')))
      expect(drawn.includes('autoComplete="current-password"')).toBe(hasField)
    },
  )

  it('lets the user deny, and not accept, what the partner alone decides', () => {
    const drawn = drawPortal(readyOf(reviewOf(contentOf(), { by: 'partner', stepUp: true })))

    expect(buttonsOf(drawn)).toEqual(['Deny'])
    expect(textOf(drawn)).toContain('Shop decides')
    expect(drawn).not.toContain('autoComplete="current-password"')
  })

  it('can be denied at once, and accepted only after the window was in view', () => {
    const drawn = drawPortal(readyOf(reviewOf(contentOf())), { isAttentive: false })

    const [inert] = drawn.match(/<button[^>]*aria-disabled="true"[^>]*>[^<]*/g) ?? []
    expect(inert).toContain('Accept')
    expect(drawn.match(/aria-disabled="true"/g)).toHaveLength(1)
  })

  it('names the origin that asked where another session opened the page', () => {
    const other = drawPortal(readyOf(reviewOf(contentOf(), { origin: 'https://other.example' })))
    const same = drawPortal(readyOf(reviewOf(contentOf())))

    expect(textOf(other)).toContain('It was asked for from https://other.example')
    expect(textOf(same)).not.toContain('It was asked for from')
  })

  it('says how it ended, promises no signature that another has to allow, and denies none that may have been made', () => {
    const ends = ['accepted', 'denied', 'used', 'over', 'expired'] as const
    const titles = ends.map((end) => {
      const drawn = drawPortal({ status: 'reviewed', page: 'review', requester, account: undefined, end, by: 'user' })
      expect(buttonsOf(drawn)).toEqual(['Close this window'])
      return /<h1[^>]*>([^<]*)/.exec(drawn)?.[1]
    })

    expect(new Set(titles).size).toBe(ends.length)
    expect(endWords('accepted', 'Shop', 'both').text).toContain('once Shop has accepted as well')
    const denying = ends.filter((end) => endWords(end, 'Shop', 'user').text.includes('Nothing was signed'))
    expect(denying).toEqual(['denied', 'expired'])
    expect(endWords('over', 'Shop', 'user').text).toContain('Look in Shop whether it was signed before you ask again')
  })
})

describe('the words of a review', () => {
  it('ask what is decided', () => {
    const transfer = { asset: token, amount: '1', to: address, isApproval: false }
    expect(question(contentOf({ text: 'hello' }))).toBe('Sign this message?')
    expect(question(contentOf({ transfers: [transfer] }))).toBe('Send this?')
    expect(question(contentOf({ transfers: [transfer, { ...transfer, isApproval: true }] }))).toBe(
      'Give this permission?',
    )
    expect(question(contentOf())).toBe('Sign this?')
    // A fee has no recipient.
    expect(question(contentOf({ transfers: [{ asset: token, amount: '1', isApproval: false }] }))).toBe('Sign this?')
  })

  it('give a token no symbol and no point', () => {
    expect(amountWords({ asset: token, amount: '25000000' })).toEqual({
      amount: '25000000 base units',
      exactly: `of ${token}`,
    })
    expect(amountWords({ asset: 'eip155:1/slip44:60', amount: 'unlimited' }).amount).toBe('Any amount of ETH')
  })

  it('name each thing that a warning is about once', () => {
    const warning = { code: 'UNKNOWN_CALL', subject: address } as const
    expect(warningWords([warning, warning, { code: 'UNKNOWN_CALL', subject: '0x01' }])).toMatchObject([
      { subjects: [address, '0x01'] },
    ])
  })

  it('write out what cannot be seen or turns the writing around, and leave everything else', () => {
    expect(visibleText('pay \u202Eevil\u2069 \u200B\u0000\uFEFF')).toBe(
      'pay ⟨U+202E⟩evil⟨U+2069⟩ ⟨U+200B⟩⟨U+0000⟩⟨U+FEFF⟩',
    )
    expect(visibleText('line\n\ttab ä 日本 🙂')).toBe('line\n\ttab ä 日本 🙂')
    expect(visibleText('❤️ 1\uFE0F\uFE0F ❤\uFE0F\uFE0F')).toBe('❤️ 1⟨U+FE0F⟩⟨U+FE0F⟩ ❤️⟨U+FE0F⟩')
    // A pictograph that Unicode has not given out is no emoji.
    expect(visibleText('\u{1FC00}\uFE0F')).toBe('⟨U+1FC00⟩⟨U+FE0F⟩')
    expect(visibleText('a\u034F\u17B4\u180B\u{E0100}\u3164')).toBe('a⟨U+034F⟩⟨U+17B4⟩⟨U+180B⟩⟨U+E0100⟩⟨U+3164⟩')
    const ranges = [
      [0x80, 0xad],
      [0x34f, 0x34f],
      [0x115f, 0x1160],
      [0x17b4, 0x17b5],
      [0x180b, 0x180f],
      [0x200b, 0x200f],
      [0x2028, 0x202e],
      [0x2060, 0x206f],
      [0xfe00, 0xfe0f],
      [0xe000, 0xe00f],
      [0xe0000, 0xe0fff],
    ] as const
    const invisible = fc.oneof(
      ...ranges.map(([min, max]) => fc.integer({ min, max }).map((code) => String.fromCodePoint(code))),
      fc.constantFrom('a', '1', '❤', '⟨'),
    )
    fc.assert(
      fc.property(
        fc.array(invisible).map((all) => all.join('')),
        (text) => {
          const seen = visibleText(text).replaceAll('❤\uFE0F', '')
          expect(seen).not.toMatch(/[^\P{C}\n\t]|[\u2028\u2029]|\p{Default_Ignorable_Code_Point}/u)
        },
      ),
    )
  })
})
