import { p256 } from '@noble/curves/nist.js'
import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { bytesToHex } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import { describe, expect, it } from 'vitest'
import * as portalSessions from '../../../domain/service/portalSessions.ts'
import * as passkeys from '../../../domain/service/passkeys.ts'
import * as passwords from '../../../domain/service/passwords.ts'
import { PortalSessions } from '../../../domain/service/ports/PortalSessions.ts'
import { Sessions } from '../../../domain/service/ports/Sessions.ts'
import { TemporaryShares } from '../../../domain/service/ports/TemporaryShares.ts'
import * as recoveries from '../../../domain/service/recoveries.ts'
import * as sessions from '../../../domain/service/sessions.ts'
import * as users from '../../../domain/service/users.ts'
import {
  atCreatePassword,
  connectOrigin,
  makeWallet,
  minutes,
  portalOrigin,
  rsaPublicKeys,
  shop,
  signUp,
  useWorld,
  verifiedHost,
} from './identity.ts'

const world = useWorld()
const [loginKey, otherLoginKey] = rsaPublicKeys

const shareFor = (sessionLookupId: string, userId: string, walletId: string) => ({
  sessionLookupId,
  userId,
  walletId,
  openingId: randomUUID(),
  encryptedShare: 'aa',
  encryptedKey: null,
  expiresAt: Number.MAX_SAFE_INTEGER,
})

describe('touch', () => {
  it('begins a session for a caller without one, with a token of 256 bits in the header', async () => {
    const host = world.host()

    const answer = await host.touch()

    expect(host.token).toMatch(/^[A-Za-z0-9_-]{43}$/)
    expect(answer).toMatchObject({
      isAuthenticated: false,
      userId: null,
      currentWalletIds: {},
      needsWallet: false,
      openingResult: null,
      supportedWalletTypes: [{ type: 'EVM' }, { type: 'SOLANA', optional: true }],
      cosmosPrefix: 'cosmos',
      serverTime: await world.now(),
      operatorName: 'Tandem',
    })
    expect(answer.session).toMatchObject({ state: 'NEW', partnerId: world.partner().partner.id, origin: shop })
    expect(new Set([answer.session.id, answer.session.lookupId, host.token]).size).toBe(3)
  })

  it('begins another one where upkeep of a clock that was set forward has deleted the first meanwhile', async () => {
    let isFirst = true
    const meanwhile = Effect.updateService(Sessions, (port) => ({
      ...port,
      find: (id) => {
        if (!isFirst) return port.find(id)
        isFirst = false
        return Effect.succeed(Option.none())
      },
    }))

    const answer = await world.host().call(meanwhile(sessions.touchSession(false)))

    expect(answer.session).toMatchObject({ state: 'NEW' })
    expect(isFirst).toBe(false)
  })

  it('answers the same session again without a new token', async () => {
    const host = world.host()
    await host.touch()
    const { token, sessionId } = host

    await host.touch()

    expect([host.token, host.sessionId]).toEqual([token, sessionId])
  })

  it.each([
    ['of another site', 'https://evil.localhost'],
    ['of the same name and another port', `${shop}:444`],
    ['that is null', 'null'],
  ])('refuses an origin %s', async (_, origin) => {
    expect(await world.host(world.partner(), origin).refused(sessions.touchSession(false))).toBe(
      'OriginNotAllowed: origin not allowed',
    )
  })

  it("accepts a call without an origin in DEV and SANDBOX, and elsewhere by the partner's setting", async () => {
    const trusting = await world.createPartner({ allowsNoOrigin: true })
    const none = { origin: undefined }
    const touched = sessions.touchSession(false)

    expect(await world.host().refused(touched, none)).toBe('OriginNotAllowed: origin not allowed')
    await expect(world.host().call(touched, { ...none, deployment: { environment: 'DEV' } })).resolves.toBeDefined()
    await expect(world.host().call(touched, { ...none, deployment: { environment: 'SANDBOX' } })).resolves.toBeDefined()
    await expect(world.host(trusting).call(touched, none)).resolves.toBeDefined()
  })

  it('belongs to the origin that began the session, and not to another origin of the same partner', async () => {
    const partner = await world.createPartner({ origins: [shop, 'https://blog.localhost'] })
    const host = world.host(partner)
    await host.touch()

    for (const flow of [sessions.touchSession(false), sessions.touchSession(true)]) {
      expect(await host.refused(flow, { origin: 'https://blog.localhost' })).toBe(
        'OriginNotAllowed: origin not allowed',
      )
    }
    expect(await host.refused(users.createUser({ email: world.email() }), { origin: 'https://blog.localhost' })).toBe(
      'OriginNotAllowed: origin not allowed',
    )
  })

  it('without an API key is refused as such', async () => {
    expect(await world.host().refused(sessions.touchSession(false), { key: undefined })).toMatch(
      /^ApiKeyRequired: in order to/,
    )
  })

  it("gives another partner's page a session of its own", async () => {
    const host = world.host()
    await host.touch()
    const thief = world.host(await world.createPartner())
    thief.token = host.token

    await thief.touch()

    expect(thief.sessionId).not.toBe(host.sessionId)
    expect(thief.token).not.toBe(host.token)
  })

  it('names the user only once a code or a credential has proven it', async () => {
    const email = world.email()
    const host = world.host()
    await host.touch()
    const userId = await host.call(users.createUser({ email }))
    expect(await host.touch()).toMatchObject({ userId: null, identity: null, isAuthenticated: false })

    await host.call(users.verifyEmail(userId, world.codeTo(email)))

    expect(await host.touch()).toMatchObject({ userId, identity: { kind: 'email', email }, isAuthenticated: false })
  })

  it('with `Prefer: wait` answers when the session changed, and otherwise when the time is up', async () => {
    const email = world.email()
    const host = world.host()
    await host.touch()
    const userId = await host.call(users.createUser({ email }))
    const waiting = host.call(sessions.touchSession(false), { waitSeconds: 20 })
    const silent = world.host()
    await silent.touch()
    const patient = silent.call(sessions.touchSession(false), { waitSeconds: 5 })
    const settled: string[] = []
    void waiting.then(() => settled.push('waiting'))
    void patient.then(() => settled.push('patient'))

    await world.advance(1_000)
    expect(settled).toEqual([])
    await host.call(users.verifyEmail(userId, world.codeTo(email)))
    await world.advance(200)

    expect(await waiting).toMatchObject({ userId })
    expect(settled).toEqual(['waiting'])
    // Its time begins with its first look, which a busy database may delay.
    const isSettled = async () => {
      await world.advance(5_000)
      return settled
    }
    await expect.poll(isSettled).toContain('patient')
    expect(await patient).toMatchObject({ userId: null })
  })
})

describe('touch?regenerate=true', () => {
  it('before authentication makes a new record with the identity and its proof', async () => {
    const { host, userId } = await withoutDeviceKey()
    const old = { token: host.token, sessionId: host.sessionId, lookupId: host.lookupId }

    const answer = await host.touch(true)

    expect(answer).toMatchObject({ userId, isAuthenticated: false })
    expect(answer.session).toMatchObject({ state: 'VERIFIED', userProven: true, devicePublicKey: null })
    expect(host.token).not.toBe(old.token)
    expect(host.sessionId).not.toBe(old.sessionId)
    expect(host.lookupId).not.toBe(old.lookupId)
  })

  it('keeps the old record for 90 s, in which it cannot begin anything', async () => {
    const { host, userId } = await withoutDeviceKey()
    const old = host.token
    const { sessionId } = host
    await host.touch(true)
    const again = () => host.call(sessions.touchSession(false), { token: old })

    expect((await again()).session.id).toBe(sessionId)
    expect(await host.refused(passwords.createPassword(userId), { token: old })).toBe(
      'NoSignedInUser: no signed-in user',
    )
    expect(await host.refused(users.createUser({ email: world.email() }), { token: old })).toBe(
      'NoSignedInUser: no signed-in user',
    )
    await world.advance(90_000)
    expect((await again()).session.id).toBe(sessionId)
    await world.advance(1)
    expect((await again()).session.id).not.toBe(sessionId)
  })

  it('gives a superseded token a session without the proof, which a login can begin in', async () => {
    const { host, userId } = await withoutDeviceKey()
    const old = host.token
    await host.touch(true)
    const { token, sessionId } = host

    const answer = await host.touch(true, { token: old })
    expect(answer).toMatchObject({ userId: null, session: { state: 'NEW', userId: null, retiresAt: null } })
    expect(await host.refused(passwords.createPassword(userId))).toBe('NoSignedInUser: no signed-in user')
    await expect(host.call(users.createUser({ email: world.email() }))).resolves.toBeDefined()

    const proven = await host.call(sessions.touchSession(false), { token })
    expect(proven).toMatchObject({ userId, session: { id: sessionId } })
  })

  it('hands the proof to one record of two calls at once, and to none once the session is logged out', async () => {
    const { host, userId } = await withoutDeviceKey()
    const edge = host.edge()
    const touch = () => world.send(edge, sessions.touchSession(true))

    const both = await Promise.all([touch(), touch()])
    expect(both.filter(({ answer }) => answer.userId === userId)).toHaveLength(1)

    const { host: other, userId: another } = await withoutDeviceKey()
    const ended = await other.call(Effect.andThen(sessions.logout(), sessions.touchSession(true)))
    expect(ended).toMatchObject({ userId: null, session: { state: 'NEW' } })
    expect(await other.refused(passwords.createPassword(another))).toBe('NoSignedInUser: no signed-in user')
  })

  it('leaves a session as it is that meanwhile got a device key or a user who is logged in', async () => {
    const { host } = await withoutDeviceKey()
    const { sessionId } = host
    const registering = Effect.promise(() => host.register())
    const keyed = await host.call(Effect.andThen(registering, sessions.touchSession(true)))
    expect(keyed.session).toMatchObject({ id: sessionId, deviceSignsRequests: true })

    const { host: other, page, person, body } = await atCreatePassword(world)
    const committing = Effect.promise(() => page.call(passwords.updatePassword(person.userId, person.passwordId, body)))
    const loggedIn = await other.call(Effect.andThen(committing, sessions.touchSession(true)), { device: true })
    expect(loggedIn).toMatchObject({ isAuthenticated: true, session: { id: other.sessionId, retiresAt: null } })
  })

  it('keeps the old record longer for its open opening', async () => {
    const { host, page, person, body } = await atCreatePassword(world)
    const old = host.token
    await host.touch(true, { device: true })
    await world.advance(minutes(5))

    await page.call(passwords.updatePassword(person.userId, person.passwordId, body))

    const answer = await host.call(sessions.touchSession(false), { token: old })
    expect(answer).toMatchObject({ isAuthenticated: true, userId: person.userId })
  })

  it('after authentication gives the device key a new token for the same ids; the old one lives 90 s', async () => {
    const { host } = await signUp(world)
    const old = { token: host.token, sessionId: host.sessionId, lookupId: host.lookupId }

    expect(await host.touch(true, { device: true })).toMatchObject({ isAuthenticated: true })

    expect([host.sessionId, host.lookupId]).toEqual([old.sessionId, old.lookupId])
    expect(host.token).not.toBe(old.token)
    const asOld = async () => (await world.send(host.edge({ token: old.token }), sessions.touchSession(false))).answer
    await world.advance(90_000)
    expect(await asOld()).toMatchObject({ isAuthenticated: true })
    await world.advance(1)
    expect(await asOld()).toMatchObject({ isAuthenticated: false })
    expect(await host.touch()).toMatchObject({ isAuthenticated: true })
  })

  it('can be repeated with the old token while it is valid, for an answer that was lost', async () => {
    const { host } = await signUp(world)
    const old = host.token
    await host.touch(true, { device: true })
    await world.advance(60_000)

    await host.touch(true, { device: true, token: old })

    await world.advance(60_000)
    expect(await host.touch()).toMatchObject({ isAuthenticated: true })
    expect(await host.call(sessions.touchSession(false), { token: old })).toMatchObject({ isAuthenticated: false })
  })

  it('gives a thief of the token no new one: without the device signature 200 and the same token (A10)', async () => {
    const { host } = await signUp(world)
    const stolen = host.token

    expect(await host.touch(true)).toMatchObject({ isAuthenticated: true })

    expect(host.token).toBe(stolen)
    await world.advance(minutes(2))
    expect(await host.touch()).toMatchObject({ isAuthenticated: true })
  })

  it('gives a thief no proof before authentication either, once the session has a device key', async () => {
    const { host } = await verifiedHost(world, world.email())
    const { sessionId, token } = host

    await host.touch(true)
    expect([host.sessionId, host.token]).toEqual([sessionId, token])

    await host.touch(true, { device: true })
    expect(host.sessionId).not.toBe(sessionId)
  })
})

describe('a session ends', () => {
  it('15 minutes after its beginning when no user was authenticated', async () => {
    const { host } = await withoutDeviceKey()
    const { sessionId } = host
    await world.advance(minutes(15))
    expect((await host.touch()).session.id).toBe(sessionId)

    await world.advance(1_000)

    expect((await host.touch()).session).toMatchObject({ state: 'NEW', userId: null })
    expect(host.sessionId).not.toBe(sessionId)
  })

  it('after 90 idle minutes; keep-alive extends them', async () => {
    const { host, person } = await signUp(world)
    await world.advance(minutes(60))
    await host.call(sessions.keepSessionAlive(person.userId))
    await world.advance(minutes(90))
    await host.call(sessions.keepSessionAlive(person.userId))

    await world.advance(minutes(90) + 1_000)

    expect(await host.refused(sessions.keepSessionAlive(person.userId))).toBe('NoSignedInUser: no signed-in user')
    expect(await host.touch()).toMatchObject({ isAuthenticated: false, userId: null })
  })

  it('24 hours after its creation, whatever its use and later logins', async () => {
    const { host, person } = await signUp(world)
    for (let hour = 0; hour < 24; hour++) {
      await world.advance(minutes(60))
      await host.call(sessions.keepSessionAlive(person.userId))
    }
    const now = await world.now()
    const login = { userId: person.userId, authMethod: 'PASSWORD', authenticatedAt: now } as const
    const nothing = { currentWalletIds: {}, needsWallet: false, deviceCertificate: null, openingResult: null }
    await world.run(
      Effect.flatMap(Sessions, (port) => port.authenticate(host.sessionId, { ...login, ...nothing }, now)),
    )

    await world.advance(1_000)

    expect(await host.refused(sessions.keepSessionAlive(person.userId))).toBe('NoSignedInUser: no signed-in user')
  })

  it('by logout: its token is refused everywhere, its runs are ended, keys and certificate are deleted', async () => {
    const { host, person } = await signUp(world)
    const { token, sessionId, lookupId } = host
    const sharesLeft = () => world.run(Effect.flatMap(TemporaryShares, (shares) => shares.ofLookupId(lookupId, 0)))
    const left = shareFor(lookupId, person.userId, (await makeWallet(world, person.userId)).walletId)
    await world.run(Effect.flatMap(TemporaryShares, (shares) => shares.put(left)))
    expect(await sharesLeft()).toHaveLength(1)

    await host.call(sessions.logout())

    expect(await host.refused(users.getUser(person.userId), { token })).toBe('NoSignedInUser: no signed-in user')
    expect(await sharesLeft()).toEqual([])
    const rows = (await world.dump()).split('\n')
    const row = rows.find((text) => text.includes(sessionId) && text.includes('"lookup_id"'))
    expect(row).toContain('"state":"CLOSED"')
    expect(row).toContain('"device_certificate":null')
    expect(row).toContain('"device_public_key":null')
  })

  it('by logout closes its openings', async () => {
    const { host, page, person, body } = await atCreatePassword(world)

    await host.call(sessions.logout())

    expect(await page.refused(passwords.updatePassword(person.userId, person.passwordId, body))).toBe(
      'NoSignedInUser: no signed-in user',
    )
    expect(await page.refused(portalSessions.beatOpening(page.openingId, page.openingSecret))).toBe(
      'LinkExpired: link expired',
    )
  })

  it('not by a logout without the header: 200 and nothing', async () => {
    const { host } = await signUp(world)

    await expect(host.call(sessions.logout(), { token: undefined })).resolves.toBeUndefined()

    expect(await host.touch()).toMatchObject({ isAuthenticated: true })
  })

  it('and is deleted with its tokens, while live ones stay', async () => {
    const { host } = await signUp(world)
    const unused = world.host()
    await unused.touch()
    await world.advance(minutes(16))
    await host.touch()

    await world.run(sessions.sweep())

    const dump = await world.dump()
    expect(dump).not.toContain(unused.sessionId)
    expect(dump).toContain(host.sessionId)
  })

  it('after its pages, each of which is deleted an hour after its end', async () => {
    const { host, page } = await signUp(world)
    await world.advance(minutes(70))
    await world.run(sessions.sweep())
    expect(await world.dump()).toContain(page.openingId)

    await world.advance(1)
    await world.run(sessions.sweep())
    expect(await host.touch()).toMatchObject({ isAuthenticated: true })
    expect(await world.run(Effect.flatMap(PortalSessions, (port) => port.find(page.openingId)))).toEqual(Option.none())
  })
})

describe('a session that ends between the look at a request and its transaction', () => {
  const deleted = Effect.updateService(Sessions, (port) => ({ ...port, lock: () => Effect.succeed(Option.none()) }))
  const closed = Effect.updateService(Sessions, (port) => ({
    ...port,
    lock: (id) =>
      Effect.map(
        port.lock(id),
        Option.map((session) => ({ ...session, state: 'CLOSED' as const })),
      ),
  }))
  const device = { device: true }
  const nobody = 'NoSignedInUser: no signed-in user'

  describe.each([
    ['because upkeep deletes it', deleted],
    ['because its user logs out', closed],
  ])('%s', (_, meanwhile) => {
    it('takes no keys and no credential', async () => {
      const host = world.host()
      await host.touch()
      const { host: verified, userId } = await verifiedHost(world, world.email())

      expect(await host.refused(meanwhile(sessions.registerSessionKeys(host.keys())))).toBe(nobody)
      expect(await verified.refused(meanwhile(passwords.createPassword(userId)), device)).toBe(nobody)
      expect(await verified.refused(meanwhile(passkeys.createPasskey(userId, 'WEB')), device)).toBe(nobody)
    })

    it('begins no recovery', async () => {
      const page = world.host(world.partner(), connectOrigin)
      await page.touch()

      expect(await page.refused(meanwhile(recoveries.startRecovery({ email: world.email() })))).toBe(nobody)
    })

    it('opens no page', async () => {
      const host = world.host()
      await host.touch()
      await host.register({ loginPublicKey: loginKey })
      const opening = portalSessions.createOpening({ sessionId: host.sessionId, page: 'login-password' })

      expect(await world.refusal({ key: host.partner.apiKey, origin: portalOrigin }, meanwhile(opening))).toMatch(
        /^LinkExpired: /,
      )
    })
  })
})

describe('the origin of a session', () => {
  it('is told to the session itself, and to no other session', async () => {
    const host = world.host()
    await host.touch()
    const other = world.host()
    await other.touch()

    expect(await host.call(sessions.getSessionOrigin(host.lookupId))).toBe(shop)
    const refusals = await Promise.all([
      other.refused(sessions.getSessionOrigin(host.lookupId)),
      other.refused(sessions.getSessionOrigin('3c1a5f6e-8d25-4a35-9b02-8a8f4b6d4f10')),
      host.refused(sessions.getSessionOrigin(host.sessionId)),
    ])
    expect(new Set(refusals)).toEqual(new Set(['NotFound: not found']))
  })

  it('is told to the page that the session opened', async () => {
    const { host, page } = await atCreatePassword(world)

    expect(await page.call(sessions.getSessionOrigin(host.lookupId))).toBe(shop)
  })
})

describe('the keys of a session', () => {
  it('are registered before login; a repeated body gets the same answer', async () => {
    const host = world.host()
    await host.touch()
    const keys = { loginPublicKey: loginKey, recoveryPublicKey: host.recoveryPublicKey }

    const first = await host.register(keys)

    expect(first.loginKeyThumbprint).toMatch(/^[0-9a-f]{64}$/)
    expect(await host.register(keys)).toEqual(first)
    expect((await host.touch()).session).toMatchObject({
      devicePublicKey: host.devicePublicKey,
      deviceSignsRequests: true,
      loginPublicKey: loginKey,
      recoveryPublicKey: host.recoveryPublicKey,
    })
  })

  it('include a device key that is written once', async () => {
    const host = world.host()
    await host.touch()
    await host.register()

    const keys = host.keys({ loginPublicKey: loginKey }, p256.utils.randomSecretKey())

    expect(await host.refused(sessions.registerSessionKeys(keys))).toBe('DeviceKeyIsSet: device key is set')
    expect((await host.touch()).session).toMatchObject({ devicePublicKey: host.devicePublicKey, loginPublicKey: null })
  })

  it('are those of one of two tabs that register at the same moment', async () => {
    const host = world.host()
    await host.touch()
    const devices = Array.from({ length: 8 }, () => p256.utils.randomSecretKey())

    const outcomes = await Promise.allSettled(
      devices.map((device) => host.call(sessions.registerSessionKeys(host.keys({}, device)))),
    )

    const late = outcomes.filter(({ status }) => status === 'rejected')
    expect(late).toMatchObject(Array(devices.length - 1).fill({ reason: { _tag: 'DeviceKeyIsSet' } }))
    const winner = devices[outcomes.findIndex(({ status }) => status === 'fulfilled')] ?? new Uint8Array()
    expect((await host.touch()).session.devicePublicKey).toBe(bytesToHex(p256.getPublicKey(winner, false)))
  })

  it('include a login and a recovery key that may change under the same device key, until a page uses the login key', async () => {
    const host = world.host()
    await host.touch()
    await host.register({ loginPublicKey: loginKey })
    await host.register({ loginPublicKey: otherLoginKey })
    await host.open('login-password')

    expect(await host.refused(sessions.registerSessionKeys(host.keys({ loginPublicKey: loginKey })))).toBe(
      'LoginKeyInUse: login key is in use',
    )
    await expect(host.register({ loginPublicKey: otherLoginKey })).resolves.toBeDefined()
  })

  it('may change while there is a page of a clock that was an hour ahead and is set back', async () => {
    await world.advance(minutes(60))
    const host = world.host()
    await host.touch()
    await host.register({ loginPublicKey: loginKey })
    const page = await host.open('login-password')
    await world.advance(-minutes(60))

    await host.register({ loginPublicKey: otherLoginKey })

    expect(await page.refused(portalSessions.beatOpening(page.openingId, page.openingSecret))).toBe(
      'LinkExpired: link expired',
    )
  })

  it('are accepted only from the session itself on its own origin', async () => {
    const host = world.host()
    await host.touch()
    const other = world.host()
    await other.touch()

    expect(await other.refused(sessions.registerSessionKeys(host.keys()))).toBe('NotFound: not found')
    expect(await host.refused(sessions.registerSessionKeys(host.keys()), { origin: 'https://evil.localhost' })).toBe(
      'OriginNotAllowed: origin not allowed',
    )
    expect(await host.refused(sessions.registerSessionKeys(host.keys()), { token: undefined })).toBe(
      'NoSignedInUser: no signed-in user',
    )
  })

  it('are not accepted from a server for a page’s session, even where servers may call', async () => {
    const host = world.host(await world.createPartner({ allowsNoOrigin: true }))
    await host.touch()

    expect(await host.refused(sessions.registerSessionKeys(host.keys()), { origin: undefined })).toBe(
      'OriginNotAllowed: origin not allowed',
    )
    expect((await host.touch()).session).toMatchObject({ origin: shop, devicePublicKey: null })
  })

  it('are refused when one of them or the proof is wrong', async () => {
    const host = world.host()
    await host.touch()
    const other = world.host()
    await other.touch()
    const keys = host.keys({ loginPublicKey: loginKey, recoveryPublicKey: host.recoveryPublicKey })
    const offCurve = `04${'11'.repeat(64)}`
    const wrong = [
      { ...keys, proof: other.keys().proof },
      { ...keys, loginPublicKey: otherLoginKey },
      { ...keys, recoveryPublicKey: other.recoveryPublicKey },
      { ...keys, devicePublicKey: offCurve },
      { ...keys, recoveryPublicKey: '11'.repeat(64) },
      { ...keys, loginPublicKey: pemHexOf(1024) },
      { ...keys, loginPublicKey: pemHexOf(2048, 3) },
      { ...keys, loginPublicKey: loginKey.toUpperCase() },
    ]

    for (const body of wrong) {
      expect(await host.refused(sessions.registerSessionKeys(body))).toBe('InvalidSessionKeys: invalid session keys')
    }
    expect((await host.touch()).session).toMatchObject({ devicePublicKey: null, loginPublicKey: null })
  })
})

describe('another user’s object', () => {
  it('is answered with the same bytes as one that does not exist', async () => {
    const { host } = await signUp(world)
    const { person: other } = await signUp(world)
    const nobody = '3c1a5f6e-8d25-4a35-9b02-8a8f4b6d4f10'

    for (const userId of [other.userId, nobody]) {
      expect(await host.refused(users.getUser(userId))).toBe('NotFound: not found')
      expect(await host.refused(sessions.keepSessionAlive(userId))).toBe('NotFound: not found')
      expect(await host.refused(passwords.listPasswords({ userId }))).toBe('NotFound: not found')
      expect(await host.refused(passwords.createPassword(userId), { device: true })).toBe('NotFound: not found')
      expect(await host.refused(users.verifyEmail(userId, '123456'))).toBe('NotFound: not found')
    }
  })
})

/** As the public client is: verified, without any key. */
async function withoutDeviceKey() {
  const email = world.email()
  const host = world.host()
  await host.touch()
  const userId = await host.call(users.createUser({ email }))
  await host.call(users.verifyEmail(userId, world.codeTo(email)))
  return { host, userId }
}

function pemHexOf(modulusLength: number, publicExponent = 65_537) {
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength, publicExponent })
  const pem = publicKey.export({ type: 'pkcs1', format: 'pem' }).toString().replaceAll('\n', '\r\n')
  return Buffer.from(pem).toString('hex')
}
