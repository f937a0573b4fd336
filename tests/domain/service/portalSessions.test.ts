import { bytesToHex, randomBytes } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import { describe, expect, it } from 'vitest'
import * as Opener from '../../../domain/crypto/Opener.ts'
import * as commits from '../../../domain/service/commits.ts'
import * as handshakes from '../../../domain/service/handshakes.ts'
import * as portalSessions from '../../../domain/service/portalSessions.ts'
import * as passkeys from '../../../domain/service/passkeys.ts'
import * as passwords from '../../../domain/service/passwords.ts'
import { Sessions } from '../../../domain/service/ports/Sessions.ts'
import * as sessions from '../../../domain/service/sessions.ts'
import * as users from '../../../domain/service/users.ts'
import {
  atCreatePassword,
  atLogin,
  minutes,
  portalOrigin,
  redirectedPassword,
  rsaPublicKeys,
  shop,
  signUp,
  useWorld,
  verifiedHost,
  type Host,
  type Person,
  type PortalPage,
} from './identity.ts'

const world = useWorld()
const [, loginKey, otherLoginKey] = rsaPublicKeys
const trusting = () => world.createPartner({ allowsUnprovenClients: true })
const nobody = '3c1a5f6e-8d25-4a35-9b02-8a8f4b6d4f10'
const notProven = 'OpenerNotProven: opener not proven'
const expired = 'LinkExpired: link expired'
const notFound = 'NotFound: not found'

const newHost = async (keys: { readonly loginPublicKey?: string } = { loginPublicKey: loginKey }) => {
  const host = world.host()
  await host.touch()
  await host.register(keys)
  return host
}

const loginPage = (host: Host) => ({ sessionId: host.sessionId, page: 'login-password' }) as const

const ticketFor = (page: PortalPage) => handshakes.createOpeningTicket(page.openingId, { page: 'login-password' })

const tokenFor = (page: PortalPage, request: Omit<handshakes.TokenRequest, 'openingSecret'>) =>
  handshakes.createOpeningToken(page.openingId, { openingSecret: page.openingSecret, ...request })

describe('a page of the portal', () => {
  it('begins an opening and gets the origin of its opener', async () => {
    const host = await newHost()

    const { answer } = await world.send(
      { key: host.partner.apiKey, origin: portalOrigin },
      portalSessions.createOpening(loginPage(host)),
    )

    expect(answer).toMatchObject({ mode: 'opener', returnUrl: `${shop}/account` })
    expect(answer.openingSecret).toMatch(/^[0-9a-f]{64}$/)
    expect(answer.session).toMatchObject({
      origin: shop,
      loginPublicKey: loginKey,
      devicePublicKey: host.devicePublicKey,
    })
  })

  it('has to ask the person where the session has no device key', async () => {
    const host = world.host()
    await host.touch()

    const { answer } = await world.send(
      { key: host.partner.apiKey, origin: portalOrigin },
      portalSessions.createOpening(loginPage(host)),
    )

    expect(answer.mode).toBe('ask')
  })

  it('opens from the portal’s origin only', async () => {
    const host = await newHost()

    for (const origin of [shop, 'https://evil.localhost', 'null', undefined]) {
      expect(
        await world.refusal({ key: host.partner.apiKey, origin }, portalSessions.createOpening(loginPage(host))),
      ).toBe('OriginNotAllowed: origin not allowed')
    }
  })

  it("may be the partner's own portal", async () => {
    const partner = await world.createPartner({ portalUrl: 'https://Login.Shop.localhost/app' })
    const host = world.host(partner)
    await host.touch()
    const edge = { key: partner.apiKey, origin: 'https://login.shop.localhost' }

    await expect(world.send(edge, portalSessions.createOpening(loginPage(host)))).resolves.toBeDefined()
    expect(
      await world.refusal({ ...edge, key: world.partner().apiKey }, portalSessions.createOpening(loginPage(host))),
    ).toBe('OriginNotAllowed: origin not allowed')
  })

  it("finds neither an unknown session nor another partner's", async () => {
    const host = await newHost()
    const other = await world.createPartner()

    expect(
      await world.refusal(
        { key: host.partner.apiKey, origin: portalOrigin },
        portalSessions.createOpening({ sessionId: nobody, page: 'login-password' }),
      ),
    ).toBe(notFound)
    expect(
      await world.refusal({ key: other.apiKey, origin: portalOrigin }, portalSessions.createOpening(loginPage(host))),
    ).toBe(notFound)
  })

  it('expires with its session', async () => {
    const host = await newHost()
    await world.advance(minutes(15) + 1_000)

    expect(
      await world.refusal(
        { key: host.partner.apiKey, origin: portalOrigin },
        portalSessions.createOpening(loginPage(host)),
      ),
    ).toBe(expired)
  })

  it('makes a credential only for a PENDING record of that session and its user', async () => {
    const { host, person } = await atCreatePassword(world)
    const { host: other, person: stranger } = await atCreatePassword(world)
    const portal = { key: host.partner.apiKey, origin: portalOrigin }
    const create = (visit: Omit<portalSessions.PortalSessionRequest, 'page'>) =>
      portalSessions.createOpening({ page: 'create-password', ...visit })

    expect(await world.refusal(portal, create({ sessionId: host.sessionId, record: stranger.passwordId }))).toBe(
      expired,
    )
    expect(await world.refusal(portal, create({ sessionId: other.sessionId, record: person.passwordId }))).toBe(expired)
    const { host: again } = await verifiedHost(world, person.email)
    expect(await world.refusal(portal, create({ sessionId: again.sessionId, record: person.passwordId }))).toBe(expired)
    expect(await world.refusal(portal, create({ sessionId: host.sessionId, record: nobody }))).toBe(notFound)
    expect(await world.refusal(portal, create({ sessionId: host.sessionId }))).toBe(notFound)
    expect(await world.refusal(portal, create({ userId: stranger.userId, record: person.passwordId }))).toBe(expired)
    await expect(
      world.send(portal, create({ userId: person.userId, record: person.passwordId })),
    ).resolves.toBeDefined()
    await world.advance(minutes(10) + 1_000)
    expect(await world.refusal(portal, create({ sessionId: host.sessionId, record: person.passwordId }))).toBe(expired)
  })

  it('may be reloaded five times at once, and then waits until one opening has ended', async () => {
    const host = await newHost()
    for (let reload = 0; reload < 5; reload++) await host.visit('login-password')

    expect(
      await world.refusal(
        { key: host.partner.apiKey, origin: portalOrigin },
        portalSessions.createOpening(loginPage(host)),
      ),
    ).toBe('TooManyAttempts: too many attempts')

    await world.advance(8_001)
    await expect(host.visit('login-password')).resolves.toBeDefined()
  })
})

describe('a ticket', () => {
  it('is given to the session of the opening, and is the same until it is used', async () => {
    const host = await newHost()
    const page = await host.visit('login-password')

    const ticket = await host.call(ticketFor(page), { device: true })

    expect(ticket).toMatch(/^[0-9a-f]{64}$/)
    expect(await host.call(ticketFor(page), { device: true })).toBe(ticket)
    await page.enter({ ticket })
    expect(await host.refused(ticketFor(page), { device: true })).toBe(expired)
  })

  it('is for this page and record only, and of this session only', async () => {
    const host = await newHost()
    const page = await host.visit('login-password')
    const other = await newHost()

    expect(await other.refused(ticketFor(page), { device: true })).toBe(notFound)
    expect(
      await host.refused(handshakes.createOpeningTicket(page.openingId, { page: 'login-passkey' }), {
        device: true,
      }),
    ).toBe(notFound)
    expect(
      await host.refused(handshakes.createOpeningTicket(page.openingId, { page: 'login-password', record: nobody }), {
        device: true,
      }),
    ).toBe(notFound)
  })

  it('is not given for a token alone', async () => {
    const host = await newHost()
    const page = await host.visit('login-password')

    expect(await host.refused(ticketFor(page))).toBe(notProven)
  })

  it('closes the other openings of the session; opening one closes none', async () => {
    const host = await newHost()
    const first = await host.visit('login-password')
    const second = await host.visit('login-password')
    await expect(first.call(portalSessions.beatOpening(first.openingId, first.openingSecret))).resolves.toBeUndefined()

    const ticket = await host.call(ticketFor(second), { device: true })

    expect(await first.refused(portalSessions.beatOpening(first.openingId, first.openingSecret))).toBe(expired)
    expect(await host.refused(ticketFor(first), { device: true })).toBe(expired)
    await expect(second.enter({ ticket })).resolves.toBeDefined()
  })

  it('works once, also for two at the same moment', async () => {
    const host = await newHost()
    const page = await host.visit('login-password')
    const ticket = await host.call(ticketFor(page), { device: true })

    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => page.enter({ ticket })))

    const late = outcomes.filter(({ status }) => status === 'rejected')
    expect(late).toMatchObject(Array(7).fill({ reason: { _tag: 'OpenerNotProven' } }))
    expect(await page.refused(tokenFor(page, { ticket }))).toBe(notProven)
  })

  it('is valid for 60 s', async () => {
    const [host, late] = await Promise.all([newHost(), newHost()])
    const [page, latePage] = await Promise.all([host.visit('login-password'), late.visit('login-password')])
    const ticket = await host.call(ticketFor(page), { device: true })
    const lateTicket = await late.call(ticketFor(latePage), { device: true })
    await world.advance(60_000)
    await expect(page.enter({ ticket })).resolves.toBeDefined()

    await world.advance(1_000)

    expect(await latePage.refused(tokenFor(latePage, { ticket: lateTicket }))).toBe(notProven)
    expect(await late.refused(ticketFor(latePage), { device: true })).toBe(expired)
  })
})

describe('a portal token', () => {
  it('requires the right secret of the page and the right ticket of its opener', async () => {
    const host = await newHost()
    const page = await host.visit('login-password')
    const other = await (await newHost()).visit('login-password')
    const ticket = await host.call(ticketFor(page), { device: true })
    const wrong = bytesToHex(randomBytes(32))

    expect(await page.refused(handshakes.createOpeningToken(page.openingId, { openingSecret: wrong, ticket }))).toBe(
      notProven,
    )
    expect(await page.refused(handshakes.createOpeningToken(nobody, { openingSecret: wrong, ticket }))).toBe(notProven)
    expect(await page.refused(tokenFor(page, { ticket: wrong }))).toBe(notProven)
    expect(await page.refused(tokenFor(page, {}))).toBe(notProven)
    expect(await page.refused(tokenFor(page, { ticket, asked: true }))).toBe(notProven)
    expect(await other.refused(tokenFor(other, { ticket }))).toBe(notProven)
    expect((await world.dump()).includes('"event":"opener.mismatch"')).toBe(true)
    await expect(page.enter({ ticket })).resolves.toMatchObject({ sessionLookupId: host.lookupId })
  })

  it("is for the key of the opening's own partner", async () => {
    const host = await newHost()
    const page = await host.visit('login-password')
    const ticket = await host.call(ticketFor(page), { device: true })
    const { apiKey: key } = await world.createPartner()

    expect(await page.refused(tokenFor(page, { ticket }), { key })).toBe(notFound)
    await expect(page.enter({ ticket })).resolves.toMatchObject({ sessionLookupId: host.lookupId })
  })

  it("is not accepted as a host's token, nor a host's as one of the portal", async () => {
    const { host, page, person, body } = await atCreatePassword(world)
    const asPage = { token: host.token }
    const asHost = { token: page.token }

    expect(await page.refused(passwords.updatePassword(person.userId, person.passwordId, body), asPage)).toBe(
      'NoSignedInUser: no signed-in user',
    )
    expect(await host.refused(passwords.createPassword(person.userId), { ...asHost, device: true })).toBe(
      'NoSignedInUser: no signed-in user',
    )
    expect(await host.refused(sessions.keepSessionAlive(person.userId), asHost)).toBe(
      'NoSignedInUser: no signed-in user',
    )
    const { answer } = await world.send(host.edge(asHost), sessions.touchSession(false))
    expect(answer.session.id).not.toBe(host.sessionId)
  })

  it('has the scope of its page and record', async () => {
    const { page, person } = await atCreatePassword(world)
    const { person: other, body } = await atCreatePassword(world)

    expect(await page.refused(passwords.updatePassword(other.userId, other.passwordId, body))).toBe(notFound)
    expect(await page.refused(passwords.updatePassword(person.userId, other.passwordId, body))).toBe(notFound)
    expect(await page.refused(passwords.verifyPassword(person.proof(page)))).toBe(notFound)
    expect(await page.refused(passkeys.verifyPasskey({ publicKey: 'AAAA', signature: noAssertion }))).toBe(notFound)
  })

  it('expires ten minutes after the page began', async () => {
    const { page, person, body } = await atCreatePassword(world)
    await world.advance(minutes(10) + 1_000)

    expect(await page.refused(passwords.updatePassword(person.userId, person.passwordId, body))).toBe(
      'NoSignedInUser: no signed-in user',
    )
  })

  it('gets a pepper for the page that makes a password, and for no other', async () => {
    const { page } = await atCreatePassword(world)
    const { page: login } = await atLogin(world)

    expect(page.entered?.password).toMatchObject({ pepper: expect.stringMatching(/^[0-9a-f]{64}$/) })
    expect(login.entered?.password).toBeNull()
  })
})

describe('a wrong answer of the opener', () => {
  const mismatches = async (openingId: string) => {
    const rows = (await world.dump()).split('\n')
    return rows.filter((row) => row.includes('"event":"opener.mismatch"') && row.includes(openingId))
  }

  it('ends the opening with its ticket, and is written to the audit once', async () => {
    const host = await newHost()
    const page = await host.visit('login-password')
    const ticket = await host.call(ticketFor(page), { device: true })
    const report = portalSessions.closeOpening(page.openingId, page.openingSecret, 'opener-mismatch')
    await page.call(report)
    await page.call(report)

    expect(await host.call(portalSessions.getOpening(page.openingId))).toBe('CLOSED')
    expect(await page.refused(portalSessions.beatOpening(page.openingId, page.openingSecret))).toBe(expired)
    expect(await page.refused(tokenFor(page, { ticket }))).toBe(expired)
    expect(await host.refused(ticketFor(page), { device: true })).toBe(expired)
    expect(await mismatches(page.openingId)).toHaveLength(1)
  })

  it('is not accepted from a page that has its token, nor without the page’s secret', async () => {
    const { host, page } = await atLogin(world)
    const wrong = bytesToHex(randomBytes(32))
    await page.call(portalSessions.closeOpening(page.openingId, page.openingSecret, 'opener-mismatch'))

    expect(await page.refused(portalSessions.closeOpening(page.openingId, wrong, 'opener-mismatch'))).toBe(notFound)
    expect(await host.call(portalSessions.getOpening(page.openingId))).toBe('LIVE')
    expect(await mismatches(page.openingId)).toEqual([])
  })
})

describe('the heartbeat', () => {
  it('keeps a page LIVE, and a page without heartbeats ends within ten seconds', async () => {
    const { host, page } = await atLogin(world)
    const asked = portalSessions.getOpening(page.openingId)
    for (let heartbeat = 0; heartbeat < 3; heartbeat++) {
      await world.advance(5_000)
      await page.call(portalSessions.beatOpening(page.openingId, page.openingSecret))
    }
    expect(await host.call(asked)).toBe('LIVE')

    await world.advance(8_001)

    expect(await host.call(asked)).toBe('CLOSED')
  })

  it('reverts a close when the page beats within 3 s, because that was a reload', async () => {
    const { host, page } = await atLogin(world)
    const heartbeat = portalSessions.beatOpening(page.openingId, page.openingSecret)
    const close = portalSessions.closeOpening(page.openingId, page.openingSecret)
    await page.call(close)
    await world.advance(3_000)
    await page.call(heartbeat)
    await world.advance(2_000)
    expect(await host.call(portalSessions.getOpening(page.openingId))).toBe('LIVE')

    await page.call(close)
    await world.advance(3_001)

    expect(await host.call(portalSessions.getOpening(page.openingId))).toBe('CLOSED')
    expect(await page.refused(heartbeat)).toBe(expired)
  })

  it('needs the page’s secret, and its state is told to the session that opened the page', async () => {
    const { page } = await atLogin(world)
    const other = await newHost()

    expect(await page.refused(portalSessions.beatOpening(page.openingId, bytesToHex(randomBytes(32))))).toBe(notFound)
    expect(await page.refused(portalSessions.closeOpening(nobody, page.openingSecret))).toBe(notFound)
    expect(await other.refused(portalSessions.getOpening(page.openingId))).toBe(notFound)
  })

  it('with `Prefer: wait` answers when the page has ended', async () => {
    const { host, page } = await atLogin(world)
    const waiting = host.call(portalSessions.getOpening(page.openingId), { waitSeconds: 20 })
    await page.call(portalSessions.closeOpening(page.openingId, page.openingSecret))

    await world.advance(3_200)

    expect(await waiting).toBe('CLOSED')
  })
})

describe('a malicious link (A6)', () => {
  it("authenticates no session: a verified page without its opener's session changes nothing", async () => {
    const { person } = await signUp(world)
    const { host, page } = await atLogin(world)

    await page.call(passwords.verifyPassword(person.proof(page)))

    expect(await host.touch()).toMatchObject({ isAuthenticated: false, userId: null })
    expect(await host.refused(users.getUser(person.userId))).toBe('NoSignedInUser: no signed-in user')
  })

  it("cannot enter the page of an attacker's session without that session's own device", async () => {
    const attacker = await newHost()
    const page = await attacker.visit('login-password')

    expect(await page.refused(tokenFor(page, { asked: true, loginPublicKey: loginKey }))).toBe(notProven)
    expect(await page.refused(tokenFor(page, { ticket: bytesToHex(randomBytes(32)) }))).toBe(notProven)
  })

  it('cannot commit by redirect without a redemption by the registered page', async () => {
    const { person } = await signUp(world)
    const { host, page, code } = await atRedirect()
    await page.call(passwords.verifyPassword(person.proof(page, { challenge: page.challenge })))
    await page.call(commits.commit(page.openingId, await redirectCommit(host, person)))
    expect(await host.touch()).toMatchObject({ isAuthenticated: false })
    const thief = await newHost()

    const redeem = commits.redeemOpening(page.openingId, { proof: bytesToHex(Opener.redeemProof(code)) })
    expect(await thief.refused(redeem, { device: true })).toBe(notFound)
    expect(await host.refused(redeem)).toBe(notProven)
    expect(
      await host.refused(commits.redeemOpening(page.openingId, { proof: bytesToHex(randomBytes(32)) }), {
        device: true,
      }),
    ).toBe(notProven)
    expect(await host.touch()).toMatchObject({ isAuthenticated: false })
  })
})

describe('the redirect', () => {
  it('defers a login until the registered page redeems it; a repetition gets the same answer', async () => {
    const { person } = await signUp(world)
    const { host, page, code } = await atRedirect()
    const shownAt = await world.now()
    await page.call(passwords.verifyPassword(person.proof(page)))
    const commit = await redirectCommit(host, person)
    await page.call(commits.commit(page.openingId, commit))
    await page.call(commits.commit(page.openingId, commit))
    await page.call(portalSessions.closeOpening(page.openingId, page.openingSecret))
    await world.advance(60_000)
    expect(await host.call(portalSessions.getOpening(page.openingId))).toBe('LIVE')
    const redeem = commits.redeemOpening(page.openingId, { proof: bytesToHex(Opener.redeemProof(code)) })

    await host.call(redeem, { device: true })

    const touched = await host.touch()
    expect(touched).toMatchObject({
      isAuthenticated: true,
      userId: person.userId,
      needsWallet: true,
      openingResult: { openingId: page.openingId },
    })
    await expect(host.call(redeem, { device: true })).resolves.toBeUndefined()
    const session = Option.getOrThrow(await world.run(Effect.flatMap(Sessions, ({ find }) => find(host.sessionId))))
    expect(session.authenticatedAt).toBe(shownAt)
  })

  it('has no certificate: the host adds it once it has found its own key in the result', async () => {
    const { person } = await signUp(world)
    const { host, page, code } = await atRedirect()
    await page.call(passwords.verifyPassword(person.proof(page)))
    const certificate = person.certificate(host, await world.now())
    const proof = bytesToHex(Opener.redeemProof(code))
    const redeem = (deviceCertificate?: string) => commits.redeemOpening(page.openingId, { proof, deviceCertificate })

    expect(await page.refused(commits.commit(page.openingId, await loginCommit(host, person)))).toContain(
      'InvalidCredential',
    )
    await page.call(commits.commit(page.openingId, await redirectCommit(host, person)))
    await host.call(redeem(), { device: true })
    const other = await signUp(world)
    expect(await host.refused(redeem(other.person.certificate(host, await world.now())), { device: true })).toContain(
      'InvalidCredential',
    )
    await host.call(redeem(certificate), { device: true })
    await host.call(redeem(certificate), { device: true })

    const later = person.certificate(host, (await world.now()) + 1)
    expect(await host.refused(redeem(later), { device: true })).toContain('Conflict')
    expect((await sessionOf(host)).deviceCertificate).toBe(certificate)
  })

  it('leaves a created record PENDING until it is redeemed', async () => {
    const { host, person, redeem } = await redirectedPassword(world)
    expect(await host.call(users.getSupportedAuthMethods({ email: person.email }))).toEqual([])
    expect(await host.touch()).toMatchObject({ isAuthenticated: false })

    await host.call(redeem, { device: true })

    expect(await host.touch()).toMatchObject({ isAuthenticated: true, needsWallet: true })
    expect(await host.call(users.getSupportedAuthMethods({ email: person.email }))).toEqual(['PASSWORD'])
  })

  it('refuses a login that would replace the user of a proven session', async () => {
    const { person } = await signUp(world)
    const { host } = await verifiedHost(world, world.email())
    await host.register({ loginPublicKey: loginKey })
    const page = await host.visit('login-password')
    await page.enter({ redirect: true, redeemHash: '11'.repeat(32) })
    await page.call(passwords.verifyPassword(person.proof(page)))

    expect(await page.refused(commits.commit(page.openingId, await redirectCommit(host, person)))).toBe(
      'OtherAccount: sign out of the other account first',
    )
  })

  it('expires after ten minutes', async () => {
    const { person } = await signUp(world)
    const { host, page, code } = await atRedirect()
    await page.call(passwords.verifyPassword(person.proof(page)))
    await page.call(commits.commit(page.openingId, await redirectCommit(host, person)))

    await world.advance(minutes(10) + 1_000)

    expect(
      await host.refused(commits.redeemOpening(page.openingId, { proof: bytesToHex(Opener.redeemProof(code)) }), {
        device: true,
      }),
    ).toBe(expired)
  })

  it('needs a device key, a registered login key and an origin to return to', async () => {
    const redirect = { redirect: true, redeemHash: '11'.repeat(32) }
    const keyless = world.host(await trusting())
    await keyless.touch()
    const withoutLoginKey = await newHost({})

    for (const host of [keyless, withoutLoginKey]) {
      const page = await host.visit('login-password')
      expect(await page.refused(tokenFor(page, redirect))).toBe(notProven)
    }
    const page = await (await newHost()).visit('login-password')
    expect(await page.refused(tokenFor(page, { redirect: true }))).toBe(notProven)
    // Its login key was taken from the address: such a session cannot prove a device when it returns.
    const asked = await keyless.visit('login-password')
    await asked.enter({ asked: true, loginPublicKey: loginKey })
    const later = await keyless.visit('login-password')
    expect(await later.refused(tokenFor(later, redirect))).toBe(notProven)
  })
})

describe('a client that cannot prove itself', () => {
  it('has its login key taken from the address once, after the person agreed', async () => {
    const host = world.host(await trusting())
    await host.touch()
    const [page, second] = [await host.visit('login-password'), await host.visit('login-password')]

    await page.enter({ asked: true, loginPublicKey: loginKey })

    expect((await host.touch()).session).toMatchObject({ loginPublicKey: loginKey })
    expect(await second.refused(tokenFor(second, { asked: true, loginPublicKey: otherLoginKey }))).toBe(
      'LoginKeyMismatch: login key mismatch',
    )
    await expect(second.enter({ asked: true, loginPublicKey: loginKey })).resolves.toBeDefined()
  })

  it.each(['BETA', 'PROD'] as const)("needs the partner's consent in %s", async (environment) => {
    const deployment = { environment }
    for (const [partner, isLetIn] of [
      [world.partner(), false],
      [await trusting(), true],
    ] as const) {
      const host = world.host(partner)
      await host.touch()
      const page = await host.visit('login-password')
      const entering = tokenFor(page, { asked: true, loginPublicKey: loginKey })

      if (isLetIn) await expect(page.call(entering, { deployment })).resolves.toBeDefined()
      else expect(await page.refused(entering, { deployment })).toBe(notProven)
    }
  })

  it('never gets a certificate, and a session with a device key is never treated as one', async () => {
    const { person } = await signUp(world)
    const host = world.host(await trusting())
    await host.touch()
    const page = await host.visit('login-password')
    await page.enter({ asked: true, loginPublicKey: loginKey })
    await page.call(passwords.verifyPassword(person.proof(page)))
    const commit = await loginCommit(host, person)

    expect(await page.refused(commits.commit(page.openingId, commit))).toBe('InvalidCredential: invalid credential')
    await page.call(commits.commit(page.openingId, { ...commit, deviceCertificate: null, sealedResult: null }))

    const touched = await host.touch()
    expect(touched).toMatchObject({ isAuthenticated: true, userId: person.userId })
    expect(touched.session.deviceCertificate).toBeNull()
    await host.register()
    expect((await host.touch()).session).toMatchObject({ deviceSignsRequests: false, deviceCertificate: null })
    const ours = await (await newHost()).visit('login-password')
    expect(await ours.refused(tokenFor(ours, { asked: true, loginPublicKey: loginKey }))).toBe(notProven)
  })
})

describe('the commit of a login', () => {
  it('authenticates the session with its wallets, certificate and result, and is repeated without effect', async () => {
    const { person } = await signUp(world)
    const { host, page } = await verifiedLogin(person)
    const commit = { ...(await loginCommit(host, person)), currentWalletIds: { EVM: [nobody] }, needsWallet: false }

    await page.call(commits.commit(page.openingId, commit))
    await page.call(commits.commit(page.openingId, commit))

    const touched = await host.touch()
    expect(touched).toMatchObject({
      isAuthenticated: true,
      userId: person.userId,
      identity: { email: person.email },
      currentWalletIds: { EVM: [nobody] },
      needsWallet: false,
      openingResult: { openingId: page.openingId, sealedResult: commit.sealedResult },
    })
    expect(touched.session).toMatchObject({ deviceCertificate: commit.deviceCertificate })
    expect(await page.refused(commits.commit(page.openingId, { ...commit, needsWallet: true }))).toBe(
      'Conflict: conflict',
    )
  })

  it('is for the user that the page verified', async () => {
    const { person } = await signUp(world)
    const { person: other } = await signUp(world)
    const { host, page } = await verifiedLogin(person)

    expect(await page.refused(commits.commit(page.openingId, await loginCommit(host, other)))).toBe(notFound)
    const { host: unverified, page: early } = await atLogin(world)
    expect(await early.refused(commits.commit(early.openingId, await loginCommit(unverified, person)))).toBe(notFound)
  })

  it('never replaces the user of a proven session', async () => {
    const { person } = await signUp(world)
    const { host, page } = await verifiedLogin(person, (await verifiedHost(world, world.email())).host)

    expect(await page.refused(commits.commit(page.openingId, await loginCommit(host, person)))).toBe(
      'OtherAccount: sign out of the other account first',
    )
  })

  it.each([
    [
      'of another device',
      (other: Host) => ({ devicePublicKey: Uint8Array.from(Buffer.from(other.devicePublicKey, 'hex')) }),
    ],
    ['of another session', (other: Host) => ({ sessionId: other.sessionId })],
    ['of another origin', () => ({ origin: 'https://evil.localhost' })],
    ['of another user', () => ({ userId: nobody })],
    ['that has expired', () => ({ issuedAt: 0, expiresAt: 1 })],
  ])('refuses a certificate %s', async (_, changes) => {
    const { person } = await signUp(world)
    const { host, page } = await verifiedLogin(person)
    const other = await newHost()
    const deviceCertificate = person.certificate(host, await world.now(), changes(other))

    expect(
      await page.refused(commits.commit(page.openingId, { ...(await loginCommit(host, person)), deviceCertificate })),
    ).toBe('InvalidCredential: invalid credential')
    expect(await host.touch()).toMatchObject({ isAuthenticated: false })
  })

  it('refuses a certificate of another root key, and a missing one', async () => {
    const { person } = await signUp(world)
    const { person: other } = await signUp(world)
    const { host, page } = await verifiedLogin(person)
    const commit = await loginCommit(host, person)
    const forged = other.certificate(host, await world.now(), { userId: person.userId })

    for (const deviceCertificate of [forged, null, '', 'zz']) {
      expect(await page.refused(commits.commit(page.openingId, { ...commit, deviceCertificate }))).toBe(
        'InvalidCredential: invalid credential',
      )
    }
  })
})

describe('a new device (A16)', () => {
  it('is a session of the same partner that is authenticated as the same user', async () => {
    const { host, person } = await signUp(world)
    const { host: stranger } = await signUp(world)
    const partnerId = world.partner().partner.id
    const of = (lookupId: string, changes: { readonly userId?: string; readonly partnerId?: string } = {}) =>
      sessions.newDevice({ lookupId, partnerId, userId: person.userId, ...changes })

    for (const lookupId of [host.lookupId, `${host.lookupId}-new-device`]) {
      expect((await host.call(of(lookupId))).id).toBe(host.sessionId)
    }
    const fresh = await newHost()
    for (const flow of [
      of(stranger.lookupId),
      of(fresh.lookupId),
      of(nobody),
      of(host.lookupId, { partnerId: nobody }),
      of(host.lookupId, { userId: nobody }),
    ]) {
      expect(await host.refused(flow)).toBe(notFound)
    }
  })

  it("in a link is refused by the verification when it is a stranger's", async () => {
    const { person } = await signUp(world)
    const { host: stranger } = await signUp(world)
    const { page } = await atLogin(world)

    const proof = { ...person.proof(page), newDeviceSessionLookupId: `${stranger.lookupId}-new-device` }

    expect(await page.refused(passwords.verifyPassword(proof))).toBe(notFound)
  })
})

const noAssertion = { clientDataJSON: 'AAAA', authenticatorData: 'AAAA', signature: 'AAAA' }

async function loginCommit(host: Host, person: Person) {
  return {
    userId: person.userId,
    currentWalletIds: {},
    needsWallet: true,
    deviceCertificate: person.certificate(host, await world.now()) as string | null,
    sealedResult: `v2.${'s'.repeat(60)}` as string | null,
    credential: null,
  }
}

/** What the page commits when it could not ask the host for its device key. */
async function redirectCommit(host: Host, person: Person) {
  return { ...(await loginCommit(host, person)), deviceCertificate: null }
}

const sessionOf = (host: Host) =>
  world.run(
    Effect.map(
      Effect.flatMap(Sessions, ({ find }) => find(host.sessionId)),
      Option.getOrThrow,
    ),
  )

/** A page at which the person proved the password. */
async function verifiedLogin(person: Person, known?: Host) {
  const host = known ?? world.host()
  if (known === undefined) await host.touch()
  await host.register({ loginPublicKey: loginKey })
  const page = await host.open('login-password')
  await page.call(passwords.verifyPassword(person.proof(page)))
  return { host, page }
}

async function atRedirect() {
  const host = await newHost()
  const page = await host.visit('login-password')
  const code = randomBytes(32)
  await page.enter({ redirect: true, redeemHash: bytesToHex(Opener.redeemHash(Opener.redeemProof(code))) })
  return { host, page, code }
}
