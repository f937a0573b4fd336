/**
 * A service that loses files, or restores them from a copy, does not lose a wallet: a device that holds its share and
 * the capsule restores the provider's share by itself, and signs under the same address.
 */
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Result from 'effect/Result'
import { verifyMessage } from 'viem/utils'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfiguration } from '../../adapters/service/config.ts'
import { Database } from '../../adapters/service/database/Database.ts'
import { retireKey, ringStatus, rotateRing } from '../../adapters/service/vault/rotation.ts'
import { shareKeysIn } from '../../adapters/service/vault/ShareKeys.ts'
import { ringStoresOf } from '../../adapters/service/vault/vaultOf.ts'
import * as StorageKeys from '../../domain/model/StorageKeys.ts'
import { makeDatabaseUrl } from '../kit/database.ts'
import { databaseIn } from '../kit/databasePlace.ts'
import { forgetKey } from '../kit/forgetKey.ts'
import { recover } from '../kit/recoverer.ts'
import { startService, type TestService } from '../kit/service.ts'
import { verifySolana } from '../smoke/verify.ts'
import { Device, logIn, newPassword, signUp, type BrowserStorage, type Person } from './people.ts'
import { rowsOf } from './rows.ts'

const message = 'lost and found'

describe('a device that holds its share and the capsule', () => {
  let folder: string
  let service: TestService
  let apiKey: string
  let databaseUrl: string
  let ada: Person
  let evm: string
  let solana: string
  let addresses: Readonly<Record<string, string | null | undefined>>

  const start = async () => {
    const database = Layer.orDie(databaseIn({ kind: 'postgres', url: databaseUrl }))
    service = await startService({ dataFolder: folder, database })
  }

  const restart = async (between: () => Promise<void> | void) => {
    await service.stop()
    await between()
    await start()
  }

  const store = () => join(folder, 'cosigner')

  /** Copies of the database and of the co-signer's files, and functions that restore either. */
  const copies = async () => {
    const copiedStore = mkdtempSync(join(folder, 'copy-'))
    let copiedUrl = databaseUrl
    // A database is copied while nothing is connected to it.
    await restart(async () => {
      copiedUrl = await makeDatabaseUrl(databaseUrl)
      cpSync(store(), copiedStore, { recursive: true })
    })
    return {
      restoreDatabase: () => {
        databaseUrl = copiedUrl
      },
      restoreStore: () => {
        rmSync(store(), { recursive: true })
        cpSync(copiedStore, store(), { recursive: true })
      },
    }
  }

  const deviceOn = (storage: BrowserStorage) =>
    new Device({ apiKey, addresses: service.addresses, password: ada.password, storage })

  /** The device on which ada signed up, after its page was loaded again. */
  const laptop = () => deviceOn(ada.device.storage)

  const place = () => ({ ...service, partner: { ...service.partner, apiKey } })

  const expectSignatures = async (device: Device) => {
    const wallets = await device.getWallets()
    expect(wallets.map(({ id }) => id).sort()).toEqual([evm, solana].sort())
    const signed = await device.signMessage({ walletId: evm, message })
    const { address, ethereumSignature: signature = '0x' } = signed
    expect(await verifyMessage({ address: address as `0x${string}`, message, signature })).toBe(true)
    const other = await device.signMessage({ walletId: solana, message })
    expect(await verifySolana(other, message)).not.toContain(false)
    expect([signed.address, other.address]).toEqual([addresses[evm], addresses[solana]])
  }

  const refreshBoth = async () => {
    await laptop().refreshKeys({ walletId: evm })
    await laptop().refreshKeys({ walletId: solana })
  }

  const epochs = async () => {
    const { wallets = [] } = await rowsOf(service)
    return [evm, solana].map((walletId) => Number(wallets.find(({ id }) => id === walletId)?.['epoch']))
  }

  const reattached = async () => {
    const { audits = [] } = await rowsOf(service)
    return audits.filter(({ event }) => event === 'wallet.reattached').length
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tandem-reattach-'))
    databaseUrl = await makeDatabaseUrl()
    await start()
    apiKey = service.partner.apiKey
    ada = await signUp(service, { types: { EVM: true, SOLANA: true } })
    const wallets = await ada.device.getWallets()
    const idOf = (type: string) => wallets.find((wallet) => wallet.type === type)?.id ?? ''
    ;[evm, solana] = [idOf('EVM'), idOf('SOLANA')]
    addresses = Object.fromEntries(wallets.map(({ id, address }) => [id, address]))
    await refreshBoth()
    await expectSignatures(laptop())
    expect(await epochs()).toEqual([2, 2])
  })

  afterAll(async () => {
    await service.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  it('signs after the co-signer’s files are lost, and lets other devices sign', async () => {
    const phone = await logIn(place(), ada)
    await expectSignatures(phone)
    await restart(() => rmSync(store(), { recursive: true }))

    await expect(deviceOn(phone.storage).signMessage({ walletId: evm, message })).rejects.toMatchObject({
      status: 409,
      message: 'the provider’s key share cannot be opened',
    })
    await expectSignatures(laptop())

    expect([await epochs(), await reattached()]).toEqual([[3, 3], 2])
    await expectSignatures(laptop())
    expect(await epochs()).toEqual([3, 3])
    await expectSignatures(await logIn(place(), ada))
  })

  it('signs after the database was restored from a copy older than the last refreshes', async () => {
    const [ofEvm = 0, ofSolana = 0] = await epochs()
    const { restoreDatabase } = await copies()
    await laptop().refreshKeys({ walletId: evm })
    await laptop().refreshKeys({ walletId: evm })
    await restart(restoreDatabase)
    expect(await epochs()).toEqual([ofEvm, ofSolana])

    await expectSignatures(laptop())

    expect(await epochs()).toEqual([ofEvm + 3, ofSolana])
    await expectSignatures(await logIn(place(), ada))
  })

  it('signs after both were restored, and after a login that gave the older share', async () => {
    const [ofEvm = 0, ofSolana = 0] = await epochs()
    const { restoreDatabase, restoreStore } = await copies()
    await laptop().refreshKeys({ walletId: solana })
    const phone = await logIn(place(), ada)
    await restart(() => {
      restoreDatabase()
      restoreStore()
    })
    expect(await epochs()).toEqual([ofEvm, ofSolana])

    // A device without the capsule gets the service's share.
    const phoneLater = deviceOn(phone.storage)
    await phoneLater.login({ email: ada.email })
    await expectSignatures(phoneLater)
    await laptop().login({ email: ada.email })
    await expectSignatures(laptop())

    expect(await epochs()).toEqual([ofEvm, ofSolana + 2])
    await phoneLater.login({ email: ada.email })
    await expectSignatures(phoneLater)
  })

  it('refreshes as well where a refresh is the first call after the loss', async () => {
    const before = await epochs()
    await restart(() => rmSync(join(store(), 'share-keys'), { recursive: true }))

    await refreshBoth()

    expect(await epochs()).toEqual(before.map((epoch) => epoch + 1))
    await expectSignatures(laptop())
  })

  it('exchanges a capsule that is a week old: a replaced key of the ring goes, and the share still comes back', async () => {
    const before = await epochs()
    const command = <A, E>(flow: Effect.Effect<A, E, Database>) =>
      Effect.runPromise(Effect.provide(flow, Layer.orDie(databaseIn({ kind: 'postgres', url: databaseUrl }))))
    const stores = ringStoresOf(Result.getOrThrow(readConfiguration({ DATA_FOLDER: folder })))
    const ring = { store: stores.cosigner, shareKeys: shareKeysIn(join(store(), 'share-keys')) }
    const capsules = async () => {
      const [oldest] = await command(ringStatus(ring))
      return oldest?.needs.find((need) => need.of === 'capsules')?.count ?? 0
    }
    const storage = ada.device.storage.local
    const keep = (change: (text: string) => string) =>
      storage.set(StorageKeys.keyShares, change(storage.get(StorageKeys.keyShares) ?? ''))
    const [first] = await command(ringStatus(ring))
    await command(rotateRing(ring, { activeInMs: 0 }))

    await expectSignatures(laptop())
    expect(await capsules()).toBe(2)
    const weekAgo = String(Date.now() - 7 * 24 * 3_600_000)
    keep((text) => text.replaceAll(/"capsuleAt":\d+/g, `"capsuleAt":${weekAgo}`))
    await expectSignatures(laptop())
    await expect.poll(capsules).toBe(0)
    await command(retireKey(ring, first?.id ?? '', { settleMs: 0 }))
    await restart(() => rmSync(join(store(), 'share-keys'), { recursive: true }))

    await expectSignatures(laptop())
    expect(await epochs()).toEqual(before.map((epoch) => epoch + 1))
  })

  it('signs after a recovery on a database older than its share, which no service takes back under the new root key', async () => {
    const types = { SOLANA: true }
    const person = await signUp(place(), { types })
    const [wallet] = await person.device.getWallets()
    const walletId = wallet?.id ?? ''
    const { restoreDatabase, restoreStore } = await copies()
    const { storage } = person.device
    const refreshed = deviceOn(storage)
    await refreshed.refreshKeys({ walletId })
    await refreshed.refreshKeys({ walletId })
    await restart(() => {
      restoreDatabase()
      restoreStore()
    })
    const password = newPassword()
    await (await recover(place(), { ...person, password })).close()

    const device = new Device({ apiKey, addresses: service.addresses, password, storage, types })
    await device.login({ email: person.email })
    const signed = await device.signMessage({ walletId, message })
    expect(await verifySolana(signed, message)).not.toContain(false)
    expect(signed.address).toBe(wallet?.address)
    await device.logout()
  })

  it('stores its backups anew where the database has lost them, and does not log out before', async () => {
    const person = await signUp(place(), { types: { SOLANA: true } })
    const [wallet] = await person.device.getWallets()
    const backups = async () =>
      ((await rowsOf(service))['key_shares'] ?? []).filter(({ wallet_id }) => wallet_id === wallet?.id).length
    const stored = await backups()
    await service.run(
      Effect.flatMap(Database, ({ query }) =>
        query((db) =>
          db
            .deleteFrom('key_shares')
            .where('wallet_id', '=', wallet?.id ?? '')
            .execute(),
        ),
      ),
    )

    await expect(person.device.logout()).rejects.toMatchObject({ code: 'BackupNotStored' })
    await deviceOn(person.device.storage).finishSetup()
    expect([stored, await backups()]).toEqual([2, 2])
    await person.device.logout()
    const { address } = await (await logIn(place(), person)).signMessage({ walletId: wallet?.id ?? '', message })
    expect(address).toBe(wallet?.address)
  })

  describe('where the database has forgotten the key', () => {
    const types = { EVM: true, SOLANA: true } as const

    const forget = async (person: Person) => {
      const wallets = await person.device.getWallets()
      for (const { id } of wallets) await service.run(forgetKey(id))
      return wallets
    }

    const expectSigned = async (device: Device, wallets: Awaited<ReturnType<Device['getWallets']>>) => {
      for (const { id, address } of wallets) {
        expect((await device.signMessage({ walletId: id, message })).address).toBe(address)
      }
    }

    const expectBroughtBack = async (person: Person, wallets: Awaited<ReturnType<Device['getWallets']>>) => {
      await deviceOn(person.device.storage).finishSetup()
      const { wallets: rows = [] } = await rowsOf(service)
      const isOfThese = (row: (typeof rows)[number]) => wallets.some(({ type }) => row['type'] === type)
      const owned = rows.filter((row) => row['user_id'] === wallets[0]?.userId && isOfThese(row))
      expect(owned.map(({ id }) => id).sort()).toEqual(wallets.map(({ id }) => id).sort())
      await person.device.logout()
      await expectSigned(await logIn(place(), person), wallets)
    }

    it('brings it back with a signature, and before a logout', async () => {
      const person = await signUp(place(), { types })
      await expectSigned(deviceOn(person.device.storage), await forget(person))
      const wallets = await forget(person)
      await person.device.logout()

      await expectSigned(await logIn(place(), person), wallets)
    })

    it('brings it back with the next setup, and does not log out before', async () => {
      const person = await signUp(place(), { types })
      const wallets = await forget(person)

      await expect(person.device.logout()).rejects.toMatchObject({ code: 'BackupNotStored' })
      await expectBroughtBack(person, wallets)
    })

    it('brings it back with the next setup after a refresh', async () => {
      const person = await signUp(place(), { types })
      for (const { id } of await person.device.getWallets()) await person.device.refreshKeys({ walletId: id })
      await expectBroughtBack(person, await forget(person))
    })
  })

  it.each([1, 2])('gives the provider its shares of epoch %i back before a logout', async (epoch) => {
    const person = await signUp(place(), { types: { EVM: true, SOLANA: true } })
    const wallets = await person.device.getWallets()
    if (epoch === 2) for (const { id } of wallets) await person.device.refreshKeys({ walletId: id })
    const before = await reattached()
    await restart(() => rmSync(join(store(), 'share-keys'), { recursive: true }))

    await deviceOn(person.device.storage).logout()

    expect(await reattached()).toBe(before + 2)
    const phone = await logIn(place(), person)
    for (const { id: walletId, address } of wallets)
      expect(await phone.signMessage({ walletId, message })).toMatchObject({ address, signature: expect.anything() })
  })
})
