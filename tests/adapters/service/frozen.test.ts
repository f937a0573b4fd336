/**
 * What the service keeps is read for ever: fixtures/vault.v1.json, vault.v3.json and rings.v1.json were written once, of secrets that are
 * the SHA-256 of a name that stands here and of the provider's share in tests/mpc/fixtures/dkls.json.
 */
import type { KeyObject } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { base64 } from '@scure/base'
import * as Clock from 'effect/Clock'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import { TestClock } from 'effect/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { DatabaseGenerationFenced } from '../../../adapters/service/database/DatabaseGeneration.ts'
import { SecureRandomNode } from '../../../adapters/service/node/SecureRandom.ts'
import { fenceFileAt } from '../../../adapters/service/vault/fenceFile.ts'
import { readKeyEncryptionKey } from '../../../adapters/service/vault/keyEncryptionKey.ts'
import type { Rings } from '../../../adapters/service/vault/KeyRing.ts'
import { macKeyAssociatedData, macKeyOf } from '../../../adapters/service/vault/macKey.ts'
import { readRing, ringAt } from '../../../adapters/service/vault/ringFile.ts'
import { runKeysIn } from '../../../adapters/service/vault/RunKeys.ts'
import { openRecord, openRun } from '../../../adapters/service/vault/sealing.ts'
import { shareKeysIn } from '../../../adapters/service/vault/ShareKeys.ts'
import { VaultOf } from '../../../adapters/service/vault/Vault.ts'
import { WatermarksFile } from '../../../adapters/service/vault/Watermarks.ts'
import * as Address from '../../../domain/model/Address.ts'
import * as ShareRecord from '../../../domain/mpc/ShareRecord.ts'
import { pepperAssociatedData, verifierAssociatedData } from '../../../domain/service/Credential.ts'
import { copyAssociatedData } from '../../../domain/service/policies.ts'
import { Claims } from '../../../domain/service/ports/Claims.ts'
import { DatabaseGeneration } from '../../../domain/service/ports/DatabaseGeneration.ts'
import type { Ring } from '../../../domain/service/ports/SealedTables.ts'
import { Vault, type AssociatedData } from '../../../domain/service/ports/Vault.ts'
import { Watermarks } from '../../../domain/service/ports/Watermarks.ts'
import {
  answerAssociatedData,
  capsuleAssociatedData,
  cosignerKeyAssociatedData,
  otAssociatedData,
  seedAssociatedData,
  shareAssociatedData,
  stateAssociatedData,
} from '../../../domain/service/protocol/associatedData.ts'
import { lockedAtWatermark, lockedWatermark, epochWatermark } from '../../../domain/service/protocol/watermarks.ts'
import { claimsOf } from '../../kit/claims.ts'
import { clockAt } from '../../kit/clock.ts'
import { anyDatabase } from '../../kit/database.ts'

type Sealed = 'share' | 'capsule' | 'ot' | 'cosignerKey' | 'pepper' | 'verifier'
type Sample = {
  readonly keyEncryptionKey: { readonly operator: string; readonly development: string }
  readonly records: Readonly<Record<Sealed, string>>
  readonly runs: { readonly name: string; readonly key: string; readonly seed: string; readonly state: string }
  readonly mac: string
  readonly incarnation: string
  readonly watermarks: string
}
const sample = JSON.parse(readFileSync(new URL('fixtures/vault.v1.json', import.meta.url), 'utf8')) as Sample

type SharingSample = {
  readonly shareKey: { readonly name: string; readonly key: string }
  readonly records: Readonly<Record<'share' | 'ot' | 'answer', string>>
}
const ofSharing = JSON.parse(readFileSync(new URL('fixtures/vault.v3.json', import.meta.url), 'utf8')) as SharingSample

type RingsSample = {
  readonly rings: Readonly<Record<Ring, string>>
  readonly runs: { readonly seed: string; readonly state: string }
  readonly records: Readonly<Record<'macKey' | 'pepper' | 'capsule' | 'policyCopy', string>>
}
const ofRings = JSON.parse(readFileSync(new URL('fixtures/rings.v1.json', import.meta.url), 'utf8')) as RingsSample

type DklsSample = { readonly shares: { readonly PROVIDER: string } }

const of = (name: string) => sha256(utf8ToBytes(name))

const dkls = JSON.parse(readFileSync(new URL('../../mpc/fixtures/dkls.json', import.meta.url), 'utf8')) as DklsSample
const provider = base64.decode(dkls.shares.PROVIDER)

const walletId = 'aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee'
const passwordId = '6f1c7a1e-0d5b-4c7e-9f0a-0123456789ab'
const generation = '44444444-2222-4333-8444-555555555555'
const sharing = { walletId, epoch: 1, shareId: bytesToHex(of('share id')) }
const run = { walletId, protocolId: '11111111-2222-4333-8444-555555555555', epoch: 1 }

const folder = mkdtempSync(join(tmpdir(), 'tandem-frozen-'))
afterAll(() => rmSync(folder, { recursive: true }))

const fileOf = (name: string, text: string): string => {
  const file = join(folder, name)
  writeFileSync(file, text, { mode: 0o600 })
  return file
}

const operators = fileOf('key', sample.keyEncryptionKey.operator)

mkdirSync(join(folder, 'run-keys'))
fileOf(join('run-keys', sample.runs.name), sample.runs.key)

/** A ring that is not there yet. */
const before = ringAt({ ring: 'service', path: join(folder, 'no ring'), before: operators, environment: 'PROD' })
let macKey: KeyObject

beforeAll(async () => {
  macKey = await Effect.runPromise(Effect.provide(macKeyOf(before), anyDatabase()))
})

/** The day of the samples' run key. */
const now = Number(sample.runs.name.split('.').at(-2)) * 24 * 60 * 60_000

const withVault = <A, E>(use: (vault: Vault['Service']) => Effect.Effect<A, E>) =>
  Effect.runPromise(
    Effect.flatMap(Vault, use).pipe(
      Effect.provideService(
        Clock.Clock,
        clockAt(() => now),
      ),
      Effect.provide(
        VaultOf({
          rings: { service: before, cosigner: before },
          macKey,
          runKeys: runKeysIn(join(folder, 'run-keys')),
          shareKeys: shareKeysIn(join(folder, 'share-keys')),
        }),
      ),
    ),
  )

const refused = (effect: (vault: Vault['Service']) => Effect.Effect<Uint8Array, unknown>) =>
  withVault((vault) => Effect.flip(effect(vault)))

describe('version 1 of a row that the vault seals', () => {
  const rows: readonly (readonly [Sealed, AssociatedData, Uint8Array])[] = [
    ['share', shareAssociatedData(sharing), provider],
    ['capsule', capsuleAssociatedData(walletId, 1), provider],
    ['ot', otAssociatedData(sharing, bytesToHex(of('OT record'))), of('OT record')],
    ['cosignerKey', cosignerKeyAssociatedData('cosigner.example'), of('cosigner')],
    ['pepper', pepperAssociatedData(passwordId), of('pepper')],
    ['verifier', verifierAssociatedData(passwordId), of('verifier')],
  ]

  it.each(rows)('%s: opens in its place', async (name, associatedData, plaintext) => {
    expect(await withVault(({ open }) => open(associatedData, base64.decode(sample.records[name])))).toEqual(plaintext)
  })

  it('holds the provider’s half of a wallet at its address', async () => {
    const bytes = await withVault(({ open }) => open(shareAssociatedData(sharing), base64.decode(sample.records.share)))

    const record = ShareRecord.decode(bytes)
    expect(record).toMatchObject({ role: 'PROVIDER', walletId, epoch: 1 })
    const address = Address.fromPublicKey('EVM', record?.publicKey ?? new Uint8Array(0))
    expect(address).toBe('0xA55BFF2d044a1eD16C7f84BF1C9e086f56915Df3')
  })

  it.each(rows)('%s: is refused in a version that is not known', async (name, associatedData) => {
    const sealed = base64.decode(sample.records[name])

    for (const version of [0, 2, 3, 255]) {
      expect(await refused(({ open }) => open(associatedData, sealed.with(0, version)))).toMatchObject({
        _tag: 'VaultRefusal',
      })
    }
  })

  it('computes the same digest of a token', async () => {
    expect(await withVault(({ mac }) => Effect.sync(() => mac('session token', 'a token')))).toBe(sample.mac)
  })
})

describe('version 3 of a row, which opens with the share key of its sharing', () => {
  const rows: readonly (readonly [keyof SharingSample['records'], AssociatedData, Uint8Array])[] = [
    ['share', shareAssociatedData(sharing), provider],
    ['ot', otAssociatedData(sharing, bytesToHex(of('OT record'))), of('OT record')],
    ['answer', answerAssociatedData(sharing, run.protocolId), of('answer')],
  ]
  const file = join(folder, 'share-keys', ofSharing.shareKey.name)

  beforeEach(() => {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, base64.decode(ofSharing.shareKey.key))
  })

  it.each(rows)('%s: opens in its place', async (name, associatedData, plaintext) => {
    expect(await withVault(({ open }) => open(associatedData, base64.decode(ofSharing.records[name])))).toEqual(
      plaintext,
    )
  })

  it.each(rows)('%s: is refused without that key, and in a version that is not known', async (name, associatedData) => {
    const sealed = base64.decode(ofSharing.records[name])

    for (const version of [0, 1, 2, 4, 255]) {
      expect(await refused(({ open }) => open(associatedData, sealed.with(0, version)))).toMatchObject({
        _tag: 'VaultRefusal',
      })
    }
    rmSync(file)
    expect(await refused(({ open }) => open(associatedData, sealed))).toMatchObject({ _tag: 'VaultRefusal' })
  })
})

describe('version 2 of what the key of a day seals, while there is no ring', () => {
  const rows = [
    ['seed', seedAssociatedData(run)],
    ['state', stateAssociatedData(run, 2)],
  ] as const

  it.each(rows)('the %s of a run opens in its place', async (name, associatedData) => {
    expect(
      await withVault(({ openRun }) => openRun(generation, associatedData, base64.decode(sample.runs[name]))),
    ).toEqual(of(name))
  })

  it.each(rows)('the %s of a run is refused in a version that is not known', async (name, associatedData) => {
    const sealed = base64.decode(sample.runs[name])

    for (const version of [0, 1, 3, 255]) {
      const later = sealed.with(0, version)
      expect(await refused(({ openRun }) => openRun(generation, associatedData, later))).toMatchObject({
        _tag: 'VaultRefusal',
      })
    }
  })
})

describe('two rings', () => {
  const fileFor = (ring: Ring) => ({
    ring,
    path: fileOf(`${ring}-keys.json`, ofRings.rings[ring]),
    before: 'none',
    environment: 'PROD' as const,
  })
  const [service, cosigner] = [fileFor('service'), fileFor('cosigner')]
  const rings = { service: ringAt(service), cosigner: ringAt(cosigner) }
  const noShareKeys = {
    find: () => undefined,
    findOrCreate: () => {
      throw new Error('no share keys')
    },
  }
  const rows: readonly (readonly [keyof RingsSample['records'], AssociatedData, string])[] = [
    ['macKey', macKeyAssociatedData, 'MAC key'],
    ['pepper', pepperAssociatedData(passwordId), 'pepper'],
    ['capsule', capsuleAssociatedData(walletId, 1), 'capsule'],
    ['policyCopy', copyAssociatedData({ partnerId: 'partner', version: 3 }), 'policy copy'],
  ]

  it('hold their keys in order, and the newest seals', () => {
    const keys = [of('key-encryption key'), of('cosigner key')]
    expect(readRing(cosigner)?.map(({ key }) => key)).toEqual(keys)
    expect(readRing(service)?.[1]?.rewrappedAt).toBe(1_780_000_060_000)
    expect(rings.service.active().key).toEqual(of('service key'))
  })

  it.each(rows)('%s: opens in its place under the key of its ring', (name, associatedData, secret) => {
    const sealed = base64.decode(ofRings.records[name])
    const wrong = { service: rings.cosigner, cosigner: rings.service }

    expect(openRecord({ rings, shareKeys: noShareKeys }, associatedData, sealed)).toEqual(of(secret))
    expect(openRecord({ rings: wrong, shareKeys: noShareKeys }, associatedData, sealed)).toBeUndefined()
  })

  it.each([
    ['seed', seedAssociatedData(run)],
    ['state', stateAssociatedData(run, 2)],
  ] as const)('version 4 of a run: the %s opens with both keys, and with none alone', (name, associatedData) => {
    const sealed = base64.decode(ofRings.runs[name])
    const runKeys = runKeysIn(join(folder, 'run-keys'))
    const opened = (tried: Rings, bytes = sealed) =>
      openRun({ rings: tried, runKeys }, { generation, now }, associatedData, bytes)

    expect(opened(rings)).toEqual(of(name))
    expect(opened({ service: rings.service })).toBeUndefined()
    for (const version of [0, 1, 2, 3, 5, 255]) expect(opened(rings, sealed.with(0, version))).toBeUndefined()
    expect(
      openRun({ rings, runKeys: runKeysIn(join(folder, 'none')) }, { generation, now }, associatedData, sealed),
    ).toBeUndefined()
    // Every process has the run key, and could seal in version 2.
    expect(opened(rings, base64.decode(sample.runs[name]))).toBeUndefined()
    expect(opened({ cosigner: before }, base64.decode(sample.runs[name]))).toEqual(of(name))
  })
})

describe('the files beside the database', () => {
  it('hold the key-encryption key as hex, and in development with its mark', () => {
    const key = of('key-encryption key')
    const development = fileOf('development', sample.keyEncryptionKey.development)

    expect(readKeyEncryptionKey(operators, 'PROD')).toEqual(key)
    expect(readKeyEncryptionKey(development, 'DEV')).toEqual(key)
    const later = fileOf('later', `v2 ${sample.keyEncryptionKey.operator}`)
    expect(() => readKeyEncryptionKey(later, 'PROD')).toThrow('does not hold 64 hex digits')
  })

  it('hold watermarks: the highest counts, and new ones are appended', async () => {
    const file = fileOf('watermarks', sample.watermarks)
    const watermarks = await Effect.runPromise(
      Effect.gen(function* () {
        const { read, raise } = yield* Watermarks
        const names = [epochWatermark(walletId), lockedWatermark(walletId), lockedAtWatermark(walletId)]
        const before = yield* Effect.forEach(names, read)
        yield* raise(epochWatermark(walletId), 6)
        return [before, yield* read(epochWatermark(walletId))]
      }).pipe(Effect.provide(WatermarksFile(file))),
    )

    expect(watermarks).toEqual([[5, 1, 1_780_000_000_000], 6])
    expect(readFileSync(file, 'utf8')).toBe(`${sample.watermarks}6 epoch/${walletId}\n`)
  })

  const nothingClaimed = Layer.succeed(Claims, claimsOf())

  const generationIn = (file: string) =>
    Effect.runPromise(
      Effect.flatMap(DatabaseGeneration, ({ current }) => current).pipe(
        Effect.provide(DatabaseGenerationFenced({ fenceFile: fenceFileAt(file), refuseOlderFolder: () => undefined })),
        Effect.provide(Layer.mergeAll(anyDatabase(), SecureRandomNode, nothingClaimed, TestClock.layer())),
      ),
    )

  it('hold the database generation: a database that never saw this fence begins another one', async () => {
    const file = fileOf('incarnation', sample.incarnation)

    const current = await generationIn(file)

    expect(current).not.toBe(generation)
    const [id, fence] = readFileSync(file, 'utf8').trim().split(' ')
    expect([id, Number(fence) > 41]).toEqual([current.split('.')[0], true])
  })

  it('are refused where they hold a database generation in an unknown form', async () => {
    const text = `v2 ${sample.incarnation}`
    const file = fileOf('another form', text)

    await expect(generationIn(file)).rejects.toThrow('holds no database generation')
    expect(readFileSync(file, 'utf8')).toBe(text)
  })
})
