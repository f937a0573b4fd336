/** Policies, what signatures spent and pending transactions: the same suite on each database. */
import { randomBytes, randomUUID } from 'node:crypto'
import { bytesToHex } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as ManagedRuntime from 'effect/ManagedRuntime'
import * as Option from 'effect/Option'
import { afterAll, describe, expect, it } from 'vitest'
import { PartnersDatabase } from '../../adapters/service/database/Partners.ts'
import { PendingTransactionsDatabase } from '../../adapters/service/database/PendingTransactions.ts'
import { PoliciesDatabase } from '../../adapters/service/database/Policies.ts'
import { SpendsDatabase } from '../../adapters/service/database/Spends.ts'
import type { PendingTransaction } from '../../domain/service/PendingTransaction.ts'
import { Partners } from '../../domain/service/ports/Partners.ts'
import { PendingTransactions } from '../../domain/service/ports/PendingTransactions.ts'
import { Policies } from '../../domain/service/ports/Policies.ts'
import { Spends, type Spend, type SpentQuery } from '../../domain/service/ports/Spends.ts'
import { onEachDatabase } from '../kit/database.ts'
import { shopSettings } from '../kit/shop.ts'

const repositories = Layer.mergeAll(PartnersDatabase, PendingTransactionsDatabase, PoliciesDatabase, SpendsDatabase)

const hex = (length = 32) => bytesToHex(randomBytes(length))

const ether = 'eip155:1/slip44:60'
const token = 'eip155:1/erc20:0x00000000000000000000000000000000000000aa'

onEachDatabase((makeDatabase) => {
  const runtime = ManagedRuntime.make(repositories.pipe(Layer.provideMerge(makeDatabase())))
  afterAll(() => runtime.dispose())
  type Services = ManagedRuntime.ManagedRuntime.Services<typeof runtime>
  const run = <A, E>(flow: Effect.Effect<A, E, Services>): Promise<A> => runtime.runPromise(flow)

  describe('policies', () => {
    it('are one of each partner, who is found with it', async () => {
      const [policies, partners] = [await run(Policies), await run(Partners)]
      const partner = { id: randomUUID(), ...shopSettings }
      await run(partners.create(partner, 1))
      const first = {
        partnerId: partner.id,
        version: 1,
        sealed: Uint8Array.from(randomBytes(40)),
        copy: null,
        appliedAt: 1,
        before: null,
      }
      const [sealed, copy] = [Uint8Array.from(randomBytes(40)), Uint8Array.from(randomBytes(40))]
      const before = { version: 1, sealed: first.sealed }
      const second = { ...first, version: 2, sealed, copy, appliedAt: 2, before }

      expect(await run(policies.find(partner.id))).toEqual(Option.none())
      expect(Option.getOrThrow(await run(partners.find(partner.id))).hasPolicy).toBeUndefined()
      await run(policies.put(first))
      expect(await run(policies.lock(partner.id))).toEqual(Option.some(first))
      await run(policies.put(second))
      const { before: _, ...current } = second
      expect(await run(policies.find(partner.id))).toEqual(Option.some(current))
      expect(await run(policies.lock(partner.id))).toEqual(Option.some(second))
      expect(await run(policies.find(randomUUID()))).toEqual(Option.none())
      // Well before what was remembered of the partner ends by itself.
      await expect
        .poll(async () => Option.getOrThrow(await run(partners.find(partner.id))).hasPolicy, { timeout: 4_000 })
        .toBe(true)
    })
  })

  describe('what signatures spent', () => {
    const spendOf = (changes: Partial<Spend> = {}): Spend => ({
      walletId: randomUUID(),
      digest: hex(),
      userId: randomUUID(),
      partnerId: randomUUID(),
      protocolId: randomUUID(),
      amounts: [
        { asset: 'count', amount: 1n },
        { asset: ether, amount: 5n },
      ],
      recipients: [],
      at: 100,
      ...changes,
    })

    it('is counted once for each wallet and digest, and summed over a window for wallet, user and partner', async () => {
      const spends = await run(Spends)
      const huge = 2n ** 256n - 1n
      const one = spendOf()
      const { userId, partnerId, walletId } = one
      const again = { ...one, protocolId: randomUUID(), at: 900 }
      const later = spendOf({ userId, partnerId, walletId, at: 200, amounts: [{ asset: ether, amount: huge }] })
      const otherWallet = spendOf({ userId, partnerId, at: 300 })
      const otherUser = spendOf({ partnerId, at: 300, amounts: [{ asset: token, amount: 7n }] })
      const elsewhere = spendOf({ userId, at: 300 })
      for (const spend of [one, again, later, otherWallet, otherUser, elsewhere]) await run(spends.add(spend))
      const sum = (of: SpentQuery['holder']['of'], asset = ether, since = 0, without: Spend = spendOf()) => {
        const id = { wallet: walletId, user: userId, partner: partnerId }[of]
        return run(spends.sum({ holder: { of, id, partnerId }, asset, since, without }))
      }

      expect([await sum('wallet'), await sum('user'), await sum('partner')]).toEqual([
        huge + 5n,
        huge + 10n,
        huge + 10n,
      ])
      expect([await sum('wallet', ether, 100), await sum('wallet', ether, 200)]).toEqual([huge, 0n])
      expect([await sum('partner', token), await sum('user', token), await sum('wallet', 'count')]).toEqual([
        7n,
        0n,
        1n,
      ])
      expect(await sum('wallet', ether, 0, later)).toBe(5n)
      // The same digest in another wallet is another payload.
      expect(await sum('wallet', ether, 0, { ...otherWallet, digest: one.digest })).toBe(huge + 5n)
    })

    it('is taken back from the run that counted it, and from no other', async () => {
      const spends = await run(Spends)
      const [one, two] = [spendOf({ recipients: ['0xaa', '0xbb'] }), spendOf()]
      const again = { ...one, protocolId: randomUUID() }
      const sum = ({ walletId, partnerId }: Spend) =>
        run(
          spends.sum({ holder: { of: 'wallet', id: walletId, partnerId }, asset: ether, since: 0, without: spendOf() }),
        )
      for (const spend of [one, again, two]) await run(spends.add(spend))
      const runOf = ({ walletId, protocolId, at }: Spend, createdAt = at) => ({ walletId, protocolId, createdAt })

      await run(spends.takeBack(runOf(again)))
      await run(spends.takeBack(runOf(one, one.at + 1)))
      expect([await sum(one), await sum(two)]).toEqual([5n, 5n])
      expect(await run(spends.paid(one.walletId, ['0xaa', '0xcc']))).toEqual(new Set(['0xaa']))
      await run(spends.takeBack(runOf(one)))
      expect([await sum(one), await sum(two)]).toEqual([0n, 5n])
      expect(await run(spends.paid(one.walletId, ['0xaa']))).toEqual(new Set())
      expect(await run(spends.paid(one.walletId, []))).toEqual(new Set())
    })
  })

  describe('pending transactions', () => {
    const pendingOf = (changes: Partial<PendingTransaction> = {}): PendingTransaction => ({
      id: randomUUID(),
      walletId: randomUUID(),
      userId: randomUUID(),
      partnerId: randomUUID(),
      sessionId: randomUUID(),
      origin: 'https://shop.example',
      contentHash: hex(),
      content: '{"kind":"evm.transaction","b":1,"a":2}',
      state: 'PENDING',
      by: 'both',
      stepUp: true,
      userAccepted: false,
      partnerAccepted: false,
      approver: null,
      createdAt: 100,
      expiresAt: 200,
      protocolId: null,
      doneAt: null,
      proof: hex(),
      ...changes,
    })

    it('are found as they were made, and the live ones of a wallet with the newest first', async () => {
      const pendings = await run(PendingTransactions)
      const first = pendingOf()
      const { walletId } = first
      const accepted = { state: 'ACCEPTED', partnerAccepted: true, approver: hex() } as const
      const second = pendingOf({ walletId, origin: null, createdAt: 150, ...accepted, protocolId: randomUUID() })
      const others = [
        pendingOf(),
        pendingOf({ walletId, state: 'DENIED' }),
        pendingOf({ walletId, state: 'DONE', doneAt: 160 }),
      ]
      for (const pending of [first, second, ...others]) await run(pendings.create(pending))

      expect(await run(pendings.find(first.id))).toEqual(Option.some(first))
      expect(await run(pendings.find(randomUUID()))).toEqual(Option.none())
      expect(await run(pendings.live(walletId, 199))).toEqual([second, first])
      expect(await run(pendings.live(walletId, 200))).toEqual([])
    })

    it('change for one of two that have seen the same', async () => {
      const pendings = await run(PendingTransactions)
      const known = pendingOf()
      await run(pendings.create(known))
      const byOf = (state: 'ACCEPTED' | 'DENIED') => ({ ...known, state, proof: hex() })
      const all = [byOf('ACCEPTED'), byOf('DENIED'), byOf('ACCEPTED'), byOf('DENIED')]

      const happened = await Promise.all(all.map((by) => run(pendings.replace(known, by))))

      expect(happened.filter(Boolean)).toHaveLength(1)
      expect(await run(pendings.find(known.id))).toEqual(Option.some(all[happened.indexOf(true)]))
    })

    it('are answered once where they ended without a decision or a signature', async () => {
      const pendings = await run(PendingTransactions)
      const ended = { expiresAt: 10 }
      const undecided = pendingOf(ended)
      const unused = pendingOf({ ...ended, state: 'ACCEPTED' })
      const others = [
        pendingOf({ expiresAt: 20 }),
        pendingOf({ ...ended, state: 'DENIED' }),
        pendingOf({ ...ended, state: 'DONE', doneAt: 9, protocolId: randomUUID() }),
        pendingOf({ ...ended, state: 'ACCEPTED', protocolId: randomUUID() }),
      ]
      for (const pending of [undecided, unused, ...others]) await run(pendings.create(pending))

      const taken = (await Promise.all([1, 2].map(() => run(pendings.takeExpired(20))))).flat()

      expect(taken).toHaveLength(2)
      expect(taken).toEqual(expect.arrayContaining([undecided, unused]))
      expect(await run(pendings.takeExpired(20))).toEqual([])
    })

    it('are deleted when they were over for long', async () => {
      const pendings = await run(PendingTransactions)
      const [old, young] = [pendingOf({ expiresAt: 10 }), pendingOf({ expiresAt: 20 })]
      for (const pending of [old, young]) await run(pendings.create(pending))

      await run(pendings.sweep(20))

      expect(await run(pendings.find(old.id))).toEqual(Option.none())
      expect(await run(pendings.find(young.id))).toEqual(Option.some(young))
    })
  })
})
