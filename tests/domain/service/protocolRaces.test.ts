/**
 * What only happens when several requests of one wallet or user are under way at the same moment, on both databases.
 */
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import * as Deferred from 'effect/Deferred'
import * as Effect from 'effect/Effect'
import * as Result from 'effect/Result'
import * as Frame from '../../../domain/mpc/Frame.ts'
import type { SigningRequest } from '../../../domain/mpc/SigningRequest.ts'
import * as OtRecord from '../../../domain/mpc/dkls/OtRecord.ts'
import { noble } from '../../../domain/mpc/noble.ts'
import { CosignerEngine } from '../../../domain/service/ports/CosignerEngine.ts'
import { Vault } from '../../../domain/service/ports/Vault.ts'
import { exchangeFrame } from '../../../domain/service/protocol.ts'
import { otAssociatedData } from '../../../domain/service/protocol/associatedData.ts'
import { refreshKeys } from '../../../domain/service/refreshes.ts'
import { endWork } from '../../../domain/service/sessions.ts'
import { onUsualDatabase } from '../../kit/database.ts'
import { makePartner, makeUser, signIn, startWorld, value, type SignedIn, type World } from '../../kit/cosignerWorld.ts'
import { keyOf, type Ended, type Meddle, type WalletKey } from '../../kit/device.ts'
import { guessing } from '../../mpc/cheaters.ts'
import { bit } from '../../mpc/dealtSeeds.ts'

const hourMs = 60 * 60_000

const hello: SigningRequest = { kind: 'solanaMessage', message: bytesToHex(utf8ToBytes('hello')) }

onUsualDatabase((makeDatabase) => {
  let world: World
  let host: SignedIn
  let phone: SignedIn
  let key: WalletKey

  beforeAll(async () => {
    world = await startWorld({ database: makeDatabase(), configuration: { cosignerThreads: 2 } })
    const [partner, user] = [await makePartner(world), await makeUser(world)]
    host = await signIn(world, user, partner)
    phone = await signIn(world, user, partner)
  })

  afterAll(() => world.stop())

  it('two first logins at the same moment end with one wallet, made by the one that leads', async () => {
    const begun = await Promise.all([host, phone].map((by) => by.createWallet({ type: 'SOLANA' })))
    const [first, second] = begun.map(value)
    const make = (by: SignedIn, wallet = { walletId: '', protocolId: '' }) =>
      by.device.keygen({ ...wallet, scheme: 'ED25519' }, by.user.rootPublicKey)
    const made = await Promise.all([make(host, first), make(phone, second)])
    const [done, ...others] = made.filter(({ kind }) => kind === 'done')
    const refused = made.find(({ kind }) => kind !== 'done')

    expect(first?.walletId).toBe(second?.walletId)
    expect(others).toEqual([])
    expect(['WalletBeingCreated', 'WalletExists']).toContain(refused?.kind === 'refused' && refused.tag)
    if (done !== undefined) key = keyOf(done)
    expect((await world.dump())['provider_shares']).toHaveLength(1)
  })

  it('ten simultaneous copies of a request are one run with one answer', async () => {
    const answers: object[] = []
    const ended = await host.device.sign(key, hello, {
      meddle: async (request) => {
        answers.push(...(await Promise.all(Array.from({ length: 10 }, () => host.device.send(request)))))
        return request
      },
    })

    expect(ended.kind).toBe('done')
    expect(answers).toHaveLength(10)
    for (const answer of answers) expect(answer).toEqual(answers[0])
  })

  it('simultaneous signatures of two devices are each made or told to wait, and none fails halfway', async () => {
    const attempts = Array.from({ length: 6 }, (_, index) =>
      (index % 2 === 0 ? host : phone).device.sign(key, { ...hello, message: `0${index}` }),
    )
    const ended = await Promise.all(attempts)
    const { runs = [] } = await world.dump()

    expect(ended.filter(({ kind }) => kind === 'done').length).toBeGreaterThanOrEqual(1)
    for (const one of ended) {
      if (one.kind !== 'done') expect(one).toMatchObject({ tag: 'AnotherRunInProgress' })
    }
    expect(runs.filter(({ state, kind }) => kind === 'sign' && state !== 'DONE')).toEqual([])
  })

  it('the wallets of all types are made at the same time by one session', async () => {
    const user = await makeUser(world)
    const device = await signIn(world, user, host.partner)
    const made = await Promise.all(
      (['EVM', 'SOLANA', 'COSMOS'] as const).map(async (type) => {
        const wallet = value(await device.createWallet({ type }))
        const scheme = type === 'SOLANA' ? 'ED25519' : 'DKLS'
        return device.device.keygen({ ...wallet, scheme }, user.rootPublicKey)
      }),
    )
    const { session } = await device.caller()

    expect(made.map(({ kind }) => kind)).toEqual(['done', 'done', 'done'])
    expect(Object.keys(session?.currentWalletIds ?? {}).sort()).toEqual(['COSMOS', 'EVM', 'SOLANA'])
  })

  it('a right guess of Δ signs; the first wrong one bans the wallet, also for runs begun before', async () => {
    const user = await makeUser(world)
    const [cheater, other] = [await signIn(world, user, host.partner), await signIn(world, user, host.partner)]
    const wallet = value(await cheater.createWallet({ type: 'EVM' }))
    const own = keyOf(await cheater.device.keygen({ ...wallet, scheme: 'DKLS' }, user.rootPublicKey))
    const otId = bytesToHex(own.otId)
    const sealed = async () => (await world.dump())['ot_records']?.find(({ ot_id }) => ot_id === otId)?.['sealed']
    const record = hexToBytes(String(await sealed()))
    const opened = Effect.flatMap(Vault, ({ open }) =>
      open(otAssociatedData({ ...own.share, shareId: bytesToHex(own.share.shareId) }, otId), record),
    )
    const { delta } = OtRecord.decode(await world.run(opened)) ?? { delta: new Uint8Array(0) }
    const asked: SigningRequest = { ...hello, kind: 'eip191' }
    const guess = (index: number, isRight: boolean) =>
      cheater.device.sign(own, asked, {
        arithmetic: guessing(noble, [{ index, bit: bit(delta, index) ^ (isRight ? 0 : 1) }]),
      })

    const unnoticed = await guess(3, true)
    const { protocolId } = value(await other.as({}, refreshKeys(user.userId, own.walletId)))
    const ends: Ended[] = []
    const refreshed = await other.device.refresh(own.share, protocolId, {
      meddle: async (request, { step }) => {
        if (step !== 2) return request
        const cheatMeanwhile: Meddle = async (second, frame) => {
          if (frame.step === 2) ends.push(await guess(7, false))
          return second
        }
        ends.push(await cheater.device.sign(own, asked, { meddle: cheatMeanwhile }))
        return request
      },
    })
    const later = [await guess(3, true), await cheater.device.sign(own, asked), await other.device.attach(own.share)]

    const [banned, honest] = ends
    expect(unnoticed.kind).toBe('done')
    expect(banned).toEqual({ kind: 'stopped', status: 'BAN' })
    for (const one of [honest, refreshed, ...later]) expect(one).toMatchObject({ tag: 'KeyShareLocked' })
    expect(await sealed()).toBeNull()
  })

  it('a ban that is written after a refresh’s commit leaves the new sharing as it is', async () => {
    const user = await makeUser(world)
    const [cheater, other] = [await signIn(world, user, host.partner), await signIn(world, user, host.partner)]
    const wallet = value(await cheater.createWallet({ type: 'EVM' }))
    const own = keyOf(await cheater.device.keygen({ ...wallet, scheme: 'DKLS' }, user.rootPublicKey))
    const asked: SigningRequest = { ...hello, kind: 'eip191' }
    const spoiled: Meddle = (request, frame) => {
      const body = frame.step === 1 ? Frame.decodeSign(frame.body) : undefined
      if (body === undefined || Result.isFailure(body.request)) return request
      const message = body.message.map((byte, index) => (index === 100 ? byte ^ 1 : byte))
      return cheater.device.signFrame({
        ...frame,
        body: Frame.encodeSign({ ...body, request: body.request.success, message }),
      })
    }
    const [known, released] = [Deferred.makeUnsafe<void>(), Deferred.makeUnsafe<void>()]
    const hold = Effect.andThen(Deferred.succeed(known, undefined), Deferred.await(released))
    const held = Effect.updateService(CosignerEngine, (engine: CosignerEngine['Service']) => ({
      ...engine,
      step: (job, mayCompute) => Effect.tap(engine.step(job, mayCompute), hold),
    }))
    const bans: Promise<unknown>[] = []
    const sent = cheater.device.sign(own, asked, {
      meddle: async (request, frame) => {
        const cheating = await spoiled(request, frame)
        bans.push(cheater.caller().then((caller) => world.as(caller, held(exchangeFrame(cheating)))))
        throw new Error('the test sends it')
      },
    })
    await expect(sent).rejects.toThrow('the test sends it')
    await Effect.runPromise(Deferred.await(known))

    const { protocolId } = value(await other.as({}, refreshKeys(user.userId, own.walletId)))
    const refreshed = keyOf(await other.device.refresh(own.share, protocolId))
    const late = other.device.sign(refreshed, asked, {
      meddle: async (request, { step }) => {
        if (step === 1) return request
        Effect.runSync(Deferred.succeed(released, undefined))
        await Promise.all(bans)
        return request
      },
    })

    expect((await late).kind).toBe('done')
    expect(await Promise.all(bans)).toMatchObject([{ tag: 'KeyShareOutOfDate' }])
    expect((await other.device.sign(refreshed, asked)).kind).toBe('done')
    const { audits = [], ot_records = [], wallets = [] } = await world.dump()
    const of = audits.filter(({ subject }) => subject === own.walletId).map(({ event }) => event)
    expect(of).toContain('sign.aborted')
    expect(of).not.toContain('wallet.burned')
    expect(wallets.find(({ id }) => id === own.walletId)).toMatchObject({ state: 'ACTIVE', epoch: 2 })
    const records = ot_records.filter(({ wallet_id }) => wallet_id === own.walletId)
    expect(records.map(({ epoch, sealed }) => [epoch, sealed === null])).toEqual([[2, false]])
  })

  it('a session that lost its run begins another at once, and the earlier run can never be finished', async () => {
    const lostAfter = [
      ['SOLANA', 'ED25519', 1],
      ['SOLANA', 'ED25519', 2],
      ['EVM', 'DKLS', 3],
    ] as const
    for (const [type, scheme, lastAnswered] of lostAfter) {
      const user = await makeUser(world)
      const device = await signIn(world, user, host.partner)
      const lost = value(await device.createWallet({ type }))
      const left = { afterwards: new Uint8Array(0), isConfirmation: false }
      const interrupted = device.device.keygen(
        { ...lost, scheme },
        user.rootPublicKey,
        (request, { operation, step }) => {
          left.afterwards = request.slice()
          left.isConfirmation = operation === 'CONFIRM'
          if (step > lastAnswered) throw new Error('the page was left')
          return request
        },
      )
      await expect(interrupted).rejects.toThrow('the page was left')

      const again = value(await device.createWallet({ type }))
      const repeated = value(await device.createWallet({ type }))
      const late = await device.device.send(left.afterwards)
      const made = await device.device.keygen({ ...again, scheme }, user.rootPublicKey)
      const later = await device.device.send(left.afterwards)
      const { runs = [], wallets = [] } = await world.dump()
      const stateOf = ({ protocolId }: { readonly protocolId: string }) =>
        runs.find(({ protocol_id }) => protocol_id === protocolId)

      expect(again).toMatchObject({ walletId: lost.walletId, lead: true })
      expect(again.protocolId).not.toBe(lost.protocolId)
      expect(repeated).toEqual(again)
      // A half that may be confirmed is given up for the co-signer's word alone.
      expect([late, later]).toMatchObject(
        left.isConfirmation
          ? [{ status: 'ABORT' }, { status: 'ABORT' }]
          : [{ tag: 'WalletBeingCreated' }, { tag: 'WalletExists' }],
      )
      expect(made.kind).toBe('done')
      expect(stateOf(lost)).toMatchObject({ state: 'SUPERSEDED', sealed_seed: null })
      expect(stateOf(again)).toMatchObject({ state: 'DONE' })
      expect(wallets.find(({ id }) => id === lost.walletId)).toMatchObject({ state: 'ACTIVE' })
    }
  })

  it('a session that asks again ends no run of another session, nor of a client whose tabs do not take turns', async () => {
    const user = await makeUser(world)
    const [first, second] = [await signIn(world, user, host.partner), await signIn(world, user, host.partner)]
    const wallet = value(await first.createWallet({ type: 'SOLANA' }))
    const asked: { readonly lead: boolean }[] = []
    const made = await first.device.keygen({ ...wallet, scheme: 'ED25519' }, user.rootPublicKey, async (request) => {
      asked.push(value(await second.createWallet({ type: 'SOLANA' })))
      return request
    })

    const publicUser = await makeUser(world)
    const tabs = await signIn(world, publicUser, host.partner, { certified: false })
    const ofTab = value(await tabs.createWallet({ type: 'SOLANA' }))
    const madeByTab = await tabs.device.keygen(
      { ...ofTab, scheme: 'ED25519' },
      new Uint8Array(0),
      async (request, { step }) => {
        if (step > 1) asked.push(value(await tabs.createWallet({ type: 'SOLANA' })))
        return request
      },
    )

    expect([made.kind, madeByTab.kind]).toEqual(['done', 'done'])
    expect(asked.length).toBeGreaterThanOrEqual(4)
    expect(asked.filter(({ lead }) => lead)).toEqual([])
  })

  it('a clock that was an hour ahead and is set back holds up no key generation and no signature', async () => {
    const user = await makeUser(world)
    const [before, after] = [await signIn(world, user, host.partner), await signIn(world, user, host.partner)]
    const stop: Meddle = () => {
      throw new Error('the page was left')
    }
    const ahead = async (work: () => Promise<unknown>) => {
      world.advance(hourMs)
      await work().catch(() => undefined)
      world.advance(-hourMs)
    }
    await ahead(() => before.createWallet({ type: 'EVM' }))
    const wallet = value(await after.createWallet({ type: 'EVM' }))
    expect(wallet.lead).toBe(true)
    const own = keyOf(await after.device.keygen({ ...wallet, scheme: 'DKLS' }, user.rootPublicKey))
    const asked: SigningRequest = { ...hello, kind: 'eip191' }
    const stopAtSecond: Meddle = (request, frame) => (frame.step === 2 ? stop(request, frame) : request)

    await ahead(() => after.device.sign(own, { ...asked, message: '00' }, { meddle: stopAtSecond }))
    expect((await after.device.sign(own, asked)).kind).toBe('done')
  })

  it('a session may end while its key generation does', async () => {
    for (const during of [1, 2, 3]) {
      const user = await makeUser(world)
      const leaving = await signIn(world, user, host.partner)
      const wallet = value(await leaving.createWallet({ type: 'SOLANA' }))
      const ends: Promise<void>[] = []
      const end = endWork(leaving.sessionId)
      const made = await leaving.device.keygen(
        { ...wallet, scheme: 'ED25519' },
        user.rootPublicKey,
        (request, { step }) => {
          if (step === during) ends.push(world.run(end))
          return request
        },
      )
      await Promise.all(ends)
      const stored = (await world.dump())['wallets']?.find(({ id }) => id === wallet.walletId)

      expect(ends).toHaveLength(1)
      expect(stored).toMatchObject({ state: made.kind === 'done' ? 'ACTIVE' : 'CREATED' })
    }
  })
})
