/** Accounts whose credential is a passkey, from end to end over HTTP. */
import { randomBytes } from 'node:crypto'
import * as Effect from 'effect/Effect'
import * as Redacted from 'effect/Redacted'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loginWithPasskey } from '../../domain/client/portal/loginWithPasskey.ts'
import type { PortalSession } from '../../domain/client/portal/portalSession.ts'
import { Navigation } from '../../domain/client/ports/Navigation.ts'
import { Passkeys, type NewPasskey } from '../../domain/client/ports/Passkeys.ts'
import * as CredentialWrap from '../../domain/crypto/CredentialWrap.ts'
import { passkeyWrappingKeys, prfInput } from '../../domain/crypto/PasskeyKeys.ts'
import type { Wallet } from '../../domain/model/Wallet.ts'
import { createPasskey, openPage } from '../kit/pageFlows.ts'
import { makePasskeyDevice, type PasskeyDevice, type PrfKind } from '../kit/passkeyDevice.ts'
import type { PageServices, Play } from '../kit/portalPlayer.ts'
import { startService, type TestService } from '../kit/service.ts'
import { verifySolana } from '../smoke/verify.ts'
import { foundIn, type Needle } from './needles.ts'
import { Device, logIn, mailedCode, newEmail, portal, signUp, type Person } from './people.ts'
import { startProxy, type Passing, type Proxy } from './proxy.ts'
import { rowsOf } from './rows.ts'

const message = 'a passkey, and nothing typed'
const solana = { SOLANA: true } as const
const byId = (wallets: readonly Wallet[]) => wallets.map(({ id, address }) => [id, address]).sort()

let service: TestService

beforeAll(async () => {
  service = await startService()
})

afterAll(() => service.stop())

const json = ({ body }: { readonly body: Uint8Array }) =>
  JSON.parse(Buffer.from(body).toString()) as Record<string, unknown>

/** The actions of a person at a page of the portal before they close it. */
const atThePage = <E>(
  does: (portalSession: PortalSession) => Effect.Effect<unknown, E, PageServices | Effect.Services<Play>>,
): Play =>
  Effect.gen(function* () {
    const begun = yield* openPage()
    if (begun.kind !== 'entered') throw new Error('the page was not entered')
    yield* does(begun.portalSession)
    yield* (yield* Navigation).close
  })

describe.each<[string, PrfKind, 'prf' | 'handle']>([
  ['that gives its PRF output at creation', 'at once', 'prf'],
  ['that gives its PRF output only at a second gesture', 'when asked', 'prf'],
  ['without PRF', 'none', 'handle'],
])('an account with a passkey of a device %s', (_, kind, variant) => {
  let passkeys: PasskeyDevice
  let proxies: readonly Proxy[]
  let ada: Person
  let laptop: Device

  beforeAll(async () => {
    passkeys = makePasskeyDevice(kind)
    proxies = [await startProxy(service.addresses.api), await startProxy(service.addresses.cosigner)]
    const [api = '', cosigner = ''] = proxies.map(({ address }) => address)
    const options = { passkeys, types: solana, addresses: { ...service.addresses, api, cosigner } }
    ada = await signUp(service, options)
    laptop = await logIn(service, ada, options)
  })

  afterAll(async () => {
    for (const proxy of proxies) await proxy.stop()
  })

  const requests = (): readonly Passing[] => proxies.flatMap(({ seen }) => seen.map(({ request }) => request))

  it('has its wallets, with the same addresses, in a fresh browser, and signs there', async () => {
    const wallets = await laptop.getWallets()
    const signed = await laptop.signMessage({ walletId: ada.walletIds[0] ?? '', message })

    expect(wallets.map(({ type }) => type)).toEqual(['SOLANA'])
    expect(byId(wallets)).toEqual(byId(await ada.device.getWallets()))
    expect(signed.address).toBe(wallets[0]?.address)
    expect(await verifySolana(signed, message)).toEqual({ noble: true, OpenSSL: true })
    expect(JSON.parse(ada.recoverySecret ?? '')).toMatchObject({ keyshare: '', address: '' })
  })

  it('is listed with a passkey of this variant that works on this portal', async () => {
    const { passkeys: rows = [] } = await rowsOf(service)
    const [own] = rows.filter(({ user_id }) => user_id === ada.userId)

    expect(own).toMatchObject({ status: 'COMPLETE', completion: { variant, rpId: 'localhost' } })
    expect(await laptop.getSupportedAuthMethods({ email: ada.email })).toEqual(['PASSKEY'])
    expect(passkeys.kept).toHaveLength(1)
    expect(passkeys.kept[0]).toMatchObject({ userName: ada.email, rpId: 'localhost' })
  })

  it('takes one gesture for a login, and at most two for the sign-up', () => {
    const kinds = passkeys.asked.map((ceremony) => ceremony.kind)

    expect(kinds).toEqual(kind === 'when asked' ? ['create', 'get', 'get'] : ['create', 'get'])
    for (const ceremony of passkeys.asked) {
      const { prfInput: input } = ceremony.kind === 'create' ? ceremony.passkey : ceremony.request
      expect(input).toEqual(prfInput)
    }
    expect(passkeys.asked.at(-1)).toMatchObject({
      kind: 'get',
      request: { allow: [passkeys.kept[0]?.authenticator.credentialId] },
    })
  })

  it('sends the service only the required fields of the passkey', () => {
    const completed = requests().find(({ method, target }) => method === 'PATCH' && target.includes('/biometrics/'))
    const verified = requests().find(({ target }) => target === '/biometrics/verify')
    if (completed === undefined || verified === undefined) throw new Error('the passkey was not used')

    expect(Object.keys(json(completed)).sort()).toEqual(
      [
        'aaguid',
        'attestationObject',
        'clientDataJSON',
        'deviceCertificate',
        'publicKey',
        'recoverySignature',
        'rootPublicKey',
        'rootSignature',
        'sealedResult',
        'sigDerivedPublicKey',
        'status',
        'type',
        'variant',
        'wrappedRootKey',
      ].sort(),
    )
    expect(completed.headers['x-partner-id']).toBe(service.partner.partnerId)
    const { signature, ...rest } = json(verified)
    expect(Object.keys(rest).sort()).toEqual(['publicKey', 'sessionLookupId'])
    expect(Object.keys(signature as object).sort()).toEqual(['authenticatorData', 'clientDataJSON', 'signature'])
  })

  it('never sends a wrapping secret, in any encoding', () => {
    const [passkey] = passkeys.kept
    const records = requests().flatMap(({ target }) => /\/biometrics\/([0-9a-f-]{36})$/.exec(target)?.[1] ?? [])
    const recordId = records[0] ?? ''
    const needles: Needle[] = passkeys.secrets.flatMap((bytes, index) => {
      const keys = passkeyWrappingKeys(variant, bytes, recordId)
      return [
        { name: `what may wrap ${index}`, bytes },
        { name: `key of the private key ${index}`, bytes: keys.privateKey },
        { name: `key of the root key ${index}`, bytes: keys.root },
        { name: `root key ${index}`, bytes: rootSeed(keys) },
      ]
    })
    const heap = Buffer.concat(
      requests().flatMap(({ target, headers, body }) => [Buffer.from(`${target} ${JSON.stringify(headers)} `), body]),
    )

    const known: Needle = { name: 'credential id', bytes: passkey?.authenticator.id ?? new Uint8Array(0) }
    expect(needles.length).toBeGreaterThanOrEqual(4)
    expect(foundIn(heap, [known])).toEqual(['credential id'])
    expect(foundIn(heap, needles)).toEqual([])
  })

  /** The seed that these keys open, if they open one: not every secret of the device is a wrapping secret. */
  const rootSeed = (keys: CredentialWrap.WrappingKeys): Uint8Array => {
    const verified = proxies.flatMap(({ seen }) => seen).find(({ request }) => request.target === '/biometrics/verify')
    if (verified === undefined) throw new Error('no login was seen')
    const { userId, credentialId, sigDerivedPublicKey, rootPublicKey, wrappedRootKey } = json(verified.reply)
    const owner = {
      kind: 'BIOMETRICS',
      userId: String(userId),
      recordId: String(credentialId),
      variant,
      publicKey: String(sigDerivedPublicKey),
      rootPublicKey: Uint8Array.from(Buffer.from(String(rootPublicKey), 'hex')),
    } as const
    const opened = CredentialWrap.openRoot(keys, owner, String(wrappedRootKey))
    return opened._tag === 'Success' ? Redacted.value(opened.success.seed) : keys.root
  }
})

describe('a person with a passkey', () => {
  let passkeys: PasskeyDevice
  let ada: Person

  beforeAll(async () => {
    passkeys = makePasskeyDevice()
    ada = await signUp(service, { passkeys, types: solana })
  })

  const deviceOf = (options: Partial<ConstructorParameters<typeof Device>[0]> = {}) =>
    new Device({ apiKey: service.partner.apiKey, addresses: service.addresses, passkeys, types: solana, ...options })

  /** A new person whose mailbox is proven. */
  const verified = async (options: Partial<ConstructorParameters<typeof Device>[0]> = {}) => {
    const email = newEmail('grace')
    const device = deviceOf(options)
    await device.createUser({ email })
    await device.verifyEmail(await mailedCode(service, email))
    return { email, device }
  }

  it('who cancels the creation can repeat it on the same page, and nothing is stored before', async () => {
    const own = makePasskeyDevice()
    const words: string[] = []
    own.decline()
    const play = atThePage((portalSession) =>
      Effect.gen(function* () {
        words.push((yield* Effect.flip(createPasskey(portalSession))).message)
        yield* createPasskey(portalSession)
      }),
    )
    const { email, device } = await verified({ passkeys: own, play })

    await device.setUpPasskey()

    expect(words).toEqual(['passkey was cancelled'])
    expect(own.kept).toHaveLength(1)
    const phone = await logIn(service, { email, password: '' }, { passkeys: own, types: solana })
    expect(byId(await phone.getWallets())).toEqual(byId(await device.getWallets()))
  })

  it('who cancels the second gesture of a creation leaves no passkey behind that the service does not know', async () => {
    const own = makePasskeyDevice('when asked')
    own.decline(1)
    const play = atThePage((portalSession) =>
      Effect.andThen(Effect.flip(createPasskey(portalSession)), createPasskey(portalSession)),
    )
    const { email, device } = await verified({ passkeys: own, play })

    await device.setUpPasskey()

    expect(own.forgotten).toHaveLength(1)
    expect(own.kept.map(({ authenticator }) => authenticator.credentialId)).not.toContain(own.forgotten[0])
    expect(await (await logIn(service, { email, password: '' }, { passkeys: own })).isSessionActive()).toBe(true)
  })

  it('whose commit loses its answer is set up once, by the repetition of the same bytes', async () => {
    const own = makePasskeyDevice()
    const proxy = await startProxy(service.addresses.api)
    const bodies: string[] = []
    proxy.handle = async (request, pass) => {
      const reply = await pass()
      if (request.method !== 'PATCH') return reply
      bodies.push(Buffer.from(request.body).toString())
      if (bodies.length === 1) throw new Error('the answer is lost')
      return reply
    }
    const { email, device } = await verified({ passkeys: own, addresses: { ...service.addresses, api: proxy.address } })

    await device.setUpPasskey()
    await proxy.stop()

    expect(bodies).toHaveLength(2)
    expect(bodies[0]).toBe(bodies[1])
    expect(own.kept).toHaveLength(1)
    expect(own.forgotten).toEqual([])
    expect(await (await logIn(service, { email, password: '' }, { passkeys: own })).isSessionActive()).toBe(true)
  })

  it('who cancels a login can repeat it on the same page, over another challenge', async () => {
    const before = passkeys.asked.length
    passkeys.decline()
    const play = atThePage((portalSession) =>
      Effect.andThen(Effect.flip(loginWithPasskey(portalSession)), loginWithPasskey(portalSession)),
    )

    const device = await logIn(service, ada, { passkeys, play })

    const challenges = passkeys.asked
      .slice(before)
      .map((ceremony) => Buffer.from(ceremony.kind === 'get' ? ceremony.request.challenge : '').toString('hex'))
    expect(challenges).toHaveLength(2)
    expect(new Set(challenges).size).toBe(2)
    expect(await device.signMessage({ walletId: ada.walletIds[0] ?? '', message })).toMatchObject({
      walletId: ada.walletIds[0],
    })
  })

  it('whose proof loses its answer proves it once more, and the device keeps the passkey', async () => {
    const proxy = await startProxy(service.addresses.api)
    let asked = 0
    proxy.handle = async (request, pass) => {
      const reply = await pass()
      if (request.target === '/biometrics/verify' && ++asked === 1) throw new Error('the answer is lost')
      return reply
    }
    const tags: string[] = []
    const play = atThePage((portalSession) =>
      Effect.gen(function* () {
        tags.push((yield* Effect.flip(loginWithPasskey(portalSession)))._tag)
        yield* loginWithPasskey(portalSession)
      }),
    )

    const addresses = { ...service.addresses, api: proxy.address }
    const device = await logIn(service, ada, { passkeys, play, addresses })

    expect(tags).toEqual(['ApiError'])
    expect(asked).toBe(2)
    expect(passkeys.forgotten).toEqual([])
    expect(await device.isSessionActive()).toBe(true)
    await proxy.stop()
  })

  it.concurrent('who leaves the page has set up no account, and signs up afterwards', async () => {
    const own = makePasskeyDevice()
    own.decline()
    const { email, device } = await verified({ passkeys: own })

    await expect(device.setUpPasskey()).rejects.toMatchObject({ message: 'exitted login without setting up user' })

    expect(own.kept).toEqual([])
    await signUp(service, { email, passkeys: own, types: solana })
    expect(await (await logIn(service, { email, password: '' }, { passkeys: own })).isSessionActive()).toBe(true)
  })

  it.concurrent('is refused with a passkey that the service does not know, and the device keeps it', async () => {
    const strange = makePasskeyDevice()
    const stray: NewPasskey = {
      rpId: 'localhost',
      challenge: randomBytes(32),
      userHandle: randomBytes(32),
      userName: 'stray',
      exclude: [],
      prfInput,
    }
    await Effect.runPromise(
      Effect.provide(
        Effect.flatMap(Passkeys, ({ create }) => create(stray)),
        strange.at(portal),
      ),
    )
    const words: string[] = []
    const play = atThePage((portalSession) =>
      Effect.gen(function* () {
        words.push((yield* Effect.flip(loginWithPasskey(portalSession))).message)
      }),
    )
    // Without an identity the device offers every passkey that it has for this host.
    const device = deviceOf({ passkeys: strange, play })

    await expect(device.login({ email: newEmail('absent'), method: 'PASSKEY' })).rejects.toMatchObject({
      _tag: 'PopupClosed',
    })

    expect(words).toEqual(['unknown passkey'])
    expect(strange.forgotten).toEqual([])
    expect(strange.kept).toHaveLength(1)
    expect(await device.isSessionActive()).toBe(false)
  })

  it.concurrent(
    'is refused with a device that does not give the wrapping secret, and nothing is delivered',
    async () => {
      const copy = makePasskeyDevice('none')
      copy.kept.push(...passkeys.kept)
      const words: string[] = []
      const play = atThePage((portalSession) =>
        Effect.gen(function* () {
          words.push((yield* Effect.flip(loginWithPasskey(portalSession))).message)
        }),
      )
      const device = deviceOf({ passkeys: copy, play })

      await expect(device.login({ email: ada.email })).rejects.toMatchObject({ _tag: 'PopupClosed' })

      expect(words).toEqual(['Error decrypting backup'])
      expect(copy.forgotten).toEqual([])
      expect(await device.isSessionActive()).toBe(false)
    },
  )

  it.concurrent(
    'is not logged in by a service that names another variant or answers with another user’s keys',
    async () => {
      const eve = await signUp(service, { passkeys: makePasskeyDevice(), types: solana })
      const { passkeys: rows = [] } = await rowsOf(service)
      const hers = rows.find(({ user_id }) => user_id === eve.userId)
      const { rootPublicKey, wrappedRootKey } = hers?.['completion'] as Record<string, string>
      const lies: readonly Record<string, unknown>[] = [
        { variant: 'handle' },
        { credentialId: hers?.['id'] },
        { userId: eve.userId },
        { wrappedRootKey, rootPublicKey },
        { wrappedRootKey },
      ]
      expect(lies.flatMap((lie) => Object.values(lie)).every((value) => typeof value === 'string')).toBe(true)

      const words = await Promise.all(
        lies.map(async (lie) => {
          const proxy = await startProxy(service.addresses.api)
          proxy.handle = async (request, pass) => {
            const reply = await pass()
            if (request.target !== '/biometrics/verify') return reply
            return { ...reply, body: Buffer.from(JSON.stringify({ ...json(reply), ...lie })) }
          }
          let said = ''
          const play = atThePage((portalSession) =>
            Effect.map(Effect.flip(loginWithPasskey(portalSession)), (error) => {
              said = error.message
            }),
          )
          const device = deviceOf({ play, addresses: { ...service.addresses, api: proxy.address } })
          await expect(device.login({ email: ada.email })).rejects.toMatchObject({ _tag: 'PopupClosed' })
          const isSignedIn = await device.isSessionActive()
          await proxy.stop()
          return `${said}, ${isSignedIn ? 'and signed in' : 'and no user is signed in'}`
        }),
      )

      expect(words).toEqual(lies.map(() => 'Error decrypting backup, and no user is signed in'))
    },
  )

  it.concurrent('who also has a password is asked for it unless the app chooses the passkey', async () => {
    const grace = await signUp(service, { types: solana })
    const pageOf = async ({ email }: Person, method?: 'PASSWORD' | 'PASSKEY') => {
      let page = ''
      const play = atThePage((portalSession) => Effect.sync(() => void (page = portalSession.page)))
      const login = deviceOf({ play }).login({ email, method })
      await expect(login).rejects.toMatchObject({ _tag: 'PopupClosed' })
      return page
    }

    const pages = await Promise.all([pageOf(grace), pageOf(grace, 'PASSWORD'), pageOf(grace, 'PASSKEY'), pageOf(ada)])

    expect(pages).toEqual(['login-password', 'login-password', 'login-passkey', 'login-passkey'])
  })
})
