/** The co-signer dies, or its database is restored from an older copy: no effect is partial, and none happens twice. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { p256 } from '@noble/curves/nist.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { hexToBytes } from '@noble/hashes/utils.js'
import * as Layer from 'effect/Layer'
import * as Result from 'effect/Result'
import { hashMessage } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as Frame from '../../../domain/mpc/Frame.ts'
import type { SigningRequest } from '../../../domain/mpc/SigningRequest.ts'
import { endWork } from '../../../domain/service/sessions.ts'
import { startProcess, type Begun, type CosignerProcess } from '../../kit/cosignerProcess.ts'
import {
  makePartner,
  makeUser,
  signIn,
  startWorld,
  value,
  type SignedIn,
  type TestUser,
  type World,
} from '../../kit/cosignerWorld.ts'
import { makeDatabaseUrl, makePlace, usualDatabases } from '../../kit/database.ts'
import { keyOf, makeDevice, type Exchanged, type Meddle, type WalletKey } from '../../kit/device.ts'
import { casesOf } from '../../kit/long.ts'
import { databaseIn, type DatabasePlace } from '../../kit/databasePlace.ts'

const flipped = (bytes: Uint8Array, at: number): Uint8Array =>
  bytes.map((byte, index) => (index === at ? byte ^ 1 : byte))

const hello: SigningRequest = { kind: 'eip191', message: Buffer.from('hello').toString('hex') }

describe.each(usualDatabases)('a co-signer on %s that is killed', (database) => {
  const dataFolder = mkdtempSync(join(tmpdir(), 'tandem-crash-'))
  const deviceSecretKey = p256.utils.randomSecretKey()
  /** Where each process dies; the last one lives. */
  const deaths = [
    ...casesOf(
      [
        { name: 'confirm.commit.within', nth: 1 },
        { name: 'confirm.commit.after', nth: 1 },
        // Of the second request: the first passes it once.
        { name: 'sign.claim.after', nth: 2 },
        { name: 'sign.commit.after', nth: 1 },
      ],
      ({ name }) => name === 'confirm.commit.after' || name === 'sign.claim.after',
    ),
    undefined,
  ]
  let place: DatabasePlace
  let begun: Begun
  let running: CosignerProcess

  beforeAll(async () => {
    place = await makePlace(database, dataFolder)
    running = await startProcess(dataFolder, place, deaths.shift())
    begun = await running.begin(deviceSecretKey)
  })

  afterAll(async () => {
    await running.stop()
    rmSync(dataFolder, { recursive: true, force: true })
  })

  /** As a client does: whatever was sent to a process that died is sent again to the next one. */
  const exchange = async (bytes: Uint8Array): Promise<Exchanged> => {
    const exchanged = await running.exchange(begun.sessionId, bytes)
    if (exchanged !== undefined) return exchanged
    running = await startProcess(dataFolder, place, deaths.shift())
    return exchange(bytes)
  }

  it('confirms what was prepared, one wallet, and ends every other run: the next one signs', async () => {
    const device = makeDevice({
      ...begun,
      cosigner: { name: begun.cosigner.name, publicKey: hexToBytes(begun.cosigner.publicKey) },
      secretKey: deviceSecretKey,
      exchange,
    })

    const made = await device.keygen({ ...begun.wallet, scheme: 'DKLS' }, hexToBytes(begun.rootPublicKey))
    const key = keyOf(made)
    const restarts = deaths.length
    let enrolled = key
    const refusals: string[] = []
    let signed = await device.sign(enrolled, hello)
    while (signed.kind === 'refused') {
      refusals.push(signed.tag)
      if (signed.tag === 'DeviceNotAttached') enrolled = keyOf(await device.attach(key.share), key.share)
      signed = await device.sign(enrolled, hello)
    }
    const { wallets = [], provider_shares = [], ot_records = [], runs = [] } = await running.dump()
    const signature = signed.kind === 'done' ? signed.body.subarray(0, 64) : new Uint8Array(64)
    const digest = hexToBytes(hashMessage('hello').slice(2))

    expect(deaths).toEqual([])
    expect(secp256k1.verify(signature, digest, key.share.publicKey, { prehash: false })).toBe(true)
    expect(wallets).toMatchObject([{ state: 'ACTIVE', epoch: 1, id: begun.wallet.walletId }])
    expect([provider_shares.length, ot_records.length]).toEqual([1, 1])
    // The first death left a claimed round without an answer: its verdict is lost, and the device's transfers with it.
    const lost = Array<string>(restarts - 1).fill('RunLost')
    expect(refusals).toEqual(['RunLost', 'DeviceNotAttached', ...lost])
    const ended = ['ABORTED', null, 'the co-signer was restarted']
    const done = ['DONE', null, null]
    const inOrder = [...runs].sort((one, other) => Number(one['created_at']) - Number(other['created_at']))
    expect(inOrder.map(({ state, sealed_seed, reason }) => [state, sealed_seed, reason])).toEqual([
      done,
      ended,
      done,
      ...lost.map(() => ended),
      done,
    ])
  })
})

describe('a database that is older than it was', () => {
  const dataFolder = mkdtempSync(join(tmpdir(), 'tandem-older-'))
  let world: World
  let user: TestUser
  let host: SignedIn
  let key: WalletKey
  let databaseUrl: string

  /** The service on its existing database. Its files beside the database stay. */
  const start = async () => {
    world = await startWorld({ dataFolder, database: Layer.orDie(databaseIn({ kind: 'postgres', url: databaseUrl })) })
  }

  /** A database can be copied only while nothing is connected to it. */
  const copy = async (): Promise<string> => {
    await world.stop()
    const copied = await makeDatabaseUrl(databaseUrl)
    await start()
    return copied
  }

  const restore = async (copied: string) => {
    await world.stop()
    databaseUrl = copied
    await start()
  }

  const send = async (bytes: Uint8Array) => host.device.send(bytes)

  beforeAll(async () => {
    databaseUrl = await makeDatabaseUrl()
    await start()
    const partner = await makePartner(world)
    user = await makeUser(world)
    // The device survives every restart: its world is the running one.
    const current: World = { ...world, run: (flow) => world.run(flow), as: (caller, flow) => world.as(caller, flow) }
    host = await signIn(current, user, partner)
  })

  afterAll(async () => {
    await world.stop()
    rmSync(dataFolder, { recursive: true, force: true })
  })

  it('cannot lead to a second key for a wallet that has one', async () => {
    const wallet = value(await host.createWallet({ type: 'EVM' }))
    const before = await copy()
    const keygen = () => host.device.keygen({ ...wallet, scheme: 'DKLS' }, user.rootPublicKey)
    const made = await keygen()
    const after = await copy()
    key = keyOf(made)

    await restore(before)
    expect(await keygen()).toMatchObject({ tag: 'KeyShareLocked' })

    await restore(after)
    // The copy may have forgotten a failed check of these transfers.
    expect(await host.device.sign(key, hello)).toMatchObject({ tag: 'DeviceNotAttached' })
    key = keyOf(await host.device.attach(key.share), key.share)
    expect((await host.device.sign(key, hello)).kind).toBe('done')
  })

  it('cannot continue an earlier run', async () => {
    const requests: Uint8Array[] = []
    const stopAtSecond: Meddle = (request, frame) => {
      requests.push(request)
      if (frame.step === 2) throw new Error('not yet')
      return request
    }
    await host.device.sign(key, hello, { meddle: stopAtSecond }).catch(() => undefined)
    const [first = new Uint8Array(0), second = new Uint8Array(0)] = requests
    const midway = await copy()
    expect(await send(second)).toMatchObject({ tag: 'RunLost' })
    const frame = Frame.decode(second)?.frame
    if (frame === undefined) throw new Error('not a frame')
    const fork = host.device.signFrame({ ...frame, body: flipped(frame.body, 40) })

    await restore(midway)
    expect(await send(fork)).toMatchObject({ tag: 'RunLost' })
    expect(await send(second)).toMatchObject({ tag: 'RunLost' })
    expect(await send(first)).toMatchObject({ tag: 'RunLost' })
    key = keyOf(await host.device.attach(key.share), key.share)
    expect((await host.device.sign(key, hello)).kind).toBe('done')
  })

  it('says of no half under the co-signer’s key that it is never confirmed, if it may have been', async () => {
    const wallet = value(await host.createWallet({ type: 'COSMOS' }))
    const requests: Uint8Array[] = []
    let before = ''
    const copyAtConfirm: Meddle = async (request, { operation }) => {
      if (operation === 'CONFIRM') before = await copy()
      requests.push(request)
      return request
    }
    const made = await host.device.keygen({ ...wallet, scheme: 'DKLS' }, user.rootPublicKey, copyAtConfirm)
    const confirmation = requests.at(-1) ?? new Uint8Array(0)

    expect(made.kind).toBe('done')
    await restore(before)
    await world.run(endWork(host.sessionId))
    expect((await world.dump())['runs']?.find(({ wallet_id }) => wallet_id === wallet.walletId)).toMatchObject({
      state: 'ABORTED',
    })
    expect(await send(confirmation)).toMatchObject({ tag: 'KeyShareLocked' })
    const next = await signIn(world, user, host.partner)
    expect(await next.device.send(confirmation)).toMatchObject({ tag: 'KeyShareLocked' })
    key = keyOf(await host.device.attach(key.share), key.share)
  })

  it('does not lift a ban', async () => {
    const before = await copy()
    const cheating: Meddle = (request, frame) => {
      const body = frame.step === 1 ? Frame.decodeSign(frame.body) : undefined
      if (body === undefined || Result.isFailure(body.request)) return request
      const spoiled = { ...body, request: body.request.success, message: flipped(body.message, 100) }
      return host.device.signFrame({ ...frame, body: Frame.encodeSign(spoiled) })
    }
    expect(await host.device.sign(key, hello, { meddle: cheating })).toMatchObject({ status: 'BAN' })

    await restore(before)
    const [row] = (await world.dump())['wallets']?.filter(({ id }) => id === key.walletId) ?? []
    expect(row).toMatchObject({ state: 'ACTIVE' })
    expect(await host.device.sign(key, hello)).toMatchObject({ tag: 'KeyShareLocked' })
    expect(await host.device.attach(key.share)).toMatchObject({ tag: 'KeyShareLocked' })
  })

  it('confirms no key whose run ended with the process, and says so under the co-signer’s key', async () => {
    const wallet = value(await host.createWallet({ type: 'SOLANA' }))
    const requests: Uint8Array[] = []
    const stopAtConfirm: Meddle = (request, { operation }) => {
      requests.push(request)
      if (operation === 'CONFIRM') throw new Error('not yet')
      return request
    }
    await host.device.keygen({ ...wallet, scheme: 'ED25519' }, user.rootPublicKey, stopAtConfirm).catch(() => undefined)
    const [first = new Uint8Array(0), confirmation = new Uint8Array(0)] = [requests[0], requests.at(-1)]
    await copy()

    // A late copy of the first request ends the run, which the new process cannot go on with.
    expect(await send(first)).toMatchObject({ tag: 'RunLost' })
    expect(await send(confirmation)).toMatchObject({ status: 'ABORT' })
    const again = value(await host.createWallet({ type: 'SOLANA' }))
    expect(again.walletId).toBe(wallet.walletId)
    expect((await host.device.keygen({ ...again, scheme: 'ED25519' }, user.rootPublicKey)).kind).toBe('done')
    expect(await send(confirmation)).toMatchObject({ status: 'ABORT' })
  })
  it('lets its user make another wallet of the type, and the later database knows the first', async () => {
    const make = async (wallet: { readonly walletId: string; readonly protocolId: string }) =>
      keyOf(await host.device.keygen({ ...wallet, scheme: 'DKLS' }, user.rootPublicKey))
    const create = async () => value(await host.createWallet({ type: 'EVM', known: 1 }))
    const wallet = await create()
    const before = await copy()
    const first = await make(wallet)
    const after = await copy()

    await restore(before)
    const another = await create()
    expect([another.lead, another.walletId === first.walletId]).toEqual([true, false])
    expect(await create()).toEqual(another)
    const other = await make(another)
    expect((await host.device.sign(other, hello)).kind).toBe('done')
    expect(await create()).toMatchObject({ walletId: other.walletId, lead: false })

    await restore(after)
    const enrolled = keyOf(await host.device.attach(first.share), first.share)
    expect((await host.device.sign(enrolled, hello)).kind).toBe('done')
    expect(await host.device.sign(other, hello)).toMatchObject({ tag: 'WalletDoesNotExist' })
  })
})
