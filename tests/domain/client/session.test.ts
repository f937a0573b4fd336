import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { base64 } from '@scure/base'
import { createHash, createPublicKey, verify } from 'node:crypto'
import * as Effect from 'effect/Effect'
import * as Fiber from 'effect/Fiber'
import * as Layer from 'effect/Layer'
import * as Option from 'effect/Option'
import * as Redacted from 'effect/Redacted'
import * as TestClock from 'effect/testing/TestClock'
import { describe, expect, it, vi } from 'vitest'
import { deviceHeader } from '../../../domain/client/deviceHeader.ts'
import { logout, type Logout } from '../../../domain/client/logout.ts'
import { DeviceKeys } from '../../../domain/client/ports/DeviceKeys.ts'
import { Locks } from '../../../domain/client/ports/Locks.ts'
import type { StoredShare } from '../../../domain/client/ports/ShareStore.ts'
import { rememberedIdentity, rememberIdentity } from '../../../domain/client/rememberedIdentity.ts'
import { prepareDeviceKey, prepareLoginKeys, prepareSignUpKeys } from '../../../domain/client/sessionKeys.ts'
import { SessionState } from '../../../domain/client/SessionState.ts'
import { currentSession, serverTime, touch, keepSessionAlive } from '../../../domain/client/touch.ts'
import { exportSession, importSession, type SessionToExport } from '../../../domain/client/transferSession.ts'
import { WalletState } from '../../../domain/client/WalletState.ts'
import * as DeviceKey from '../../../domain/crypto/DeviceKey.ts'
import * as RootKey from '../../../domain/crypto/RootKey.ts'
import { ApiError } from '../../../domain/model/ApiError.ts'
import type { Input, Success } from '../../../generated/handlers.ts'
import { clocked, makeHostStage, silence } from '../../kit/hostStage.ts'
import { listedWallet } from '../../kit/listedWallet.ts'
import { makeShare, pair, partnerId, sessionId, userId } from '../../kit/loginScene.ts'

const touched = (changes: Partial<Success<'touchSession'>> = {}): Success<'touchSession'> => ({
  isAuthenticated: true,
  sessionId,
  sessionLookupId: sessionId,
  partnerId,
  userId,
  currentWalletIds: {},
  needsWallet: false,
  supportedWalletTypes: [{ type: 'EVM' }],
  serverTime: 0,
  ...changes,
})

describe('touch', () => {
  it('is called once for the current session, and sets the service’s clock', async () => {
    const stage = makeHostStage({ touchSession: () => touched({ serverTime: 1_700_000_000_000 }) })

    await clocked(
      stage.layer,
      Effect.gen(function* () {
        yield* TestClock.adjust(5_000)
        yield* currentSession
        yield* currentSession
        yield* TestClock.adjust(1_000)
        expect(yield* serverTime).toBe(1_700_000_001_000)
      }),
    )

    expect(stage.times('touchSession')).toEqual([5_000])
  })

  it('keeps the wallets that a login named as missing, for that session only', async () => {
    const answers = [touched(), touched(), touched({ sessionId: userId })]
    const stage = makeHostStage({ touchSession: () => answers.shift() ?? touched() })

    const missing = await clocked(
      stage.layer,
      Effect.gen(function* () {
        const state = yield* SessionState
        yield* state.set({ ...(yield* touch(false)), missing: ['a wallet'] })
        return [(yield* touch(true)).missing, (yield* touch(true)).missing]
      }),
    )

    expect(missing).toEqual([['a wallet'], []])
  })
})

describe('the device key of a session', () => {
  const withKey = async (answers: readonly Success<'touchSession'>[]) => {
    const left = [...answers]
    const stage = makeHostStage({
      touchSession: () => left.shift() ?? touched(),
      registerSessionKeys: () => ({}),
      logout: () => ({}),
    })
    stage.local.set('@CAPSULE/sessionCookie', 'the token')
    await clocked(stage.layer, Effect.flatMap(touch(false), prepareDeviceKey))
    expect([...stage.keys.keys()]).toEqual([sessionId])
    return stage
  }

  it('is deleted with the key of another session that takes its place, and by no answer of the service', async () => {
    const stage = await withKey([touched(), touched({ sessionId: userId }), touched({ sessionId: userId })])

    const another = await clocked(stage.layer, touch(false))
    const before = [...stage.keys.keys()]
    await clocked(stage.layer, prepareDeviceKey(another))

    expect(before).toEqual([sessionId])
    expect([...stage.keys.keys()]).toEqual([userId])
  })

  it('is kept where all tabs have its session by now, although a duplicate of the tab that logged in begins another login', async () => {
    const stage = await withKey([touched(), touched({ sessionId: userId })])
    stage.session.set('@CAPSULE/tandem/session', 'the token of before')
    stage.session.set('@CAPSULE/tandem/device', sessionId)

    await clocked(stage.layer, Effect.flatMap(touch(false), prepareDeviceKey))

    expect([...stage.keys.keys()]).toEqual([sessionId, userId])
    expect(stage.session.get('@CAPSULE/tandem/device')).toBe(userId)
  })

  it('is deleted by a logout before the session was looked up', async () => {
    const stage = await withKey([])

    await clocked(stage.layer, logout())

    expect(stage.times('touchSession')).toHaveLength(1)
    expect([stage.keys.size, stage.local.size]).toEqual([0, 0])
  })

  it('is deleted by the next login where the browser refused that at a logout, which takes the token all the same', async () => {
    const stage = await withKey([touched(), touched({ sessionId: userId })])
    const deletes = vi.spyOn(stage.keys, 'delete').mockImplementation(() => {
      throw new Error('IndexedDB does not open')
    })

    await clocked(stage.layer, logout())

    expect([...stage.local.keys()]).toEqual(['@CAPSULE/tandem/device'])
    expect(stage.times('logout')).toHaveLength(1)
    deletes.mockRestore()
    await clocked(stage.layer, Effect.flatMap(touch(false), prepareDeviceKey))
    expect([...stage.keys.keys()]).toEqual([userId])
  })
})

describe('a signature over a request', () => {
  const body = new TextEncoder().encode('{"page":"review"}')
  const request = { method: 'POST', target: '/openings/1/ticket?a=b', body }

  /** T of flows, written out: u32 length and bytes of the tag, the number of fields, and each field. */
  const transcript = (tag: string, ...fields: readonly (string | Uint8Array)[]) => {
    const u32 = (value: number) => Uint8Array.of(value >>> 24, value >>> 16, value >>> 8, value)
    const parts = fields.map((field) => (typeof field === 'string' ? Buffer.from(field) : field))
    const framed = parts.flatMap((part) => [u32(part.length), part])
    return createHash('sha256')
      .update(Buffer.concat([u32(tag.length), Buffer.from(tag), u32(fields.length), ...framed]))
      .digest()
  }
  const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest()

  it('is over method, target, the service’s time, session and body, under the session’s device key', async () => {
    const stage = makeHostStage({ touchSession: () => touched({ serverTime: 1_700_000_000_000 }) })

    const header = await clocked(
      stage.layer,
      Effect.gen(function* () {
        yield* touch(false)
        yield* Effect.flatMap(DeviceKeys, ({ create }) => create(sessionId))
        yield* TestClock.adjust(250)
        return Option.getOrThrow(yield* deviceHeader(request))
      }),
    )

    const [keyThumb, ms, signature = ''] = header.split('.')
    const point = hexToBytes(stage.keys.get(sessionId)?.record.publicKey ?? '')
    const spki = Buffer.concat([Buffer.from('3059301306072a8648ce3d020106082a8648ce3d030107034200', 'hex'), point])
    const key = createPublicKey({ key: spki, format: 'der', type: 'spki' })
    const message = transcript('tandem/request/v1', 'POST', request.target, '1700000000250', sessionId, sha256(body))
    expect(keyThumb).toBe(transcript('tandem/device-key/v1', point).toString('hex'))
    expect(ms).toBe('1700000000250')
    expect(verify('sha256', message, { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'hex'))).toBe(true)
  })

  it('is absent before the session is known or has a key', async () => {
    const stage = makeHostStage({ touchSession: () => touched() })

    const headers = await clocked(
      stage.layer,
      Effect.gen(function* () {
        const unknown = yield* deviceHeader(request)
        yield* touch(false)
        return [unknown, yield* deviceHeader(request)]
      }),
    )

    expect(headers.every(Option.isNone)).toBe(true)
  })
})

describe('the keys of a session', () => {
  const registered = (stage: ReturnType<typeof makeHostStage>) =>
    stage.calls
      .filter(({ operation }) => operation === 'registerSessionKeys')
      .map(({ input }) => input as Input<'registerSessionKeys'>)
  const isProven = ({ path, body }: Input<'registerSessionKeys'>) => {
    const devicePublicKey = hexToBytes(body.devicePublicKey)
    const recovery = body.recoveryPublicKey === undefined ? undefined : hexToBytes(body.recoveryPublicKey)
    const message = DeviceKey.sessionKeysMessage({
      sessionId: path.sessionId,
      devicePublicKey,
      loginPublicKey: body.loginPublicKey,
      recoveryPublicKey: recovery,
    })
    return DeviceKey.verify(devicePublicKey, message, hexToBytes(body.proof))
  }

  it('are made once for a login, and found again after a reload', async () => {
    const stage = makeHostStage({ touchSession: () => touched(), registerSessionKeys: () => ({}) }, { pair })

    await clocked(
      stage.layer,
      Effect.gen(function* () {
        const session = yield* currentSession
        expect(yield* prepareLoginKeys(session)).toMatchObject(pair)
        expect(yield* prepareLoginKeys(session)).toMatchObject(pair)
      }),
    )

    const [first, second] = registered(stage)
    expect(first?.body).toMatchObject({ loginPublicKey: pair.publicKey })
    expect(second?.body.devicePublicKey).toBe(first?.body.devicePublicKey)
    expect(registered(stage).map(isProven)).toEqual([true, true])
    expect([...stage.session.keys()]).toEqual(['@CAPSULE/loginEncryptionKeyPair'])
  })

  it.each([
    '{"p":"12"}',
    'not JSON',
    JSON.stringify({ v: 1, sessionId: userId, ...pair, privateKey: Redacted.value(pair.privateKey) }),
  ])('are made again where another client or session left a pair: %s', async (left) => {
    const stage = makeHostStage({ touchSession: () => touched(), registerSessionKeys: () => ({}) }, { pair })
    stage.session.set('@CAPSULE/loginEncryptionKeyPair', left)

    await clocked(stage.layer, Effect.flatMap(currentSession, prepareLoginKeys))

    expect(JSON.parse(stage.session.get('@CAPSULE/loginEncryptionKeyPair') ?? '')).toMatchObject({ sessionId })
  })

  it('include a recovery key at sign-up, the same one when the sign-up is begun again', async () => {
    const stage = makeHostStage({ touchSession: () => touched(), registerSessionKeys: () => ({}) })

    const [first, again, others] = await clocked(
      stage.layer,
      Effect.gen(function* () {
        const session = yield* currentSession
        const prepare = (user: string) => prepareSignUpKeys(session, user)
        return [yield* prepare(userId), yield* prepare(userId), yield* prepare(partnerId)] as const
      }),
    )

    expect(again).toEqual(first)
    expect(Redacted.value(others.secretKey)).not.toBe(Redacted.value(first.secretKey))
    expect(registered(stage).map(isProven)).toEqual([true, true, true])
    expect(registered(stage)[0]?.body.recoveryPublicKey).toBe(first.publicKey)
    expect(JSON.stringify(stage.calls)).not.toContain(Redacted.value(first.secretKey))
    expect(stage.pending.recovery).toEqual(others)
  })
})

describe('the remembered identity', () => {
  it('is of one kind: setting one clears the others', async () => {
    const stage = makeHostStage({})

    const remembered = await clocked(
      stage.layer,
      Effect.gen(function* () {
        yield* rememberIdentity({ kind: 'email', email: 'ada@example.com' })
        yield* rememberIdentity({ kind: 'phone', phone: '5550100', countryCode: '+1' })
        return yield* rememberedIdentity
      }),
    )

    expect(remembered).toEqual({ kind: 'phone', phone: '5550100', countryCode: '+1' })
    expect(Object.fromEntries(stage.local)).toEqual({ '@CAPSULE/phone': '5550100', '@CAPSULE/countryCode': '+1' })
  })
})

describe('keep-alive', () => {
  it.each([
    ['true', undefined, true],
    ['false on a refusal', new ApiError({ message: 'no signed-in user', status: 401 }), false],
    ['false when the service does not answer', silence, false],
  ])('is %s', async (_, failure, expected) => {
    const stage = makeHostStage({ touchSession: () => touched(), keepSessionAlive: () => failure ?? {} })

    expect(await clocked(stage.layer, keepSessionAlive())).toBe(expected)
  })

  it('is false where no user is signed in', async () => {
    const { userId: _, ...nobody } = touched()
    const stage = makeHostStage({ touchSession: () => nobody })

    expect(await clocked(stage.layer, keepSessionAlive())).toBe(false)
  })
})

const none = new Uint8Array(0)

describe('logout', () => {
  it('forgets the wallets that were in memory', async () => {
    const stage = signedIn()

    const wallets = await clocked(
      stage.layer,
      Effect.gen(function* () {
        const state = yield* WalletState
        yield* state.set([{ id: 'a wallet', scheme: 'DKLS' }])
        yield* logout()
        return yield* state.get
      }),
    )

    expect(wallets).toEqual([])
  })

  const signedIn = (failure?: ApiError) => {
    const stage = makeHostStage({
      touchSession: () => touched(),
      listWallets: () => silence,
      logout: () => failure ?? {},
    })
    stage.local.set('@CAPSULE/sessionCookie', 'the token')
    stage.local.set('@CAPSULE/userId', userId)
    stage.session.set('@CAPSULE/loginEncryptionKeyPair', '{}')
    return stage
  }
  const leave = (stage: ReturnType<typeof makeHostStage>, options = {}) =>
    clocked(
      stage.layer,
      Effect.gen(function* () {
        yield* touch(false)
        yield* Effect.flatMap(DeviceKeys, ({ create }) => create(sessionId))
        const fiber = yield* Effect.forkChild(logout(options))
        yield* TestClock.adjust('1 minute')
        yield* Fiber.join(fiber)
      }),
    )

  it('clears storage, shares and keys, ends the session under its token, and tells app and tabs', async () => {
    const stage = signedIn()

    await leave(stage)

    expect([stage.local.size, stage.session.size, stage.keys.size]).toEqual([0, 0, 0])
    expect(stage.story.slice(1)).toEqual(['shares forgotten, pregen kept', 'logout', 'event paraLogout'])
    expect(stage.calls.at(-1)?.options).toEqual({ session: Redacted.make('the token') })
    expect(stage.posted).toEqual([{ message: { type: 'signed-out' }, targetOrigin: 'tandem:session' }])
  })

  it('clears this device although the service does not answer, and tries the call twice more', async () => {
    const stage = signedIn(silence)

    await leave(stage)

    expect(stage.local.size).toBe(0)
    expect(stage.times('logout')).toHaveLength(3)
    expect(stage.events.map(({ name }) => name)).toEqual(['paraLogout'])
  })

  it('clears pregenerated wallets when asked to', async () => {
    const stage = signedIn()

    await leave(stage, { clearPregenWallets: true })

    expect(stage.story).toContain('shares forgotten, pregen too')
  })

  it('warns before it deletes a recovery secret that was never shown, and deletes it when the caller confirms', async () => {
    const stage = signedIn()
    stage.pending.recovery = { userId, secretKey: Redacted.make('11'), publicKey: '22', signature: '33' }

    const refusal = await clocked(stage.layer, Effect.flip(logout()))

    expect(refusal).toMatchObject({ _tag: 'RecoverySecretNotShown' })
    expect(stage.local.size).toBe(2)
    await leave(stage, { evenWithoutBackup: true })
    expect(stage.local.size).toBe(0)
    expect(stage.pending.recovery).toBeUndefined()
  })

  it('neither waits for another user’s recovery secret nor deletes it', async () => {
    const stage = signedIn()
    const another = { userId: 'another', secretKey: Redacted.make('11'), publicKey: '22', signature: '33' }
    stage.pending.recovery = another

    await leave(stage)

    expect(stage.local.size).toBe(0)
    expect(stage.pending.recovery).toBe(another)
  })

  const shareOf = (userId: string): StoredShare => ({
    walletId: `a wallet of ${userId}`,
    userId,
    address: '0x',
    shareText: Redacted.make(''),
  })

  it.each([false, true])(
    'neither waits for another user’s share that has no backup or no confirmation, nor deletes it: by force %s',
    async (evenWithoutBackup) => {
      const stage = signedIn()
      const [own, unstored, made] = [shareOf(userId), shareOf('ada'), { ...shareOf('grace'), confirmFrame: none }]
      for (const share of [own, unstored]) stage.shares.set(share.walletId, share)
      stage.pending.candidates = [made]
      stage.pending.backups = [unstored.walletId]

      await leave(stage, { evenWithoutBackup })

      expect(stage.events.map(({ name }) => name)).toEqual(['paraLogout'])
      expect([...stage.shares.values()]).toEqual([unstored])
      expect(stage.pending.candidates).toEqual([made])
    },
  )

  it('deletes no user’s share or recovery secret where the user who leaves is not known', async () => {
    const stage = makeHostStage({})
    const recovery = { userId, secretKey: Redacted.make('11'), publicKey: '22', signature: '33' }
    const [unstored, made] = [shareOf(userId), { ...shareOf('grace'), confirmFrame: none }]
    stage.pending.recovery = recovery
    stage.shares.set(unstored.walletId, unstored)
    stage.pending.candidates = [made]
    stage.pending.backups = [unstored.walletId]

    await clocked(stage.layer, logout({ evenWithoutBackup: true }))

    expect(stage.pending.recovery).toEqual(recovery)
    expect([[...stage.shares.values()], stage.pending.candidates]).toEqual([[unstored], [made]])
  })

  it('warns before it deletes a share that was not confirmed', async () => {
    const stage = signedIn()
    stage.pending.candidates = [{ ...shareOf(userId), confirmFrame: none }]

    const refusal = await clocked(stage.layer, Effect.flip(logout()))
    expect(refusal).toMatchObject({ _tag: 'BackupNotStored', walletIds: [shareOf(userId).walletId] })

    await leave(stage, { evenWithoutBackup: true })
    expect(stage.pending.candidates).toEqual([])
  })

  it('warns before it deletes the only copy of a share, and deletes it when the caller confirms', async () => {
    const stage = signedIn()
    const { walletId } = shareOf(userId)
    stage.shares.set(walletId, shareOf(userId))
    stage.pending.backups = [walletId]

    const refusal = await clocked(stage.layer, Effect.flip(logout()))
    expect(refusal).toMatchObject({ _tag: 'BackupNotStored', walletIds: [walletId] })
    expect(stage.local.get('@CAPSULE/userId')).toBe(userId)

    await leave(stage, { evenWithoutBackup: true })
    expect([stage.local.size, stage.shares.size]).toEqual([0, 0])
  })

  it('waits 20 s for a key that another tab makes, and then logs out only when the caller confirms', async () => {
    const stage = signedIn()
    const locks: string[] = []
    const busy = Layer.succeed(Locks, {
      alone: (name) =>
        Effect.andThen(
          Effect.sync(() => locks.push(name)),
          Effect.never,
        ),
    })
    const leaveBesides = (options: Logout) =>
      clocked(
        Layer.merge(stage.layer, busy),
        Effect.gen(function* () {
          const fiber = yield* Effect.forkChild(Effect.result(logout(options)))
          yield* TestClock.adjust('19 seconds')
          const untouched = stage.local.size
          yield* TestClock.adjust('1 second')
          return { untouched, left: yield* Fiber.join(fiber) }
        }),
      )

    const { untouched, left } = await leaveBesides({})
    expect(left).toMatchObject({ failure: { _tag: 'WalletBeingMade' } })
    expect([untouched, stage.local.size, stage.events]).toEqual([2, 2, []])

    expect((await leaveBesides({ evenWithoutBackup: true })).untouched).toBe(2)
    expect([stage.local.size, stage.events.map(({ name }) => name)]).toEqual([0, ['paraLogout']])
    expect(locks).toEqual([`tandem:keygen:${userId}`, `tandem:keygen:${userId}`])
  })
})

describe('a session as text', () => {
  const share = makeShare(new Uint8Array(0))
  const wallet = listedWallet(share, { userId, partnerId })
  const made = { delegationId: '77777777-2222-4333-8444-555555555555', token: 'the server’s token' }
  const device = (origin?: string) => {
    const ids = { EVM: [share.walletId] }
    return makeHostStage(
      {
        touchSession: () =>
          touched({ currentWalletIds: ids, ...(origin === '' ? { sessionId: made.delegationId } : {}) }),
        listWallets: () => ({ wallets: [wallet] }),
        createDelegation: () => made,
      },
      origin === undefined ? {} : { origin },
    )
  }
  const server = () => device('')
  const seed = new Uint8Array(32).fill(7)
  const certificateEnds = 24 * 60 * 60_000
  /** The portal has certified the key of this session. */
  const certified = Effect.gen(function* () {
    const keys = yield* DeviceKeys
    const { publicKey } = yield* keys.create(sessionId)
    const times = { issuedAt: 0, expiresAt: certificateEnds }
    const whose = {
      userId,
      partnerId,
      origin: 'https://shop.example',
      sessionId,
      devicePublicKey: hexToBytes(publicKey),
    }
    const certificate = bytesToHex(RootKey.certifyDevice(seed, { ...whose, ...times }))
    yield* keys.certify(sessionId, { rootPublicKey: bytesToHex(RootKey.publicKeyOf(seed)), certificate })
    return hexToBytes(publicKey)
  })
  const asked = ({ calls }: ReturnType<typeof device>) =>
    (calls.find(({ operation }) => operation === 'createDelegation')?.input as Input<'createDelegation'>).body
  const exported = async (options: SessionToExport = {}, stage = device()) => {
    stage.local.set('@CAPSULE/sessionCookie', 'the token')
    stage.local.set('@CAPSULE/e-mail', 'ada@example.com')
    stage.local.set('@CAPSULE/userId', userId)
    const { walletId, address, shareText } = share
    stage.shares.set(walletId, { walletId, userId, address, shareText })
    return clocked(stage.layer, Effect.andThen(certified, exportSession(options)))
  }

  it('is imported elsewhere with its shares', async () => {
    const stage = device()
    const text = await exported({}, stage)
    const elsewhere = server()

    const session = await clocked(elsewhere.layer, importSession(text))

    expect(elsewhere.keys.get(made.delegationId)?.record.publicKey).toBe(asked(stage).devicePublicKey)

    expect(session).toMatchObject({ userId, isAuthenticated: true })
    const { '@CAPSULE/wallets': records = '', ...texts } = Object.fromEntries(elsewhere.local)
    expect(JSON.parse(records)).toEqual({ [share.walletId]: { ...wallet, cosmosPrefix: null } })
    expect(records).not.toContain(JSON.parse(Redacted.value(share.shareText)).mac)
    expect(texts).toEqual({
      '@CAPSULE/sessionCookie': made.token,
      '@CAPSULE/e-mail': 'ada@example.com',
      '@CAPSULE/userId': userId,
      '@CAPSULE/currentWalletIds': JSON.stringify({ EVM: [share.walletId] }),
      '@CAPSULE/tandem/device': made.delegationId,
    })
    expect(elsewhere.shares.get(share.walletId)?.shareText).toEqual(share.shareText)
  })

  it('has the fields of the public client’s', async () => {
    const value: unknown = JSON.parse(new TextDecoder().decode(base64.decode(await exported())))

    expect(value).toMatchObject({
      email: 'ada@example.com',
      userId,
      sessionCookie: made.token,
      currentWalletIds: { EVM: [share.walletId] },
      externalWallets: {},
      wallets: {
        [share.walletId]: { id: share.walletId, address: share.address, signer: Redacted.value(share.shareText) },
      },
    })
  })

  it('is delegated by the key of this device, for an hour and at most until its certificate ends', async () => {
    for (const [options, scope, lifeMs] of [
      [{}, 'SIGN', 60 * 60_000],
      [{ excludeSigners: true, lifetimeMs: 5_000 }, 'READ', 5_000],
      [{ lifetimeMs: 2 * certificateEnds }, 'SIGN', certificateEnds],
    ] as const) {
      const stage = device()
      await exported(options, stage)

      const { signature, devicePublicKey, ...said } = asked(stage)
      const key = { devicePublicKey: hexToBytes(devicePublicKey) }
      const message = DeviceKey.delegationMessage({ userId, partnerId, sessionId, ...key, ...said })
      expect(said).toEqual({ scope, issuedAt: 0, expiresAt: lifeMs })
      const own = hexToBytes(stage.keys.get(sessionId)?.record.publicKey ?? '')
      expect(DeviceKey.verify(own, message, hexToBytes(signature))).toBe(true)
      expect(stage.keys.size).toBe(1)
    }
  })

  it('is made by a device with a certificate alone', async () => {
    const stage = device()

    const error = await clocked(stage.layer, Effect.flip(exportSession()))

    expect(error).toMatchObject({ _tag: 'DeviceKeyMissing' })
    expect(stage.times('createDelegation')).toEqual([])
  })

  it('is for a server: what names an origin does not take it', async () => {
    const text = await exported()
    const stage = device()

    const error = await clocked(stage.layer, Effect.flip(importSession(text)))

    expect(error).toMatchObject({ _tag: 'DelegatedToServer' })
    expect([stage.shares.size, stage.local.size, stage.keys.size]).toEqual([0, 0, 0])
  })

  it('with a key that is none is refused, and nothing changes', async () => {
    const text = await exported()
    const stage = server()
    const value = JSON.parse(new TextDecoder().decode(base64.decode(text))) as Record<string, object>
    const other = { ...value, delegation: { ...value['delegation'], privateKey: 'no key' } }
    const changedText = base64.encode(new TextEncoder().encode(JSON.stringify(other)))

    const error = await clocked(stage.layer, Effect.flip(importSession(changedText)))

    expect(error).toMatchObject({ _tag: 'SessionTextRefused' })
    expect([stage.shares.size, stage.local.size, stage.keys.size]).toEqual([0, 0, 0])
  })

  it('leaves the signers out when asked to', async () => {
    const text = await exported({ excludeSigners: true })
    const elsewhere = server()

    await clocked(elsewhere.layer, importSession(text))

    expect(new TextDecoder().decode(base64.decode(text))).not.toContain('signer')
    expect(elsewhere.shares.size).toBe(0)
  })

  it.each([
    ['no base64', '%'],
    ['no JSON', base64.encode(new TextEncoder().encode('{'))],
    ['no session', base64.encode(new TextEncoder().encode('{}'))],
  ])('that is %s is refused, and nothing changes', async (_, text) => {
    const stage = device()

    const error = await clocked(stage.layer, Effect.flip(importSession(text)))

    expect(error).toMatchObject({ _tag: 'SessionTextRefused' })
    expect(stage.local.size).toBe(0)
  })

  it('gives the address of the share’s own key, whatever address the text has', async () => {
    const text = changed(await exported(), ({ address: _, ...wallet }) => ({ ...wallet, address: '0xdead' }))
    const elsewhere = server()

    await clocked(elsewhere.layer, importSession(text))

    expect(elsewhere.shares.get(share.walletId)?.address).toBe(share.address)
  })

  it.each([
    ['a signer that is no share', { signer: Redacted.value(share.shareText).replace('"epoch":1', '"epoch":2') }],
    ['a type that its share cannot have', { type: 'SOLANA' }],
  ])('with %s is refused', async (_, change) => {
    const text = changed(await exported(), (wallet) => ({ ...wallet, ...change }))
    const stage = device()

    const error = await clocked(stage.layer, Effect.flip(importSession(text)))

    expect(error).toMatchObject({ _tag: 'SessionTextRefused' })
    expect([stage.shares.size, stage.local.size]).toEqual([0, 0])
  })

  /** The exported text with its wallet changed. */
  const changed = (text: string, change: (wallet: Record<string, unknown>) => Record<string, unknown>) => {
    const value = JSON.parse(new TextDecoder().decode(base64.decode(text))) as {
      readonly wallets: Record<string, Record<string, unknown>>
    }
    const wallets = { [share.walletId]: change(value.wallets[share.walletId] ?? {}) }
    return base64.encode(new TextEncoder().encode(JSON.stringify({ ...value, wallets })))
  }
})
