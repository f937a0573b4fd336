import { randomBytes, randomUUID } from 'node:crypto'
import { bytesToHex } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as ManagedRuntime from 'effect/ManagedRuntime'
import * as Option from 'effect/Option'
import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { CosignerKeysDatabase } from '../../adapters/service/database/CosignerKeys.ts'
import { Database } from '../../adapters/service/database/Database.ts'
import { ExportsDatabase } from '../../adapters/service/database/Exports.ts'
import { IntentsDatabase } from '../../adapters/service/database/Intents.ts'
import { KeySharesDatabase } from '../../adapters/service/database/KeyShares.ts'
import { migrate } from '../../adapters/service/database/migrations/index.ts'
import { OtRecordsDatabase } from '../../adapters/service/database/OtRecords.ts'
import { PinnedRootsDatabase } from '../../adapters/service/database/PinnedRoots.ts'
import { ProviderSharesDatabase } from '../../adapters/service/database/ProviderShares.ts'
import { RecoveryPublicKeysDatabase } from '../../adapters/service/database/RecoveryPublicKeys.ts'
import { RunsDatabase } from '../../adapters/service/database/Runs.ts'
import { TemporarySharesDatabase } from '../../adapters/service/database/TemporaryShares.ts'
import { UsersDatabase } from '../../adapters/service/database/Users.ts'
import { WalletsDatabase } from '../../adapters/service/database/Wallets.ts'
import { CosignerKeys } from '../../domain/service/ports/CosignerKeys.ts'
import { Exports } from '../../domain/service/ports/Exports.ts'
import { Intents, type Intent } from '../../domain/service/ports/Intents.ts'
import { KeyShares, type KeyShare } from '../../domain/service/ports/KeyShares.ts'
import { OtRecords } from '../../domain/service/ports/OtRecords.ts'
import { PinnedRoots } from '../../domain/service/ports/PinnedRoots.ts'
import { ProviderShares } from '../../domain/service/ports/ProviderShares.ts'
import { RecoveryPublicKeys } from '../../domain/service/ports/RecoveryPublicKeys.ts'
import { Runs } from '../../domain/service/ports/Runs.ts'
import { TemporaryShares, type TemporaryShareRow } from '../../domain/service/ports/TemporaryShares.ts'
import { Transaction } from '../../domain/service/ports/Transaction.ts'
import { Users } from '../../domain/service/ports/Users.ts'
import { Wallets } from '../../domain/service/ports/Wallets.ts'
import { failedCheck, type RunRecord } from '../../domain/service/Run.ts'
import { onEachDatabase } from '../kit/database.ts'
import { keyShareOf } from '../kit/keyShare.ts'

const repositories = Layer.mergeAll(
  CosignerKeysDatabase,
  ExportsDatabase,
  IntentsDatabase,
  KeySharesDatabase,
  OtRecordsDatabase,
  PinnedRootsDatabase,
  ProviderSharesDatabase,
  RecoveryPublicKeysDatabase,
  RunsDatabase,
  TemporarySharesDatabase,
  UsersDatabase,
  WalletsDatabase,
)

const hex = (length = 32) => bytesToHex(randomBytes(length))

/** SQLSTATE unique_violation: such a row is there. */
const takenIn = (table: string) => ({ code: '23505', table })

onEachDatabase((makeDatabase) => {
  const runtime = ManagedRuntime.make(repositories.pipe(Layer.provideMerge(makeDatabase())))
  afterAll(() => runtime.dispose())
  type Services = ManagedRuntime.ManagedRuntime.Services<typeof runtime>
  const run = <A, E>(flow: Effect.Effect<A, E, Services>): Promise<A> => runtime.runPromise(flow)

  const newWallet = (userId = randomUUID(), partnerId = randomUUID()) =>
    Effect.flatMap(Wallets, (wallets) =>
      wallets.findOrCreate({
        id: randomUUID(),
        userId,
        partnerId,
        type: 'EVM',
        slot: 0,
        scheme: 'DKLS',
        cosmosPrefix: null,
        now: 1,
      }),
    )

  const activation = () => ({ epoch: 1, shareId: hex(), publicKey: hex(33), address: '0x1', rootPublicKey: hex() })

  describe('wallets', () => {
    it('are one for each user, partner, type and slot, also for simultaneous requests', async () => {
      const [userId, partnerId] = [randomUUID(), randomUUID()]

      const made = await Promise.all(Array.from({ length: 8 }, () => run(newWallet(userId, partnerId))))
      const elsewhere = await run(newWallet(userId))
      const wallets = await run(Wallets)

      expect(new Set(made.map(({ id }) => id)).size).toBe(1)
      expect(made[0]).toMatchObject({ state: 'CREATED', epoch: 0, address: null, lease: null, lastUsedAt: null })
      expect(await run(wallets.ofUser(userId, partnerId))).toEqual([made[0]])
      expect((await run(wallets.ofUserEverywhere(userId))).map(({ id }) => id).sort()).toEqual(
        [made[0]?.id, elsewhere.id].sort(),
      )
      expect(Option.isNone(await run(wallets.find(randomUUID())))).toBe(true)
    })

    it('become active once, burn in their epoch, and record their last use', async () => {
      const wallets = await run(Wallets)
      const { id } = await run(newWallet())
      const made = activation()

      expect(await run(wallets.activate(id, made, 2))).toBe(true)
      expect(await run(wallets.activate(id, activation(), 3))).toBe(false)
      await run(wallets.use(id, 'partner', 4))
      await run(wallets.setLocked(id, 2, 5))
      const existing = Option.getOrThrow(await run(wallets.find(id)))
      await run(wallets.setLocked(id, 1, 6))
      const locked = Option.getOrThrow(await run(wallets.find(id)))

      const used = { lastUsedAt: 4, lastUsedPartnerId: 'partner' }
      expect(existing).toMatchObject({ ...made, ...used, state: 'ACTIVE', updatedAt: 2 })
      expect(locked).toEqual({ ...existing, state: 'BURNED', updatedAt: 6 })
    })

    it('move to the next sharing once, from the one that stands, and not before they have a key', async () => {
      const wallets = await run(Wallets)
      const { id } = await run(newWallet())
      const [made, next] = [activation(), { epoch: 2, shareId: hex() }]

      expect(await run(wallets.advance(id, made.shareId, next, 2))).toBe(false)
      await run(wallets.activate(id, made, 2))
      expect(await run(wallets.advance(id, hex(), next, 3))).toBe(false)
      expect(await run(wallets.advance(id, made.shareId, next, 4))).toBe(true)
      expect(await run(wallets.advance(id, made.shareId, { epoch: 3, shareId: hex() }, 5))).toBe(false)
      const moved = Option.getOrThrow(await run(wallets.find(id)))
      expect(moved).toMatchObject({ ...made, ...next, state: 'ACTIVE', updatedAt: 4 })
    })

    it('record when their key was first exported, and to which pages since', async () => {
      const rows = await run(Exports)
      const wallets = await run(Wallets)
      const { id: walletId } = await run(newWallet())
      const begun = (openingId: string) => ({
        walletId,
        openingId,
        recipientPublicKey: hex(),
        hostSecretHash: hex(),
        deviceSignature: hex(64),
        createdAt: 1,
      })
      const [first, second] = [begun(randomUUID()), begun(randomUUID())]

      await run(Effect.andThen(rows.create(first), rows.create(second)))
      await expect(run(rows.create({ ...first, recipientPublicKey: hex() }))).rejects.toMatchObject(takenIn('exports'))
      await run(rows.release(walletId, first.openingId, 10))
      await run(rows.release(walletId, first.openingId, 20))
      await run(rows.release(walletId, second.openingId, 30))

      expect(await run(rows.find(walletId, first.openingId))).toEqual(Option.some({ ...first, releasedAt: 10 }))
      expect(await run(rows.find(randomUUID(), first.openingId))).toEqual(Option.none())
      expect([...(await run(rows.releasedAfter(walletId, 9)))].sort()).toEqual([10, 30])
      expect(await run(rows.releasedAfter(walletId, 10))).toEqual([30])
      await run(Effect.andThen(wallets.markExported(walletId, 40), wallets.markExported(walletId, 50)))
      const exportedAt = await run(
        Effect.flatMap(Database, ({ query }) =>
          query((db) => db.selectFrom('wallets').select('exported_at').where('id', '=', walletId).executeTakeFirst()),
        ),
      )
      expect(exportedAt).toEqual({ exported_at: 40 })
    })

    it('are leased to one attempt, which alone can return the lease', async () => {
      const wallets = await run(Wallets)
      const { id } = await run(newWallet())
      const [mine, other] = [randomUUID(), randomUUID()]
      await run(wallets.addAttempt(id, { protocolId: mine, sessionId: 'session' }))
      await run(wallets.lease(id, { protocolId: mine, sessionId: 'session', until: 90 }))

      await run(wallets.release(id, other))
      const leased = Option.getOrThrow(await run(wallets.find(id)))
      await run(wallets.release(id, mine))
      const free = Option.getOrThrow(await run(wallets.find(id)))

      expect(leased.lease).toEqual({ protocolId: mine, sessionId: 'session', until: 90 })
      expect(free.lease).toBeNull()
      expect(await run(wallets.hasAttempt(id, { protocolId: mine, sessionId: 'session' }))).toBe(true)
      expect(await run(wallets.hasAttempt(id, { protocolId: mine, sessionId: 'other' }))).toBe(false)
      expect(await run(wallets.hasAttempt(id, { protocolId: other, sessionId: 'session' }))).toBe(false)
    })

    it('are locked for one transaction at a time', async () => {
      const { id } = await run(newWallet())
      const order: string[] = []
      const lock = Effect.flatMap(Wallets, (wallets) => wallets.lock(id))
      const atomically = <A, E, R>(flow: Effect.Effect<A, E, R>) =>
        Effect.flatMap(Transaction, (transaction) => transaction.atomically(flow))
      const second = Effect.andThen(
        atomically(lock),
        Effect.sync(() => void order.push('second in')),
      )
      const first = Effect.gen(function* () {
        yield* lock
        const coming = run(second)
        // More queries than the second one needs to reach its own lock.
        for (let looks = 0; looks < 50; looks++) yield* (yield* Wallets).find(id)
        order.push('first out')
        return { coming }
      })

      await (
        await run(atomically(first))
      ).coming

      expect(order).toEqual(['first out', 'second in'])
    })
  })

  describe('runs', () => {
    const newRun = (changes: Partial<RunRecord> = {}): RunRecord => ({
      walletId: randomUUID(),
      protocolId: randomUUID(),
      kind: 'sign',
      scheme: 'DKLS',
      sessionId: randomUUID(),
      userId: randomUUID(),
      partnerId: randomUUID(),
      deviceKeyThumb: hex(),
      epoch: 1,
      shareId: hex(),
      otId: hex(),
      attempt: hex(16),
      rootPublicKey: '',
      payloadClass: 'eip191',
      digest: hex(),
      sending: { transaction: randomBytes(40), chainId: '1', broadcastAt: null },
      state: 'RUNNING',
      generation: 'one',
      protocolVersion: 1,
      policyVersion: null,
      pendingTransactionId: null,
      sealedSeed: Uint8Array.from(randomBytes(60)),
      finalBody: null,
      reason: null,
      areTransfersVoid: false,
      createdAt: 10,
      expiresAt: 100,
      ...changes,
    })
    const begin = async (changes: Partial<RunRecord> = {}) => {
      const begun = newRun(changes)
      await run(Effect.flatMap(Runs, (runs) => runs.begin(begun)))
      return begun
    }
    const find = async (of: RunRecord) => Option.getOrThrow(await run(Effect.flatMap(Runs, (runs) => runs.find(of))))

    it('are read as they were stored, with bytes as bytes', async () => {
      const begun = await begin()

      const sending = { ...begun.sending, transaction: expect.any(Uint8Array) }
      expect(await find(begun)).toEqual({ ...begun, sending })
      expect((await find(begun)).sealedSeed).toEqual(begun.sealedSeed)
      await expect(run(Effect.flatMap(Runs, (runs) => runs.begin(begun)))).rejects.toMatchObject(takenIn('runs'))
    })

    it('claim a round once, and store one answer to it', async () => {
      const runs = await run(Runs)
      const begun = await begin()
      const claim = { step: 1, requestHash: hex(), messageHash: hex() }
      const [first, second] = [hex(), hex()]
      await run(runs.claim(begun, claim))

      const another = { ...claim, requestHash: hex() }
      await expect(run(runs.claim(begun, another))).rejects.toMatchObject(takenIn('rounds'))
      const sealedState = Uint8Array.from(randomBytes(9))
      await run(runs.answer(begun, { step: 1, responseHash: first, sealedState }))
      await run(runs.answer(begun, { step: 1, responseHash: second, sealedState: null }))
      await run(runs.answer(begun, { step: 2, responseHash: first, sealedState: null }))
      expect(await run(runs.rounds(begun))).toEqual([{ ...claim, responseHash: first, sealedState }])
    })

    it('are seen at once with what a round is decided by', async () => {
      const { see, seeToClaim, claim, answer, unfinished } = await run(Runs)
      const wallet = await run(newWallet())
      const walletId = wallet.id
      const id = { walletId, protocolId: randomUUID() }
      const names = { ...id, shareId: hex(), otId: hex() }
      const nothing = { run: undefined, rounds: [], generation: undefined, isUserFrozen: false }
      const none = { ...nothing, unfinished: [], intent: undefined, share: undefined, ot: undefined }
      expect(Option.isNone(await run(see({ ...id, walletId: randomUUID() })))).toBe(true)
      expect(Option.getOrThrow(await run(see(id)))).toEqual({ ...nothing, wallet })
      expect(await run(seeToClaim(names))).toEqual(none)

      const begun = await begin({ ...id })
      const others = [await begin({ walletId }), await begin({ walletId, state: 'CONSUMED' })]
      await begin({ walletId, state: 'ABORTED', sealedSeed: null })
      await begin()
      const rounds = [3, 1, 2].map((step) => ({ step, requestHash: hex(), messageHash: hex() }))
      for (const round of rounds) await run(claim(begun, round))
      await run(answer(begun, { step: 1, responseHash: hex(), sealedState: Uint8Array.of(7) }))
      const sealed = Uint8Array.from(randomBytes(80))
      const share = { walletId, epoch: 1, shareId: names.shareId, sealed }
      await run(Effect.flatMap(ProviderShares, (shares) => shares.put({ ...share, capsule: sealed }, 1)))
      const device = { deviceKeyThumb: hex(), databaseLife: randomUUID() }
      const ot = { walletId, otId: names.otId, ...device, epoch: 1, shareId: names.shareId, sealed }
      await run(Effect.flatMap(OtRecords, (records) => records.put(ot, 1)))
      const call = { sessionId: randomUUID(), userId: randomUUID(), bodyHash: hex(), digest: hex() }
      const intent = { ...id, ...call, transaction: null, cosmosSignDoc: null, createdAt: 1, expiresAt: 2 }
      await run(Effect.flatMap(Intents, (intents) => intents.findOrCreate(intent)))

      const stored = await find(begun)
      const seen = Option.getOrThrow(await run(see(id)))
      expect(seen).toMatchObject({ wallet, run: stored, generation: undefined })
      expect(seen.rounds.map(({ step, sealedState }) => [step, sealedState])).toEqual([
        [1, Uint8Array.of(7)],
        [2, null],
        [3, null],
      ])
      const toClaim = await run(seeToClaim(names))
      expect(toClaim).toMatchObject({ run: stored, rounds: seen.rounds, intent, share, ot })
      const ids = [begun, ...others].map(({ protocolId }) => protocolId)
      expect(new Set(toClaim.unfinished.map(({ protocolId }) => protocolId))).toEqual(new Set(ids))
      expect(toClaim.unfinished).toHaveLength(ids.length)
      expect(toClaim.unfinished).toEqual(expect.arrayContaining([...(await run(unfinished(walletId)))]))
      const another = await run(seeToClaim({ ...names, protocolId: randomUUID(), shareId: hex(), otId: hex() }))
      expect(another).toMatchObject({ ...none, unfinished: toClaim.unfinished })

      const users = await run(Users)
      const userId = wallet.userId ?? ''
      const identity = { kind: 'email', email: `${userId}@example.org` } as const
      await run(users.findOrCreate({ id: userId, identity, now: 1 }))
      expect(await run(seeToClaim(names))).toMatchObject({ isUserFrozen: false })
      await run(users.setFrozenAt(userId, 1))
      expect(await run(seeToClaim(names))).toMatchObject({ isUserFrozen: true })
      expect(Option.getOrThrow(await run(see(id)))).toMatchObject({ isUserFrozen: true })
    })

    it('are written together by a transaction: before it reads, and when it ends', async () => {
      const { atomically } = await run(Transaction)
      const { begin: write, claim, move, rounds, answer } = await run(Runs)
      const one = newRun()
      const claimed = (step: number) => claim(one, { step, requestHash: hex(), messageHash: hex() })
      const steps = Effect.map(rounds(one), (all) => all.map(({ step }) => step))
      const seen = atomically(
        Effect.gen(function* () {
          yield* Effect.all([write(one), claimed(1), claimed(2)])
          const before = yield* steps
          yield* Effect.all([answer(one, { step: 2, responseHash: hex(), sealedState: null }), move(one, 'CONSUMED')])
          yield* claimed(3)
          return before
        }),
      )
      expect(await run(seen)).toEqual([1, 2])
      expect(await run(steps)).toEqual([1, 2, 3])
      expect((await find(one)).state).toBe('CONSUMED')
      expect((await run(rounds(one)))[1]?.responseHash).not.toBeNull()

      await run(Effect.flip(atomically(Effect.andThen(claimed(4), Effect.fail('undone')))))
      expect(await run(steps)).toEqual([1, 2, 3])
      await expect(run(atomically(claimed(3)))).rejects.toMatchObject(takenIn('rounds'))
    })

    it('end once, and keep neither seed nor state', async () => {
      const runs = await run(Runs)
      const [done, dead] = [await begin(), await begin()]
      const [first, last] = [hex(), hex()]
      for (const one of [done, dead]) {
        await run(runs.claim(one, { step: 1, requestHash: hex(), messageHash: hex() }))
        await run(runs.answer(one, { step: 1, responseHash: first, sealedState: randomBytes(9) }))
      }
      await run(runs.move(done, 'CONSUMED'))
      await run(runs.extend(done, 500))
      await run(runs.claim(done, { step: 2, requestHash: hex(), messageHash: hex() }))
      await run(runs.finish(done, last, Uint8Array.of(1, 2)))
      await run(runs.end(done, { state: 'ABORTED', reason: 'late' }))
      await run(runs.end(dead, { state: 'SUPERSEDED', reason: 'newer' }))
      await run(runs.finish(dead, last, Uint8Array.of(3)))

      expect(await find(done)).toMatchObject({ state: 'DONE', sealedSeed: null, reason: null, expiresAt: 500 })
      expect((await find(done)).finalBody).toEqual(Uint8Array.of(1, 2))
      const over = { sealedSeed: null, finalBody: null }
      expect(await find(dead)).toMatchObject({ ...over, state: 'SUPERSEDED', reason: 'newer' })
      const hashes = (await run(runs.rounds(done))).map(({ responseHash }) => responseHash)
      expect(hashes).toEqual([first, last])
      for (const one of [done, dead]) expect((await run(runs.rounds(one)))[0]?.sealedState).toBeNull()
    })

    it('are found by wallet, session and expiry for as long as they are unfinished', async () => {
      const runs = await run(Runs)
      const [walletId, sessionId] = [randomUUID(), randomUUID()]
      const [one, two] = [await begin({ walletId, sessionId, expiresAt: 1 }), await begin({ walletId, expiresAt: 7 })]
      const elsewhere = await begin({ sessionId, expiresAt: 2 })
      const ids = (found: readonly { protocolId: string }[]) => found.map(({ protocolId }) => protocolId).sort()

      expect(ids(await run(runs.unfinished(walletId)))).toEqual(ids([one, two]))
      expect(ids(await run(runs.unfinishedOfSession(sessionId)))).toEqual(ids([one, elsewhere]))
      expect(ids(await run(runs.expired(2)))).toEqual(ids([one, elsewhere]))
      for (const each of [one, two, elsewhere]) await run(runs.end(each, { state: 'BANNED', reason: 'burned' }))
      expect(await run(runs.unfinished(walletId))).toEqual([])
      expect(ids(await run(runs.unfinishedOfSession(sessionId)))).toEqual([])
      expect(ids(await run(runs.expired(2)))).toEqual([])
    })

    it('are deleted with their epoch, once they have ended and no longer count', async () => {
      const runs = await run(Runs)
      const walletId = randomUUID()
      const [old, young, later, going] = [
        await begin({ walletId, epoch: 1, createdAt: 10 }),
        await begin({ walletId, epoch: 1, createdAt: 20 }),
        await begin({ walletId, epoch: 2, createdAt: 10 }),
        await begin({ walletId, epoch: 1, createdAt: 10 }),
      ]
      const elsewhere = await begin({ epoch: 1, createdAt: 10 })
      await run(runs.claim(old, { step: 1, requestHash: hex(), messageHash: hex() }))
      for (const one of [old, young, later, elsewhere]) await run(runs.end(one, { state: 'ABORTED', reason: 'over' }))

      await run(runs.forgetEpochsBefore(walletId, 2, 20))

      const isThere = async (one: RunRecord) => Option.isSome(await run(runs.find(one)))
      expect(await Promise.all([old, young, later, going, elsewhere].map(isThere))).toEqual([
        false,
        true,
        true,
        true,
        true,
      ])
      expect(await run(runs.rounds(old))).toEqual([])
      await run(runs.end(going, { state: 'ABORTED', reason: 'over' }))
    })

    it('that send the same transaction are found once they are done', async () => {
      const runs = await run(Runs)
      const ofWallet = { walletId: randomUUID(), digest: hex() }
      const [asking, same] = [await begin(ofWallet), await begin(ofWallet)]
      const others = [
        await begin({ ...ofWallet, sending: null }),
        await begin({ ...ofWallet, digest: hex() }),
        await begin({ ...ofWallet, walletId: randomUUID() }),
      ]
      for (const one of [same, ...others]) await run(runs.finish(one, hex(), Uint8Array.of(1)))

      expect(await run(runs.sendingTheSame(asking))).toEqual([await find(same)])
      expect(await run(runs.sendingTheSame(same))).toEqual([])
    })

    it('wait for their call without a seed', async () => {
      const runs = await run(Runs)
      const waiting = await begin({ state: 'WAITING', sealedSeed: null, sending: null })
      const seed = Uint8Array.from(randomBytes(60))

      await run(runs.start({ ...waiting, sealedSeed: seed, expiresAt: 900 }))
      await run(runs.start({ ...waiting, sealedSeed: Uint8Array.from(randomBytes(60)), expiresAt: 901 }))

      expect(await find(waiting)).toMatchObject({ state: 'RUNNING', expiresAt: 900, sealedSeed: seed })
    })

    it('count setups that a check ended or that were abandoned after the decisive answer, and a broadcast once', async () => {
      const runs = await run(Runs)
      const [walletId, sessionId] = [randomUUID(), randomUUID()]
      const reason = `${failedCheck}opening of the base OT`
      const claim = (of: RunRecord, step: number) =>
        run(runs.claim(of, { step, requestHash: hex(), messageHash: hex() }))
      for (const [kind, why, createdAt, last] of [
        ['keygen', reason, 10, 2],
        ['attach', reason, 20, 3],
        ['sign', reason, 20, 2],
        ['attach', 'out of time', 20, 2],
        ['attach', reason, 5, 2],
        // Without a share no request continues, and none of these checks is of an oblivious transfer.
        ['attach', reason, 20, 1],
        ['refresh', reason, 20, 1],
        ['refresh', reason, 20, 0],
      ] as const) {
        const failed = await begin({ walletId, kind, createdAt, ...(kind === 'keygen' ? { sessionId } : {}) })
        for (let step = 1; step <= last; step++) await claim(failed, step)
        await run(runs.end(failed, { state: 'ABORTED', reason: why }))
      }
      for (const [step, kind] of [
        [1, 'attach'],
        [2, 'attach'],
        [2, 'sign'],
      ] as const) {
        const left = await begin({ walletId, kind, createdAt: 20 })
        for (let answered = 1; answered <= step; answered++) {
          await claim(left, answered)
          await run(runs.answer(left, { step: answered, responseHash: hex(), sealedState: null }))
        }
      }
      const sending = await begin()
      await run(runs.markBroadcast(sending, 40))
      await run(runs.markBroadcast(sending, 50))

      expect(await run(runs.failedSetups(walletId, 9))).toBe(3)
      expect(await run(runs.failedSetups(walletId, 9, sessionId))).toBe(1)
      expect(await run(runs.failedSetups(walletId, 9, randomUUID()))).toBe(0)
      expect(await run(runs.setupsThatTold(walletId, { from: 10, until: 20 }))).toBe(1)
      expect(await run(runs.setupsThatTold(walletId, { from: 5, until: 21 }))).toBe(5)
      expect((await find(sending)).sending?.broadcastAt).toBe(40)
    })
  })

  describe("the co-signer's records", () => {
    const capsule = Uint8Array.from(randomBytes(80))

    /** A provider's share, and the OT records that are found beside it. */
    const shareBesideRecords = async () => {
      const [shares, { seeToClaim }] = [await run(ProviderShares), await run(Runs)]
      const { id: walletId } = await run(newWallet())
      const shareId = hex()
      const share = { walletId, epoch: 1, shareId, sealed: Uint8Array.from(randomBytes(80)) }
      await run(shares.put({ ...share, capsule }, 1))
      const find = async (otId: string) => {
        const found = await run(seeToClaim({ walletId, protocolId: randomUUID(), shareId, otId }))
        expect(found.share).toEqual(share)
        return found.ot
      }
      return { ...share, find }
    }

    it('are burned for all devices at once, and deleted one by one or all of a wallet', async () => {
      const records = await run(OtRecords)
      const { walletId, shareId, sealed, find } = await shareBesideRecords()
      const record = () => ({
        walletId,
        otId: hex(),
        deviceKeyThumb: hex(),
        databaseLife: randomUUID(),
        epoch: 1,
        shareId,
        sealed,
      })
      const [one, two] = [record(), record()]
      await run(records.put(one, 1))
      await run(records.put(two, 1))

      expect(await find(one.otId)).toEqual(one)
      const later = { ...record(), epoch: 2 }
      await run(records.put(later, 1))
      await run(records.eraseUpTo(walletId, 1, 2))
      expect(await find(later.otId)).toEqual(later)
      for (const locked of [one, two]) {
        expect(await find(locked.otId)).toEqual({ ...locked, sealed: null })
      }
      expect(await (await shareBesideRecords()).find(one.otId)).toBeUndefined()
      await run(records.remove(randomUUID(), one.otId))
      await run(records.remove(walletId, one.otId))
      const left = [one, two].map(({ otId }) => find(otId))
      expect(await Promise.all(left)).toEqual([undefined, { ...two, sealed: null }])
      const other = await shareBesideRecords()
      const elsewhere = { ...record(), walletId: other.walletId, shareId: other.shareId }
      await run(records.put(elsewhere, 3))
      await run(records.removeAll(walletId))
      expect([await find(two.otId), await other.find(elsewhere.otId)]).toEqual([undefined, elsewhere])
    })

    it('of OT state name their device; those that an earlier version left name none and are deleted', async () => {
      const { root, query } = await run(Database)
      const { walletId, find } = await shareBesideRecords()
      const otId = hex()
      const back = [
        `alter table ot_records drop column device_key_thumb`,
        `alter table ot_records drop column database_life`,
        `delete from kysely_migration where name like '110 %'`,
      ]
      for (const statement of back) await sql.raw(statement).execute(root)
      const row = sql`${walletId}, ${otId}, 1, ${hex()}, ${Uint8Array.from(randomBytes(80))}, 1`
      await sql`insert into ot_records (wallet_id, ot_id, epoch, share_id, sealed, created_at) values (${row})`.execute(
        root,
      )

      await migrate(root)

      expect(await find(otId)).toBeUndefined()
      const nameless = { wallet_id: walletId, ot_id: otId, epoch: 1, share_id: hex(), sealed: null, created_at: 1 }
      const insert = query((db) =>
        db
          .insertInto('ot_records')
          .values({ ...nameless, burned_at: 1 } as never)
          .execute(),
      )
      await expect(run(insert)).rejects.toMatchObject({ code: '23502', column: 'device_key_thumb' })
    })

    it('keep one share for a sharing, and delete all others at once', async () => {
      const shares = await run(ProviderShares)
      const sealed = Uint8Array.from(randomBytes(80))
      const { id: walletId } = await run(newWallet())
      const share = { walletId, epoch: 1, shareId: hex(), sealed }
      const ofAnother = { walletId, protocolId: randomUUID(), shareId: hex(), otId: hex() }
      await run(shares.put({ ...share, capsule }, 1))
      await run(shares.markDistributed(share.walletId, share.shareId, 2))
      await run(shares.markDistributed(share.walletId, share.shareId, 3))

      expect(Option.getOrThrow(await run(shares.find(share.walletId, share.shareId)))).toEqual(share)
      expect(Option.isNone(await run(shares.find(share.walletId, hex())))).toBe(true)
      expect((await run((await run(Runs)).seeToClaim(ofAnother))).share).toBeUndefined()
      await expect(run(shares.put({ ...share, capsule }, 4))).rejects.toMatchObject(takenIn('provider_shares'))

      const next = { ...share, epoch: 2, shareId: hex() }
      await run(shares.put({ ...next, capsule }, 5))
      await run(shares.removeOthers(share.walletId, [next.shareId]))
      expect(Option.isNone(await run(shares.find(share.walletId, share.shareId)))).toBe(true)
      expect(Option.getOrThrow(await run(shares.find(share.walletId, next.shareId)))).toEqual(next)
    })

    it('pin a user to the first root key', async () => {
      const roots = await run(PinnedRoots)
      const [userId, first, second] = [randomUUID(), hex(), hex()]

      const pinned = await Promise.all([run(roots.pin(userId, first, 1)), run(roots.pin(userId, second, 1))])

      expect(pinned.filter(Boolean)).toHaveLength(1)
      expect(Option.getOrThrow(await run(roots.find(userId)))).toBe(pinned[0] ? first : second)
      expect(Option.isNone(await run(roots.find(randomUUID())))).toBe(true)
    })

    it('have one frame key, also for simultaneous starts', async () => {
      const keys = await run(CosignerKeys)
      const name = randomUUID()
      const make = Effect.sync(() => ({ publicKey: hex(65), sealed: Uint8Array.from(randomBytes(50)) }))

      const started = await Promise.all([1, 2, 3].map(() => run(keys.findOrCreate(name, make, 1))))

      expect(new Set(started.map(({ publicKey }) => publicKey)).size).toBe(1)
      expect(started[1]?.sealed).toEqual(started[0]?.sealed)
    })

    it('have the keys that took its place, one for each, and forget a secret half', async () => {
      const keys = await run(CosignerKeys)
      const name = randomUUID()
      const sealed = () => Uint8Array.from(randomBytes(50))
      const make = Effect.sync(() => ({ publicKey: hex(65), sealed: sealed() }))
      expect(await run(keys.ofName(name))).toEqual([])
      const first = await run(keys.findOrCreate(name, make, 1))
      const after = (publicKey: string, from: number) => ({
        publicKey: hex(65),
        sealed: sealed(),
        from,
        replaces: { publicKey, isCompromised: from === 30, signature: hex(64) },
      })
      const second = after(first.publicKey, 20)
      const third = after(second.publicKey, 30)

      const added = [third, second, after(first.publicKey, 40)].map((key) => () => run(keys.add(name, key, 5)))
      expect([await added[0]?.(), await added[1]?.(), await added[2]?.()]).toEqual([true, true, false])

      expect(await run(keys.ofName(name))).toEqual([first, second, third])
      for (const { publicKey } of [first, third]) await run(keys.retire(name, publicKey))
      const none = new Uint8Array(0)
      expect(await run(keys.ofName(name))).toEqual([{ ...first, sealed: none }, second, { ...third, sealed: none }])
    })

    it('hold one intent under a protocol id', async () => {
      const intents = await run(Intents)
      const intent: Intent = {
        walletId: randomUUID(),
        protocolId: randomUUID(),
        sessionId: randomUUID(),
        userId: randomUUID(),
        bodyHash: hex(),
        digest: hex(),
        transaction: { unsigned: Uint8Array.of(1), chainId: '1', send: true },
        cosmosSignDoc: 'c2ln',
        createdAt: 1,
        expiresAt: 90,
      }

      expect(await run(intents.findOrCreate(intent))).toEqual(intent)
      expect(await run(intents.findOrCreate({ ...intent, bodyHash: hex() }))).toEqual(intent)
      await run(intents.sweep(89))
      expect(Option.isSome(await run(intents.find(intent.walletId, intent.protocolId)))).toBe(true)
      await run(intents.sweep(90))
      expect(Option.isNone(await run(intents.find(intent.walletId, intent.protocolId)))).toBe(true)
    })
  })

  describe('key shares', () => {
    it('are added once and listed newest first', async () => {
      const shares = await run(KeyShares)
      const { id: walletId } = await run(newWallet())
      const share = (changes: Partial<KeyShare>) => keyShareOf({ walletId, ...changes })
      const [first, other] = [share({}), share({ shareId: 'bb' })]
      const later = share({ encryptedShare: 'beef', createdAt: 2 })
      for (const one of [first, share({}), later, other]) await run(shares.add(one))

      expect(await run(shares.ofWallet(walletId, 'aa'))).toEqual([later, first])
      expect(await run(shares.ofWallet(walletId, 'bb'))).toEqual([other])
      const { id: another } = await run(newWallet())
      expect(new Set((await run(shares.sharingsOf([walletId, another]))).map(({ shareId }) => shareId))).toEqual(
        new Set(['aa', 'bb']),
      )
      expect(await run(shares.sharingsOf([another]))).toEqual([])
      expect(await run(shares.sharingsOf([]))).toEqual([])
      for (let createdAt = 3; createdAt < 10; createdAt++) {
        await run(shares.add(share({ encryptedShare: `${createdAt}`, createdAt })))
      }
      const kept = await run(shares.ofWallet(walletId, 'aa'))
      expect(kept.map(({ encryptedShare }) => encryptedShare)).toEqual(['9', '8', '7', '6', '5', 'c0ffee'])
    })

    it('of a refresh are staged for one sharing at a time, and stay when an older one is given up', async () => {
      const shares = await run(KeyShares)
      const { id: walletId } = await run(newWallet())
      const share = (epoch: number, shareId: string) => keyShareOf({ walletId, epoch, shareId })
      const [retained, existing] = [share(1, 'aa'), share(2, 'bb')]
      const [dead, staged] = [share(3, 'cc'), share(3, 'dd')]
      for (const one of [retained, existing, dead, staged]) await run(shares.add(one))

      await run(shares.stageOnly(walletId, 2, ['dd']))
      await run(shares.removeOthers(walletId, { epoch: 2, shareId: 'bb' }))

      const left = await Promise.all(['aa', 'bb', 'cc', 'dd'].map((shareId) => run(shares.ofWallet(walletId, shareId))))
      expect(left).toEqual([[], [existing], [], [staged]])
    })

    it('that are in transit are one for a wallet and session, until they are fetched or too old', async () => {
      const shares = await run(TemporaryShares)
      const { id: walletId } = await run(newWallet())
      const lookupId = randomUUID()
      const share: TemporaryShareRow = {
        sessionLookupId: lookupId,
        walletId,
        userId: 'user',
        openingId: 'opening',
        encryptedShare: 'aa',
        encryptedKey: null,
        expiresAt: 100,
      }
      await run(shares.put(share))
      const later = { ...share, encryptedShare: 'bb', encryptedKey: 'cc' }
      await run(shares.put(later))

      expect(await run(shares.ofLookupId(lookupId, 99))).toEqual([later])
      expect(await run(shares.ofLookupId(lookupId, 100))).toEqual([])
      await run(shares.sweep(99))
      expect(await run(shares.ofLookupId(lookupId, 1))).toHaveLength(1)
      await run(shares.remove(lookupId))
      expect(await run(shares.ofLookupId(lookupId, 1))).toEqual([])
    })

    it('have recovery keys that never change', async () => {
      const keys = await run(RecoveryPublicKeys)
      const userId = randomUUID()
      const key = { id: randomUUID(), userId, publicKey: hex(64), signature: null, createdAt: 1 }
      await run(keys.add(key))
      await run(keys.add({ ...key, id: randomUUID(), signature: hex(64) }))

      expect(await run(keys.ofUser(userId))).toEqual([key])
    })
  })
})
