import { bytesToHex, randomBytes } from '@noble/hashes/utils.js'
import { describe, expect, it } from 'vitest'
import * as Opener from '../../../domain/crypto/Opener.ts'
import * as commits from '../../../domain/service/commits.ts'
import * as encryptedWalletPrivateKeys from '../../../domain/service/encryptedWalletPrivateKeys.ts'
import * as passkeys from '../../../domain/service/passkeys.ts'
import * as passwords from '../../../domain/service/passwords.ts'
import * as portalSessions from '../../../domain/service/portalSessions.ts'
import * as recoveries from '../../../domain/service/recoveries.ts'
import * as sessions from '../../../domain/service/sessions.ts'
import * as users from '../../../domain/service/users.ts'
import { aaguid, Authenticator, type Ceremony } from './authenticator.ts'
import {
  atCreatePassword,
  atLogin,
  connectOrigin,
  minutes,
  Person,
  portalOrigin,
  rsaPublicKeys,
  useWorld,
  verifiedHost,
  type Host,
  type PortalPage,
} from './identity.ts'

const world = useWorld()
const nobody = '3c1a5f6e-8d25-4a35-9b02-8a8f4b6d4f10'
const unknown = 'UnknownPasskey: unknown passkey'
const invalidCredential = 'InvalidCredential: invalid credential'
const rpId = 'portal.localhost'
const ewpk = `v2.${'e'.repeat(60)}`

const here = (challenge: Uint8Array, changes: Partial<Ceremony> = {}): Ceremony => ({
  challenge,
  origin: portalOrigin,
  rpId,
  ...changes,
})

/** The page stores the wrapped key before it completes the record. */
const wrapped = (userId: string, changes: Partial<encryptedWalletPrivateKeys.WrappedKey> = {}) =>
  encryptedWalletPrivateKeys.createEncryptedWalletPrivateKey(userId, {
    encryptedWalletPrivateKey: ewpk,
    encryptionKeyHash: '11'.repeat(32),
    biometricPublicKey: rsaPublicKeys[0],
    ...changes,
  })

const atCreatePasskey = async (email = world.email()) => {
  const { host, userId } = await verifiedHost(world, email)
  const person = new Person(email)
  person.userId = userId
  const { id } = await host.call(passkeys.createPasskey(userId, 'WEB'), { device: true })
  const page = await host.open('create-passkey', id)
  await page.call(wrapped(userId))
  return { host, person, page, id }
}

const bodyOf = async (
  made: { readonly host: Host; readonly person: Person; readonly page: PortalPage; readonly id: string },
  authenticator: Authenticator,
  changes: Partial<Ceremony> = {},
) => ({
  ...made.person.rootFields('BIOMETRICS', made.id, made.host, await world.now()),
  ...authenticator.create(here(made.page.challenge, changes)),
  status: 'COMPLETE',
  variant: 'prf' as const,
})

const signUpWithPasskey = async (authenticator = new Authenticator(), email = world.email()) => {
  const made = await atCreatePasskey(email)
  const body = await bodyOf(made, authenticator)
  await made.page.call(passkeys.updatePasskey(made.person.userId, made.id, body))
  return { ...made, authenticator, body }
}

/** A page login-passkey with the challenge that it asked for. */
const atPasskeyLogin = async () => {
  const { host, page } = await atLogin(world, world.partner(), 'login-passkey')
  const { challenge } = await page.call(passkeys.getPasskeyChallenge({}))
  return { host, page, challenge }
}

describe('completing a passkey', () => {
  it('is one commit: record, root key, session, certificate and result', async () => {
    const { host, person, id, authenticator, body } = await signUpWithPasskey()

    const touched = await host.touch()
    expect(touched).toMatchObject({ isAuthenticated: true, userId: person.userId, needsWallet: true })
    expect(touched.session.deviceCertificate).toBe(body.deviceCertificate)
    const list = await host.call(passkeys.listPasskeys(person.userId))
    expect(list).toMatchObject([
      {
        id,
        type: 'WEB',
        status: 'COMPLETE',
        completion: {
          credentialId: authenticator.credentialId,
          sigDerivedPublicKey: body.sigDerivedPublicKey,
          rootPublicKey: person.rootPublicKey,
          rootSignature: body.rootSignature,
          aaguid: aaguid.toString('hex'),
          rpId,
          variant: 'prf',
        },
      },
    ])
    expect(await host.call(users.getSupportedAuthMethods({ email: person.email }))).toEqual(['BIOMETRIC'])
  })

  it('answers a repetition with the same body 200, and with another body a conflict', async () => {
    const { page, person, id, body } = await signUpWithPasskey()

    await expect(page.call(passkeys.updatePasskey(person.userId, id, body))).resolves.toBeUndefined()
    expect(await page.refused(passkeys.updatePasskey(person.userId, id, { ...body, variant: 'handle' }))).toBe(
      'Conflict: conflict',
    )
  })

  it.each([
    ['another challenge', { challenge: randomBytes(32) }],
    ['another origin', { origin: 'https://evil.localhost' }],
    ['another relying party', { rpId: 'evil.localhost' }],
    ['another ceremony', { type: 'webauthn.get' }],
    ['a framed page', { crossOrigin: true }],
    ['an unverified user', { userVerified: false }],
  ])('refuses an attestation from %s', async (_, changes) => {
    const made = await atCreatePasskey()
    const body = await bodyOf(made, new Authenticator(), changes)

    expect(await made.page.refused(passkeys.updatePasskey(made.person.userId, made.id, body))).toBe(invalidCredential)

    expect(await made.host.touch()).toMatchObject({ isAuthenticated: false })
  })

  it('refuses a credential id that the attestation does not have, and one that exists already', async () => {
    const { authenticator } = await signUpWithPasskey()
    const made = await atCreatePasskey()
    const other = await atCreatePasskey()
    const lying = { ...(await bodyOf(made, new Authenticator())), publicKey: authenticator.credentialId }
    const taken = await bodyOf(other, authenticator)

    expect(await made.page.refused(passkeys.updatePasskey(made.person.userId, made.id, lying))).toBe(invalidCredential)
    expect(await other.page.refused(passkeys.updatePasskey(other.person.userId, other.id, taken))).toBe(
      'Conflict: conflict',
    )
    expect(await other.host.touch()).toMatchObject({ isAuthenticated: false })
  })

  it('accepts the challenge once', async () => {
    const made = await atCreatePasskey()
    const body = await bodyOf(made, new Authenticator())
    await made.page.refused(passkeys.updatePasskey(made.person.userId, made.id, { ...body, attestationObject: 'AAAA' }))

    expect(await made.page.refused(passkeys.updatePasskey(made.person.userId, made.id, body))).toBe(invalidCredential)
  })

  it('needs the wrapped key, the variant and the root key’s signatures', async () => {
    const bare = await atCreatePasskey()
    const body = await bodyOf(bare, new Authenticator())
    for (const change of [{ variant: undefined }, { status: 'PENDING' }, { rootSignature: '11'.repeat(64) }]) {
      const made = await atCreatePasskey()
      const changed = { ...(await bodyOf(made, new Authenticator())), ...change }
      expect(await made.page.refused(passkeys.updatePasskey(made.person.userId, made.id, changed))).toBe(
        invalidCredential,
      )
    }
    const email = world.email()
    const { host, userId } = await verifiedHost(world, email)
    const person = new Person(email)
    person.userId = userId
    const { id } = await host.call(passkeys.createPasskey(userId, 'WEB'), { device: true })
    const page = await host.open('create-passkey', id)
    const without = await bodyOf({ host, person, page, id }, new Authenticator())

    expect(await page.refused(passkeys.updatePasskey(userId, id, without))).toBe(invalidCredential)
    await expect(bare.page.call(passkeys.updatePasskey(bare.person.userId, bare.id, body))).resolves.toBeUndefined()
  })
})

describe('a challenge', () => {
  it('is for one page, and names the passkeys of an identity that work on this portal', async () => {
    const { person, authenticator } = await signUpWithPasskey()
    const { page } = await atLogin(world, world.partner(), 'login-passkey')

    const named = await page.call(passkeys.getPasskeyChallenge({ email: person.email }))
    const stranger = await page.call(passkeys.getPasskeyChallenge({ email: world.email() }))

    expect(named.allowed).toEqual([authenticator.credentialId])
    expect(stranger.allowed).toEqual([])
    expect(named.challenge).toHaveLength(32)
    expect(named.challenge).not.toEqual(stranger.challenge)
    expect(await page.refused(passkeys.getPasskeyChallenge({ email: 'a@b.c', telegramUserId: '1' }))).toBe(
      'InvalidAuthObject: invalid auth object',
    )
  })

  it('names no passkeys for a strict partner', async () => {
    const strict = await world.createPartner({ strict: true })
    const { person } = await signUpWithPasskey()
    const { page } = await atLogin(world, strict, 'login-passkey')

    expect((await page.call(passkeys.getPasskeyChallenge({ email: person.email }))).allowed).toEqual([])
  })

  it('is for pages and proven users only', async () => {
    const { host } = await atLogin(world)

    expect(await host.refused(passkeys.getPasskeyChallenge({}))).toBe('NoSignedInUser: no signed-in user')
    expect(await host.refused(passkeys.getUserPasskeyChallenge(nobody))).toBe('NoSignedInUser: no signed-in user')
  })
})

describe('verifying a passkey', () => {
  it('gives the page what it needs to unwrap, without a pepper, and authenticates no session', async () => {
    const { person, id, authenticator, body } = await signUpWithPasskey()
    const { host, page, challenge } = await atPasskeyLogin()

    const verified = await page.call(passkeys.verifyPasskey(authenticator.get(here(challenge))))

    expect(verified).toEqual({
      userId: person.userId,
      credentialId: id,
      sigDerivedPublicKey: body.sigDerivedPublicKey,
      ewpk,
      rootPublicKey: person.rootPublicKey,
      wrappedRootKey: body.wrappedRootKey,
      variant: 'prf',
      activeShares: [],
    })
    expect(await host.touch()).toMatchObject({ isAuthenticated: false, userId: null })
  })

  it.each([
    ['another challenge', { challenge: randomBytes(32) }],
    ['another origin', { origin: 'https://evil.localhost' }],
    ['another relying party', { rpId: 'evil.localhost' }],
    ['another ceremony', { type: 'webauthn.create' }],
    ['a framed page', { crossOrigin: true }],
    ['an unverified user', { userVerified: false }],
  ])('refuses an assertion from %s', async (_, changes) => {
    const { authenticator } = await signUpWithPasskey()
    const { page, challenge } = await atPasskeyLogin()

    expect(await page.refused(passkeys.verifyPasskey(authenticator.get(here(challenge, changes))))).toBe(unknown)
  })

  it('accepts each challenge once, for five minutes, and for the opening that asked', async () => {
    const { authenticator } = await signUpWithPasskey()
    const first = await atPasskeyLogin()
    const assertion = authenticator.get(here(first.challenge))
    const other = await atPasskeyLogin()
    expect(await other.page.refused(passkeys.verifyPasskey(assertion))).toBe(unknown)
    await first.page.call(passkeys.verifyPasskey(assertion))
    expect(await first.page.refused(passkeys.verifyPasskey(assertion))).toBe(unknown)
    const late = await atPasskeyLogin()

    await world.advance(minutes(5) + 1_000)

    expect(await late.page.refused(passkeys.verifyPasskey(authenticator.get(here(late.challenge))))).toBe(unknown)
  })

  it('refuses another key under a known credential id', async () => {
    const { authenticator } = await signUpWithPasskey()
    const { page, challenge } = await atPasskeyLogin()
    const forged = { ...new Authenticator().get(here(challenge)), publicKey: authenticator.credentialId }

    expect(await page.refused(passkeys.verifyPasskey(forged))).toBe(unknown)
  })

  it('refuses a passkey that was never registered, and one whose record was not completed', async () => {
    const made = await atCreatePasskey()
    const authenticator = new Authenticator()
    const body = { ...(await bodyOf(made, authenticator)), variant: undefined }
    expect(await made.page.refused(passkeys.updatePasskey(made.person.userId, made.id, body))).toBe(invalidCredential)

    for (const unfinished of [new Authenticator(), authenticator]) {
      const { page, challenge } = await atPasskeyLogin()
      expect(await page.refused(passkeys.verifyPasskey(unfinished.get(here(challenge))))).toBe(unknown)
    }
  })

  it('detects a copy of an authenticator by its counter', async () => {
    const { authenticator } = await signUpWithPasskey(new Authenticator(7))
    const login = await atPasskeyLogin()
    await login.page.call(passkeys.verifyPasskey(authenticator.get(here(login.challenge))))
    const clone = await atPasskeyLogin()

    const behind = authenticator.get(here(clone.challenge, { counter: 8 }))

    expect(await clone.page.refused(passkeys.verifyPasskey(behind))).toBe(unknown)
    const again = await atPasskeyLogin()
    await expect(
      again.page.call(passkeys.verifyPasskey(authenticator.get(here(again.challenge)))),
    ).resolves.toBeDefined()
  })

  it("for a stranger's new device is refused (A16)", async () => {
    const { authenticator } = await signUpWithPasskey()
    const { host: stranger } = await signUpWithPasskey()
    const { page, challenge } = await atPasskeyLogin()

    const proof = { ...authenticator.get(here(challenge)), newDeviceSessionLookupId: stranger.lookupId }

    expect(await page.refused(passkeys.verifyPasskey(proof))).toBe('NotFound: not found')
  })
})

describe("the user's own passkeys", () => {
  it('are verified without authenticating a session', async () => {
    const { host, person, authenticator } = await signUpWithPasskey()
    const { authenticator: strangers } = await signUpWithPasskey()
    const ask = async () => (await host.call(passkeys.getUserPasskeyChallenge(person.userId))).challenge
    const verify = (proof: Parameters<typeof passkeys.verifyUserPasskey>[1]) =>
      passkeys.verifyUserPasskey(person.userId, proof)

    await expect(host.call(verify(authenticator.get(here(await ask()))))).resolves.toBeUndefined()
    expect(await host.refused(verify(strangers.get(here(await ask()))))).toBe(unknown)
    expect(await host.refused(verify({ publicKey: 'AAAA', signature: { r: '1', s: '2' } }))).toBe(unknown)
    expect(await host.refused(passkeys.verifyUserPasskey(nobody, authenticator.get(here(await ask()))))).toBe(
      'NotFound: not found',
    )
  })

  it('are listed and shown to their user, pending ones too, and to no other user', async () => {
    const { host, person, id } = await atCreatePasskey()
    const { host: stranger } = await signUpWithPasskey()

    expect(await host.call(passkeys.listPasskeys(person.userId))).toMatchObject([
      { id, status: 'PENDING', completion: null },
    ])
    expect(await host.call(passkeys.getPasskey(person.userId, id))).toMatchObject({ id })
    expect(await stranger.refused(passkeys.listPasskeys(person.userId))).toBe('NotFound: not found')
    expect(await stranger.refused(passkeys.getPasskey(person.userId, id))).toBe('NotFound: not found')
    expect(await host.refused(passkeys.getPasskey(person.userId, nobody))).toBe('NotFound: not found')
  })

  it('have location hints for one identity', async () => {
    const { host, person } = await signUpWithPasskey()
    const strict = await world.createPartner({ strict: true })

    expect(await host.call(passkeys.getPasskeyLocationHints({ email: person.email }))).toEqual([
      { aaguid: aaguid.toString('hex') },
    ])
    expect(await host.call(passkeys.getPasskeyLocationHints({ email: world.email() }))).toEqual([])
    expect(await world.host(strict).call(passkeys.getPasskeyLocationHints({ email: person.email }))).toEqual([])
    expect(await host.refused(passkeys.getPasskeyLocationHints({}))).toBe(
      'LocationHintsNeedIdentity: one of email, phone, farcaster username, telegram user id or external wallet with ' +
        'Para auth are required to get biometric location hints',
    )
  })
})

describe('the wrapped key of a passkey', () => {
  const found = (userId: string, host: Host, hash = '11'.repeat(32)) =>
    host.call(encryptedWalletPrivateKeys.listEncryptedWalletPrivateKeys(userId, hash))

  it('belongs to its record: a later one replaces it, and a session finds it by id and by hash', async () => {
    const { host, person, page, id } = await atCreatePasskey()
    const { userId } = person
    const made = await page.call(wrapped(userId))
    const replaced = await page.call(wrapped(userId, { encryptedWalletPrivateKey: 'v2.bmV3ZXI' }))

    expect(made).toMatchObject({ userId, passkeyId: id, passwordId: null, encryptedPrivateKey: ewpk })
    expect(replaced).toEqual({ ...made, encryptedPrivateKey: 'v2.bmV3ZXI' })
    await page.call(passkeys.updatePasskey(userId, id, await bodyOf({ host, person, page, id }, new Authenticator())))
    expect(await found(userId, host)).toEqual([replaced])
    expect(await found(userId, host, made.id)).toEqual([replaced])
    expect(await found(userId, host, 'no')).toEqual([])
  })

  it('is stored only by the page that makes the passkey, while it makes it, and within its size limit', async () => {
    const { host, person, page, id } = await atCreatePasskey()
    const { userId } = person
    const { page: elsewhere, person: other } = await atCreatePassword(world)
    const invalid = 'InvalidKeyShare: invalid key share'

    expect(await page.refused(wrapped(userId, { biometricPublicKey: undefined }))).toBe(invalid)
    expect(await page.refused(wrapped(userId, { encryptedWalletPrivateKey: 'x'.repeat(20_000) }))).toBe(invalid)
    expect(await page.refused(wrapped(userId, { biometricPublicKey: undefined, passwordId: id }))).toBe(
      'NotFound: not found',
    )
    expect(await elsewhere.refused(wrapped(other.userId))).toBe('NotFound: not found')
    expect(await host.refused(wrapped(userId))).toBe('NoSignedInUser: no signed-in user')

    await host.call(passkeys.createPasskey(userId, 'WEB'), { device: true })
    expect(await page.refused(wrapped(userId))).toBe('LinkExpired: link expired')
  })

  it('belongs to the key that completes the record, or the record is not completed', async () => {
    const made = await atCreatePasskey()
    await made.page.call(wrapped(made.person.userId, { biometricPublicKey: rsaPublicKeys[2] }))
    const body = await bodyOf(made, new Authenticator())

    expect(await made.page.refused(passkeys.updatePasskey(made.person.userId, made.id, body))).toBe(invalidCredential)
  })

  it('is looked at again by the redemption of a redirect: another page of the same link may have replaced it', async () => {
    const { host, person, page: first, id } = await atCreatePasskey()
    const { userId } = person
    await first.call(portalSessions.closeOpening(first.openingId, first.openingSecret))
    const redirected = async () => {
      const proof = Opener.redeemProof(randomBytes(32))
      const page = await host.visit('create-passkey', id)
      await page.enter({ redirect: true, redeemHash: bytesToHex(Opener.redeemHash(proof)) })
      return { page, redeem: commits.redeemOpening(page.openingId, { proof: bytesToHex(proof) }) }
    }
    const { page, redeem } = await redirected()
    const made = await page.call(wrapped(userId))
    const { deviceCertificate: _, ...body } = await bodyOf({ host, person, page, id }, new Authenticator())
    await page.call(passkeys.updatePasskey(userId, id, body))

    const { page: second } = await redirected()
    await second.call(wrapped(userId, { biometricPublicKey: rsaPublicKeys[2], encryptedWalletPrivateKey: 'v2.bm8' }))
    expect(await host.refused(redeem, { device: true })).toBe(invalidCredential)
    expect(await host.touch()).toMatchObject({ isAuthenticated: false })

    await second.call(wrapped(userId))
    await host.call(redeem, { device: true })
    expect(await found(userId, host)).toEqual([made])
    expect(await second.refused(wrapped(userId))).toBe('LinkExpired: link expired')
  })

  it('is deleted with its record', async () => {
    const { host, person } = await atCreatePasskey()
    const ofUser = async () => (await world.dump()).split('\n').filter((row) => row.includes(ewpk)).length
    const before = await ofUser()

    await host.call(passwords.createPassword(person.userId), { device: true })
    expect(await ofUser()).toBe(before)
    await host.call(passkeys.createPasskey(person.userId, 'WEB'), { device: true })
    expect(await ofUser()).toBe(before - 1)
  })
})

describe('a thief who reads the mail', () => {
  const inRecovery = async (email: string) => {
    const thief = world.host(world.partner(), connectOrigin)
    await thief.touch()
    await thief.register({ recoveryPublicKey: thief.recoveryPublicKey })
    await thief.call(recoveries.startRecovery({ email }))
    const { userId } = await thief.call(recoveries.verifyRecovery({ email }, world.codeTo(email)))
    const { id } = await thief.call(passkeys.createPasskey(userId, 'WEB'), { device: true })
    return { thief, userId, id, page: await thief.open('create-passkey', id) }
  }

  it('gets the credential ids of existing passkeys, and no keys', async () => {
    const { person, id: lost, authenticator } = await signUpWithPasskey()
    await world.advance(1)
    const { userId, id, page } = await inRecovery(person.email)

    expect(await page.call(passkeys.listPasskeys(userId))).toMatchObject([
      { id: lost, completion: { credentialId: authenticator.credentialId } },
      { id, completion: null },
    ])
    expect(JSON.stringify(await page.call(passkeys.listPasskeys(userId)))).not.toContain(rsaPublicKeys[0])
    expect((await page.call(passkeys.getPasskey(userId, lost))).completion).toEqual({
      credentialId: authenticator.credentialId,
    })
  })

  it('cannot replace a passkey’s wrapped key, so its login stays the same', async () => {
    const { person, authenticator } = await signUpWithPasskey()
    const { userId, page } = await inRecovery(person.email)

    expect(await page.refused(wrapped(userId, { encryptedWalletPrivateKey: 'v2.Z2FyYmFnZQ' }))).toBe(
      'InvalidKeyShare: invalid key share',
    )
    const own = { biometricPublicKey: rsaPublicKeys[2], encryptedWalletPrivateKey: 'v2.Z2FyYmFnZQ' }
    await page.call(wrapped(userId, own))

    const { page: login, challenge } = await atPasskeyLogin()
    expect(await login.call(passkeys.verifyPasskey(authenticator.get(here(challenge))))).toMatchObject({ userId, ewpk })
  })

  it('cannot log in with the passkey of an unfinished recovery, and the old one still can', async () => {
    const { person: lost, authenticator } = await signUpWithPasskey()
    const { thief, userId, id, page } = await inRecovery(lost.email)
    const person = Object.assign(new Person(lost.email), { userId, credentialKey: rsaPublicKeys[2] })
    const staged = new Authenticator()
    await page.call(wrapped(userId, { biometricPublicKey: rsaPublicKeys[2] }))
    await page.call(passkeys.updatePasskey(userId, id, await bodyOf({ host: thief, person, page, id }, staged)))
    expect(await thief.call(passkeys.getPasskey(userId, id))).toMatchObject({ status: 'STAGED' })

    const [login, own] = [await atPasskeyLogin(), await atPasskeyLogin()]
    expect(await login.page.refused(passkeys.verifyPasskey(staged.get(here(login.challenge))))).toBe(unknown)
    expect(await own.page.call(passkeys.verifyPasskey(authenticator.get(here(own.challenge))))).toMatchObject({
      userId,
    })
  })

  it('leaves no wrapped key once the session that stored it ends', async () => {
    const { person } = await signUpWithPasskey()
    const { thief, userId, page } = await inRecovery(person.email)
    await page.call(wrapped(userId, { biometricPublicKey: rsaPublicKeys[2], encryptedWalletPrivateKey: 'v2.dGhpZWY' }))
    expect(await world.dump()).toContain('v2.dGhpZWY')

    await thief.call(sessions.logout())
    expect(await world.dump()).not.toContain('v2.dGhpZWY')
  })
})
