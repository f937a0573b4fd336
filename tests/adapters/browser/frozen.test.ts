/**
 * What a device keeps is read for ever: fixtures/shareStore.v1.json was written once, of the share texts in
 * tests/mpc/fixtures and of secrets that are the SHA-256 of a name that stands here. Its sealed form is opened in a
 * browser (tests/browser/adapters.test.ts).
 */
import { readFileSync } from 'node:fs'
import { inspect } from 'node:util'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Option from 'effect/Option'
import * as Redacted from 'effect/Redacted'
import * as Result from 'effect/Result'
import { describe, expect, it } from 'vitest'
import { DeviceKeysWebCrypto } from '../../../adapters/browser/DeviceKeys.ts'
import { LocksWeb } from '../../../adapters/browser/Locks.ts'
import { ShareStoreText } from '../../../adapters/browser/ShareStore.ts'
import { StorageWeb } from '../../../adapters/browser/Storage.ts'
import { DeviceKeys } from '../../../domain/client/ports/DeviceKeys.ts'
import { ShareStore } from '../../../domain/client/ports/ShareStore.ts'
import * as DeviceKey from '../../../domain/crypto/DeviceKey.ts'
import * as RecoverySecret from '../../../domain/crypto/RecoverySecret.ts'
import * as RootKey from '../../../domain/crypto/RootKey.ts'
import * as Address from '../../../domain/model/Address.ts'
import * as Frame from '../../../domain/mpc/Frame.ts'
import * as ShareText from '../../../domain/mpc/ShareText.ts'

type Sample = { readonly local: Readonly<Record<string, string>> }
const { local } = JSON.parse(readFileSync(new URL('fixtures/shareStore.v1.json', import.meta.url), 'utf8')) as Sample

const of = (name: string) => sha256(utf8ToBytes(name))

const userId = '99999999-8888-4777-8666-555555555555'
const sessionId = '22222222-2222-4333-8444-555555555555'
const evm = 'aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee'
const solana = 'bbbbbbbb-bbbb-4ccc-8ddd-eeeeeeeeeeee'
const sharesKey = '@CAPSULE/keyShares'
const deviceKey = `@CAPSULE/tandem/keys/${sessionId}`

/** A device whose storage area has these texts. */
const deviceWith = (texts: Readonly<Record<string, string>>) => {
  const entries = new Map(Object.entries(texts))
  const area = {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, text: string) => void entries.set(key, text),
    removeItem: (key: string) => void entries.delete(key),
  }
  const storage = { local: area, session: area }
  const layer = Layer.mergeAll(ShareStoreText, DeviceKeysWebCrypto).pipe(
    Layer.provideMerge(Layer.merge(StorageWeb(storage), LocksWeb(storage))),
  )
  const run = <A, E>(effect: Effect.Effect<A, E, ShareStore | DeviceKeys>) =>
    Effect.runPromise(Effect.provide(effect, layer))
  return { entries, run }
}

const later = (text: string) => text.replace('"v":1', '"v":2')

describe('version 1 of the share store', () => {
  const { run } = deviceWith(local)
  const store = <A>(use: (store: ShareStore['Service']) => Effect.Effect<A>) => run(Effect.flatMap(ShareStore, use))

  it('holds shares of their addresses, and the provider’s sealed half', async () => {
    const [one, two, ...more] = await store(({ list }) => list)

    expect(more).toEqual([])
    expect([one?.walletId, two?.walletId]).toEqual([evm, solana])
    expect([one?.capsule, two?.capsule]).toEqual([of('capsule'), undefined])
    for (const [held, type] of [
      [one, 'EVM'],
      [two, 'SOLANA'],
    ] as const) {
      const { share, userId: owner } = Result.getOrThrow(
        ShareText.open(Option.getOrThrow(Option.fromUndefinedOr(held)).shareText),
      )
      expect(held).toMatchObject({ walletId: share.walletId, userId: owner })
      expect(held?.address).toBe(Address.fromPublicKey(type, share.publicKey))
    }
  })

  it('prints no share and no recovery key, whatever prints what it holds', async () => {
    const held = await store((all) => Effect.all([all.list, all.candidates, all.pendingRecovery.list]))

    const printed = [JSON.stringify(held), inspect(held, { depth: null }), ...held.flat().map(String)].join()
    expect(printed).toContain(evm)
    expect(printed).toContain('<redacted')
    for (const secret of [bytesToHex(of('recovery')), 'chainCode']) expect(printed).not.toContain(secret)
  })

  it('holds a candidate with the frame that confirms it', async () => {
    const [candidate, ...more] = await store(({ candidates }) => candidates)

    expect(more).toEqual([])
    expect(candidate).toMatchObject({
      walletId: evm,
      userId,
      ot: { otId: of('next OT record'), record: Uint8Array.of(1, 2, 3, 250) },
    })
    expect(Frame.decode(candidate?.confirmFrame ?? new Uint8Array(0))?.frame).toMatchObject({
      operation: 'CONFIRM',
      body: of('message'),
    })
    expect(Result.isSuccess(ShareText.open(Option.getOrThrow(Option.fromUndefinedOr(candidate)).shareText))).toBe(true)
  })

  it('holds OT state, bans, and which backups are missing', async () => {
    expect(await store(({ findOt }) => findOt(evm))).toEqual(
      Option.some({ otId: of('OT record'), record: Uint8Array.of(1, 2, 3, 250) }),
    )
    expect(await store(({ findOt }) => findOt(solana))).toEqual(Option.none())
    expect(await store(({ isLocked }) => Effect.all([isLocked(evm), isLocked(solana)]))).toEqual([false, true])
    expect(await store(({ backupPending }) => backupPending)).toEqual([solana])
  })

  it('holds a recovery key pair whose secret was not shown yet', async () => {
    const found = await store((all) => all.pendingRecovery.get(userId))
    const { secretKey, publicKey, signature = '' } = Option.getOrThrow(found)

    expect(hexToBytes(Redacted.value(secretKey))).toEqual(of('recovery'))
    expect(hexToBytes(publicKey)).toEqual(RecoverySecret.publicKeyOf(of('recovery')))
    const recipient = { kind: 'RECOVERY', userId, publicKey: hexToBytes(publicKey) } as const
    expect(RootKey.isSignedRecipient(RootKey.publicKeyOf(of('root')), recipient, hexToBytes(signature))).toBe(true)
  })

  it('keeps the recovery keys of two users side by side', async () => {
    const device = deviceWith(local)
    const another = { userId: 'another', secretKey: Redacted.make('11'), publicKey: '22' }

    const keys = Effect.flatMap(ShareStore, ({ pendingRecovery: { list, set } }) => Effect.andThen(set(another), list))

    expect(await device.run(keys)).toMatchObject([
      { userId, secretKey: Redacted.make(bytesToHex(of('recovery'))) },
      another,
    ])
  })

  it.each([
    ['of a later version', later],
    ['with a share that has no text', (text: string) => text.replaceAll('"shareText"', '"another"')],
    ['cut short', (text: string) => text.slice(0, -1)],
  ])('%s is neither read nor overwritten', async (_, change) => {
    const text = change(local[sharesKey] ?? '')
    const device = deviceWith({ [sharesKey]: text })
    const verbs = [
      Effect.flatMap(ShareStore, ({ list }) => list),
      Effect.flatMap(ShareStore, ({ drop }) => drop(evm)),
      Effect.flatMap(ShareStore, ({ forgetAll }) => forgetAll),
    ]

    for (const verb of verbs) await expect(device.run(verb)).rejects.toThrow('key shares cannot be stored here')
    expect(device.entries.get(sharesKey)).toBe(text)
  })
})

describe('version 1 of a device key as text', () => {
  it('signs, and is certified by the root key', async () => {
    const message = utf8ToBytes('a message')
    const { run } = deviceWith(local)

    const [key, signature] = await run(
      Effect.flatMap(DeviceKeys, (keys) => Effect.all([keys.find(sessionId), keys.sign(sessionId, message)])),
    )

    const { publicKey, certification } = Option.getOrThrow(key)
    expect(DeviceKey.verify(hexToBytes(publicKey), message, signature)).toBe(true)
    const root = RootKey.publicKeyOf(of('root'))
    expect(certification?.rootPublicKey).toBe(bytesToHex(root))
    const certificate = RootKey.openCertificate(root, hexToBytes(certification?.certificate ?? ''))
    expect(bytesToHex(Result.getOrThrow(certificate).devicePublicKey)).toBe(publicKey)
  })

  it.each([
    ['of a later version', later],
    ['without its private number', (text: string) => text.replace('"d"', '"D"')],
  ])('%s is neither read nor overwritten', async (_, change) => {
    const text = change(local[deviceKey] ?? '')
    const device = deviceWith({ [deviceKey]: text })
    const create = Effect.flatMap(DeviceKeys, (keys) => keys.create(sessionId))

    await expect(device.run(create)).rejects.toThrow('a later version wrote the key of this device')
    expect(device.entries.get(deviceKey)).toBe(text)
  })
})
