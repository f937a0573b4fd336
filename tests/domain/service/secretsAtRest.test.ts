import { describe, expect, it } from 'vitest'
import { authKey } from '../../../domain/crypto/PasswordKeys.ts'
import { operations, type OperationId } from '../../../generated/operations.ts'
import { authorize } from '../../../domain/service/authorization.ts'
import * as handshakes from '../../../domain/service/handshakes.ts'
import * as portalSessions from '../../../domain/service/portalSessions.ts'
import * as passkeys from '../../../domain/service/passkeys.ts'
import * as passwords from '../../../domain/service/passwords.ts'
import * as users from '../../../domain/service/users.ts'
import { atCreatePassword, atLogin, signUp, useWorld } from './identity.ts'

const world = useWorld()

/** Every secret that a reader of the database could look for. */
const spellings = (secret: Uint8Array) => {
  const bytes = Buffer.from(secret)
  return [
    bytes.toString('hex'),
    bytes.toString('base64').replaceAll('=', ''),
    bytes.toString('base64url'),
    bytes.toString('latin1'),
  ]
}

const spellingsOfText = (text: string) => [
  text,
  ...spellings(Buffer.from(text)),
  ...(/^[0-9a-f]{32,}$/.test(text) ? spellings(Buffer.from(text, 'hex')) : []),
  ...(/^[A-Za-z0-9_-]{43}$/.test(text) ? spellings(Buffer.from(text, 'base64url')) : []),
]

describe('a dump of the tables', () => {
  it('after sign-up and login holds no token, code, ticket, secret, password key, pepper or challenge', async () => {
    const email = world.email()
    const { host, page, person, pepper } = await signUp(world, email)
    const code = world.codeTo(email)
    const login = await atLogin(world)
    const proof = person.proof(login.page)
    const duringLogin = await world.dump()
    const { challenge } = login.page
    await login.page.call(passwords.verifyPassword(proof))
    const next = await login.page.call(passkeys.getPasskeyChallenge({}))
    const open = await login.host.visit('login-password')
    const ticket = await login.host.call(handshakes.createOpeningTicket(open.openingId, { page: 'login-password' }), {
      device: true,
    })
    const dump = `${duringLogin}\n${await world.dump()}`

    const { seed, publicKey } = authKey(person.masterKey, person.passwordId)
    const keys = [
      person.masterKey,
      person.rootSeed,
      pepper,
      seed,
      publicKey,
      challenge,
      next.challenge,
      host.device,
      host.recovery,
    ]
    const texts = [
      host.token,
      page.token,
      login.host.token,
      login.page.token,
      page.openingSecret,
      login.page.openingSecret,
      ticket,
    ]
    const found = [...keys.flatMap(spellings), ...texts.flatMap((text) => spellingsOfText(text ?? ''))].filter((text) =>
      dump.includes(text),
    )
    expect(found).toEqual([])
    expect(dump).toContain(email)
    expect([`"${code}"`, ...spellings(Buffer.from(code)).slice(0, 2)].filter((text) => dump.includes(text))).toEqual([])
    expect(dump).toContain(person.passwordId)
  })

  it('holds a deferred commit only encrypted', async () => {
    const { host, person, pepper, page: first } = await atCreatePassword(world)
    await first.call(portalSessions.closeOpening(first.openingId, first.openingSecret))
    const page = await host.visit('create-password', person.passwordId)
    await page.enter({ redirect: true, redeemHash: '11'.repeat(32) })
    const { deviceCertificate: _, ...body } = person.completion(host, await world.now(), pepper)
    await page.call(passwords.updatePassword(person.userId, person.passwordId, body))

    const dump = await world.dump()

    expect(dump).toContain('"state":"DEFERRED"')
    expect(dump).not.toContain(body.authPublicKey)
    expect(dump).not.toContain(body.encryptionKeyHash)
  })
})

describe('a session token alone', () => {
  const marked = Object.entries(operations).filter(([, operation]) => operation.device === true)

  it('is refused every call that needs a device signature: credential, signature, wallet, backup, ticket, redemption', async () => {
    const { host, person } = await signUp(world)

    expect(marked.length).toBeGreaterThan(10)
    for (const [id] of marked) {
      expect(await host.refused(authorize(id as OperationId, person.userId))).toMatch(
        /^(DeviceSignatureRequired|NoSignedInUser|NotFound): /,
      )
      expect(await host.refused(authorize(id as OperationId, person.userId), { token: undefined })).not.toMatch(
        /^Device/,
      )
    }
    await expect(host.call(authorize('createPassword', person.userId), { device: true })).resolves.toBeUndefined()
  })

  it('can neither make nor complete a credential, and neither rotate the token nor step up', async () => {
    const { host, person, body } = await atCreatePassword(world)
    const stolen = host.token

    expect(await host.refused(authorize('createPassword', person.userId))).toBe(
      'DeviceSignatureRequired: device signature required',
    )
    expect(await host.refused(passwords.updatePassword(person.userId, person.passwordId, body))).toBe(
      'NoSignedInUser: no signed-in user',
    )
    expect(
      await host.refused(passwords.verifyPassword({ passwordId: person.passwordId, publicKey: '', signature: '' })),
    ).toBe('NoSignedInUser: no signed-in user')
    await host.touch(true)
    expect(host.token).toBe(stolen)
    expect(await host.refused(users.getUser(person.userId))).toBe('NoSignedInUser: no signed-in user')
  })
})
