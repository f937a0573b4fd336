import { randomUUID } from 'node:crypto'
import { bytesToHex } from '@noble/hashes/utils.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as Opener from '../../../domain/crypto/Opener.ts'
import { redeemOpening } from '../../../domain/service/commits.ts'
import type { PartnerRecord } from '../../../domain/service/Partner.ts'
import {
  createTemporaryShares,
  deleteTemporaryShares,
  listTemporaryShares,
} from '../../../domain/service/temporaryShares.ts'
import { listPasskeys } from '../../../domain/service/passkeys.ts'
import { listPregenWallets } from '../../../domain/service/pregen.ts'
import {
  createWallet,
  distributeCapsuleShare,
  listAllWallets,
  listWallets,
  setWallets,
  type Selection,
} from '../../../domain/service/wallets.ts'
import { endWork } from '../../../domain/service/sessions.ts'
import { getUser } from '../../../domain/service/users.ts'
import {
  beginSession,
  makePartner,
  makeUser,
  openLogin,
  putWallet,
  signIn,
  startWorld,
  value,
  type World,
} from '../../kit/cosignerWorld.ts'

let world: World
let partner: PartnerRecord

beforeAll(async () => {
  world = await startWorld()
  partner = await makePartner(world)
})

afterAll(() => world.stop())

describe('a wallet', () => {
  it('is made once for each type, also for simultaneous requests', async () => {
    const user = await makeUser(world)
    const tabs = await Promise.all([1, 2, 3].map(() => signIn(world, user, partner)))
    const asked = tabs.flatMap((tab) =>
      ['EVM', 'SOLANA', 'COSMOS'].map(async (type) => ({ type, made: value(await tab.createWallet({ type })) })),
    )
    const made = await Promise.all(asked)
    const [tab] = tabs
    const listed = tab && value(await tab.as({}, listWallets(user.userId)))

    expect(listed?.map(({ type }) => type).sort()).toEqual(['COSMOS', 'EVM', 'SOLANA'])
    for (const type of ['EVM', 'SOLANA', 'COSMOS']) {
      const ofType = made.filter((one) => one.type === type).map((one) => one.made)
      expect(new Set(ofType.map(({ walletId }) => walletId)).size).toBe(1)
      expect(ofType.filter(({ lead }) => lead)).toHaveLength(1)
      expect(new Set(ofType.map(({ protocolId }) => protocolId)).size).toBe(3)
    }
  })

  it('is another one where those of its type are finished, unless there are more than the caller knows of', async () => {
    const user = await makeUser(world)
    const [one, two] = [await signIn(world, user, partner), await signIn(world, user, partner)]
    const first = await putWallet(world, user, partner, 'EVM')
    const ask = async (known?: number) => value(await one.createWallet({ type: 'EVM', known }))

    expect(await ask(0)).toMatchObject({ walletId: first.walletId, lead: false })
    const made = await Promise.all([ask(1), ask(), two.createWallet({ type: 'EVM' }).then(value)])
    expect(new Set(made.map(({ walletId }) => walletId)).size).toBe(1)
    expect(made[0].walletId).not.toBe(first.walletId)
    expect(value(await one.as({}, listWallets(user.userId))).map(({ slot }) => slot)).toEqual([0, 1])
  })

  it('is refused beyond 16 of its type', async () => {
    const user = await makeUser(world)
    const host = await signIn(world, user, partner)
    for (let slot = 0; slot < 16; slot++) await putWallet(world, user, partner, 'EVM', slot)

    expect(await host.createWallet({ type: 'EVM' })).toMatchObject({
      tag: 'TooManyWallets',
      message: 'too many wallets of type EVM',
    })
    expect((await host.createWallet({ type: 'SOLANA' })).kind).toBe('success')
  })

  it('is listed at once, without an address', async () => {
    const user = await makeUser(world)
    const host = await signIn(world, user, partner)
    const made = value(await host.createWallet({ scheme: 'ED25519' }))

    const [wallet, ...others] = value(await host.as({}, listWallets(user.userId)))

    expect(others).toEqual([])
    expect(wallet).toMatchObject({ id: made.walletId, type: 'SOLANA', scheme: 'ED25519', address: null })
    expect(made.cosigner.name).toBe('localhost')
    expect(made.cosigner.publicKey).toHaveLength(65)
  })

  it("is refused in the catalogue's words, and nothing is made", async () => {
    const user = await makeUser(world)
    const few = await makePartner(world, { supportedWalletTypes: [{ type: 'EVM' }] })
    const host = await signIn(world, user, few)
    const retired = { session: undefined }

    expect([
      await host.createWallet({ type: 'BITCOIN' }),
      await host.createWallet({ scheme: 'SCHNORR' }),
      await host.createWallet({ type: 'SOLANA', scheme: 'DKLS' }),
      await host.createWallet({ type: 'EVM', scheme: 'CGGMP' }),
      await host.createWallet({ type: 'SOLANA' }),
      await host.as({}, createWallet(randomUUID(), { type: 'EVM' })),
      await host.as(retired, createWallet(user.userId, { type: 'EVM' })),
    ]).toMatchObject([
      { tag: 'UnsupportedWalletType', message: 'unsupported wallet type' },
      { tag: 'UnsupportedWalletType' },
      { tag: 'UnsupportedWalletType' },
      { tag: 'SchemeNotOffered', message: 'wallet scheme CGGMP is not offered by this service' },
      { tag: 'WalletTypeNotSupported', message: 'wallet type SOLANA is not supported' },
      { tag: 'NotFound', message: 'not found' },
      { tag: 'NoSignedInUser', message: 'no signed-in user' },
    ])
    expect((await world.dump())['wallets']?.filter(({ user_id }) => user_id === user.userId)).toEqual([])
  })

  it("has the requested Cosmos prefix, or the partner's", async () => {
    const [one, two] = [await makeUser(world), await makeUser(world)]
    const osmosis = await makePartner(world, { cosmosPrefix: 'osmo' })
    const first = await signIn(world, one, osmosis)
    const second = await signIn(world, two, osmosis)
    await first.createWallet({ type: 'COSMOS' })
    await second.createWallet({ type: 'COSMOS', cosmosPrefix: 'juno' })

    const prefixes = [
      ...value(await first.as({}, listWallets(one.userId))),
      ...value(await second.as({}, listWallets(two.userId))),
    ].map(({ cosmosPrefix }) => cosmosPrefix)

    expect(prefixes).toEqual(['osmo', 'juno'])
    expect(await second.createWallet({ type: 'COSMOS', cosmosPrefix: 'No!' })).toMatchObject({ kind: 'refused' })
  })

  it("is visible to its partner's sessions, and to the portal for all partners", async () => {
    const user = await makeUser(world)
    const other = await makePartner(world)
    const own = await putWallet(world, user, partner, 'EVM')
    const foreign = await putWallet(world, user, other, 'EVM')
    const host = await signIn(world, user, partner)
    const stranger = await signIn(world, await makeUser(world), partner)
    const page = await openLogin(world, host, partner, user.userId)
    const ids = (wallets: readonly { id: string }[]) => wallets.map(({ id }) => id).sort()

    expect(ids(value(await host.as({}, listWallets(user.userId))))).toEqual([own.walletId])
    expect(ids(value(await page.as(listWallets(user.userId))))).toEqual([own.walletId])
    expect(ids(value(await page.as(listAllWallets(user.userId))))).toEqual([own.walletId, foreign.walletId].sort())
    expect(await host.as({}, listAllWallets(user.userId))).toMatchObject({ tag: 'OriginNotAllowed' })
    expect(await stranger.as({}, listWallets(user.userId))).toMatchObject({ tag: 'NotFound' })
  })

  it("is not visible to a review's page before its user has shown a credential, and never for all partners", async () => {
    const user = await makeUser(world)
    const { walletId } = await putWallet(world, user, partner, 'EVM')
    const host = await signIn(world, user, partner)
    const refused = { tag: 'NoSignedInUser' }
    for (const entrance of [{ variant: 'opener' }, { variant: 'redirect', redeemHash: '00'.repeat(32) }] as const) {
      const of = { page: 'review', forUser: user.userId, entrance } as const
      const page = await openLogin(world, host, partner, undefined, of)
      expect(await page.as(listWallets(user.userId))).toMatchObject(refused)
      expect(await page.as(listAllWallets(user.userId))).toMatchObject({ tag: 'NotFound' })
      expect(await page.as(getUser(user.userId))).toMatchObject(refused)
      expect(await page.as(listPasskeys(user.userId))).toMatchObject(refused)
      await page.verify(user.userId)
      expect(value(await page.as(listWallets(user.userId))).map(({ id }) => id)).toEqual([walletId])
      expect(await page.as(getUser(user.userId))).toMatchObject({ value: { userId: user.userId } })
      expect(await page.as(listAllWallets(user.userId))).toMatchObject({ tag: 'NotFound' })
    }
  })

  it('is distributed when its backups are stored, as often as asked', async () => {
    const user = await makeUser(world)
    const host = await signIn(world, user, partner)
    const { walletId } = await putWallet(world, user, partner, 'EVM')
    const empty = value(await host.createWallet({ type: 'SOLANA' }))

    const unknown = randomUUID()
    const distribute = (id: string) => host.as({}, distributeCapsuleShare(user.userId, id))

    expect((await distribute(walletId)).kind).toBe('success')
    expect((await distribute(walletId)).kind).toBe('success')
    expect(await distribute(empty.walletId)).toMatchObject({ tag: 'NoValidWallet' })
    expect(await distribute(unknown)).toMatchObject({
      tag: 'WalletDoesNotExist',
      message: `wallet with id ${unknown} does not exist`,
    })
  })
})

describe('pregenerated wallets', () => {
  it('are an empty list, and their identifiers are checked', async () => {
    expect(await world.as({ partner }, listPregenWallets({}))).toEqual({ kind: 'success', value: [] })
    expect(await world.as({ partner }, listPregenWallets({ EMAIL: ['ada@example.com'] }))).toEqual({
      kind: 'success',
      value: [],
    })
    expect(await world.as({ partner }, listPregenWallets({ DISCORD: ['ada'] }))).toMatchObject({
      tag: 'InvalidAuthObject',
      message: 'invalid auth object',
    })
  })
})

describe('the end of a login', () => {
  const login = async () => {
    const user = await makeUser(world)
    const evm = await putWallet(world, user, partner, 'EVM')
    const wallets = [evm, await putWallet(world, user, partner, 'SOLANA')] as const
    const session = await beginSession(world, user, partner)
    const page = await openLogin(world, session, partner, user.userId)
    const share = (walletId: string, sessionLookupId = session.lookupId) => ({
      walletId,
      encryptedShare: `c0ffee${walletId}`,
      encryptedKey: 'c3bf00',
      sessionLookupId,
    })
    const leave = (...walletIds: string[]) =>
      page.as(
        createTemporaryShares(
          user.userId,
          walletIds.map((id) => share(id)),
        ),
      )
    const selection: Selection = {
      walletIds: { EVM: [wallets[0].walletId], SOLANA: [wallets[1].walletId] },
      needsWallet: false,
      sessionLookupId: session.lookupId,
      deviceCertificate: session.certificate,
      sealedResult: 'v2.c2VhbGVk',
      missing: [],
    }
    return { user, wallets, session, page, share, leave, selection }
  }

  it('authenticates the session with its wallets, and only then gives it the shares', async () => {
    const { user, wallets, session, page, leave, selection } = await login()
    await leave(wallets[0].walletId, wallets[1].walletId)
    const early = await session.as({}, listTemporaryShares(user.userId, session.lookupId))

    const committed = await page.as(setWallets(user.userId, selection))
    const repeated = await page.as(setWallets(user.userId, selection))
    const { session: after } = await session.caller()
    const shares = value(await session.as({}, listTemporaryShares(user.userId, session.lookupId)))

    expect(early).toMatchObject({ tag: 'NoSignedInUser' })
    expect([committed.kind, repeated.kind]).toEqual(['success', 'success'])
    expect(after).toMatchObject({ state: 'AUTHENTICATED', userId: user.userId, currentWalletIds: selection.walletIds })
    expect(shares.map(({ walletId }) => walletId).sort()).toEqual(wallets.map(({ walletId }) => walletId).sort())
  })

  it('is deferred until the registered page redeems it in the redirect variant', async () => {
    const user = await makeUser(world)
    const { walletId } = await putWallet(world, user, partner, 'EVM')
    const session = await beginSession(world, user, partner)
    const proof = Opener.redeemProof(new Uint8Array(32).fill(5))
    const entrance = { variant: 'redirect', redeemHash: bytesToHex(Opener.redeemHash(proof)) } as const
    const page = await openLogin(world, session, partner, user.userId, { entrance })
    const share = { walletId, encryptedShare: 'c0ffee', encryptedKey: 'c3', sessionLookupId: session.lookupId }
    await page.as(createTemporaryShares(user.userId, [share]))

    const set = await page.as(
      setWallets(user.userId, {
        walletIds: { EVM: [walletId] },
        sealedResult: 'v2.c2VhbGVk',
      }),
    )
    const before = await session.caller()
    const redeemed = await session.as({}, redeemOpening(page.id, { proof: bytesToHex(proof) }))
    const after = await session.caller()

    expect(set.kind).toBe('success')
    expect(before.session).toMatchObject({ state: 'NEW', userId: null })
    expect(redeemed.kind).toBe('success')
    expect(after.session).toMatchObject({ state: 'AUTHENTICATED', currentWalletIds: { EVM: [walletId] } })
    expect(value(await session.as({}, listTemporaryShares(user.userId, session.lookupId)))).toHaveLength(1)
  })

  it('is refused, and changes nothing, unless every id is owned, of its type and has its share', async () => {
    const { user, wallets, session, page, leave, selection } = await login()
    const [evm, solana] = wallets
    const foreign = await putWallet(world, await makeUser(world), partner, 'EVM')
    await leave(evm.walletId)
    const set = (changes: Partial<Selection>) => page.as(setWallets(user.userId, { ...selection, ...changes }))
    const before = await session.caller()

    expect([
      await set({}),
      await set({ walletIds: {} }),
      await set({ walletIds: { EVM: [solana.walletId] } }),
      await set({ walletIds: { EVM: [foreign.walletId] } }),
      await set({ walletIds: { DOGE: [evm.walletId] } }),
      await set({ walletIds: { EVM: [evm.walletId] }, missing: [foreign.walletId] }),
      await set({ walletIds: { EVM: [evm.walletId] }, sessionLookupId: randomUUID() }),
      await set({ walletIds: { EVM: [evm.walletId] }, deviceCertificate: otherwise(session.certificate) }),
      await page.as(setWallets((await makeUser(world)).userId, selection)),
    ]).toMatchObject([
      { tag: 'SharesIncomplete', message: 'share count differs from wallet count' },
      { tag: 'SharesIncomplete' },
      {
        tag: 'WalletTypeNotSelectable',
        message: `wallet with id ${solana.walletId} and type SOLANA cannot be selected`,
      },
      { tag: 'WalletDoesNotExist', message: `wallet with id ${foreign.walletId} does not exist` },
      { tag: 'UnsupportedWalletType' },
      { tag: 'WalletDoesNotExist' },
      { tag: 'NotFound' },
      { tag: 'InvalidCredential' },
      { tag: 'NotFound' },
    ])
    expect(await session.caller()).toEqual(before)
    const withoutSolana = await set({ walletIds: { EVM: [evm.walletId] }, missing: [solana.walletId] })
    expect(withoutSolana.kind).toBe('success')
  })

  it('counts the shares that its own page stored, and none of an earlier page', async () => {
    const { user, wallets, session, share, leave, selection } = await login()
    value(await leave(...wallets.map(({ walletId }) => walletId)))
    const page = await openLogin(world, session, partner, user.userId)

    expect(await page.as(setWallets(user.userId, selection))).toMatchObject({ tag: 'SharesIncomplete' })
    value(
      await page.as(
        createTemporaryShares(
          user.userId,
          wallets.map(({ walletId }) => share(walletId)),
        ),
      ),
    )
    expect((await page.as(setWallets(user.userId, selection))).kind).toBe('success')
  })

  it('accepts shares from a verified page only, for its own session and user', async () => {
    const { user, wallets, session, page, share } = await login()
    const [evm] = wallets
    const unverified = await openLogin(world, await beginSession(world, user, partner), partner)
    const foreign = await putWallet(world, await makeUser(world), partner, 'EVM')
    const empty = value(await (await signIn(world, user, partner)).createWallet({ type: 'COSMOS' }))

    expect([
      await unverified.as(createTemporaryShares(user.userId, [share(evm.walletId)])),
      await session.as({}, createTemporaryShares(user.userId, [share(evm.walletId)])),
      await page.as(createTemporaryShares(user.userId, [share(evm.walletId, randomUUID())])),
      await page.as(createTemporaryShares(user.userId, [share(foreign.walletId)])),
      await page.as(createTemporaryShares(user.userId, [share(empty.walletId)])),
      await page.as(createTemporaryShares(randomUUID(), [share(evm.walletId)])),
      await page.as(
        createTemporaryShares(user.userId, [{ ...share(evm.walletId), encryptedShare: 'ff'.repeat(33_000) }]),
      ),
    ]).toMatchObject([
      { tag: 'NoSignedInUser' },
      { tag: 'NoSignedInUser' },
      { tag: 'NotFound' },
      { tag: 'WalletDoesNotExist' },
      { tag: 'NoValidWallet', message: 'no valid Para wallet found' },
      { tag: 'NotFound' },
      { tag: 'InvalidKeyShare', message: 'invalid key share' },
    ])
    expect((await world.dump())['temporary_shares']?.filter(({ user_id }) => user_id === user.userId)).toEqual([])
  })

  it('deletes the shares when the host has them, after five minutes, and with the session', async () => {
    const left = async () => {
      const one = await login()
      await one.leave(one.wallets[0].walletId, one.wallets[1].walletId)
      await one.page.as(setWallets(one.user.userId, one.selection))
      const count = async () => {
        const { temporary_shares = [] } = await world.dump()
        return temporary_shares.filter(({ user_id }) => user_id === one.user.userId).length
      }
      const list = () => one.session.as({}, listTemporaryShares(one.user.userId, one.session.lookupId))
      return { ...one, count, list }
    }
    const [acknowledged, late, over] = [await left(), await left(), await left()]
    const other = await signIn(world, acknowledged.user, partner)

    const { userId } = acknowledged.user
    const { lookupId } = acknowledged.session
    expect(await other.as({}, listTemporaryShares(userId, lookupId))).toMatchObject({ tag: 'NotFound' })
    expect(await other.as({}, deleteTemporaryShares(userId, lookupId))).toMatchObject({ tag: 'NotFound' })
    expect(await acknowledged.count()).toBe(2)
    await acknowledged.session.as({}, deleteTemporaryShares(userId, lookupId))
    expect(await acknowledged.count()).toBe(0)

    await world.run(endWork(over.session.sessionId))
    expect(await over.count()).toBe(0)

    expect(value(await late.list())).toHaveLength(2)
    world.advance(5 * 60_000)
    expect(value(await late.list())).toEqual([])
  })
})

/** The same hexadecimal digits but for the last one. */
const otherwise = (hex: string): string => hex.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'))
