/** The port of the place where a key ring rests: a file, and a key management service that a test holds. */
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bytesToHex } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { KeyFileRefused } from '../../adapters/service/vault/KeyFileRefused.ts'
import { keyLength, lookEveryMs, ringKey, type FiledKey, type RingStore } from '../../adapters/service/vault/KeyRing.ts'
import { ringStoreIn } from '../../adapters/service/vault/ringFile.ts'
import { retireKey, rotateRing } from '../../adapters/service/vault/rotation.ts'
import { noShareKeys, openRecord, sealRecord } from '../../adapters/service/vault/sealing.ts'
import { shareKeysIn } from '../../adapters/service/vault/ShareKeys.ts'
import { macKeyAssociatedData } from '../../adapters/service/vault/macKey.ts'
import type { Ring } from '../../domain/service/ports/SealedTables.ts'
import { makePartner, makeUser, signIn, startWorld, value, type World } from '../kit/cosignerWorld.ts'
import { makeDatabaseUrl } from '../kit/database.ts'
import { databaseIn } from '../kit/databasePlace.ts'
import { keyOf } from '../kit/device.ts'
import { makeKms, ringStoreOn, type Shelf } from '../kit/kmsRing.ts'
import { isLong } from '../kit/long.ts'

const folder = mkdtempSync(join(tmpdir(), 'tandem-rings-'))
afterAll(() => rmSync(folder, { recursive: true }))

type Place = { readonly store: RingStore; readonly again: () => RingStore }

const inFile = (): Place => {
  const path = join(folder, randomUUID())
  const again = () => ringStoreIn({ ring: 'service', path, before: join(folder, 'none'), environment: 'PROD' })
  return { store: again(), again }
}

const atKms = (): Place => {
  const shelf: Shelf = new Map()
  const kms = makeKms()
  const again = () => ringStoreOn(shelf, 'service', kms)
  return { store: again(), again }
}

const makeKey = (activeFrom: number): FiledKey => ringKey(randomBytes(keyLength), activeFrom)

describe.each([
  ['a file', inFile],
  ['a key management service', atKms],
])('a ring in %s', (_, makePlace) => {
  let store: RingStore
  let again: () => RingStore
  beforeEach(() => {
    ;({ store, again } = makePlace())
  })

  it('is none before it is made, and is not opened', async () => {
    expect(await store.read()).toBeUndefined()
    await expect(store.open()).rejects.toBeInstanceOf(KeyFileRefused)
  })

  it('has the keys that it was replaced by, oldest first, also for another process', async () => {
    const keys = [{ ...makeKey(0), rewrappedAt: 5 }, makeKey(1_000), makeKey(Date.now() + 60_000)]
    await store.replace(keys)

    for (const one of [store, again()]) {
      expect((await one.read())?.map(plain)).toEqual(keys.map(plain))
      const ring = await one.open()
      expect([ring.keys().map(({ id }) => id), ring.active().id, ring.isFiled()]).toEqual([
        keys.map(({ id }) => id),
        keys[1]?.id,
        true,
      ])
      expect([ring.find(keys[2]?.id ?? '')?.id, ring.find('00')]).toEqual([keys[2]?.id, undefined])
    }
  })

  it('opens what it sealed, and another process does', async () => {
    await store.replace([makeKey(0)])
    const [one, two] = [await store.open(), await again().open()]
    const secret = Uint8Array.from(randomBytes(32))
    const sealed = sealRecord({ rings: { service: one }, shareKeys: noShareKeys }, macKeyAssociatedData, secret)

    expect(openRecord({ rings: { service: two }, shareKeys: noShareKeys }, macKeyAssociatedData, sealed)).toEqual(
      secret,
    )
  })

  it.runIf(isLong)('that is open sees within a second which keys came and went', async () => {
    const [first, second] = [makeKey(0), makeKey(1)]
    await store.replace([first])
    const ring = await again().open()
    for (const keys of [[first, second], [second]]) {
      await store.replace(keys)
      const ids = keys.map(({ id }) => id)
      await expect.poll(() => ring.keys().map(({ id }) => id), { timeout: 2 * lookEveryMs, interval: 50 }).toEqual(ids)
    }
    expect(ring.find(first.id)).toBeUndefined()
  })
})

const plain = ({ key, ...rest }: FiledKey) => ({ ...rest, key: bytesToHex(key) })

describe('a key management service', () => {
  const shelf: Shelf = new Map()
  const kms = makeKms()
  const store = ringStoreOn(shelf, 'service', kms)
  const refusal = async () => {
    const refused: unknown = await store.open().catch((cause: unknown) => cause)
    return refused instanceof KeyFileRefused ? refused.message : 'opened'
  }
  beforeEach(async () => {
    Object.assign(kms, { takesMs: 0, denies: false })
    await store.replace([makeKey(0)])
  })

  it('is asked when a ring is opened, and never to seal or open a record', async () => {
    kms.takesMs = 200
    const ring = await store.open()
    const asked = kms.unwraps
    kms.denies = true
    const keys = { rings: { service: ring }, shareKeys: noShareKeys }
    for (let count = 0; count < 100; count++) {
      const secret = Uint8Array.from(randomBytes(32))
      expect(openRecord(keys, macKeyAssociatedData, sealRecord(keys, macKeyAssociatedData, secret))).toEqual(secret)
    }
    expect(kms.unwraps).toBe(asked)
  })

  it('that denies, or has another key, keeps a process from starting, with a sentence', async () => {
    kms.denies = true
    expect(await refusal()).toBe('KMS: kms/service is not unwrapped: AccessDenied.')
    kms.denies = false
    kms.replaceKey()
    expect(await refusal()).toMatch(/^KMS: kms\/service is not unwrapped: /)
  })

  it('whose keys were exchanged is refused', async () => {
    const filed = shelf.get('service') ?? []
    shelf.set(
      'service',
      filed.map((one) => ({ ...one, id: makeKey(0).id })),
    )
    expect(await refusal()).toBe('KMS: kms/service has another key than it says.')
  })
})

/** Threads and all. */
describe.runIf(isLong)('a service whose rings are at a key management service', { timeout: 60_000 }, () => {
  it('signs while that answers nothing, and through a rotation; one that is denied does not start', async () => {
    const kms = makeKms()
    const shelf: Shelf = new Map()
    const storeOf = (ring: Ring) => ringStoreOn(shelf, ring, kms)
    const ringStores = { service: storeOf('service'), cosigner: storeOf('cosigner') }
    for (const store of Object.values(ringStores)) await store.replace([makeKey(0)])
    const dataFolder = join(folder, 'world')
    const url = await makeDatabaseUrl()
    const database = () => Layer.orDie(databaseIn({ kind: 'postgres', url }))
    const start = () => startWorld({ dataFolder, database: database(), ringStores })
    kms.takesMs = 300
    const world: World = await start()
    // Each ring once.
    expect(kms.unwraps).toBe(2)
    try {
      const user = await makeUser(world)
      const host = await signIn(world, user, await makePartner(world))
      const wallet = value(await host.createWallet({ type: 'EVM' }))
      const key = keyOf(await host.device.keygen({ ...wallet, scheme: 'DKLS' }, user.rootPublicKey))
      const signs = async () => (await host.device.sign(key, { kind: 'eip191', message: '00' })).kind
      const asked = kms.unwraps
      kms.denies = true
      expect([await signs(), await signs()]).toEqual(['done', 'done'])
      expect(kms.unwraps).toBe(asked)
      await expect(start()).rejects.toThrow('kms/service is not unwrapped: AccessDenied')
      kms.denies = false

      const of = { store: ringStores.cosigner, shareKeys: shareKeysIn(join(dataFolder, 'cosigner', 'share-keys')) }
      const [old] = (await of.store.read()) ?? []
      const run = <A, E>(flow: Effect.Effect<A, E, Layer.Success<ReturnType<typeof database>>>) =>
        Effect.runPromise(Effect.provide(flow, database()))
      const rotating = run(rotateRing(of, { activeInMs: 3 * lookEveryMs }))
      const during: string[] = []
      const over = new AbortController()
      const rotated = rotating.finally(() => over.abort())
      while (!over.signal.aborted) during.push(await signs())
      expect(await rotated).toMatchObject({ left: 0, capsules: 1 })
      await run(retireKey(of, old?.id ?? '', { settleMs: 0 }, 1))
      for (let count = 0; count < 5; count++) during.push(await signs())
      expect([during.length > 5, [...new Set(during)]]).toEqual([true, ['done']])
      expect((await of.store.read())?.map(({ id }) => id)).not.toContain(old?.id)
    } finally {
      await world.stop()
    }
  })
})
