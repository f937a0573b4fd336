/** Which capsules restore a provider's share, and which operations stay locked until the wallet is refreshed. */
import { randomUUID } from 'node:crypto'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { bytesToHex } from '@noble/hashes/utils.js'
import { PublicKey } from '@solana/web3.js'
import * as Effect from 'effect/Effect'
import * as Result from 'effect/Result'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Database } from '../../../adapters/service/database/Database.ts'
import { shareKeysIn } from '../../../adapters/service/vault/ShareKeys.ts'
import * as Frame from '../../../domain/mpc/Frame.ts'
import type { ShareRecord } from '../../../domain/mpc/ShareRecord.ts'
import type { SigningRequest } from '../../../domain/mpc/SigningRequest.ts'
import type { PartnerRecord } from '../../../domain/service/Partner.ts'
import { refreshLimits } from '../../../domain/service/Refresh.ts'
import { refreshKeys } from '../../../domain/service/refreshes.ts'
import { listWallets } from '../../../domain/service/wallets.ts'
import { makePartner, makeUser, signIn, startWorld, value, type SignedIn, type World } from '../../kit/cosignerWorld.ts'
import { keyOf, type Ended, type Meddle, type WalletKey } from '../../kit/device.ts'
import { forgetKey } from '../../kit/forgetKey.ts'
import { friend, messageOf, pay } from './policy/solanaPayloads.ts'

const hello: SigningRequest = { kind: 'eip191', message: Buffer.from('hello').toString('hex') }
const solanaHello: SigningRequest = { kind: 'solanaMessage', message: Buffer.from('hello').toString('hex') }

let world: World
let partner: PartnerRecord

beforeAll(async () => {
  world = await startWorld()
  partner = await makePartner(world)
})

afterAll(() => world.stop())

const capsuleOf = (ended: Ended): Uint8Array => {
  const confirmed = ended.kind === 'done' ? Frame.decodeConfirmed(ended.body) : undefined
  if (confirmed === undefined) throw new Error('not confirmed')
  return confirmed.capsule
}

const walletOf = async (type: 'EVM' | 'SOLANA', user?: Awaited<ReturnType<typeof makeUser>>) => {
  const owner = user ?? (await makeUser(world))
  const host = await signIn(world, owner, partner)
  const scheme = type === 'EVM' ? 'DKLS' : 'ED25519'
  const ended = await host.device.keygen({ ...value(await host.createWallet({ type })), scheme }, owner.rootPublicKey)
  return { user: owner, host, key: keyOf(ended), capsule: capsuleOf(ended) }
}

type Held = Awaited<ReturnType<typeof walletOf>>

const refreshed = async ({ user, host, key }: Held): Promise<Held> => {
  const { protocolId } = value(await host.as({}, refreshKeys(user.userId, key.walletId)))
  const ended = await host.device.refresh(key.share, protocolId)
  return { user, host, key: keyOf(ended), capsule: capsuleOf(ended) }
}

const stand = (
  { device, sessionId }: SignedIn,
  operation: 'ACK' | 'REATTACH' | 'RECONCILE',
  share: Pick<ShareRecord, 'scheme' | 'walletId' | 'epoch' | 'shareId'>,
  body: Uint8Array = new Uint8Array(0),
) => {
  const { scheme, walletId, epoch, shareId } = share
  const of = { protocolId: randomUUID(), sessionId, scheme, walletId, epoch, shareId }
  const rest = { step: 1, attempt: new Uint8Array(16), deviceKeyThumb: device.deviceKeyThumb, body }
  return device.send(device.signFrame({ operation, ...of, ...rest }))
}

const reattach = ({ host, key, capsule }: Held) => stand(host, 'REATTACH', key.share, capsule)

const shareKeysFolder = () => join(world.dataFolder, 'cosigner', 'share-keys')

const loseShareKeys = () => rmSync(shareKeysFolder(), { recursive: true, force: true })

/** The answer to RECONCILE, of which only the byte 1 asks whether the provider's share opens. */
const stateOf = async ({ host, key }: Held, body: Uint8Array) => {
  const answer = await stand(host, 'RECONCILE', key.share, body)
  return 'status' in answer ? Frame.decodeWalletStatus(answer.body)?.state : answer.tag
}

const rowsOf = async (table: string, walletId: string) =>
  ((await world.dump())[table] ?? []).filter((row) => (row['wallet_id'] ?? row['id']) === walletId)

const storedState = async (walletId: string) => ({
  wallet: (await rowsOf('wallets', walletId)).map(({ epoch, share_id, state }) => [epoch, share_id, state]),
  shares: await rowsOf('provider_shares', walletId),
  records: await rowsOf('ot_records', walletId),
})

/** An older database, judging by the wallet's row. */
const setBack = ({ walletId, share }: WalletKey) =>
  world.run(
    Effect.flatMap(Database, ({ query }) =>
      query((db) =>
        db
          .updateTable('wallets')
          .set({ epoch: share.epoch, share_id: bytesToHex(share.shareId) })
          .where('id', '=', walletId)
          .execute(),
      ),
    ),
  )

const forget = (walletId: string) => world.run(forgetKey(walletId))

const setRoot = ({ userId }: { readonly userId: string }, root?: string) =>
  world.run(
    Effect.flatMap(Database, ({ query }) =>
      query(async (db) => {
        await db.deleteFrom('pinned_roots').where('user_id', '=', userId).execute()
        if (root === undefined) return
        await db.insertInto('pinned_roots').values({ user_id: userId, root_public_key: root, pinned_at: 0 }).execute()
      }),
    ),
  )

const isDone = { kind: 'done' }
const lost = { tag: 'ProviderShareLost', message: 'the provider’s key share cannot be opened' }
const locked = { tag: 'KeyShareLocked' }
const outOfDate = { tag: 'KeyShareOutOfDate' }
const refused = { tag: 'CapsuleRefused', message: 'capsule refused' }

describe('a provider’s share whose key is lost', () => {
  it('is reported as lost, counts as no failed check, and blocks no other request', async () => {
    const { user, host, key } = await walletOf('EVM')
    loseShareKeys()

    expect(await host.device.sign(key, hello)).toMatchObject(lost)
    // Another process may have met a failed check: the transfers of that signature serve no other one.
    expect(await host.device.sign(key, hello)).toMatchObject({ tag: 'DeviceNotAttached' })
    for (let times = 0; times < 20; times++) expect(await host.device.attach(key.share)).toMatchObject(lost)
    const { protocolId } = value(await host.as({}, refreshKeys(user.userId, key.walletId)))
    expect(await host.device.refresh(key.share, protocolId)).toMatchObject(lost)
    const runs = await rowsOf('runs', key.walletId)
    expect(new Set(runs.map(({ state }) => state))).toEqual(new Set(['DONE', 'ABORTED']))
    expect(runs.filter(({ reason }) => String(reason).startsWith('failed check'))).toEqual([])
  })

  it.each(['EVM', 'SOLANA'] as const)(
    'comes back with the capsule; the wallet of %s signs after a refresh, and not before',
    async (type) => {
      const wallet = await walletOf(type)
      const request = type === 'EVM' ? hello : solanaHello
      loseShareKeys()

      expect(await reattach(wallet)).toMatchObject({ status: 'OK' })
      // A lost answer: the same again.
      expect(await reattach(wallet)).toMatchObject({ status: 'OK' })

      expect(await wallet.host.device.sign(wallet.key, request)).toMatchObject(locked)
      if (type === 'EVM') expect(await wallet.host.device.attach(wallet.key.share)).toMatchObject(locked)
      expect(await rowsOf('ot_records', wallet.key.walletId)).toEqual([])
      // No fresh login is needed, because no check has failed.
      world.advance(refreshLimits.freshLogin + 1)
      const next = await refreshed(wallet)
      expect(await next.host.device.sign(next.key, request)).toMatchObject(isDone)
      expect(await stand(next.host, 'ACK', next.key.share)).toMatchObject({ status: 'OK' })
      expect(next.key.share.publicKey).toEqual(wallet.key.share.publicKey)
      expect(await reattach(wallet)).toMatchObject(outOfDate)
    },
  )

  it('is told to a client that asks for it, about the active sharing, and asking makes no key', async () => {
    const wallet = await walletOf('SOLANA')
    const [asked, none] = [Uint8Array.of(1), new Uint8Array(0)]
    expect(await stateOf(wallet, asked)).toBe('ACTIVE')
    loseShareKeys()

    expect([await stateOf(wallet, asked), await stateOf(wallet, none)]).toEqual(['LOST', 'ACTIVE'])
    expect(existsSync(shareKeysFolder())).toBe(false)
    const elsewhere = { ...wallet.key, share: { ...wallet.key.share, shareId: new Uint8Array(32).fill(1) } }
    expect(await stateOf({ ...wallet, key: elsewhere }, asked)).toBe('ACTIVE')
    // A return of the share that did not reach the database has made another key.
    const { walletId, epoch, shareId } = wallet.key.share
    shareKeysIn(shareKeysFolder()).findOrCreate({ walletId, epoch, shareId: bytesToHex(shareId) })
    expect(await stateOf(wallet, asked)).toBe('LOST')

    expect(await reattach(wallet)).toMatchObject({ status: 'OK' })
    expect(await stateOf(wallet, asked)).toBe('LOCKED')
  })

  it('does not unlock a banned wallet: that takes a fresh login', async () => {
    const wallet = await walletOf('EVM')
    const cheating: Meddle = (request, frame) => {
      const body = frame.step === 1 ? Frame.decodeSign(frame.body) : undefined
      if (body === undefined || Result.isFailure(body.request)) return request
      const message = body.message.map((byte, index) => (index === 100 ? byte ^ 1 : byte))
      return wallet.host.device.signFrame({
        ...frame,
        body: Frame.encodeSign({ ...body, request: body.request.success, message }),
      })
    }
    expect(await wallet.host.device.sign(wallet.key, hello, { meddle: cheating })).toMatchObject({ status: 'BAN' })
    loseShareKeys()

    expect(await reattach(wallet)).toMatchObject({ status: 'OK' })

    const { userId } = wallet.user
    expect(await wallet.host.as({}, refreshKeys(userId, wallet.key.walletId))).toMatchObject(locked)
    const host = await signIn(world, wallet.user, partner)
    expect((await refreshed({ ...wallet, host })).key.share.epoch).toBe(2)
  })
})

describe('a capsule', () => {
  it('that was changed, or is for another wallet or sharing, is refused and changes nothing', async () => {
    const wallet = await walletOf('SOLANA')
    const other = await walletOf('SOLANA')
    const next = await refreshed(wallet)
    loseShareKeys()
    const before = await storedState(wallet.key.walletId)
    const flipped = next.capsule.map((byte, index) => (index === 80 ? byte ^ 1 : byte))

    for (const body of [flipped, next.capsule.slice(0, -1), new Uint8Array(0), other.capsule, wallet.capsule]) {
      expect(await stand(next.host, 'REATTACH', next.key.share, body)).toMatchObject(refused)
    }
    expect(await stand(wallet.host, 'REATTACH', wallet.key.share, wallet.capsule)).toMatchObject(outOfDate)
    const elsewhere = { ...next.key.share, shareId: wallet.key.share.shareId }
    expect(await stand(next.host, 'REATTACH', elsewhere, next.capsule)).toMatchObject(outOfDate)
    // A later epoch than any, with a capsule that is not of it.
    const later = { ...next.key.share, epoch: 3 }
    expect(await stand(next.host, 'REATTACH', later, next.capsule)).toMatchObject(refused)
    expect(await storedState(wallet.key.walletId)).toEqual(before)
    expect(await next.host.device.sign(next.key, solanaHello)).toMatchObject(lost)
  })

  it('is refused from another user’s device', async () => {
    const wallet = await walletOf('SOLANA')
    const { host } = await walletOf('SOLANA')

    expect(await stand(host, 'REATTACH', wallet.key.share, wallet.capsule)).toMatchObject({ tag: 'WalletDoesNotExist' })
    const uncertified = await signIn(world, wallet.user, partner, { certified: false })
    expect(await stand(uncertified, 'REATTACH', wallet.key.share, wallet.capsule)).toMatchObject({
      tag: 'DeviceNotCertified',
    })
  })

  it('of an epoch below the mark is refused, although the database is of that epoch', async () => {
    const wallet = await walletOf('SOLANA')
    const next = await refreshed(wallet)
    expect(await stand(next.host, 'ACK', next.key.share)).toMatchObject({ status: 'OK' })
    await setBack(wallet.key)

    expect(await reattach(wallet)).toMatchObject(outOfDate)
    expect(await reattach(next)).toMatchObject({ status: 'OK' })
    expect(await rowsOf('wallets', next.key.walletId)).toMatchObject([
      { epoch: 2, share_id: bytesToHex(next.key.share.shareId) },
    ])
    expect((await refreshed(next)).key.share.epoch).toBe(3)
  })
})

describe('a wallet whose key an older database has forgotten', () => {
  it.each(['EVM', 'SOLANA'] as const)(
    'of %s comes back with the capsule, under its key and root key, and signs after a refresh',
    async (type) => {
      const wallet = await walletOf(type)
      const { walletId } = wallet.key
      const [before] = await rowsOf('wallets', walletId)
      const request = type === 'EVM' ? hello : solanaHello
      await forget(walletId)
      await setRoot(wallet.user)

      const began = world.now()
      const listed = value(await wallet.host.as({ waitSeconds: 20 }, listWallets(wallet.user.userId)))
      expect(listed).toMatchObject([{ id: walletId, address: null, lacksBackup: true }])
      expect(world.now() - began).toBeLessThan(10_000)
      expect(await wallet.host.device.sign(wallet.key, request)).toMatchObject(outOfDate)
      if (type === 'SOLANA') {
        const own = new PublicKey(wallet.key.share.publicKey)
        const transfer = {
          kind: 'solanaTransaction',
          message: bytesToHex(messageOf([pay(friend, 1, own)], own)),
        } as const
        expect(await wallet.host.device.sign(wallet.key, transfer)).toMatchObject(outOfDate)
      }
      const status = await stand(wallet.host, 'RECONCILE', wallet.key.share)
      expect(Frame.decodeWalletStatus('body' in status ? status.body : new Uint8Array(0))).toMatchObject({ epoch: 0 })
      expect(await reattach(wallet)).toMatchObject({ status: 'OK' })
      // A lost answer: the same again.
      expect(await reattach(wallet)).toMatchObject({ status: 'OK' })

      const [after] = await rowsOf('wallets', walletId)
      expect(after).toEqual({ ...before, updated_at: after?.['updated_at'] })
      const { session } = await wallet.host.caller()
      expect(session?.currentWalletIds).toEqual({ [type]: [walletId] })
      expect(await wallet.host.device.sign(wallet.key, request)).toMatchObject(locked)
      const next = await refreshed(wallet)
      expect(await next.host.device.sign(next.key, request)).toMatchObject(isDone)
    },
  )

  it('is given to no device that its own root key has not certified, and not beside another root key', async () => {
    const wallet = await walletOf('SOLANA')
    const { user, key } = wallet
    await forget(key.walletId)
    const state = await storedState(key.walletId)
    const uncertified = await signIn(world, user, partner, { certified: false })
    const otherRoot = await makeUser(world)
    const elsewhere = await signIn(world, { ...otherRoot, userId: user.userId }, partner)

    for (const host of [uncertified, elsewhere]) {
      expect(await reattach({ ...wallet, host })).toMatchObject({ tag: 'DeviceNotCertified' })
    }
    await setRoot(user, bytesToHex(otherRoot.rootPublicKey))
    expect(await reattach(wallet)).toMatchObject({ tag: 'RootKeyDiffers' })
    expect(await storedState(key.walletId)).toEqual(state)
    await setRoot(user, bytesToHex(user.rootPublicKey))
    expect(await reattach(wallet)).toMatchObject({ status: 'OK' })
  })

  it('is given back in no epoch below the mark, and one that was never confirmed is not given back at all', async () => {
    const wallet = await walletOf('SOLANA')
    const next = await refreshed(wallet)
    expect(await stand(next.host, 'ACK', next.key.share)).toMatchObject({ status: 'OK' })
    await forget(wallet.key.walletId)
    const unmade = value(await wallet.host.createWallet({ type: 'EVM' }))
    const never = { ...wallet.key.share, scheme: 'DKLS', walletId: unmade.walletId } as const

    expect(await reattach(wallet)).toMatchObject(outOfDate)
    expect(await stand(wallet.host, 'REATTACH', never, wallet.capsule)).toMatchObject(outOfDate)
    expect(await reattach(next)).toMatchObject({ status: 'OK' })
    expect((await refreshed(next)).key.share.epoch).toBe(3)
  })

  it('is left beside another wallet of its type until it comes back', async () => {
    const wallet = await walletOf('SOLANA')
    const { host, user, key } = wallet
    await forget(key.walletId)

    const made = value(await host.createWallet({ type: 'SOLANA', known: 0 }))
    expect(made.walletId).not.toBe(key.walletId)
    expect(value(await host.createWallet({ type: 'SOLANA', known: 0 }))).toEqual(made)
    const other = keyOf(await host.device.keygen({ ...made, scheme: 'ED25519' }, user.rootPublicKey))
    expect(await reattach(wallet)).toMatchObject({ status: 'OK' })

    expect(await host.device.sign(other, solanaHello)).toMatchObject(isDone)
    const next = await refreshed(wallet)
    expect(await host.device.sign(next.key, solanaHello)).toMatchObject(isDone)
    expect(value(await host.createWallet({ type: 'SOLANA', known: 1 }))).toMatchObject({ walletId: other.walletId })
    await forget(other.walletId)
    expect(value(await host.createWallet({ type: 'SOLANA', known: 0 }))).toMatchObject({ walletId: key.walletId })
  })
})
