import * as fc from 'fast-check'
import * as Result from 'effect/Result'
import { describe, expect, it } from 'vitest'
import { developmentHosts } from '../../../domain/model/Environment.ts'
import { toAuthObject } from '../../../domain/model/Identity.ts'
import { methods } from '../../../domain/model/OAuth.ts'
import { staticFile, staticFiles } from '../../../domain/model/PortalFiles.ts'
import * as PortalUrl from '../../../domain/model/PortalUrl.ts'
import { identity, supported } from './arbitrary.ts'

const id = fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' }).filter((text) => text !== '.' && text !== '..')
const text = fc.option(fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('null', 'undefined', '')), {
  nil: undefined,
})
const wallet = fc.oneof(fc.record({ walletId: id }), fc.record({ externalWalletAddress: id }))
const loginDetails = {
  identity: fc.option(identity, { nil: undefined }),
  sessionId: text,
  encryptionKey: text,
  newDeviceSessionLookupId: text,
  newDeviceEncryptionKey: text,
  pregenIds: fc.option(fc.constantFrom({}, { EMAIL: ['a@b.co'] }), { nil: undefined }),
  displayName: text,
  pfpUrl: text,
}
const creationDetails = { identity: fc.option(identity, { nil: undefined }), sessionId: text }

const page: fc.Arbitrary<PortalUrl.Page> = fc.oneof(
  fc.record({ type: fc.constant('create-password' as const), userId: id, passwordId: id, ...creationDetails }),
  fc.record({ type: fc.constant('create-passkey' as const), userId: id, webAuthId: id, ...creationDetails }),
  fc.record({ type: fc.constant('login-password' as const), ...loginDetails }),
  fc.record({ type: fc.constant('login-passkey' as const), ...loginDetails }),
  fc.record({
    type: fc.constant('review' as const),
    userId: id,
    pendingTransactionId: id,
    sessionId: text,
    email: text,
    timeoutMs: fc.option(fc.nat(), { nil: undefined }),
  }),
  fc.record({
    type: fc.constant('on-ramp' as const),
    userId: id,
    purchaseId: id,
    wallet,
    sessionId: text,
    providerKey: text,
    currentWalletIds: fc.constantFrom({}, { EVM: ['w'] }),
  }),
  fc.record({ type: fc.constant('export' as const), userId: id, walletId: id, ...creationDetails }),
)

const theme = fc.record({
  font: text,
  borderRadius: text,
  mode: text,
  accentColor: text,
  foregroundColor: text,
  backgroundColor: text,
  primaryButtonColor: text,
  textColor: text,
  primaryButtonTextColor: text,
})

const common: fc.Arbitrary<PortalUrl.Common> = fc.record({
  apiKey: text,
  partnerId: text,
  theme,
  isForNewDevice: fc.option(fc.boolean(), { nil: undefined }),
  supportedWalletTypes: fc.option(supported, { nil: undefined }),
})

const bases: PortalUrl.Bases = { hosts: developmentHosts }
const partnerBases: PortalUrl.Bases = { hosts: developmentHosts, partnerPortalUrl: 'https://keys.shop.example/' }

const build = (page: PortalUrl.Page, common?: PortalUrl.Common, on = bases) =>
  Result.getOrThrow(PortalUrl.build(on, page, common))

/** What a browser reads of an address. */
const queryOf = (url: string) => Object.fromEntries(new URL(url).searchParams)

const user = { userId: 'u' }

describe('screens and routes', () => {
  it.each([
    [{ type: 'create-password', ...user, passwordId: 'p' }, '/web/users/u/passwords/p'],
    [{ type: 'create-passkey', ...user, webAuthId: 'k' }, '/web/users/u/biometrics/k'],
    [{ type: 'login-password' }, '/web/passwords/login'],
    [{ type: 'login-passkey' }, '/web/biometrics/login'],
    [{ type: 'review', ...user, pendingTransactionId: 't' }, '/web/users/u/transaction-review/t'],
    [{ type: 'on-ramp', ...user, purchaseId: 'b', wallet: { walletId: 'w' } }, '/web/users/u/on-ramp-transaction/b'],
    [{ type: 'export', ...user, walletId: 'w' }, '/web/users/u/wallets/w/private-key'],
  ] as const)('%j is at %s', (page, path) => {
    expect(Result.getOrThrow(PortalUrl.path(page))).toBe(path)
    expect(new URL(build(page)).pathname).toBe(path)
    expect(new URL(build(page)).origin).toBe(developmentHosts.portal)
  })

  it("'invalid URL type {type}'", () => {
    const unknown = { type: 'settings' } as unknown as PortalUrl.Page

    expect(Result.getOrThrow(Result.flip(PortalUrl.build(bases, unknown))).message).toBe('invalid URL type settings')
    expect(Result.getOrThrow(Result.flip(PortalUrl.read('http://localhost:3003/web/settings')))._tag).toBe(
      'InvalidUrlType',
    )
    expect(
      Result.getOrThrow(Result.flip(PortalUrl.read('http://localhost:3003/web/users/%E0%A4%A/passwords/p')))._tag,
    ).toBe('InvalidUrlType')
  })

  it.each([
    '/web/passwords',
    '/web/passwords/login/more',
    '/web/passwords/logout',
    '/web/users/login',
    '/web/users/u/passwords',
    '/web/users/u/passwords/p/more',
    '/web/wallets/u/passwords/p',
    '/web/users/u/settings/p',
    '/web/users/u/wallets/w',
    '/web/users/u/wallets/w/private-key/more',
    '/web/users/u/passwords/w/private-key',
    '/short/i',
    '/short/i%7Cab',
    '/',
  ])('%s is no page', (path) => {
    expect(Result.getOrThrow(Result.flip(PortalUrl.read(`http://localhost:3003${path}`)))._tag).toBe('InvalidUrlType')
  })

  it('every page is read back from its address, and its parameters too', () => {
    fc.assert(
      fc.property(page, common, (page, common) => {
        const url = build(page, common)

        const { addressedPage, parameters } = Result.getOrThrow(PortalUrl.read(url))

        expect(page).toMatchObject(addressedPage)
        expect(addressedPage.type).toBe(page.type)
        expect(parameters).toEqual(queryOf(url))
      }),
    )
  })

  it('falsy values and the texts undefined and null are dropped', () => {
    fc.assert(
      fc.property(page, common, (page, common) => {
        const values = Object.values(queryOf(build(page, common)))

        expect(values.filter((value) => ['', 'undefined', 'null'].includes(value))).toEqual([])
      }),
    )
    const login = build({ type: 'login-passkey', sessionId: 'null' }, { apiKey: '', isForNewDevice: false })
    expect(queryOf(login)).toEqual({ pregenIds: '{}' })
    expect(queryOf(build({ type: 'review', ...user, pendingTransactionId: 't', timeoutMs: 0 }))).toEqual({})
  })
})

describe('query parameters', () => {
  it('API key, partner id, theme, new device and wallet types go to every page', () => {
    const common: PortalUrl.Common = {
      apiKey: 'key',
      partnerId: 'partner',
      theme: {
        font: 'Inter',
        borderRadius: 'md',
        mode: 'dark',
        accentColor: '#111',
        foregroundColor: '#222',
        backgroundColor: '#333',
        primaryButtonColor: '#444',
        textColor: '#555',
        primaryButtonTextColor: '#666',
      },
      isForNewDevice: true,
      supportedWalletTypes: [{ type: 'EVM' }, { type: 'COSMOS', optional: true, prefix: 'osmo' }],
    }

    expect(queryOf(build({ type: 'create-passkey', ...user, webAuthId: 'k' }, common))).toEqual({
      apiKey: 'key',
      partnerId: 'partner',
      portalFont: 'Inter',
      portalBorderRadius: 'md',
      portalThemeMode: 'dark',
      portalAccentColor: '#111',
      portalForegroundColor: '#222',
      portalBackgroundColor: '#333',
      portalPrimaryButtonColor: '#444',
      portalTextColor: '#555',
      portalPrimaryButtonTextColor: '#666',
      isForNewDevice: 'true',
      supportedWalletTypes: '{"EVM":true,"COSMOS":{"optional":true,"prefix":"osmo"}}',
    })
  })

  it('creation and login carry the auth identity', () => {
    fc.assert(
      fc.property(identity, (identity) => {
        fc.pre(identity.kind !== 'userId')
        const pages: readonly PortalUrl.Page[] = [
          { type: 'create-password', ...user, passwordId: 'p', identity },
          { type: 'create-passkey', ...user, webAuthId: 'k', identity },
          { type: 'login-password', identity },
          { type: 'login-passkey', identity },
        ]

        for (const page of pages) expect(queryOf(build(page))).toMatchObject(toAuthObject(identity))
      }),
    )
  })

  it('login carries the recipient of its shares, and the name and picture of the user', () => {
    expect(
      queryOf(
        build({
          type: 'login-password',
          identity: { kind: 'phone', phone: '5550001', countryCode: '+1' },
          sessionId: 's',
          encryptionKey: 'ab',
          newDeviceSessionLookupId: 'l-new-device',
          newDeviceEncryptionKey: 'cd',
          pregenIds: { EMAIL: ['a+b@x.io'] },
          displayName: 'Ada & Bob',
          pfpUrl: 'https://img.example/a?b=c',
        }),
      ),
    ).toEqual({
      phone: '5550001',
      countryCode: '+1',
      sessionId: 's',
      encryptionKey: 'ab',
      newDeviceSessionLookupId: 'l-new-device',
      newDeviceEncryptionKey: 'cd',
      pregenIds: '{"EMAIL":["a+b@x.io"]}',
      displayName: 'Ada & Bob',
      pfpUrl: 'https://img.example/a?b=c',
    })
  })

  it('pregenIds are {} when there are none', () => {
    expect(queryOf(build({ type: 'login-passkey' }))).toEqual({ pregenIds: '{}' })
  })

  it('review carries e-mail and timeout', () => {
    const page = { type: 'review', ...user, pendingTransactionId: 't', email: 'a@b.co', timeoutMs: 30_000 } as const

    expect(queryOf(build({ ...page, sessionId: 's' }))).toEqual({ sessionId: 's', email: 'a@b.co', timeoutMs: '30000' })
  })

  it('on-ramp carries the wallet, the provider key and the current wallet ids', () => {
    const page = { type: 'on-ramp', ...user, purchaseId: 'b', sessionId: 's', providerKey: 'pk' } as const

    expect(queryOf(build({ ...page, wallet: { walletId: 'w' }, currentWalletIds: { EVM: ['w'] } }))).toEqual({
      sessionId: 's',
      walletId: 'w',
      providerKey: 'pk',
      currentWalletIds: '{"EVM":["w"]}',
    })
    expect(queryOf(build({ ...page, wallet: { externalWalletAddress: '0x1' } }))).toEqual({
      sessionId: 's',
      externalWalletAddress: '0x1',
      providerKey: 'pk',
    })
  })
})

describe('the base of an address', () => {
  it("is the partner's portal if it has one; an on-ramp's page is always the environment's", () => {
    fc.assert(
      fc.property(page, (page) => {
        expect(new URL(build(page, {}, partnerBases)).origin).toBe(
          page.type === 'on-ramp' ? developmentHosts.portal : 'https://keys.shop.example',
        )
        expect(new URL(build(page)).origin).toBe(developmentHosts.portal)
      }),
    )
  })

  it.each([null, '', 'null', undefined])('a partner portal of %j is none', (partnerPortalUrl) => {
    expect(PortalUrl.base({ hosts: developmentHosts, partnerPortalUrl }, 'login-passkey')).toBe('http://localhost:3003')
  })

  it('a partner portal may live under a path', () => {
    const bases = { hosts: developmentHosts, partnerPortalUrl: 'https://shop.example/keys/' }

    expect(build({ type: 'login-passkey' }, {}, bases)).toBe(
      'https://shop.example/keys/web/biometrics/login?pregenIds=%7B%7D',
    )
  })
})

describe('OAuth', () => {
  const hosts = { ...developmentHosts, oauth: 'https://oauth.example' }

  it('starts at /auth/{method in lower case} on the API host; Telegram uses the portal host', () => {
    const starts = methods.map((method) => PortalUrl.oauthStart({ hosts }, method, {}))

    expect(starts).toEqual([
      'https://oauth.example/auth/google',
      'https://oauth.example/auth/twitter',
      'https://oauth.example/auth/apple',
      'https://oauth.example/auth/discord',
      'https://oauth.example/auth/facebook',
      'https://oauth.example/auth/farcaster',
      'http://localhost:3003/auth/telegram',
    ])
  })

  it('its query parameters are the API key, the session lookup id and the deeplink URL', () => {
    const parameters = { apiKey: 'key', sessionLookupId: 'l', deeplinkUrl: 'app://back?to=here&now' }

    expect(queryOf(PortalUrl.oauthStart({ hosts }, 'GOOGLE', parameters))).toEqual(parameters)
    expect(queryOf(PortalUrl.oauthStart({ hosts }, 'GOOGLE', { apiKey: 'key', deeplinkUrl: 'null' }))).toEqual({
      apiKey: 'key',
    })
  })
})

it("static assets are under /static/js/ of the environment's portal", () => {
  expect(staticFiles.map((file) => staticFile(developmentHosts, file))).toEqual([
    'http://localhost:3003/static/js/prime.worker.min.js',
    'http://localhost:3003/static/js/main.wasm',
    'http://localhost:3003/static/js/mpcWorker-bundle.js',
  ])
})
