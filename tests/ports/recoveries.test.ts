/** The records of recoveries, and what they replace: the same suite on each database. */
import { randomBytes, randomUUID } from 'node:crypto'
import { bytesToHex } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Database } from '../../adapters/service/database/Database.ts'
import { migrate } from '../../adapters/service/database/migrations/index.ts'
import type { PasskeyCompletion, PasswordCompletion } from '../../domain/service/Credential.ts'
import type { PartnerRecord } from '../../domain/service/Partner.ts'
import { EncryptedWalletPrivateKeys } from '../../domain/service/ports/EncryptedWalletPrivateKeys.ts'
import { KeyShares } from '../../domain/service/ports/KeyShares.ts'
import { Passkeys } from '../../domain/service/ports/Passkeys.ts'
import { Passwords } from '../../domain/service/ports/Passwords.ts'
import { PinnedRoots } from '../../domain/service/ports/PinnedRoots.ts'
import { ProviderShares } from '../../domain/service/ports/ProviderShares.ts'
import { Recoveries } from '../../domain/service/ports/Recoveries.ts'
import { RecoveryPublicKeys } from '../../domain/service/ports/RecoveryPublicKeys.ts'
import { Refreshes } from '../../domain/service/ports/Refreshes.ts'
import { Sessions } from '../../domain/service/ports/Sessions.ts'
import { Users } from '../../domain/service/ports/Users.ts'
import { Wallets } from '../../domain/service/ports/Wallets.ts'
import type { RefreshRecord } from '../../domain/service/Refresh.ts'
import { makePartner, makeUser, putWallet, startWorld, type TestUser, type World } from '../kit/cosignerWorld.ts'
import { onEachDatabase } from '../kit/database.ts'
import { keyShareOf } from '../kit/keyShare.ts'

/** A day ahead, so that the scheduled cleanup leaves these rows while the suite runs. */
const later = Date.now() + 24 * 60 * 60_000

const hex = (length = 32) => bytesToHex(randomBytes(length))

onEachDatabase((makeDatabase) => {
  let world: World
  let partner: PartnerRecord
  let user: TestUser
  const run: World['run'] = (flow) => world.run(flow)

  beforeAll(async () => {
    world = await startWorld({ database: makeDatabase(), configuration: { roles: ['api'] } })
    partner = await makePartner(world)
    user = await makeUser(world)
  })
  afterAll(() => world.stop())

  const begun = (changes: { readonly userId?: string; readonly expiresAt?: number } = {}) => ({
    sessionId: randomUUID(),
    userId: randomUUID(),
    createdAt: later,
    expiresAt: later + 100,
    ...changes,
  })
  const credential = { kind: 'PASSWORD', id: 'a password', rootPublicKey: hex() } as const

  describe('recoveries', () => {
    it('take each step once', async () => {
      const recoveries = await run(Recoveries)
      const recovery = begun()
      const { sessionId } = recovery
      const find = async () => Option.getOrUndefined(await run(recoveries.find(sessionId)))
      const fresh = { ...recovery, state: 'INITIATED', credential: null, walletIds: [], finishedIds: [] } as const
      const ready = { walletIds: ['one', 'two'], expiresAt: later + 200 }

      await run(recoveries.begin(recovery))
      expect(await find()).toEqual(fresh)
      expect(await run(recoveries.setCredential(sessionId, credential))).toBe(false)
      expect(await run(recoveries.ready(sessionId, randomUUID(), ready))).toBe(false)
      expect(await run(recoveries.ready(sessionId, recovery.userId, ready))).toBe(true)
      expect(await run(recoveries.ready(sessionId, recovery.userId, ready))).toBe(false)
      expect(await run(recoveries.setCredential(sessionId, credential))).toBe(true)
      expect(await run(recoveries.setCredential(sessionId, credential))).toBe(false)
      await run(recoveries.setFinishedIds(sessionId, ['two']))
      expect(await find()).toEqual({ ...fresh, ...ready, credential, finishedIds: ['two'], state: 'READY' })
      expect(await run(recoveries.end(sessionId, 'FINISHED'))).toBe(true)
      expect(await run(recoveries.end(sessionId, 'CANCELLED'))).toBe(false)
      expect((await find())?.state).toBe('FINISHED')

      await run(recoveries.begin({ ...recovery, createdAt: later + 3 }))
      expect(await find()).toEqual({ ...fresh, createdAt: later + 3 })
    })

    it('end once for simultaneous requests', async () => {
      const recoveries = await run(Recoveries)
      const recovery = begun()
      await run(recoveries.begin(recovery))
      const ends = (['CANCELLED', 'EXPIRED', 'CANCELLED', 'EXPIRED'] as const).map((state) =>
        recoveries.end(recovery.sessionId, state),
      )

      expect((await run(Effect.all(ends, { concurrency: 'unbounded' }))).filter(Boolean)).toHaveLength(1)
    })

    it('are listed by user while they are open, and by time when they were abandoned', async () => {
      const recoveries = await run(Recoveries)
      const userId = randomUUID()
      const [over, left, going] = [begun({ userId }), begun({ userId, expiresAt: later + 50 }), begun({ userId })]
      for (const one of [over, left, going]) await run(recoveries.begin(one))
      await run(recoveries.end(over.sessionId, 'CANCELLED'))
      const idsOf = (found: readonly { readonly sessionId: string }[]) => found.map(({ sessionId }) => sessionId)

      expect(idsOf(await run(recoveries.unfinishedOfUser(userId)))).toEqual([left.sessionId, going.sessionId].sort())
      expect(idsOf(await run(recoveries.expired(later + 60)))).toEqual([left.sessionId])
      await run(recoveries.sweep(later + 1_000))
      expect(Option.isNone(await run(recoveries.find(over.sessionId)))).toBe(true)
      expect(Option.isSome(await run(recoveries.find(left.sessionId)))).toBe(true)
    })

    it('keep their session only for as long as they are open', async () => {
      const [recoveries, sessions] = [await run(Recoveries), await run(Sessions)]
      const id = randomUUID()
      const session = { id, lookupId: randomUUID(), partnerId: partner.id, origin: null, userId: null, identity: null }
      await run(sessions.create({ ...session, state: 'NEW', userProven: false, now: 1 }, hex()))
      await run(recoveries.begin({ ...begun(), sessionId: id }))
      const held = async () => Option.getOrUndefined(await run(sessions.find(id)))?.heldUntil

      expect(await held()).toBe(later + 100)
      await run(recoveries.end(id, 'CANCELLED'))
      expect(await held()).toBeNull()
    })
  })

  describe('the objects that a recovery makes and ends', () => {
    it('include a password that is valid once it is released, and old passwords that are deleted', async () => {
      const passwords = await run(Passwords)
      const of = { userId: user.userId, partnerId: partner.id, salt: '00', expiresAt: later, now: 1 }
      const make = async () => {
        const id = randomUUID()
        const pepper = randomBytes(32)
        await run(passwords.create({ ...of, id, sessionId: randomUUID(), sealedPepper: Uint8Array.from(pepper) }))
        return { id, pepper: bytesToHex(pepper), completion: passwordCompletion() }
      }
      const [old, made, left] = [await make(), await make(), await make()]
      await run(passwords.complete(old.id, old.completion))
      expect(await run(passwords.stage(made.id, made.completion))).toBe(true)
      expect(await run(passwords.stage(made.id, made.completion))).toBe(false)
      const idsOf = async () => (await run(passwords.ofUser(user.userId))).map(({ id }) => id)
      expect(await idsOf()).toEqual([old.id])

      expect(await run(passwords.release(old.id))).toBe(false)
      expect(await run(passwords.release(made.id))).toBe(true)
      await run(passwords.revokeOthers(user.userId, made.id))

      expect(await idsOf()).toEqual([made.id])
      const { completion, ...revoked } = Option.getOrThrow(await run(passwords.find(old.id)))
      expect([revoked.status, completion]).toEqual(['REVOKED', null])
      expect(Option.getOrThrow(await run(passwords.find(left.id))).status).toBe('REVOKED')
      const rest = JSON.stringify((await world.dump())['passwords'])
      const secrets = [old.pepper, left.pepper, bytesToHex(old.completion.sealedVerifier)]
      expect(secrets.filter((secret) => rest.includes(secret))).toEqual([])
      expect(rest).toContain(made.pepper)
    })

    it('include a passkey likewise, and free the credential ids of the old ones', async () => {
      const passkeys = await run(Passkeys)
      const make = async (sessionId = randomUUID()) => {
        const id = randomUUID()
        const of = { id, userId: user.userId, partnerId: partner.id, sessionId, type: 'WEB' } as const
        await run(passkeys.create({ ...of, expiresAt: later, now: 1 }))
        return { id, sessionId }
      }
      const [old, made] = [await make(), await make()]
      const lost = passkeyCompletion()
      await run(passkeys.complete(old.id, lost))
      expect(await run(passkeys.stage(made.id, lost))).toBe(false)
      expect(await run(passkeys.stage(made.id, passkeyCompletion()))).toBe(true)
      expect(await run(passkeys.release(made.id))).toBe(true)
      await run(passkeys.revokeOthers(user.userId, made.id))

      expect(Option.isNone(await run(passkeys.findByCredentialId(lost.credentialId)))).toBe(true)
      const another = await make()
      expect(await run(passkeys.stage(another.id, lost))).toBe(true)
      const late = await make(another.sessionId)
      await make(another.sessionId)
      expect(Option.isNone(await run(passkeys.find(late.id)))).toBe(true)
      expect(Option.getOrThrow(await run(passkeys.find(another.id))).status).toBe('STAGED')
      await run(passkeys.removeUnfinished(another.sessionId))
      expect(Option.isNone(await run(passkeys.find(another.id)))).toBe(true)
      expect(Option.getOrThrow(await run(passkeys.find(made.id))).status).toBe('COMPLETE')
    })

    it('include a recovery key that only the recovery sees until it replaces the others', async () => {
      const keys = await run(RecoveryPublicKeys)
      const userId = randomUUID()
      const key = () => ({ id: randomUUID(), userId, publicKey: hex(64), signature: hex(64), createdAt: 1 })
      const [old, made, others] = [key(), key(), key()]
      await run(keys.add(old))
      await run(keys.add(made, 'recovery'))
      await run(keys.add({ ...made, id: randomUUID() }))
      await run(keys.add(others, 'another recovery'))

      expect(await run(keys.ofUser(userId))).toEqual([old])
      expect(await run(keys.ofRecovery(userId, 'recovery'))).toEqual([made])
      await run(keys.removeOfRecovery(userId, 'another recovery'))
      expect(await run(keys.ofRecovery(userId, 'another recovery'))).toEqual([])
      await run(keys.add(others, 'another recovery'))
      await run(keys.replace(userId, 'recovery'))
      expect(await run(keys.ofUser(userId))).toEqual([made])
      expect(await run(keys.ofRecovery(userId, 'another recovery'))).toEqual([])
    })

    it('include the root key of the user and of each wallet', async () => {
      const [users, pinned, wallets] = [await run(Users), await run(PinnedRoots), await run(Wallets)]
      const { walletId, shareId } = await putWallet(world, user, partner, 'EVM')
      const [rootPublicKey, next] = [hex(), hex()]
      await run(pinned.pin(user.userId, hex(), 1))

      await run(pinned.replace(user.userId, rootPublicKey, 2))
      await run(users.setRecovered(user.userId, rootPublicKey, 7))
      expect(await run(wallets.advance(walletId, shareId, { epoch: 2, shareId: next }, 1))).toBe(true)
      const before = Option.getOrThrow(await run(wallets.find(walletId)))
      expect(before.rootPublicKey).toBe(bytesToHex(user.rootPublicKey))
      expect(await run(wallets.advance(walletId, next, { epoch: 3, shareId: hex(), rootPublicKey }, 1))).toBe(true)

      expect(await run(pinned.find(user.userId))).toEqual(Option.some(rootPublicKey))
      expect(Option.getOrThrow(await run(users.find(user.userId)))).toMatchObject({ rootPublicKey, recoveredAt: 7 })
      expect(Option.getOrThrow(await run(wallets.find(walletId)))).toEqual({
        ...before,
        epoch: 3,
        shareId: expect.any(String) as string,
        rootPublicKey,
      })
    })

    it('include sharings that are kept beside the others until they are concluded or given up', async () => {
      const refreshes = await run(Refreshes)
      const walletId = randomUUID()
      const attempt = (protocolId: string): RefreshRecord => ({
        walletId,
        protocolId,
        sessionId: 'session',
        baseShareId: 'aa',
        shareId: null,
        state: 'LIVE',
        createdAt: 1,
      })
      const [made, dropped] = [attempt('made'), attempt('dropped')]
      for (const one of [made, dropped]) {
        await run(refreshes.begin(one))
        expect(await run(refreshes.prepare(one, one.protocolId, 2))).toBe(true)
        expect(await run(refreshes.prepare(one, one.protocolId, 2))).toBe(false)
      }
      expect(await run(refreshes.commit(made, 'cc', 3))).toBe(false)
      expect(await run(refreshes.prepared(walletId))).toEqual([
        { ...dropped, state: 'PREPARED', shareId: 'dropped' },
        { ...made, state: 'PREPARED', shareId: 'made' },
      ])
      expect(Option.isNone(await run(refreshes.latest(walletId)))).toBe(true)

      expect(await run(refreshes.conclude(made, 4))).toBe(true)
      expect(await run(refreshes.conclude(made, 4))).toBe(false)
      await run(refreshes.abort(dropped, 4))

      expect(await run(refreshes.prepared(walletId))).toEqual([])
      const found = await Promise.all([made, dropped].map((one) => run(refreshes.find(one))))
      expect(found.map(Option.getOrThrow)).toEqual([
        { ...made, state: 'ACKNOWLEDGED', shareId: 'made' },
        { ...dropped, state: 'ABORTED' },
      ])
    })

    it('include halves and backups that are deleted only with their sharing', async () => {
      const [provided, backups] = [await run(ProviderShares), await run(KeyShares)]
      const { walletId } = await putWallet(world, user, partner, 'SOLANA')
      const bytes = new Uint8Array(1)
      for (const [shareId, epoch] of [
        ['aa', 1],
        ['bb', 2],
        ['cc', 2],
        ['dd', 3],
      ] as const) {
        await run(provided.put({ walletId, epoch, shareId, sealed: bytes, capsule: bytes }, 1))
        await run(backups.add(keyShareOf({ walletId, epoch, shareId })))
      }
      const there = async () => {
        const ids = ['aa', 'bb', 'cc', 'dd']
        const halves = await Promise.all(ids.map((id) => run(provided.find(walletId, id))))
        const ciphertexts = await Promise.all(ids.map((id) => run(backups.ofWallet(walletId, id))))
        return ids.map((id, index) => [id, Option.isSome(halves[index] ?? Option.none()), ciphertexts[index]?.length])
      }

      await run(provided.remove(walletId, 'cc'))
      await run(backups.remove(walletId, 'cc'))
      expect(await there()).toEqual([
        ['aa', true, 1],
        ['bb', true, 1],
        ['cc', false, 0],
        ['dd', true, 1],
      ])
      await run(provided.removeOthers(walletId, ['bb', 'dd']))
      await run(backups.stageOnly(walletId, 1, ['bb', 'dd']))
      expect(await there()).toEqual([
        ['aa', false, 1],
        ['bb', true, 1],
        ['cc', false, 0],
        ['dd', true, 1],
      ])
    })

    it('include a wrapped key, which replaces all others', async () => {
      const [keys, passwords] = [await run(EncryptedWalletPrivateKeys), await run(Passwords)]
      const passkeys = await run(Passkeys)
      const { userId } = await makeUser(world)
      const record = () => ({ id: randomUUID(), userId, partnerId: partner.id, sessionId: randomUUID() })
      const key = (of: { readonly passkeyId?: string; readonly passwordId?: string }) => ({
        id: randomUUID(),
        userId,
        encryptedPrivateKey: `v2.${hex()}`,
        encryptionKeyHash: hex(),
        biometricPublicKey: of.passkeyId === undefined ? null : hex(),
        passkeyId: of.passkeyId ?? null,
        passwordId: of.passwordId ?? null,
        createdAt: 1,
      })
      const [password, lost, made, left] = [record(), record(), record(), record()]
      await run(passwords.create({ ...password, salt: '00', sealedPepper: randomBytes(32), expiresAt: later, now: 1 }))
      for (const one of [lost, made, left]) {
        await run(passkeys.create({ ...one, type: 'WEB', expiresAt: later, now: 1 }))
      }
      const ofMade = key({ passkeyId: made.id })
      for (const one of [key({ passwordId: password.id }), key({ passkeyId: lost.id }), key({ passkeyId: left.id })]) {
        expect(await run(keys.put(one))).toEqual(one)
      }
      await run(keys.put(ofMade))
      const newer = key({ passkeyId: made.id })
      const { id, createdAt } = ofMade

      expect(await run(keys.put({ ...newer, createdAt: 2 }))).toEqual({ ...newer, id, createdAt })
      expect(Option.getOrThrow(await run(keys.ofPasskey(made.id)))).toEqual({ ...newer, id, createdAt })
      expect(await run(keys.ofUser(userId))).toHaveLength(4)
      await run(passkeys.removeUnfinished(left.sessionId))
      expect(Option.isNone(await run(keys.ofPasskey(left.id)))).toBe(true)
      await run(keys.removeOthers(userId, made.id))
      expect(await run(keys.ofUser(userId))).toEqual([{ ...newer, id, createdAt }])
      expect(await run(keys.ofUser(randomUUID()))).toEqual([])
    })

    it('include the newest of each wrapped key that was stored before keys belonged to records', async () => {
      const { root } = await run(Database)
      const [passwords, passkeys] = [await run(Passwords), await run(Passkeys)]
      const { userId } = await makeUser(world)
      const record = () => ({ id: randomUUID(), userId, partnerId: partner.id, sessionId: randomUUID() })
      const [password, passkey] = [record(), record()]
      const completion = passkeyCompletion()
      await run(passwords.create({ ...password, salt: '00', sealedPepper: randomBytes(32), expiresAt: later, now: 1 }))
      await run(passkeys.create({ ...passkey, type: 'WEB', expiresAt: later, now: 1 }))
      await run(passkeys.complete(passkey.id, completion))
      const back = `
        alter table encrypted_wallet_private_keys drop column passkey_id cascade;
        alter table encrypted_wallet_private_keys drop constraint encrypted_wallet_private_keys_pkey;
        alter table encrypted_wallet_private_keys drop constraint encrypted_wallet_private_keys_password_id_key;
        alter table encrypted_wallet_private_keys drop constraint encrypted_wallet_private_keys_password_id_fkey;
        delete from encrypted_wallet_private_keys;
        alter table encrypted_wallet_private_keys add column digest text not null;
        alter table encrypted_wallet_private_keys add primary key (user_id, digest);
        delete from kysely_migration where name like '109 %'`
      for (const statement of back.split(';')) await sql.raw(statement).execute(root)
      const stored = async (biometric: string | null, passwordId: string | null, createdAt: number) => {
        const id = randomUUID()
        const row = sql`${userId}, ${id}, ${`v2.${createdAt}`}, 'hash', ${biometric}, ${passwordId}, ${createdAt}, ${hex()}`
        await sql`insert into encrypted_wallet_private_keys values (${row})`.execute(root)
        return id
      }
      await stored(completion.sigDerivedPublicKey, null, 1)
      const ofPasskey = await stored(completion.sigDerivedPublicKey, null, 3)
      await stored(completion.sigDerivedPublicKey, null, 2)
      await stored('never completed', null, 4)
      const ofPassword = await stored(null, password.id, 5)
      await stored(null, 'gone', 6)

      await migrate(root)

      expect(await run(Effect.flatMap(EncryptedWalletPrivateKeys, (keys) => keys.ofUser(userId)))).toMatchObject([
        { id: ofPassword, passwordId: password.id, passkeyId: null },
        { id: ofPasskey, passwordId: null, passkeyId: passkey.id, biometricPublicKey: completion.sigDerivedPublicKey },
      ])
    })
  })
})

const root = () => ({ rootPublicKey: hex(), wrappedRootKey: 'v2.cm9vdA', rootSignature: hex(64) })

const passwordCompletion = (): PasswordCompletion => ({
  ...root(),
  sigDerivedPublicKey: hex(),
  salt: hex(16),
  kdf: { algorithm: 'argon2id', memoryKiB: 65_536, iterations: 3, parallelism: 1 },
  encryptedWalletPrivateKey: 'v2.d3JhcHBlZA',
  encryptionKeyHash: hex(),
  sealedVerifier: Uint8Array.from(randomBytes(32)),
})

const passkeyCompletion = (): PasskeyCompletion => ({
  ...root(),
  credentialId: randomUUID(),
  sigDerivedPublicKey: hex(),
  authenticatorKey: Uint8Array.from(randomBytes(77)),
  aaguid: randomUUID(),
  counter: 0,
  rpId: 'portal.localhost',
  variant: 'prf',
})
