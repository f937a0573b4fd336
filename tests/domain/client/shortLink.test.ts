import { bytesToHex, randomBytes } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import { describe, expect, it } from 'vitest'
import { RandomWebCrypto } from '../../../adapters/browser/Random.ts'
import { openShortLink, readShortLink } from '../../../domain/client/portal/openShortLink.ts'
import { Api } from '../../../domain/client/ports/Api.ts'
import { Navigation } from '../../../domain/client/ports/Navigation.ts'
import { Settings } from '../../../domain/client/ports/Settings.ts'
import { createShortLink, targetOf } from '../../../domain/client/shortLink.ts'
import * as Ecies from '../../../domain/crypto/Ecies.ts'
import * as RecoverySecret from '../../../domain/crypto/RecoverySecret.ts'
import { ApiError } from '../../../domain/model/ApiError.ts'
import { developmentHosts } from '../../../domain/model/Environment.ts'

const portal = 'http://portal.localhost:3003'
const login = `${portal}/web/passwords/login?email=ada%40example.com&sessionId=s&encryptionKey=ab`

/** A service that keeps each message until it is fetched, and a window that records where it is sent. */
const makeWorld = () => {
  const messages = new Map<string, string>()
  const seen: unknown[] = []
  const visited: string[] = []
  const call = (
    operation: string,
    input: { readonly path?: { transmissionId?: string }; readonly body?: { message: string } },
  ): Effect.Effect<{ readonly id: string } | { readonly message: string }, ApiError> =>
    Effect.suspend((): Effect.Effect<{ readonly id: string } | { readonly message: string }, ApiError> => {
      seen.push(input)
      if (operation === 'createTemporaryTransmission') {
        messages.set('0badcafe', input.body?.message ?? '')
        return Effect.succeed({ id: '0badcafe' })
      }
      const id = input.path?.transmissionId ?? ''
      const message = messages.get(id)
      messages.delete(id)
      return message === undefined
        ? Effect.fail(new ApiError({ status: 404, message: 'not found' }))
        : Effect.succeed({ message })
    })
  const services = Layer.mergeAll(
    RandomWebCrypto,
    Layer.succeed(Api, { call } as unknown as Api['Service']),
    Layer.succeed(Settings, { hosts: { ...developmentHosts, portal } } as unknown as Settings['Service']),
    Layer.succeed(Navigation, {
      redirect: (url: string) => Effect.sync(() => void visited.push(url)),
    } as unknown as Navigation['Service']),
  )
  const run = <A, E>(flow: Effect.Effect<A, E, Layer.Success<typeof services>>) =>
    Effect.runPromise(Effect.provide(flow, services))
  return {
    messages,
    seen,
    visited,
    create: (link: string) =>
      run(Effect.catchTag(createShortLink(link), 'ShortLinkRefused', ({ _tag }) => Effect.succeed(_tag))),
    open: (url: string) =>
      run(
        Effect.catch(openShortLink(url), (error) =>
          Effect.succeed([error._tag, error._tag === 'ApiError' ? error.status : undefined] as const),
        ),
      ),
  }
}

/** As the public client makes it. */
const sealedUnder = (secretKey: Uint8Array, text: string) =>
  Ecies.seal({
    publicKey: RecoverySecret.publicKeyOf(secretKey),
    plaintext: text,
    ephemeralSecret: randomBytes(32),
    iv: randomBytes(16),
  })

describe('a short link', () => {
  it('leads to the page that it was made for, once', async () => {
    const world = makeWorld()
    const link = await world.create(login)

    expect(link).toMatch(/^http:\/\/portal\.localhost:3003\/short\/0badcafe#[0-9a-f]{64}$/)
    expect(await world.open(link)).toBeUndefined()
    expect(world.visited).toEqual([login])
    expect(await world.open(link)).toEqual(['ApiError', 404])
  })

  it('hides its key and its target from the service', async () => {
    const world = makeWorld()
    const link = await world.create(login)
    await world.open(link)

    const told = JSON.stringify(world.seen)
    expect(world.seen).toHaveLength(2)
    expect(told).not.toContain(link.split('#')[1])
    expect(told).not.toContain('ada')
    expect(Buffer.from(told, 'utf8').includes(Buffer.from('passwords/login', 'utf16le'))).toBe(false)
  })

  it('is not made for a target that it could not lead to', async () => {
    const world = makeWorld()

    for (const link of ['https://evil.example/web/passwords/login', `${portal}/`, `${portal}/short/other#key`]) {
      expect(await world.create(link)).toBe('ShortLinkRefused')
    }
    expect(world.seen).toEqual([])
  })

  it('of the public client, with its key in the path, is read too', async () => {
    const world = makeWorld()
    const secretKey = randomBytes(32)
    world.messages.set('id', sealedUnder(secretKey, login))

    expect(await world.open(`${portal}/short/id%7C${bytesToHex(secretKey)}`)).toBeUndefined()
    expect(world.visited).toEqual([login])
  })

  it('that is incomplete does not use up its message', async () => {
    const world = makeWorld()
    world.messages.set('id', sealedUnder(randomBytes(32), login))

    const short = ['id', 'id#', 'id#zz', `id#${'ab'.repeat(31)}`]
    for (const end of [...short, `id#${'00'.repeat(32)}`, `id%7C${'ab'.repeat(32)}%7Cmore`]) {
      expect([end, await world.open(`${portal}/short/${end}`)]).toEqual([end, ['ShortLinkRefused', undefined]])
    }
    expect(world.seen).toEqual([])
    expect(world.messages.size).toBe(1)
  })

  it('under another key, or to a forbidden address, is refused', async () => {
    const world = makeWorld()
    const secretKey = randomBytes(32)
    const address = `${portal}/short/id#${bytesToHex(secretKey)}`
    const elsewhere = sealedUnder(secretKey, 'https://evil.example/web/passwords/login')
    const messages = [sealedUnder(randomBytes(32), login), 'no base64', elsewhere]

    for (const message of messages) {
      world.messages.set('id', message)
      expect(await world.open(address)).toEqual(['ShortLinkRefused', undefined])
    }
    expect(world.visited).toEqual([])
  })
})

describe('the addresses that a short link may lead to', () => {
  const own = `${portal}/short/id#key`

  it.each([
    login,
    `${portal}/web/biometrics/login`,
    `${portal}/web/users/u/passwords/p?apiKey=pk_1`,
    `${portal}/web/users/u/biometrics/p`,
    `${portal}/web/users/u/transaction-review/p`,
  ])('are pages of this portal: %s', (link) => {
    expect(targetOf(link, own)).toBe(link)
  })

  it.each([
    `https://portal.localhost:3003/web/passwords/login`,
    `http://portal.localhost/web/passwords/login`,
    `http://portal.localhost:3003.evil.example/web/passwords/login`,
    `http://portal.localhost:3003@evil.example/web/passwords/login`,
    `http://evil.example/${portal}/web/passwords/login`,
    `//evil.example/web/passwords/login`,
    `/web/passwords/login`,
    `javascript:alert(1)//${portal}/web/passwords/login`,
    `${portal}/`,
    `${portal}/short/other#key`,
    `${portal}/short/other%7C${'ab'.repeat(32)}`,
    `${portal}/web/passwords/login/more`,
    `${portal}/web/users/../passwords/login`,
    `${portal}/web/users/%2e%2e/passwords/login`,
    `${portal}/web/users/u/passwords/..`,
    `${portal}/web\\passwords\\login`,
    `${portal}/web/passwords/login?a=\n`,
    ` ${portal}/web/passwords/login`,
    `${portal}/web/passwords/login?email=ä`,
    `${portal}/static/js/main.wasm`,
    '',
  ])('are not of another form: %s', (link) => {
    expect(targetOf(link, own)).toBeUndefined()
  })

  it('are read from short links alone', () => {
    const others = ['/', '/short/', '/short/a/b', '/shorter/a', '/short/%E0%A4%A'].map((path) => `${portal}${path}`)
    for (const url of [login, ...others]) expect(readShortLink(url)).toBeUndefined()
    const secret = new Uint8Array(32).fill(0xab)
    expect(readShortLink(`${portal}/short/id?utm=1#${'ab'.repeat(32)}`)).toEqual({ id: 'id', secret })
  })
})
