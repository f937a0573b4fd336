import { createPublicKey, verify } from 'node:crypto'
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { ed25519 } from '@noble/curves/ed25519.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import * as Result from 'effect/Result'
import type { Kysely } from 'kysely'
import { hashMessage, recoverMessageAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { Database } from '../../../adapters/service/database/Database.ts'
import type { Tables } from '../../../adapters/service/database/Tables.ts'
import * as Address from '../../../domain/model/Address.ts'
import * as OtRecord from '../../../domain/mpc/dkls/OtRecord.ts'
import * as Frame from '../../../domain/mpc/Frame.ts'
import * as ShareRecord from '../../../domain/mpc/ShareRecord.ts'
import { payloadDigest, type SigningRequest } from '../../../domain/mpc/SigningRequest.ts'
import * as TypedData from '../../../domain/mpc/TypedData.ts'
import { Claims } from '../../../domain/service/ports/Claims.ts'
import { CosignerEngine } from '../../../domain/service/ports/CosignerEngine.ts'
import { Deployment } from '../../../domain/service/ports/Deployment.ts'
import { Notifications, topicOf } from '../../../domain/service/ports/Notifications.ts'
import { Runs } from '../../../domain/service/ports/Runs.ts'
import { SecureRandom } from '../../../domain/service/ports/SecureRandom.ts'
import { Sessions } from '../../../domain/service/ports/Sessions.ts'
import { Vault } from '../../../domain/service/ports/Vault.ts'
import { Users } from '../../../domain/service/ports/Users.ts'
import { Wallets } from '../../../domain/service/ports/Wallets.ts'
import { Watermarks } from '../../../domain/service/ports/Watermarks.ts'
import { exchangeFrame } from '../../../domain/service/protocol.ts'
import { sweep } from '../../../domain/service/protocol/ending.ts'
import {
  otAssociatedData,
  seedAssociatedData,
  shareAssociatedData,
  stateAssociatedData,
} from '../../../domain/service/protocol/associatedData.ts'
import { lockedAtWatermark, lockedWatermark } from '../../../domain/service/protocol/watermarks.ts'
import { refreshLimits } from '../../../domain/service/Refresh.ts'
import { refreshKeys } from '../../../domain/service/refreshes.ts'
import { signMessage } from '../../../domain/service/signing.ts'
import { listWallets } from '../../../domain/service/wallets.ts'
import {
  makePartner,
  makeUser,
  signIn,
  startWorld,
  value,
  type Dump,
  type SignedIn,
  type TestUser,
  type World,
} from '../../kit/cosignerWorld.ts'
import { keyOf, type Device, type Ended, type Meddle, type WalletKey } from '../../kit/device.ts'
import type { PartnerRecord } from '../../../domain/service/Partner.ts'
import { endWork } from '../../../domain/service/sessions.ts'
import { openAnswer } from '../../kit/openAnswer.ts'

const dayMs = 24 * 60 * 60_000

let world: World
let partner: PartnerRecord
let user: TestUser
let host: SignedIn
let phone: SignedIn
let evm: WalletKey
let evmOnPhone: WalletKey
let solana: WalletKey
let evmConfirmed: Frame.ConfirmedBody
let evmRequests: readonly Uint8Array[]

beforeAll(async () => {
  world = await startWorld()
  partner = await makePartner(world)
  user = await makeUser(world)
  host = await signIn(world, user, partner)
  phone = await signIn(world, user, partner)
  const [evmMade, solanaMade] = [await make(host, 'EVM'), await make(host, 'SOLANA')]
  evm = keyOf(evmMade)
  solana = keyOf(solanaMade)
  evmConfirmed = confirmedOf(evmMade)
  evmRequests = evmMade.kind === 'done' ? evmMade.requests : []
  evmOnPhone = keyOf(await phone.device.attach(evm.share), evm.share)
})

afterAll(() => world.stop())

const make = async (by: SignedIn, type: 'EVM' | 'SOLANA' | 'COSMOS', meddle?: Meddle): Promise<Ended> => {
  const wallet = value(await by.createWallet({ type }))
  const scheme = type === 'SOLANA' ? 'ED25519' : 'DKLS'
  return by.device.keygen({ ...wallet, scheme }, by.user.rootPublicKey, meddle)
}

const confirmedOf = (ended: Ended): Frame.ConfirmedBody => {
  const confirmed = ended.kind === 'done' ? Frame.decodeConfirmed(ended.body) : undefined
  if (confirmed === undefined) throw new Error('not confirmed')
  return confirmed
}

const authorization = { kind: 'authorization', address: '12'.repeat(20), chainId: '1', nonce: '0' } as const

const typedPing = (count: number) => {
  const types = { Ping: [{ name: 'count', type: 'uint8' }] }
  const read = TypedData.read({ types, primaryType: 'Ping', message: { count } })
  return { kind: 'eip712', typedData: read?.text ?? '' } as const
}

const hello: SigningRequest = { kind: 'eip191', message: bytesToHex(utf8ToBytes('hello')) }

const signatureOf = (ended: Ended): Uint8Array => {
  if (ended.kind !== 'done' || ended.made.signature === undefined) throw new Error(`no signature: ${ended.kind}`)
  return ended.made.signature
}

/** The rows that a refused frame must not change. */
const stateOf = ({ wallets, runs, rounds, ot_records, provider_shares }: Dump) => ({
  wallets,
  runs,
  rounds,
  ot_records,
  provider_shares,
})

/** Sends a frame of which only a part is another's. */
const altered = (device: Device, request: Uint8Array, changes: Partial<Frame.Frame>) => {
  const decoded = Frame.decode(request)
  if (decoded === undefined) throw new Error('not a frame')
  return device.signFrame({ ...decoded.frame, ...changes })
}

/** Captures the first request of a signature without sending it. */
const firstRequest = async (
  by: SignedIn,
  key: WalletKey,
  request: SigningRequest = hello,
  meddle: Meddle = (bytes) => bytes,
): Promise<Uint8Array> => {
  const captured: Uint8Array[] = []
  const capture: Meddle = async (bytes, frame) => {
    captured.push(await meddle(bytes, frame))
    throw new Error('captured')
  }
  await by.device.sign(key, request, { meddle: capture }).catch(() => undefined)
  const [first] = captured
  if (first === undefined) throw new Error('nothing was captured')
  return first
}

/** A statement past the service. */
const inDatabase = (work: (db: Kysely<Tables>) => Promise<unknown>) =>
  world.run(Effect.flatMap(Database, ({ query }) => query(work)))

type Step = CosignerEngine['Service']['step']

/** A flow whose engine computes its steps otherwise. */
const stepping = (change: (step: Step) => Step) =>
  Effect.updateService(CosignerEngine, (engine) => ({ ...engine, step: change(engine.step) }))

const flipped = (bytes: Uint8Array, index: number): Uint8Array => {
  const copy = bytes.slice()
  copy[index] = (copy[index] ?? 0) ^ 1
  return copy
}

describe('key generation', () => {
  it('ends with one address, which both sides computed, and a capsule that reveals nothing', () => {
    expect(evmConfirmed.address).toBe(Address.evm(evm.share.publicKey))
    expect(bytesToHex(evmConfirmed.capsule)).not.toContain(bytesToHex(evm.share.publicKey))
  })

  it('makes the wallet active, lists it with its address, and puts it into the session', async () => {
    const listed = value(await host.as({}, listWallets(user.userId)))
    const { session } = await host.caller()

    expect(listed.map(({ type, state, epoch }) => [type, state, epoch])).toEqual([
      ['EVM', 'ACTIVE', 1],
      ['SOLANA', 'ACTIVE', 1],
    ])
    expect(listed[0]?.address).toBe(evmConfirmed.address)
    expect(session?.currentWalletIds).toEqual({ EVM: [evm.walletId], SOLANA: [solana.walletId] })
    expect(session?.needsWallet).toBe(false)
  })

  it('is listed with its address where it is confirmed while the list is read', async () => {
    const by = await signIn(world, await makeUser(world), partner)
    const requests: Uint8Array[] = []
    const stopAtConfirm: Meddle = (request, { operation }) => {
      if (operation !== 'CONFIRM') return request
      requests.push(request)
      throw new Error('the page was left')
    }
    await make(by, 'SOLANA', stopAtConfirm).catch(() => undefined)
    const confirm = Effect.promise(() => Promise.all(requests.splice(0).map((request) => by.device.send(request))))
    const confirming = Effect.updateService(Watermarks, (marks) => ({
      ...marks,
      read: (name) => Effect.andThen(confirm, marks.read(name)),
    }))

    const [listed] = value(await by.as({}, confirming(listWallets(by.user.userId))))
    expect(requests).toEqual([])
    expect(listed).toMatchObject({ state: 'ACTIVE', address: expect.any(String) as string, lacksBackup: true })
    const [later] = value(await by.as({}, listWallets(by.user.userId)))
    expect(later).toEqual(listed)
  })

  it('pins the user to one root key', async () => {
    const wallet = value(await host.createWallet({ type: 'COSMOS', cosmosPrefix: 'osmo' }))
    const other = await makeUser(world)
    const stranger = await signIn(world, { ...other, userId: user.userId }, partner)
    const begun = value(await stranger.createWallet({ type: 'COSMOS' }))

    const byAnotherRoot = await stranger.device.keygen({ ...begun, scheme: 'DKLS' }, other.rootPublicKey)
    const own = await host.device.keygen({ ...wallet, scheme: 'DKLS' }, user.rootPublicKey)

    expect(byAnotherRoot).toMatchObject({ kind: 'refused', tag: 'WalletBeingCreated' })
    expect(confirmedOf(own).address).toMatch(/^osmo1/)
  })

  it('answers the last request again with the same address and capsule', async () => {
    const last = evmRequests.at(-1)
    const answer = last && (await host.device.send(last))

    expect(answer).toMatchObject({ status: 'OK' })
    expect(answer && 'body' in answer && Frame.decodeConfirmed(answer.body)).toEqual(evmConfirmed)
  })

  it('refuses a wallet that has its key', async () => {
    const again = value(await host.createWallet({ type: 'EVM', known: 0 }))

    expect(again).toMatchObject({ walletId: evm.walletId, lead: false })
    expect(await host.device.keygen({ ...again, scheme: 'DKLS' }, user.rootPublicKey)).toMatchObject({
      kind: 'refused',
      tag: 'WalletExists',
    })
  })

  it('keeps the lease for its holder, and gives it to the next caller when the lease or the run ends', async () => {
    const newcomer = await makeUser(world)
    const [one, two] = [await signIn(world, newcomer, partner), await signIn(world, newcomer, partner)]
    const first = value(await one.createWallet({ type: 'SOLANA' }))
    const repeated = value(await one.createWallet({ type: 'SOLANA' }))
    const second = value(await two.createWallet({ type: 'SOLANA' }))
    const run = (by: SignedIn, wallet: { walletId: string; protocolId: string }, meddle?: Meddle) =>
      by.device.keygen({ ...wallet, scheme: 'ED25519' }, newcomer.rootPublicKey, meddle)

    const early = await run(two, second)
    const broken = await run(one, first, (request, frame) =>
      frame.step === 2 ? altered(one.device, request, { body: flipped(frame.body, 3) }) : request,
    )
    const late = await run(two, second)

    expect(first).toMatchObject({ lead: true })
    expect(repeated).toEqual(first)
    expect(second).toMatchObject({ walletId: first.walletId, lead: false })
    expect(early).toMatchObject({ kind: 'refused', tag: 'WalletBeingCreated' })
    expect(broken).toMatchObject({ kind: 'stopped', status: 'ABORT' })
    expect(late.kind).toBe('done')
  })

  it('that lacks its confirmation ends with its session, and the user’s next session hears so from the co-signer', async () => {
    const newcomer = await makeUser(world)
    const [one, two] = [await signIn(world, newcomer, partner), await signIn(world, newcomer, partner)]
    const stranger = await signIn(world, await makeUser(world), partner)
    const [running, made] = [
      value(await one.createWallet({ type: 'SOLANA' })),
      value(await one.createWallet({ type: 'EVM' })),
    ]
    let confirmation = new Uint8Array(0)
    const stopAtConfirm: Meddle = (request, { operation }) => {
      if (operation !== 'CONFIRM') return request
      confirmation = request.slice()
      throw new Error('the page is closed')
    }
    await one.device
      .keygen({ ...running, scheme: 'ED25519' }, newcomer.rootPublicKey, stopAtConfirm)
      .catch(() => undefined)
    let confirmed = new Uint8Array(0)
    confirmedOf(
      await one.device.keygen({ ...made, scheme: 'DKLS' }, newcomer.rootPublicKey, (request) => {
        confirmed = request.slice()
        return request
      }),
    )
    const before = stateOf(await world.dump())
    const refused = { kind: 'refused', tag: 'NoSignedInUser' }

    expect(await two.device.send(altered(two.device, confirmation, {}))).toMatchObject(refused)
    expect(await stranger.device.send(confirmation)).toMatchObject(refused)
    const keygen = altered(two.device, confirmation, { operation: 'KEYGEN', step: 1 })
    expect(await two.device.send(keygen)).toMatchObject(refused)
    expect(stateOf(await world.dump())).toEqual(before)

    await world.run(Effect.flatMap(Sessions, (sessions) => sessions.close(one.sessionId, world.now())))
    expect(await stranger.device.send(confirmation)).toMatchObject(refused)
    expect(await two.device.send(confirmed)).toMatchObject(refused)
    expect(stateOf(await world.dump())).toEqual(before)
    expect(await two.device.send(confirmation)).toMatchObject({ status: 'ABORT' })
    expect(await two.device.send(confirmation)).toMatchObject({ status: 'ABORT' })
    const next = value(await two.createWallet({ type: 'SOLANA' }))
    expect(next).toMatchObject({ walletId: running.walletId, lead: true })
    expect((await two.device.keygen({ ...next, scheme: 'ED25519' }, newcomer.rootPublicKey)).kind).toBe('done')
    // Another key has become the wallet's since: the first one is over all the same.
    expect(await two.device.send(confirmation)).toMatchObject({ status: 'ABORT' })
  })

  it('that lacks its confirmation ends where its device sends the frame in another session', async () => {
    const newcomer = await makeUser(world)
    const [lost, next] = [await signIn(world, newcomer, partner), await signIn(world, newcomer, partner)]
    const wallet = value(await lost.createWallet({ type: 'SOLANA' }))
    let confirmation = new Uint8Array(0)
    await lost.device
      .keygen({ ...wallet, scheme: 'ED25519' }, newcomer.rootPublicKey, (request, { operation }) => {
        if (operation !== 'CONFIRM') return request
        confirmation = request.slice()
        throw new Error('the storage is cleared')
      })
      .catch(() => undefined)

    expect(await next.device.send(confirmation)).toMatchObject({ status: 'ABORT' })
    expect(await lost.device.send(confirmation)).toMatchObject({ status: 'ABORT' })
    const again = value(await next.createWallet({ type: 'SOLANA' }))
    expect(again).toMatchObject({ walletId: wallet.walletId, lead: true })
    expect((await next.device.keygen({ ...again, scheme: 'ED25519' }, newcomer.rootPublicKey)).kind).toBe('done')
  })

  it('needs the root key that certifies the device', async () => {
    const newcomer = await makeUser(world)
    const uncertified = await signIn(world, newcomer, partner, { certified: false })
    const wallet = value(await uncertified.createWallet({ type: 'SOLANA' }))
    const before = stateOf(await world.dump())

    const ended = await uncertified.device.keygen({ ...wallet, scheme: 'ED25519' }, newcomer.rootPublicKey)

    expect(ended).toMatchObject({ kind: 'refused', tag: 'DeviceNotCertified' })
    expect(stateOf(await world.dump())).toEqual(before)
  })

  it('works for the public client, which has neither root key nor certificate, in PROD only by opt-in', async () => {
    const newcomer = await makeUser(world)
    const client = await signIn(world, newcomer, partner, { certified: false })
    const wallet = value(await client.createWallet({ type: 'SOLANA' }))
    const inProd = {
      environment: 'PROD',
      apiOrigin: 'https://api.example',
      portalOrigin: 'https://portal.example',
      connectOrigin: 'https://connect.example',
      operatorName: 'Tandem',
    } as const
    const captured: Uint8Array[] = []

    const made = await client.device.keygen({ ...wallet, scheme: 'ED25519' }, new Uint8Array(0), (request) => {
      captured.push(request)
      return request
    })
    const refused = await client.as(
      {},
      exchangeFrame(captured[0] ?? new Uint8Array(0)).pipe(Effect.provideService(Deployment, inProd)),
    )

    expect(made.kind).toBe('done')
    expect(refused).toMatchObject({ kind: 'refused', tag: 'DeviceNotCertified' })
  })
})

describe('signing', () => {
  it('makes an Ethereum signature that three libraries accept, with a low s', async () => {
    const signature = signatureOf(await host.device.sign(evm, hello))
    const digest = hexToBytes(hashMessage('hello').slice(2))
    const point = secp256k1.Point.fromBytes(evm.share.publicKey).toBytes(false)
    const jwk = {
      kty: 'EC',
      crv: 'secp256k1',
      x: Buffer.from(point.subarray(1, 33)).toString('base64url'),
      y: Buffer.from(point.subarray(33)).toString('base64url'),
    }
    const forViem = `0x${bytesToHex(signature.subarray(0, 64))}${signature[64] === 1 ? '1c' : '1b'}` as const

    expect(
      secp256k1.verify(signature.subarray(0, 64), digest, evm.share.publicKey, { prehash: false, lowS: true }),
    ).toBe(true)
    expect(await recoverMessageAddress({ message: 'hello', signature: forViem })).toBe(evmConfirmed.address)
    expect(createPublicKey({ key: jwk, format: 'jwk' }).asymmetricKeyType).toBe('ec')
  })

  it('makes an Ed25519 signature that RFC 8032 accepts strictly', async () => {
    const message = utf8ToBytes('hello Solana')
    const asked: SigningRequest = { kind: 'solanaMessage', message: bytesToHex(message) }
    const signature = signatureOf(await host.device.sign(solana, asked))
    const key = createPublicKey({
      key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(solana.share.publicKey).toString('base64url') },
      format: 'jwk',
    })

    expect(ed25519.verify(signature, message, solana.share.publicKey, { zip215: false })).toBe(true)
    expect(verify(null, message, key, signature)).toBe(true)
  })

  it('signs on a second device with OT state of its own', async () => {
    expect(bytesToHex(evmOnPhone.otId)).not.toBe(bytesToHex(evm.otId))
    expect(signatureOf(await phone.device.sign(evmOnPhone, hello))).toHaveLength(65)
  })

  it('uses the signing device’s own OT state only, however the other device made its own', async () => {
    const refused = { kind: 'refused', tag: 'DeviceNotAttached', message: 'device is not attached to this wallet' }

    expect(await phone.device.sign(evm, hello)).toMatchObject(refused)
    expect(await host.device.sign(evmOnPhone, hello)).toMatchObject(refused)
    expect((await host.device.sign(evm, hello)).kind).toBe('done')
    expect((await phone.device.sign(evmOnPhone, hello)).kind).toBe('done')
  })

  it('answers the same bytes with the same answer, round by round and after the end', async () => {
    const answers: (Frame.FrameAnswer | object)[][] = []
    const meddle: Meddle = async (request, frame) => {
      const again = host.device.signFrame(frame)
      answers.push([await host.device.send(request), await host.device.send(again), await host.device.send(request)])
      return request
    }
    const ended = await host.device.sign(evm, hello, { meddle })

    expect(ended.kind).toBe('done')
    expect(answers).toHaveLength(2)
    for (const [first, second, third] of answers) {
      expect(first).toMatchObject({ status: 'OK' })
      expect(second).toEqual(first)
      expect(third).toEqual(first)
    }
  })

  it('ends on another request for an answered round, and leaves its tombstone', async () => {
    const captured: Uint8Array[] = []
    const forking: Meddle = async (request, frame) => {
      captured.push(request)
      if (frame.step === 1) return request
      const first = captured[0] ?? request
      const body = Frame.decode(first)?.frame.body ?? frame.body
      const forked = altered(host.device, first, { body: flipped(body, body.length - 1) })
      expect(await host.device.send(forked)).toEqual({ status: 'ABORT', body: new Uint8Array(0) })
      expect(await host.device.send(first)).toMatchObject({ status: 'ABORT' })
      return request
    }

    const ended = await host.device.sign(evm, hello, { meddle: forking })

    expect(ended).toMatchObject({ kind: 'stopped', status: 'ABORT' })
    expect((await world.dump())['wallets']?.find(({ id }) => id === evm.walletId)).toMatchObject({ state: 'ACTIVE' })
    expect((await host.device.sign(evm, hello)).kind).toBe('done')
  })

  it('never sends an answer that differs from the one before', async () => {
    const request = await firstRequest(host, evm)
    const protocolId = Frame.decode(request)?.frame.protocolId ?? ''
    expect(await host.device.send(request)).toMatchObject({ status: 'OK' })
    await inDatabase((db) =>
      db.updateTable('rounds').set({ response_hash: '00' }).where('protocol_id', '=', protocolId).execute(),
    )

    expect(await host.device.send(request)).toMatchObject({ status: 'ABORT' })
    expect((await world.dump())['runs']?.find((run) => run['protocol_id'] === protocolId)).toMatchObject({
      state: 'ABORTED',
      reason: 'the answer differs from the one before',
      sealed_seed: null,
    })
  })

  it('answers no request whose round another one has got meanwhile, in an older database', async () => {
    const request = await firstRequest(host, evm)
    const protocolId = Frame.decode(request)?.frame.protocolId ?? ''
    const anothers = Effect.promise(() =>
      inDatabase((db) =>
        db
          .updateTable('rounds')
          .set({ request_hash: '00'.repeat(32) })
          .where('protocol_id', '=', protocolId)
          .execute(),
      ),
    )
    const meanwhile = stepping((step) => (job, may) => Effect.tap(step(job, may), anothers))

    const answered = value(await host.as({}, meanwhile(exchangeFrame(request))))
    const { publicKey } = await world.run(Effect.flatMap(CosignerEngine, ({ identity }) => identity))

    expect(openAnswer(publicKey, request, answered)?.status).toBe('ABORT')
    expect((await host.device.sign(evm, hello)).kind).toBe('done')
  })

  it('goes on only under the version of the protocols that it began with', async () => {
    const request = await firstRequest(host, evm)
    const protocolId = Frame.decode(request)?.frame.protocolId ?? ''
    expect(await host.device.send(request)).toMatchObject({ status: 'OK' })
    await inDatabase((db) =>
      db.updateTable('runs').set({ protocol_version: 999 }).where('protocol_id', '=', protocolId).execute(),
    )

    expect(await host.device.send(request)).toMatchObject({ status: 'ABORT' })
    expect((await world.dump())['runs']?.find((run) => run['protocol_id'] === protocolId)).toMatchObject({
      reason: 'begun by another version',
      sealed_seed: null,
    })
    expect((await host.device.sign(evm, hello)).kind).toBe('done')
  })

  it('aborts at a bad request without a ban', async () => {
    const spoiled =
      (offset: number): Meddle =>
      (request, frame) => {
        if (frame.step === 1) return request
        const index = offset < 0 ? frame.body.length + offset : offset
        return altered(host.device, request, { body: flipped(frame.body, index) })
      }

    // Its session id, R, the blind of R, and the last share of the signature.
    for (const offset of [0, 40, 66, -1]) {
      const ended = await host.device.sign(evm, hello, { meddle: spoiled(offset) })
      expect(ended).toMatchObject({ kind: 'stopped', status: 'ABORT' })
    }
    expect((await host.device.sign(evm, hello)).kind).toBe('done')
  })

  it('hashes the payload itself, and refuses a wrong claim, kind or scheme', async () => {
    const claimed = await host.device.sign(evm, hello, { claim: new Uint8Array(32).fill(1) })
    const asEvm = await firstRequest(host, evm)
    const body = (request: object, otId = evm.otId) =>
      Frame.encodeSign({
        request: request as SigningRequest,
        digestClaim: new Uint8Array(0),
        timeoutMs: 0,
        otId,
        message: new Uint8Array(8),
      })
    const send = (request: object) => host.device.send(altered(host.device, asEvm, { body: body(request) }))

    expect(claimed).toMatchObject({ tag: 'DigestDiffers', message: 'digest differs' })
    expect(await send({ kind: 'eip712', typedData: '{}' })).toMatchObject({ tag: 'PayloadNotSupported' })
    expect(await send({ ...authorization, chainId: '0' })).toMatchObject({ tag: 'PayloadNotSupported' })
    expect(await send({ kind: 'solanaMessage', message: '00' })).toMatchObject({ tag: 'PayloadNotSupported' })
    expect(await send({ kind: 'transaction', transaction: 'c0', chainId: '1', send: false })).toMatchObject({
      tag: 'PayloadNotSupported',
    })
    expect(await host.device.send(altered(host.device, asEvm, { body: new Uint8Array(3) }))).toMatchObject({
      tag: 'InvalidFrame',
    })
    expect(await host.device.send(altered(host.device, asEvm, { scheme: 'ED25519' }))).toMatchObject({
      tag: 'OperationNotOffered',
    })
    expect(
      await host.device.send(altered(host.device, asEvm, { body: body(hello, new Uint8Array(32).fill(7)) })),
    ).toMatchObject({ tag: 'DeviceNotAttached' })
  })

  it.each([
    ['typed data', typedPing(1), typedPing(2)],
    ['an authorization', authorization, { ...authorization, nonce: '1' }],
    ['32 raw bytes', { kind: 'eip191', message: '5a'.repeat(32) }, { kind: 'eip191', message: '5b'.repeat(32) }],
  ] as const)('signs %s, and not under the digest of another', async (_, asked, other) => {
    const { message } = Result.getOrThrow(payloadDigest(other, 'DKLS'))

    expect(await host.device.sign(evm, asked, { claim: message })).toMatchObject({ tag: 'DigestDiffers' })
    expect((await host.device.sign(evm, asked)).kind).toBe('done')
  })

  it('allows one run at a time: a second device waits, the same device with the same digest supersedes', async () => {
    const begun = await firstRequest(host, evm)
    expect(await host.device.send(begun)).toMatchObject({ status: 'OK' })

    const second = await phone.device.sign(evmOnPhone, hello)
    const other = await host.device.sign(evm, { kind: 'eip191', message: '01' })
    const same = await host.device.sign(evm, hello)
    const late = await host.device.send(begun)

    expect(second).toMatchObject({ tag: 'AnotherRunInProgress', message: 'another run is in progress' })
    expect(other).toMatchObject({ tag: 'AnotherRunInProgress' })
    expect(same.kind).toBe('done')
    expect(late).toMatchObject({ status: 'ABORT' })
  })

  it('forgets a run after its time, and with its session', async () => {
    expect(await host.device.send(await firstRequest(host, evm))).toMatchObject({ status: 'OK' })
    await world.run(endWork(host.sessionId))
    expect((await phone.device.sign(evmOnPhone, hello)).kind).toBe('done')

    expect(await host.device.send(await firstRequest(host, evm))).toMatchObject({ status: 'OK' })
    world.advance(91_000)
    expect((await phone.device.sign(evmOnPhone, hello)).kind).toBe('done')
  })

  it('is limited by user and minute, and so are the questions after the state and the acknowledgements', async () => {
    const { device, sessionId } = host
    const ofNoRun = (operation: 'RECONCILE' | 'ACK') =>
      device.send(
        device.signFrame({
          ...{ operation, step: 1, sessionId, deviceKeyThumb: device.deviceKeyThumb },
          ...{ scheme: evm.share.scheme, walletId: evm.walletId, epoch: evm.share.epoch, shareId: evm.share.shareId },
          ...{ protocolId: crypto.randomUUID(), attempt: new Uint8Array(16), body: new Uint8Array(0) },
        }),
      )
    expect((await device.sign(evm, hello)).kind).toBe('done')
    expect(await ofNoRun('RECONCILE')).toMatchObject({ status: 'OK' })
    const later = world.now() + 60_000
    const drained = { tokens: 0, updated_at: later }
    const buckets = ['protocol.sign', 'protocol.status']
    await inDatabase((db) => db.updateTable('rate_limits').set(drained).where('bucket', 'in', buckets).execute())

    const refused = { tag: 'TooManyAttempts', message: 'too many attempts' }
    expect(await device.sign(evm, hello)).toMatchObject(refused)
    expect(await ofNoRun('RECONCILE')).toMatchObject(refused)
    expect(await ofNoRun('ACK')).toMatchObject(refused)
    world.advance(61_000)
    expect((await device.sign(evm, hello)).kind).toBe('done')
    expect(await ofNoRun('ACK')).toMatchObject({ status: 'OK' })
  })
})

describe('a bare digest', () => {
  const digest = 'ab'.repeat(32)
  const blind: SigningRequest = { kind: 'blind', digest }
  const call = (protocolId: string, hex = digest, by = host) =>
    by.as(
      {},
      signMessage(user.userId, evm.walletId, {
        message: Buffer.from(hex, 'hex').toString('base64'),
        scheme: null,
        protocolId,
      }),
    )

  const untilWaiting = (protocolId: string) =>
    expect
      .poll(async () => {
        const found = await world.run(Effect.flatMap(Runs, (runs) => runs.find({ walletId: evm.walletId, protocolId })))
        return Option.getOrUndefined(found)?.state
      })
      .toBe('WAITING')

  it('is matched with its call, whichever arrives first', async () => {
    const [frameFirst, callFirst] = [crypto.randomUUID(), crypto.randomUUID()]

    const waiting = host.device.sign(evm, blind, { protocolId: frameFirst })
    await untilWaiting(frameFirst)
    const early = await call(frameFirst)
    expect((await waiting).kind).toBe('done')

    expect(await call(callFirst)).toEqual({ kind: 'success', value: { signature: undefined } })
    const signature = signatureOf(await host.device.sign(evm, blind, { protocolId: callFirst }))
    const late = value(await call(callFirst))

    expect(early.kind).toBe('success')
    expect(late.signature).toEqual({
      r: bytesToHex(signature.subarray(0, 32)),
      s: bytesToHex(signature.subarray(32, 64)),
      v: signature[64] === 1 ? '01' : '00',
    })
  })

  it('aborts without its call, and when the call has another digest', async () => {
    const [other, never] = [crypto.randomUUID(), crypto.randomUUID()]
    await call(other, 'cd'.repeat(32))

    const aborted = await host.device.sign(evm, blind, { protocolId: other })
    const alone = host.device.sign(evm, blind, { protocolId: never })
    await untilWaiting(never)
    const held = (await world.dump())['runs']?.find((run) => run['protocol_id'] === never)
    world.advance(10_000)
    // It sleeps by the machine's clock, and sees that it is late when it is told to look.
    const topic = topicOf.intent(evm.walletId, never)
    await world.run(Effect.flatMap(Notifications, ({ publish }) => publish(topic)))

    expect(aborted).toMatchObject({ kind: 'stopped', status: 'ABORT' })
    expect(held).toMatchObject({ state: 'WAITING', sealed_seed: null })
    expect(await alone).toMatchObject({ tag: 'SigningNotAsked', message: 'signing was not asked for' })
    expect(await call(other)).toMatchObject({ tag: 'ProtocolIdUsed' })
  })

  it('aborts when the call came from another session of the user', async () => {
    const protocolId = crypto.randomUUID()
    expect((await call(protocolId, digest, phone)).kind).toBe('success')

    expect(await host.device.sign(evm, blind, { protocolId })).toMatchObject({ kind: 'stopped', status: 'ABORT' })
    expect(await call(protocolId)).toMatchObject({ tag: 'ProtocolIdUsed' })
  })

  it("is refused with the catalogue's sentences", async () => {
    const stranger = await signIn(world, await makeUser(world), partner)
    const empty = value(await stranger.createWallet({ type: 'EVM' }))
    const message = Buffer.alloc(32, 7).toString('base64')
    const ask = (by: SignedIn, walletId: string, changes: object = {}) =>
      by.as({}, signMessage(by.user.userId, walletId, { message, protocolId: crypto.randomUUID(), ...changes }))

    expect([
      await ask(stranger, evm.walletId),
      await ask(stranger, empty.walletId),
      await ask(host, evm.walletId, { walletId: solana.walletId }),
      await ask(host, evm.walletId, { scheme: 'ED25519' }),
      await ask(host, evm.walletId, { scheme: 'NONE' }),
      await ask(host, evm.walletId, { message: 'AAAA' }),
      await ask(host, evm.walletId, { message: '%' }),
      await host.as({}, signMessage(stranger.user.userId, evm.walletId, { message, protocolId: crypto.randomUUID() })),
    ]).toMatchObject([
      { tag: 'WalletDoesNotExist', message: `wallet with id ${evm.walletId} does not exist` },
      { tag: 'NoValidWallet', message: 'no valid Para wallet found' },
      { tag: 'InvalidWalletParams', message: 'invalid wallet params' },
      {
        tag: 'WalletSchemeNotSelectable',
        message: `wallet with id ${evm.walletId} and scheme DKLS cannot be selected`,
      },
      { tag: 'PayloadNotSupported' },
      { tag: 'PayloadNotSupported', message: 'payload is not supported' },
      { tag: 'PayloadNotSupported' },
      { tag: 'NotFound', message: 'not found' },
    ])
  })

  it('needs the opt-in of the partner in PROD', async () => {
    const request = await firstRequest(host, evm, blind)
    const inProd = {
      environment: 'PROD',
      apiOrigin: 'https://api.example',
      portalOrigin: 'https://portal.example',
      connectOrigin: 'https://connect.example',
      operatorName: 'Tandem',
    } as const

    const refused = await host.as({}, exchangeFrame(request).pipe(Effect.provideService(Deployment, inProd)))

    expect(refused).toMatchObject({ tag: 'BlindSigningRefused', message: 'signing a bare digest is not allowed' })
  })

  it('checks the opt-in at each request of the run: withdrawing it stops the run', async () => {
    const inProd = Effect.provideService(Deployment, {
      environment: 'PROD',
      apiOrigin: 'https://api.example',
      portalOrigin: 'https://portal.example',
      connectOrigin: 'https://connect.example',
      operatorName: 'Tandem',
    })
    const protocolId = crypto.randomUUID()
    await call(protocolId)
    const before = { ...partner, allowsUnprovenClients: true }
    const [told, refusals]: [unknown[], unknown[]] = [[], []]
    const inTurn: Meddle = async (request, frame) => {
      if (frame.step === 1) told.push(await host.as({ partner: before }, inProd(exchangeFrame(request))))
      if (frame.step === 2) refusals.push(await host.as({}, inProd(exchangeFrame(request))))
      return request
    }

    const ended = await host.device.sign(evm, blind, { protocolId, meddle: inTurn })

    expect(told).toMatchObject([{ kind: 'success' }])
    expect(refusals).toMatchObject([{ tag: 'BlindSigningRefused', message: 'signing a bare digest is not allowed' }])
    // The refused frame has changed nothing: where no opt-in is needed the same bytes continue the run.
    expect(ended.kind).toBe('done')
  })
})

describe("a frame that is not the device's", () => {
  it('is refused and leaves wallets, runs and OT records as they were', async () => {
    const request = await firstRequest(host, evm)
    const stranger = await signIn(world, await makeUser(world), partner)
    const elsewhere = await signIn(world, user, await makePartner(world))
    const before = stateOf(await world.dump())
    const decoded = Frame.decode(request)
    if (decoded === undefined) throw new Error('not a frame')
    const sendAs = (by: SignedIn, bytes: Uint8Array) => by.as({}, exchangeFrame(bytes))
    const alteredBy = (by: SignedIn, changes: Partial<Frame.Frame> = {}) =>
      altered(by.device, request, { sessionId: by.sessionId, deviceKeyThumb: by.device.deviceKeyThumb, ...changes })
    const unsigned = Frame.appendSignature(decoded.unsigned, new Uint8Array(64))

    const refusals = [
      await sendAs(host, request.slice(0, 100)),
      await sendAs(host, unsigned),
      await sendAs(host, flipped(request, request.length - 1)),
      await sendAs(host, flipped(request, 200)),
      await sendAs(phone, request),
      await sendAs(host, altered(phone.device, request, {})),
      await sendAs(host, altered(phone.device, request, { deviceKeyThumb: phone.device.deviceKeyThumb })),
      await sendAs(stranger, alteredBy(stranger)),
      await sendAs(elsewhere, alteredBy(elsewhere)),
      await world.as({}, exchangeFrame(request)),
      await sendAs(host, altered(host.device, request, { epoch: 2 })),
      await sendAs(host, altered(host.device, request, { shareId: new Uint8Array(32).fill(9) })),
      await sendAs(host, altered(host.device, request, { step: 3 })),
      await sendAs(host, altered(host.device, request, { step: 0 })),
      await sendAs(host, altered(host.device, request, { operation: 'EXPORT' })),
      await sendAs(host, altered(host.device, request, { operation: 'CONFIRM' })),
    ]

    expect(refusals.map((refusal) => refusal.kind === 'refused' && refusal.tag)).toEqual([
      'InvalidFrame',
      'FrameRefused',
      'FrameRefused',
      'FrameRefused',
      'NoSignedInUser',
      'FrameRefused',
      'FrameRefused',
      'WalletDoesNotExist',
      'WalletDoesNotExist',
      'NoSignedInUser',
      'KeyShareOutOfDate',
      'KeyShareOutOfDate',
      'StepOutOfOrder',
      'InvalidFrame',
      'OperationNotOffered',
      'StepOutOfOrder',
    ])
    expect(stateOf(await world.dump())).toEqual(before)
  })

  it('of another role or session does not touch a run that is under way', async () => {
    const request = await firstRequest(host, evm)
    expect(await host.device.send(request)).toMatchObject({ status: 'OK' })
    const before = stateOf(await world.dump())

    const refusals = [
      await host.device.send(altered(host.device, request, { operation: 'ATTACH', body: new Uint8Array(10) })),
      await host.device.send(altered(host.device, request, { operation: 'CONFIRM', step: 4 })),
      await host.device.send(altered(host.device, request, { attempt: new Uint8Array(16).fill(1) })),
      await phone.device.send(
        altered(phone.device, request, { sessionId: phone.sessionId, deviceKeyThumb: phone.device.deviceKeyThumb }),
      ),
    ]

    expect(refusals.map((refusal) => 'tag' in refusal && refusal.tag)).toEqual([
      'StepOutOfOrder',
      'StepOutOfOrder',
      'StepOutOfOrder',
      'StepOutOfOrder',
    ])
    expect(stateOf(await world.dump())).toEqual(before)
    world.advance(91_000)
  })

  it('is refused also when another root key is in the database', async () => {
    const thief = await makeUser(world)
    const theirs = await signIn(world, { ...thief, userId: user.userId }, partner)
    const setRoot = (rootPublicKey: string) =>
      inDatabase((db) =>
        db.updateTable('wallets').set({ root_public_key: rootPublicKey }).where('id', '=', solana.walletId).execute(),
      )
    const stolen = { ...solana, share: { ...solana.share, rootPublicKey: thief.rootPublicKey } }
    const asked: SigningRequest = { kind: 'solanaMessage', message: '00' }

    expect(await theirs.device.sign(solana, asked)).toMatchObject({ tag: 'DeviceNotCertified' })
    await setRoot(bytesToHex(thief.rootPublicKey))
    expect(await theirs.device.sign(stolen, asked)).toMatchObject({ kind: 'stopped', status: 'ABORT' })
    await setRoot(bytesToHex(user.rootPublicKey))
  })

  it('gets an answer whose signature fits no other answer', async () => {
    const request = await firstRequest(host, evm)
    const answered = value(await host.as({}, exchangeFrame(request)))
    const other = altered(host.device, request, { protocolId: crypto.randomUUID() })
    const { publicKey } = value(await host.createWallet({ type: 'EVM' })).cosigner

    expect(openAnswer(publicKey, request, answered)).toMatchObject({ status: 'OK' })
    expect(openAnswer(publicKey, other, answered)).toBeUndefined()
    expect(openAnswer(host.device.publicKey, request, answered)).toBeUndefined()
    for (const index of [0, 10, answered.length - 1]) {
      expect(openAnswer(publicKey, request, flipped(answered, index))).toBeUndefined()
    }
    world.advance(91_000)
  })
})

describe('the database', () => {
  it('holds no provider share, OT state, seed or state of a run, in hex, base64 or text', async () => {
    const begun = await firstRequest(host, evm)
    expect(await host.device.send(begun)).toMatchObject({ status: 'OK' })
    const held = await world.dump()
    const secrets = await world.run(secretsIn(held))
    const text = JSON.stringify(held)

    expect(secrets.length).toBeGreaterThan(15)
    for (const secret of secrets) {
      for (const form of formsOf(secret)) expect(text.includes(form)).toBe(false)
    }
    expect(text).toContain(evmConfirmed.address)
    world.advance(91_000)
  })

  it('holds the only copy of a run’s seed: the drawn one is wiped', async () => {
    const drawn: { readonly now: Uint8Array; readonly then: Uint8Array }[] = []
    const watched = Effect.updateService(SecureRandom, (random) => ({
      ...random,
      bytes: (length: number) =>
        Effect.tap(random.bytes(length), (bytes) =>
          Effect.sync(() => void drawn.push({ now: bytes, then: bytes.slice() })),
        ),
    }))
    const request = await firstRequest(host, evm)
    value(await host.as({}, watched(exchangeFrame(request))))

    const { runs = [] } = await world.dump()
    const { protocolId = '' } = Frame.decode(request)?.frame ?? {}
    const { sealed_seed, incarnation: generation } = runs.find((run) => run['protocol_id'] === protocolId) ?? {}
    const place = seedAssociatedData({ walletId: evm.walletId, protocolId, epoch: 1 })
    const seed = await world.run(
      Effect.flatMap(Vault, ({ openRun }) => openRun(String(generation), place, hexToBytes(String(sealed_seed)))),
    )
    const held = drawn.filter(({ then }) => bytesToHex(then) === bytesToHex(seed))
    expect(held.map(({ now }) => now)).toEqual([new Uint8Array(32)])
    world.advance(91_000)
  })

  it('deletes seeds and states at the end of their run', async () => {
    await world.run(sweep())
    const { runs = [], rounds = [] } = await world.dump()
    const over = runs.filter(({ state }) => !['WAITING', 'RUNNING', 'CONSUMED'].includes(String(state)))

    expect(over.length).toBeGreaterThan(20)
    expect(runs.length).toBe(over.length)
    expect(over.every(({ sealed_seed }) => sealed_seed === null)).toBe(true)
    expect(rounds.every(({ sealed_state }) => sealed_state === null)).toBe(true)
  })
})

describe('a failed check of the oblivious transfers', () => {
  it('burns the OT records of every device and every run, and nothing signs afterwards', async () => {
    const before = await world.dump()

    const banned = await host.device.sign(evm, hello, { meddle: cheating(host.device) })
    const { wallets = [], ot_records = [], runs = [] } = await world.dump()
    const records = ot_records.filter(({ wallet_id }) => wallet_id === evm.walletId)
    const call = signMessage(user.userId, evm.walletId, {
      message: Buffer.alloc(32, 1).toString('base64'),
      protocolId: crypto.randomUUID(),
    })
    const again = { walletId: evm.walletId, protocolId: crypto.randomUUID() }

    expect(banned).toEqual({ kind: 'stopped', status: 'BAN' })
    expect(wallets.find(({ id }) => id === evm.walletId)).toMatchObject({ state: 'BURNED', epoch: 1 })
    expect(records.length).toBeGreaterThanOrEqual(2)
    expect(records.every(({ sealed }) => sealed === null)).toBe(true)
    expect(runs.filter(({ wallet_id, sealed_seed }) => wallet_id === evm.walletId && sealed_seed !== null)).toEqual([])
    for (const refused of [
      await host.device.sign(evm, hello),
      await phone.device.sign(evmOnPhone, hello),
      await phone.device.attach(evm.share),
      await host.device.keygen({ ...again, scheme: 'DKLS' }, user.rootPublicKey),
      await host.as({}, call),
    ]) {
      expect(refused).toMatchObject({
        tag: 'KeyShareLocked',
        message: 'key share is locked, log in again to refresh it',
      })
    }
    expect((await host.device.sign(solana, { kind: 'solanaMessage', message: '00' })).kind).toBe('done')
    await world.run(putBack(before, evm.walletId))
    expect(await host.device.sign(evm, hello)).toMatchObject({ tag: 'KeyShareLocked' })
  })

  it('is followed by no refresh before another login, also where the ban could not be marked', async () => {
    const newcomer = await makeUser(world)
    const by = await signIn(world, newcomer, partner)
    const key = keyOf(await make(by, 'SOLANA'))
    world.advance(1_000)
    await world.run(Effect.flatMap(Wallets, ({ setLocked }) => setLocked(key.walletId, 1, world.now())))
    const refreshing = refreshKeys(newcomer.userId, key.walletId)

    expect(await by.as({}, refreshing)).toMatchObject({ tag: 'KeyShareLocked' })
    world.advance(1_000)
    const again = await signIn(world, newcomer, partner)
    expect(value(await again.as({}, refreshing))).toMatchObject({ protocolId: expect.any(String) as string })
  })

  it('of a clock that was a day ahead is followed by a refresh after a fresh login, which one of that clock is not', async () => {
    const newcomer = await makeUser(world)
    const by = await signIn(world, newcomer, partner)
    const key = keyOf(await make(by, 'SOLANA'))
    const refreshing = refreshKeys(newcomer.userId, key.walletId)
    const marks = [
      [lockedWatermark(key.walletId), 1] as const,
      [lockedAtWatermark(key.walletId), world.now() + dayMs] as const,
    ]
    await world.run(Effect.flatMap(Watermarks, ({ raiseAll }) => raiseAll(marks)))
    world.advance(dayMs)
    const ahead = await signIn(world, newcomer, partner)
    world.advance(refreshLimits.freshLogin + 1 - dayMs)

    expect(await by.as({}, refreshing)).toMatchObject({ tag: 'KeyShareLocked' })
    expect(await ahead.as({}, refreshing)).toMatchObject({ tag: 'KeyShareLocked' })
    const fresh = await signIn(world, newcomer, partner)
    expect(value(await fresh.as({}, refreshing))).toMatchObject({ protocolId: expect.any(String) as string })
  })

  it.each(['all that is written', 'the first line'])(
    'leaves no mark of the lock without that of its time where the disk has room for %s',
    async (what) => {
      const by = await signIn(world, await makeUser(world), partner)
      const key = keyOf(await make(by, 'EVM'))
      const request = await firstRequest(by, key, hello, cheating(by.device))
      const { appendFileSync: append } = fs
      let hasRoom = true
      const appending = vi.spyOn(fs, 'appendFileSync').mockImplementation((file, text, options) => {
        if (!hasRoom) throw new Error('ENOSPC')
        if (!String(text).includes(` burned`)) return append(file, text, options)
        hasRoom = false
        if (what !== 'the first line') return append(file, text, options)
        append(file, String(text).slice(0, String(text).indexOf('\n', 1) + 1), options)
        throw new Error('ENOSPC')
      })
      syncBuiltinESMExports()
      await by.device.send(request).catch(() => undefined)
      appending.mockRestore()
      syncBuiltinESMExports()
      const read = (name: string) => world.run(Effect.flatMap(Watermarks, (watermarks) => watermarks.read(name)))

      expect(await read(lockedWatermark(key.walletId))).toBe(what === 'the first line' ? 0 : 1)
      expect(await read(lockedAtWatermark(key.walletId))).toBeGreaterThan(0)
    },
  )

  it.each(['sealedSeed', 'sealedShare'] as const)(
    'may have been met by another process where this one cannot open %s: the transfers serve no other signature',
    async (name) => {
      const by = await signIn(world, await makeUser(world), partner)
      const key = keyOf(await make(by, 'EVM'))
      const request = await firstRequest(by, key)
      const unopened = stepping((step) => (job, may) => {
        const sealed = job[name] ?? new Uint8Array(1)
        return step({ ...job, [name]: flipped(sealed, sealed.length - 1) }, may)
      })
      const answered = await by.as({}, unopened(exchangeFrame(request)))
      const { ot_records = [] } = await world.dump()

      if (name === 'sealedSeed') expect(Frame.readAnswer(request, value(answered))?.answer.status).toBe('ABORT')
      else expect(answered).toMatchObject({ tag: 'ProviderShareLost' })
      expect(ot_records.filter(({ wallet_id }) => wallet_id === key.walletId)).toEqual([])
      expect(await by.device.sign(key, hello)).toMatchObject({ tag: 'DeviceNotAttached' })
    },
  )

  it('gives a second cheater no verdict: after the ban a failed check ends like a passed one', async () => {
    const ends: unknown[] = []
    for (const isCheater of [false, true]) {
      const by = await signIn(world, await makeUser(world), partner)
      const key = keyOf(await make(by, 'EVM'))
      const ban = Effect.promise(() =>
        world.run(Effect.flatMap(Wallets, (wallets) => wallets.setLocked(key.walletId, 1, world.now()))),
      )
      const bannedMeanwhile = stepping((step) => (job, may) => Effect.tap(step(job, may), ban))
      const meddle: Meddle = isCheater ? cheating(by.device) : (request) => request
      const request = await firstRequest(by, key, hello, meddle)
      ends.push(await by.as({}, bannedMeanwhile(exchangeFrame(request))))
    }

    expect(ends).toEqual(
      Array(2).fill({
        kind: 'refused',
        tag: 'KeyShareLocked',
        message: 'key share is locked, log in again to refresh it',
      }),
    )
  })

  it('burns the records although its run was ended meanwhile', async () => {
    const by = await signIn(world, await makeUser(world), partner)
    const key = keyOf(await make(by, 'EVM'))
    const request = await firstRequest(by, key, hello, cheating(by.device))
    const logout = Effect.promise(() => world.run(endWork(by.sessionId)))
    const endedMeanwhile = stepping((step) => (job, may) => Effect.tap(step(job, may), logout))

    const answered = value(await by.as({}, endedMeanwhile(exchangeFrame(request))))
    const { publicKey } = await world.run(Effect.flatMap(CosignerEngine, ({ identity }) => identity))
    const { runs = [] } = await world.dump()

    expect(openAnswer(publicKey, request, answered)?.status).toBe('BAN')
    expect(runs.find(({ wallet_id, kind }) => wallet_id === key.walletId && kind === 'sign')).toMatchObject({
      state: 'ABORTED',
    })
    expect(await by.device.sign(key, hello)).toMatchObject({ tag: 'KeyShareLocked' })
  })
})

describe('a frozen user', () => {
  const setFrozen = (userId: string, at: number | null) =>
    Effect.promise(() => world.run(Effect.flatMap(Users, (users) => users.setFrozenAt(userId, at))))
  const refused = { kind: 'refused', tag: 'UserFrozen', message: 'user is frozen' }

  it('begins no run, of whatever kind, and signs again once the freeze is over', async () => {
    const by = await signIn(world, await makeUser(world), partner)
    const key = keyOf(await make(by, 'EVM'))
    const wallet = value(await by.createWallet({ type: 'SOLANA' }))
    await Effect.runPromise(setFrozen(by.user.userId, 1))

    expect(await by.device.sign(key, hello)).toMatchObject(refused)
    expect(await by.device.attach(key.share)).toMatchObject(refused)
    expect(await by.device.keygen({ ...wallet, scheme: 'ED25519' }, by.user.rootPublicKey)).toMatchObject(refused)

    await Effect.runPromise(setFrozen(by.user.userId, null))
    expect((await by.device.sign(key, hello)).kind).toBe('done')
  })

  it('is noticed directly before the arithmetic, and before an answer leaves', async () => {
    const by = await signIn(world, await makeUser(world), partner)
    const key = keyOf(await make(by, 'SOLANA'))
    const freeze = setFrozen(by.user.userId, 1)
    const outcomes: string[] = []
    const noting = (done: ReturnType<Step>): ReturnType<Step> =>
      Effect.tap(done, ({ kind }) => Effect.sync(() => outcomes.push(kind)))
    for (const place of [
      stepping((step) => (job, may) => noting(Effect.andThen(freeze, step(job, may)))),
      stepping((step) => (job, may) => Effect.tap(noting(step(job, may)), freeze)),
    ]) {
      const request = await firstRequest(by, key, { kind: 'solanaMessage', message: '00' }, (one) => one)
      expect(await by.as({}, place(exchangeFrame(request)))).toEqual(refused)
      await Effect.runPromise(setFrozen(by.user.userId, null))
      await world.run(endWork(by.sessionId))
    }
    expect(outcomes).toEqual(['dropped', 'done'])
  })
})

describe('setting up', () => {
  it('is refused after sixteen failures in a day', async () => {
    const newcomer = await makeUser(world)
    const device = await signIn(world, newcomer, partner)
    const spoiled: Meddle = (request, frame) =>
      frame.step === 2 ? altered(device.device, request, { body: frame.body.slice(1) }) : request
    for (let tries = 0; tries < 16; tries++) {
      expect(await make(device, 'SOLANA', spoiled)).toMatchObject({ status: 'ABORT' })
    }

    const refused = { tag: 'TooManyAttempts', message: 'too many attempts' }
    expect(await make(device, 'SOLANA')).toMatchObject(refused)
    // An older database lacks them, and the marks have them.
    await world.run(
      Effect.flatMap(Database, (db) =>
        db.query((kysely) => kysely.deleteFrom('runs').where('user_id', '=', newcomer.userId).execute()),
      ),
    )
    expect(await make(device, 'SOLANA')).toMatchObject(refused)
    expect((await world.dump())['wallets']?.find(({ user_id }) => user_id === newcomer.userId)).toMatchObject({
      state: 'CREATED',
      address: null,
    })
  })

  it('counts failures separately after a login, so that a thief who used up the wallet’s cannot prevent a refresh', async () => {
    const newcomer = await makeUser(world)
    const thief = await signIn(world, newcomer, partner)
    const key = keyOf(await make(thief, 'EVM'))
    const refused = { tag: 'TooManyAttempts', message: 'too many attempts' }
    const fail = (by: SignedIn, { share } = key) =>
      by.device.attach(share, (request, frame) =>
        frame.step === 2 ? altered(by.device, request, { body: frame.body.slice(1) }) : request,
      )
    const newShares = async (by: SignedIn) => {
      const { protocolId } = value(await by.as({}, refreshKeys(newcomer.userId, key.walletId)))
      return by.device.refresh(key.share, protocolId)
    }

    // The login is fresh, and its own failures are among the wallet's.
    for (let tries = 0; tries < 16; tries++) expect(await fail(thief)).toMatchObject({ status: 'ABORT' })
    expect(await fail(thief)).toMatchObject(refused)
    const early = await signIn(world, newcomer, partner)
    world.advance(10 * 60_000 + 1)
    expect(await fail(early)).toMatchObject(refused)
    expect(await thief.device.sign(key, hello, { meddle: cheating(thief.device) })).toMatchObject({ status: 'BAN' })

    const owner = await signIn(world, newcomer, partner)
    expect(await thief.device.attach(key.share)).toMatchObject({ tag: 'KeyShareLocked' })
    const renewed = keyOf(await newShares(owner))
    expect(await owner.device.sign(renewed, hello)).toMatchObject({ kind: 'done' })

    // With the new share too the thief's sessions have none left, and the owner's has four.
    expect(await thief.device.attach(renewed.share)).toMatchObject(refused)
    expect(await early.device.attach(renewed.share)).toMatchObject(refused)
    for (let tries = 0; tries < 4; tries++) expect(await fail(owner, renewed)).toMatchObject({ status: 'ABORT' })
    expect(await owner.device.attach(renewed.share)).toMatchObject(refused)
    const again = await signIn(world, newcomer, partner)
    expect(await again.device.attach(renewed.share)).toMatchObject({ kind: 'done' })
  })

  it('is not computed for another request from its rows of an hour ago, when no claim is left', async () => {
    const newcomer = await makeUser(world)
    const made = keyOf(await make(await signIn(world, newcomer, partner), 'EVM'))
    const { device } = await signIn(world, newcomer, partner)
    const replaying: Meddle = async (request, { operation, step, protocolId, body }) => {
      if (operation !== 'ATTACH' || step !== 2) return request
      const { runs = [], rounds = [] } = await world.dump()
      const isOf = (row: Record<string, unknown>) => row['protocol_id'] === protocolId
      const [run, first] = [runs.find(isOf), rounds.find(isOf)]
      expect(await device.send(request)).toMatchObject({ status: 'OK' })
      world.advance(70 * 60_000)
      await world.run(sweep())
      await world.run(Effect.flatMap(Claims, (claims) => claims.sweep(world.now())))
      const bytes = (row: Record<string, unknown> | undefined, column: string) => hexToBytes(String(row?.[column]))
      await inDatabase((db) =>
        db
          .updateTable('runs')
          .set({
            state: 'RUNNING',
            reason: null,
            sealed_seed: bytes(run, 'sealed_seed'),
            expires_at: world.now() + 60_000,
          })
          .where('protocol_id', '=', protocolId)
          .execute(),
      )
      await inDatabase((db) =>
        db.deleteFrom('rounds').where('protocol_id', '=', protocolId).where('step', '>', 1).execute(),
      )
      await inDatabase((db) =>
        db
          .updateTable('rounds')
          .set({ sealed_state: bytes(first, 'sealed_state') })
          .where('protocol_id', '=', protocolId)
          .execute(),
      )
      return altered(device, request, { body: flipped(body, body.length - 1) })
    }

    expect(await device.attach(made.share, replaying)).toMatchObject({ kind: 'stopped', status: 'ABORT' })
    const { runs = [] } = await world.dump()
    expect(runs.filter(({ wallet_id, kind }) => wallet_id === made.walletId && kind === 'attach')).toMatchObject([
      { reason: 'failed check: seed cannot be opened' },
    ])
  })

  it.each(['EVM', 'SOLANA'] as const)(
    'a key of %s may be confirmed when the seed of its run opens no more',
    async (type) => {
      const newcomer = await makeUser(world)
      const late: Meddle = (request, frame) => {
        if (frame.operation === 'CONFIRM') world.advance(65 * 60_000)
        return request
      }
      expect((await make(await signIn(world, newcomer, partner), type, late)).kind).toBe('done')
    },
  )
})

/** A run that changes only the OT matrix of its first message, so that the consistency check alone fails. */
const cheating =
  (device: Device): Meddle =>
  (request, frame) => {
    const body = frame.step === 1 ? Frame.decodeSign(frame.body) : undefined
    if (body === undefined || Result.isFailure(body.request)) return request
    const matrixAt = 96
    return altered(device, request, {
      body: Frame.encodeSign({ ...body, request: body.request.success, message: flipped(body.message, matrixAt + 5) }),
    })
  }

/** Everything sealed in a dump, opened. */
const secretsIn = Effect.fnUntraced(function* (dump: Dump) {
  const { provider_shares = [], ot_records = [], runs = [], rounds = [] } = dump
  const vault = yield* Vault
  const secrets: Uint8Array[] = []
  const bytes = (held: unknown) => hexToBytes(String(held))
  const runOf = (row: Dump[string][number]) => ({
    walletId: String(row['wallet_id']),
    protocolId: String(row['protocol_id']),
    epoch: 1,
  })
  const sharingOf = (row: Dump[string][number]) => ({
    walletId: String(row['wallet_id']),
    epoch: Number(row['epoch']),
    shareId: String(row['share_id']),
  })
  for (const row of provider_shares) {
    const opened = yield* vault.open(shareAssociatedData(sharingOf(row)), bytes(row['sealed']))
    const share = ShareRecord.decode(opened)
    if (share !== undefined) secrets.push(share.secret)
  }
  for (const row of ot_records) {
    if (row['sealed'] === null) continue
    const place = otAssociatedData(sharingOf(row), String(row['ot_id']))
    const record = OtRecord.decode(yield* vault.open(place, bytes(row['sealed'])))
    if (record === undefined) continue
    const seeds = [record.chosenSeeds, record.zeroSeeds, record.oneSeeds].map((vector) => vector.subarray(0, 32))
    secrets.push(record.delta, ...seeds)
  }
  for (const row of runs) {
    if (row['sealed_seed'] === null) continue
    secrets.push(
      yield* vault.openRun(String(row['incarnation']), seedAssociatedData(runOf(row)), bytes(row['sealed_seed'])),
    )
  }
  for (const row of rounds) {
    if (row['sealed_state'] === null) continue
    const place = stateAssociatedData(runOf(row), Number(row['step']))
    const { incarnation: generation } = runs.find((run) => run['protocol_id'] === row['protocol_id']) ?? {}
    const state = yield* vault.openRun(String(generation), place, bytes(row['sealed_state']))
    secrets.push(state.slice(0, 64), state.slice(-64))
  }
  return secrets
})

const formsOf = (secret: Uint8Array): readonly string[] => {
  const bytes = Buffer.from(secret)
  return [
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('base64url'),
    JSON.stringify(bytes.toString('latin1')).slice(1, -1),
  ]
}

/** As a writer of the database or a restore could: the wallet's row and its OT records as they were. */
const putBack = Effect.fnUntraced(function* ({ ot_records = [] }: Dump, walletId: string) {
  const database = yield* Database
  yield* database.query((db) => db.updateTable('wallets').set({ state: 'ACTIVE' }).where('id', '=', walletId).execute())
  for (const row of ot_records.filter(({ wallet_id }) => wallet_id === walletId)) {
    yield* database.query((db) =>
      db
        .updateTable('ot_records')
        .set({ sealed: hexToBytes(String(row['sealed'])), burned_at: null })
        .where('ot_id', '=', String(row['ot_id']))
        .execute(),
    )
  }
})
