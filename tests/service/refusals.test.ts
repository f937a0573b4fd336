/** Bad input is refused with the catalogue's sentence and changes nothing (openapi/README.md#errors). */
import { randomUUID } from 'node:crypto'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as Frame from '../../domain/mpc/Frame.ts'
import { applyPolicy } from '../../domain/service/policies.ts'
import { startService, type TestService } from '../kit/service.ts'
import { Device, logIn, mailedCode, newEmail, portal, shop, signUp, type Person } from './people.ts'
import { rowsOf, storedState } from './rows.ts'
import { ask, heldBy, postFrame, refusal, success, type Answer, type Client, type Held } from './wire.ts'

let service: TestService
let ada: Person
let bob: Person
let adas: Held
let bobs: Held
let adasWallet: string
let bobsWallet: string

beforeAll(async () => {
  service = await startService()
  ada = await signUp(service, { types: { SOLANA: true } })
  bob = await signUp(service, { types: { SOLANA: true } })
  adas = await heldBy(service, ada.device)
  bobs = await heldBy(service, bob.device)
  adasWallet = ada.walletIds[0] ?? ''
  bobsWallet = bob.walletIds[0] ?? ''
})

afterAll(() => service.stop())

/** A page of the partner without a signed-in user. */
const page = (changes: Partial<Client> = {}): Client => ({
  base: service.addresses.api,
  apiKey: service.partner.apiKey,
  origin: shop,
  ...changes,
})

/** The answer, if it changed no row. */
const unchanged = async <A>(asking: () => Promise<A>): Promise<A> => {
  const before = await storedState(service)
  const answered = await asking()
  expect(await storedState(service)).toEqual(before)
  return answered
}

/** Each is refused with this line, and changes no row. */
const refusesEach = (refusals: readonly (readonly [name: string, asking: () => Promise<Answer>, line: string])[]) => {
  it.each(refusals)('%s', async (_, asking, line) => {
    expect(refusal(await unchanged(asking))).toBe(line)
  })
}

const apiKeyRequired =
  '401 ApiKeyRequired: in order to create a wallet or user with Para, you must provide an API key to the Para instance'
const noSignedInUser = '401 NoSignedInUser: no signed-in user'
const notFound = '404 NotFound: not found'
const originNotAllowed = '403 OriginNotAllowed: origin not allowed'
const invalidAuthObject = '400 InvalidAuthObject: invalid auth object'
const invalidCode = '400 InvalidVerificationCode: invalid verification code'

const solana = { scheme: 'ED25519', type: 'SOLANA' }

describe('a call without the right key', () => {
  refusesEach([
    [
      'creates no user without a key',
      () => ask(page({ apiKey: undefined }), 'POST', '/users', { email: newEmail() }),
      apiKeyRequired,
    ],
    [
      'creates no user with a wrong key',
      () => ask(page({ apiKey: 'pk_nobodys' }), 'POST', '/users', { email: newEmail() }),
      apiKeyRequired,
    ],
    [
      'begins no session without a key',
      () => ask(page({ apiKey: undefined }), 'POST', '/touch?regenerate=false'),
      apiKeyRequired,
    ],
    [
      'creates no wallet without a key',
      () => ask({ ...adas.client, apiKey: undefined }, 'POST', `/users/${ada.userId}/wallets`, solana),
      apiKeyRequired,
    ],
    [
      'creates no wallet with a wrong key',
      () => ask({ ...adas.client, apiKey: 'pk_nobodys' }, 'POST', `/users/${ada.userId}/wallets`, solana),
      apiKeyRequired,
    ],
  ])

  it('has no session under the key of another partner', async () => {
    const other = await service.addPartner()

    const answer = await unchanged(() =>
      ask({ ...adas.client, apiKey: other.apiKey }, 'GET', `/users/${ada.userId}/wallets`),
    )

    expect(refusal(answer)).toBe(noSignedInUser)
  })

  it('is refused by the SDK before it is made', async () => {
    const device = new Device({ apiKey: '', addresses: service.addresses })

    await expect(unchanged(() => device.createUser({ email: newEmail() }))).rejects.toMatchObject({
      message: apiKeyRequired.replace(/^.*?: /, ''),
    })
  })
})

describe('a call from another origin', () => {
  refusesEach([
    [
      'begins no session at a stranger’s page',
      () => ask(page({ origin: 'https://evil.example' }), 'POST', '/touch?regenerate=false'),
      originNotAllowed,
    ],
    [
      'begins no session at an opaque origin',
      () => ask(page({ origin: 'null' }), 'POST', '/touch?regenerate=false'),
      originNotAllowed,
    ],
    [
      'creates no user at a stranger’s page',
      () => ask(page({ origin: 'https://evil.example' }), 'POST', '/users', { email: newEmail() }),
      originNotAllowed,
    ],
    [
      'does not use the session of another of the partner’s pages',
      () => ask({ ...adas.client, origin: 'http://shop.localhost:3010' }, 'GET', `/users/${ada.userId}/wallets`),
      originNotAllowed,
    ],
    [
      'does not touch the session of another of the partner’s pages',
      () => ask({ ...adas.client, origin: 'http://shop.localhost:3010' }, 'POST', '/touch?regenerate=true'),
      originNotAllowed,
    ],
    [
      'does not sign at the co-signer from a stranger’s page',
      () =>
        ask(
          { base: service.addresses.cosigner, token: adas.token, origin: 'https://evil.example' },
          'POST',
          '/protocol',
          new Uint8Array(300),
        ),
      originNotAllowed,
    ],
    [
      'opens no page of the portal from a page of the partner',
      () => ask(page(), 'POST', '/openings', { sessionId: adas.sessionId, page: 'login-password' }),
      originNotAllowed,
    ],
  ])
})

describe('a request that is not of the contract', () => {
  const bodyMalformed = '400 InvalidRequest: body is not as the contract has it'

  refusesEach([
    ['with half a JSON', () => ask(page(), 'POST', '/users', '{"email":'), bodyMalformed],
    [
      'with bytes that are no UTF-8',
      () => ask(page(), 'POST', '/users', Uint8Array.of(0x22, 0xff, 0xfe, 0x22)),
      bodyMalformed,
    ],
    ['with half a character', () => ask(page(), 'POST', '/users', '{"email":"ada\\ud800@example.org"}'), bodyMalformed],
    ['with a zero character', () => ask(page(), 'POST', '/users', '{"email":"ada\\u0000@example.org"}'), bodyMalformed],
    ['with a list for an object', () => ask(adas.client, 'POST', `/users/${ada.userId}/wallets`, []), bodyMalformed],
    [
      'without the body that it needs',
      () => ask(adas.client, 'POST', `/users/${ada.userId}/key-shares`),
      bodyMalformed,
    ],
    [
      'with another word in its query',
      () => ask(page(), 'POST', '/touch?regenerate=maybe'),
      '400 InvalidRequest: query.regenerate is not as the contract has it',
    ],
    [
      'with a code that is not a text',
      () => ask(adas.client, 'POST', `/users/${ada.userId}/verify-email`, { verificationCode: 123_456 }),
      '400 InvalidRequest: body.verificationCode is not as the contract has it',
    ],
    [
      'with a body of more than 256 KiB',
      () => ask(page(), 'POST', '/users', { email: newEmail(), homepageUrl: 'x'.repeat(300 * 1024) }),
      '413 BodyTooLarge: request body is too large',
    ],
    [
      'with a frame of more than 256 KiB',
      () => postFrame(service, adas.token, new Uint8Array(Frame.maximumLength + 1)),
      '413 BodyTooLarge: request body is too large',
    ],
    [
      'with an invalid frame',
      () => postFrame(service, adas.token, utf8ToBytes('TDM1 and no more')),
      '400 InvalidFrame: invalid frame',
    ],
    ['to an address that does not exist', () => ask(adas.client, 'GET', '/users/wallets/of/nobody'), notFound],
    ['by another method', () => ask(adas.client, 'DELETE', '/touch'), notFound],
  ])
})

describe('an invalid identity', () => {
  const malformed = [
    '',
    ' ',
    'ada',
    'ada@',
    '@example.org',
    'a b@example.org',
    'ada@@example.org',
    'ada@example',
    'null',
    'undefined',
    `${'a'.repeat(65)}@example.org`,
  ]

  it.each(malformed)('creates no user and sends no mail: %j', async (email) => {
    const answer = await unchanged(() => ask(page(), 'POST', '/users', { email }))

    expect(refusal(answer)).toBe(invalidAuthObject)
    expect(await service.mailbox(email)).toEqual([])
  })

  refusesEach([
    [
      'is refused by the SDK',
      () => sdkRefusal(() => ada.device.checkUserExists({ email: 'undefined' })),
      invalidAuthObject,
    ],
    [
      'may not be of two kinds',
      () => ask(page(), 'POST', '/users', { email: newEmail(), phone: '2025550123', countryCode: '+1' }),
      invalidAuthObject,
    ],
    [
      'may not be a phone without its country',
      () => ask(page(), 'POST', '/users', { phone: '2025550123' }),
      invalidAuthObject,
    ],
    ['may not be empty', () => ask(page(), 'POST', '/users', {}), invalidAuthObject],
    ['is not looked up', () => ask(page(), 'GET', '/users/exists?email=null'), invalidAuthObject],
    ['has no methods', () => ask(page(), 'GET', '/users/supported-auth-methods?email='), invalidAuthObject],
    [
      'may not be of a user who has signed up',
      () => ask(page(), 'POST', '/users', { email: ada.email.toUpperCase() }),
      '409 UserAlreadyExists: user already exists',
    ],
  ])
})

/** The SDK's error for an answer, in the form of the wire. */
const sdkRefusal = async (call: () => Promise<unknown>): Promise<Answer> => {
  const error = (await call().then(
    () => ({}),
    (thrown: unknown) => thrown,
  )) as { readonly status?: number; readonly code?: string; readonly _tag?: string; readonly message?: string }
  return {
    status: error.status ?? 400,
    code: error.code ?? error._tag ?? null,
    type: 'text/plain; charset=utf-8',
    token: null,
    retryAfter: null,
    text: error.message ?? '',
    bytes: new Uint8Array(0),
  }
}

describe('a wallet that cannot be made', () => {
  const create = (body: object) => ask(adas.client, 'POST', `/users/${ada.userId}/wallets`, body)
  const unsupported = '400 UnsupportedWalletType: unsupported wallet type'

  refusesEach([
    ['is of an unknown type', () => create({ type: 'BITCOIN' }), unsupported],
    ['is of an unknown scheme', () => create({ type: 'EVM', scheme: 'GG20' }), unsupported],
    ['is of a type in lower case', () => create({ type: 'evm' }), unsupported],
    ['is a Solana wallet of DKLS', () => create({ type: 'SOLANA', scheme: 'DKLS' }), unsupported],
    ['is an EVM wallet of ED25519', () => create({ type: 'EVM', scheme: 'ED25519' }), unsupported],
    ['has an invalid prefix', () => create({ type: 'COSMOS', scheme: 'DKLS', cosmosPrefix: 'Two Words' }), unsupported],
    [
      'has a prefix too long for an address',
      () => create({ type: 'COSMOS', scheme: 'DKLS', cosmosPrefix: 'a'.repeat(52) }),
      unsupported,
    ],
    [
      'is of CGGMP',
      () => create({ useTwoSigners: true, type: 'EVM', scheme: 'CGGMP' }),
      '400 SchemeNotOffered: wallet scheme CGGMP is not offered by this service',
    ],
    [
      'is of CGGMP, without a type',
      () => create({ scheme: 'CGGMP' }),
      '400 SchemeNotOffered: wallet scheme CGGMP is not offered by this service',
    ],
  ])

  it('is of a type that the partner does not support, and no other partner’s wallets are seen there', async () => {
    const partner = await service.addPartner({ supportedWalletTypes: [{ type: 'SOLANA' }] })
    const device = await logIn(service, ada, { apiKey: partner.apiKey })
    const held = await heldBy(service, device, partner.apiKey)

    const answer = await unchanged(() => ask(held.client, 'POST', `/users/${ada.userId}/wallets`, { type: 'EVM' }))
    const foreign = await unchanged(() => sign(held, ada.userId, adasWallet))

    expect(refusal(answer)).toBe('400 WalletTypeNotSupported: wallet type EVM is not supported')
    expect(refusal(foreign)).toBe(`404 WalletDoesNotExist: wallet with id ${adasWallet} does not exist`)
    expect((await device.getWallets()).map(({ type, partnerId }) => [type, partnerId])).toEqual([
      ['SOLANA', partner.partnerId],
    ])
  })
})

const sign = (held: Held, userId: string, walletId: string) =>
  ask(held.client, 'POST', `/users/${userId}/wallets/${walletId}/messages/sign`, {
    message: Buffer.from('hello').toString('base64'),
    scheme: 'ED25519',
    protocolId: randomUUID(),
  })

describe('another’s object', () => {
  const nobody = randomUUID()

  type Asked = readonly [name: string, method: string, path: string, body: object | undefined]

  const ofUser: readonly Asked[] = [
    ['user', 'GET', '/users/{id}', undefined],
    ['wallets', 'GET', '/users/{id}/wallets', undefined],
    ['new wallet', 'POST', '/users/{id}/wallets', solana],
    ['session', 'POST', '/users/{id}/session/keep-alive', undefined],
    ['code', 'POST', '/users/{id}/verify-email', { verificationCode: '123456' }],
    ['further code', 'POST', '/users/{id}/resend-verification-code', {}],
    ['new password', 'POST', '/users/{id}/passwords/key', { status: 'PENDING' }],
    ['new passkey', 'POST', '/users/{id}/biometrics/key', { status: 'PENDING', type: 'WEB' }],
    ['passkeys', 'GET', '/users/{id}/biometrics/keys', undefined],
    ['recovery keys', 'GET', '/users/{id}/recovery-public-keys', undefined],
    ['new recovery key', 'POST', '/users/{id}/recovery-public-keys', { publicKeys: ['ab'.repeat(64)] }],
    ['backups', 'POST', '/users/{id}/key-shares', { keyShares: [] }],
    ['temporary shares', 'GET', '/users/{id}/temporary-shares?sessionLookupId={lookup}', undefined],
    ['acknowledgement', 'DELETE', '/users/{id}/temporary-shares?sessionLookupId={lookup}', undefined],
  ]

  it.each(ofUser)('is answered as missing: %s of a user', async (_, method, path, body) => {
    const of = (id: string) =>
      ask(adas.client, method, path.replace('{id}', id).replace('{lookup}', bobs.lookupId), body)

    const foreign = await unchanged(() => of(bob.userId))

    expect(refusal(foreign)).toBe(notFound)
    expect(await of(nobody)).toEqual(foreign)
    expect(await of('not-an-id')).toEqual(foreign)
  })

  const transaction = { transaction: Buffer.alloc(10).toString('base64'), chainId: '1', protocolId: randomUUID() }
  const ofWallet: readonly Asked[] = [
    ['message', 'POST', 'messages/sign', { message: 'aGVsbG8=', scheme: 'ED25519', protocolId: randomUUID() }],
    ['transaction', 'POST', 'transactions/sign', transaction],
    ['sent transaction', 'POST', 'transactions/send', transaction],
    ['backup list', 'GET', 'key-shares?type=USER', undefined],
    [
      'backup',
      'POST',
      'key-shares',
      {
        keyShares: [
          { encryptedShare: 'ab', encryptedKey: 'cd', type: 'USER', encryptor: 'PASSWORD', passwordId: nobody },
        ],
      },
    ],
    ['share distribution', 'POST', 'capsule-share/distribute', { useDKLS: false }],
  ]

  it.each(ofWallet)('is answered as missing: %s of a wallet', async (_, method, path, body) => {
    const of = (id: string) => ask(adas.client, method, `/users/${ada.userId}/wallets/${id}/${path}`, body)
    const without = ({ bytes: _bytes, ...answer }: Answer, id: string) => ({
      ...answer,
      text: answer.text.replace(id, '{id}'),
    })

    const foreign = await unchanged(() => of(bobsWallet))

    expect(refusal(foreign)).toBe(`404 WalletDoesNotExist: wallet with id ${bobsWallet} does not exist`)
    expect(without(await of(nobody), nobody)).toEqual(without(foreign, bobsWallet))
  })

  it('is answered as missing: the wallet of a frame', async () => {
    const key = adas.keyOf(adasWallet)
    const of = (walletId: string) =>
      adas.protocol.sign({ ...key, share: { ...key.share, walletId } }, { kind: 'solanaMessage', message: '00' })

    const foreign = await unchanged(() => of(bobsWallet))

    expect(foreign).toEqual({
      kind: 'refused',
      tag: 'WalletDoesNotExist',
      message: `404 WalletDoesNotExist: wallet with id ${bobsWallet} does not exist`,
    })
    expect(JSON.stringify(await of(nobody))).toBe(JSON.stringify(foreign).replace(bobsWallet, nobody))
  })

  it('is answered as missing: a password record in a backup, a partner, an opening, a session', async () => {
    const { share } = adas.keyOf(adasWallet)
    const passwordOf = async ({ client, userId }: Held) =>
      (success(await ask(client, 'GET', `/users/passwords?userId=${userId}`)).passwords as { id: string }[])[0]?.id ??
      ''
    const backUpTo = (passwordId: string) =>
      ask(adas.client, 'POST', `/users/${ada.userId}/key-shares`, {
        keyShares: [
          {
            walletId: share.walletId,
            encryptedShare: 'ab'.repeat(40),
            encryptedKey: 'cd'.repeat(256),
            type: 'USER',
            encryptor: 'PASSWORD',
            passwordId,
          },
        ],
      })
    const other = await service.addPartner()
    const pairs = [
      [() => backUpTo(bobsPassword), () => backUpTo(nobody)],
      [
        () => ask(adas.client, 'GET', `/partners/${other.partnerId}`),
        () => ask(adas.client, 'GET', `/partners/${nobody}`),
      ],
      [
        () => ask(adas.client, 'GET', `/sessions/${bobs.lookupId}/origin`),
        () => ask(adas.client, 'GET', `/sessions/${nobody}/origin`),
      ],
      [
        () => ask(adas.client, 'POST', `/sessions/${bobs.sessionId}/keys`, keysBody),
        () => ask(adas.client, 'POST', `/sessions/${nobody}/keys`, keysBody),
      ],
    ] as const
    const bobsPassword = await passwordOf(bobs)
    const keysBody = { devicePublicKey: '04'.repeat(65), proof: '00'.repeat(64) }

    for (const [foreign, missing] of pairs) {
      const answer = await unchanged(foreign)
      expect(refusal(answer)).toBe(notFound)
      expect(await missing()).toEqual(answer)
    }
  })

  it('is not read under its owner’s path either', async () => {
    expect(refusal(await unchanged(() => sign(adas, bob.userId, bobsWallet)))).toBe(notFound)
    expect(refusal(await ask(adas.client, 'GET', `/users/passwords?userId=${bob.userId}`))).toBe(notFound)
  })
})

/** A session in which a code was requested. */
const atCode = async (email = newEmail()) => {
  const begun = await ask(page(), 'POST', '/touch?regenerate=false')
  const client = page({ token: begun.token ?? undefined })
  const { userId } = success(await ask(client, 'POST', '/users', { email }))
  const verify = (verificationCode: string) =>
    ask(client, 'POST', `/users/${String(userId)}/verify-email`, { verificationCode })
  return { client, email, userId: String(userId), verify, code: await mailedCode(service, email) }
}

const other = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

describe('a code', () => {
  const sessionOf = async (userId: string) =>
    (await rowsOf(service))['sessions']?.find(({ user_id }) => user_id === userId)

  it('that is wrong proves nothing, and the right one is accepted afterwards', async () => {
    const { userId, verify, code } = await atCode()

    for (const wrong of [other(code), `${code}0`, code.slice(1), code.replace(/\d$/, 'x')]) {
      expect(refusal(await verify(wrong))).toBe(invalidCode)
    }
    expect(await sessionOf(userId)).toMatchObject({ state: 'IDENTIFIED', user_proven: false })
    expect((await verify(code)).status).toBe(200)
    expect(await sessionOf(userId)).toMatchObject({ state: 'VERIFIED', user_proven: true })
  })

  it('can be tried five times, and then the right one is refused', async () => {
    const { userId, verify, code } = await atCode()

    for (let tries = 0; tries < 5; tries++) expect(refusal(await verify(other(code)))).toBe(invalidCode)
    const sixth = await verify(code)

    expect(refusal(sixth)).toBe('429 TooManyAttempts: too many attempts')
    expect(Number(sixth.retryAfter)).toBeGreaterThan(0)
    expect(await sessionOf(userId)).toMatchObject({ state: 'IDENTIFIED', user_proven: false })
  })

  it('is valid in one session only', async () => {
    const first = await atCode()
    const second = await atCode(first.email)

    expect(first.userId).toBe(second.userId)
    expect(first.code).not.toBe(second.code)
    expect(refusal(await second.verify(first.code))).toBe(invalidCode)
    expect((await first.verify(first.code)).status).toBe(200)
    expect(await sessionOf(first.userId)).toBeDefined()
    expect(
      refusal(await ask(second.client, 'POST', `/users/${second.userId}/passwords/key`, { status: 'PENDING' })),
    ).toBe(noSignedInUser)
  })

  it('is invalid once the next one was sent', async () => {
    const { client, email, userId, verify, code } = await atCode()

    expect((await ask(client, 'POST', `/users/${userId}/resend-verification-code`, {})).status).toBe(200)
    const next = await mailedCode(service, email)

    expect(await service.mailbox(email)).toHaveLength(2)
    if (next !== code) expect(refusal(await verify(code))).toBe(invalidCode)
    expect((await verify(next)).status).toBe(200)
  })

  it('that is right and sent fifty times at once has one effect', async () => {
    const { client, userId, verify, code } = await atCode()

    const answers = await Promise.all(Array.from({ length: 50 }, () => verify(code)))

    const { audits = [], codes = [] } = await rowsOf(service)
    const verified = audits.filter((audit) => audit['event'] === 'user.verified' && audit['user_id'] === userId)
    expect(verified).toHaveLength(1)
    expect(codes.filter((row) => row['user_id'] === userId).map(({ used }) => used)).toEqual([true])
    expect(await sessionOf(userId)).toMatchObject({ state: 'VERIFIED', user_proven: true })
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(1)
    const refused = answers.filter(({ status }) => status !== 200).map(refusal)
    expect(refused.filter((line) => line !== invalidCode)).toEqual([])
    expect((await verify(code)).status).toBe(200)
    expect((await unchanged(() => verify(other(code)))).status).toBe(200)
    expect((await ask(client, 'POST', '/touch?regenerate=false')).text).toContain(userId)
  })
})

describe('a form POST without a body, as axios sends it', () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': '0' }

  it('touches', async () => {
    const answer = await ask(page(), 'POST', '/touch?regenerate=false', undefined, {
      'content-type': form['content-type'],
    })

    expect(success(answer)).toMatchObject({
      isAuthenticated: false,
      supportedWalletTypes: [{ type: 'EVM' }, { type: 'SOLANA' }, { type: 'COSMOS' }],
    })
    expect(answer.token).toMatch(/^[\w-]{43}$/)
  })

  it('keeps a session alive', async () => {
    const answer = await ask(adas.client, 'POST', `/users/${ada.userId}/session/keep-alive`, undefined, {
      'content-type': form['content-type'],
    })

    expect([answer.status, answer.text]).toEqual([200, '{}'])
  })

  it('opens no session of the portal', async () => {
    const answer = await unchanged(() =>
      ask(page({ origin: portal }), 'POST', '/openings', undefined, { 'content-type': form['content-type'] }),
    )

    expect(refusal(answer)).toBe('400 InvalidRequest: body is not as the contract has it')
  })
})

describe('a session', () => {
  it('that does not exist is refused every call that takes a signed-in user', async () => {
    const strangers = page({ token: 'x'.repeat(43) })

    for (const [method, path] of [
      ['GET', `/users/${ada.userId}`],
      ['GET', `/users/${ada.userId}/wallets`],
      ['POST', `/users/${ada.userId}/wallets`],
      ['POST', `/users/${ada.userId}/session/keep-alive`],
    ] as const) {
      expect(refusal(await unchanged(() => ask(strangers, method, path)))).toBe(noSignedInUser)
    }
    expect(refusal(await postFrame(service, undefined, new Uint8Array(300)))).toBe(noSignedInUser)
    expect(await ask(strangers, 'GET', '/logout')).toMatchObject({ status: 200, text: '{}' })
  })

  it('of a user who logged out is refused everywhere, although device key and shares were copied before', async () => {
    const phone = await logIn(service, bob)
    const copied = await heldBy(service, phone)
    const key = copied.keyOf(bobsWallet)
    await phone.logout()

    expect(refusal(await ask(copied.client, 'GET', `/users/${bob.userId}`))).toBe(noSignedInUser)
    expect(refusal(await ask(copied.client, 'POST', `/users/${bob.userId}/session/keep-alive`))).toBe(noSignedInUser)
    expect(refusal(await sign(copied, bob.userId, bobsWallet))).toBe(noSignedInUser)
    expect(await unchanged(() => copied.protocol.sign(key, { kind: 'solanaMessage', message: '00' }))).toEqual({
      kind: 'refused',
      tag: 'NoSignedInUser',
      message: noSignedInUser,
    })
    const touched = await ask(copied.client, 'POST', '/touch?regenerate=false')
    expect(success(touched)).toMatchObject({ isAuthenticated: false })
    expect(touched.token).not.toBe(copied.token)
    expect(success(touched).sessionId).not.toBe(copied.sessionId)
    expect((await bob.device.signMessage({ walletId: bobsWallet, message: 'still here' })).walletId).toBe(bobsWallet)
  })
})

/** Last: it turns the clock. */
describe('a code that is older than ten minutes', () => {
  it('proves nothing, and a new one is accepted', async () => {
    const { client, email, userId, verify, code } = await atCode()
    service.advance(10 * 60_000 + 1_000)

    expect(refusal(await verify(code))).toBe(invalidCode)
    expect((await rowsOf(service))['sessions']?.find(({ user_id }) => user_id === userId)).toMatchObject({
      state: 'IDENTIFIED',
      user_proven: false,
    })
    await ask(client, 'POST', `/users/${userId}/resend-verification-code`, {})

    expect((await verify(await mailedCode(service, email))).status).toBe(200)
  })
})

describe('a page of a review whose user has shown no credential', () => {
  const review = async () => {
    const rule = { id: 'held', effect: 'review', when: { payload: { is: 'solana.message' } } }
    await service.run(applyPolicy(service.partner.partnerId, { tandem: 'policy/1', default: 'allow', rules: [rule] }))
    const ended = await adas.protocol.sign(adas.keyOf(adasWallet), { kind: 'solanaMessage', message: '00' })
    const held = ended.kind === 'stopped' && ended.status === 'HELD' ? Frame.decodeHeld(ended.body) : undefined
    const opened = page({ origin: portal })
    const { sessionId } = adas
    const record = held?.pendingTransactionId ?? ''
    const begun = success(await ask(opened, 'POST', '/openings', { page: 'review', record, sessionId }))
    const { openingId, openingSecret } = begun
    const redirected = { openingSecret, redirect: true, redeemHash: '00'.repeat(32) }
    const { token } = await ask(opened, 'POST', `/openings/${String(openingId)}/token`, redirected)
    return { ...opened, token: token ?? undefined }
  }

  it('reads neither wallets, passkeys nor the identity', async () => {
    const opened = await review()
    const read = async (path: string) =>
      refusal(await unchanged(() => ask(opened, 'GET', `/users/${ada.userId}${path}`)))

    expect(await Promise.all(['', '/wallets', '/biometrics/keys', '/all-wallets'].map(read))).toEqual([
      noSignedInUser,
      noSignedInUser,
      noSignedInUser,
      notFound,
    ])
  })
})
