import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { readKeyEncryptionKey } from '../../../adapters/service/vault/keyEncryptionKey.ts'
import { dayOf, quarterOf, runKeysIn, type RunKeys } from '../../../adapters/service/vault/RunKeys.ts'
import { openRecord, openRun, sealRecord, sealRun } from '../../../adapters/service/vault/sealing.ts'
import { shareKeysIn } from '../../../adapters/service/vault/ShareKeys.ts'
import { VaultOf } from '../../../adapters/service/vault/Vault.ts'
import { ringOf, type SealedTable } from '../../../domain/service/ports/SealedTables.ts'
import type { Sharing } from '../../../domain/service/ports/ShareKeys.ts'
import { Vault, type AssociatedData } from '../../../domain/service/ports/Vault.ts'
import { times } from '../../kit/long.ts'
import { ringsOfKey, vaultKeysIn } from '../../kit/rings.ts'

const folder = mkdtempSync(join(tmpdir(), 'tandem-vault-'))
afterAll(() => rmSync(folder, { recursive: true }))

const key = new Uint8Array(32).fill(7)

const withVault = <A, E>(use: (vault: Vault['Service']) => Effect.Effect<A, E>, keyEncryptionKey = key) =>
  Effect.runPromiseExit(Effect.flatMap(Vault, use).pipe(Effect.provide(VaultOf(vaultKeysIn(folder, keyEncryptionKey)))))

const opened = async (exit: Promise<Exit.Exit<Uint8Array, unknown>>) => {
  const done = await exit
  return Exit.isSuccess(done) ? Buffer.from(done.value).toString() : 'refused'
}

const associatedData: AssociatedData = { table: 'provider_shares', id: 'wallet-a', epoch: 1 }
const secret = Buffer.from('a share')
const anyTable = fc.constantFrom(...(Object.keys(ringOf) as SealedTable[]))

describe('the vault', () => {
  it('opens what it sealed for the same place', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), anyTable, fc.string(), async (plaintext, table, id) => {
        const exit = await withVault((vault) =>
          Effect.flatMap(vault.seal({ table, id }, plaintext), (sealed) => vault.open({ table, id }, sealed)),
        )
        expect(Exit.isSuccess(exit) && Buffer.compare(exit.value, plaintext)).toBe(0)
      }),
      { numRuns: times(30, 300) },
    )
  })

  it.each<[string, AssociatedData]>([
    ['another row', { ...associatedData, id: 'wallet-b' }],
    ['another table', { ...associatedData, table: 'ot_records' }],
    ['another epoch', { ...associatedData, epoch: 2 }],
    ['no epoch', { table: associatedData.table, id: associatedData.id }],
    ['fields that run into each other', { ...associatedData, id: 'wallet-a1', epoch: undefined }],
    ['a table of the other ring', { ...associatedData, table: 'replays' }],
  ])('refuses a secret that was moved to %s', async (_, elsewhere) => {
    const moved = withVault((vault) =>
      Effect.flatMap(vault.seal(associatedData, secret), (sealed) => vault.open(elsewhere, sealed)),
    )
    const kept = withVault((vault) =>
      Effect.flatMap(vault.seal(associatedData, secret), (sealed) => vault.open(associatedData, sealed)),
    )

    expect(await opened(moved)).toBe('refused')
    expect(await opened(kept)).toBe('a share')
  })

  it('refuses a secret of which any byte was changed, or that was cut', async () => {
    const sealed = Exit.getSuccess(await withVault((vault) => vault.seal(associatedData, secret)))
    if (sealed._tag === 'None') throw new Error('nothing was sealed')

    for (let index = 0; index < sealed.value.length; index++) {
      const changed = Uint8Array.from(sealed.value)
      changed[index] = (changed[index] ?? 0) ^ 1
      expect(await opened(withVault((vault) => vault.open(associatedData, changed)))).toBe('refused')
      expect(await opened(withVault((vault) => vault.open(associatedData, sealed.value.subarray(0, index))))).toBe(
        'refused',
      )
    }
  })

  it('never writes the same bytes twice, nor the secret', async () => {
    const both = await withVault((vault) =>
      Effect.all([vault.seal(associatedData, secret), vault.seal(associatedData, secret)]),
    )

    const [first, second] = Exit.isSuccess(both) ? both.value.map((bytes) => Buffer.from(bytes)) : []
    expect(first?.equals(second ?? Buffer.alloc(0))).toBe(false)
    expect(first?.includes(secret)).toBe(false)
  })

  it('refuses what another key-encryption key sealed', async () => {
    const sealed = Exit.getSuccess(
      await withVault((vault) => vault.seal(associatedData, secret), new Uint8Array(32).fill(8)),
    )

    expect(sealed._tag).toBe('Some')
    if (sealed._tag === 'Some')
      expect(await opened(withVault((vault) => vault.open(associatedData, sealed.value)))).toBe('refused')
  })

  it('makes a digest of a text that depends on purpose and key', async () => {
    const mac = async (purpose: string, text: string, by = key) => {
      const exit = await withVault((vault) => Effect.sync(() => vault.mac(purpose, text)), by)
      return Exit.isSuccess(exit) ? exit.value : 'refused'
    }

    expect(await mac('code', '123456')).toMatch(/^[0-9a-f]{64}$/)
    expect(await mac('code', '123456')).toBe(await mac('code', '123456'))
    const others = [
      mac('token', '123456'),
      mac('code', '123457'),
      mac('code1', '23456'),
      mac('code', '123456', new Uint8Array(32)),
    ]
    for (const other of others) expect(await other).not.toBe(await mac('code', '123456'))
  })
})

describe('run keys', () => {
  const dayMs = 24 * 60 * 60_000
  const now = Date.UTC(2026, 0, 10)
  const day = dayOf(now)
  const at = (offset: number, generation = 'one') => ({ generation, period: day + offset })
  const as = (generation: string, later = 0) => ({ generation, now: now + later })
  const runs = (runKeys: RunKeys) => ({ rings: ringsOfKey(key), runKeys })
  const runAssociatedData: AssociatedData = { table: 'runs', id: 'run-a' }
  const text = (bytes: Uint8Array | undefined) => (bytes === undefined ? 'refused' : Buffer.from(bytes).toString())

  it('open what they sealed, in the same incarnation only', () => {
    const keys = runKeysIn(join(folder, 'incarnations'))
    const sealed = sealRun(runs(keys), at(0), runAssociatedData, secret)

    expect(text(openRun(runs(keys), as('one'), runAssociatedData, sealed))).toBe('a share')
    expect(text(openRun(runs(runKeysIn(join(folder, 'incarnations'))), as('one'), runAssociatedData, sealed))).toBe(
      'a share',
    )
    expect(text(openRun(runs(keys), as('two'), runAssociatedData, sealed))).toBe('refused')
    expect(text(openRun(runs(keys), as('one'), { ...runAssociatedData, id: 'run-b' }, sealed))).toBe('refused')
  })

  it('change each day, and are destroyed when the next day is over', () => {
    const home = join(folder, 'days')
    const keys = runKeysIn(home)
    const sealed = sealRun(runs(keys), at(0), runAssociatedData, secret)
    sealRun(runs(keys), at(1), runAssociatedData, secret)
    expect(readdirSync(home)).toHaveLength(2)

    keys.destroyOld('one', now + 1 * dayMs)
    expect(text(openRun(runs(keys), as('one'), runAssociatedData, sealed))).toBe('a share')

    keys.destroyOld('one', now + 2 * dayMs)
    expect(readdirSync(home)).toEqual([`one.${day + 1}.key`])
    expect(text(openRun(runs(keys), as('one'), runAssociatedData, sealed))).toBe('refused')
  })

  it('of a quarter of an hour open nothing after the next quarter, whether they are destroyed or not', () => {
    const home = join(folder, 'quarters')
    const keys = runKeysIn(home)
    const quarterMs = 15 * 60_000
    const sealed = sealRun(runs(keys), { generation: 'one', period: quarterOf(now) }, runAssociatedData, secret)
    const later = (ms: number) => text(openRun(runs(keys), as('one', ms), runAssociatedData, sealed))

    expect([later(-quarterMs), later(0), later(2 * quarterMs - 1), later(2 * quarterMs)]).toEqual([
      'a share',
      'a share',
      'a share',
      'refused',
    ])
    keys.destroyOld('one', now + 2 * quarterMs - 1)
    expect(later(0)).toBe('a share')
    keys.destroyOld('one', now + 2 * quarterMs)
    expect([readdirSync(home), later(0)]).toEqual([[], 'refused'])
  })

  it.each([
    ['quarters', 15 * 60_000, quarterOf],
    ['days', dayMs, dayOf],
  ])(
    'of %s that are later than the next open nothing, and are destroyed: the clock was ahead',
    (name, ms, periodOf) => {
      const home = join(folder, `later ${name}`)
      const keys = runKeysIn(home)
      const sealed = [1, 2, 400].map((ahead) =>
        sealRun(runs(keys), { generation: 'one', period: periodOf(now + ahead * ms) }, runAssociatedData, secret),
      )
      const opened = () => sealed.map((one) => text(openRun(runs(keys), as('one'), runAssociatedData, one)))

      expect(opened()).toEqual(['a share', 'refused', 'refused'])
      keys.destroyOld('one', now)
      expect(readdirSync(home)).toEqual([`one.${periodOf(now) + 1}.key`])
      expect(opened()).toEqual(['a share', 'refused', 'refused'])
    },
  )

  it('of a process stay where another one has a clock that is behind', () => {
    const home = join(folder, 'behind')
    const sealed = sealRun(runs(runKeysIn(home)), at(0, 'one.a'), runAssociatedData, secret)

    runKeysIn(home).destroyOld('one.b', now - 2 * dayMs)
    expect(text(openRun(runs(runKeysIn(home)), as('one.a'), runAssociatedData, sealed))).toBe('a share')
  })

  it('of a process that is gone are destroyed after two periods where its clock was ahead', () => {
    const home = join(folder, 'ahead and gone')
    sealRun(runs(runKeysIn(home)), at(30, 'one.a'), runAssociatedData, secret)
    let elapsed = 0
    const keys = runKeysIn(home, () => elapsed)

    keys.destroyOld('one.b', now)
    elapsed = 2 * dayMs - 1
    keys.destroyOld('one.b', now)
    expect(readdirSync(home)).toHaveLength(1)
    elapsed = 2 * dayMs
    keys.destroyOld('one.b', now)
    expect(readdirSync(home)).toEqual([])
  })

  it('that another process destroyed are made anew before anything is sealed', () => {
    const home = join(folder, 'anew')
    const keys = runKeysIn(home)
    sealRun(runs(keys), at(0), runAssociatedData, secret)
    runKeysIn(home).destroyOld('one', now + 2 * dayMs)
    const sealed = sealRun(runs(keys), at(0), runAssociatedData, secret)

    expect(text(openRun(runs(runKeysIn(home)), as('one'), runAssociatedData, sealed))).toBe('a share')
  })

  it('of an older database generation are destroyed at once, those of another process with their day', () => {
    const home = join(folder, 'restored')
    const keys = runKeysIn(home)
    for (const generation of ['one.a', 'two.a', 'two.b'])
      sealRun(runs(keys), at(0, generation), runAssociatedData, secret)

    keys.destroyOld('two.b', now)
    expect(readdirSync(home)).toEqual([`two.a.${day}.key`, `two.b.${day}.key`])
    sealRun(runs(keys), at(2, 'two.b'), runAssociatedData, secret)
    keys.destroyOld('two.b', now + 2 * dayMs)
    expect(readdirSync(home)).toEqual([`two.b.${day + 2}.key`])
  })

  it('are destroyed by the first process of the service that starts', () => {
    const home = join(folder, 'copies')
    const [one, other] = [runKeysIn(home), runKeysIn(home)]
    const sealed = sealRun(runs(one), at(0), runAssociatedData, secret)
    expect(text(openRun(runs(other), as('one'), runAssociatedData, sealed))).toBe('a share')

    one.destroyOld('one', now + 2 * dayMs)
    other.destroyOld('one', now + 2 * dayMs)

    expect(readdirSync(home)).toEqual([])
    expect(text(openRun(runs(other), as('one'), runAssociatedData, sealed))).toBe('refused')
  })

  it('are readable by their owner alone', () => {
    const home = join(folder, 'modes')
    sealRun(runs(runKeysIn(home)), at(0), runAssociatedData, secret)

    expect(statSync(join(home, `one.${day}.key`)).mode & 0o777).toBe(0o600)
  })
})

describe('share keys', () => {
  const [walletId, other] = ['ab1c7a1e-0d5b-4c7e-9f0a-0123456789ab', 'ab2c7a1e-0d5b-4c7e-9f0a-0123456789ab']
  const sharing = (epoch: number, digit: string, of = walletId): Sharing => ({
    walletId: of,
    epoch,
    shareId: digit.repeat(64),
  })
  const storeIn = (name: string, ...sharings: readonly Sharing[]) => {
    const home = join(folder, name)
    const keys = shareKeysIn(home)
    for (const one of sharings) keys.findOrCreate(one)
    const left = () =>
      [...sharings]
        .filter((one) => keys.find(one) !== undefined)
        .map(({ epoch, shareId }) => `${epoch}${shareId.charAt(0)}`)
    return { home, keys, left }
  }

  it('are made once, have 32 bytes, are readable by their owner only, and are read again each time', () => {
    const { home, keys } = storeIn('made once')
    const made = keys.findOrCreate(sharing(1, 'a'))
    const file = join(home, 'ab', walletId, `1.${'a'.repeat(64)}`)

    expect([...readFileSync(file)]).toEqual([...made])
    expect([made.length, statSync(file).mode & 0o777]).toEqual([32, 0o600])
    expect(readdirSync(dirname(file))).toHaveLength(1)
    expect(shareKeysIn(home).findOrCreate(sharing(1, 'a'))).toEqual(made)
    expect(keys.find(sharing(1, 'b'))).toBeUndefined()
    for (const another of [sharing(2, 'a'), sharing(1, 'b'), sharing(1, 'a', other)]) {
      expect(keys.findOrCreate(another)).not.toEqual(made)
    }
    rmSync(file)
    expect(keys.find(sharing(1, 'a'))).toBeUndefined()
  })

  it('of another length than 32 bytes are refused, and so are ids that are paths', () => {
    const { home, keys } = storeIn('damaged', sharing(1, 'a'))
    for (const length of [0, 31, 33, 64]) {
      writeFileSync(join(home, 'ab', walletId, `1.${'a'.repeat(64)}`), new Uint8Array(length))
      expect(() => keys.find(sharing(1, 'a'))).toThrow('holds no share key')
    }
    expect(() => keys.find({ ...sharing(1, 'a'), walletId: '../../../../../../../../../../../etc' })).toThrow(
      'is no wallet id',
    )
    expect(() => keys.find({ ...sharing(1, 'a'), shareId: '../../secret' })).toThrow('is no share id')
  })

  it('are destroyed when another sharing is acknowledged, also those of its epoch; later ones stay', () => {
    const { home, keys, left } = storeIn(
      'acknowledged',
      ...['a', 'b', 'c', 'd'].map((of, index) => sharing([1, 2, 2, 3][index] ?? 0, of)),
    )
    const others = storeIn('acknowledged', sharing(1, 'a', other))

    const epochs = () => ['a', 'c', 'd'].map((of) => keys.epochOf(walletId, sharing(0, of).shareId))
    expect(epochs()).toEqual([1, 2, 3])
    keys.destroyOthers(sharing(2, 'c'))
    expect(left()).toEqual(['2c', '3d'])
    expect(epochs()).toEqual([undefined, 2, 3])
    keys.destroyOthers(sharing(2, 'c'))
    expect(left()).toEqual(['2c', '3d'])
    expect(others.left()).toEqual(['1a'])
    expect(readdirSync(join(home, 'ab', walletId))).toHaveLength(2)
  })

  it('older than a mark are destroyed only where a key of the marked epoch or a later one exists', () => {
    const whole = storeIn('marked', sharing(1, 'a'), sharing(2, 'b'), sharing(3, 'c'))
    whole.keys.destroyBefore(walletId, 0)
    expect(whole.left()).toEqual(['1a', '2b', '3c'])
    whole.keys.destroyBefore(walletId, 2)
    expect(whole.left()).toEqual(['2b', '3c'])

    const lost = storeIn('lost', sharing(1, 'a'), sharing(2, 'b'))
    lost.keys.destroyBefore(walletId, 3)
    expect(lost.left()).toEqual(['1a', '2b'])
    lost.keys.destroyBefore(other, 3)
  })

  it('of a wallet that is given up are destroyed whatever their epoch, and no others', () => {
    const { keys, left } = storeIn('given up', sharing(1, 'a'), sharing(2, 'b'), sharing(1, 'a', other))
    keys.destroyAll(walletId)
    expect([keys.find(sharing(1, 'a')), keys.find(sharing(2, 'b'))]).toEqual([undefined, undefined])
    expect(left()).toEqual(['1a'])
    expect(keys.find(sharing(1, 'a', other))).toBeDefined()
  })

  it('are found by their wallets, in 256 parts', () => {
    const { keys } = storeIn('parts', sharing(1, 'a'), sharing(2, 'b'), sharing(1, 'a', other))

    expect([...keys.walletsIn(0xab)].sort()).toEqual([walletId, other])
    expect([keys.walletsIn(0xac), keys.walletsIn(0)]).toEqual([[], []])
  })

  describe('seal together with the key-encryption key; the sealed share', () => {
    const { keys } = storeIn('sealing')
    const stands = sharing(1, 'a')
    const at: AssociatedData = { ...associatedData, sharing: stands }
    const both = { rings: ringsOfKey(key), shareKeys: keys }
    const text = (bytes: Uint8Array | undefined) => (bytes === undefined ? 'refused' : Buffer.from(bytes).toString())

    it('opens in the same place and sharing, and in no other', () => {
      const sealed = sealRecord(both, at, secret)
      for (const another of [sharing(2, 'a'), sharing(1, 'b'), sharing(1, 'a', other)]) {
        keys.findOrCreate(another)
        expect(text(openRecord(both, { ...at, sharing: another }, sealed))).toBe('refused')
      }
      expect(text(openRecord(both, associatedData, sealed))).toBe('refused')
      expect(text(openRecord(both, { ...at, id: 'wallet-b' }, sealed))).toBe('refused')
      expect(text(openRecord({ ...both, rings: ringsOfKey(new Uint8Array(32).fill(8)) }, at, sealed))).toBe('refused')
      expect(text(openRecord(both, at, sealed))).toBe('a share')
    })

    it('opens under no copy of the key for another wallet, epoch or sharing', () => {
      const copied = keys.findOrCreate(stands)
      const everywhere = {
        rings: ringsOfKey(key),
        shareKeys: { find: () => copied.slice(), findOrCreate: () => copied.slice() },
      }
      const sealed = sealRecord(everywhere, at, secret)

      expect(text(openRecord(everywhere, at, sealed))).toBe('a share')
      for (const another of [sharing(2, 'a'), sharing(1, 'b'), sharing(1, 'a', other)]) {
        expect(text(openRecord(everywhere, { ...at, sharing: another }, sealed))).toBe('refused')
      }
    })

    it('cannot be opened once the share key is destroyed, also where a new one is made', () => {
      const sealed = sealRecord(both, at, secret)
      keys.findOrCreate(sharing(3, 'c'))
      keys.destroyBefore(walletId, 3)

      expect(text(openRecord(both, at, sealed))).toBe('refused')
      expect(keys.find(stands)).toBeUndefined()
      keys.findOrCreate(stands)
      expect(text(openRecord(both, at, sealed))).toBe('refused')
    })
  })
})

describe('the key-encryption key', () => {
  const hex = '0b'.repeat(32)
  const file = (name: string, text?: string, mode = 0o600) => {
    const path = join(folder, name)
    if (text !== undefined) writeFileSync(path, text)
    if (text !== undefined) chmodSync(path, mode)
    return path
  }
  const refusal = (load: () => unknown) => {
    try {
      load()
      return 'accepted'
    } catch (cause) {
      return cause instanceof Error ? cause.message : 'something else'
    }
  }

  it('is the operator’s outside of DEV', () => {
    expect(readKeyEncryptionKey(file('own', `${hex}\n`), 'PROD')).toEqual(new Uint8Array(32).fill(0x0b))
    expect(readKeyEncryptionKey(file('absent'), 'BETA')).toBeUndefined()
    expect(refusal(() => readKeyEncryptionKey(file('short', 'abcd'), 'BETA'))).toMatch(/does not hold 64 hex digits\.$/)
    for (const mode of [0o604, 0o640, 0o620]) {
      expect(refusal(() => readKeyEncryptionKey(file(`open ${mode}`, hex, mode), 'PROD'))).toMatch(
        /can be read by others than its owner/,
      )
    }
  })

  it('of a development stack opens no other environment', () => {
    const path = file('development', `development ${hex}\n`)

    expect(readKeyEncryptionKey(path, 'DEV')).toHaveLength(32)
    expect(refusal(() => readKeyEncryptionKey(path, 'PROD'))).toMatch(
      /holds a development key, which PROD does not accept\.$/,
    )
  })
})
