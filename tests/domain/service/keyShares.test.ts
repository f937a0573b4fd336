import { randomUUID } from 'node:crypto'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import * as DeviceKey from '../../../domain/crypto/DeviceKey.ts'
import * as RootKey from '../../../domain/crypto/RootKey.ts'
import { getEncryptedWalletPrivateKey } from '../../../domain/service/encryptedWalletPrivateKeys.ts'
import {
  createKeyShares,
  listPasskeyKeyShares,
  listPasswordKeyShares,
  listWalletKeyShares,
  type Backup,
} from '../../../domain/service/keyShares.ts'
import { createRecoveryPublicKeys, listRecoveryPublicKeys } from '../../../domain/service/recoveryPublicKeys.ts'
import type { PartnerRecord } from '../../../domain/service/Partner.ts'
import { activeShares } from '../../../domain/service/wallets.ts'
import {
  beginSession,
  makePartner,
  makeUser,
  openLogin,
  putWallet,
  signIn,
  startWorld,
  value,
  type SignedIn,
  type TestUser,
  type World,
} from '../../kit/cosignerWorld.ts'
import { putPasskey, putPassword } from '../../kit/putCredentials.ts'

let world: World
let partner: PartnerRecord
let user: TestUser
let host: SignedIn
let wallet: Awaited<ReturnType<typeof putWallet>>
let passwordId: string
let sigDerivedPublicKey: string

beforeAll(async () => {
  world = await startWorld()
  partner = await makePartner(world)
})

beforeEach(async () => {
  user = await makeUser(world)
  host = await signIn(world, user, partner)
  wallet = await putWallet(world, user, partner, 'EVM')
  passwordId = await putPassword(world, host)
  sigDerivedPublicKey = (await putPasskey(world, host)).key
})

afterAll(() => world.stop())

/** What the root key's device signs over a backup, and the certificate that says whose device it is. */
const sealed = (shown: Backup, signer: SignedIn = host): Backup => {
  if (shown.encryptor === 'USER') return shown
  const message = DeviceKey.backupMessage({
    userId: user.userId,
    walletId: shown.walletId,
    shareId: hexToBytes(wallet.shareId),
    publicKey: hexToBytes(wallet.publicKey),
    encryptor: shown.encryptor,
    keyRef: shown.passwordId ?? shown.biometricPublicKey ?? shown.recoveryPublicKeyId ?? '',
    encryptedShare: shown.encryptedShare,
    encryptedKey: shown.encryptedKey,
  })
  return { ...shown, deviceSignature: bytesToHex(signer.device.signBytes(message)), certificate: signer.certificate }
}

/** A backup to the password. */
const backup = (changes: Partial<Backup> = {}, signer: SignedIn = host): Backup =>
  sealed(
    {
      walletId: wallet.walletId,
      encryptedShare: 'c0ffee',
      encryptedKey: 'c3bf00',
      type: 'USER',
      encryptor: 'PASSWORD',
      passwordId,
      shareId: wallet.shareId,
      epoch: 1,
      ...changes,
    },
    signer,
  )

const store = (...backups: Backup[]) => host.as({}, createKeyShares(user.userId, backups))

const stored = async () => ((await world.dump())['key_shares'] ?? []).filter(({ user_id }) => user_id === user.userId)

const recoveryKey = () => bytesToHex(secp256k1.getPublicKey(secp256k1.utils.randomSecretKey(), false).slice(1))

describe('a backup', () => {
  it('is stored once for each kind of key, however often it is sent, and is given to the page that verified the user', async () => {
    const [recovery] = value(await host.as({}, createRecoveryPublicKeys(user.userId, [recoveryKey()])))
    const { passwordId: _password, encryptedKey: _key, ...bare } = backup()
    const { walletId, encryptedShare, type, shareId, epoch } = bare
    const common = { walletId, encryptedShare, type, shareId, epoch }
    const all = [
      backup(),
      sealed({ ...common, encryptor: 'BIOMETRICS', encryptedKey: 'c3', biometricPublicKey: sigDerivedPublicKey }),
      sealed({ ...common, encryptor: 'RECOVERY', recoveryPublicKeyId: recovery?.id }),
    ]
    const page = await openLogin(world, await beginSession(world, user, partner), partner, user.userId)

    expect([await store(...all), await store(...all), await store()].map(({ kind }) => kind)).toEqual(
      Array(3).fill('success'),
    )
    expect(await stored()).toHaveLength(3)
    const byPassword = value(await page.as(listPasswordKeyShares(user.userId, passwordId)))
    const byPasskey = value(await page.as(listPasskeyKeyShares(user.userId, sigDerivedPublicKey)))
    expect(byPassword.map(({ share }) => share)).toMatchObject([{ encryptor: 'PASSWORD', keyRef: passwordId, shareId }])
    expect(byPasskey.map(({ share }) => share)).toMatchObject([
      { encryptor: 'BIOMETRICS', keyRef: sigDerivedPublicKey },
    ])
    const [only] = byPassword
    expect(only?.share.deviceSignature).toMatch(/^[0-9a-f]{128}$/)
    expect(
      value(await host.as({}, listWalletKeyShares(user.userId, walletId, { type: 'USER' })))
        .map(({ share }) => share.encryptor)
        .sort(),
    ).toEqual(['BIOMETRICS', 'PASSWORD'])
  })

  it('is only ever added, and listed newest first', async () => {
    await store(backup({ encryptedShare: 'aa' }))
    world.advance(1)
    await store(backup({ encryptedShare: 'bb' }))
    const page = await openLogin(world, await beginSession(world, user, partner), partner, user.userId)

    const listed = value(await page.as(listPasswordKeyShares(user.userId, passwordId)))

    expect(listed.map(({ share }) => share.encryptedShare)).toEqual(['bb', 'aa'])
    expect(await stored()).toHaveLength(2)
  })

  it("is refused, with all others of its request, unless it is current, complete, the user's and signed", async () => {
    const stranger = await makeUser(world)
    const strangers = await signIn(world, stranger, partner)
    const foreign = await putWallet(world, stranger, partner, 'EVM')
    const foreignPassword = await putPassword(world, strangers)
    const elsewhere = await signIn(world, user, await makePartner(world))
    const sameRoot = await signIn(world, { ...user, userId: stranger.userId }, partner)
    const unsigned = { ...backup(), deviceSignature: undefined, certificate: undefined }
    const empty = value(await host.createWallet({ type: 'SOLANA' }))

    const refusals = [
      await store(backup(), backup({ walletId: foreign.walletId })),
      await store(backup({ walletId: empty.walletId })),
      await store(backup({ passwordId: foreignPassword })),
      await store(backup({ passwordId: randomUUID() })),
      await store(backup({ shareId: '00'.repeat(32) })),
      await store(backup({ epoch: 2 })),
      await store(backup({ encryptedKey: undefined })),
      await store(backup({ encryptor: 'RECOVERY' })),
      await store(backup({ encryptor: 'USER' })),
      await store(backup({ encryptedShare: 'ff'.repeat(33_000) })),
      await store(unsigned),
      await store({ ...backup(), encryptedShare: 'beef' }),
      await store({ ...backup(), certificate: strangers.certificate }),
      await store(backup({}, strangers)),
      await store(backup({}, elsewhere)),
      await store(backup({}, sameRoot)),
      await strangers.as({}, createKeyShares(user.userId, [backup()])),
    ]

    expect(refusals).toMatchObject([
      { tag: 'WalletDoesNotExist' },
      { tag: 'NoValidWallet' },
      { tag: 'NotFound' },
      { tag: 'NotFound' },
      { tag: 'KeyShareOutOfDate', message: 'key share is out of date, log in again' },
      { tag: 'KeyShareOutOfDate' },
      ...Array<object>(10).fill({ tag: 'InvalidKeyShare', message: 'invalid key share' }),
      { tag: 'NotFound' },
    ])
    expect(await stored()).toEqual([])
  })

  it('of a client without a device key needs no signature, unless the wallet has a root key', async () => {
    const rootless = await makeUser(world)
    const client = await signIn(world, rootless, partner, { certified: false })
    const ownPassword = await putPassword(world, client)
    const unpinned = await putWallet(world, { ...rootless, rootPublicKey: new Uint8Array(0) }, partner, 'EVM')
    const bare = { encryptedShare: 'aa', encryptedKey: 'bb', type: 'USER', encryptor: 'PASSWORD' } as const
    const backUp = (by: TestUser, walletId: string, id: string) =>
      createKeyShares(by.userId, [{ ...bare, walletId, passwordId: id }])
    const ownClient = await signIn(world, user, partner, { certified: false })

    const allowed = await client.as({}, backUp(rootless, unpinned.walletId, ownPassword))
    const refused = await ownClient.as({}, backUp(user, wallet.walletId, passwordId))
    const { key_shares = [] } = await world.dump()

    expect(allowed.kind).toBe('success')
    expect(refused).toMatchObject({ tag: 'InvalidKeyShare' })
    expect(key_shares.filter(({ wallet_id }) => wallet_id === unpinned.walletId)).toMatchObject([
      { device_signature: null, certificate: null, share_id: unpinned.shareId },
    ])
    expect(await stored()).toEqual([])
  })

  it('under the recovery key is not given to a session', async () => {
    const list = (query: { type: string; encryptor?: string }) =>
      host.as({}, listWalletKeyShares(user.userId, wallet.walletId, query))

    expect(await list({ type: 'USER', encryptor: 'RECOVERY' })).toMatchObject({ tag: 'StepUpRequired' })
    expect(await list({ type: 'OTHER' })).toMatchObject({ tag: 'InvalidKeyShare' })
    expect(await list({ type: 'USER', encryptor: 'OTHER' })).toMatchObject({ tag: 'InvalidKeyShare' })
    expect(await list({ type: 'RECOVERY' })).toEqual({ kind: 'success', value: [] })
  })

  it("is given only to a page whose user was verified, for wallets of the session's partner only", async () => {
    const other = await makePartner(world)
    await store(backup())
    const begin = async (of: PartnerRecord, userId?: string) =>
      openLogin(world, await beginSession(world, user, of), of, userId)
    const [unverified, verified] = [await begin(partner), await begin(partner, user.userId)]
    const foreign = await begin(other, user.userId)
    const list = listPasswordKeyShares(user.userId, passwordId)

    expect(await unverified.as(list)).toMatchObject({ tag: 'NoSignedInUser' })
    expect(await host.as({}, list)).toMatchObject({ tag: 'NoSignedInUser' })
    expect(await foreign.as(list)).toEqual({ kind: 'success', value: [] })
    expect(value(await verified.as(list))).toHaveLength(1)
    expect(await verified.as(listPasswordKeyShares(user.userId, randomUUID()))).toMatchObject({ tag: 'NotFound' })
    expect(await verified.as(listPasskeyKeyShares(user.userId, 'bb'))).toMatchObject({ tag: 'NotFound' })
    expect(await verified.as(listPasswordKeyShares(randomUUID(), passwordId))).toMatchObject({ tag: 'NotFound' })
  })

  it('is of the active share, which is listed for logins', async () => {
    const active = await world.run(activeShares(user.userId, partner.id))

    expect(active).toEqual([{ walletId: wallet.walletId, epoch: 1, shareId: wallet.shareId }])
  })
})

describe('recovery public keys', () => {
  it('are at most ten, each once, and never change', async () => {
    const keys = Array.from({ length: 10 }, recoveryKey)
    const [first = ''] = keys
    const signature = RootKey.signRecipient(user.root, {
      kind: 'RECOVERY',
      userId: user.userId,
      publicKey: hexToBytes(first),
    })
    const create = (publicKeys: string[], signatures: string[] = []) =>
      host.as({}, createRecoveryPublicKeys(user.userId, publicKeys, signatures))

    const [signed] = value(await create([first], [bytesToHex(signature)]))
    const all = value(await create(keys))

    expect(signed).toMatchObject({ publicKey: first, signature: bytesToHex(signature) })
    expect(all).toHaveLength(10)
    expect(all[0]).toEqual(signed)
    expect(await create([recoveryKey()])).toMatchObject({ tag: 'TooManyRecoveryPublicKeys' })
    expect(value(await host.as({}, listRecoveryPublicKeys(user.userId)))).toEqual(all)
  })

  it('are points on the curve, and signed by the root key if signed at all', async () => {
    const create = (publicKeys: string[], signatures: string[] = []) =>
      host.as({}, createRecoveryPublicKeys(user.userId, publicKeys, signatures))

    expect(await create(['00'.repeat(64)])).toMatchObject({ tag: 'InvalidRecoveryPublicKey' })
    expect(await create([recoveryKey()], ['00'.repeat(64)])).toMatchObject({ tag: 'InvalidRecoveryPublicKey' })
    expect(await create([recoveryKey(), 'ff'])).toMatchObject({ tag: 'InvalidRecoveryPublicKey' })
    expect(value(await host.as({}, listRecoveryPublicKeys(user.userId)))).toEqual([])
  })
})

describe('wrapped private keys', () => {
  it('of a password are given to the page that verified it', async () => {
    const page = await openLogin(world, await beginSession(world, user, partner), partner, user.userId)

    expect(value(await page.as(getEncryptedWalletPrivateKey(passwordId)))).toMatchObject({
      userId: user.userId,
      passwordId,
      encryptedPrivateKey: 'v2.d3JhcHBlZA',
    })
    expect(await page.as(getEncryptedWalletPrivateKey(randomUUID()))).toMatchObject({ tag: 'NotFound' })
    expect(await host.as({}, getEncryptedWalletPrivateKey(passwordId))).toMatchObject({ tag: 'NoSignedInUser' })
  })
})
