/**
 * The world of the kit that plays the service and refuses (accountWorld) refuses what the service does, in the same words.
 * What it and walletWorld answer is compared with the service's answers in successes.test.ts.
 */
import { bytesToHex, hexToBytes, randomBytes } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Listeners } from '../../adapters/browser/Listeners.ts'
import { makeRuntime, settingsOf } from '../../adapters/browser/runtime.ts'
import { passwordSetup, setUpCredential } from '../../domain/client/setUpCredential.ts'
import { createUser, verifyEmail } from '../../domain/client/users.ts'
import { login } from '../../domain/client/login.ts'
import { startPortalSession, beginPage } from '../../domain/client/portal/portalSession.ts'
import { Api } from '../../domain/client/ports/Api.ts'
import { DeviceKeys } from '../../domain/client/ports/DeviceKeys.ts'
import { prepareLoginKeys } from '../../domain/client/sessionKeys.ts'
import { touch } from '../../domain/client/touch.ts'
import * as Opener from '../../domain/crypto/Opener.ts'
import type { Input, OperationId } from '../../generated/handlers.ts'
import * as account from '../kit/accountWorld.ts'
import { personWhoLeaves, personWith, type Browser, type Play } from '../kit/portalPlayer.ts'
import { startService, type TestService } from '../kit/service.ts'
import { Device, hostsOf, mailedCode, makeStorage, newEmail, newPassword, shop } from '../service/people.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

type Runtime = ReturnType<ReturnType<typeof account.makeAccountWorld>['makeDevice']>['runtime']

/** A person with an account, and as many browsers as it takes. */
type Side = {
  readonly email: string
  readonly password: string
  readonly code: () => Promise<string>
  /** A browser with the play of its windows, and the redirect of a page that has lost its opener. */
  readonly browser: (
    play: Play,
    returns?: Browser['returns'],
  ) => Pick<Runtime, 'runPromise' | 'runPromiseExit' | 'dispose'>
}

const fakeSide = (): Side => {
  const world = account.makeAccountWorld()
  return {
    email: account.email,
    password: 'a sturdy passphrase',
    code: () => Promise.resolve('123456'),
    browser: (play, returns) => world.makeDevice(play, { returns }).runtime,
  }
}

/** The windows of a device of the kit. */
class Windows extends Device {
  get windows() {
    return this.popups
  }
}

const realSide = (): Side => {
  const { addresses, partner } = service
  const email = newEmail()
  return {
    email,
    password: newPassword(),
    code: () => mailedCode(service, email),
    browser: (play, returns) => {
      const { windows } = new Windows({ apiKey: partner.apiKey, addresses, play, returns })
      const settings = settingsOf('DEV', partner.apiKey, { hosts: hostsOf(addresses), origin: shop })
      return makeRuntime(settings, { storage: makeStorage().override, logLevel: 'None' }, new Listeners(), windows)
    },
  }
}

const noSignedInUser = '401 no signed-in user'

/** How a call is refused, or that it is not. */
const refusal = <Id extends OperationId>(id: Id, input: Input<Id>) =>
  Effect.match(
    Effect.flatMap(Api, (api) => api.call(id, input)),
    {
      onSuccess: () => 'granted',
      onFailure: ({ status, message }) => `${String(status)} ${message}`,
    },
  )

const nothing = { path: { openingId: crypto.randomUUID() } }
const proof = () => bytesToHex(randomBytes(32))
const signature = () => bytesToHex(randomBytes(64))

describe.each([
  ['a fake', fakeSide],
  ['the service', realSide],
])('%s', (_, makeSide) => {
  let side: Side
  let laptop: ReturnType<Side['browser']>
  let userId: string
  let wrongCode: string

  beforeAll(async () => {
    side = makeSide()
    laptop = side.browser(personWith(side.password))
    const signUp = Effect.gen(function* () {
      userId = yield* createUser({ kind: 'email', email: side.email })
      wrongCode = yield* refusal('verifyEmail', { path: { userId }, body: { verificationCode: '000000' } })
      yield* verifyEmail(yield* Effect.promise(side.code))
      return yield* setUpCredential(passwordSetup)
    })
    await laptop.runPromise(signUp)
  })
  afterAll(() => laptop.dispose())

  it('refuses a code that was not mailed, and a sign-up for an account that exists', async () => {
    const browser = side.browser(personWhoLeaves)
    const again = Effect.andThen(touch(false), refusal('createUser', { body: { email: side.email } }))

    expect(wrongCode).toBe('400 invalid verification code')
    expect(await browser.runPromise(again)).toBe('409 user already exists')
    await browser.dispose()
  })

  it('refuses a session the keys that its device has not signed', async () => {
    const browser = side.browser(personWhoLeaves)
    const refused = Effect.gen(function* () {
      const { sessionId } = yield* touch(false)
      const { publicKey } = yield* (yield* DeviceKeys).create(sessionId)
      const body = { devicePublicKey: publicKey, proof: signature() }
      return yield* refusal('registerSessionKeys', { path: { sessionId }, body })
    })

    expect(await browser.runPromise(refused)).toBe('400 invalid session keys')
    await browser.dispose()
  })

  it('refuses a host an opening that does not exist', async () => {
    const refused = Effect.all({
      getOpening: refusal('getOpening', nothing),
      createOpeningTicket: refusal('createOpeningTicket', { ...nothing, body: { page: 'login-password' } }),
      redeemOpening: refusal('redeemOpening', { ...nothing, body: { proof: proof() } }),
    })

    expect(await laptop.runPromise(refused)).toEqual({
      getOpening: '404 not found',
      createOpeningTicket: '404 not found',
      redeemOpening: '404 not found',
    })
  })

  it('refuses a page the calls that it has not proven itself for', async () => {
    let tell: (refused: object) => void = () => undefined
    const told = new Promise<object>((resolve) => (tell = resolve))
    const play: Play = Effect.gen(function* () {
      const api = yield* Api
      const newPortalSession = yield* startPortalSession()
      const { openingId, openingSecret, page } = newPortalSession
      const path = { openingId }
      const token = (body: Input<'createOpeningToken'>['body']) => refusal('createOpeningToken', { path, body })
      const wrong = { publicKey: proof(), signature: signature(), passwordId: crypto.randomUUID() }
      const withoutProof = (userId: string, passwordId: string) =>
        Effect.all({
          backups: refusal('listPasswordKeyShares', { path: { userId }, query: { passwordId } }),
          shares: refusal('createTemporaryShares', { path: { userId }, body: { shares: [] } }),
          wallets: refusal('setWallets', { path: { userId }, body: { walletIds: {} } }),
        })
      const before = yield* Effect.all({
        'a session that there is not': refusal('createOpening', { body: { page, sessionId: crypto.randomUUID() } }),
        'an opening that there is not': refusal('createOpeningToken', {
          ...nothing,
          body: { openingSecret, ticket: proof() },
        }),
        'another secret': token({ openingSecret: proof(), ticket: proof() }),
        'another ticket': token({ openingSecret, ticket: proof() }),
        'a challenge without a token': refusal('getPasskeyChallenge', {}),
        'a password without a token': refusal('verifyPassword', { body: wrong }),
        'its work without a token': withoutProof(userId, wrong.passwordId),
      })
      yield* beginPage(newPortalSession)
      const { passwords } = yield* api.call('listPasswords', { query: { email: side.email } })
      const passwordId = passwords[0]?.id ?? ''
      const entered = yield* Effect.all({
        'another password': refusal('verifyPassword', { body: { ...wrong, passwordId } }),
        'its work before the password': withoutProof(userId, passwordId),
      })
      tell({ ...before, ...entered })
    }).pipe(Effect.tapCause((cause) => Effect.sync(() => tell({ cause }))))
    const browser = side.browser(play)
    const waiting = browser.runPromiseExit(login({ kind: 'email', email: side.email }))

    expect(await told).toEqual({
      'a session that there is not': '404 not found',
      'an opening that there is not': '403 opener not proven',
      'another secret': '403 opener not proven',
      'another ticket': '403 opener not proven',
      'a challenge without a token': noSignedInUser,
      'a password without a token': noSignedInUser,
      'its work without a token': { backups: noSignedInUser, shares: noSignedInUser, wallets: noSignedInUser },
      'another password': '401 invalid password',
      'its work before the password': { backups: '404 not found', shares: '404 not found', wallets: '404 not found' },
    })
    await browser.dispose()
    await waiting
  })

  it('refuses a code that another session returns, and a wrong code', async () => {
    let came: (url: string) => void = () => undefined
    const comes = new Promise<string>((resolve) => (came = resolve))
    const owner = side.browser(personWith(side.password), (url) => Effect.sync(() => came(url)))
    const thief = side.browser(personWhoLeaves)
    const waiting = owner.runPromiseExit(login({ kind: 'email', email: side.email }))
    const [, openingId = '', code = ''] = /#tandem=([0-9a-f-]{36})\.([0-9a-f]{64})$/.exec(await comes) ?? []
    const redeem = (secret: string) =>
      refusal('redeemOpening', {
        path: { openingId },
        body: { proof: bytesToHex(Opener.redeemProof(hexToBytes(secret))) },
      })
    const asThief = Effect.gen(function* () {
      yield* prepareLoginKeys(yield* touch(false))
      return yield* redeem(code)
    })

    expect(await thief.runPromise(asThief)).toBe('404 not found')
    expect(await owner.runPromise(redeem(proof()))).toBe('403 opener not proven')
    await Promise.all([owner.dispose(), thief.dispose()])
    await waiting
  })
})
