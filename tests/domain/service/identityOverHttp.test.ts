/**
 * The operations of identity on the wire: statuses, sentences, headers, and that every answer has the contract's form.
 */
import { p256 } from '@noble/curves/nist.js'
import { bytesToHex, hexToBytes, randomBytes } from '@noble/hashes/utils.js'
import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as DeviceKey from '../../../domain/crypto/DeviceKey.ts'
import * as PasswordKeys from '../../../domain/crypto/PasswordKeys.ts'
import * as RootKey from '../../../domain/crypto/RootKey.ts'
import * as RsaKey from '../../../domain/crypto/RsaKey.ts'
import type { Input, OperationId, Success } from '../../../generated/handlers.ts'
import { operations } from '../../../generated/operations.ts'
import { validators } from '../../../generated/validators.ts'
import { startService, type TestService } from '../../kit/service.ts'
import { rsaPublicKeys } from './identity.ts'

const shop = 'http://shop.localhost:3010'
const portal = 'http://localhost:3003'
const nobody = '3c1a5f6e-8d25-4a35-9b02-8a8f4b6d4f10'
const [credentialKey, loginKey] = rsaPublicKeys
const text = 'text/plain; charset=utf-8'

const running: { service: TestService | undefined } = { service: undefined }
beforeAll(async () => {
  running.service = await startService()
})
afterAll(() => running.service?.stop())

const service = (): TestService => {
  if (running.service === undefined) throw new Error('the service does not run')
  return running.service
}

type Given = { readonly path?: object; readonly query?: object; readonly body?: unknown }

/** A client with a token and, once it has one, a device key that signs. */
class Client {
  readonly origin: string
  readonly device: Uint8Array | undefined
  readonly sessionIdOf: () => string
  token: string | undefined

  constructor(origin: string, device?: Uint8Array, sessionIdOf = () => '') {
    this.origin = origin
    this.device = device
    this.sessionIdOf = sessionIdOf
  }

  async send(id: OperationId, given: Given = {}, headers: Readonly<Record<string, string>> = {}) {
    const { method, path, device } = operations[id] as { method: string; path: string; device: boolean | 'optional' }
    const query = new URLSearchParams(Object.entries(given.query ?? {}) as [string, string][]).toString()
    const target =
      Object.entries(given.path ?? {}).reduce((url, [name, value]) => url.replace(`{${name}}`, String(value)), path) +
      (query === '' ? '' : `?${query}`)
    const body = given.body === undefined ? '' : JSON.stringify(given.body)
    const response = await fetch(service().addresses.api + target, {
      method,
      ...(body === '' ? {} : { body }),
      headers: {
        origin: this.origin,
        'x-external-api-key': service().partner.apiKey,
        ...(body === '' ? {} : { 'content-type': 'application/json' }),
        ...(this.token === undefined ? {} : { 'x-capsule-sid': this.token }),
        ...(device !== false && this.device !== undefined
          ? { 'x-tandem-device': this.sign(this.device, method, target, body) }
          : {}),
        ...headers,
      },
    })
    this.token = response.headers.get('x-capsule-sid') ?? this.token
    return {
      status: response.status,
      code: response.headers.get('x-error-code'),
      type: response.headers.get('content-type'),
      body: await response.text(),
    }
  }

  async call<Id extends OperationId>(id: Id, given: Partial<Input<Id>> & Given = {}): Promise<Success<Id>> {
    const { status, body } = await this.send(id, given)
    expect(`${status} ${status === 200 ? '' : body}`).toBe('200 ')
    const answer: unknown = JSON.parse(body)
    return v.parse(validators[id].success, answer)
  }

  async refused(id: OperationId, given: Given = {}, headers: Readonly<Record<string, string>> = {}) {
    const { status, code, type, body } = await this.send(id, given, headers)
    expect(type).toBe(text)
    return `${status} ${code}: ${body}`
  }

  private sign(key: Uint8Array, method: string, target: string, body: string) {
    const request = {
      method,
      target,
      ms: Date.now(),
      sessionId: this.sessionIdOf(),
      body: new TextEncoder().encode(body),
    }
    const signature = p256.sign(DeviceKey.requestMessage(request), key, {
      prehash: true,
      lowS: false,
      format: 'compact',
    })
    const keyThumb = DeviceKey.thumbprint(p256.getPublicKey(key, false))
    return DeviceKey.formatHeader({ keyThumb, ms: request.ms, signature })
  }
}

const newHost = async () => {
  const device = p256.utils.randomSecretKey()
  let session = { id: '', lookupId: '' }
  const client = new Client(shop, device, () => session.id)
  const touched = await client.call('touchSession', { query: { regenerate: 'false' } })
  session = { id: touched.sessionId, lookupId: touched.sessionLookupId }
  const devicePublicKey = p256.getPublicKey(device, false)
  const message = DeviceKey.sessionKeysMessage({ sessionId: session.id, loginPublicKey: loginKey, devicePublicKey })
  const proof = bytesToHex(p256.sign(message, device, { prehash: true, lowS: false, format: 'compact' }))
  const path = { sessionId: session.id }
  const body = { loginPublicKey: loginKey, devicePublicKey: bytesToHex(devicePublicKey), proof }
  expect(await client.call('registerSessionKeys', { path, body })).toHaveProperty('loginKeyThumbprint')
  return { client, devicePublicKey, sessionId: session.id, lookupId: session.lookupId }
}

type Host = Awaited<ReturnType<typeof newHost>>

const openPage = async (
  host: Host,
  page: Success<'createOpening'> extends never ? never : 'login-password' | 'create-password',
  record?: string,
) => {
  const client = new Client(portal)
  const visit = { page, ...(record === undefined ? {} : { record }) }
  const opened = await client.call('createOpening', { body: { sessionId: host.sessionId, ...visit } })
  const path = { openingId: opened.openingId }
  const { ticket } = await host.client.call('createOpeningTicket', { path, body: visit })
  const { openingSecret } = opened
  const entered = await client.call('createOpeningToken', { path, body: { openingSecret, ticket } })
  await client.call('beatOpening', { path, body: { openingSecret } })
  expect(await host.client.call('getOpening', { path })).toEqual({ state: 'LIVE' })
  return { client, opened, entered }
}

const signUp = async (email: string) => {
  const host = await newHost()
  const { userId } = await host.client.call('createUser', { body: { email, theme: 'dark' } })
  const code = (await service().mailbox(email)).at(-1)?.code ?? ''
  await host.client.call('verifyEmail', { path: { userId }, body: { verificationCode: code } })
  const { id: passwordId, partnerId } = await host.client.call('createPassword', {
    path: { userId },
    body: { status: 'PENDING' },
  })
  const { client: page, entered } = await openPage(host, 'create-password', passwordId)
  const [masterKey, seed] = [randomBytes(32), randomBytes(32)]
  const publicKey = RsaKey.publicPem(credentialKey) ?? new Uint8Array()
  const now = Date.now()
  const body = {
    status: 'COMPLETE' as const,
    sigDerivedPublicKey: credentialKey,
    salt: bytesToHex(randomBytes(16)),
    kdf: entered.kdf ?? PasswordKeys.defaultKdf,
    authPublicKey: bytesToHex(PasswordKeys.authKey(masterKey, passwordId).publicKey),
    encryptedWalletPrivateKey: `v2.${'e'.repeat(60)}`,
    encryptionKeyHash: '11'.repeat(32),
    rootPublicKey: bytesToHex(RootKey.publicKeyOf(seed)),
    wrappedRootKey: `v2.${'r'.repeat(60)}`,
    rootSignature: bytesToHex(
      RootKey.signRecipient(seed, { kind: 'PASSWORD', userId, recordId: passwordId, publicKey }),
    ),
    deviceCertificate: certify(seed, host, userId, partnerId, now),
    sealedResult: `v2.${'s'.repeat(60)}`,
  }
  await page.call('updatePassword', { path: { userId, passwordId }, body })
  return { host, email, userId, passwordId, partnerId, masterKey, seed, page, body, pepper: entered.pepper ?? '' }
}

const certify = (seed: Uint8Array, host: Host, userId: string, partnerId: string, now: number) =>
  bytesToHex(
    RootKey.certifyDevice(seed, {
      userId,
      partnerId,
      origin: shop,
      sessionId: host.sessionId,
      devicePublicKey: host.devicePublicKey,
      issuedAt: now,
      expiresAt: now + 60_000,
    }),
  )

describe('the operations of identity', () => {
  it("carry a sign-up and everything after it, each answer in the contract's form", async () => {
    const { host, email, userId, passwordId, partnerId } = await signUp('ada@example.org')

    const touched = await host.client.call('touchSession', { query: { regenerate: 'false' } })

    expect(touched).toMatchObject({
      isAuthenticated: true,
      userId,
      email,
      partnerId,
      needsWallet: true,
      currentWalletIds: {},
    })
    expect(touched.supportedWalletTypes).toEqual([{ type: 'EVM' }, { type: 'SOLANA' }, { type: 'COSMOS' }])
    expect(await host.client.call('getUser', { path: { userId } })).toEqual({ userId, email: 'a***@example.org' })
    const { passwords } = await host.client.call('listPasswords', { query: { userId } })
    expect(passwords).toMatchObject([{ id: passwordId, status: 'COMPLETE', sigDerivedPublicKey: credentialKey }])
    expect(await host.client.call('listPasskeys', { path: { userId } })).toEqual({ keys: [] })
    expect(await host.client.call('getSupportedAuthMethods', { query: { email } })).toEqual({
      supportedAuthMethods: ['PASSWORD'],
    })
    expect(await host.client.call('checkUserExists', { query: { email } })).toEqual({ exists: true })
    expect(await host.client.call('getPasskeyLocationHints', { query: { email } })).toEqual({ hints: [] })
    expect(await host.client.call('getSessionOrigin', { path: { sessionLookupId: host.lookupId } })).toEqual({
      origin: shop,
    })
    expect(await host.client.call('getPartner', { path: { partnerId } })).toMatchObject({ partner: { id: partnerId } })
    await host.client.call('keepSessionAlive', { path: { userId } })
    const { token } = host.client
    await host.client.call('touchSession', { query: { regenerate: 'true' } })
    expect(host.client.token).not.toBe(token)
    expect(await host.client.call('logout')).toEqual({})
    expect(await host.client.refused('getUser', { path: { userId } })).toBe('401 NoSignedInUser: no signed-in user')
  })

  it('accept the password on a second device', async () => {
    const made = await signUp('grace@example.org')
    const host = await newHost()
    const { client: page, opened, entered } = await openPage(host, 'login-password')
    const { passwords } = await page.call('listPasswords', { query: { email: made.email } })
    expect(passwords).toEqual([{ id: made.passwordId, salt: made.body.salt, kdf: made.body.kdf }])
    const { seed, publicKey } = PasswordKeys.authKey(made.masterKey, made.passwordId)
    const proof = {
      portalHost: 'localhost:3003',
      partnerId: made.partnerId,
      sessionId: host.sessionId,
      openingId: opened.openingId,
      passwordId: made.passwordId,
      loginKeyThumbprint: RsaKey.loginKeyThumbprint(loginKey) ?? new Uint8Array(),
      challenge: hexToBytes(entered.challenge),
    }
    const wrong = { passwordId: made.passwordId, publicKey: '00'.repeat(32), signature: '00'.repeat(64) }
    expect(await page.refused('verifyPassword', { body: wrong })).toBe('401 InvalidPassword: invalid password')
    const { challenge } = await page.call('getPasskeyChallenge', {})

    const signature = PasswordKeys.signPassword(seed, { ...proof, challenge: Buffer.from(challenge, 'base64') })
    const verified = await page.call('verifyPassword', {
      body: { passwordId: made.passwordId, publicKey: bytesToHex(publicKey), signature: bytesToHex(signature) },
    })

    expect(verified).toMatchObject({
      userId: made.userId,
      credentialId: made.passwordId,
      pepper: made.pepper,
      activeShares: [],
    })
  })

  it('accept a form POST without a body, as axios sends it', async () => {
    const client = new Client(shop)

    const answer = await client.send('touchSession', {}, { 'content-type': 'application/x-www-form-urlencoded' })

    expect(answer.status).toBe(200)
    expect(client.token).toMatch(/^[A-Za-z0-9_-]{43}$/)
  })

  it('answer 400 to any body that has a user handle', async () => {
    const { page, userId } = await signUp('joan@example.org')
    const userHandle = 'AAAA'
    const signature = { clientDataJSON: 'AAAA', authenticatorData: 'AAAA', signature: 'AAAA' }
    const { client: login } = await openPage(await newHost(), 'login-password')

    for (const body of [
      { publicKey: 'AAAA', signature: { ...signature, userHandle } },
      { publicKey: 'AAAA', signature, userHandle },
    ]) {
      expect(await login.refused('verifyPasskey', { body })).toMatch(/^400 InvalidRequest: /)
      expect(await page.refused('verifyUserPasskey', { path: { userId }, body })).toMatch(/^400 InvalidRequest: /)
    }
    const patch = { path: { userId, passkeyId: nobody }, body: { status: 'COMPLETE', userHandle } }
    expect(await page.refused('updatePasskey', patch)).toMatch(/^400 InvalidRequest: /)
  })

  it("refuse with the catalogue's sentences", async () => {
    const { host, email, userId } = await signUp('mary@example.org')
    const fresh = await newHost()

    expect(await fresh.client.refused('createUser', { body: { email } })).toBe(
      '409 UserAlreadyExists: user already exists',
    )
    expect(await fresh.client.refused('createUser', { body: {} })).toBe('400 InvalidAuthObject: invalid auth object')
    expect(await fresh.client.refused('createUser', { body: { phone: '5551234', countryCode: '+1' } })).toBe(
      '400 PhoneNotOffered: sign-up by phone is not offered',
    )
    const { userId: other } = await fresh.client.call('createUser', { body: { email: 'other@example.org' } })
    const verify = { path: { userId: other }, body: { verificationCode: 'wrong' } }
    expect(await fresh.client.refused('verifyEmail', verify)).toBe(
      '400 InvalidVerificationCode: invalid verification code',
    )
    expect(await host.client.refused('getUser', { path: { userId: other } })).toBe('404 NotFound: not found')
    expect(await host.client.refused('getUser', { path: { userId: nobody } })).toBe('404 NotFound: not found')
    expect(
      await host.client.refused('createOpeningTicket', {
        path: { openingId: nobody },
        body: { page: 'login-password' },
      }),
    ).toBe('404 NotFound: not found')
    const thief = new Client(shop)
    thief.token = host.client.token
    expect(await thief.refused('createPassword', { path: { userId } })).toBe(
      '403 DeviceSignatureRequired: device signature required',
    )
    expect(await new Client('https://evil.example').refused('touchSession')).toBe(
      '403 OriginNotAllowed: origin not allowed',
    )
  })
})
