import * as Effect from 'effect/Effect'
import { describe, expect, it } from 'vitest'
import { defaultRates, Rates } from '../../../domain/service/rates.ts'
import * as users from '../../../domain/service/users.ts'
import { minutes, shop, signUp, useWorld, verifiedHost, type Host } from './identity.ts'

const world = useWorld()

const newHost = async (partner = world.partner()) => {
  const host = world.host(partner)
  await host.touch()
  return host
}

const wrongCode = (code: string) => (code === '000000' ? '111111' : '000000')

const auditsOf = async (event: string, host: Host) =>
  (await world.dump()).split('\n').filter((row) => row.includes(`"event":"${event}"`) && row.includes(host.sessionId))

describe('creating a user', () => {
  it('binds the session to it and mails a code of six digits that names the origin', async () => {
    const email = world.email()
    const host = await newHost()

    const userId = await host.call(users.createUser({ email }))

    expect(world.mails.findLast(({ to }) => to === email)).toMatchObject({
      code: expect.stringMatching(/^[0-9]{6}$/),
      text: expect.stringContaining(shop),
    })
    expect((await host.touch()).session).toMatchObject({ state: 'IDENTIFIED', userId, userProven: false })
  })

  it('without a session begins one', async () => {
    const host = world.host()

    await host.call(users.createUser({ email: world.email() }))

    expect((await host.touch()).session.state).toBe('IDENTIFIED')
  })

  it.each([
    ['none', {}],
    ['two at once', { email: 'a@example.org', phone: '1', countryCode: '+1' }],
    ['a phone without its country', { phone: '5551234' }],
    ['an empty e-mail', { email: '' }],
    ['the text null', { email: 'null' }],
    ['no mailbox', { email: 'not an e-mail' }],
    ['a mailbox without a host', { email: 'somebody@' }],
    ['a host without a mailbox', { email: '@example.org' }],
    ['two mailboxes', { email: 'a@example.org,b@example.org' }],
    ['a header', { email: 'a@example.org\r\nBcc: b@example.org' }],
    ['an endless one', { email: `${'a'.repeat(250)}@example.org` }],
    ['a user id', { userId: '3c1a5f6e-8d25-4a35-9b02-8a8f4b6d4f10' }],
  ])('takes exactly one identity: %s is refused and nothing is changed', async (_, auth) => {
    const host = await newHost()
    const mails = world.mails.length

    expect(await host.refused(users.createUser(auth))).toBe('InvalidAuthObject: invalid auth object')

    expect(world.mails).toHaveLength(mails)
    expect((await host.touch()).session.state).toBe('NEW')
  })

  it('refuses a phone by name, as long as no message can be sent to it', async () => {
    const host = await newHost()

    expect(await host.refused(users.createUser({ phone: '5551234', countryCode: '+1' }))).toBe(
      'PhoneNotOffered: sign-up by phone is not offered',
    )
  })

  it('finds the same user again, whatever the case of its e-mail, also for two at once', async () => {
    const email = world.email()
    const hosts = await Promise.all([newHost(), newHost(), newHost()])

    const ids = await Promise.all(
      hosts.map((host, index) => host.call(users.createUser({ email: index === 1 ? email.toUpperCase() : email }))),
    )

    expect(new Set(ids).size).toBe(1)
  })

  it('repeated sends a new code and invalidates the old one', async () => {
    const email = world.email()
    const host = await newHost()
    await host.call(users.createUser({ email }))
    const old = world.codeTo(email)
    const userId = await host.call(users.createUser({ email }))
    const fresh = world.codeTo(email)

    if (old !== fresh) {
      expect(await host.refused(users.verifyEmail(userId, old))).toBe(
        'InvalidVerificationCode: invalid verification code',
      )
    }
    await expect(host.call(users.verifyEmail(userId, fresh))).resolves.toBeUndefined()
  })

  it('is refused once a credential is complete (A13)', async () => {
    const { person } = await signUp(world)
    const host = await newHost()

    expect(await host.refused(users.createUser({ email: person.email }))).toBe('UserAlreadyExists: user already exists')
  })

  it('never replaces the user of a proven session', async () => {
    const { host, userId } = await verifiedHost(world, world.email())

    expect(await host.refused(users.createUser({ email: world.email() }))).toBe(
      'OtherAccount: sign out of the other account first',
    )
    expect((await host.touch()).userId).toBe(userId)
  })

  it('is limited to thirty an hour for one network address, whichever mailboxes they are for', async () => {
    const network = '192.0.2.88'
    for (let code = 0; code < 30; code++)
      await (await newHost()).call(users.createUser({ email: world.email() }), { network })
    const host = await newHost()

    expect(await host.refused(users.createUser({ email: world.email() }), { network })).toBe(
      'TooManyAttempts: too many attempts',
    )
    await world.advance(minutes(2))
    await expect(host.call(users.createUser({ email: world.email() }), { network })).resolves.toBeDefined()
  })

  it('is sent once a minute and five times an hour to one mail address, by any session', async () => {
    const email = world.email()
    const usual = <A, E, R>(flow: Effect.Effect<A, E, R>) => Effect.provideService(flow, Rates, defaultRates)
    const sent = async () => (await newHost()).call(usual(users.createUser({ email })))
    const refused = async () => (await newHost()).refused(usual(users.createUser({ email })))
    await sent()
    expect(await refused()).toBe('TooManyAttempts: too many attempts')
    for (let code = 1; code < 5; code++) {
      await world.advance(minutes(1))
      await sent()
    }

    await world.advance(minutes(1))
    expect(await refused()).toBe('TooManyAttempts: too many attempts')
    await world.advance(minutes(12))
    await sent()
  })

  it('is limited to as many a day as a partner may send, whichever mailboxes they are for', async () => {
    const partner = await world.createPartner()
    const few = <A, E, R>(flow: Effect.Effect<A, E, R>) =>
      Effect.provideService(flow, Rates, { ...defaultRates, R6_PARTNER: { burst: 2, perMs: minutes(720) } })
    for (let code = 0; code < 2; code++)
      await (await newHost(partner)).call(few(users.createUser({ email: world.email() })))

    expect(await (await newHost(partner)).refused(few(users.createUser({ email: world.email() })))).toBe(
      'TooManyAttempts: too many attempts',
    )
    const other = await newHost(await world.createPartner())
    await expect(other.call(few(users.createUser({ email: world.email() })))).resolves.toBeDefined()
  })

  it('is limited by codes that were sent: a call that is refused takes nothing from the partner', async () => {
    const partner = await world.createPartner()
    const one = <A, E, R>(flow: Effect.Effect<A, E, R>) =>
      Effect.provideService(flow, Rates, { ...defaultRates, R6_PARTNER: { burst: 1, perMs: minutes(720) } })
    const host = await newHost(partner)
    const old = host.token
    await host.touch(true)

    const refused = await host.refused(one(users.createUser({ email: world.email() })), { token: old })
    expect(refused).toBe('NoSignedInUser: no signed-in user')
    await expect(host.call(one(users.createUser({ email: world.email() })))).resolves.toBeDefined()
  })

  it('is limited to ten codes a day for one mail address', async () => {
    const email = world.email()
    const host = await newHost()
    for (let code = 0; code < 10; code++) await host.call(users.createUser({ email }))

    expect(await host.refused(users.createUser({ email }))).toBe('TooManyAttempts: too many attempts')
    expect(await (await newHost()).refused(users.createUser({ email: email.toUpperCase() }))).toBe(
      'TooManyAttempts: too many attempts',
    )
  })
})

describe('a mailed code', () => {
  it('is accepted once of fifty simultaneous tries, and proves the user once', async () => {
    const email = world.email()
    const host = await newHost()
    const userId = await host.call(users.createUser({ email }))
    const code = world.codeTo(email)

    const outcomes = await Promise.allSettled(
      Array.from({ length: 50 }, () => host.call(users.verifyEmail(userId, code))),
    )

    expect(outcomes.some(({ status }) => status === 'fulfilled')).toBe(true)
    const late = outcomes.filter(({ status }) => status === 'rejected')
    const _tag: unknown = expect.stringMatching(/^(?:InvalidVerificationCode|TooManyAttempts)$/)
    for (const one of late) expect(one).toMatchObject({ reason: { _tag } })
    expect(await auditsOf('user.verified', host)).toHaveLength(1)
  })

  it('is refused when it is wrong, and an earlier proof stays', async () => {
    const email = world.email()
    const host = await newHost()
    const userId = await host.call(users.createUser({ email }))
    const code = world.codeTo(email)

    expect(await host.refused(users.verifyEmail(userId, wrongCode(code)))).toBe(
      'InvalidVerificationCode: invalid verification code',
    )
    expect((await host.touch()).userId).toBeNull()
    await host.call(users.verifyEmail(userId, ` ${code} `))
    await host.call(users.verifyEmail(userId, wrongCode(code)))
    expect((await host.touch()).userId).toBe(userId)
    expect(await auditsOf('user.verified', host)).toHaveLength(1)
  })

  it('has five tries: the right one is refused as the sixth', async () => {
    const email = world.email()
    const host = await newHost()
    const userId = await host.call(users.createUser({ email }))
    const code = world.codeTo(email)
    for (let attempt = 0; attempt < 5; attempt++) {
      expect(await host.refused(users.verifyEmail(userId, wrongCode(code)))).toMatch(/^InvalidVerificationCode/)
    }

    expect(await host.refused(users.verifyEmail(userId, code))).toBe('TooManyAttempts: too many attempts')
    expect((await host.touch()).userId).toBeNull()
  })

  it('is valid for ten minutes and not a second longer', async () => {
    const email = world.email()
    const [early, late] = await Promise.all([newHost(), newHost()])
    const userId = await early.call(users.createUser({ email }))
    const codeOfEarly = world.codeTo(email)
    await late.call(users.createUser({ email }))
    const codeOfLate = world.codeTo(email)

    await world.advance(minutes(10))
    await expect(early.call(users.verifyEmail(userId, codeOfEarly))).resolves.toBeUndefined()
    await world.advance(1_000)

    expect(await late.refused(users.verifyEmail(userId, codeOfLate))).toBe(
      'InvalidVerificationCode: invalid verification code',
    )
  })

  it('is bound to the session that asked for it', async () => {
    const email = world.email()
    const [host, other] = await Promise.all([newHost(), newHost()])
    const userId = await host.call(users.createUser({ email }))
    const code = world.codeTo(email)
    await other.call(users.createUser({ email }))
    const ofOther = world.codeTo(email)

    if (code !== ofOther) {
      expect(await other.refused(users.verifyEmail(userId, code))).toBe(
        'InvalidVerificationCode: invalid verification code',
      )
    }
    expect(await (await newHost()).refused(users.verifyEmail(userId, code))).toBe('NotFound: not found')
    expect(await host.refused(users.verifyEmail(userId, code), { token: undefined })).toBe(
      'NoSignedInUser: no signed-in user',
    )
  })

  it('is invalid once another was sent', async () => {
    const email = world.email()
    const host = await newHost()
    const userId = await host.call(users.createUser({ email }))
    const old = world.codeTo(email)

    await host.call(users.resendVerificationCode(userId))

    const fresh = world.codeTo(email)
    if (old !== fresh) expect(await host.refused(users.verifyEmail(userId, old))).toMatch(/^InvalidVerificationCode/)
    await expect(host.call(users.verifyEmail(userId, fresh))).resolves.toBeUndefined()
  })

  it("is sent again to the session's own user only", async () => {
    const host = await newHost()
    await host.call(users.createUser({ email: world.email() }))

    expect(await host.refused(users.resendVerificationCode('3c1a5f6e-8d25-4a35-9b02-8a8f4b6d4f10'))).toBe(
      'NotFound: not found',
    )
  })
})

describe('whether an account exists', () => {
  it('is answered by whether the user can log in', async () => {
    const { person } = await signUp(world)
    const started = world.email()
    const host = await newHost()
    await host.call(users.createUser({ email: started }))

    expect(await host.call(users.checkUserExists({ email: person.email }))).toBe(true)
    expect(await host.call(users.checkUserExists({ email: started }))).toBe(false)
    expect(await host.call(users.checkUserExists({ email: world.email() }))).toBe(false)
    expect(await host.refused(users.checkUserExists({}))).toBe('InvalidAuthObject: invalid auth object')
  })

  it('is answered with the wire’s names of its methods; a stranger has none', async () => {
    const { person } = await signUp(world)
    const host = await newHost()

    expect(await host.call(users.getSupportedAuthMethods({ email: person.email }))).toEqual(['PASSWORD'])
    expect(await host.call(users.getSupportedAuthMethods({ email: world.email() }))).toEqual([])
    expect(await host.refused(users.getSupportedAuthMethods({ email: 'a@b.c', telegramUserId: '1' }))).toBe(
      'InvalidAuthObject: invalid auth object',
    )
  })

  it('is limited by network address', async () => {
    const host = await newHost()
    const asking = { network: '192.0.2.77' }
    for (let question = 0; question < 60; question++) {
      await host.call(users.checkUserExists({ email: 'a@example.org' }), asking)
    }

    expect(await host.refused(users.checkUserExists({ email: 'a@example.org' }), asking)).toBe(
      'TooManyAttempts: too many attempts',
    )
  })
})

describe('a strict partner', () => {
  it('does not tell whether an account exists', async () => {
    const strict = await world.createPartner({ strict: true })
    const { person } = await signUp(world)
    const host = await newHost(strict)

    for (const email of [person.email, world.email()]) {
      expect(await host.call(users.checkUserExists({ email }))).toBe(true)
      expect(await host.call(users.getSupportedAuthMethods({ email }))).toEqual(['PASSWORD', 'BIOMETRIC'])
    }
  })

  it('continues a sign-up for an existing account like any other, and notifies its owner by mail', async () => {
    const strict = await world.createPartner({ strict: true })
    const { person } = await signUp(world)
    const host = await newHost(strict)

    const decoy = await host.call(users.createUser({ email: person.email }))

    expect(decoy).not.toBe(person.userId)
    expect(decoy).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(await (await newHost(strict)).call(users.createUser({ email: person.email }))).toBe(decoy)
    const mail = world.mails.findLast(({ to }) => to === person.email)
    expect(mail).toMatchObject({ subject: expect.stringContaining('You have an account') })
    expect(mail?.code).toBeUndefined()
    expect((await host.touch()).session).toMatchObject({ state: 'IDENTIFIED', userId: decoy, userProven: false })
    expect(await host.refused(users.verifyEmail(decoy, '000000'))).toBe(
      'InvalidVerificationCode: invalid verification code',
    )
    await host.call(users.resendVerificationCode(decoy))
    for (let attempt = 0; attempt < 5; attempt++) await host.refused(users.verifyEmail(decoy, '000000'))
    expect(await host.refused(users.verifyEmail(decoy, '000000'))).toBe('TooManyAttempts: too many attempts')
  })
})

describe("the user's own record", () => {
  it('is masked for a host page and complete for the portal', async () => {
    const { host, person, page } = await signUp(world, 'jane.doe@example.org')

    expect(await host.call(users.getUser(person.userId))).toEqual({
      userId: person.userId,
      identity: { email: 'j***@example.org' },
    })
    expect(await page.call(users.getUser(person.userId))).toEqual({
      userId: person.userId,
      identity: { email: 'jane.doe@example.org' },
    })
  })

  it('needs a login', async () => {
    const { host, userId } = await verifiedHost(world, world.email())

    expect(await host.refused(users.getUser(userId))).toBe('NoSignedInUser: no signed-in user')
  })
})
