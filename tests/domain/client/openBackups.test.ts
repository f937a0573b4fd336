/** What a recovery secret opens, and which data the page accepts for it (domain/client/README.md#recovery). */
import { p256 } from '@noble/curves/nist.js'
import { bytesToHex, randomBytes } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Redacted from 'effect/Redacted'
import { describe, expect, it } from 'vitest'
import { openAgain, openBackups, type OpenedBackups } from '../../../domain/client/recovery/openBackups.ts'
import type { RecoverableWallet } from '../../../domain/client/recovery/startRecovery.ts'
import { Api } from '../../../domain/client/ports/Api.ts'
import * as DeviceKey from '../../../domain/crypto/DeviceKey.ts'
import * as Ecies from '../../../domain/crypto/Ecies.ts'
import * as RecoverySecret from '../../../domain/crypto/RecoverySecret.ts'
import * as RootKey from '../../../domain/crypto/RootKey.ts'
import * as Address from '../../../domain/model/Address.ts'
import { connectionError } from '../../../domain/model/ApiError.ts'
import { developmentHosts } from '../../../domain/model/Environment.ts'
import type { Success } from '../../../generated/handlers.ts'
import { makeShare, partnerId, sessionId, userId, type Share } from '../../kit/loginScene.ts'
import { pageSettings } from '../../kit/pageStage.ts'

type Backup = Success<'listRecoveryKeyShares'>['keyShares'][number]

const seed = new Uint8Array(32).fill(9)
const rootPublicKey = RootKey.publicKeyOf(seed)
const secretKey = new Uint8Array(32).fill(7)
const recoveryPublicKeyId = '9b0c7a10-1f6e-4c1d-9a44-0d7d8c3b1a0a'
const deviceSecret = p256.utils.randomSecretKey()
const share = makeShare(rootPublicKey)

const certificateOf = (changes: Partial<RootKey.DeviceCertificate> = {}, by = seed) =>
  bytesToHex(
    RootKey.certifyDevice(by, {
      userId,
      partnerId,
      origin: 'https://shop.example',
      sessionId,
      devicePublicKey: p256.getPublicKey(deviceSecret, false),
      issuedAt: 0,
      expiresAt: 1,
      ...changes,
    }),
  )

/** A backup as the user's device stored it. */
const backupOf = (of: Share, { certificate = certificateOf(), key = secretKey } = {}): Backup => {
  const encryptedShare = Ecies.seal({
    publicKey: RecoverySecret.publicKeyOf(key),
    plaintext: Redacted.value(of.shareText),
    ephemeralSecret: new Uint8Array(32).fill(1),
    iv: randomBytes(16),
  })
  const message = DeviceKey.backupMessage({
    userId,
    walletId: of.walletId,
    shareId: of.shareId,
    publicKey: of.publicKey,
    encryptor: 'RECOVERY',
    keyRef: recoveryPublicKeyId,
    encryptedShare,
  })
  return {
    walletId: of.walletId,
    encryptedShare,
    type: 'USER',
    encryptor: 'RECOVERY',
    recoveryPublicKeyId,
    deviceSignature: bytesToHex(p256.sign(message, deviceSecret, { prehash: true })),
    certificate,
  }
}

const unsigned = ({ deviceSignature: _, certificate: __, ...backup }: Backup): Backup => backup

const listed = (of: Share, changes: Partial<RecoverableWallet> = {}): RecoverableWallet => ({
  walletId: of.walletId,
  type: 'EVM',
  scheme: 'DKLS',
  address: of.address,
  publicKey: bytesToHex(of.publicKey),
  epoch: 1,
  shareId: bytesToHex(of.shareId),
  partnerId,
  partnerName: 'Shop',
  ...changes,
})

const secret = RecoverySecret.write({ walletId: share.walletId, backupDecryptionKey: secretKey, rootPublicKey })
const older = `${bytesToHex(secretKey)}|anything`

/** The service's answers, which are all that the page has. `now`: the wallets that it lists later. */
const serve = (stored: readonly Backup[], now: readonly RecoverableWallet[], answers = Infinity) => {
  const asked: string[] = []
  const api = Layer.succeed(Api, {
    call: (operation, input) =>
      Effect.suspend(() => {
        const said = JSON.stringify(input)
        asked.push(`${operation} ${said}`)
        if (asked.length > answers) return Effect.fail(connectionError())
        if (operation === 'verifyRecoveryEmail') return Effect.succeed({ userId, wallets: now } as never)
        return Effect.succeed({ keyShares: stored.filter(({ walletId }) => said.includes(walletId)) } as never)
      }),
  })
  return { asked, api }
}

const summaryOf = ({ wallets, leftBehind, secret, isSigned }: OpenedBackups) => ({
  opened: wallets.map(({ wallet }) => wallet.walletId),
  ...(leftBehind.length === 0 ? {} : { left: leftBehind.map(({ wallet, cause }) => [wallet.walletId, cause._tag]) }),
  ...(secret === undefined ? {} : { key: bytesToHex(Redacted.value(secret).backupDecryptionKey) }),
  isSigned,
})

const open = (
  wallets: readonly RecoverableWallet[],
  stored: readonly Backup[],
  text: string = secret,
  answers = Infinity,
  now = wallets,
) => {
  const { asked, api } = serve(stored, now, answers)
  const opened = openBackups({ userId, wallets: [...wallets] }, text).pipe(
    Effect.provide([api, pageSettings]),
    Effect.map(summaryOf),
    Effect.catch((error) =>
      Effect.succeed({ refused: error._tag, ...('reason' in error ? { reason: error.reason } : {}) }),
    ),
  )
  return { asked, outcome: Effect.runPromise(opened) }
}

describe('a recovery secret', () => {
  it('opens the share of every wallet, whichever the partner', async () => {
    const other = makeShare(rootPublicKey)

    const { outcome } = open([listed(share), listed(other)], [backupOf(share), backupOf(other)])

    expect(await outcome).toEqual({ opened: [share.walletId, other.walletId], isSigned: true })
  })

  it('opens the genuine backup beside one that an attacker added later', async () => {
    const { outcome } = open(
      [listed(share)],
      [unsigned(backupOf(makeShare(rootPublicKey, share.walletId))), backupOf(share)],
    )

    expect(await outcome).toEqual({ opened: [share.walletId], isSigned: true })
  })

  it('opens what a device of the connect page stored, under whichever partner’s session', async () => {
    const certificate = certificateOf({ partnerId: sessionId, origin: developmentHosts.connect })

    const { outcome } = open([listed(share)], [backupOf(share, { certificate })])

    expect(await outcome).toEqual({ opened: [share.walletId], isSigned: true })
  })

  it('in its older form certifies no root key: the user has to know the addresses', async () => {
    const rootless = makeShare(new Uint8Array(0))

    expect(await open([listed(share)], [backupOf(share)], older).outcome).toEqual({
      opened: [share.walletId],
      isSigned: false,
    })
    expect(await open([listed(rootless)], [unsigned(backupOf(rootless))], older).outcome).toEqual({
      opened: [rootless.walletId],
      isSigned: false,
    })
  })

  it.each([
    [
      'of another person',
      RecoverySecret.write({ walletId: 'w', backupDecryptionKey: new Uint8Array(32).fill(8), rootPublicKey }),
    ],
    ['that is no secret', 'a shopping list'],
    [
      'whose root key is unreadable',
      JSON.stringify({ backupDecryptionKey: bytesToHex(secretKey), rootPublicKey: 'none' }),
    ],
  ])('%s opens nothing, and none of it is sent', async (_, text) => {
    const { asked, outcome } = open([listed(share)], [backupOf(share)], text)

    expect(await outcome).toEqual({ refused: 'BackupDecryptionFailed' })
    expect(asked.join()).not.toContain(text)
    expect(asked.every((call) => call.startsWith('listRecoveryKeyShares'))).toBe(true)
  })

  it('opens nothing where no wallet has a backup for it', async () => {
    expect(await open([listed(share)], []).outcome).toEqual({ refused: 'RecoveryBackupMissing' })
  })

  it('opens what it opens: wallets without a backup, or with none of the user’s, are named and stay behind', async () => {
    const [bare, garbled, planted] = [makeShare(rootPublicKey), makeShare(rootPublicKey), makeShare(rootPublicKey)]
    const stored = [backupOf(share), { ...backupOf(garbled), encryptedShare: 'c0ffee' }, unsigned(backupOf(planted))]

    expect(
      await open(
        [bare, garbled, share, planted].map((one) => listed(one)),
        stored,
      ).outcome,
    ).toEqual({
      opened: [share.walletId],
      left: [
        [bare.walletId, 'RecoveryBackupMissing'],
        [garbled.walletId, 'BackupDecryptionFailed'],
        [planted.walletId, 'RecoveryBackupRefused'],
      ],
      key: bytesToHex(secretKey),
      isSigned: true,
    })
  })

  it('opens a wallet that another device refreshed after it was listed', async () => {
    const before = listed(share, { shareId: '05'.repeat(32) })
    const bare = listed(makeShare(rootPublicKey))

    expect(await open([before], [backupOf(share)], secret, Infinity, [listed(share)]).outcome).toEqual({
      opened: [share.walletId],
      isSigned: true,
    })
    expect(
      await open([bare, before], [backupOf(share)], secret, Infinity, [listed(share), bare]).outcome,
    ).toMatchObject({ opened: [share.walletId], left: [[bare.walletId, 'RecoveryBackupMissing']] })
  })

  it('tried again opens what got a backup or new shares meanwhile, and leaves no other wallet behind', async () => {
    const [backed, refreshed, bare] = [makeShare(rootPublicKey), makeShare(rootPublicKey), makeShare(rootPublicKey)]
    const wallets = [backed, share, refreshed, bare].map((one) => listed(one))
    const garbage = { ...backupOf(bare), encryptedShare: 'c0ffee' }
    const first = serve([backupOf(share), garbage], wallets)
    const opened = await Effect.runPromise(
      Effect.provide(openBackups({ userId, wallets }, secret), [first.api, pageSettings]),
    )
    const renewed = makeShare(rootPublicKey, refreshed.walletId)
    const listedNow = [backed, renewed, bare, makeShare(rootPublicKey)].map((one) => listed(one))
    const stored = [backupOf(backed), backupOf(renewed), garbage]

    const again = (left = opened, api = serve(stored, listedNow).api) =>
      Effect.runPromise(Effect.provide(openAgain(left), [api, pageSettings]))

    expect(opened.leftBehind.map(({ wallet }) => wallet.walletId)).toEqual([
      backed.walletId,
      refreshed.walletId,
      bare.walletId,
    ])
    const { leftBehind, ...rest } = await again()
    expect(summaryOf({ ...rest, leftBehind: [] }).opened).toEqual([share.walletId, backed.walletId, renewed.walletId])
    expect(leftBehind).toMatchObject([
      { wallet: { walletId: bare.walletId }, recoveryPublicKeyIds: [recoveryPublicKeyId] },
    ])
    await expect(again(opened, serve(stored, listedNow, 2).api)).rejects.toThrow()
  })

  it('of another person is called wrong, also where a wallet has no backup', async () => {
    const others = RecoverySecret.write({
      walletId: 'w',
      backupDecryptionKey: new Uint8Array(32).fill(8),
      rootPublicKey,
    })
    const bare = makeShare(rootPublicKey)

    expect(await open([listed(bare), listed(share)], [backupOf(share)], others).outcome).toEqual({
      refused: 'BackupDecryptionFailed',
    })
  })

  it('in its older form leaves no wallet behind: it proves nothing to the service', async () => {
    const bare = makeShare(rootPublicKey)

    expect(await open([listed(share), listed(bare)], [backupOf(share)], older).outcome).toEqual({
      refused: 'RecoveryBackupMissing',
    })
  })

  it('leaves no wallet behind because the service did not answer', async () => {
    const { outcome } = open([listed(share), listed(makeShare(rootPublicKey))], [backupOf(share)], secret, 1)

    expect(await outcome).toEqual({ refused: 'ApiError' })
  })
})

describe('a writer of the database', () => {
  /** The attacker's wallet in the place of the user's, encrypted to the user's recovery key, which is public. */
  const his = makeShare(rootPublicKey, share.walletId)
  const rootless = makeShare(new Uint8Array(0), share.walletId)

  it.each<[string, RecoverableWallet, Backup, string]>([
    ['who stores an own share unsigned', listed(his), unsigned(backupOf(his)), 'not signed'],
    ['who stores one that no root key is pinned in', listed(rootless), unsigned(backupOf(rootless)), 'not signed'],
    [
      'who certifies an own device by an own root key',
      listed(his),
      backupOf(his, { certificate: certificateOf({}, new Uint8Array(32).fill(5)) }),
      'wrong signature',
    ],
    [
      'who has a device of another partner',
      listed(his),
      backupOf(his, { certificate: certificateOf({ partnerId: sessionId }) }),
      'wrong signature',
    ],
    [
      'who has a certificate of another user',
      listed(his),
      backupOf(his, { certificate: certificateOf({ userId: sessionId }) }),
      'wrong signature',
    ],
    [
      'who lists an own address for the user’s key',
      listed(share, { address: his.address }),
      backupOf(share),
      'another key',
    ],
    ['who lists another key', listed(share, { publicKey: bytesToHex(his.publicKey) }), backupOf(share), 'another key'],
    ['who lists another type for the key', listed(share, { type: 'SOLANA' }), backupOf(share), 'another key'],
    ['who lists another scheme', listed(share, { scheme: 'ED25519' }), backupOf(share), 'another key'],
    ['who lists another partner', listed(share, { partnerId: sessionId }), backupOf(share), 'another wallet'],
    ['who lists a later epoch', listed(share, { epoch: 2 }), backupOf(share), 'not active'],
    ['who lists another sharing', listed(share, { shareId: bytesToHex(his.shareId) }), backupOf(share), 'not active'],
    [
      'who moves the backup of another wallet here',
      listed(share),
      { ...backupOf(makeShare(rootPublicKey)), walletId: share.walletId },
      'another wallet',
    ],
  ])('%s is detected', async (_, wallet, backup, reason) => {
    expect(await open([wallet], [backup]).outcome).toEqual({ refused: 'RecoveryBackupRefused', reason })
  })

  it('who pins an own root key is detected', async () => {
    const other = RootKey.publicKeyOf(new Uint8Array(32).fill(5))
    const pinned = makeShare(other, share.walletId)

    const { outcome } = open([listed(pinned)], [backupOf(pinned)])

    expect(await outcome).toEqual({ refused: 'RecoveryBackupRefused', reason: 'another root key' })
  })

  it('can choose only the prefix of a Cosmos address: the rest follows from the key', async () => {
    const address = Address.cosmos(share.publicKey, 'osmo')

    expect(await open([listed(share, { type: 'COSMOS', address })], [backupOf(share)]).outcome).toMatchObject({
      isSigned: true,
    })
    const of = Address.cosmos(his.publicKey, 'osmo')
    expect(await open([listed(share, { type: 'COSMOS', address: of })], [backupOf(share)]).outcome).toMatchObject({
      reason: 'another key',
    })
  })
})
