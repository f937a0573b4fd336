import { randomUUID } from 'node:crypto'
import { bytesToHex, hexToBytes, randomBytes } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import { beforeAll, describe, expect, it } from 'vitest'
import { defaultKdf } from '../../../domain/crypto/PasswordKeys.ts'
import * as RootKey from '../../../domain/crypto/RootKey.ts'
import { listRecoveryPublicKeys } from '../../../domain/service/recoveryPublicKeys.ts'
import * as commits from '../../../domain/service/commits.ts'
import * as passkeys from '../../../domain/service/passkeys.ts'
import * as passwords from '../../../domain/service/passwords.ts'
import { Vault } from '../../../domain/service/ports/Vault.ts'
import * as users from '../../../domain/service/users.ts'
import {
  atCreatePassword,
  atLogin,
  makeWallet,
  minutes,
  Person,
  rsaPublicKeys,
  signUp,
  useWorld,
  verifiedHost,
  type Host,
  type PortalPage,
} from './identity.ts'

const world = useWorld()
const nobody = '3c1a5f6e-8d25-4a35-9b02-8a8f4b6d4f10'
const invalidPassword = 'InvalidPassword: invalid password'
const invalidCredential = 'InvalidCredential: invalid credential'
const alreadyExists = 'UserAlreadyExists: user already exists'
const device = { device: true }

const complete = (person: Person, body: passwords.PasswordToComplete) =>
  passwords.updatePassword(person.userId, person.passwordId, body)

/** The challenge that the page asks for after its first try. */
const nextChallenge = async (page: PortalPage) => (await page.call(passkeys.getPasskeyChallenge({}))).challenge

describe('a pending password', () => {
  it('is given to a session that proved the code', async () => {
    const email = world.email()
    const host = world.host()
    await host.touch()
    const userId = await host.call(users.createUser({ email }))

    expect(await host.refused(passwords.createPassword(userId), device)).toBe('NoSignedInUser: no signed-in user')
    await host.call(users.verifyEmail(userId, world.codeTo(email)))
    expect(await host.call(passwords.createPassword(userId), device)).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      partnerId: world.partner().partner.id,
    })
  })

  it('is replaced when the session makes another', async () => {
    const { host, page, person, body } = await atCreatePassword(world)

    const second = await host.call(passwords.createPassword(person.userId), device)

    expect(await page.refused(complete(person, body))).toBe('NotFound: not found')
    await expect(host.open('create-password', second.id)).resolves.toBeDefined()
  })

  it('is not made once a credential is complete', async () => {
    const { host, person } = await signUp(world)

    expect(await host.refused(passwords.createPassword(person.userId), device)).toBe(alreadyExists)
    expect(await host.refused(passkeys.createPasskey(person.userId, 'WEB'), device)).toBe(alreadyExists)
  })

  it('expires after ten minutes', async () => {
    const { host, person } = await atCreatePassword(world)
    await world.advance(minutes(5))
    const page = await host.open('create-password', person.passwordId)
    const body = person.completion(host, await world.now(), hexToBytes(page.entered?.password?.pepper ?? ''))

    await world.advance(minutes(5) + 1_000)

    expect(await page.refused(complete(person, body))).toBe('LinkExpired: link expired')
  })
})

describe('completing a password', () => {
  it('is one commit: record, root key, session, certificate and result', async () => {
    const { host, page, person, body } = await atCreatePassword(world)

    await page.call(complete(person, body))

    const touched = await host.touch()
    expect(touched).toMatchObject({
      isAuthenticated: true,
      userId: person.userId,
      needsWallet: true,
      currentWalletIds: {},
      openingResult: { openingId: page.openingId, sealedResult: body.sealedResult },
    })
    expect(touched.session.deviceCertificate).toBe(body.deviceCertificate)
    expect(await host.call(passwords.listPasswords({ userId: person.userId }))).toEqual([
      {
        id: person.passwordId,
        userId: person.userId,
        status: 'COMPLETE',
        salt: body.salt,
        kdf: defaultKdf,
        sigDerivedPublicKey: body.sigDerivedPublicKey,
        rootPublicKey: person.rootPublicKey,
        rootSignature: body.rootSignature,
      },
    ])
  })

  it('stores the recovery key of the host once, and only if the root key signed it', async () => {
    const { host, page, person, body } = await atCreatePassword(world)
    const other = await atCreatePassword(world)
    await page.call(complete(person, body))
    await page.call(complete(person, body))
    await other.page.call(complete(other.person, { ...other.body, recoverySignature: undefined }))

    const [kept, ...others] = await host.call(listRecoveryPublicKeys(person.userId))
    expect(kept).toMatchObject({ publicKey: host.recoveryPublicKey, signature: body.recoverySignature })
    expect(others).toEqual([])
    expect(await other.host.call(listRecoveryPublicKeys(other.person.userId))).toEqual([])
  })

  it('answers a repetition with the same body 200 without effect, for an answer that was lost', async () => {
    const { host, page, person, body } = await atCreatePassword(world)
    await page.call(complete(person, body))
    const before = await host.touch()

    await page.call(complete(person, body))

    expect({ ...(await host.touch()), serverTime: 0 }).toEqual({ ...before, serverTime: 0 })
  })

  it('refuses a repetition with another body', async () => {
    const { page, person, body } = await atCreatePassword(world)
    await page.call(complete(person, body))

    expect(await page.refused(complete(person, { ...body, salt: '11'.repeat(16) }))).toBe('Conflict: conflict')
  })

  it('happens once for simultaneous requests, and equal bodies get equal answers', async () => {
    const { host, page, person, body } = await atCreatePassword(world)

    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => page.call(complete(person, body))))

    expect(outcomes.every(({ status }) => status === 'fulfilled')).toBe(true)
    const audits = (await world.dump()).split('\n').filter((row) => row.includes('"event":"session.authenticated"'))
    expect(audits.filter((row) => row.includes(host.sessionId))).toHaveLength(1)
  })

  it('leaves one root key when two tabs set up the user at the same moment', async () => {
    const email = world.email()
    // One after the other up to here: each reads the code of the last mail.
    const tabs = [await atCreatePassword(world, email), await atCreatePassword(world, email)] as const

    const outcomes = await Promise.allSettled(tabs.map(({ page, person, body }) => page.call(complete(person, body))))

    const late = outcomes.filter(({ status }) => status === 'rejected')
    expect(late).toMatchObject([{ reason: { _tag: 'UserAlreadyExists' } }])
    const winner = tabs[outcomes.findIndex(({ status }) => status === 'fulfilled')] ?? tabs[0]
    const loser = winner === tabs[0] ? tabs[1] : tabs[0]
    expect(await loser.page.refused(complete(loser.person, loser.body))).toBe(alreadyExists)
    expect(await loser.host.touch()).toMatchObject({ isAuthenticated: false })
    const list = await winner.host.call(passwords.listPasswords({ userId: winner.person.userId }))
    expect(list).toMatchObject([{ rootPublicKey: winner.person.rootPublicKey }])
  })

  it("is refused under the host's token", async () => {
    const { host, person, body } = await atCreatePassword(world)

    expect(await host.refused(complete(person, body), device)).toBe('NoSignedInUser: no signed-in user')
  })

  const wrong: readonly (readonly [string, (made: Awaited<ReturnType<typeof atCreatePassword>>) => object])[] = [
    ['is not COMPLETE', () => ({ status: 'PENDING' })],
    ['has no salt', () => ({ salt: undefined })],
    ['has a salt of another length', () => ({ salt: '00' })],
    ['has no parameters', () => ({ kdf: undefined })],
    ['hashes with too little memory', () => ({ kdf: { ...defaultKdf, memoryKiB: 19 * 1024 - 1 } })],
    ['hashes too few times', () => ({ kdf: { ...defaultKdf, iterations: 1 } })],
    ['hashes with more memory than a page has', () => ({ kdf: { ...defaultKdf, memoryKiB: 256 * 1024 + 1 } })],
    ['hashes too many times', () => ({ kdf: { ...defaultKdf, iterations: 11 } })],
    ['hashes in parallel', () => ({ kdf: { ...defaultKdf, parallelism: 2 } })],
    ['has no verifier', () => ({ authPublicKey: undefined })],
    ['has no wrapped key', () => ({ encryptedWalletPrivateKey: undefined })],
    ['has no hash of the key', () => ({ encryptionKeyHash: undefined })],
    ['has no root key', () => ({ rootPublicKey: undefined })],
    ['has no wrapped root key', () => ({ wrappedRootKey: undefined })],
    ["has another's root key", () => ({ rootPublicKey: new Person('').rootPublicKey })],
    ['has a key that the root did not sign', () => ({ sigDerivedPublicKey: rsaPublicKeys[2] })],
    ['has a signature for another record', ({ person }) => ({ rootSignature: signedFor(person, nobody) })],
    [
      'has a signature of another root',
      ({ person }) => ({ rootSignature: signedFor(person, person.passwordId, randomBytes(32)) }),
    ],
    [
      'has a recovery signature for another key',
      ({ person }) => ({ recoverySignature: signedFor(person, person.passwordId) }),
    ],
    ['has no certificate', () => ({ deviceCertificate: undefined })],
    ['has no result', () => ({ sealedResult: undefined })],
    ['has a certificate of another root', ({ host }) => ({ deviceCertificate: new Person('').certificate(host, 0) })],
    [
      'has a certificate for another session',
      ({ host, person }) => ({ deviceCertificate: person.certificate(host, 0, { sessionId: nobody }) }),
    ],
  ]
  describe('of the wrong form', () => {
    const page: { made: Awaited<ReturnType<typeof atCreatePassword>> | undefined } = { made: undefined }
    beforeAll(async () => {
      page.made = await atCreatePassword(world)
    })
    const made = () => {
      if (page.made === undefined) throw new Error('the page is not there yet')
      return page.made
    }

    it.each(wrong)('refuses a body that %s, and nothing is changed', async (_, change) => {
      const { host, person, body } = made()

      expect(await made().page.refused(complete(person, { ...body, ...change(made()) }))).toBe(invalidCredential)

      expect(await host.touch()).toMatchObject({ isAuthenticated: false })
      expect(await host.call(users.checkUserExists({ email: person.email }))).toBe(false)
    })

    it('takes the right one after all of them', async () => {
      const { host, person, body } = made()

      await made().page.call(complete(person, body))

      expect(await host.touch()).toMatchObject({ isAuthenticated: true })
    })
  })
})

describe('the passwords of an identity', () => {
  it('are listed before a login with id, salt and parameters only', async () => {
    const { person, body } = await signUp(world)
    const { page } = await atLogin(world)

    const list = await page.call(passwords.listPasswords({ email: person.email.toUpperCase() }))

    expect(list).toEqual([{ id: person.passwordId, salt: body.salt, kdf: defaultKdf }])
  })

  it('are stable decoys of the same form for strangers', async () => {
    const { person } = await signUp(world)
    const { page } = await atLogin(world)
    const stranger = world.email()
    const [real] = await page.call(passwords.listPasswords({ email: person.email }))

    const [decoy, again] = await Promise.all([
      page.call(passwords.listPasswords({ email: stranger })),
      page.call(passwords.listPasswords({ email: stranger.toUpperCase() })),
    ])
    const other = await page.call(passwords.listPasswords({ email: world.email() }))

    expect(decoy).toEqual(again)
    expect(decoy).not.toEqual(other)
    expect(Object.keys(decoy[0] ?? {})).toEqual(Object.keys(real ?? {}))
    expect(decoy).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
        salt: expect.stringMatching(/^[0-9a-f]{32}$/),
        kdf: defaultKdf,
      },
    ])
  })

  it('are decoys as well for a user who has only begun to sign up', async () => {
    const { person } = await atCreatePassword(world)
    const { page } = await atLogin(world)

    const list = await page.call(passwords.listPasswords({ email: person.email }))

    expect(list).toHaveLength(1)
    expect(list[0]?.id).not.toBe(person.passwordId)
  })

  it('are listed in full to their own user only', async () => {
    const { person } = await signUp(world)
    const { host: stranger } = await signUp(world)
    const { page, host } = await atLogin(world)

    expect(await page.refused(passwords.listPasswords({ userId: person.userId }))).toBe(
      'NoSignedInUser: no signed-in user',
    )
    expect(await host.refused(passwords.listPasswords({ userId: person.userId }))).toBe(
      'NoSignedInUser: no signed-in user',
    )
    expect(await stranger.refused(passwords.listPasswords({ userId: person.userId }))).toBe('NotFound: not found')
    expect(await page.refused(passwords.listPasswords({}))).toBe('InvalidAuthObject: invalid auth object')
  })
})

describe('verifying a password', () => {
  it('gives the page what it needs to unwrap, and authenticates no session', async () => {
    const { person, body, pepper } = await signUp(world)
    const sharing = await makeWallet(world, person.userId)
    const { host, page } = await atLogin(world)

    const verified = await page.call(
      passwords.verifyPassword({ ...person.proof(page), sessionLookupId: host.lookupId }),
    )

    expect(verified).toEqual({
      userId: person.userId,
      credentialId: person.passwordId,
      sigDerivedPublicKey: body.sigDerivedPublicKey,
      ewpk: body.encryptedWalletPrivateKey,
      rootPublicKey: person.rootPublicKey,
      wrappedRootKey: body.wrappedRootKey,
      pepper: bytesToHex(pepper),
      activeShares: [sharing],
      deviceToken: expect.stringMatching(`^${page.openingId}\\.[0-9a-f]{64}$`),
    })
    expect(await host.touch()).toMatchObject({ isAuthenticated: false, userId: null })
  })

  it('accepts each challenge once, whatever the outcome; the page asks for another', async () => {
    const { person } = await signUp(world)
    const { page } = await atLogin(world)
    const right = person.proof(page)
    expect(await page.refused(passwords.verifyPassword(person.proof(page, {}, randomBytes(32))))).toBe(invalidPassword)

    expect(await page.refused(passwords.verifyPassword(right))).toBe(invalidPassword)
    const overNothing = person.proof(page, { challenge: new Uint8Array(32) })
    expect(await page.refused(passwords.verifyPassword(overNothing))).toBe(invalidPassword)

    const again = person.proof(page, { challenge: await nextChallenge(page) })
    await expect(page.call(passwords.verifyPassword(again))).resolves.toMatchObject({ userId: person.userId })
    expect(await page.refused(passwords.verifyPassword(again))).toBe(invalidPassword)
  })

  it('asks the vault for the same, in the same order, whether there is a record or not', async () => {
    const { person } = await signUp(world)
    const askedFor = async (passwordId: string) => {
      const { page } = await atLogin(world)
      const asked: string[] = []
      const verifying = Effect.updateService(
        passwords.verifyPassword({ ...person.proof(page, {}, randomBytes(32)), passwordId }),
        Vault,
        (vault) => ({
          ...vault,
          seal: (of, bytes) => (asked.push(`seal ${of.table}, ${bytes.length}`), vault.seal(of, bytes)),
          open: (of, bytes) => (asked.push(`open ${of.table}, ${bytes.length}`), vault.open(of, bytes)),
          mac: (purpose, text) => (asked.push(`mac of ${purpose}`), vault.mac(purpose, text)),
        }),
      )
      expect(await page.refused(verifying)).toBe(invalidPassword)
      return asked
    }

    const known = await askedFor(person.passwordId)

    expect(known).toContain('open passwords.verifier, 129')
    expect(await askedFor(randomUUID())).toEqual(known)
  })

  it('can be asked again with a fresh challenge when the answer was lost', async () => {
    const { person } = await signUp(world)
    const { page } = await atLogin(world)
    const first = await page.call(passwords.verifyPassword(person.proof(page)))

    const second = person.proof(page, { challenge: await nextChallenge(page) })

    expect(await page.call(passwords.verifyPassword(second))).toEqual(first)
  })

  it('accepts a challenge for five minutes', async () => {
    const { person } = await signUp(world)
    const [{ page }, { page: late }] = [await atLogin(world), await atLogin(world)]
    await world.advance(minutes(5))
    await expect(page.call(passwords.verifyPassword(person.proof(page)))).resolves.toBeDefined()

    await world.advance(1_000)

    expect(await late.refused(passwords.verifyPassword(person.proof(late)))).toBe(invalidPassword)
  })

  it.each([
    ['another portal', { portalHost: 'evil.localhost' }],
    ['another partner', { partnerId: nobody }],
    ['another session', { sessionId: nobody }],
    ['another opening', { openingId: nobody }],
    ['another record', { passwordId: nobody }],
    ['another login key', { loginKeyThumbprint: randomBytes(32) }],
    ['no login key', { loginKeyThumbprint: new Uint8Array() }],
    ['another challenge', { challenge: randomBytes(32) }],
  ])('refuses a proof that was made for %s', async (_, changes) => {
    const { person } = await signUp(world)
    const { page } = await atLogin(world)

    expect(await page.refused(passwords.verifyPassword(person.proof(page, changes)))).toBe(invalidPassword)
  })

  it("refuses a valid signature under another key than the record's", async () => {
    const { person } = await signUp(world)
    const { person: other } = await signUp(world)
    const { page } = await atLogin(world)
    const forged = { ...other.proof(page, { passwordId: person.passwordId }), passwordId: person.passwordId }
    const halved = { ...person.proof(page), publicKey: other.proof(page).publicKey }

    expect(await page.refused(passwords.verifyPassword(forged))).toBe(invalidPassword)
    expect(await page.refused(passwords.verifyPassword({ ...halved }))).toBe(invalidPassword)
  })

  it('of a pending record or of a stranger fails like a wrong one', async () => {
    const { person } = await atCreatePassword(world)
    const { page } = await atLogin(world)

    for (const passwordId of [person.passwordId, nobody]) {
      const proof = { ...person.proof(page, { passwordId }), passwordId }
      expect(await page.refused(passwords.verifyPassword(proof))).toBe(invalidPassword)
    }
  })

  it('is limited to five tries at once in a network, and full again after 15 minutes, for records and for decoys', async () => {
    const { person } = await signUp(world)
    const { page: asking } = await atLogin(world)
    const [decoy] = await asking.call(passwords.listPasswords({ email: world.email() }))
    for (const passwordId of [person.passwordId, decoy?.id ?? '']) {
      const { page } = await atLogin(world)
      const guess = async () => {
        const proof = person.proof(page, { challenge: await nextChallenge(page) }, randomBytes(32))
        return page.refused(passwords.verifyPassword({ ...proof, passwordId }))
      }
      for (let attempt = 0; attempt < 5; attempt++) expect(await guess()).toBe(invalidPassword)

      expect(await guess()).toBe('TooManyAttempts: too many attempts')
    }
    const { page } = await atLogin(world)
    expect(await page.refused(passwords.verifyPassword(person.proof(page)))).toBe('TooManyAttempts: too many attempts')
    await world.advance(minutes(15))
    const { page: later } = await atLogin(world)
    await expect(later.call(passwords.verifyPassword(person.proof(later)))).resolves.toBeDefined()
  })

  it('accepts a challenge once, also for two guesses at the same moment', async () => {
    const { person } = await signUp(world)
    const { page } = await atLogin(world)
    const proof = person.proof(page)

    const outcomes = await Promise.allSettled(
      [proof, proof, proof].map((same) => page.call(passwords.verifyPassword(same))),
    )

    const late = outcomes.filter(({ status }) => status === 'rejected')
    expect(late).toMatchObject(Array(2).fill({ reason: { _tag: 'InvalidPassword' } }))
  })

  it('is for the session that the page was opened for', async () => {
    const { person } = await signUp(world)
    const { page } = await atLogin(world)
    const { host: other } = await verifiedHost(world, world.email())

    const proof = { ...person.proof(page), sessionLookupId: other.lookupId }

    expect(await page.refused(passwords.verifyPassword(proof))).toBe('NotFound: not found')
  })

  it('cannot change its user: one page is one login', async () => {
    const { person } = await signUp(world)
    const { person: other } = await signUp(world)
    const { page } = await atLogin(world)
    await page.call(passwords.verifyPassword(person.proof(page)))

    const second = other.proof(page, { challenge: await nextChallenge(page) })

    expect(await page.refused(passwords.verifyPassword(second))).toBe('LinkExpired: link expired')
  })

  it('opens no page of one user to another, whose password is right: the page of an export', async () => {
    const { host, person } = await signUp(world)
    const { person: other } = await signUp(world)
    const { walletId } = await makeWallet(world, person.userId)
    const { page, recipientPublicKey: loginKeyThumbprint } = await host.openExport(walletId)

    const others = other.proof(page, { loginKeyThumbprint })
    expect(await page.refused(passwords.verifyPassword(others))).toBe(invalidPassword)

    const own = person.proof(page, { loginKeyThumbprint, challenge: await nextChallenge(page) })
    await expect(page.call(passwords.verifyPassword(own))).resolves.toMatchObject({ userId: person.userId })
  })

  it('is refused once its opening has ended', async () => {
    const { person } = await signUp(world)
    const { host, page } = await atLogin(world)
    await page.call(passwords.verifyPassword(person.proof(page)))
    await page.call(commits.commit(page.openingId, await loginOf(host, person)))

    expect(await page.refused(passkeys.getPasskeyChallenge({}))).toBe('LinkExpired: link expired')
    expect(await page.refused(passwords.verifyPassword(person.proof(page)))).toBe('LinkExpired: link expired')
  })
})

const loginOf = async (host: Host, person: Person) => ({
  userId: person.userId,
  currentWalletIds: {},
  needsWallet: true,
  deviceCertificate: person.certificate(host, await world.now()),
  sealedResult: 'v2.AAAA',
  credential: null,
})

function signedFor(person: Person, recordId: string, seed = person.rootSeed) {
  const publicKey = new TextEncoder().encode(Buffer.from(person.credentialKey, 'hex').toString())
  const { userId } = person
  return bytesToHex(RootKey.signRecipient(seed, { kind: 'PASSWORD', userId, recordId, publicKey }))
}
