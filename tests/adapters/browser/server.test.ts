/** What an app's server checks of what it is sent: tokens that jose signs, and messages that the library of Standard Webhooks signs. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT, type JWTPayload } from 'jose'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { verifyToken, verifyWebhook, type TokenOptions } from '../../../adapters/browser/server/server.ts'

const issuer = 'https://api.example'
const shop = 'https://shop.example'
const now = () => Math.floor(Date.now() / 1000)

const keyOf = async (kid: string) => {
  const { privateKey, publicKey } = await generateKeyPair('ES256')
  return { kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' } }
}
const known = await keyOf('one')
const keys = { keys: [known.jwk] }
const options: TokenOptions = { issuer, audience: 'a partner', origins: [shop], keys }

const wallets = [{ id: 'w', type: 'EVM', address: '0xad' }]
const claimsOf = (changes: JWTPayload = {}): JWTPayload => ({
  iss: issuer,
  aud: 'a partner',
  sub: 'ada',
  sid: 'a session',
  azp: shop,
  amr: ['pwd'],
  auth_time: now() - 60,
  wallets,
  iat: now(),
  exp: now() + 300,
  ...changes,
})
const sign = (claims = claimsOf(), { kid, privateKey } = known, typ = 'JWT') =>
  new SignJWT(claims).setProtectedHeader({ alg: 'ES256', typ, kid }).sign(privateKey)

const without = (name: string) => Object.fromEntries(Object.entries(claimsOf()).filter(([key]) => key !== name))

describe('a token', () => {
  it('says who is signed in, at which page, with which wallets', async () => {
    const claims = claimsOf()

    expect(await verifyToken(await sign(claims), options)).toEqual({
      userId: 'ada',
      sessionLookupId: 'a session',
      partnerId: 'a partner',
      origin: shop,
      methods: ['pwd'],
      authenticatedAt: new Date(Number(claims['auth_time']) * 1000),
      wallets,
      issuedAt: new Date(Number(claims.iat) * 1000),
      expiresAt: new Date(Number(claims.exp) * 1000),
    })
  })

  it('may be up to 30 seconds too old', async () => {
    expect(await verifyToken(await sign(claimsOf({ exp: now() - 25 })), options)).toMatchObject({ userId: 'ada' })
  })

  it.each<[string, string, () => Promise<string>]>([
    ['is none', 'signature', () => Promise.resolve('no.jwt.here')],
    ['is not signed', 'signature', () => Promise.resolve(new UnsecuredJWT(claimsOf()).encode())],
    ['another key signed under our key’s name', 'signature', async () => sign(claimsOf(), await keyOf('one'))],
    ['another key signed', 'signature', async () => sign(claimsOf(), await keyOf('other'))],
    ['is signed by a shared secret', 'signature', sharedSecret],
    ['is of another type', 'claims', () => sign(claimsOf(), known, 'at+jwt')],
    ['is over', 'expired', () => sign(claimsOf({ exp: now() - 31 }))],
    ['is of another service', 'claims', () => sign(claimsOf({ iss: 'https://evil.example' }))],
    ['is of another partner', 'claims', () => sign(claimsOf({ aud: 'other' }))],
    ['is of several partners', 'claims', () => sign(claimsOf({ aud: ['a partner', 'other'] }))],
    ['is of another page', 'origin', () => sign(claimsOf({ azp: 'https://evil.example' }))],
    ['names no page', 'claims', () => sign(without('azp'))],
    ['names no session', 'claims', () => sign(without('sid'))],
    ['has no end', 'claims', () => sign(without('exp'))],
  ])('that %s is refused', async (_, reason, token) => {
    await expect(verifyToken(await token(), options)).rejects.toMatchObject({ code: 'TokenRefused', reason })
  })

  it('that a key of another algorithm signed is refused, also where the list has the key', async () => {
    const { privateKey, publicKey } = await generateKeyPair('EdDSA')
    const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'EdDSA' }
    const token = await new SignJWT(claimsOf())
      .setProtectedHeader({ alg: 'EdDSA', typ: 'JWT', kid: 'one' })
      .sign(privateKey)

    await expect(verifyToken(token, { ...options, keys: { keys: [jwk] } })).rejects.toMatchObject({
      reason: 'signature',
    })
  })

  it('is checked by the keys that the API publishes, which are fetched once', async () => {
    let asked = 0
    const api = createServer((request, response) => {
      asked++
      response.end(request.url === '/.well-known/jwks.json' ? JSON.stringify(keys) : '{}')
    })
    await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve))
    const own = `http://127.0.0.1:${(api.address() as AddressInfo).port}`
    const { keys: _, ...remote } = { ...options, issuer: own }
    for (const claims of [claimsOf({ iss: own }), claimsOf({ iss: own })]) {
      expect(await verifyToken(await sign(claims), remote)).toMatchObject({ userId: 'ada' })
    }
    const unknown = await sign(claimsOf({ iss: own }), await keyOf('other'))
    for (const _ of [1, 2]) await expect(verifyToken(unknown, remote)).rejects.toMatchObject({ reason: 'signature' })
    expect(asked).toBe(1)
    await new Promise((resolve) => api.close(resolve))
  })

  it('is neither valid nor refused while the API does not answer', async () => {
    const { keys: _, ...remote } = { ...options, issuer: 'http://127.0.0.1:9' }
    const token = await sign(claimsOf({ iss: 'http://127.0.0.1:9' }))

    await expect(verifyToken(token, remote)).rejects.toMatchObject({ code: 'KeysUnavailable' })
  })
})

function sharedSecret(): Promise<string> {
  const secret = new TextEncoder().encode(JSON.stringify(known.jwk))
  return new SignJWT(claimsOf()).setProtectedHeader({ alg: 'HS256', typ: 'JWT', kid: 'one' }).sign(secret)
}

describe('a webhook', () => {
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
  const other = `whsec_${Buffer.alloc(32, 8).toString('base64')}`
  const event = { type: 'wallet.created', timestamp: '2026-01-02T03:04:05.000Z', data: { userId: 'ada', version: 2 } }
  const body = JSON.stringify(event)
  const signatureOf = (by: string, text = body, at = new Date()) => new Webhook(by).sign('msg_1', at, text)
  const requestOf = (changes: Readonly<Record<string, string>> = {}, text = body, at = new Date()) =>
    new Request('https://shop.example/hook', {
      method: 'POST',
      body: text,
      headers: {
        'webhook-id': 'msg_1',
        'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
        'webhook-signature': signatureOf(secret, text, at),
        ...changes,
      },
    })
  const read = { id: 'msg_1', type: event.type, timestamp: new Date(event.timestamp), data: event.data }

  it('is read from a request, and from what a framework of Node has of one', async () => {
    expect(await verifyWebhook(requestOf(), secret)).toEqual(read)
    const headers = Object.fromEntries(requestOf().headers)
    expect(await verifyWebhook({ headers, body }, secret)).toEqual(read)
    expect(await verifyWebhook({ headers, body: Buffer.from(body) }, secret)).toEqual(read)
    const shouted = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]))
    expect(await verifyWebhook({ headers: shouted, body }, secret)).toEqual(read)
  })

  it('has one signature of the secret among several', async () => {
    const at = new Date()
    const both = `${signatureOf(other)} v1a,xx ${signatureOf(secret, body, at)}`
    expect(await verifyWebhook(requestOf({ 'webhook-signature': both }, body, at), secret)).toEqual(read)
  })

  it.each<[string, string, () => Request]>([
    ['by another secret', 'signature', () => requestOf({ 'webhook-signature': signatureOf(other) })],
    ['under another id', 'signature', () => requestOf({ 'webhook-id': 'msg_2' })],
    ['of another body', 'signature', () => requestOf({ 'webhook-signature': signatureOf(secret, `${body} `) })],
    [
      'of another version',
      'signature',
      () => requestOf({ 'webhook-signature': signatureOf(secret).replace('v1', 'v2') }),
    ],
    ['that is no base64', 'signature', () => requestOf({ 'webhook-signature': 'v1,%' })],
    ['six minutes ago', 'time', () => requestOf({}, body, new Date(Date.now() - 360_000))],
    ['in six minutes', 'time', () => requestOf({}, body, new Date(Date.now() + 360_000))],
    ['at no time', 'time', () => requestOf({ 'webhook-timestamp': 'now' })],
    ['without its id', 'headers', () => withoutHeader('webhook-id')],
    ['without its time', 'headers', () => withoutHeader('webhook-timestamp')],
    ['without a signature', 'headers', () => withoutHeader('webhook-signature')],
    ['that is no event', 'body', () => requestOf({}, '{}')],
    ['that is no JSON', 'body', () => requestOf({}, '{')],
  ])('signed %s is refused', async (_, reason, request) => {
    await expect(verifyWebhook(request(), secret)).rejects.toMatchObject({ code: 'WebhookRefused', reason })
  })

  const withoutHeader = (name: string) => {
    const request = requestOf()
    request.headers.delete(name)
    return request
  }

  it('is not checked by what is no secret', async () => {
    for (const none of ['', 'whsec_', 'whsec_%'])
      await expect(verifyWebhook(requestOf(), none)).rejects.toThrow(TypeError)
  })
})
