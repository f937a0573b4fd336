import { randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { Database } from '../../../adapters/service/database/Database.ts'
import type { Rings } from '../../../adapters/service/vault/KeyRing.ts'
import { ringAt } from '../../../adapters/service/vault/ringFile.ts'
import { openRecord } from '../../../adapters/service/vault/sealing.ts'
import { shareKeysIn } from '../../../adapters/service/vault/ShareKeys.ts'
import type { PartnerRecord } from '../../../domain/service/Partner.ts'
import {
  answerAssociatedData,
  capsuleAssociatedData,
  otAssociatedData,
  shareAssociatedData,
} from '../../../domain/service/protocol/associatedData.ts'
import type { Request } from '../../../domain/service/protocol/Plan.ts'
import { refresh } from '../../../domain/service/protocol/refresh.ts'
import { refreshKeys } from '../../../domain/service/refreshes.ts'
import type { RunRecord } from '../../../domain/service/Run.ts'
import type { WalletRecord } from '../../../domain/service/Wallet.ts'
import {
  makePartner,
  makeUser,
  putWallet,
  signIn,
  startWorld,
  value,
  type Dump,
  type SignedIn,
  type World,
} from '../../kit/cosignerWorld.ts'
import { makeDatabaseUrl } from '../../kit/database.ts'
import { keyOf, type WalletKey } from '../../kit/device.ts'
import { times } from '../../kit/long.ts'
import { databaseIn } from '../../kit/databasePlace.ts'

let world: World
let partner: PartnerRecord

beforeAll(async () => {
  world = await startWorld()
  partner = await makePartner(world)
})

afterAll(() => world.stop())

describe('attempts at new shares', () => {
  it('that made a share of another key are not committed', async () => {
    const wallet = { address: '0x1', publicKey: '02'.repeat(33), shareId: '03'.repeat(32) } as WalletRecord
    const request = { frame: { step: 4, body: new Uint8Array(0) }, wallet } as unknown as Request
    const run = { walletId: randomUUID(), epoch: 1, shareId: wallet.shareId } as RunRecord
    const none = new Uint8Array(0)
    const share = { shareId: new Uint8Array(32), publicKey: new Uint8Array(33).fill(4), sealed: none, capsule: none }
    const finished = refresh(request, 'confirm').finish(
      wallet,
      run,
      { kind: 'done', response: none, made: { share } },
      1,
    )

    // It needs no service, because nothing is stored.
    expect(await Effect.runPromise(finished as Effect.Effect<Uint8Array | undefined>)).toBeUndefined()
  })

  const beginsWithWallets = async () => {
    const user = await makeUser(world)
    const host = await signIn(world, user, partner)
    const [evm, solana] = [
      await putWallet(world, user, partner, 'EVM'),
      await putWallet(world, user, partner, 'SOLANA'),
    ]
    const begin = ({ walletId }: { readonly walletId: string }) => host.as({}, refreshKeys(user.userId, walletId))
    return { evm, solana, begin }
  }

  it('are limited by user and minute, over all wallets', async () => {
    const { evm, solana, begin } = await beginsWithWallets()
    value(await begin(evm))
    const drained = { tokens: 1, updated_at: world.now() + 60_000 }
    await world.run(
      Effect.flatMap(Database, ({ query }) =>
        query((db) => db.updateTable('rate_limits').set(drained).where('bucket', '=', 'refreshes').execute()),
      ),
    )
    value(await begin(solana))

    const refused = { tag: 'TooManyAttempts', message: 'too many attempts' }
    expect([await begin(evm), await begin(solana)]).toMatchObject([refused, refused])
    const other = await beginsWithWallets()
    expect(value(await other.begin(other.evm)).protocolId).toHaveLength(36)
    world.advance(62_000)
    expect(value(await begin(evm)).protocolId).toHaveLength(36)
  })

  it('of another device wait for a pending one, for as long as its lease', async () => {
    const user = await makeUser(world)
    const { walletId } = await putWallet(world, user, partner, 'EVM')
    const [first, second] = [await signIn(world, user, partner), await signIn(world, user, partner)]
    const begin = (by: SignedIn) => by.as({}, refreshKeys(user.userId, walletId))

    value(await begin(first))
    world.advance(60_000)
    expect(await begin(second)).toMatchObject({ tag: 'AnotherRunInProgress' })
    world.advance(30_000)
    value(await begin(second))
    expect(await begin(first)).toMatchObject({ tag: 'AnotherRunInProgress' })
  })

  it('are neither continued nor ended by another session of the user', async () => {
    const user = await makeUser(world)
    const [first, second] = [await signIn(world, user, partner), await signIn(world, user, partner)]
    const created = value(await first.createWallet({ type: 'SOLANA' }))
    const { share } = keyOf(await first.device.keygen({ ...created, scheme: 'ED25519' }, user.rootPublicKey))
    const { protocolId } = value(await first.as({}, refreshKeys(user.userId, share.walletId)))

    expect(await second.device.refresh(share, protocolId)).toMatchObject({ kind: 'refused', tag: 'NotFound' })
    expect(await first.device.refresh(share, protocolId)).toMatchObject({ kind: 'done' })
  })

  it('make OT state for the device that refreshes, and for no other one of the user', async () => {
    const user = await makeUser(world)
    const [first, second] = [await signIn(world, user, partner), await signIn(world, user, partner)]
    const created = value(await first.createWallet({ type: 'EVM' }))
    const made = keyOf(await first.device.keygen({ ...created, scheme: 'DKLS' }, user.rootPublicKey))
    const { protocolId } = value(await first.as({}, refreshKeys(user.userId, made.walletId)))
    const key = keyOf(await first.device.refresh(made.share, protocolId))
    const hello = { kind: 'eip191', message: '00' } as const

    expect(await second.device.sign(key, hello)).toMatchObject({ kind: 'refused', tag: 'DeviceNotAttached' })
    expect(await first.device.sign(key, hello)).toMatchObject({ kind: 'done' })
  })

  it('delete the tombstones of the previous epoch, two days after its runs and with the next acknowledgement', async () => {
    const user = await makeUser(world)
    const first = await signIn(world, user, partner)
    const created = value(await first.createWallet({ type: 'SOLANA' }))
    const key = keyOf(await first.device.keygen({ ...created, scheme: 'ED25519' }, user.rootPublicKey))
    const { walletId } = key
    const { protocolId } = value(await first.as({}, refreshKeys(user.userId, walletId)))
    const { share } = keyOf(await first.device.refresh(key.share, protocolId))
    const acknowledge = ({ device, sessionId }: SignedIn) => {
      const of = { scheme: share.scheme, protocolId, sessionId, walletId, epoch: share.epoch, shareId: share.shareId }
      const rest = { step: 1, attempt: new Uint8Array(16), body: new Uint8Array(0) }
      return device.send(device.signFrame({ operation: 'ACK', ...of, ...rest, deviceKeyThumb: device.deviceKeyThumb }))
    }
    const runs = async () => ((await world.dump())['runs'] ?? []).filter((row) => row['wallet_id'] === walletId)

    expect(await acknowledge(first)).toMatchObject({ status: 'OK' })
    expect((await runs()).map(({ kind }) => kind).sort()).toEqual(['keygen', 'refresh'])
    world.advance(2 * 24 * 60 * 60_000)
    expect(await acknowledge(await signIn(world, user, partner))).toMatchObject({ status: 'OK' })
    expect(await runs()).toEqual([])
  })
})

describe('the share key of a sharing', () => {
  const dataFolder = mkdtempSync(join(tmpdir(), 'tandem-share-keys-'))
  let own: World

  /** The service on its existing database and files. */
  const start = async (databaseUrl: string) => {
    own = await startWorld({ dataFolder, database: Layer.orDie(databaseIn({ kind: 'postgres', url: databaseUrl })) })
  }

  afterAll(() => rmSync(dataFolder, { recursive: true, force: true }))
  afterEach(() => own.stop())

  const cosignerFolder = join(dataFolder, 'cosigner')
  const keys = shareKeysIn(join(cosignerFolder, 'share-keys'))
  const rings = (): Rings => {
    const [path, before] = [join(dataFolder, 'cosigner-keys.json'), join(dataFolder, 'key-encryption-key')]
    return { cosigner: ringAt({ ring: 'cosigner', path, before, environment: 'DEV' }) }
  }

  /** Every existing share key, of any sharing. */
  const existingKeys = () =>
    readdirSync(join(cosignerFolder, 'share-keys'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => Uint8Array.from(readFileSync(join(entry.parentPath, entry.name))))

  /**
   * The records of a dump that open with the key-encryption key and an existing share key: shares, OT records, answers,
   * capsules.
   */
  const opensOf = (dump: Dump, walletId: string): readonly string[] => {
    const kept = existingKeys()
    const ofStore = rings()
    const shareKeys = [keys, ...kept.map((key) => ({ find: () => key.slice(), findOrCreate: () => key.slice() }))]
    const [frameKey] = dump['cosigner_keys'] ?? []
    const byOneKey = String(frameKey?.['sealed']).slice(0, 18)
    const sealed = Object.values(dump).flatMap((rows) =>
      rows
        .filter((row) => row['wallet_id'] === walletId)
        .flatMap((row) => Object.values(row).flatMap((held) => bytesOf(held).map((bytes) => ({ row, bytes })))),
    )
    return sealed.flatMap(({ row, bytes }) => {
      const epochs = [Number(row['epoch']), Number(row['epoch']) + 1]
      const shareIds = [row['share_id'], bytesToHex(bytes.subarray(1, 33))].filter((id) => typeof id === 'string')
      const sharings = epochs.flatMap((epoch) => shareIds.map((shareId) => ({ walletId, epoch, shareId })))
      const places = sharings
        .filter(({ shareId }) => shareId.length === 64)
        .flatMap((sharing) => [
          ['share', shareAssociatedData(sharing), bytes] as const,
          ['OT record', otAssociatedData(sharing, String(row['ot_id'])), bytes] as const,
          ['answer', answerAssociatedData(sharing, String(row['protocol_id'])), bytes.subarray(33)] as const,
        ])
      const at = bytesToHex(bytes).indexOf(byOneKey) / 2
      const capsules = epochs.map(
        (epoch) => ['capsule', capsuleAssociatedData(walletId, epoch), bytes.subarray(at)] as const,
      )
      const [opened] = [...places, ...(at < 0 ? [] : capsules)].filter(([, place, text]) =>
        shareKeys.some((one) => openRecord({ rings: ofStore, shareKeys: one }, place, text) !== undefined),
      )
      return opened === undefined ? [] : [opened[0]]
    })
  }

  const bytesOf = (held: unknown): readonly Uint8Array[] =>
    typeof held === 'string' && /^(?:[0-9a-f]{2}){60,}$/.test(held) ? [hexToBytes(held)] : []

  const walletOf = async (type: 'EVM' | 'SOLANA') => {
    const user = await makeUser(own)
    const host = await signIn(own, user, await makePartner(own))
    const created = value(await host.createWallet({ type }))
    const scheme = type === 'EVM' ? 'DKLS' : 'ED25519'
    const ended = await host.device.keygen({ ...created, scheme }, user.rootPublicKey)
    return { user, host, key: keyOf(ended), ended }
  }

  const refreshed = async ({
    user,
    host,
    key,
  }: Pick<Awaited<ReturnType<typeof walletOf>>, 'user' | 'host' | 'key'>) => {
    const { protocolId } = value(await host.as({}, refreshKeys(user.userId, key.walletId)))
    return host.device.refresh(key.share, protocolId)
  }

  const acknowledge = ({ device, sessionId }: SignedIn, { share }: WalletKey) => {
    const of = { scheme: share.scheme, sessionId, walletId: share.walletId, epoch: share.epoch, shareId: share.shareId }
    const rest = { protocolId: randomUUID(), step: 1, attempt: new Uint8Array(16), body: new Uint8Array(0) }
    return device.send(device.signFrame({ operation: 'ACK', ...of, ...rest, deviceKeyThumb: device.deviceKeyThumb }))
  }

  const sharingOf = ({ share }: WalletKey) => ({ ...share, shareId: bytesToHex(share.shareId) })

  it.each([
    ['SOLANA', times(5, 50)],
    ['EVM', times(1, 50)],
  ] as const)(
    'is destroyed when the next sharing is acknowledged: no dump of %s opens after %i refreshes',
    { timeout: 900_000 },
    async (type, count) => {
      await start(await makeDatabaseUrl())
      const wallet = await walletOf(type)
      let { key } = wallet
      const dumps: Dump[] = []
      const everywhere = type === 'EVM' ? ['OT record', 'answer', 'share'] : ['answer', 'share']
      for (let made = 0; made < count; made++) {
        const before = await own.dump()
        expect([...new Set(opensOf(before, key.walletId))].sort()).toEqual(everywhere)
        const next = keyOf(await refreshed({ ...wallet, key }))
        // Both sharings exist until the new one is acknowledged.
        const midway = await own.dump()
        expect([...new Set(opensOf(before, key.walletId))].sort()).toEqual(everywhere)
        dumps.push(before)
        if (made < count - 1) dumps.push(midway)
        expect(await acknowledge(wallet.host, next)).toMatchObject({ status: 'OK' })
        key = next
        own.advance(2_000)
      }

      // The current sharing is in the last dump, and in the dump after the last but one acknowledgement.
      const current = await own.dump()
      expect([...new Set(opensOf(current, key.walletId))].sort()).toEqual(everywhere)
      expect(dumps.flatMap((dump) => opensOf(dump, key.walletId))).toEqual([])
      expect(keys.find(sharingOf(key))).toBeDefined()
      expect(keys.find(sharingOf(wallet.key))).toBeUndefined()
    },
  )

  it('is destroyed with its answers: a confirmation repeated afterwards is out of date', async () => {
    await start(await makeDatabaseUrl())
    const wallet = await walletOf('SOLANA')
    const ended = await refreshed(wallet)
    if (ended.kind !== 'done' || wallet.ended.kind !== 'done') throw new Error('not done')
    const [first = new Uint8Array(0), second = new Uint8Array(0)] = [
      wallet.ended.requests.at(-1),
      ended.requests.at(-1),
    ]
    const [of1, of2] = [
      { status: 'OK', body: wallet.ended.body },
      { status: 'OK', body: ended.body },
    ]

    expect([await wallet.host.device.send(first), await wallet.host.device.send(second)]).toEqual([of1, of2])
    expect(await acknowledge(wallet.host, keyOf(ended))).toMatchObject({ status: 'OK' })
    expect(await wallet.host.device.send(first)).toMatchObject({ tag: 'KeyShareOutOfDate' })
    expect(await wallet.host.device.send(second)).toEqual(of2)
  })

  it('is destroyed by the next start, from the marks alone, where a process died before it could do so', async () => {
    const databaseUrl = await makeDatabaseUrl()
    await start(databaseUrl)
    const wallet = await walletOf('SOLANA')
    const key = keyOf(await refreshed(wallet))
    const acknowledged = await acknowledge(wallet.host, key)
    expect(acknowledged).toMatchObject({ status: 'OK' })
    expect(await acknowledge(wallet.host, key)).toEqual(acknowledged)
    const left = { ...sharingOf(key), epoch: 1, shareId: '0'.repeat(64) }
    keys.findOrCreate(left)
    const other = await walletOf('SOLANA')
    // An older database: its rows lack the current sharing.
    await own.run(
      Effect.flatMap(Database, ({ query }) =>
        query((db) =>
          db
            .updateTable('wallets')
            .set({ epoch: 7, share_id: 'ff'.repeat(32) })
            .execute(),
        ),
      ),
    )

    await own.stop()
    await start(databaseUrl)

    await expect.poll(() => keys.find(left)).toBeUndefined()
    expect([keys.find(sharingOf(key)), keys.find(sharingOf(other.key))].map((found) => found?.length)).toEqual([32, 32])
  })
})
