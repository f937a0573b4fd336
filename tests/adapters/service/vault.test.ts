import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { loadKeyEncryptionKey } from '../../../adapters/service/vault/keyEncryptionKey.ts'
import { dayOf, runKeysIn } from '../../../adapters/service/vault/RunKeys.ts'
import { openRun, sealRun } from '../../../adapters/service/vault/sealing.ts'
import { VaultFile } from '../../../adapters/service/vault/Vault.ts'
import { Vault, type Place } from '../../../domain/service/ports/Vault.ts'
import { times } from '../../kit/long.ts'

const folder = mkdtempSync(join(tmpdir(), 'tandem-vault-'))
afterAll(() => rmSync(folder, { recursive: true }))

const key = new Uint8Array(32).fill(7)

const withVault = <A, E>(use: (vault: Vault['Service']) => Effect.Effect<A, E>, keyEncryptionKey = key) =>
  Effect.runPromiseExit(
    Effect.flatMap(Vault, use).pipe(
      Effect.provide(VaultFile(keyEncryptionKey, runKeysIn(join(folder, 'run-keys')))),
    ),
  )

const opened = async (exit: Promise<Exit.Exit<Uint8Array, unknown>>) => {
  const done = await exit
  return Exit.isSuccess(done) ? Buffer.from(done.value).toString() : 'refused'
}

const place: Place = { table: 'provider_shares', id: 'wallet-a', epoch: 1 }
const secret = Buffer.from('a share')

describe('the vault', () => {
  it('opens what it sealed for the same place', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), fc.string(), fc.string(), async (plaintext, table, id) => {
        const exit = await withVault((vault) =>
          Effect.flatMap(vault.seal({ table, id }, plaintext), (sealed) => vault.open({ table, id }, sealed)),
        )
        expect(Exit.isSuccess(exit) && Buffer.compare(exit.value, plaintext)).toBe(0)
      }),
      { numRuns: times(30, 300) },
    )
  })

  it.each<[string, Place]>([
    ['another row', { ...place, id: 'wallet-b' }],
    ['another table', { ...place, table: 'ot_records' }],
    ['another epoch', { ...place, epoch: 2 }],
    ['no epoch', { table: place.table, id: place.id }],
    ['fields that run into each other', { table: 'provider_share', id: 'swallet-a', epoch: 1 }],
  ])('refuses a secret that was moved to %s', async (_, elsewhere) => {
    const moved = withVault((vault) => Effect.flatMap(vault.seal(place, secret), (sealed) => vault.open(elsewhere, sealed)))
    const kept = withVault((vault) => Effect.flatMap(vault.seal(place, secret), (sealed) => vault.open(place, sealed)))

    expect(await opened(moved)).toBe('refused')
    expect(await opened(kept)).toBe('a share')
  })

  it('refuses a secret of which any byte was changed, or that was cut', async () => {
    const sealed = Exit.getSuccess(await withVault((vault) => vault.seal(place, secret)))
    if (sealed._tag === 'None') throw new Error('nothing was sealed')

    for (let index = 0; index < sealed.value.length; index++) {
      const changed = Uint8Array.from(sealed.value)
      changed[index] = (changed[index] ?? 0) ^ 1
      expect(await opened(withVault((vault) => vault.open(place, changed)))).toBe('refused')
      expect(await opened(withVault((vault) => vault.open(place, sealed.value.subarray(0, index))))).toBe('refused')
    }
  })

  it('never writes the same bytes twice, nor the secret', async () => {
    const both = await withVault((vault) => Effect.all([vault.seal(place, secret), vault.seal(place, secret)]))

    const [first, second] = Exit.isSuccess(both) ? both.value.map((bytes) => Buffer.from(bytes)) : []
    expect(first?.equals(second ?? Buffer.alloc(0))).toBe(false)
    expect(first?.includes(secret)).toBe(false)
  })

  it('refuses what another key-encryption key sealed', async () => {
    const sealed = Exit.getSuccess(await withVault((vault) => vault.seal(place, secret), new Uint8Array(32).fill(8)))

    expect(sealed._tag).toBe('Some')
    if (sealed._tag === 'Some') expect(await opened(withVault((vault) => vault.open(place, sealed.value)))).toBe('refused')
  })

  it('knows a text by a purpose and its key, and by nothing else', async () => {
    const mac = async (purpose: string, text: string, by = key) => {
      const exit = await withVault((vault) => Effect.sync(() => vault.mac(purpose, text)), by)
      return Exit.isSuccess(exit) ? exit.value : 'refused'
    }

    expect(await mac('code', '123456')).toMatch(/^[0-9a-f]{64}$/)
    expect(await mac('code', '123456')).toBe(await mac('code', '123456'))
    const others = [mac('token', '123456'), mac('code', '123457'), mac('code1', '23456'), mac('code', '123456', new Uint8Array(32))]
    for (const other of others) expect(await other).not.toBe(await mac('code', '123456'))
  })
})

describe('run keys', () => {
  const day = dayOf(Date.UTC(2026, 0, 10))
  const at = (offset: number, incarnation = 'one') => ({ incarnation, day: day + offset })
  const runPlace: Place = { table: 'runs', id: 'run-a' }
  const text = (bytes: Uint8Array | undefined) => (bytes === undefined ? 'refused' : Buffer.from(bytes).toString())

  it('open what they sealed, in the same incarnation only', () => {
    const keys = runKeysIn(join(folder, 'incarnations'))
    const sealed = sealRun(keys, at(0), runPlace, secret)

    expect(text(openRun(keys, 'one', runPlace, sealed))).toBe('a share')
    expect(text(openRun(runKeysIn(join(folder, 'incarnations')), 'one', runPlace, sealed))).toBe('a share')
    expect(text(openRun(keys, 'two', runPlace, sealed))).toBe('refused')
    expect(text(openRun(keys, 'one', { ...runPlace, id: 'run-b' }, sealed))).toBe('refused')
  })

  it('are another one each day, and gone when the day after is over', () => {
    const home = join(folder, 'days')
    const keys = runKeysIn(home)
    const sealed = sealRun(keys, at(0), runPlace, secret)
    sealRun(keys, at(1), runPlace, secret)
    expect(readdirSync(home)).toHaveLength(2)

    keys.destroyOld('one', day + 1)
    expect(text(openRun(keys, 'one', runPlace, sealed))).toBe('a share')

    keys.destroyOld('one', day + 2)
    expect(readdirSync(home)).toEqual([`one.${day + 1}.key`])
    expect(text(openRun(keys, 'one', runPlace, sealed))).toBe('refused')
  })

  it('of an older incarnation are destroyed at once', () => {
    const home = join(folder, 'restored')
    const keys = runKeysIn(home)
    sealRun(keys, at(0), runPlace, secret)
    sealRun(keys, at(0, 'two'), runPlace, secret)

    keys.destroyOld('two', day)

    expect(readdirSync(home)).toEqual([`two.${day}.key`])
  })

  it('are destroyed by whichever copy of the service comes first', () => {
    const home = join(folder, 'copies')
    const [one, other] = [runKeysIn(home), runKeysIn(home)]
    const sealed = sealRun(one, at(0), runPlace, secret)
    expect(text(openRun(other, 'one', runPlace, sealed))).toBe('a share')

    one.destroyOld('one', day + 2)
    other.destroyOld('one', day + 2)

    expect(readdirSync(home)).toEqual([])
    expect(text(openRun(other, 'one', runPlace, sealed))).toBe('refused')
  })

  it('are readable by their owner alone', () => {
    const home = join(folder, 'modes')
    sealRun(runKeysIn(home), at(0), runPlace, secret)

    expect(statSync(join(home, `one.${day}.key`)).mode & 0o777).toBe(0o600)
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

  it('is made at the first start in DEV, and stays', () => {
    const path = file('made')
    const made = loadKeyEncryptionKey(path, 'DEV')

    expect(made).toHaveLength(32)
    expect(loadKeyEncryptionKey(path, 'DEV')).toEqual(made)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(readFileSync(path, 'utf8')).toMatch(/^development [0-9a-f]{64}\n$/)
  })

  it('is the operator’s outside of DEV', () => {
    expect(loadKeyEncryptionKey(file('own', `${hex}\n`), 'PROD')).toEqual(new Uint8Array(32).fill(0x0b))
    expect(refusal(() => loadKeyEncryptionKey(file('absent'), 'BETA'))).toMatch(/^KEY_ENCRYPTION_KEY_FILE: .*absent does not exist\.$/)
    expect(refusal(() => loadKeyEncryptionKey(file('short', 'abcd'), 'BETA'))).toMatch(/does not hold 64 hex digits\.$/)
    for (const mode of [0o604, 0o640, 0o620]) {
      expect(refusal(() => loadKeyEncryptionKey(file(`open ${mode}`, hex, mode), 'PROD'))).toMatch(
        /can be read by others than its owner/,
      )
    }
  })

  it('of a development stack opens no other environment', () => {
    const path = file('development')
    loadKeyEncryptionKey(path, 'DEV')

    expect(refusal(() => loadKeyEncryptionKey(path, 'PROD'))).toMatch(/holds a development key, which PROD does not accept\.$/)
  })
})
