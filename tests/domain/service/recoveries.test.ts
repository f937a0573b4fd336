/** How a recovery begins, who may start it, and what its new credential permits (domain/service/README.md#recovery). */
import { randomUUID } from 'node:crypto'
import { hexToBytes } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import { describe, expect, it } from 'vitest'
import { Caller } from '../../../domain/service/Caller.ts'
import { maximumPasskeys } from '../../../domain/service/Credential.ts'
import { Codes } from '../../../domain/service/ports/Codes.ts'
import { Passkeys } from '../../../domain/service/ports/Passkeys.ts'
import { Passwords } from '../../../domain/service/ports/Passwords.ts'
import { Recoveries } from '../../../domain/service/ports/Recoveries.ts'
import { Wallets } from '../../../domain/service/ports/Wallets.ts'
import { Watermarks } from '../../../domain/service/ports/Watermarks.ts'
import { epochWatermark } from '../../../domain/service/protocol/watermarks.ts'
import { recoveryLimits } from '../../../domain/service/Recovery.ts'
import * as passkeys from '../../../domain/service/passkeys.ts'
import * as passwords from '../../../domain/service/passwords.ts'
import { defaultRates, Rates } from '../../../domain/service/rates.ts'
import * as recoveries from '../../../domain/service/recoveries.ts'
import * as sessions from '../../../domain/service/sessions.ts'
import * as users from '../../../domain/service/users.ts'
import { atLogin, connectOrigin, minutes, Person, portalOrigin, shop, signUp, useWorld, type Host } from './identity.ts'

const world = useWorld()
const device = { device: true }
const wrongCode = 'InvalidVerificationCode: invalid verification code'
const tooMany = 'TooManyAttempts: too many attempts'
const alreadyExists = 'UserAlreadyExists: user already exists'
const nobodyThere = 'NoSignedInUser: no signed-in user'

/** Our own page, which has a session of this partner and its keys. */
const openPage = async (of = world.partner()) => {
  const page = world.host(of, connectOrigin)
  await page.touch()
  await page.register({ recoveryPublicKey: page.recoveryPublicKey })
  return page
}

const started = async (email: string) => {
  const page = await openPage()
  await page.call(recoveries.startRecovery({ email }))
  return page
}

const verify = (email: string, code = world.codeTo(email)) => recoveries.verifyRecovery({ email }, code)

const ready = async (email: string) => {
  const page = await started(email)
  await page.call(verify(email))
  return page
}

const stateOf = async ({ sessionId }: Host) =>
  Option.getOrUndefined(await world.run(Effect.flatMap(Recoveries, (port) => port.find(sessionId))))?.state

/** A page of the portal for the new credential, and what it will send. */
const atNewPassword = async (page: Host, { email, userId }: Person) => {
  const renewed = new Person(email)
  renewed.userId = userId
  renewed.passwordId = (await page.call(passwords.createPassword(userId), device)).id
  const portal = await page.open('create-password', renewed.passwordId)
  const pepper = hexToBytes(portal.entered?.password?.pepper ?? '')
  return { renewed, portal, body: renewed.completion(page, await world.now(), pepper) }
}

const withNewPassword = async () => {
  const { host, person } = await signUp(world)
  const page = await ready(person.email)
  const { renewed, portal, body } = await atNewPassword(page, person)
  await portal.call(passwords.updatePassword(person.userId, renewed.passwordId, body))
  return { host, person, page, renewed, portal, body }
}

describe('the beginning', () => {
  it('sends a code to a user who has an account; the mail names the app and the page', async () => {
    const { person } = await signUp(world)
    const before = world.mails.length

    await started(person.email)

    const sent = world.mails.slice(before)
    expect(sent.map(({ to, subject }) => [to, subject])).toEqual([[person.email, 'Your recovery code for Shop']])
    expect(sent[0]?.text).toContain(connectOrigin)
    expect(sent[0]?.text).toContain(world.codeTo(person.email))
  })

  it('gives a stranger and a user without credential the same answer, and sends no mail', async () => {
    const stranger = world.email()
    const { person } = await signUp(world)
    const unfinished = world.email()
    const host = world.host()
    await host.touch()
    await host.call(users.createUser({ email: unfinished }))
    const before = world.mails.length

    for (const email of [stranger, unfinished]) {
      const page = await openPage()
      await page.call(recoveries.startRecovery({ email }))
      for (let tries = 0; tries < users.userLimits.codeTries; tries++) {
        expect(await page.refused(verify(email, '000000'))).toBe(wrongCode)
      }
      expect(await page.refused(verify(email, '000000'))).toBe(tooMany)
    }
    expect(world.mails).toHaveLength(before)

    const known = await started(person.email)
    for (let tries = 0; tries < users.userLimits.codeTries; tries++) {
      expect(await known.refused(verify(person.email, 'wrong'))).toBe(wrongCode)
    }
    expect(await known.refused(verify(person.email, 'wrong'))).toBe(tooMany)
    expect(await known.refused(verify(person.email))).toBe(tooMany)
  })

  it('does not support phones yet, and gives the same answer for them', async () => {
    const page = await openPage()
    await page.call(recoveries.startRecovery({ phone: '5550100', countryCode: '+1' }))
    expect(await stateOf(page)).toBeUndefined()
  })

  it('is for our own page: no other page with a session begins or proves one', async () => {
    const { person } = await signUp(world)
    for (const origin of [shop, portalOrigin]) {
      const host = world.host(world.partner(), shop)
      await host.touch()
      const edge = { origin }
      expect(await host.refused(recoveries.startRecovery({ email: person.email }), edge)).toBe(
        'OriginNotAllowed: origin not allowed',
      )
      expect(await host.refused(verify(person.email), edge)).toBe('OriginNotAllowed: origin not allowed')
    }
  })

  it('is refused in a signed-in session', async () => {
    const { host, person } = await signUp(world)
    expect(await host.refused(recoveries.startRecovery({ email: person.email }), { origin: undefined })).toBe(
      'OtherAccount: sign out of the other account first',
    )
  })

  it('is limited by mail address and by caller', async () => {
    const { person } = await signUp(world)
    const page = await openPage()
    const { burst } = defaultRates.R6_DAY
    for (let asked = 0; asked < burst; asked++) await page.call(recoveries.startRecovery({ email: person.email }))

    expect(await page.refused(recoveries.startRecovery({ email: person.email }))).toBe(tooMany)
  })

  it('counts for its partner only with a mail, and not among sign-ups; both kinds of address are refused alike', async () => {
    const [{ person }, { person: other }] = [await signUp(world), await signUp(world)]
    const partner = await world.createPartner()
    const one = <A, E, R>(flow: Effect.Effect<A, E, R>) =>
      Effect.provideService(flow, Rates, { ...defaultRates, R6_PARTNER: { burst: 1, perMs: minutes(720) } })
    const start = (email: string) => one(recoveries.startRecovery({ email }))
    const open = () => openPage(partner)
    for (let asked = 0; asked < 3; asked++) await (await open()).call(start(world.email()))

    const page = await open()
    await page.call(start(person.email))
    await expect(page.call(verify(person.email))).resolves.toMatchObject({ userId: person.userId })
    expect(await (await open()).refused(start(other.email))).toBe(tooMany)
    expect(await (await open()).refused(start(world.email()))).toBe(tooMany)

    const signingUp = world.host(partner)
    await signingUp.touch()
    await expect(signingUp.call(one(users.createUser({ email: world.email() })))).resolves.toBeDefined()
  })

  it('has a limit apart from that of sign-ups, so that neither uses up the other', async () => {
    const { burst } = defaultRates.R6_DAY
    const email = world.email()
    const page = await openPage()
    for (let asked = 0; asked < burst; asked++) await page.call(recoveries.startRecovery({ email }))
    const { host, person } = await signUp(world, email)
    expect(await host.touch()).toMatchObject({ isAuthenticated: true })

    const strict = await world.createPartner({ strict: true })
    const stranger = world.host(strict)
    await stranger.touch()
    // The sign-up used one code.
    for (let asked = 1; asked < burst; asked++) await stranger.call(users.createUser({ email }))
    expect(await stranger.refused(users.createUser({ email }))).toBe(tooMany)
    const { person: other } = await signUp(world)
    const another = world.host(strict)
    await another.touch()
    for (let asked = 1; asked < burst; asked++) await another.call(users.createUser({ email: other.email }))
    expect(await stateOf(await ready(other.email))).toBe('READY')
    expect(person.email).toBe(email)
  })
})

describe('the code', () => {
  it('binds the session to the user, returns the wallets, and sends a mail', async () => {
    const { person } = await signUp(world)
    const page = await started(person.email)
    const before = world.mails.length

    expect(await page.call(verify(person.email))).toEqual({ userId: person.userId, wallets: [] })

    expect(await stateOf(page)).toBe('READY')
    expect(await page.touch()).toMatchObject({ isAuthenticated: false, userId: person.userId })
    expect(world.mails.slice(before).map(({ to, code }) => [to, code])).toEqual([[person.email, undefined]])
    expect(world.mails.at(-1)?.text).toContain('cancel')
  })

  it('gets the same answer when it is repeated, for an answer that was lost', async () => {
    const { person } = await signUp(world)
    const page = await ready(person.email)
    const before = world.mails.length

    expect(await page.call(verify(person.email))).toEqual({ userId: person.userId, wallets: [] })
    expect(await page.refused(verify(world.email()))).toBe(wrongCode)
    expect(world.mails).toHaveLength(before)
  })

  it('names in its mail a wallet that an older database has forgotten, because its user has a chance before it ends', async () => {
    const { person } = await signUp(world)
    const partnerId = world.partner().partner.id
    const asNew = { userId: person.userId, partnerId, type: 'EVM', scheme: 'DKLS', cosmosPrefix: null, now: 0 } as const
    const [unmade, forgotten] = [randomUUID(), randomUUID()]
    await world.run(
      Effect.gen(function* () {
        const wallets = yield* Wallets
        yield* wallets.findOrCreate({ ...asNew, id: unmade, slot: 0 })
        yield* wallets.findOrCreate({ ...asNew, id: forgotten, slot: 1 })
        yield* (yield* Watermarks).raise(epochWatermark(forgotten), 1)
      }),
    )

    await ready(person.email)
    const { text = '' } = world.mails.at(-1) ?? {}
    expect(text).toContain('open its app there before you go on:')
    expect(text.match(/^EVM wallet at .+$/gm)).toHaveLength(1)
  })

  it('gives no answer about a user that the session did not prove, whatever was begun in it meanwhile', async () => {
    const [{ person: mallory }, { person: victim }] = [await signUp(world), await signUp(world)]
    const page = await ready(mallory.email)
    const begun = { sessionId: page.sessionId, userId: victim.userId, createdAt: 0, expiresAt: Number.MAX_SAFE_INTEGER }
    await world.run(
      Effect.gen(function* () {
        const port = yield* Recoveries
        yield* port.begin(begun)
        yield* port.ready(page.sessionId, victim.userId, { walletIds: [], expiresAt: begun.expiresAt })
      }),
    )

    expect(await page.refused(recoveries.verifyRecovery({}, world.codeTo(mallory.email)))).toBe(wrongCode)
  })

  it('does not make a recovery READY that was begun for another address during the check', async () => {
    const [{ person: mallory }, { person: victim }] = [await signUp(world), await signUp(world)]
    const page = await started(mallory.email)
    const begun = { sessionId: page.sessionId, userId: victim.userId, createdAt: 0, expiresAt: Number.MAX_SAFE_INTEGER }
    const begin = Effect.promise(() => world.run(Effect.flatMap(Recoveries, (port) => port.begin(begun))))
    const meanwhile = Effect.updateService(Codes, (port) => ({
      ...port,
      consume: (attempt) => Effect.tap(port.consume(attempt), () => begin),
    }))

    expect(await page.refused(meanwhile(verify(mallory.email)))).toBe(wrongCode)
    expect(await stateOf(page)).toBe('INITIATED')
    expect(await page.touch()).toMatchObject({ userId: null })
  })

  it('is bound to the session that asked, and to the address that it was sent to', async () => {
    const [{ person }, { person: other }] = [await signUp(world), await signUp(world)]
    const page = await started(person.email)
    const foreign = await started(other.email)

    expect(await foreign.refused(verify(other.email, world.codeTo(person.email)))).toBe(wrongCode)
    expect(await page.refused(verify(other.email, world.codeTo(person.email)))).toBe(wrongCode)
    expect(await (await openPage()).refused(verify(person.email))).toBe(wrongCode)
    await page.call(recoveries.verifyRecovery({}, world.codeTo(person.email)))
  })

  it('of a sign-up or an older recovery is refused', async () => {
    const { person } = await signUp(world)
    const page = await started(person.email)
    const older = world.codeTo(person.email)
    await page.call(recoveries.startRecovery({ email: person.email }))

    if (older !== world.codeTo(person.email)) expect(await page.refused(verify(person.email, older))).toBe(wrongCode)
    await page.call(verify(person.email))
  })

  it('is valid for ten minutes', async () => {
    const { person } = await signUp(world)
    const page = await started(person.email)
    await world.advance(users.userLimits.codeLife + 1)

    expect(await page.refused(verify(person.email))).toBe(wrongCode)
  })

  it('cancels every other recovery of the user when it is right', async () => {
    const { person } = await signUp(world)
    const first = await ready(person.email)
    const second = await started(person.email)
    expect(await stateOf(first)).toBe('READY')

    await second.call(verify(person.email))

    expect([await stateOf(first), await stateOf(second)]).toEqual(['CANCELLED', 'READY'])
    expect(await first.refused(passwords.createPassword(person.userId), device)).toBe(alreadyExists)
  })
})

describe('a recovery', () => {
  it('lasts 15 minutes, and its session as long', async () => {
    const { person } = await signUp(world)
    const page = await openPage()
    await world.advance(minutes(9))
    await page.call(recoveries.startRecovery({ email: person.email }))
    await world.advance(minutes(9))
    await page.call(verify(person.email))
    await world.advance(recoveryLimits.life - 1_000)
    expect((await page.call(passwords.createPassword(person.userId), device)).id).toBeDefined()

    await world.advance(2_000)

    expect(await page.refused(passwords.createPassword(person.userId), device)).toBe(nobodyThere)
    await world.run(recoveries.sweep())
    expect(await stateOf(page)).toBe('EXPIRED')
    await world.advance(recoveryLimits.kept + minutes(1))
    await world.run(recoveries.sweep())
    expect(await stateOf(page)).toBeUndefined()
  })

  it('can be cancelled by any live session of the user, and by itself', async () => {
    const { host, person } = await signUp(world)
    const page = await ready(person.email)
    await host.call(recoveries.cancelRecovery())
    expect(await stateOf(page)).toBe('CANCELLED')

    const again = await ready(person.email)
    await again.call(recoveries.cancelRecovery())
    expect(await stateOf(again)).toBe('CANCELLED')

    const unproven = await started(person.email)
    await unproven.call(recoveries.cancelRecovery())
    expect(await unproven.refused(verify(person.email))).toBe(wrongCode)
  })

  it('is not cancelled by any other session, which gets the same answer', async () => {
    const [{ person }, { host: stranger }] = [await signUp(world), await signUp(world)]
    const page = await ready(person.email)
    const fresh = await openPage()
    const unproven = await started(person.email)

    for (const other of [stranger, fresh, world.host(), unproven]) await other.call(recoveries.cancelRecovery())
    expect([await stateOf(page), await stateOf(unproven)]).toEqual(['READY', 'CANCELLED'])
  })
})

describe('the new credential', () => {
  it('is whole, under a root key of its own, and logs no session in', async () => {
    const { host, person, page, portal, body } = await withNewPassword()

    expect(await page.touch()).toMatchObject({
      isAuthenticated: false,
      userId: person.userId,
      openingResult: { openingId: portal.openingId, sealedResult: body.sealedResult },
    })
    const session = Option.getOrUndefined(await world.run(sessions.fromToken(page.token ?? '')))
    expect(session).toMatchObject({ state: 'VERIFIED', deviceCertificate: body.deviceCertificate })
    expect(await host.touch()).toMatchObject({ isAuthenticated: true, userId: person.userId })
    expect(await host.call(users.getUser(person.userId))).toMatchObject({ userId: person.userId })
  })

  it('is the only one that the recovery sees, and no other session sees it', async () => {
    const { host, person, page, renewed } = await withNewPassword()
    const list = passwords.listPasswords({ userId: person.userId })

    expect(await page.call(list)).toMatchObject([
      { id: renewed.passwordId, status: 'COMPLETE', rootPublicKey: renewed.rootPublicKey },
    ])
    expect((await host.call(list)).map(({ id }) => id)).toEqual([person.passwordId])
    const stranger = world.host()
    await stranger.touch()
    const beforeLogin = await stranger.call(passwords.listPasswords({ email: person.email }))
    expect(beforeLogin.map(({ id }) => id)).toEqual([person.passwordId])
    expect(await page.call(passkeys.listPasskeys(person.userId))).toEqual([])
  })

  it('is not accepted at the login page, and the old one still is', async () => {
    const { person, renewed } = await withNewPassword()
    const { page: login } = await atLogin(world)

    const verification = passwords.verifyPassword(renewed.proof(login))
    expect(await login.refused(verification)).toBe('InvalidPassword: invalid password')
    const { page: again } = await atLogin(world)
    expect(await again.call(passwords.verifyPassword(person.proof(again)))).toMatchObject({ userId: person.userId })
  })

  it('is unique: a second one is refused, and a repetition gets the same answer', async () => {
    const { person, page, renewed, portal, body } = await withNewPassword()

    await portal.call(passwords.updatePassword(person.userId, renewed.passwordId, body))
    expect(await page.refused(passwords.createPassword(person.userId), device)).toBe(alreadyExists)
    expect(await page.refused(passkeys.createPasskey(person.userId, 'WEB'), device)).toBe(alreadyExists)
  })

  it('stays when an earlier call arrives late', async () => {
    const { person, page, renewed } = await withNewPassword()
    const before = Effect.updateService(Caller, (caller) => ({
      ...caller,
      recovery: caller.recovery === undefined ? undefined : { ...caller.recovery, credential: null },
    }))

    expect(await page.refused(before(passwords.createPassword(person.userId)), device)).toBe(alreadyExists)
    expect(await page.refused(before(passkeys.createPasskey(person.userId, 'WEB')), device)).toBe(alreadyExists)
    const found = await world.run(Effect.flatMap(Passwords, (port) => port.find(renewed.passwordId)))
    expect(Option.getOrUndefined(found)?.status).toBe('STAGED')
  })

  it('may be a passkey, however many passkeys were lost', async () => {
    const { person } = await signUp(world)
    const { userId } = person
    const partnerId = world.partner().partner.id
    await world.run(
      Effect.gen(function* () {
        const port = yield* Passkeys
        for (let count = 0; count < maximumPasskeys; count++) {
          const [id, sessionId] = [crypto.randomUUID(), crypto.randomUUID()]
          yield* port.create({ id, userId, partnerId, sessionId, type: 'WEB', expiresAt: 0, now: 0 })
        }
      }),
    )

    const page = await ready(person.email)
    for (let asked = 0; asked <= maximumPasskeys; asked++) {
      expect((await page.call(passkeys.createPasskey(userId, 'WEB'), device)).id).toBeDefined()
    }
  })

  it('is refused under the old root key, and without a recovery', async () => {
    const { host, person } = await signUp(world)
    const page = await ready(person.email)
    const { renewed, portal } = await atNewPassword(page, person)
    const pepper = hexToBytes(portal.entered?.password?.pepper ?? '')
    const { userId, passwordId, masterKey } = renewed
    const { rootSeed } = person
    const sameRoot = Object.assign(new Person(person.email), { userId, passwordId, masterKey, rootSeed })
    const update = (body: passwords.PasswordToComplete) =>
      passwords.updatePassword(person.userId, renewed.passwordId, body)

    expect(await portal.refused(update(sameRoot.completion(page, await world.now(), pepper)))).toBe(
      'InvalidCredential: invalid credential',
    )
    await host.call(recoveries.cancelRecovery())
    const completion = renewed.completion(page, await world.now(), pepper)
    expect(await portal.refused(update(completion))).toBe('NotFound: not found')
    expect(await host.touch()).toMatchObject({ isAuthenticated: true })
  })

  it('is deleted with a cancelled recovery, and a new recovery makes another', async () => {
    const { host, person, page, renewed } = await withNewPassword()

    await host.call(recoveries.cancelRecovery())
    const found = await world.run(Effect.flatMap(Passwords, (port) => port.find(renewed.passwordId)))
    expect(Option.isNone(found)).toBe(true)

    await page.call(recoveries.startRecovery({ email: person.email }))
    await page.call(verify(person.email))
    expect((await page.touch()).openingResult).toBeNull()
    expect((await page.call(passwords.createPassword(person.userId), device)).id).toBeDefined()
  })
})
