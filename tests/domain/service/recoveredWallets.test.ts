/**
 * What a recovery does to wallets, with a real co-signer: nothing before its end, all of it at its end, and nothing
 * without the user's half (domain/service/README.md#recovery).
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { cpSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ed25519 } from '@noble/curves/ed25519.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Option from 'effect/Option'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Database } from '../../../adapters/service/database/Database.ts'
import * as DeviceKey from '../../../domain/crypto/DeviceKey.ts'
import * as RecoverySecret from '../../../domain/crypto/RecoverySecret.ts'
import * as RootKey from '../../../domain/crypto/RootKey.ts'
import { firstRequest } from '../../../domain/mpc/dkls/refresh.ts'
import type { ShareRecord } from '../../../domain/mpc/ShareRecord.ts'
import type { SigningRequest } from '../../../domain/mpc/SigningRequest.ts'
import { createKeyShares, listRecoveryKeyShares, type Backup } from '../../../domain/service/keyShares.ts'
import { createRecoveryPublicKeys, listRecoveryPublicKeys } from '../../../domain/service/recoveryPublicKeys.ts'
import * as commits from '../../../domain/service/commits.ts'
import type { PartnerRecord } from '../../../domain/service/Partner.ts'
import { Failpoints } from '../../../domain/service/ports/Failpoints.ts'
import { Recoveries } from '../../../domain/service/ports/Recoveries.ts'
import { Refreshes, type Prepared } from '../../../domain/service/ports/Refreshes.ts'
import { Runs } from '../../../domain/service/ports/Runs.ts'
import { Sessions } from '../../../domain/service/ports/Sessions.ts'
import { ShareKeys } from '../../../domain/service/ports/ShareKeys.ts'
import { Users } from '../../../domain/service/ports/Users.ts'
import { Wallets } from '../../../domain/service/ports/Wallets.ts'
import { Watermarks } from '../../../domain/service/ports/Watermarks.ts'
import { lockedAtWatermark, lockedWatermark, epochWatermark } from '../../../domain/service/protocol/watermarks.ts'
import type { RecoveryRecord } from '../../../domain/service/Recovery.ts'
import * as finishedRecoveries from '../../../domain/service/finishedRecoveries.ts'
import * as recoveries from '../../../domain/service/recoveries.ts'
import { refreshLimits } from '../../../domain/service/Refresh.ts'
import { runLimits } from '../../../domain/service/Run.ts'
import { getRefreshDone, refreshKeys } from '../../../domain/service/refreshes.ts'
import * as sessions from '../../../domain/service/sessions.ts'
import { leaseLife } from '../../../domain/service/Wallet.ts'
import { listWallets } from '../../../domain/service/wallets.ts'
import {
  beginSession,
  makePartner,
  makeUser,
  openLogin,
  signIn,
  startWorld,
  value,
  type SignedIn,
  type TestUser,
  type World,
} from '../../kit/cosignerWorld.ts'
import { onUsualDatabase } from '../../kit/database.ts'
import { keyOf, type Ended, type WalletKey } from '../../kit/device.ts'
import { isLong } from '../../kit/long.ts'
import { putPasskey, putPassword } from '../../kit/putCredentials.ts'

const connect = 'http://localhost:3008'
const hello: SigningRequest = { kind: 'solanaMessage', message: bytesToHex(utf8ToBytes('hello')) }
const outOfDate = { kind: 'refused', tag: 'KeyShareOutOfDate' }

let world: World
let shop: PartnerRecord
let bank: PartnerRecord

const rowsOf = async (table: string, of: Readonly<Record<string, unknown>>) =>
  ((await world.dump())[table] ?? []).filter((row) => Object.entries(of).every(([name, held]) => row[name] === held))

const shareKeysFolder = () => join(world.dataFolder, 'cosigner', 'share-keys')

/** `EPOCH.SHARE_ID` of each that exists. */
const shareKeysOf = (walletId: string) => readdirSync(join(shareKeysFolder(), walletId.slice(0, 2), walletId))

/** What a writer of the database can do. */
const write = (statement: ReturnType<typeof sql>) =>
  world.run(
    Effect.gen(function* () {
      const { root } = yield* Database
      yield* Effect.promise(() => statement.execute(root))
    }),
  )

const recoveryKeyOf = async (by: SignedIn, secretKey = secp256k1.utils.randomSecretKey()): Promise<string> => {
  const publicKey = RecoverySecret.publicKeyOf(secretKey)
  const { userId, root } = by.user
  const signature = RootKey.signRecipient(root, { kind: 'RECOVERY', userId, publicKey })
  const create = createRecoveryPublicKeys(userId, [bytesToHex(publicKey)], [bytesToHex(signature)])
  return value(await by.as({}, create)).at(-1)?.id ?? ''
}

/** Signed by the device as a backup of this share. */
const backupOf = (
  by: SignedIn,
  share: ShareRecord,
  to: { readonly passwordId: string } | { readonly recoveryPublicKeyId: string },
): Backup => {
  const [encryptor, keyRef] =
    'passwordId' in to ? (['PASSWORD', to.passwordId] as const) : (['RECOVERY', to.recoveryPublicKeyId] as const)
  const encryptedShare = bytesToHex(randomBytes(8))
  const sealed = encryptor === 'PASSWORD' ? { encryptedShare, encryptedKey: 'c3' } : { encryptedShare }
  const { walletId, shareId, publicKey, epoch } = share
  const message = DeviceKey.backupMessage({
    userId: by.user.userId,
    walletId,
    shareId,
    publicKey,
    encryptor,
    keyRef,
    encryptedShare,
    encryptedKey: sealed.encryptedKey,
  })
  return {
    walletId,
    ...sealed,
    ...to,
    type: 'USER',
    encryptor,
    shareId: bytesToHex(shareId),
    epoch,
    deviceSignature: bytesToHex(by.device.signBytes(message)),
    certificate: by.certificate,
  }
}

type Lost = {
  readonly user: TestUser
  readonly host: SignedIn
  readonly passwordId: string
  readonly recoveryKeyId: string
  /** 32 bytes, of the recovery key. */
  readonly secretKey: Uint8Array
  readonly keys: readonly WalletKey[]
}

const makeWallet = async (by: SignedIn, type: 'EVM' | 'SOLANA'): Promise<WalletKey> => {
  const wallet = value(await by.createWallet({ type }))
  const scheme = type === 'SOLANA' ? 'ED25519' : 'DKLS'
  return keyOf(await by.device.keygen({ ...wallet, scheme }, by.user.rootPublicKey))
}

/**
 * A user whose wallets are backed up to a password and a recovery key; of what the key generation gives only the shares
 * are kept.
 */
const makeLost = async (types: readonly ('EVM' | 'SOLANA')[] = ['SOLANA'], of = shop): Promise<Lost> => {
  const user = await makeUser(world)
  const host = await signIn(world, user, of)
  const passwordId = await putPassword(world, host)
  const secretKey = secp256k1.utils.randomSecretKey()
  const recoveryKeyId = await recoveryKeyOf(host, secretKey)
  const keys: WalletKey[] = []
  for (const type of types) {
    const key = await makeWallet(host, type)
    keys.push(key)
    const recipients = [{ passwordId }, { recoveryPublicKeyId: recoveryKeyId }]
    const backups = recipients.map((to) => backupOf(host, key.share, to))
    value(await host.as({}, createKeyShares(user.userId, backups)))
  }
  return { user, host, passwordId, recoveryKeyId, secretKey, keys }
}

const emailOf = async ({ userId }: TestUser): Promise<string> => {
  const user = Option.getOrThrow(await world.run(Effect.flatMap(Users, (users) => users.find(userId))))
  return user.identity.kind === 'email' ? user.identity.email : ''
}

type Recovery = SignedIn & { readonly passwordId: string; readonly recoveryKeyId: string }

/** A session of our own page that proved the mailbox. */
const proven = async (lost: Pick<Lost, 'user'>, of = shop) => {
  const root = randomBytes(32)
  const renewed = { userId: lost.user.userId, root, rootPublicKey: RootKey.publicKeyOf(root) }
  const page = await beginSession(world, renewed, of, true, undefined, connect)
  const email = await emailOf(lost.user)
  value(await page.as({}, recoveries.startRecovery({ email })))
  const code = (await world.mails()).findLast((mail) => mail.to === email)?.code ?? ''
  const answer = value(await page.as({}, recoveries.verifyRecovery({ email }, code)))
  return { page, answer }
}

/** With the credential that the portal made, and a new recovery key. */
const certified = async (lost: Pick<Lost, 'user'>, of = shop): Promise<Recovery> => {
  const { page } = await proven(lost, of)
  const passwordId = await putPassword(world, page, 'stage')
  const credential = { kind: 'PASSWORD', id: passwordId, rootPublicKey: bytesToHex(page.user.rootPublicKey) } as const
  await world.run(
    Effect.gen(function* () {
      yield* (yield* Recoveries).setCredential(page.sessionId, credential)
      yield* (yield* Sessions).setCertificate(page.sessionId, {
        deviceCertificate: page.certificate,
        openingResult: null,
      })
    }),
  )
  return { ...page, passwordId, recoveryKeyId: await recoveryKeyOf(page) }
}

const stage = (by: Recovery, share: ShareRecord) =>
  by.as(
    {},
    createKeyShares(by.user.userId, [
      backupOf(by, share, by),
      backupOf(by, share, { recoveryPublicKeyId: by.recoveryKeyId }),
    ]),
  )

/** As the lost device backs up what it refreshes. */
const stageOf =
  ({ host, user, passwordId, recoveryKeyId }: Lost) =>
  async ({ share }: { readonly share?: ShareRecord | undefined }) => {
    if (share === undefined) return
    const backups = [{ passwordId }, { recoveryPublicKeyId: recoveryKeyId }].map((to) => backupOf(host, share, to))
    value(await host.as({}, createKeyShares(user.userId, backups)))
  }

const renew = async (
  by: Recovery,
  { share }: Pick<WalletKey, 'share'>,
  { partnerId = shop.id, beforeConfirm = (made: ShareRecord): Promise<unknown> => stage(by, made).then(value) } = {},
): Promise<Ended> => {
  const { protocolId } = value(await by.as({}, refreshKeys(by.user.userId, share.walletId)))
  return by.device.refresh(share, protocolId, {
    rootPublicKey: by.user.rootPublicKey,
    partnerId,
    beforeConfirm: async ({ share: made }) => {
      if (made !== undefined) await beforeConfirm(made)
    },
  })
}

const finish = (by: Recovery, { walletId }: Pick<WalletKey, 'walletId'>) =>
  by.as({}, finishedRecoveries.finishRecovery(by.user.userId, walletId))

/** A wallet with the sharing, and the recovery keys of its backups, that the secret was tried on. */
type Tried = Pick<WalletKey, 'walletId'> & {
  readonly share: Pick<ShareRecord, 'shareId'>
  readonly recoveryPublicKeyIds?: readonly string[]
}

const tried = ({ recoveryKeyId }: Lost, { walletId, share }: WalletKey): Tried => ({
  walletId,
  share,
  recoveryPublicKeyIds: [recoveryKeyId],
})

/** As the page of a person asks for it who has the secret. */
const complete = (
  by: Recovery,
  left: readonly Tried[],
  secretKey: Uint8Array,
  changes: Partial<Parameters<typeof RecoverySecret.signLeftBehind>[1]> = {},
) => {
  const { userId, rootPublicKey } = by.user
  const leftBehind = left.map(({ walletId }) => walletId)
  const wallets = left.map(({ walletId, share, recoveryPublicKeyIds = [] }) => ({
    walletId,
    shareId: share.shareId,
    recoveryPublicKeyIds,
  }))
  const signed = { userId, sessionId: by.sessionId, rootPublicKey, wallets, ...changes }
  const recoveryPublicKey = bytesToHex(RecoverySecret.publicKeyOf(secretKey))
  const signature = bytesToHex(RecoverySecret.signLeftBehind(secretKey, signed))
  return by.as({}, finishedRecoveries.completeRecovery(userId, { leftBehind, recoveryPublicKey, signature }))
}

const isSigned = (ended: Ended, { share }: WalletKey): boolean =>
  ended.kind === 'done' &&
  (share.scheme === 'DKLS'
    ? ended.made.signature !== undefined
    : ed25519.verify(ended.made.signature ?? new Uint8Array(64), utf8ToBytes('hello'), share.publicKey))

/** The user's rows that must not change. */
const storedState = async ({ userId }: TestUser) => {
  const { wallets = [], users = [], passwords = [], pinned_roots = [], recovery_public_keys = [] } = await world.dump()
  const isOwn = (row: Readonly<Record<string, unknown>>) => (row['user_id'] ?? row['id']) === userId
  return {
    wallets: wallets.filter(isOwn).map(({ last_used_at: _, last_used_partner_id: __, ...row }) => row),
    users: users.filter(isOwn),
    passwords: passwords.filter(isOwn).filter(({ status }) => status === 'COMPLETE'),
    roots: pinned_roots.filter(isOwn),
    keys: recovery_public_keys.filter(isOwn).filter(({ recovery_session_id: id }) => id === null),
  }
}

onUsualDatabase((makeDatabase) => {
  beforeAll(async () => {
    world = await startWorld({ database: makeDatabase() })
    shop = await makePartner(world)
    bank = await makePartner(world, { displayName: 'Bank' })
  })

  afterAll(() => world.stop())

  describe('a recovery', () => {
    it('pins a public client’s wallet, which has no root key, to the new one', async () => {
      const lost = await makeLost([])
      const created = { ...value(await lost.host.createWallet({ type: 'EVM' })), scheme: 'DKLS' } as const
      const rootless = keyOf(await lost.host.device.keygen(created, new Uint8Array(0)))
      const page = await certified(lost)

      const { share } = keyOf(await renew(page, rootless))
      value(await finish(page, rootless))

      const root = page.user.rootPublicKey
      expect([share.rootPublicKey, share.publicKey]).toEqual([root, rootless.share.publicKey])
      const row = { share_id: bytesToHex(share.shareId), root_public_key: bytesToHex(root) }
      expect(await rowsOf('wallets', { id: rootless.walletId })).toMatchObject([row])
    })

    it('takes effect for all wallets of all partners at once with the last one, and not before', async () => {
      const lost = await makeLost()
      const elsewhere = await signIn(world, lost.user, bank)
      const evm = await makeWallet(elsewhere, 'EVM')
      const [solana] = lost.keys as [WalletKey]
      const before = await storedState(lost.user)
      const page = await certified(lost)

      const made = [keyOf(await renew(page, solana)), keyOf(await renew(page, evm, { partnerId: bank.id }))] as const
      value(await finish(page, solana))

      expect(await storedState(lost.user)).toEqual(before)
      expect(isSigned(await lost.host.device.sign(solana, hello), solana)).toBe(true)
      const mails = (await world.mails()).length
      value(await finish(page, evm))

      const root = bytesToHex(page.user.rootPublicKey)
      for (const [index, { walletId, share }] of made.entries()) {
        const shareId = bytesToHex(share.shareId)
        expect(share.rootPublicKey).toEqual(page.user.rootPublicKey)
        expect(await rowsOf('wallets', { id: walletId })).toMatchObject([
          { epoch: 2, share_id: shareId, root_public_key: root, address: before.wallets[index]?.['address'] },
        ])
        expect(await rowsOf('provider_shares', { wallet_id: walletId })).toMatchObject([{ share_id: shareId }])
        const backups = await rowsOf('key_shares', { wallet_id: walletId })
        expect(backups.map((row) => [row['share_id'], row['key_ref'], row['partner_id']]).sort()).toEqual(
          [page.passwordId, page.recoveryKeyId].map((ref) => [shareId, ref, [shop.id, bank.id][index]]).sort(),
        )
        expect(await rowsOf('ot_records', { wallet_id: walletId })).toEqual([])
        expect(await rowsOf('refreshes', { wallet_id: walletId })).toMatchObject([{ state: 'ACKNOWLEDGED' }])
        expect(
          await world.run(Effect.flatMap(Watermarks, (watermarks) => watermarks.read(epochWatermark(walletId)))),
        ).toBe(2)
        expect(shareKeysOf(walletId)).toEqual([`2.${shareId}`])
      }
      const { userId } = lost.user
      expect(await rowsOf('users', { id: userId })).toMatchObject([{ root_public_key: root, has_credential: true }])
      expect(await rowsOf('pinned_roots', { user_id: userId })).toMatchObject([{ root_public_key: root }])
      const passwords = await rowsOf('passwords', { user_id: userId })
      expect(Object.fromEntries(passwords.map((row) => [row['id'], row['status']]))).toEqual({
        [lost.passwordId]: 'REVOKED',
        [page.passwordId]: 'COMPLETE',
      })
      expect(await rowsOf('recovery_public_keys', { user_id: userId })).toMatchObject([
        { id: page.recoveryKeyId, recovery_session_id: null },
      ])
      const sessions = await rowsOf('sessions', { user_id: userId })
      expect(sessions.map(({ state }) => state)).toEqual(['CLOSED', 'CLOSED', 'CLOSED'])
      expect(await rowsOf('audits', { event: 'recovery.finished', user_id: userId })).toMatchObject([
        { detail: { severity: 'HIGH', wallets: 2 } },
      ])
      expect((await world.mails()).slice(mails).map(({ subject }) => subject)).toEqual(['Your account is recovered'])

      const back = await signIn(world, page.user, shop)
      expect(isSigned(await back.device.sign(made[0], hello), made[0])).toBe(true)
      const atBank = await signIn(world, page.user, bank)
      const enrolled = keyOf(await atBank.device.attach(made[1].share), made[1].share)
      expect(isSigned(await atBank.device.sign(enrolled, { kind: 'eip191', message: 'c0ffee' }), enrolled)).toBe(true)
    })

    it('invalidates the lost device’s passkey, session, certificate and share', async () => {
      const lost = await makeLost()
      const [key] = lost.keys as [WalletKey]
      const { id: passkeyId } = await putPasskey(world, lost.host)
      const page = await certified(lost)
      const made = keyOf(await renew(page, key))
      expect(await rowsOf('passkeys', { id: passkeyId })).toMatchObject([{ status: 'COMPLETE' }])
      value(await finish(page, key))

      const revoked = { status: 'REVOKED', credential_id: null, authenticator_key: null, completion: null }
      expect(await rowsOf('passkeys', { id: passkeyId })).toMatchObject([revoked])
      expect(await lost.host.device.sign(key, hello)).toMatchObject({ kind: 'refused', tag: 'NoSignedInUser' })
      // A writer of the database who restores the session has a certificate of the old root key, and an old share.
      const again = await signIn(world, lost.user, shop)
      expect(await again.device.sign(key, hello)).toMatchObject({ kind: 'refused', tag: 'DeviceNotCertified' })
      expect(await again.device.sign(made, hello)).toMatchObject({ kind: 'refused', tag: 'DeviceNotCertified' })
      const back = await signIn(world, page.user, shop)
      expect(await back.device.sign(key, hello)).toMatchObject(outOfDate)
      expect(isSigned(await back.device.sign(made, hello), made)).toBe(true)
    })

    it('repeats the answer to its finish, for an answer that was lost', async () => {
      const lost = await makeLost()
      const [key] = lost.keys as [WalletKey]
      const page = await certified(lost)
      await renew(page, key)
      value(await finish(page, key))
      const after = await storedState(lost.user)
      const found = await world.run(Effect.flatMap(Recoveries, (port) => port.find(page.sessionId)))
      const recovery = Option.getOrUndefined(found)

      expect(await finish(page, key)).toMatchObject({ tag: 'NoSignedInUser' })
      const again = { session: undefined, recovery }
      value(await page.as(again, finishedRecoveries.finishRecovery(page.user.userId, key.walletId)))
      expect(await page.as(again, finishedRecoveries.finishRecovery(page.user.userId, randomUUID()))).toMatchObject({
        tag: 'WalletDoesNotExist',
      })

      expect(recovery?.state).toBe('FINISHED')
      expect(await storedState(lost.user)).toEqual(after)
    })

    it('whose process ended directly after its commit is made up for by the next start, and ends nothing since', async () => {
      const lost = await makeLost(['SOLANA', 'EVM'])
      const [kept, left] = lost.keys as [WalletKey, WalletKey]
      const refreshed = await makeWallet(await signIn(world, lost.user, bank), 'SOLANA')
      const page = await certified(lost)
      await renew(page, kept)
      const { share } = keyOf(await renew(page, refreshed, { partnerId: bank.id }))
      const killed = {
        reach: (name: string) => (name === 'recovery.finish.after' ? Effect.die(new Error('killed')) : Effect.void),
      }
      const dying: Recovery = {
        ...page,
        as: (caller, flow) => page.as(caller, Effect.provideService(flow, Failpoints, killed)),
      }
      await expect(complete(dying, [tried(lost, left)], lost.secretKey)).rejects.toThrow('killed')
      // A refresh since, which is not acknowledged: the sharing before it stays.
      const host = await signIn(world, page.user, bank)
      const { passwordId, recoveryKeyId, user } = page
      const beforeConfirm = stageOf({ ...lost, host, user, passwordId, recoveryKeyId })
      const { protocolId } = value(await host.as({}, refreshKeys(user.userId, share.walletId)))
      await host.device.refresh(share, protocolId, { beforeConfirm })
      const state = () =>
        Promise.all(
          [kept, refreshed, left].map(async ({ walletId }) => {
            const { read } = await world.run(Watermarks)
            const marks = [epochWatermark(walletId), lockedWatermark(walletId)].map((name) =>
              Effect.runSync(read(name)),
            )
            return [
              marks,
              shareKeysOf(walletId)
                .map((name) => Number.parseInt(name))
                .sort(),
            ]
          }),
        )
      expect(await state()).toEqual([
        [
          [1, 0],
          [1, 2],
        ],
        [
          [1, 0],
          [1, 2, 3],
        ],
        [[1, 0], [1]],
      ])

      const database = Layer.succeed(Database, await world.run(Database))
      const started = await startWorld({ dataFolder: world.dataFolder, database })

      await expect.poll(state).toEqual([
        [[2, 0], [2]],
        [
          [2, 0],
          [2, 3],
        ],
        [[1, 1], [1]],
      ])
      await started.stop()
    })

    it('unlocks a wallet, also one that is locked during the recovery', async () => {
      const lost = await makeLost(['SOLANA', 'EVM'])
      const [before, during] = lost.keys as [WalletKey, WalletKey]
      const burn = ({ walletId }: WalletKey) =>
        world.run(
          Effect.gen(function* () {
            const watermarks = yield* Watermarks
            yield* watermarks.raise(lockedWatermark(walletId), 1)
            yield* watermarks.raise(lockedAtWatermark(walletId), world.now())
            yield* (yield* Wallets).setLocked(walletId, 1, world.now())
          }),
        )
      await burn(before)
      const page = await certified(lost)
      expect(await rowsOf('wallets', { id: before.walletId })).toMatchObject([{ state: 'BURNED' }])

      const made = keyOf(await renew(page, before))
      await renew(page, during)
      await burn(during)
      for (const key of lost.keys) value(await finish(page, key))

      const back = await signIn(world, page.user, shop)
      expect(isSigned(await back.device.sign(made, hello), made)).toBe(true)
      const wallets = await rowsOf('wallets', { user_id: lost.user.userId })
      expect(wallets.map(({ state }) => state)).toEqual(['ACTIVE', 'ACTIVE'])
    })
  })

  describe('the end of a recovery', () => {
    it('needs new shares of every wallet', async () => {
      const lost = await makeLost(['SOLANA', 'EVM'])
      const [solana, evm] = lost.keys as [WalletKey, WalletKey]
      const page = await certified(lost)
      const before = await storedState(lost.user)
      await renew(page, solana)

      value(await finish(page, solana))
      expect(await finish(page, evm)).toMatchObject(outOfDate)
      expect(await storedState(lost.user)).toEqual(before)
      expect(await finish(page, { walletId: randomUUID() })).toMatchObject({ tag: 'WalletDoesNotExist' })
    })

    it('is refused while a wallet that was made meanwhile has no new shares', async () => {
      const lost = await makeLost()
      const [key] = lost.keys as [WalletKey]
      const page = await certified(lost)
      await renew(page, key)
      await makeWallet(lost.host, 'EVM')
      const before = await storedState(lost.user)

      expect(await finish(page, key)).toMatchObject(outOfDate)
      expect(await storedState(lost.user)).toEqual(before)
    })

    it('is allowed with a wallet that has no key yet, and ends its key generation with its session', async () => {
      const lost = await makeLost()
      const [key] = lost.keys as [WalletKey]
      const page = await certified(lost)
      await renew(page, key)
      const begun = value(await lost.host.createWallet({ type: 'EVM' }))
      let isFinished = false
      const created = { ...begun, scheme: 'DKLS' } as const
      const ended = await lost.host.device.keygen(created, lost.user.rootPublicKey, async (request) => {
        if (!isFinished) value(await finish(page, key))
        isFinished = true
        return request
      })

      expect(ended).toMatchObject({ kind: 'refused', tag: 'NoSignedInUser' })
      expect(await rowsOf('wallets', { id: begun.walletId })).toMatchObject([{ state: 'CREATED' }])
      world.advance(leaseLife)
      const back = await signIn(world, page.user, shop)
      expect((await makeWallet(back, 'EVM')).walletId).toBe(begun.walletId)
    })

    it('does not undo a refresh that the old device made meanwhile; the recovery is repeated for that wallet', async () => {
      const lost = await makeLost()
      const [key] = lost.keys as [WalletKey]
      const page = await certified(lost)
      await renew(page, key)
      const { protocolId } = value(await lost.host.as({}, refreshKeys(lost.user.userId, key.walletId)))
      const refreshed = keyOf(
        await lost.host.device.refresh(key.share, protocolId, {
          beforeConfirm: stageOf(lost),
        }),
      )

      expect(await finish(page, key)).toMatchObject(outOfDate)
      expect(isSigned(await lost.host.device.sign(refreshed, hello), refreshed)).toBe(true)

      const made = keyOf(await renew(page, refreshed))
      value(await finish(page, key))
      const back = await signIn(world, page.user, shop)
      expect(isSigned(await back.device.sign(made, hello), made)).toBe(true)
      expect(await rowsOf('provider_shares', { wallet_id: key.walletId })).toMatchObject([{ epoch: 3 }])
    })

    it('finds its prepared shares, whatever the old device stages, gives up or acknowledges meanwhile', async () => {
      const lost = await makeLost()
      const [key] = lost.keys as [WalletKey]
      const page = await certified(lost)
      const made = keyOf(await renew(page, key))
      const { protocolId } = value(await lost.host.as({}, refreshKeys(lost.user.userId, key.walletId)))
      const staged = { ...key.share, epoch: 2, shareId: randomBytes(32) }
      value(await lost.host.as({}, createKeyShares(lost.user.userId, [backupOf(lost.host, staged, lost)])))
      const frame = {
        step: 1,
        scheme: 'ED25519',
        protocolId,
        sessionId: lost.host.sessionId,
        walletId: key.walletId,
        epoch: 1,
        shareId: key.share.shareId,
        attempt: new Uint8Array(16),
        deviceKeyThumb: lost.host.device.deviceKeyThumb,
        body: new Uint8Array(0),
      } as const
      expect(await lost.host.device.send(lost.host.device.signFrame({ operation: 'ACK', ...frame }))).toMatchObject({
        status: 'OK',
      })

      value(await finish(page, key))

      const back = await signIn(world, page.user, shop)
      expect(isSigned(await back.device.sign(made, hello), made)).toBe(true)
      expect(await rowsOf('refreshes', { wallet_id: key.walletId, state: 'LIVE' })).toEqual([])
      expect((await rowsOf('key_shares', { wallet_id: key.walletId })).map(({ epoch }) => epoch)).toEqual([2, 2])
    })

    it('is refused once an older folder came up, which lacks the key of a new share, and is repeated for that wallet', async () => {
      const lost = await makeLost()
      const [key] = lost.keys as [WalletKey]
      const page = await certified(lost)
      const copy = join(world.dataFolder, 'share-keys before')
      cpSync(shareKeysFolder(), copy, { recursive: true })
      await renew(page, key)
      rmSync(shareKeysFolder(), { recursive: true })
      cpSync(copy, shareKeysFolder(), { recursive: true })

      expect(await finish(page, key)).toMatchObject(outOfDate)

      expect(isSigned(await lost.host.device.sign(key, hello), key)).toBe(true)
      const made = keyOf(await renew(page, key))
      value(await finish(page, key))
      const back = await signIn(world, page.user, shop)
      expect(isSigned(await back.device.sign(made, hello), made)).toBe(true)
    })

    it('is granted to the browser that proved the mailbox last', async () => {
      const lost = await makeLost()
      const [key] = lost.keys as [WalletKey]
      const first = await certified(lost)
      await renew(first, key)
      const second = await certified(lost)

      expect(await finish(first, key)).toMatchObject({ tag: 'NoSignedInUser' })
      expect(await rowsOf('provider_shares', { wallet_id: key.walletId })).toMatchObject([{ epoch: 1 }])
      expect((await rowsOf('key_shares', { wallet_id: key.walletId })).map(({ epoch }) => epoch)).toEqual([1, 1])
      const made = keyOf(await renew(second, key))
      value(await finish(second, key))
      const back = await signIn(world, second.user, shop)
      expect(isSigned(await back.device.sign(made, hello), made)).toBe(true)
    })

    it('takes effect once for simultaneous requests', async () => {
      const lost = await makeLost()
      const [key] = lost.keys as [WalletKey]
      const page = await certified(lost)
      await renew(page, key)
      const caller = await page.caller()

      const outcomes = await Promise.all(
        [1, 2, 3, 4].map(() => world.as(caller, finishedRecoveries.finishRecovery(page.user.userId, key.walletId))),
      )

      expect(outcomes.map(({ kind }) => kind)).toEqual(['success', 'success', 'success', 'success'])
      expect(await rowsOf('audits', { event: 'recovery.finished', user_id: lost.user.userId })).toHaveLength(1)
    })
  })

  describe('a wallet that stays behind', () => {
    it('is locked under its old root key, while the others are recovered, and a later recovery brings it back', async () => {
      const lost = await makeLost(['SOLANA', 'EVM'])
      const [solana, evm] = lost.keys as [WalletKey, WalletKey]
      const [, before] = (await storedState(lost.user)).wallets
      const page = await certified(lost)
      const made = keyOf(await renew(page, solana))
      await renew(page, evm)
      const mails = (await world.mails()).length

      value(await complete(page, [tried(lost, evm)], lost.secretKey))

      const { walletId } = evm
      const [row] = await rowsOf('wallets', { id: walletId })
      expect(row).toEqual({
        ...before,
        ...row,
        state: 'BURNED',
        epoch: 1,
        root_public_key: before?.['root_public_key'],
      })
      expect(row).toMatchObject({ share_id: bytesToHex(evm.share.shareId) })
      for (const table of ['provider_shares', 'key_shares']) {
        const shareIds = (await rowsOf(table, { wallet_id: walletId })).map((one) => one['share_id'])
        expect([table, ...new Set(shareIds)]).toEqual([table, bytesToHex(evm.share.shareId)])
      }
      expect(await rowsOf('refreshes', { wallet_id: walletId })).toMatchObject([{ state: 'ABORTED' }])
      expect(await rowsOf('audits', { event: 'recovery.finished', user_id: lost.user.userId })).toMatchObject([
        { detail: { wallets: 1, leftBehind: walletId } },
      ])
      const [mail, ...more] = (await world.mails()).slice(mails)
      expect([mail?.text.includes(String(before?.['address'])), more]).toEqual([true, []])

      const back = await signIn(world, page.user, shop)
      expect(isSigned(await back.device.sign(made, hello), made)).toBe(true)
      const eip191 = { kind: 'eip191', message: 'c0ffee' } as const
      expect(await back.device.sign(evm, eip191)).toMatchObject({ kind: 'refused', tag: 'DeviceNotCertified' })
      // A writer of the database who restores a device of the old root key, and what the row says, meets the mark.
      const old = await signIn(world, lost.user, shop)
      await write(sql`update wallets set state = 'ACTIVE' where id = ${walletId}`)
      expect(await old.device.sign(evm, eip191)).toMatchObject({ kind: 'refused', tag: 'KeyShareLocked' })

      const later = await certified({ user: page.user })
      const [again, evmAgain] = [keyOf(await renew(later, made)), keyOf(await renew(later, evm))]
      for (const key of [again, evmAgain]) value(await finish(later, key))
      const there = await signIn(world, later.user, shop)
      const enrolled = keyOf(await there.device.attach(evmAgain.share), evmAgain.share)
      expect(isSigned(await there.device.sign(enrolled, eip191), enrolled)).toBe(true)
    })

    it('takes the recovery secret: a mailbox and the share of another wallet leave none behind', async () => {
      const lost = await makeLost(['SOLANA', 'EVM'])
      const [solana, evm] = lost.keys as [WalletKey, WalletKey]
      const partners = secp256k1.utils.randomSecretKey()
      const partnersKey = bytesToHex(RecoverySecret.publicKeyOf(partners))
      value(await lost.host.as({}, createRecoveryPublicKeys(lost.user.userId, [partnersKey])))
      const page = await certified(lost)
      const own = secp256k1.utils.randomSecretKey()
      await recoveryKeyOf(page, own)
      await renew(page, solana, {
        beforeConfirm: async (share) => {
          const keys = await rowsOf('recovery_public_keys', { recovery_session_id: page.sessionId })
          const refs = keys.map(({ id }) => ({ recoveryPublicKeyId: String(id) }))
          const backups = [page, ...refs].map((to) => backupOf(page, share, to))
          value(await page.as({}, createKeyShares(page.user.userId, backups)))
        },
      })
      const before = await storedState(lost.user)
      const ask = (leaving: Parameters<typeof finishedRecoveries.completeRecovery>[1]) =>
        page.as({}, finishedRecoveries.completeRecovery(page.user.userId, leaving))
      const refused = { tag: 'StepUpRequired' }
      const recoveryPublicKeyIds = [lost.recoveryKeyId]

      expect(await ask({ leftBehind: [evm.walletId] })).toMatchObject(refused)
      for (const secretKey of [partners, own, secp256k1.utils.randomSecretKey()]) {
        expect(await complete(page, [tried(lost, evm)], secretKey)).toMatchObject(refused)
      }
      for (const changes of [
        { sessionId: lost.host.sessionId },
        { rootPublicKey: lost.user.rootPublicKey },
        { userId: randomUUID() },
        { wallets: [] },
        {
          wallets: [solana, evm].map(({ walletId, share: { shareId } }) => ({
            walletId,
            shareId,
            recoveryPublicKeyIds,
          })),
        },
      ]) {
        expect(await complete(page, [tried(lost, evm)], lost.secretKey, changes)).toMatchObject(refused)
      }
      expect(await complete(page, [{ ...evm, walletId: randomUUID() }], lost.secretKey)).toMatchObject({
        tag: 'WalletDoesNotExist',
      })
      expect(await complete(page, [], lost.secretKey)).toMatchObject(outOfDate)
      expect(await storedState(lost.user)).toEqual(before)
      expect(isSigned(await lost.host.device.sign(solana, hello), solana)).toBe(true)

      value(await complete(page, [tried(lost, evm)], lost.secretKey))
    })

    it('is tried as it stands: not left once it has its first backup to a key, or new shares, since', async () => {
      const lost = await makeLost()
      const [key] = lost.keys as [WalletKey]
      const app = await signIn(world, lost.user, bank)
      const { walletId, share } = await makeWallet(app, 'SOLANA')
      const page = await certified(lost)
      await renew(page, key)
      const before = await storedState(lost.user)
      const to = { recoveryPublicKeyId: lost.recoveryKeyId }
      const store = async (made: ShareRecord) =>
        value(await app.as({}, createKeyShares(lost.user.userId, [backupOf(app, made, to)])))
      const leave = (of: ShareRecord, ...recoveryPublicKeyIds: string[]) =>
        complete(page, [{ walletId, share: of, recoveryPublicKeyIds }], lost.secretKey)
      const refused = { kind: 'refused', tag: 'StepUpRequired' }

      await store(share)
      expect(await leave(share)).toMatchObject(refused)
      const { protocolId } = value(await app.as({}, refreshKeys(lost.user.userId, walletId)))
      const ended = await app.device.refresh(share, protocolId, {
        beforeConfirm: stageOf({ ...lost, host: app }),
      })
      expect(await leave(share, lost.recoveryKeyId)).toMatchObject(refused)
      const now = keyOf(ended).share
      expect((await storedState(lost.user)).users).toEqual(before.users)

      // What it was tried on in vain holds it no longer, however many more there are.
      for (const _ of [1, 2]) await store(now)
      value(await leave(now, lost.recoveryKeyId, lost.recoveryKeyId))
      expect(await rowsOf('wallets', { id: walletId })).toMatchObject([{ state: 'BURNED', epoch: 2 }])
    })

    it.runIf(isLong)('without a root key signs only after a refresh in a login with the new credential', async () => {
      const lost = await makeLost([])
      const created = { ...value(await lost.host.createWallet({ type: 'EVM' })), scheme: 'DKLS' } as const
      const rootless = keyOf(await lost.host.device.keygen(created, new Uint8Array(0)))
      const page = await certified(lost)
      const leaving = complete(page, [rootless], lost.secretKey)
      value(await leaving)
      const after = await storedState(lost.user)

      world.advance(1)
      const back = await signIn(world, page.user, shop)
      const found = await world.run(Effect.flatMap(Recoveries, (port) => port.find(page.sessionId)))
      const finished = { session: undefined, recovery: Option.getOrUndefined(found) }
      world.advance(1)
      // An answer that was lost is asked for again: it moves no mark.
      value(
        await page.as(
          finished,
          finishedRecoveries.completeRecovery(page.user.userId, { leftBehind: [rootless.walletId] }),
        ),
      )
      expect(await storedState(lost.user)).toEqual(after)

      const eip191 = { kind: 'eip191', message: 'c0ffee' } as const
      expect(await back.device.sign(rootless, eip191)).toMatchObject({ kind: 'refused', tag: 'KeyShareLocked' })
      const { protocolId } = value(await back.as({}, refreshKeys(page.user.userId, rootless.walletId)))
      const renewed = keyOf(
        await back.device.refresh(rootless.share, protocolId, {
          beforeConfirm: async ({ share }) => {
            if (share === undefined) return
            const backups = [page, { recoveryPublicKeyId: page.recoveryKeyId }].map((to) => backupOf(back, share, to))
            value(await back.as({}, createKeyShares(page.user.userId, backups)))
          },
        }),
      )
      expect(isSigned(await back.device.sign(renewed, eip191), renewed)).toBe(true)
    })
  })

  describe('a recovery of an account without wallets', () => {
    it('ends with the new credential, and has a new recovery key', async () => {
      const lost = await makeLost([])
      const { userId } = lost.user
      const { page: keyless } = await proven(lost)
      expect(await keyless.as({}, finishedRecoveries.completeRecovery(userId, { leftBehind: [] }))).toMatchObject(
        outOfDate,
      )
      const page = await certified(lost)
      const ask = page.as({}, finishedRecoveries.completeRecovery(userId, { leftBehind: [] }))
      value(await ask)

      const root_public_key = bytesToHex(page.user.rootPublicKey)
      expect(await rowsOf('users', { id: userId })).toMatchObject([{ root_public_key, has_credential: true }])
      const passwords = await rowsOf('passwords', { user_id: userId })
      expect(Object.fromEntries(passwords.map((row) => [row['id'], row['status']]))).toEqual({
        [lost.passwordId]: 'REVOKED',
        [page.passwordId]: 'COMPLETE',
      })
      expect(await rowsOf('recovery_public_keys', { user_id: userId })).toMatchObject([{ id: page.recoveryKeyId }])
      const back = await signIn(world, page.user, shop)
      const key = await makeWallet(back, 'SOLANA')
      expect(isSigned(await back.device.sign(key, hello), key)).toBe(true)
    })

    it('is refused without a recovery key, and while a wallet was made meanwhile', async () => {
      const lost = await makeLost([])
      const page = await certified(lost)
      await write(sql`delete from recovery_public_keys where recovery_session_id = ${page.sessionId}`)
      const ask = () => page.as({}, finishedRecoveries.completeRecovery(page.user.userId, { leftBehind: [] }))
      expect(await ask()).toMatchObject({ tag: 'BackupsMissing' })
      await recoveryKeyOf(page)
      await makeWallet(lost.host, 'SOLANA')
      const before = await storedState(lost.user)

      expect(await ask()).toMatchObject(outOfDate)
      expect(await storedState(lost.user)).toEqual(before)
    })
  })

  describe('a session that begins while a recovery ends', () => {
    it('is ended with the others', async () => {
      const lost = await makeLost()
      const [key] = lost.keys as [WalletKey]
      const page = await certified(lost)
      await renew(page, key)
      let asked = 0
      const end = finishedRecoveries.finishRecovery(page.user.userId, key.walletId).pipe(
        Effect.updateService(Sessions, (port) => ({
          ...port,
          // The first lookup is before all others.
          idsOfUser: (userId) => (++asked === 1 ? Effect.succeed([]) : port.idsOfUser(userId)),
        })),
      )

      value(await page.as({}, end))

      expect(asked).toBe(4)
      const rows = await rowsOf('sessions', { user_id: lost.user.userId })
      expect(new Set(rows.map(({ state }) => state))).toEqual(new Set(['CLOSED']))
    })
  })

  describe('new shares of a session', () => {
    it('are confirmed only with backups to the password and the signed recovery key', async () => {
      const lost = await makeLost()
      const [key] = lost.keys as [WalletKey]
      const missing = { kind: 'refused', tag: 'BackupsMissing' }
      const staging =
        (...to: Parameters<typeof backupOf>[2][]) =>
        async (share: ShareRecord) => {
          const backups = to.map((one) => backupOf(lost.host, share, one))
          value(await lost.host.as({}, createKeyShares(lost.user.userId, backups)))
        }
      const [password, recoveryKey] = [{ passwordId: lost.passwordId }, { recoveryPublicKeyId: lost.recoveryKeyId }]
      const confirm = (beforeConfirm: ReturnType<typeof staging>) =>
        renew({ ...lost, ...lost.host }, key, { beforeConfirm })

      expect(await confirm(staging(password))).toMatchObject(missing)
      expect(await confirm(staging(recoveryKey))).toMatchObject(missing)
      expect(await confirm(staging(password, recoveryKey))).toMatchObject({ kind: 'done' })
    })

    it('are backed up only by the session that makes them', async () => {
      const lost = await makeLost()
      const [key] = lost.keys as [WalletKey]
      const other = await signIn(world, lost.user, shop)
      value(await lost.host.as({}, refreshKeys(lost.user.userId, key.walletId)))
      const next = { ...key.share, epoch: key.share.epoch + 1, shareId: Uint8Array.from(randomBytes(32)) }
      const store = (by: SignedIn) => by.as({}, createKeyShares(lost.user.userId, [backupOf(by, next, lost)]))

      expect(await store(other)).toMatchObject(outOfDate)
      expect(await store(lost.host)).toMatchObject({ kind: 'success' })
    })
  })

  describe('new shares in a recovery', () => {
    it('are prepared only with backups to the new credential and the new recovery key', async () => {
      const lost = await makeLost()
      const [key] = lost.keys as [WalletKey]
      const page = await certified(lost)
      const missing = { kind: 'refused', tag: 'BackupsMissing' }

      expect(await renew(page, key, { beforeConfirm: () => Promise.resolve() })).toMatchObject(missing)
      const ofCredential = async (share: ShareRecord) =>
        value(await page.as({}, createKeyShares(page.user.userId, [backupOf(page, share, page)])))
      expect(await renew(page, key, { beforeConfirm: ofCredential })).toMatchObject(missing)
      expect(await finish(page, key)).toMatchObject(outOfDate)
      expect(await rowsOf('provider_shares', { wallet_id: key.walletId })).toHaveLength(1)
    })

    it('are backed up only to the keys that the recovery made', async () => {
      const lost = await makeLost()
      const [key] = lost.keys as [WalletKey]
      const page = await certified(lost)
      const store = (...backups: Backup[]) => page.as({}, createKeyShares(page.user.userId, backups))

      expect(await store(backupOf(page, key.share, page))).toMatchObject(outOfDate)
      const tried: unknown[] = []
      await renew(page, key, {
        beforeConfirm: async (share) => {
          tried.push(await store(backupOf(page, share, lost)))
          tried.push(await store(backupOf(page, share, { recoveryPublicKeyId: lost.recoveryKeyId })))
          tried.push(await store({ ...backupOf(page, share, page), certificate: lost.host.certificate }))
        },
      })
      expect(tried).toMatchObject([{ tag: 'NotFound' }, { tag: 'NotFound' }, { tag: 'InvalidKeyShare' }])
      expect(value(await lost.host.as({}, listRecoveryPublicKeys(lost.user.userId))).map(({ id }) => id)).toEqual([
        lost.recoveryKeyId,
      ])
      expect(value(await page.as({}, listRecoveryPublicKeys(lost.user.userId))).map(({ id }) => id)).toEqual([
        page.recoveryKeyId,
      ])
    })

    it('are complete for the recovery when they are prepared, and for no other session', async () => {
      const lost = await makeLost()
      const [key] = lost.keys as [WalletKey]
      const page = await certified(lost)
      await renew(page, key)
      const [attempt] = await rowsOf('refreshes', { wallet_id: key.walletId })
      for (const protocolId of [String(attempt?.['protocol_id']), undefined]) {
        const ask = getRefreshDone(lost.user.userId, key.walletId, protocolId)
        expect(value(await page.as({}, ask))).toEqual({ isDone: true })
        expect(value(await lost.host.as({}, ask))).toEqual({ isDone: false })
      }
      const again = await certified(lost)
      const latest = getRefreshDone(lost.user.userId, key.walletId, undefined)
      expect(value(await again.as({}, latest))).toEqual({ isDone: false })
    })

    it('are deleted with the logout of the session that made them, and so is its credential', async () => {
      const lost = await makeLost()
      const [key] = lost.keys as [WalletKey]
      const before = await storedState(lost.user)
      const page = await certified(lost)
      await renew(page, key)

      value(await page.as({}, sessions.logout()))

      expect(await rowsOf('recoveries', { session_id: page.sessionId })).toMatchObject([{ state: 'CANCELLED' }])
      expect(await rowsOf('passwords', { id: page.passwordId })).toEqual([])
      expect(await rowsOf('recovery_public_keys', { id: page.recoveryKeyId })).toEqual([])
      expect(await rowsOf('provider_shares', { wallet_id: key.walletId })).toHaveLength(1)
      expect(await rowsOf('refreshes', { wallet_id: key.walletId })).toMatchObject([{ state: 'ABORTED' }])
      expect(await storedState(lost.user)).toEqual(before)
    })

    it('cannot be confirmed after their recovery was cancelled', async () => {
      const lost = await makeLost()
      const [key] = lost.keys as [WalletKey]
      const page = await certified(lost)
      const before = await storedState(lost.user)
      const refused = await renew(page, key, {
        beforeConfirm: async (share) => {
          value(await stage(page, share))
          value(await lost.host.as({}, recoveries.cancelRecovery()))
        },
      })

      expect(refused).toMatchObject({ kind: 'refused', tag: 'NoSignedInUser' })
      expect(await finish(page, key)).toMatchObject({ tag: 'NoSignedInUser' })
      expect(await storedState(lost.user)).toEqual(before)
      expect(isSigned(await lost.host.device.sign(key, hello), key)).toBe(true)
    })
  })

  describe('a mailbox without the recovery secret', () => {
    it('sees wallets and ciphertexts under the recovery key, and nothing else', async () => {
      const lost = await makeLost()
      const [key] = lost.keys as [WalletKey]
      const { page, answer } = await proven(lost)
      const { userId } = lost.user
      const list = (walletId: string, type = 'USER', encryptor = 'RECOVERY') =>
        page.as({}, listRecoveryKeyShares(userId, walletId, { type, encryptor }))

      expect(answer.wallets).toMatchObject([{ wallet: { id: key.walletId }, partnerName: 'Shop' }])
      expect(value(await page.as({}, listWallets(userId))).map(({ id }) => id)).toEqual([key.walletId])
      const found = value(await list(key.walletId))
      expect(found.map(({ share }) => share.keyRef)).toEqual([lost.recoveryKeyId])
      expect(await list(key.walletId, 'USER', 'PASSWORD')).toMatchObject({ tag: 'InvalidKeyShare' })
      expect(await list(key.walletId, 'RECOVERY')).toMatchObject({ tag: 'InvalidKeyShare' })
      expect(await list((await makeLost()).keys[0]?.walletId ?? '')).toMatchObject({ tag: 'WalletDoesNotExist' })
      expect(value(await page.as({}, listRecoveryPublicKeys(userId)))).toEqual([])
    })

    it('can neither refresh nor sign, whatever credential it makes', async () => {
      const lost = await makeLost()
      const [key] = lost.keys as [WalletKey]
      const before = await storedState(lost.user)
      const { page: unequipped } = await proven(lost)
      expect(await unequipped.device.sign(key, hello)).toMatchObject({ tag: 'NoSignedInUser' })
      expect(await unequipped.device.refresh(key.share, randomUUID())).toMatchObject({ tag: 'DeviceNotCertified' })

      const page = await certified(lost)
      expect(await page.device.sign(key, hello)).toMatchObject({ tag: 'NoSignedInUser' })
      const { protocolId } = value(await page.as({}, refreshKeys(lost.user.userId, key.walletId)))
      // A request with all but the proof of the user's half, which needs the half itself.
      const proofAt = 64
      const ended = await page.device.refresh(key.share, protocolId, {
        rootPublicKey: page.user.rootPublicKey,
        meddle: (_, frame) => {
          const body = Uint8Array.from(frame.body)
          body.set(randomBytes(32), proofAt)
          return page.device.signFrame({ ...frame, body })
        },
      })
      expect(ended).toEqual({ kind: 'stopped', status: 'ABORT' })
      expect(await finish(page, key)).toMatchObject(outOfDate)
      expect(await storedState(lost.user)).toEqual(before)
      const [attempt] = await rowsOf('refreshes', { wallet_id: key.walletId })
      expect(attempt).toMatchObject({ state: 'ABORTED' })
      expect(attempt?.['updated_at']).toBeLessThanOrEqual(world.now())
    })

    it('holds up no refresh of the owner’s device, begun or not, and is held up by one', async () => {
      const lost = await makeLost()
      const [{ share, walletId }] = lost.keys as [WalletKey]
      const page = await certified(lost)
      const begin = (by: SignedIn) => by.as({}, refreshKeys(lost.user.userId, walletId))
      const bucketsOf = async () => (await rowsOf('rate_limits', { key: lost.user.userId })).map((row) => row['bucket'])

      value(await begin(page))
      expect(await bucketsOf()).not.toContain('refreshes')
      value(await begin(lost.host))
      expect(await begin(page)).toMatchObject({ kind: 'refused', tag: 'AnotherRunInProgress' })
      world.advance(refreshLimits.lease)
      const { protocolId } = value(await begin(page))
      const owners: Ended[] = []
      const pages = await page.device.refresh(share, protocolId, {
        rootPublicKey: page.user.rootPublicKey,
        beforeConfirm: async () => {
          expect(await bucketsOf()).not.toContain('protocol.refresh')
          const own = value(await begin(lost.host)).protocolId
          owners.push(await lost.host.device.refresh(share, own, { beforeConfirm: stageOf(lost) }))
        },
      })

      expect(pages).toMatchObject(outOfDate)
      const [made] = owners.map((ended) => keyOf(ended)) as [WalletKey]
      expect(isSigned(await lost.host.device.sign(made, hello), made)).toBe(true)
    })

    it('uses up none of the owner’s setups, however often it tries', async () => {
      const lost = await makeLost(['EVM'])
      const [key] = lost.keys as [WalletKey]
      const page = await certified(lost)
      for (let tried = 0; tried < runLimits.failedSetups; tried++) {
        const { protocolId } = value(await page.as({}, refreshKeys(lost.user.userId, key.walletId)))
        const ended = await page.device.refresh(key.share, protocolId, {
          rootPublicKey: page.user.rootPublicKey,
          meddle: (request, frame) => {
            const message = firstRequest.decode(frame.body)
            if (message === undefined) return request
            const { length } = message.shareProof
            const shareProof = message.shareProof.map((byte, index) => (index === length - 1 ? byte ^ 1 : byte))
            return page.device.signFrame({ ...frame, body: firstRequest.encode({ ...message, shareProof }) })
          },
        })
        expect(ended).toEqual({ kind: 'stopped', status: 'ABORT' })
      }

      expect(await world.run(Effect.flatMap(Runs, (runs) => runs.failedSetups(key.walletId, 0)))).toBe(0)
      expect((await lost.host.device.attach(key.share)).kind).toBe('done')
    })
  })

  describe('a writer of the database', () => {
    it('cannot activate a half of another sharing', async () => {
      const lost = await makeLost()
      const [key] = lost.keys as [WalletKey]
      const page = await certified(lost)
      await renew(page, key)
      const before = await storedState(lost.user)
      const shareId = bytesToHex(randomBytes(32))

      await write(sql`update refreshes set share_id = ${shareId} where wallet_id = ${key.walletId}`)
      expect(await finish(page, key)).toMatchObject(outOfDate)
      const currentId = bytesToHex(key.share.shareId)
      await write(sql`update refreshes set share_id = ${currentId} where wallet_id = ${key.walletId}`)
      expect(await finish(page, key)).toMatchObject(outOfDate)
      expect(await storedState(lost.user)).toEqual(before)
    })

    it('cannot certify a device by an own root key: the sealed half pins the genuine one', async () => {
      const lost = await makeLost()
      const [key] = lost.keys as [WalletKey]
      const page = await certified(lost)
      const made = keyOf(await renew(page, key))
      const root = randomBytes(32)
      const writer = { userId: lost.user.userId, root, rootPublicKey: RootKey.publicKeyOf(root) }
      const rootPublicKey = bytesToHex(writer.rootPublicKey)
      const credential = JSON.stringify({ kind: 'PASSWORD', id: page.passwordId, rootPublicKey })
      await write(sql`update recoveries set credential = ${credential} where session_id = ${page.sessionId}`)
      value(await finish(page, key))

      const device = await signIn(world, writer, shop)
      const stolen = { ...made, share: { ...made.share, rootPublicKey: writer.rootPublicKey } }

      expect(await device.device.sign(stolen, hello)).toEqual({ kind: 'stopped', status: 'ABORT' })
      expect(hexToBytes((await rowsOf('wallets', { id: key.walletId }))[0]?.['root_public_key'] as string)).toEqual(
        writer.rootPublicKey,
      )
    })
  })

  describe('at the same moment', () => {
    it('a login with the old credential does not outlive the end of a recovery', async () => {
      const lost = await makeLost()
      const [key] = lost.keys as [WalletKey]
      const logins = await Promise.all([1, 2, 3].map(() => beginSession(world, lost.user, shop)))
      const pages = await Promise.all(logins.map((login) => openLogin(world, login, shop, lost.user.userId)))
      const recovery = await certified(lost)
      await renew(recovery, key)
      const attempts = pages.map(({ id, as }, index) =>
        as(
          commits.commit(id, {
            userId: lost.user.userId,
            currentWalletIds: {},
            needsWallet: false,
            deviceCertificate: logins[index]?.certificate ?? null,
            sealedResult: null,
            credential: null,
          }),
        ),
      )

      const [end, ...ends] = await Promise.all([finish(recovery, key), ...attempts])

      value(end)
      for (const one of ends) expect(one.kind === 'success' || one.tag === 'LinkExpired').toBe(true)
      const sessions = await rowsOf('sessions', { user_id: lost.user.userId })
      expect(new Set(sessions.map(({ state }) => state))).toEqual(new Set(['CLOSED']))
    })

    it('a page that proved the old credential before the end cannot commit after it', async () => {
      const lost = await makeLost()
      const [key] = lost.keys as [WalletKey]
      const login = await beginSession(world, lost.user, shop)
      const page = await openLogin(world, login, shop, lost.user.userId)
      const recovery = await certified(lost)
      await renew(recovery, key)
      value(await finish(recovery, key))

      const commit = commits.commit(page.id, {
        userId: lost.user.userId,
        currentWalletIds: {},
        needsWallet: false,
        deviceCertificate: bytesToHex(
          RootKey.certifyDevice(recovery.user.root, {
            userId: lost.user.userId,
            partnerId: shop.id,
            origin: 'http://shop.localhost',
            sessionId: login.sessionId,
            devicePublicKey: login.device.publicKey,
            issuedAt: world.now(),
            expiresAt: world.now() + 60_000,
          }),
        ),
        sealedResult: null,
        credential: null,
      })
      expect(await page.as(commit)).toMatchObject({ kind: 'refused', tag: 'LinkExpired' })
      // Whatever any clock says.
      expect(await rowsOf('openings', { id: page.id })).toMatchObject([{ state: 'CLOSED' }])
    })

    it('a clock that was a day ahead at the end refuses no login once it is set back', async () => {
      const lost = await makeLost()
      const [key] = lost.keys as [WalletKey]
      const recovery = await certified(lost)
      await renew(recovery, key)
      value(await finish(recovery, key))
      await write(sql`update users set recovered_at = ${world.now() + 86_400_000} where id = ${lost.user.userId}`)
      const login = await beginSession(world, recovery.user, shop)
      const page = await openLogin(world, login, shop, lost.user.userId)

      const commit = commits.commit(page.id, {
        userId: lost.user.userId,
        currentWalletIds: {},
        needsWallet: false,
        deviceCertificate: login.certificate,
        sealedResult: null,
        credential: null,
      })
      expect(await page.as(commit)).toMatchObject({ kind: 'success' })
    })

    it('a refresh of the old device and the end: one of them takes effect, with both halves', async () => {
      const lost = await makeLost()
      const [key] = lost.keys as [WalletKey]
      const recovery = await certified(lost)
      const made = keyOf(await renew(recovery, key))
      const { protocolId } = value(await lost.host.as({}, refreshKeys(lost.user.userId, key.walletId)))
      let ended: Awaited<ReturnType<typeof finish>> | undefined
      const refreshed = await lost.host.device.refresh(key.share, protocolId, {
        beforeConfirm: async ({ share }) => {
          if (share === undefined) return
          const refs = [lost, { recoveryPublicKeyId: lost.recoveryKeyId }]
          value(
            await lost.host.as(
              {},
              createKeyShares(
                lost.user.userId,
                refs.map((to) => backupOf(lost.host, share, to)),
              ),
            ),
          )
        },
        meddle: (request, { operation }) => {
          if (operation === 'CONFIRM') void finish(recovery, key).then((outcome) => (ended = outcome))
          return request
        },
      })
      await expect.poll(() => ended?.kind).toBeDefined()

      const isRecovered = ended?.kind === 'success'
      expect(refreshed.kind === 'done').toBe(!isRecovered)
      const [device, share] = isRecovered
        ? [await signIn(world, recovery.user, shop), made]
        : [lost.host, keyOf(refreshed)]
      expect(isSigned(await device.device.sign(share, hello), share)).toBe(true)
    })
  })
})

it('what follows the end of recoveries is done for those after one for which it fails, and the failure is told', async () => {
  const destroyed: string[] = []
  const ended = ['first', 'second', 'third'].map((walletId) => ({
    sessionId: walletId,
    walletIds: [walletId],
    finishedIds: [walletId],
  }))
  const layer = Layer.mergeAll(
    Layer.mock(Recoveries, { finished: () => Effect.succeed(ended as unknown as readonly RecoveryRecord[]) }),
    Layer.mock(Refreshes, { concluded: (walletId) => Effect.succeed(Option.some({ shareId: walletId } as Prepared)) }),
    Layer.mock(Wallets, {}),
    Layer.mock(Watermarks, {
      raise: (name) => (name === epochWatermark('first') ? Effect.die(new Error('damaged')) : Effect.void),
    }),
    Layer.mock(ShareKeys, {
      epochOf: () => Effect.succeed(2),
      destroyOthers: ({ walletId }) => Effect.sync(() => void destroyed.push(walletId)),
    }),
  )

  await expect(Effect.runPromise(Effect.provide(finishedRecoveries.sweep(0), layer))).rejects.toThrow('damaged')
  expect(destroyed).toEqual(['second', 'third'])
})
