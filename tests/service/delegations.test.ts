/** Delegated sessions over HTTP: what one does, what it is refused, what ends it, and what may make one. */
import { randomUUID } from 'node:crypto'
import { p256 } from '@noble/curves/nist.js'
import { ed25519 } from '@noble/curves/ed25519.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import { verifyMessage } from 'viem/utils'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Para } from '../../adapters/browser/sdk.ts'
import { Database } from '../../adapters/service/database/Database.ts'
import * as DeviceKey from '../../domain/crypto/DeviceKey.ts'
import type { Scope } from '../../domain/model/Delegation.ts'
import * as Frame from '../../domain/mpc/Frame.ts'
import type { SigningRequest } from '../../domain/mpc/SigningRequest.ts'
import { Caller } from '../../domain/service/Caller.ts'
import { createDelegation } from '../../domain/service/delegations.ts'
import { changePartner } from '../../domain/service/partnerChanges.ts'
import * as partners from '../../domain/service/partners.ts'
import { applyPolicy } from '../../domain/service/policies.ts'
import { Runs } from '../../domain/service/ports/Runs.ts'
import { Sessions } from '../../domain/service/ports/Sessions.ts'
import { endSessions } from '../../domain/service/userChanges.ts'
import { operations } from '../../generated/operations.ts'
import { nobody } from '../kit/cosignerWorld.ts'
import { keyOf, makeDevice, type Ended } from '../kit/device.ts'
import { startService, type TestService } from '../kit/service.ts'
import { rowsOf } from './rows.ts'
import { makeSession } from './credentials.ts'
import { hostsOf, logIn, portal, shop, signUp, type Person } from './people.ts'
import { ask, heldBy, refusal, success, type Client, type Held } from './wire.ts'

let service: TestService
let ada: Person
let adas: Held
let evmId: string
let solanaId: string

const hour = 60 * 60_000
const empty = new Uint8Array(0)

beforeAll(async () => {
  service = await startService()
  ada = await signUp(service, { types: { EVM: true, SOLANA: true } })
  adas = await heldBy(service, ada.device)
  const wallets = await ada.device.getWallets()
  const idOf = (type: string) => wallets.find((wallet) => wallet.type === type)?.id ?? ''
  evmId = idOf('EVM')
  solanaId = idOf('SOLANA')
})

afterAll(async () => {
  await ada.device.dispose()
  await service.stop()
})

type Wish = {
  readonly scope?: Scope
  readonly lifeMs?: number
  /** Changes what the service is told, but not what is signed. */
  readonly told?: Readonly<Record<string, unknown>>
  /** Changes what is signed. */
  readonly signed?: Partial<DeviceKey.Delegation>
}

const delegation = (held: Held, { scope = 'SIGN', lifeMs = hour, told = {}, signed = {} }: Wish = {}) => {
  const { secretKey } = p256.keygen()
  const devicePublicKey = p256.getPublicKey(secretKey, false)
  const issuedAt = Date.now() + (held.client.device?.clockOffset ?? 0)
  const { userId, partnerId, sessionId } = held
  const times = { issuedAt, expiresAt: issuedAt + lifeMs }
  const message = DeviceKey.delegationMessage({
    userId,
    partnerId,
    sessionId,
    devicePublicKey,
    scope,
    ...times,
    ...signed,
  })
  const signature = bytesToHex(held.protocol.signBytes(message))
  return { secretKey, body: { devicePublicKey: bytesToHex(devicePublicKey), scope, ...times, signature, ...told } }
}

const create = (held: Held, body: unknown, client: Client = held.client) =>
  ask(client, 'POST', `/users/${held.userId}/delegations`, body)

/** A server with what a device handed to it. */
const serverOf = async (held: Held, wish?: Wish) => {
  const { secretKey, body } = delegation(held, wish)
  const { delegationId, token } = success(await create(held, body))
  const [sessionId, secret] = [String(delegationId), String(token)]
  const at = (base: string): Client => ({ base, apiKey: service.partner.apiKey, token: secret })
  const device = makeDevice({
    userId: held.userId,
    partnerId: held.partnerId,
    sessionId,
    secretKey,
    cosigner: held.cosigner,
    exchange: async (frame) => {
      const answer = await ask(at(service.addresses.cosigner), 'POST', '/protocol', frame)
      return answer.status === 200
        ? { kind: 'answered', bytes: answer.bytes }
        : { kind: 'refused', tag: answer.code ?? '', message: refusal(answer) }
    },
  })
  const { clockOffset = 0 } = held.client.device ?? {}
  const client: Client = { ...at(service.addresses.api), device: { sessionId, secretKey, clockOffset } }
  return { id: sessionId, client, device }
}

type Server = Awaited<ReturnType<typeof serverOf>>

const hello: SigningRequest = { kind: 'solanaMessage', message: bytesToHex(utf8ToBytes('hello')) }

/** With the key share that came in the text, and without OT state. */
const sign = ({ device }: Server, held: Held = adas) => device.sign(held.keyOf(solanaId), hello)

const isSignature = (ended: Ended) => {
  if (ended.kind !== 'done') return ended
  const { publicKey } = adas.keyOf(solanaId).share
  return ed25519.verify(ended.made.signature ?? new Uint8Array(0), utf8ToBytes('hello'), publicKey)
}

const touch = async ({ client }: Server) => success(await ask(client, 'POST', '/touch?regenerate=false'))
const list = (held: Held = adas) => ask(held.client, 'GET', `/users/${held.userId}/delegations`)
const end = (id: string, held: Held = adas) => ask(held.client, 'DELETE', `/users/${held.userId}/delegations/${id}`)
const refused = { kind: 'refused', tag: 'NoSignedInUser' }

describe('a delegated session', () => {
  it('is told who it is, reads the wallets and signs, with an enrolment of its own where it takes one', async () => {
    const server = await serverOf(adas)

    const { userId, sessionId, isAuthenticated, delegation: told, currentWalletIds } = await touch(server)
    expect({ userId, sessionId, isAuthenticated }).toEqual({
      userId: ada.userId,
      sessionId: server.id,
      isAuthenticated: true,
    })
    expect(told).toEqual({ scope: 'SIGN', expiresAt: expect.any(Number) as number })
    expect(currentWalletIds).toMatchObject({ SOLANA: [solanaId] })
    expect(success(await ask(server.client, 'GET', `/users/${ada.userId}/wallets`)).wallets).toHaveLength(2)
    expect(isSignature(await sign(server))).toBe(true)

    const { share } = adas.keyOf(evmId)
    const enrolled = keyOf(await server.device.attach(share), share)
    const message = { kind: 'eip191', message: bytesToHex(utf8ToBytes('hello')) } as const
    expect(await server.device.sign(enrolled, message)).toMatchObject({ kind: 'done' })
  })

  it('neither refreshes nor makes keys', async () => {
    const server = await serverOf(adas)
    const { share } = adas.keyOf(solanaId)
    const notDelegated = { kind: 'refused', tag: 'NotDelegated' }

    expect(await server.device.refresh(share, randomUUID())).toEqual(expect.objectContaining(notDelegated))
    const wallet = { scheme: 'ED25519', walletId: solanaId, protocolId: randomUUID() } as const
    expect(await server.device.keygen(wallet, share.rootPublicKey)).toEqual(expect.objectContaining(notDelegated))
    for (const operation of ['ACK', 'RECONCILE', 'REATTACH', 'REISSUE', 'CONFIRM'] as const) {
      const frame = server.device.signFrame({
        operation,
        step: operation === 'CONFIRM' ? 2 : 1,
        body: new Uint8Array(0),
        scheme: 'ED25519',
        protocolId: randomUUID(),
        sessionId: server.id,
        walletId: solanaId,
        epoch: share.epoch,
        shareId: share.shareId,
        attempt: new Uint8Array(16),
        deviceKeyThumb: server.device.deviceKeyThumb,
      })
      expect([operation, await server.device.send(frame)]).toEqual([operation, expect.objectContaining(notDelegated)])
    }
  })

  it('exports, backs up and delegates nothing, opens no page and gets no JWT', async () => {
    const server = await serverOf(adas)
    const asked = [
      ['GET', `/users/${ada.userId}/wallets/${evmId}/capsule-share`],
      ['POST', `/users/${ada.userId}/key-shares`],
      ['POST', `/users/${ada.userId}/delegations`],
      ['GET', `/users/${ada.userId}/delegations`],
      ['DELETE', `/users/${ada.userId}/delegations/${server.id}`],
      ['POST', `/users/${ada.userId}/wallets/${evmId}/refresh`],
      ['POST', `/users/${ada.userId}/session/jwt`],
      ['POST', '/openings'],
    ] as const
    for (const [method, target] of asked) {
      expect([target, refusal(await ask(server.client, method, target, method === 'POST' ? {} : undefined))]).toEqual([
        target,
        '403 NotDelegated: a delegated session may not do this',
      ])
    }
  })

  it('opens no page through a page of the portal either', async () => {
    const { id } = await serverOf(adas)
    const page: Client = { base: service.addresses.api, apiKey: service.partner.apiKey, origin: portal }
    const open = (sessionId: string) => ask(page, 'POST', '/openings', { page: 'login-password', sessionId })

    success(await open(adas.sessionId))
    expect(refusal(await open(id))).toBe('404 NotFound: not found')
  })

  it('accepts no review of its own, also where it knows a session of the person and the policy asks for no credential', async () => {
    const rule = { id: 'held', effect: 'review', when: { payload: { is: 'solana.message' } } }
    const apply = (rules: readonly object[]) =>
      service.run(applyPolicy(service.partner.partnerId, { tandem: 'policy/1', default: 'allow', rules }))
    const server = await serverOf(adas)
    await apply([{ ...rule, review: { by: 'user', stepUp: false } }])
    const ended = await sign(server)
    const pending = ended.kind === 'stopped' && ended.status === 'HELD' ? Frame.decodeHeld(ended.body) : undefined
    const [record, contentHash] = [pending?.pendingTransactionId ?? '', bytesToHex(pending?.contentHash ?? empty)]
    const page: Client = { base: service.addresses.api, apiKey: service.partner.apiKey, origin: portal }
    const open = (sessionId: string) => ask(page, 'POST', '/openings', { page: 'review', record, sessionId })
    const accept = (client: Client) =>
      ask(client, 'POST', `/users/${ada.userId}/pending-transactions/${record}/accept`, { contentHash })

    expect(refusal(await accept(server.client))).toMatch(/^40[13] /)
    expect(refusal(await open(server.id))).toBe('404 NotFound: not found')
    const { openingId, openingSecret } = success(await open(adas.sessionId))
    const path = `/openings/${String(openingId)}`
    const asked = { page: 'review', record }
    expect(refusal(await ask(server.client, 'POST', `${path}/ticket`, asked))).toMatch(/^403 NotDelegated: /)
    const redirected = { openingSecret, redirect: true, redeemHash: '00'.repeat(32) }
    const entered = await ask(page, 'POST', `${path}/token`, redirected)
    success(entered)
    const token = entered.token ?? undefined
    expect(refusal(await accept({ ...page, token }))).toBe('403 StepUpRequired: a step-up is required')
    expect(await sign(server)).toMatchObject({ kind: 'stopped', status: 'HELD' })
    await apply([])
  })

  it('that reads alone sees the wallets and signs nothing', async () => {
    const server = await serverOf(adas, { scope: 'READ' })

    expect(success(await ask(server.client, 'GET', `/users/${ada.userId}/wallets`)).wallets).toHaveLength(2)
    expect(await sign(server)).toMatchObject({ kind: 'refused', tag: 'NotDelegated' })
    const target = `/users/${ada.userId}/wallets/${evmId}/messages/sign`
    expect(refusal(await ask(server.client, 'POST', target, {}))).toMatch(/^403 NotDelegated: /)
  })

  it('whose row a writer of the database changed signs nothing', async () => {
    const server = await serverOf(adas, { lifeMs: 60_000 })
    const stored = async () => (await rowsOf(service))['sessions']?.find(({ id }) => id === server.id)?.['delegation']
    const longer = { ...((await stored()) as object), expiresAt: Date.now() + 2 * hour }
    await service.run(
      Effect.flatMap(Database, ({ query }) =>
        query((db) =>
          db
            .updateTable('sessions')
            .set({ delegation: JSON.stringify(longer) })
            .where('id', '=', server.id)
            .execute(),
        ),
      ),
    )

    expect(await touch(server)).toMatchObject({ delegation: { expiresAt: longer.expiresAt } })
    expect(await sign(server)).toMatchObject({ kind: 'refused', tag: 'DeviceNotCertified' })
  })

  it('keeps its token, whatever touch is asked for', async () => {
    const server = await serverOf(adas)
    const answer = await ask(server.client, 'POST', '/touch?regenerate=true')

    expect([answer.token, success(answer).sessionId]).toEqual([null, server.id])
  })

  it('comes from no page', async () => {
    const server = await serverOf(adas)
    for (const { id, method, path } of calls) {
      const target = path
        .replace('{userId}', ada.userId)
        .replace('{partnerId}', adas.partnerId)
        .replace('{walletId}', evmId)
      const answer = await ask({ ...server.client, base: service.addresses[id.listener], origin: shop }, method, target)
      expect([target, refusal(answer)]).toEqual([target, '403 OriginNotAllowed: origin not allowed'])
    }
    expect(calls.length).toBe(9)
    expect((await touch(server)).isAuthenticated).toBe(true)
  })
})

/** What the contract names delegated sessions for. */
const calls = Object.values(operations)
  .filter((operation) => 'delegation' in operation)
  .map((operation) => ({ id: operation, method: operation.method, path: operation.path }))

describe('an exported session', () => {
  const settings = () => ({ hosts: hostsOf(service.addresses), logLevel: 'None' }) as const
  /** The SDK as a server has it: no window, no origin, no storage but its own. */
  const serverWith = async (text: string) => {
    const server = new Para('DEV', service.partner.apiKey, settings())
    await server.importSession(text)
    return server
  }

  it('signs in Node with every wallet, and is refused what it may not do', async () => {
    const server = await serverWith(await ada.device.exportSession())
    const [{ ethereumSignature = '0x', address }, { signature }] = [
      await server.signMessage({ walletId: evmId, message: 'hello' }),
      await server.signMessage({ walletId: solanaId, message: 'hello' }),
    ]

    expect(await server.isSessionActive()).toBe(true)
    const signed = { address: address as `0x${string}`, message: 'hello', signature: ethereumSignature }
    expect(await verifyMessage(signed)).toBe(true)
    expect(signature).toMatch(/./)
    const email = 'eve@example.com'
    const refusals: readonly (() => Promise<unknown>)[] = [
      () => server.checkUserExists({ email }),
      () => server.createUser({ email }),
      () => server.verifyEmail('123456'),
      () => server.resendVerificationCode(),
      () => server.getSupportedAuthMethods({ email }),
      () => server.finishSetup(),
      () => server.getToken(),
      () => server.cancelRecovery(),
      () => server.createWallet({ type: 'SOLANA' }),
      () => server.refreshKeys({ walletId: solanaId }),
      () => server.exportSession(),
      () => server.listDelegations(),
      () => server.endDelegation({ id: randomUUID() }),
      () => server.createShortLink(`${portal}/web/passwords/login`),
    ]
    for (const refused of refusals) {
      const failure: unknown = await refused().catch((error: unknown) => error)
      expect([String(refused), failure]).toEqual([String(refused), expect.objectContaining({ code: 'NotDelegated' })])
    }
    expect(await server.keepSessionAlive()).toBe(false)
    await server.dispose()
  })

  it('without its key shares sees the wallets and signs nothing', async () => {
    const server = await serverWith(await ada.device.exportSession({ excludeSigners: true, lifetimeMs: 60_000 }))

    expect((await server.getWallets()).map(({ id }) => id).toSorted()).toEqual([evmId, solanaId].toSorted())
    const notDelegated = { code: 'NotDelegated' }
    await expect(server.signMessage({ walletId: evmId, message: 'hello' })).rejects.toMatchObject(notDelegated)
    await expect(server.refreshKeys({ walletId: evmId })).rejects.toMatchObject(notDelegated)
    await server.dispose()
  })

  it('is listed and ended by the device, and ends by its own logout', async () => {
    const before = (await ada.device.listDelegations()).map(({ id }) => id)
    for (const lifetimeMs of [-1, 1, 59_999, NaN]) {
      const message = 'exportSession takes lifetimeMs as >= 60000'
      await expect(ada.device.exportSession({ lifetimeMs })).rejects.toMatchObject({ code: 'InvalidInput', message })
    }
    const text = await ada.device.exportSession({ lifetimeMs: 5 * 60_000 + 0.5 })
    const [one, other] = [await serverWith(text), await serverWith(await ada.device.exportSession())]
    const made = (await ada.device.listDelegations()).filter(({ id }) => !before.includes(id))
    expect(made).toMatchObject([
      { scope: 'SIGN', isOwn: true },
      { scope: 'SIGN', isOwn: true },
    ])
    const lives = made.map(({ createdAt, expiresAt }) => Date.parse(expiresAt) - Date.parse(createdAt))
    expect(lives.map((ms) => Math.round(ms / 60_000))).toEqual([5, 60])

    await ada.device.endDelegation({ id: made[0]?.id ?? '' })
    await other.logout()

    const late = await serverWith(text)
    expect(late.session.get().status).toBe('anonymous')
    await expect(late.signMessage({ message: 'hello' })).rejects.toMatchObject({ code: 'NoSignedInUser' })
    for (const server of [one, other, late]) {
      await expect(server.signMessage({ walletId: solanaId, message: 'hello' })).rejects.toBeInstanceOf(Error)
      expect(await server.isSessionActive()).toBe(false)
      await server.dispose()
    }
    expect((await ada.device.listDelegations()).map(({ id }) => id)).toEqual(before)
  })

  it('says that its key share is out of date when the device has refreshed it, and is ended by no other user', async () => {
    const bob = await signUp(service, { types: { SOLANA: true } })
    const server = await serverWith(await bob.device.exportSession())
    const [walletId = ''] = bob.walletIds
    await bob.device.refreshKeys({ walletId })

    await expect(server.signMessage({ walletId, message: 'hello' })).rejects.toMatchObject({
      code: 'KeyShareOutOfDate',
    })
    const again = await serverWith(await bob.device.exportSession())
    expect(await again.signMessage({ walletId, message: 'hello' })).toMatchObject({ walletId })
    const { id } = await serverOf(adas)
    await expect(bob.device.endDelegation({ id })).rejects.toMatchObject({ code: 'NotFound' })
    await Promise.all([server.dispose(), again.dispose(), bob.device.dispose()])
  })
})

describe('what ends it', () => {
  it('is its hour', async () => {
    const server = await serverOf(adas, { lifeMs: hour })
    service.advance(hour - 60_000)
    expect((await touch(server)).isAuthenticated).toBe(true)
    service.advance(60_000)
    // With the clock as it is now.
    adas = await heldBy(service, ada.device)

    expect(await sign(server)).toMatchObject(refused)
    const { isAuthenticated, sessionId } = await touch(server)
    expect([isAuthenticated, sessionId === server.id]).toEqual([false, false])
    expect(success(await list()).delegations).not.toContainEqual(expect.objectContaining({ id: server.id }))
  })

  it('is its removal from the list, by any device of the user', async () => {
    const phone = await logIn(service, ada)
    const phones = await heldBy(service, phone)
    const server = await serverOf(adas)
    const [own, others] = [success(await list()), success(await list(phones))]
    const listed = { id: server.id, scope: 'SIGN' }
    expect(own.delegations).toContainEqual(expect.objectContaining({ ...listed, isOwn: true }))
    expect(others.delegations).toContainEqual(expect.objectContaining({ ...listed, isOwn: false }))

    success(await end(server.id, phones))

    expect(await sign(server)).toMatchObject(refused)
    expect((await touch(server)).isAuthenticated).toBe(false)
    expect(refusal(await end(server.id))).toBe('404 NotFound: not found')
    await phone.dispose()
  })

  it('is no removal that names another session, or comes from another partner', async () => {
    const server = await serverOf(adas)
    const other = await service.addPartner()
    const { token, device } = await makeSession(service, { partnerId: other.partnerId, userId: ada.userId })
    const signing = { ...device, clockOffset: adas.client.device?.clockOffset ?? 0 }
    const elsewhere = { ...adas.client, apiKey: other.apiKey, token, device: signing }
    const target = `/users/${ada.userId}/delegations`

    expect(success(await ask(elsewhere, 'GET', target)).delegations).toEqual([])
    expect(refusal(await ask(elsewhere, 'DELETE', `${target}/${server.id}`))).toBe('404 NotFound: not found')
    expect(refusal(await end(adas.sessionId))).toBe('404 NotFound: not found')
    expect(isSignature(await sign(server))).toBe(true)
  })

  it('is its own logout, which ends nothing else', async () => {
    const [server, other] = [await serverOf(adas), await serverOf(adas)]

    success(await ask(server.client, 'GET', '/logout'))

    expect(await sign(server)).toMatchObject(refused)
    expect(isSignature(await sign(other))).toBe(true)
    expect((await ask(adas.client, 'POST', '/touch?regenerate=false')).status).toBe(200)
  })

  it('is the logout of the device that made it, with what is under way', async () => {
    const phone = await logIn(service, ada)
    const phones = await heldBy(service, phone)
    const [server, other] = [await serverOf(phones), await serverOf(adas)]
    const { share } = phones.keyOf(evmId)
    const begun = await server.device
      .attach(share, (request, frame) => {
        if (frame.step === 1) return request
        throw new Error('the server stops after its first request')
      })
      .catch(() => undefined)
    const underWay = () => service.run(Effect.flatMap(Runs, (runs) => runs.unfinishedOfSession(server.id)))
    expect([begun, await underWay()]).toEqual([undefined, [expect.objectContaining({ walletId: evmId })]])

    success(await ask(phones.client, 'GET', '/logout'))

    expect(await underWay()).toEqual([])
    expect(await sign(server)).toMatchObject(refused)
    expect(isSignature(await sign(other))).toBe(true)
    await phone.dispose()
  })

  it('is the partner, who switches delegations off for as long as it wants', async () => {
    const server = await serverOf(adas)
    const set = (delegations: boolean) =>
      service.run(changePartner(service.partner.partnerId, { delegations }, 'of a test'))
    await set(false)

    expect(await sign(server)).toMatchObject({ kind: 'refused', tag: 'DelegationNotAllowed' })
    expect(refusal(await create(adas, delegation(adas).body))).toBe(
      '403 DelegationNotAllowed: delegated sessions are not allowed',
    )
    await set(true)
    expect(isSignature(await sign(server))).toBe(true)
  })
})

describe('none is made', () => {
  it.each<[string, Wish]>([
    [
      'for another key',
      { told: { devicePublicKey: bytesToHex(p256.getPublicKey(p256.utils.randomSecretKey(), false)) } },
    ],
    [
      'for what is no key',
      { told: { devicePublicKey: '04'.repeat(65) }, signed: { devicePublicKey: new Uint8Array(65).fill(4) } },
    ],
    ['with a wider scope', { scope: 'READ', told: { scope: 'SIGN' } }],
    ['with a longer life', { told: { expiresAt: Date.now() + 3 * hour } }],
    ['of another user', { signed: { userId: randomUUID() } }],
    ['of another partner', { signed: { partnerId: randomUUID() } }],
    ['of another session', { signed: { sessionId: randomUUID() } }],
    ['that is over', { lifeMs: 0 }],
    ['that outlives the certificate of its device', { lifeMs: 25 * hour }],
    ['with a signature of zeros', { told: { signature: '00'.repeat(64) } }],
  ])('%s', async (_, wish) => {
    expect(refusal(await create(adas, delegation(adas, wish).body))).toBe('400 InvalidDelegation: invalid delegation')
  })

  it('by the token alone', async () => {
    expect(refusal(await create(adas, delegation(adas).body, adas.tokenAlone))).toMatch(
      /^403 DeviceSignatureRequired: /,
    )
  })

  it('for a key that another device of the user signed', async () => {
    const phone = await logIn(service, ada)
    const { body } = delegation(await heldBy(service, phone), { signed: { sessionId: adas.sessionId } })

    expect(refusal(await create(adas, body))).toMatch(/^400 InvalidDelegation: /)
    await phone.dispose()
  })

  it('by a session that ends while it asks', async () => {
    const phone = await logIn(service, ada)
    const phones = await heldBy(service, phone)
    const { body } = delegation(phones)
    const [partner, session] = await service.run(
      Effect.all([partners.find(phones.partnerId), Effect.flatMap(Sessions, ({ find }) => find(phones.sessionId))]),
    )
    const caller = { ...nobody, apiKey: true, partner, session: Option.getOrThrow(session) }
    await phone.logout()

    const asked = Effect.provideService(createDelegation(ada.userId, body), Caller, caller)
    await expect(service.run(asked)).rejects.toMatchObject({ _tag: 'NoSignedInUser' })
    await phone.dispose()
  })
})

it('is one of 20 at most that the user has at the partner, whichever device made them; those that are over make room', async () => {
  const phone = await logIn(service, ada)
  const phones = await heldBy(service, phone)
  const lifeMs = 10 * 60_000
  const make = (held: Held, wish: Wish = { lifeMs }) => create(held, delegation(held, wish).body)
  const alive = async () => [success(await list()).delegations].flat().length
  for (let count = await alive(); count < 19; count++) success(await make(phones))

  const both = await Promise.all([make(adas), make(phones)])
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 400])
  expect(refusal(await make(adas))).toBe('400 TooManyDelegations: too many delegated sessions')

  const [last] = both.filter(({ status }) => status === 200).map(success)
  success(await end(String(last?.delegationId)))
  success(await make(phones))
  expect(await alive()).toBe(20)

  service.advance(lifeMs)
  adas = await heldBy(service, ada.device)
  success(await make(adas))
  const { sessions = [] } = await rowsOf(service)
  const ofPhone = sessions.filter((row) => row['parent_id'] === phones.sessionId)
  expect(ofPhone.map((row) => row['state'])).toEqual(ofPhone.map(() => 'CLOSED'))
  await phone.dispose()
})

it('ends once, with all sessions of its user that an operator ends', async () => {
  const servers = [await serverOf(adas), await serverOf(adas)]

  await service.run(endSessions(ada.userId, 'a lost phone'))

  const { audits = [] } = await rowsOf(service)
  const eventsOf = (id: string) => audits.flatMap((row) => (row['session_id'] === id ? [row['event']] : []))
  for (const server of servers) {
    expect(await sign(server)).toMatchObject(refused)
    expect(eventsOf(server.id)).toEqual(['delegation.ended'])
  }
  expect(eventsOf(adas.sessionId)).toContain('session.ended')
})
