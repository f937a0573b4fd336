/** A session's JWT over HTTP: what jose and the package's entry for servers read of it, and what they and the service refuse. */
import { generateKeyPairSync, randomUUID } from 'node:crypto'
import * as Effect from 'effect/Effect'
import { createRemoteJWKSet, decodeJwt, errors, jwtVerify, SignJWT, UnsecuredJWT, type JWTPayload } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TokenRefused, verifyToken } from '../../adapters/browser/server/server.ts'
import { SigningKeys } from '../../domain/service/ports/SigningKeys.ts'
import { jwtLife } from '../../domain/service/sessionJwts.ts'
import { signingKeyLimits } from '../../domain/service/SigningKey.ts'
import * as signingKeys from '../../domain/service/signingKeys.ts'
import { freePort } from '../kit/ports.ts'
import { startService, type TestService } from '../kit/service.ts'
import { makeSession, type TestSession } from './credentials.ts'
import { portal, shop, signUp, type Person } from './people.ts'
import { ask, refusal, success, type Answer, type Client } from './wire.ts'

let service: TestService
let ada: Person
let session: TestSession
let page: Client
let server: Client
/** How far the service's clock is turned. */
let turned = 0

const { published, signs, kept } = signingKeyLimits
/** The API's address, where the keys are, too. */
let issuer: string

const advance = (ms: number) => {
  turned += ms
  service.advance(ms)
}

const currentDate = () => new Date(Date.now() + turned)

/** Ada at a page that holds its device key. */
const enter = async () => {
  session = await makeSession(service, { partnerId: service.partner.partnerId, userId: ada.userId })
  const device = { ...session.device, clockOffset: turned }
  page = { base: service.addresses.api, apiKey: service.partner.apiKey, origin: shop, token: session.token, device }
}

beforeAll(async () => {
  const listen = `127.0.0.1:${await freePort()}`
  issuer = `http://${listen}`
  service = await startService({ environment: { API_LISTEN: listen, API_URL: issuer } })
  ada = await signUp(service, { types: { SOLANA: true } })
  server = { base: service.addresses.api, apiKey: service.partner.secretKey }
  await enter()
})
afterAll(async () => {
  await ada.device.dispose()
  await service.stop()
})

const askForJwt = (client: Client = page) => ask(client, 'POST', `/users/${ada.userId}/session/jwt`)
const newJwt = async () => String(success(await askForJwt())['token'])
const verify = (token: string, client: Client = server): Promise<Answer> =>
  ask(client, 'POST', '/sessions/verify', { token })
const refused = '401 InvalidSessionJwt: session JWT is not valid'

/** As a partner's server does it, with the list that it fetches. */
const keySet = () => createRemoteJWKSet(new URL(`${service.addresses.api}/.well-known/jwks.json`))
const read = async (token: string, keys = keySet()) => {
  const options = { issuer, audience: service.partner.partnerId, algorithms: ['ES256'], currentDate: currentDate() }
  return (await jwtVerify(token, keys, options)).payload
}

/** As the package does it for a partner's server, with nothing but the addresses that it knows. */
const verifyAtServer = (token: string, audience = service.partner.partnerId, origins: readonly string[] = [shop]) =>
  verifyToken(token, { issuer, audience, origins })

it('says who the user is, to jose, to the package for servers and to the service', async () => {
  const token = await ada.device.getToken()
  const claims = await read(token)

  const { userId, sessionLookupId, wallets, ...now } = success(await verify(token))
  expect(claims).toEqual({
    iss: issuer,
    aud: service.partner.partnerId,
    sub: ada.userId,
    sid: sessionLookupId,
    azp: shop,
    amr: ['pwd'],
    auth_time: Math.floor(Date.parse(String(now['authenticatedAt'])) / 1000),
    wallets: [{ id: ada.walletIds[0], type: 'SOLANA', address: expect.any(String) as string }],
    iat: claims.iat,
    exp: Number(claims.iat) + jwtLife,
  })
  expect(userId).toBe(ada.userId)
  expect(wallets).toEqual(claims['wallets'])
  expect(await verifyAtServer(token)).toMatchObject({
    userId,
    sessionLookupId,
    wallets,
    origin: shop,
    methods: ['pwd'],
  })
  expect(now).toMatchObject({ origin: shop, authMethod: 'PASSWORD' })
  expect(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).toMatch(
    /^\{"alg":"ES256","typ":"JWT","kid":"[\w-]{43}"\}$/,
  )
})

it('publishes the keys without their private half, for caches', async () => {
  const answer = await fetch(`${service.addresses.api}/.well-known/jwks.json`)
  const { keys } = (await answer.json()) as { readonly keys: readonly object[] }

  expect(answer.headers.get('cache-control')).toBe('public, max-age=600')
  expect(keys.map((key) => Object.keys(key).sort().join())).toEqual(['alg,crv,kid,kty,use,x,y'])
})

it('gives none to a stolen token without the device’s key, and none to a session that is no one’s', async () => {
  expect(refusal(await askForJwt({ ...page, device: undefined }))).toMatch(/^403 DeviceSignatureRequired: /)
  expect(refusal(await askForJwt(server))).toMatch(/^401 NoSignedInUser: /)
})

it('verifies for a server with the secret key alone', async () => {
  const token = await newJwt()

  expect(refusal(await verify(token, { ...server, apiKey: service.partner.apiKey }))).toMatch(/^401 ApiKeyRequired: /)
  success(await verify(token))
})

describe('what is refused', () => {
  const privateKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  const headerOf = (token: string) =>
    JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as { readonly kid: string }
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

  const forgeries: Readonly<Record<string, (token: string, claims: JWTPayload) => string | Promise<string>>> = {
    'signed by another key under our kid': (token, claims) =>
      new SignJWT(claims).setProtectedHeader({ alg: 'ES256', typ: 'JWT', kid: headerOf(token).kid }).sign(privateKey),
    'signed by another key under its own kid': (_, claims) =>
      new SignJWT(claims).setProtectedHeader({ alg: 'ES256', typ: 'JWT', kid: 'other' }).sign(privateKey),
    'with claims exchanged': (token, claims) => {
      const [header = '', , signature = ''] = token.split('.')
      return `${header}.${part({ ...claims, sub: randomUUID() })}.${signature}`
    },
    'without a signature: alg none': (_, claims) => new UnsecuredJWT(claims).encode().replace(/\.$/, '.AA'),
    'with alg none in the header, and our signature': (token) =>
      [part({ alg: 'none', typ: 'JWT' }), ...token.split('.').slice(1)].join('.'),
    'with our public key as the secret of an HMAC': async (token, claims) => {
      const answer = await fetch(`${service.addresses.api}/.well-known/jwks.json`)
      const { keys } = (await answer.json()) as { readonly keys: readonly { readonly x: string }[] }
      const secret = Buffer.from(keys[0]?.x ?? '', 'base64url')
      return new SignJWT(claims).setProtectedHeader({ alg: 'HS256', typ: 'JWT', kid: headerOf(token).kid }).sign(secret)
    },
    'with a key of its own in the header': async (_, claims) => {
      const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const header = { alg: 'ES256', typ: 'JWT', jwk: pair.publicKey.export({ format: 'jwk' }) as { kty: 'EC' } }
      return new SignJWT(claims).setProtectedHeader(header).sign(pair.privateKey)
    },
  }

  it.each(Object.keys(forgeries))('a JWT %s, by jose, by the package and by the service', async (name) => {
    const token = await newJwt()
    const forged = (await forgeries[name]?.(token, decodeJwt(token))) ?? ''

    await expect(read(forged)).rejects.toBeInstanceOf(errors.JOSEError)
    await expect(verifyAtServer(forged)).rejects.toBeInstanceOf(TokenRefused)
    expect(refusal(await verify(forged))).toBe(refused)
  })

  it('a JWT for another partner or page', async () => {
    const other = await service.addPartner()
    const token = await newJwt()

    expect(refusal(await verify(token, { ...server, apiKey: other.secretKey }))).toBe(refused)
    const keys = keySet()
    await expect(jwtVerify(token, keys, { issuer, audience: other.partnerId })).rejects.toThrow('"aud" claim')
    await expect(verifyAtServer(token, other.partnerId)).rejects.toMatchObject({ reason: 'claims' })
    await expect(verifyAtServer(token, undefined, [portal])).rejects.toMatchObject({ reason: 'origin' })
  })

  it('a JWT that is over', async () => {
    const token = await newJwt()
    advance(jwtLife * 1000 + 1_000)

    await expect(read(token)).rejects.toBeInstanceOf(errors.JWTExpired)
    expect(refusal(await verify(token))).toBe(refused)
    await enter()
  })

  it('a JWT whose session has ended, by the service', async () => {
    const token = await newJwt()
    success(await ask(page, 'GET', '/logout'))

    expect((await read(token)).sub).toBe(ada.userId)
    expect(refusal(await verify(token))).toBe(refused)
    await enter()
  })
})

describe('rotation', () => {
  const rotate = () => service.run(signingKeys.rotate())
  const all = () => service.run(Effect.flatMap(SigningKeys, (port) => port.all))
  const kidsOf = async () => (await all()).map(({ kid }) => kid)
  const publishedKids = async () => {
    const answer = await fetch(`${service.addresses.api}/.well-known/jwks.json`)
    return ((await answer.json()) as { readonly keys: readonly { readonly kid: string }[] }).keys.map(({ kid }) => kid)
  }
  const kidOf = (token: string) =>
    (JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as { readonly kid: string }).kid

  it('refuses no valid JWT, also by a list that is a day old', async () => {
    const [first] = await kidsOf()
    advance(signs - published)
    // Processes that rotate at once make one key.
    await Promise.all(Array.from({ length: 8 }, rotate))
    const kids = await kidsOf()
    const [, second] = kids
    expect(kids).toHaveLength(2)

    await enter()
    const before = await newJwt()
    const cached = keySet()
    expect([kidOf(before), (await read(before, cached)).sub]).toEqual([first, ada.userId])

    advance(published)
    await rotate()
    await enter()
    const after = await newJwt()
    expect([kidOf(after), (await read(after, cached)).sub]).toEqual([second, ada.userId])
    success(await verify(after))

    advance(kept)
    await rotate()
    expect(await kidsOf()).toEqual([second])
    await enter()
    const later = await newJwt()
    success(await verify(later))
    expect((await read(later)).sub).toBe(ada.userId)
    await expect(read(before)).rejects.toBeInstanceOf(errors.JWKSNoMatchingKey)
  })

  it('publishes no key that a writer of the database put there, alone or with the sealed half of another', async () => {
    const before = await publishedKids()
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
    const [own] = await all()
    const sealed = own?.sealedPrivateKey ?? new Uint8Array(0)
    const rows = [
      { kid: 'forged', sealedPrivateKey: new Uint8Array(100) },
      { kid: 'moved', sealedPrivateKey: sealed },
    ]
    for (const [index, row] of rows.entries()) {
      const key = { ...row, x, y, number: 1_000 + index, signsFrom: 0 }
      await service.run(Effect.flatMap(SigningKeys, ({ add }) => add(key)))
    }

    expect(await all()).toHaveLength(before.length + 2)
    expect(await publishedKids()).toEqual(before)
    success(await verify(await newJwt()))
    for (const index of rows.keys())
      await service.run(Effect.flatMap(SigningKeys, ({ remove }) => remove(1_000 + index)))
  })

  it('keeps the private half sealed', async () => {
    const [key] = await all()
    const stored = Buffer.from(key?.sealedPrivateKey ?? []).toString('latin1')

    // The object identifier of P-256, which stands in every PKCS#8 of such a key.
    expect(stored.length).toBeGreaterThan(100)
    expect(stored).not.toContain(Buffer.from('2a8648ce3d030107', 'hex').toString('latin1'))
  })
})
