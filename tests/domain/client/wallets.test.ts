import { secp256k1 } from '@noble/curves/secp256k1.js'
import { ed25519 } from '@noble/curves/ed25519.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import * as Deferred from 'effect/Deferred'
import * as Effect from 'effect/Effect'
import * as Fiber from 'effect/Fiber'
import * as Option from 'effect/Option'
import * as Redacted from 'effect/Redacted'
import * as Result from 'effect/Result'
import * as TestClock from 'effect/testing/TestClock'
import { recoverMessageAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TabsWeb } from '../../../adapters/browser/Tabs.ts'
import { createMissingWallets, createWallet, resumeWallets } from '../../../domain/client/createWallet.ts'
import { signLock } from '../../../domain/client/heldShare.ts'
import { logout } from '../../../domain/client/logout.ts'
import { Api } from '../../../domain/client/ports/Api.ts'
import { Cosigner } from '../../../domain/client/ports/Cosigner.ts'
import { DeviceKeys } from '../../../domain/client/ports/DeviceKeys.ts'
import { Locks } from '../../../domain/client/ports/Locks.ts'
import { Mpc } from '../../../domain/client/ports/Mpc.ts'
import { Rsa } from '../../../domain/client/ports/Rsa.ts'
import { ShareStore, type PendingRecovery } from '../../../domain/client/ports/ShareStore.ts'
import { Storage } from '../../../domain/client/ports/Storage.ts'
import { makeFrame, thisDevice } from '../../../domain/client/runProtocol.ts'
import { keepSessionToken } from '../../../domain/client/sessionToken.ts'
import { resumeAccount, setUpAccount } from '../../../domain/client/setUpAccount.ts'
import { refreshKeys } from '../../../domain/client/refreshKeys.ts'
import { signMessage } from '../../../domain/client/sign.ts'
import { currentSession } from '../../../domain/client/touch.ts'
import { findWallet } from '../../../domain/client/findWallet.ts'
import { equal } from '../../../domain/crypto/Equal.ts'
import { SessionState } from '../../../domain/client/SessionState.ts'
import * as DeviceKey from '../../../domain/crypto/DeviceKey.ts'
import * as RootKey from '../../../domain/crypto/RootKey.ts'
import * as Sign from '../../../domain/mpc/dkls/sign.ts'
import * as Frame from '../../../domain/mpc/Frame.ts'
import * as ShareText from '../../../domain/mpc/ShareText.ts'
import { ApiError } from '../../../domain/model/ApiError.ts'
import * as StorageKeys from '../../../domain/model/StorageKeys.ts'
import * as Signature from '../../../domain/model/Signature.ts'
import type { Input } from '../../../generated/handlers.ts'
import { makeWalletWorld, userId } from '../../kit/walletWorld.ts'

type World = Awaited<ReturnType<typeof makeWalletWorld>>
type Between = Parameters<World['cosigner']['between']>[0]
const message = utf8ToBytes('hello')
const runLost = new ApiError({
  message: 'run was lost when the co-signer restarted, begin again',
  code: 'RunLost',
  status: 409,
})

const candidatesOf = (world: World) =>
  world.runtime.runPromise(Effect.flatMap(ShareStore, ({ candidates }) => candidates))
const sharesOf = (world: World) => world.runtime.runPromise(Effect.flatMap(ShareStore, ({ list }) => list))

/** A share of another wallet under another root key, as of one that a recovery elsewhere has left behind. */
const holdLeftBehind = async (world: World) => {
  const [held] = await sharesOf(world)
  const user = Result.getOrThrow(ShareText.open(Option.getOrThrow(Option.fromUndefinedOr(held)).shareText))
  const [walletId, rootPublicKey] = [crypto.randomUUID(), new Uint8Array(32).fill(1)]
  const shareText = ShareText.write({ ...user, share: { ...user.share, walletId, rootPublicKey } })
  const candidate = { walletId, userId, address: '', shareText, confirmFrame: message }
  await world.runtime.runPromise(
    Effect.flatMap(ShareStore, ({ stage, promote }) => Effect.andThen(stage(candidate), promote(walletId))),
  )
  return walletId
}

const pendingOf = (world: World) =>
  world.runtime.runPromise(Effect.flatMap(ShareStore, ({ backupPending }) => backupPending))

const keepRecovery = (world: World, pending: PendingRecovery) =>
  world.runtime.runPromise(Effect.flatMap(ShareStore, ({ pendingRecovery }) => pendingRecovery.set(pending)))

/** A wallet whose refresh this device left before it was confirmed; the old sharing stands. */
const stageRefresh = async (world: World, ofSession?: string) => {
  const { walletId } = await world.runtime.runPromise(createWallet({ type: 'SOLANA' }))
  const [held] = await sharesOf(world)
  const address = held?.address ?? ''
  const user = Result.getOrThrow(ShareText.open(Option.getOrThrow(Option.fromUndefinedOr(held)).shareText))
  const { scheme, epoch, shareId } = user.share
  const share = { ...user.share, epoch: epoch + 1, shareId: new Uint8Array(32).fill(1) }
  const confirmFrame = await world.runtime.runPromise(
    Effect.gen(function* () {
      const sessionId = ofSession ?? (yield* currentSession).sessionId
      yield* (yield* DeviceKeys).create(sessionId)
      const { thumb: deviceKeyThumb } = yield* thisDevice
      const frame = {
        operation: 'CONFIRM',
        scheme,
        step: 2,
        protocolId: crypto.randomUUID(),
        sessionId,
        walletId,
        epoch,
        shareId,
        attempt: new Uint8Array(16),
        deviceKeyThumb,
        body: message,
      } as const
      const made = yield* makeFrame({ name: user.cosignerName, publicKey: world.cosigner.publicKey }, frame)
      const shareText = ShareText.write({ ...user, share })
      yield* (yield* ShareStore).stage({ walletId, userId, address, shareText, confirmFrame: made })
      return made
    }),
  )
  const status = { epoch, shareId, state: 'ACTIVE', attempt: 'NONE' } as const
  return { walletId, address, status, confirmFrame }
}

/** The wallets that were backed up to a recovery key. */
const recoveryBackups = (world: World) =>
  world.asked
    .filter(({ operation }) => operation === 'createKeyShares')
    .flatMap(({ input }) => (input as Input<'createKeyShares'>).body.keyShares)
    .filter(({ encryptor }) => encryptor === 'RECOVERY')
    .map(({ walletId }) => walletId)

describe('a wallet of two parties', () => {
  let world: World
  let walletId: string

  beforeAll(async () => {
    world = await makeWalletWorld()
    ;({ walletId } = await world.runtime.runPromise(createWallet({ type: 'EVM' })))
  })
  afterAll(() => world.runtime.dispose())

  const share = async () => {
    const stored = await world.runtime.runPromise(Effect.flatMap(ShareStore, ({ find }) => find(walletId)))
    return Option.getOrThrow(stored)
  }

  it('has the address that both sides derived, and a share pinned to root key and co-signer', async () => {
    const { address, shareText, capsule } = await share()
    const { share: record, cosignerKey } = Result.getOrThrow(ShareText.open(shareText))

    expect(address).toBe(world.cosigner.addresses.get(walletId))
    expect(record.rootPublicKey).toEqual(world.rootPublicKey)
    expect(cosignerKey).toEqual(world.cosigner.publicKey)
    expect(capsule).toEqual(new Uint8Array([1, 2, 3]))
  })

  it('is backed up to the password under a signature of this device', async () => {
    const call = world.asked.find(({ operation }) => operation === 'createKeyShares')
    const { body } = call?.input as { body: { keyShares: Record<string, string>[] } }
    const [backup] = body.keyShares
    if (backup?.encryptedShare === undefined) throw new Error('no backup')
    const text = await world.runtime.runPromise(
      Effect.flatMap(Rsa, (rsa) =>
        rsa.decrypt(world.credential().privateKey, {
          encryptedMessageHex: backup.encryptedShare ?? '',
          encryptedKeyHex: backup.encryptedKey ?? '',
        }),
      ),
    )
    const { share: record, userId } = Result.getOrThrow(ShareText.open(text))
    const signed = DeviceKey.backupMessage({
      userId,
      walletId,
      shareId: record.shareId,
      publicKey: record.publicKey,
      encryptor: 'PASSWORD',
      keyRef: world.passwordId,
      encryptedShare: backup.encryptedShare,
      encryptedKey: backup.encryptedKey,
    })

    expect(text).toEqual((await share()).shareText)
    expect(DeviceKey.verify(world.devicePublicKey, signed, hexToBytes(backup.deviceSignature ?? ''))).toBe(true)
    expect(await world.runtime.runPromise(Effect.flatMap(ShareStore, ({ backupPending }) => backupPending))).toEqual([])
  })

  it('signs a message as EIP-191 has it', async () => {
    const { signature } = await world.runtime.runPromise(signMessage({ walletId }, message))
    const parts = Result.getOrThrow(Signature.fromBytes(signature))
    const { address, shareText } = await share()
    const { publicKey } = Result.getOrThrow(ShareText.open(shareText)).share
    const digest = keccak_256(utf8ToBytes('\x19Ethereum Signed Message:\n5hello'))

    expect(secp256k1.verify(signature.subarray(0, 64), digest, publicKey, { prehash: false, lowS: true })).toBe(true)
    expect(await recoverMessageAddress({ message: 'hello', signature: Signature.toEthereumHex(parts) })).toBe(address)
  })

  it('sends the same bytes into silence first', async () => {
    let silent = 2
    world.cosigner.frames.length = 0
    world.cosigner.between((exchange) => (silent-- > 0 ? 'silence' : exchange()))

    await world.runtime.runPromise(signMessage({ walletId }, message))

    expect(new Set(world.cosigner.frames.map(({ protocolId }) => protocolId)).size).toBe(1)
    expect(world.cosigner.frames.map(({ step }) => step)).toEqual([1, 1, 1, 2])
  })

  it('signs with a new run and fresh nonces when silence lasts, twice at most', async () => {
    world.cosigner.frames.length = 0
    world.cosigner.between(() => 'silence')

    const error = await world.runtime.runPromise(Effect.flip(signMessage({ walletId }, message)))

    expect(error.message).toBe('Connection error')
    expect(world.cosigner.frames).toHaveLength(9)
    expect(new Set(world.cosigner.frames.map(({ protocolId }) => protocolId)).size).toBe(3)
    expect(new Set(world.cosigner.frames.map(({ body }) => Buffer.from(body).toString('hex'))).size).toBe(3)
  })

  it('begins another run where a restart of the co-signer ended it, also that of the attach before', async () => {
    await world.runtime.runPromise(
      Effect.flatMap(ShareStore, ({ lock, unlockAll }) => Effect.andThen(lock(walletId), unlockAll)),
    )
    const ends = new Set(['ATTACH 2', 'SIGN 2'])
    world.cosigner.frames.length = 0
    world.cosigner.between((exchange, { operation, step }) =>
      ends.delete(`${operation} ${step}`) ? runLost : exchange(),
    )

    const { signature } = await world.runtime.runPromise(signMessage({ walletId }, message))

    expect(signature).toHaveLength(65)
    const frames = world.cosigner.frames.map(({ operation, step }) => `${operation} ${step}`)
    const enrolled = ['ATTACH 1', 'ATTACH 2', 'ATTACH 3', 'CONFIRM 4']
    expect(frames).toEqual(['ATTACH 1', 'ATTACH 2', ...enrolled, 'SIGN 1', 'SIGN 2', 'SIGN 1', 'SIGN 2'])
    expect(new Set(world.cosigner.frames.map(({ protocolId }) => protocolId)).size).toBe(4)
  })

  it('signs on across a change of the co-signer’s key, and enrols anew where the key before was compromised', async () => {
    const framesOf = async () => {
      world.cosigner.frames.length = 0
      world.asked.length = 0
      const { signature } = await world.runtime.runPromise(signMessage({ walletId }, message))
      expect(signature).toHaveLength(65)
      return world.cosigner.frames.map(({ operation, step }) => `${operation} ${step}`)
    }
    const links = () => world.asked.filter(({ operation }) => operation === 'getCosignerKeys').length
    world.cosigner.between((exchange) => exchange())
    const signed = ['SIGN 1', 'SIGN 2']
    const enrolled = ['ATTACH 1', 'ATTACH 2', 'ATTACH 3', 'CONFIRM 4']

    world.cosigner.rotate(false)
    expect([await framesOf(), links()]).toEqual([signed, 1])
    expect([await framesOf(), links()]).toEqual([signed, 0])
    world.cosigner.rotate(true)
    expect([await framesOf(), links()]).toEqual([signed, 1])
    expect([await framesOf(), links()]).toEqual([[...enrolled, ...signed], 0])
    expect([await framesOf(), links()]).toEqual([signed, 0])
  })

  it('gives up where restarts end its third run, which comes 2 s after the second', async () => {
    world.cosigner.frames.length = 0
    world.pauses.length = 0
    world.cosigner.between(() => runLost)

    const error = await world.runtime.runPromise(Effect.flip(signMessage({ walletId }, message)))

    expect(error.message).toBe(runLost.message)
    expect(new Set(world.cosigner.frames.map(({ protocolId }) => protocolId)).size).toBe(3)
    expect(world.cosigner.frames).toHaveLength(3)
    expect(world.pauses).toEqual([200, 2_000])
  })

  it('is refreshed in another attempt where a restart of the co-signer ended the first', async () => {
    world.asked.length = 0
    world.answer('refreshKeys', () => ({ protocolId: crypto.randomUUID() }))
    world.cosigner.between(() => runLost)

    const error = await world.runtime.runPromise(Effect.flip(refreshKeys(walletId)))

    expect(error).toMatchObject({ code: 'RunLost' })
    expect(world.asked.filter(({ operation }) => operation === 'refreshKeys')).toHaveLength(3)
  })

  it('never tries again after an abort', async () => {
    world.cosigner.frames.length = 0
    world.cosigner.between((_exchange, _frame, say) => say('ABORT'))

    const error = await world.runtime.runPromise(Effect.flip(signMessage({ walletId }, message)))

    expect(error.message).toContain('error signing for account')
    expect(error).toHaveProperty('cause._tag', 'ProtocolAborted')
    expect(world.cosigner.frames).toHaveLength(1)
  })

  it('says of a refresh whose run ended which account it is, and why', async () => {
    world.answer('refreshKeys', () => ({ protocolId: crypto.randomUUID() }))
    world.cosigner.between((_exchange, _frame, say) => say('ABORT'))

    const error = await world.runtime.runPromise(Effect.flip(refreshKeys(walletId)))

    expect(error).toMatchObject({
      _tag: 'KeyRefreshFailed',
      message: `error refreshing keys for account with userId ${userId} and walletId ${walletId}`,
      cause: { _tag: 'ProtocolAborted' },
    })
  })

  const spoiling =
    (field: 'matrix' | 'gammaV'): Between =>
    (exchange, frame, say) => {
      const answered = exchange()
      const fields = Sign.firstResponse.decode(answered.slice(5, -64))
      if (frame.operation !== 'SIGN' || fields === undefined) return answered
      const spoiled = fields[field].map((byte, index) => (index === 0 ? byte ^ 1 : byte))
      return say('OK', Sign.firstResponse.encode({ ...fields, [field]: spoiled }))
    }
  it.each<readonly [string, Between]>([
    ['the co-signer says that a check failed', (_exchange, _frame, say) => say('BAN')],
    ['its own check of the OT extension fails', spoiling('matrix')],
    ['its own check of the product fails', spoiling('gammaV')],
  ])('erases its OT state when %s, and does not try again', async (_, cheats) => {
    world.cosigner.between((exchange) => exchange())
    await world.runtime.runPromise(signMessage({ walletId }, message))
    world.cosigner.frames.length = 0
    world.cosigner.between(cheats)

    const error = await world.runtime.runPromise(Effect.flip(signMessage({ walletId }, message)))
    const ot = await world.runtime.runPromise(Effect.flatMap(ShareStore, ({ findOt }) => findOt(walletId)))
    world.cosigner.between((exchange) => exchange())
    const later = await world.runtime.runPromise(Effect.flip(signMessage({ walletId }, message)))
    const frames = world.cosigner.frames.length
    await world.runtime.runPromise(Effect.flatMap(ShareStore, ({ unlockAll }) => unlockAll))

    expect(error.message).toBe('key share is locked, log in again to refresh it')
    expect(later.message).toBe(error.message)
    expect(frames).toBe(1)
    expect(Option.isNone(ot)).toBe(true)
  })

  it.each<readonly [string, 'verdict' | 'mark', Between]>([
    ['its own check is under way', 'verdict', spoiling('gammaV')],
    ['its own check is being marked', 'mark', spoiling('gammaV')],
    ['the co-signer’s word is being marked', 'mark', (_exchange, _frame, say) => say('BAN')],
  ])('erases its OT state although its caller gives up while %s', async (_, held, cheats) => {
    world.cosigner.between((exchange) => exchange())
    await world.runtime.runPromise(signMessage({ walletId }, message))
    world.cosigner.between(cheats)

    const left = await world.runtime.runPromise(
      Effect.gen(function* () {
        const [shares, mpc] = [yield* ShareStore, yield* Mpc]
        const [reached, released] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        const holding = <A, E>(effect: Effect.Effect<A, E>) =>
          Deferred.succeed(reached, undefined).pipe(Effect.andThen(Deferred.await(released)), Effect.andThen(effect))
        const begin: Mpc['Service']['begin'] = (run) =>
          Effect.map(mpc.begin(run), (begun) =>
            'kind' in begun ? begun : { ...begun, receive: (...answer) => holding(begun.receive(...answer)) },
          )
        const lock: ShareStore['Service']['lock'] = (id) => holding(shares.lock(id))
        const signing =
          held === 'verdict'
            ? Effect.provideService(signMessage({ walletId }, message), Mpc, { ...mpc, begin })
            : Effect.provideService(signMessage({ walletId }, message), ShareStore, { ...shares, lock })

        const fiber = yield* Effect.forkChild(signing)
        yield* Deferred.await(reached)
        const stopping = yield* Effect.forkChild(Fiber.interrupt(fiber), { startImmediately: true })
        yield* Deferred.succeed(released, undefined)
        yield* Fiber.join(stopping)
        return [yield* shares.isLocked(walletId), yield* shares.findOt(walletId)]
      }),
    )
    world.cosigner.between((exchange) => exchange())
    await world.runtime.runPromise(Effect.flatMap(ShareStore, ({ unlockAll }) => unlockAll))

    expect(left).toEqual([true, Option.none()])
  })

  it('refuses an answer that the pinned co-signer did not sign', async () => {
    world.cosigner.between((exchange) => {
      const answered = exchange()
      answered[answered.length - 1] = (answered[answered.length - 1] ?? 0) ^ 1
      return answered
    })

    const error = await world.runtime.runPromise(Effect.flip(signMessage({ walletId }, message)))

    expect(error.message).toContain('error signing for account')
    expect(error).toHaveProperty('cause._tag', 'ProtocolAborted')
  })

  it('attaches when this device has no OT state, and signs', async () => {
    world.cosigner.between((exchange) => exchange())
    await world.runtime.runPromise(
      Effect.flatMap(ShareStore, ({ lock, unlockAll }) => Effect.andThen(lock(walletId), unlockAll)),
    )
    world.cosigner.frames.length = 0

    const { signature } = await world.runtime.runPromise(signMessage({ walletId }, message))

    expect(signature).toHaveLength(65)
    expect(world.cosigner.frames.map(({ operation }) => operation)).toEqual([
      'ATTACH',
      'ATTACH',
      'ATTACH',
      'CONFIRM',
      'SIGN',
      'SIGN',
    ])
  })
})

describe('waiting for the address', () => {
  it('asks once a second and gives up after 10 tries', async () => {
    const world = await makeWalletWorld()
    world.hideAddresses()
    // Those after the wallet was made.
    const asks = () => {
      const asked = world.asked.map(({ operation }) => operation)
      const made = asked.indexOf('createWallet')
      return made === -1 ? 0 : asked.slice(made).filter((operation) => operation === 'listWallets').length
    }

    const error = await world.runtime.runPromise(
      Effect.gen(function* () {
        const fiber = yield* Effect.forkChild(Effect.flip(createWallet({ type: 'SOLANA' })))
        // The key takes real time; from the first ask on everything is a matter of the clock.
        yield* Effect.promise(() => expect.poll(asks).toBe(1))
        for (let second = 1; second <= 9; second++) {
          yield* TestClock.adjust('999 millis')
          expect(asks()).toBe(second)
          yield* TestClock.adjust('1 millis')
          expect(asks()).toBe(second + 1)
        }
        return yield* Fiber.join(fiber)
      }).pipe(Effect.provide(TestClock.layer())),
    )

    expect(error.message).toBe('timed out waiting for wallet address')
    expect(asks()).toBe(10)
    await world.runtime.dispose()
  })
})

describe('wallets of an account', () => {
  it('one is created for each missing type, and each signs', async () => {
    const world = await makeWalletWorld()
    const created = await world.runtime.runPromise(createMissingWallets())
    const asked = world.asked.map(({ operation }) => operation)
    const again = await world.runtime.runPromise(createMissingWallets())
    const solana = created[1]
    if (solana === undefined) throw new Error('no Solana wallet')
    const { signature } = await world.runtime.runPromise(signMessage({ walletId: solana.walletId }, message))
    const { publicKey } = Result.getOrThrow(ShareText.open(Redacted.make(solana.signer))).share

    const { address = '' } = (await sharesOf(world)).find((one) => one.walletId === solana.walletId) ?? {}
    expect(await world.runtime.runPromise(findWallet(address))).toMatchObject({ id: solana.walletId, address })
    expect(await world.runtime.runPromise(Effect.flip(findWallet(address.toLowerCase())))).toMatchObject({
      _tag: 'WalletAddressNotFound',
      message: `wallet with address ${address.toLowerCase()} not found`,
    })
    expect(created).toHaveLength(3)
    expect(created.map(({ recoveryShare }) => recoveryShare)).toEqual([null, null, null])
    expect(again).toEqual([])
    expect(asked.toSorted()).toEqual([
      ...['createKeyShares', 'createWallet', 'createWallet', 'createWallet'],
      ...['distributeCapsuleShare', 'distributeCapsuleShare', 'distributeCapsuleShare'],
      ...['listPasskeys', 'listPasswords', 'listRecoveryPublicKeys', 'listWallets', 'listWallets'],
    ])
    expect(ed25519.verify(signature, message, publicKey, { zip215: false })).toBe(true)
    await world.runtime.dispose()
  })

  it('one is made in another run where a restart of the co-signer ended the first, and not in a fourth', async () => {
    const world = await makeWalletWorld()
    let ends = 2
    const runs = () => new Set(world.cosigner.frames.map(({ protocolId }) => protocolId)).size
    world.cosigner.between((exchange, { operation, step }) =>
      operation === 'KEYGEN' && step === 2 && ends-- > 0 ? runLost : exchange(),
    )

    await world.runtime.runPromise(createWallet({ type: 'EVM' }))
    expect([runs(), (await sharesOf(world)).length]).toEqual([3, 1])

    ends = 3
    const error = await world.runtime.runPromise(Effect.flip(createWallet({ type: 'COSMOS' })))
    expect(error).toMatchObject({ _tag: 'AccountCreationFailed', cause: { code: 'RunLost' } })
    expect([runs(), (await sharesOf(world)).length]).toEqual([6, 1])
    await world.runtime.dispose()
  })

  it('one whose key generation was interrupted is missing still, holds up no other one, and keeps the secret', async () => {
    const world = await makeWalletWorld()
    await keepRecovery(world, world.newRecovery())
    const evmIds = new Set<string>()
    world.cosigner.between((exchange, frame) => {
      const isEvm = evmIds.size === 0 || evmIds.has(frame.walletId)
      if (frame.scheme !== 'DKLS' || !isEvm) return exchange()
      evmIds.add(frame.walletId)
      return 'silence'
    })
    const error = await world.runtime.runPromise(Effect.flip(setUpAccount()))
    const made = await sharesOf(world)
    const told = world.events.map(({ name }) => name)
    const backedUp = recoveryBackups(world).sort()
    world.cosigner.between((exchange) => exchange())
    const said = await world.runtime.runPromise(setUpAccount())
    const [interrupted = ''] = evmIds

    expect(error).toMatchObject({ _tag: 'AccountCreationFailed' })
    expect(made).toHaveLength(2)
    expect(backedUp).toEqual(made.map(({ walletId }) => walletId).sort())
    expect(told).toEqual(['paraWalletCreated', 'paraWalletCreated'])
    expect(said.walletIds).toEqual([interrupted])
    expect(said.recoverySecret).not.toBeNull()
    expect(recoveryBackups(world)).toHaveLength(3)
    await world.runtime.dispose()
  })

  it('a logout waits for a key that is being made: it leaves no share, and no wallet without its backup', async () => {
    const world = await makeWalletWorld()
    world.answer('logout', () => ({}))
    await world.runtime.runPromise(keepSessionToken('a token'))
    const leaving: Promise<void>[] = []
    world.cosigner.between((exchange) => {
      if (leaving.length === 0) leaving.push(world.runtime.runPromise(Effect.provide(logout(), TabsWeb)))
      return exchange()
    })
    await world.runtime.runPromise(createWallet({ type: 'SOLANA' }))
    await Promise.all(leaving)
    const asked = world.asked.map(({ operation }) => operation)

    expect([...(await sharesOf(world)), ...(await candidatesOf(world))]).toEqual([])
    expect(asked.slice(-4)).toEqual(['createKeyShares', 'distributeCapsuleShare', 'listWallets', 'logout'])
    await world.runtime.dispose()
  })

  it('whose backups an older database has lost, gets them anew, and a logout before that is refused', async () => {
    const world = await makeWalletWorld()
    world.answer('logout', () => ({}))
    await world.runtime.runPromise(keepSessionToken('a token'))
    const { walletId } = await world.runtime.runPromise(createWallet({ type: 'SOLANA' }))
    const { wallets } = await world.runtime.runPromise(
      Effect.flatMap(Api, ({ call }) => call('listWallets', { path: { userId } })),
    )
    const leave = Effect.provide(logout(), TabsWeb)
    const asked = () => world.asked.splice(0).map(({ operation }) => operation)

    world.answer('listWallets', () => ({ wallets: wallets.map((wallet) => ({ ...wallet, lacksBackup: true })) }))
    const refused = await world.runtime.runPromise(Effect.flip(leave))
    expect(refused).toMatchObject({ _tag: 'BackupNotStored', walletIds: [walletId] })
    expect(await sharesOf(world)).toHaveLength(1)
    asked()
    await world.runtime.runPromise(resumeWallets())
    expect(asked()).toEqual(expect.arrayContaining(['createKeyShares', 'distributeCapsuleShare']))
    world.answer('listWallets', () => ({ wallets }))
    await world.runtime.runPromise(leave)
    expect(await sharesOf(world)).toEqual([])
    await world.runtime.dispose()
  })

  it('whose half the provider lost and does not take back, stays at a logout', async () => {
    const world = await makeWalletWorld()
    world.answer('logout', () => ({}))
    await world.runtime.runPromise(keepSessionToken('a token'))
    const { walletId } = await world.runtime.runPromise(createWallet({ type: 'SOLANA' }))
    const [held] = await sharesOf(world)
    const { share } = Result.getOrThrow(ShareText.open(Option.getOrThrow(Option.fromUndefinedOr(held)).shareText))
    const status = { epoch: share.epoch, shareId: share.shareId, state: 'LOST', attempt: 'NONE' } as const
    const taken = { is: false }
    world.cosigner.between((_exchange, { operation }, say) => {
      if (operation === 'RECONCILE') return say('OK', Frame.encodeWalletStatus(status))
      return taken.is ? say('OK') : new ApiError({ message: 'capsule refused', status: 409, code: 'CapsuleRefused' })
    })
    world.answer('listWalletKeyShares', () => ({ keyShares: [{}] }))
    const leave = Effect.provide(logout(), TabsWeb)

    const refused = await world.runtime.runPromise(Effect.flip(leave))
    expect(refused).toMatchObject({ _tag: 'BackupNotStored', walletIds: [walletId] })
    expect(await sharesOf(world)).toEqual([held])
    taken.is = true
    await world.runtime.runPromise(leave)
    expect(await sharesOf(world)).toEqual([])
    await world.runtime.dispose()
  })

  it('no other key takes the place of one that waits for its confirmation', async () => {
    const world = await makeWalletWorld()
    world.cosigner.between((exchange, frame) => (frame.operation === 'CONFIRM' ? 'silence' : exchange()))
    await world.runtime.runPromise(Effect.flip(createWallet({ type: 'SOLANA' })))
    const [waiting] = await candidatesOf(world)
    world.cosigner.frames.length = 0
    const error = await world.runtime.runPromise(Effect.flip(createWallet({ type: 'SOLANA' })))
    const kept = await candidatesOf(world)
    const sent = new Set(world.cosigner.frames.map(({ operation }) => operation))
    world.cosigner.between((exchange) => exchange())
    await world.runtime.runPromise(resumeWallets())

    expect(error).toMatchObject({ _tag: 'AccountCreationFailed', cause: { _tag: 'CandidateWaits' } })
    expect([...sent]).toEqual(['CONFIRM'])
    expect(kept).toEqual([waiting])
    expect((await sharesOf(world)).map(({ shareText }) => shareText)).toEqual([waiting?.shareText])
    await world.runtime.dispose()
  })

  it('none is made before this device knows the user’s root key: its share could never be backed up', async () => {
    const world = await makeWalletWorld()
    const { sessionId } = await world.runtime.runPromise(currentSession)
    await world.runtime.runPromise(
      Effect.flatMap(DeviceKeys, ({ create, remove }) => Effect.andThen(remove(sessionId), create(sessionId))),
    )

    const error = await world.runtime.runPromise(Effect.flip(createWallet({ type: 'SOLANA' })))

    expect(error).toMatchObject({ _tag: 'RootKeyUnknown' })
    expect(world.asked).toEqual([])
    expect(world.cosigner.frames).toEqual([])
    await world.runtime.dispose()
  })

  it('what was computed but not confirmed is confirmed later by the same bytes, and backed up', async () => {
    const world = await makeWalletWorld()
    const sent: string[] = []
    world.cosigner.between((exchange, frame) => {
      if (frame.operation !== 'CONFIRM') return exchange()
      sent.push(Buffer.from(frame.body).toString('hex'))
      return 'silence'
    })
    const error = await world.runtime.runPromise(Effect.flip(createWallet({ type: 'SOLANA' })))
    const waiting = await candidatesOf(world)
    world.cosigner.between((exchange, frame) => {
      sent.push(Buffer.from(frame.body).toString('hex'))
      return exchange()
    })
    await world.runtime.runPromise(resumeWallets())

    expect(error.message).toContain('error creating account of type SOLANA with userId')
    expect(waiting).toHaveLength(1)
    expect(new Set(sent).size).toBe(1)
    expect(sent).toHaveLength(4)
    expect(await sharesOf(world)).toHaveLength(1)
    expect(world.asked.filter(({ operation }) => operation === 'createKeyShares')).toHaveLength(1)
    await world.runtime.dispose()
  })

  it('a confirmation whose answer was lost is known by the published address', async () => {
    const world = await makeWalletWorld()
    world.cosigner.between((exchange, frame) => {
      const answered = exchange()
      return frame.operation === 'CONFIRM' ? 'silence' : answered
    })
    await world.runtime.runPromise(Effect.flip(createWallet({ type: 'SOLANA' })))
    world.cosigner.between((_exchange, _frame, say) => say('ABORT'))
    await world.runtime.runPromise(resumeWallets())

    expect(await candidatesOf(world)).toEqual([])
    expect(await sharesOf(world)).toHaveLength(1)
    await world.runtime.dispose()
  })

  it('a candidate survives every failure but the co-signer’s own word that its run is dead', async () => {
    const world = await makeWalletWorld()
    world.cosigner.between((exchange, frame) => (frame.operation === 'CONFIRM' ? 'silence' : exchange()))
    await world.runtime.runPromise(Effect.flip(createWallet({ type: 'SOLANA' })))
    await world.runtime.runPromise(resumeWallets())
    const kept = await candidatesOf(world)
    world.cosigner.between((_exchange, _frame, say) => say('ABORT'))
    await world.runtime.runPromise(resumeWallets())

    expect(kept).toHaveLength(1)
    expect(await candidatesOf(world)).toEqual([])
    expect(await sharesOf(world)).toEqual([])
    await world.runtime.dispose()
  })

  it('a candidate waits where the service publishes another address for its wallet, until the co-signer says that its run is dead', async () => {
    const world = await makeWalletWorld()
    world.cosigner.between((exchange, frame) => (frame.operation === 'CONFIRM' ? 'silence' : exchange()))
    await world.runtime.runPromise(Effect.flip(createWallet({ type: 'SOLANA' })))
    const waiting = await candidatesOf(world)
    world.cosigner.addresses.set(waiting[0]?.walletId ?? '', '11111111111111111111111111111111')
    await world.runtime.runPromise(resumeWallets())
    const kept = await candidatesOf(world)
    world.cosigner.between((_exchange, _frame, say) => say('ABORT'))
    await world.runtime.runPromise(resumeWallets())

    expect(waiting).toHaveLength(1)
    expect(kept).toEqual(waiting)
    expect(await candidatesOf(world)).toEqual([])
    expect(await sharesOf(world)).toEqual([])
    await world.runtime.dispose()
  })

  describe('whose storage is cleared while it is made', () => {
    const clear = Effect.flatMap(Storage, ({ local }) => local.remove(StorageKeys.keyShares))
    const asIs = (bytes: Uint8Array) => bytes
    const spoiled = (bytes: Uint8Array) => new Uint8Array(bytes.length)
    /** Its storage is cleared once the co-signer has confirmed the key, and what it is told may be changed. */
    const clearing = <A, E, R>(flow: Effect.Effect<A, E, R>, told: (bytes: Uint8Array) => Uint8Array = asIs) =>
      Effect.gen(function* () {
        const [{ exchange, isSigned }, storage] = [yield* Cosigner, yield* Storage]
        const confirmed = (bytes: Uint8Array) => Effect.as(Effect.provideService(clear, Storage, storage), told(bytes))
        return yield* Effect.provideService(flow, Cosigner, {
          isSigned,
          exchange: (frame) =>
            Frame.decode(frame)?.frame.operation === 'CONFIRM'
              ? Effect.flatMap(exchange(frame), confirmed)
              : exchange(frame),
        })
      })

    it('its half is stored again, and backed up', async () => {
      const world = await makeWalletWorld()
      const made = await world.runtime.runPromise(clearing(createWallet({ type: 'EVM' })))
      const [share] = await sharesOf(world)

      expect(share?.walletId).toBe(made.walletId)
      expect(share && Redacted.value(share.shareText)).toBe(made.signer)
      expect(share?.capsule).toBeDefined()
      expect(world.asked.filter(({ operation }) => operation === 'createKeyShares')).toHaveLength(1)
      expect([...(await pendingOf(world)), ...(await candidatesOf(world))]).toEqual([])
      const { wallet } = await world.runtime.runPromise(signMessage({ walletId: made.walletId }, message))
      expect(wallet.id).toBe(made.walletId)
      await world.runtime.dispose()
    })

    it('its half waits again where the confirmation is not understood, at once and at the next start', async () => {
      const world = await makeWalletWorld()
      await world.runtime.runPromise(Effect.flip(clearing(createWallet({ type: 'SOLANA' }), spoiled)))
      const waiting = await candidatesOf(world)
      let unpublished: { readonly wallets: readonly [] } | undefined = { wallets: [] }
      world.answer('listWallets', () => unpublished)
      await world.runtime.runPromise(clearing(resumeWallets(), spoiled))
      const again = await candidatesOf(world)
      unpublished = undefined
      await world.runtime.runPromise(clearing(resumeWallets()))

      expect(waiting).toHaveLength(1)
      expect(again).toEqual(waiting)
      expect((await sharesOf(world)).map(({ shareText }) => shareText)).toEqual([waiting[0]?.shareText])
      await world.runtime.dispose()
    })

    it('its half is kept where it was cleared before the backup was stored', async () => {
      const world = await makeWalletWorld()
      const cleared = Effect.gen(function* () {
        const [api, storage] = [yield* Api, yield* Storage]
        return yield* Effect.provideService(createWallet({ type: 'SOLANA' }), Api, {
          call: (...asked) =>
            Effect.andThen(
              asked[0] === 'createKeyShares' ? Effect.provideService(clear, Storage, storage) : Effect.void,
              api.call(...asked),
            ),
        })
      })
      world.answer('createKeyShares', () => {
        throw new Error('the service is down')
      })
      await expect(world.runtime.runPromise(cleared)).rejects.toThrow('the service is down')
      const waiting = await candidatesOf(world)
      world.answer('createKeyShares', () => ({}))
      await world.runtime.runPromise(resumeWallets())

      expect(waiting).toHaveLength(1)
      expect((await sharesOf(world)).map(({ shareText }) => shareText)).toEqual([waiting[0]?.shareText])
      expect(await pendingOf(world)).toEqual([])
      await world.runtime.dispose()
    })

    it('it leaves nothing where its user logged out without it', async () => {
      const world = await makeWalletWorld()
      const leaving = Effect.gen(function* () {
        const [{ exchange, isSigned }, state] = [yield* Cosigner, yield* SessionState]
        const left = (frame: Uint8Array) =>
          Effect.tap(exchange(frame), () =>
            Frame.decode(frame)?.frame.operation === 'CONFIRM' ? state.clear : Effect.void,
          )
        return yield* Effect.provideService(clearing(createWallet({ type: 'SOLANA' })), Cosigner, {
          exchange: left,
          isSigned,
        })
      })
      const error = await world.runtime.runPromise(Effect.flip(leaving))

      expect(error).toMatchObject({ _tag: 'AccountCreationFailed', cause: { _tag: 'KeyShareNotLoaded' } })
      expect([...(await sharesOf(world)), ...(await candidatesOf(world))]).toEqual([])
      await world.runtime.dispose()
    })
  })

  it('a backup that failed is made at the next start', async () => {
    const world = await makeWalletWorld()
    world.answer('createKeyShares', () => {
      throw new Error('the service is down')
    })
    await expect(world.runtime.runPromise(createWallet({ type: 'SOLANA' }))).rejects.toThrow('the service is down')
    const pending = await world.runtime.runPromise(Effect.flatMap(ShareStore, ({ backupPending }) => backupPending))
    const waiting = await candidatesOf(world)
    world.answer('createKeyShares', () => ({}))
    await world.runtime.runPromise(resumeWallets())

    expect(pending).toHaveLength(1)
    expect(waiting).toEqual([])
    expect(await world.runtime.runPromise(Effect.flatMap(ShareStore, ({ backupPending }) => backupPending))).toEqual([])
    await world.runtime.dispose()
  })

  it('one whose backup cannot be made, because no key is signed by its root key, keeps no other from its backup', async () => {
    const world = await makeWalletWorld()
    world.answer('createKeyShares', () => {
      throw new ApiError({ message: 'the service is down', status: 503 })
    })
    await world.runtime.runPromise(Effect.flip(createWallet({ type: 'SOLANA' })))
    const leftBehind = await holdLeftBehind(world)
    const before = await pendingOf(world)
    world.answer('createKeyShares', () => undefined)

    await world.runtime.runPromise(resumeWallets())
    expect(before).toHaveLength(2)
    expect(await pendingOf(world)).toEqual([leftBehind])
    const { walletId } = await world.runtime.runPromise(createWallet({ type: 'EVM' }))
    await world.runtime.runPromise(createMissingWallets())
    expect(await pendingOf(world)).toEqual([leftBehind])
    expect((await sharesOf(world)).map((share) => share.walletId)).toContain(walletId)
    await world.runtime.dispose()
  })

  it('a later share under a root key that a recovery replaced prevents no logout: no service takes it back', async () => {
    const world = await makeWalletWorld()
    world.answer('logout', () => ({}))
    await world.runtime.runPromise(keepSessionToken('a token'))
    const { walletId } = await world.runtime.runPromise(createWallet({ type: 'SOLANA' }))
    const [held] = await sharesOf(world)
    const user = Result.getOrThrow(ShareText.open(held?.shareText ?? Redacted.make('')))
    const later = (rootPublicKey: Uint8Array) => {
      const shareText = ShareText.write({ ...user, share: { ...user.share, epoch: 2, rootPublicKey } })
      const share = { walletId, userId, address: held?.address ?? '', shareText, capsule: message }
      return Effect.flatMap(ShareStore, ({ put }) => put(share))
    }
    const status = { epoch: 1, shareId: user.share.shareId, state: 'ACTIVE', attempt: 'NONE' } as const
    world.cosigner.between((_exchange, { operation }, say) =>
      operation === 'RECONCILE' ? say('OK', Frame.encodeWalletStatus(status)) : 'silence',
    )
    const leave = Effect.provide(logout(), TabsWeb)

    await world.runtime.runPromise(later(world.rootPublicKey))
    const refused = await world.runtime.runPromise(Effect.flip(leave))
    expect(refused).toMatchObject({ _tag: 'BackupNotStored', walletIds: [walletId] })
    await world.runtime.runPromise(later(new Uint8Array(32).fill(1)))
    await world.runtime.runPromise(leave)
    expect(await sharesOf(world)).toEqual([])
    await world.runtime.dispose()
  })

  it('one whose key the service has forgotten keeps its share and holds up neither another one nor the secret', async () => {
    const world = await makeWalletWorld()
    const { walletId } = await world.runtime.runPromise(createWallet({ type: 'SOLANA' }))
    await world.runtime.runPromise(Effect.flatMap(ShareStore, ({ backupMissing }) => backupMissing([walletId])))
    await keepRecovery(world, world.newRecovery())
    const refused = (code: string) => new ApiError({ message: code, code, status: 409 })
    world.cosigner.addresses.delete(walletId)
    world.answer('createKeyShares', ({ body }) => {
      if (body.keyShares.some((backup) => backup.walletId === walletId)) throw refused('WalletDoesNotExist')
      return {}
    })
    world.cosigner.frames.length = 0
    world.cosigner.between((exchange, { operation }) =>
      operation === 'REATTACH' ? refused('CapsuleRefused') : exchange(),
    )
    world.wallets.delete(walletId)
    const said = await world.runtime.runPromise(setUpAccount())

    expect(said.recoverySecret).not.toBeNull()
    expect(said.walletIds).toHaveLength(3)
    expect(world.cosigner.frames.filter(({ operation }) => operation === 'REATTACH')).toHaveLength(2)
    expect((await sharesOf(world)).map((share) => share.walletId)).toContain(walletId)
    await world.runtime.dispose()
  })

  it('backups of a user with many keys go in bodies that the service takes, and a wallet’s in one', async () => {
    const world = await makeWalletWorld()
    const keys = Array.from({ length: 30 }, (_, index) => ({ ...world.newRecovery(), id: `key ${index}` }))
    const recoveryPublicKeys = keys.map(({ id, publicKey, signature }) => ({ id, publicKey, rootSignature: signature }))
    world.answer('listRecoveryPublicKeys', () => ({ recoveryPublicKeys }))
    const made = await world.runtime.runPromise(createMissingWallets())
    const bodies = world.asked
      .filter(({ operation }) => operation === 'createKeyShares')
      .map(({ input }) => (input as Input<'createKeyShares'>).body)
    const walletsOf = ({ keyShares }: (typeof bodies)[number]) => new Set(keyShares.map(({ walletId }) => walletId))

    expect(bodies.length).toBeGreaterThan(1)
    expect(bodies.filter((body) => JSON.stringify(body).length > 256 * 1024)).toEqual([])
    expect(bodies.flatMap((body) => [...walletsOf(body)])).toEqual(made.map(({ walletId }) => walletId))
    expect(bodies.flatMap(({ keyShares }) => keyShares)).toHaveLength(3 * 31)
    await world.runtime.dispose()
  })

  it('refreshed shares wait while the co-signer knows neither their attempt nor the sharing that stood before', async () => {
    const world = await makeWalletWorld()
    const { status } = await stageRefresh(world)
    const staged = await candidatesOf(world)
    const resumed = async (shareId: Uint8Array) => {
      const body = Frame.encodeWalletStatus({ ...status, shareId })
      world.cosigner.between((_exchange, _frame, say) => say('OK', body))
      await world.runtime.runPromise(resumeWallets())
      return candidatesOf(world)
    }

    expect(staged).toHaveLength(1)
    expect(await resumed(new Uint8Array(32).fill(2))).toEqual(staged)
    expect(await resumed(status.shareId)).toEqual([])
    await world.runtime.dispose()
  })

  it('refreshed shares survive every answer to their confirmation but the co-signer’s own word that it failed', async () => {
    const world = await makeWalletWorld()
    const { address, status } = await stageRefresh(world)
    const staged = await candidatesOf(world)
    type Say = Parameters<Parameters<World['cosigner']['between']>[0]>[2]
    const resumed = async (confirmed: (say: Say) => Uint8Array) => {
      world.cosigner.between((_exchange, { operation }, say) =>
        operation === 'CONFIRM' ? confirmed(say) : say('OK', Frame.encodeWalletStatus({ ...status, attempt: 'LIVE' })),
      )
      await world.runtime.runPromise(resumeWallets())
      return candidatesOf(world)
    }
    const elsewhere = Frame.encodeConfirmed({ address: `1${address}`, capsule: new Uint8Array(1) })

    expect(staged).toHaveLength(1)
    expect(await resumed((say) => say('OK').fill(0, -8))).toEqual(staged)
    expect(await resumed((say) => say('OK', elsewhere))).toEqual(staged)
    expect(await resumed((say) => say('ABORT'))).toEqual([])
    await world.runtime.dispose()
  })

  it('refreshed shares of an earlier session are not confirmed while their attempt lives', async () => {
    const world = await makeWalletWorld()
    const { status } = await stageRefresh(world, crypto.randomUUID())
    const staged = await candidatesOf(world)
    world.cosigner.frames.length = 0
    const live = Frame.encodeWalletStatus({ ...status, attempt: 'LIVE' })
    world.cosigner.between((_exchange, _frame, say) => say('OK', live))
    await world.runtime.runPromise(resumeWallets())

    expect(staged).toHaveLength(1)
    expect(await candidatesOf(world)).toEqual(staged)
    expect(world.cosigner.frames.map(({ operation }) => operation)).toEqual(['RECONCILE'])
    await world.runtime.dispose()
  })

  it('one whose storage was cleared while its refresh was confirmed is refused with the word to log in again', async () => {
    const world = await makeWalletWorld()
    const { walletId, address, status, confirmFrame } = await stageRefresh(world)
    world.cosigner.between((_exchange, frame, say) => {
      if (frame.operation === 'RECONCILE') return say('OK', Frame.encodeWalletStatus({ ...status, attempt: 'LIVE' }))
      return say('OK', Frame.encodeConfirmed({ address, capsule: new Uint8Array(1) }))
    })

    const errors = await world.runtime.runPromise(
      Effect.gen(function* () {
        const { exchange, isSigned } = yield* Cosigner
        const { local } = yield* Storage
        const clearing = (frame: Uint8Array) =>
          Effect.tap(exchange(frame), () =>
            equal(frame, confirmFrame) ? local.remove(StorageKeys.keyShares) : Effect.void,
          )
        const refreshing = Effect.provideService(refreshKeys(walletId), Cosigner, { exchange: clearing, isSigned })
        return [yield* Effect.flip(refreshing), yield* Effect.flip(refreshing)]
      }),
    )

    const sentence = `the key share of wallet with id ${walletId} is not on this device, log in again`
    expect(errors).toMatchObject(errors.map(() => ({ _tag: 'KeyShareNotLoaded', message: sentence })))
    expect(await sharesOf(world)).toEqual([])
    await world.runtime.dispose()
  })

  it('one whose key the service has forgotten is given back under its signing lock', async () => {
    const world = await makeWalletWorld()
    const { walletId } = await world.runtime.runPromise(createWallet({ type: 'SOLANA' }))
    await world.runtime.runPromise(Effect.flatMap(ShareStore, ({ backupMissing }) => backupMissing([walletId])))
    const forgotten = new ApiError({ message: 'no wallet', code: 'WalletDoesNotExist', status: 409 })
    const [held, heldAtReattach] = [new Set<string>(), [] as string[][]]
    world.answer('createKeyShares', () => {
      if (heldAtReattach.length === 0) throw forgotten
    })
    world.cosigner.between((exchange, { operation }, say) => {
      if (operation !== 'REATTACH') return exchange()
      heldAtReattach.push([...held])
      return say('OK')
    })
    const alone: Locks['Service']['alone'] = (name, effect) =>
      Effect.suspend(() => {
        held.add(name)
        return Effect.ensuring(
          effect,
          Effect.sync(() => held.delete(name)),
        )
      })
    await world.runtime.runPromise(Effect.provideService(resumeWallets(), Locks, { alone }))

    expect(heldAtReattach).toEqual([expect.arrayContaining([signLock(walletId)])])
    expect(await pendingOf(world)).toEqual([])
    await world.runtime.dispose()
  })

  it('a backup that another user of this device still lacks delays no other user', async () => {
    const world = await makeWalletWorld()
    const walletId = crypto.randomUUID()
    const shareText = Redacted.make('{}')
    const candidate = { walletId, userId: crypto.randomUUID(), address: '', shareText, confirmFrame: message }
    await world.runtime.runPromise(
      Effect.flatMap(ShareStore, ({ stage, promote }) => Effect.andThen(stage(candidate), promote(walletId))),
    )
    await world.runtime.runPromise(resumeWallets())

    expect(world.asked).toEqual([])
    expect(await world.runtime.runPromise(Effect.flatMap(ShareStore, ({ backupPending }) => backupPending))).toEqual([
      walletId,
    ])
    await world.runtime.dispose()
  })

  it('the recovery secret is said until it was said, also after a crash before the event', async () => {
    const world = await makeWalletWorld()
    const pending = world.newRecovery()
    await keepRecovery(world, pending)
    await world.runtime.runPromise(createMissingWallets())
    const said = await world.runtime.runPromise(setUpAccount())
    const again = await world.runtime.runPromise(setUpAccount())

    expect(said.walletIds).toEqual([])
    expect(JSON.parse(said.recoverySecret ?? '{}')).toMatchObject({
      backupDecryptionKey: Redacted.value(pending.secretKey),
    })
    expect(recoveryBackups(world)).toHaveLength(3)
    expect(again.recoverySecret).toBeNull()
    await world.runtime.dispose()
  })

  it('the recovery secret is kept until a wallet that waits for its backup has it', async () => {
    const world = await makeWalletWorld()
    await keepRecovery(world, world.newRecovery())
    const isDown = new ApiError({ message: 'the service is down', status: 503 })
    world.answer('createKeyShares', () => {
      throw isDown
    })
    expect(await world.runtime.runPromise(Effect.flip(setUpAccount()))).toBe(isDown)
    expect(await world.runtime.runPromise(Effect.flip(setUpAccount()))).toBe(isDown)
    world.answer('createKeyShares', () => undefined)
    const said = await world.runtime.runPromise(setUpAccount())

    expect(said.recoverySecret).not.toBeNull()
    expect(new Set(recoveryBackups(world)).size).toBe(3)
    expect(await pendingOf(world)).toEqual([])
    await world.runtime.dispose()
  })

  it('a wallet that is made tells no recovery secret while another one waits for its backup', async () => {
    const world = await makeWalletWorld()
    const pending = world.newRecovery()
    await keepRecovery(world, pending)
    const isDown = new ApiError({ message: 'the service is down', status: 503 })
    let waiting: string | undefined
    world.answer('createKeyShares', ({ body }) => {
      waiting ??= body.keyShares[0]?.walletId
      if (body.keyShares.some(({ walletId }) => walletId === waiting)) throw isDown
    })
    const madeOf = (type: 'EVM' | 'COSMOS' | 'SOLANA') => world.runtime.runPromise(createWallet({ type }))
    await expect(madeOf('SOLANA')).rejects.toBe(isDown)

    expect(await madeOf('EVM')).toMatchObject({ recoveryShare: null })
    expect(await pendingOf(world)).toEqual([waiting])
    world.answer('createKeyShares', () => undefined)
    const { recoveryShare } = await madeOf('COSMOS')
    expect(JSON.parse(recoveryShare ?? '{}')).toMatchObject({ backupDecryptionKey: Redacted.value(pending.secretKey) })
    expect((await world.runtime.runPromise(setUpAccount())).recoverySecret).not.toBeNull()
    await world.runtime.dispose()
  })

  it('nor while one lacks the backup for its key', async () => {
    const world = await makeWalletWorld()
    await world.runtime.runPromise(createWallet({ type: 'SOLANA' }))
    await keepRecovery(world, world.newRecovery())

    expect(await world.runtime.runPromise(createWallet({ type: 'EVM' }))).toMatchObject({ recoveryShare: null })
    expect((await world.runtime.runPromise(setUpAccount())).recoverySecret).not.toBeNull()
    await world.runtime.dispose()
  })

  it('the recovery secret is kept until its caller got it', async () => {
    const world = await makeWalletWorld()
    await keepRecovery(world, world.newRecovery())
    world.answer('touchSession', () => {
      throw new Error('the connection is gone')
    })
    await expect(world.runtime.runPromise(setUpAccount())).rejects.toThrow('the connection is gone')
    world.answer('touchSession', () => ({ isAuthenticated: true, userId, serverTime: 0 }))
    const said = await world.runtime.runPromise(setUpAccount())

    expect(said.recoverySecret).not.toBeNull()
    await world.runtime.dispose()
  })

  it('no recovery secret is said whose key the root key never signed: nothing is encrypted to it', async () => {
    const world = await makeWalletWorld()
    const { signature: _, ...unsigned } = world.newRecovery()
    await keepRecovery(world, unsigned)
    const said = await world.runtime.runPromise(setUpAccount())

    expect(said.walletIds).toHaveLength(3)
    expect(said.recoverySecret).toBeNull()
    expect(world.events).toContainEqual({ name: 'paraAccountSetup', data: said })
    await world.runtime.dispose()
  })

  it('the recovery secret of a sign-up whose result was never read is said at the next login', async () => {
    const world = await makeWalletWorld()
    const { signature, ...unsigned } = world.newRecovery()
    await keepRecovery(world, unsigned)
    await world.runtime.runPromise(createWallet({ type: 'SOLANA' }))
    const kept = (rootSignature: string) => () => ({
      recoveryPublicKeys: [{ id: 'a key', publicKey: unsigned.publicKey, rootSignature }],
    })

    for (const wrong of ['', '00'.repeat(64), world.newRecovery().signature]) {
      world.answer('listRecoveryPublicKeys', kept(wrong))
      expect(await world.runtime.runPromise(resumeAccount(false))).toBeNull()
    }
    world.answer('listRecoveryPublicKeys', kept(signature))
    const said = await world.runtime.runPromise(resumeAccount(false))
    expect(JSON.parse(said?.recoverySecret ?? '{}')).toMatchObject({
      backupDecryptionKey: Redacted.value(unsigned.secretKey),
    })
    expect(await world.runtime.runPromise(resumeAccount(false))).toBeNull()
    await world.runtime.dispose()
  })

  it('a recovery key that a replaced root key signed stops no wallet, and its secret is not said', async () => {
    const world = await makeWalletWorld()
    const { signature: _, ...unsigned } = world.newRecovery()
    const recipient = { kind: 'RECOVERY', userId, publicKey: hexToBytes(unsigned.publicKey) } as const
    const signature = bytesToHex(RootKey.signRecipient(new Uint8Array(32).fill(3), recipient))
    await keepRecovery(world, { ...unsigned, signature })
    world.answer('createRecoveryPublicKeys', () => {
      throw new ApiError({ message: 'invalid recovery public key', code: 'InvalidRecoveryPublicKey', status: 400 })
    })
    const said = await world.runtime.runPromise(resumeAccount(true))

    expect(said).toMatchObject({ walletIds: [expect.any(String), expect.any(String), expect.any(String)] })
    expect(said?.recoverySecret).toBeNull()
    const kept = await world.runtime.runPromise(
      Effect.flatMap(ShareStore, ({ pendingRecovery }) => pendingRecovery.get(userId)),
    )
    expect(Option.getOrNull(kept)).toEqual(unsigned)
    await world.runtime.dispose()
  })

  it('no recovery secret is said before every wallet is backed up to its key, wherever it was made', async () => {
    const world = await makeWalletWorld()
    const made = await world.runtime.runPromise(createMissingWallets())
    const before = recoveryBackups(world)
    await keepRecovery(world, world.newRecovery())
    const said = await world.runtime.runPromise(setUpAccount())

    expect(said.recoverySecret).not.toBeNull()
    expect(before).toEqual([])
    expect(recoveryBackups(world).sort()).toEqual(made.map(({ walletId }) => walletId).sort())
    await world.runtime.dispose()
  })

  it('no recovery secret is said before that, if an earlier version handed its key in and noted no wallets', async () => {
    const world = await makeWalletWorld()
    const made = await world.runtime.runPromise(createMissingWallets())
    const recovery = world.newRecovery()
    await keepRecovery(world, recovery)
    const body = { publicKeys: [recovery.publicKey], rootSignatures: [recovery.signature] }
    await world.runtime.runPromise(
      Effect.flatMap(Api, ({ call }) => call('createRecoveryPublicKeys', { path: { userId }, body })),
    )

    expect((await world.runtime.runPromise(setUpAccount())).recoverySecret).not.toBeNull()
    expect(recoveryBackups(world).sort()).toEqual(made.map(({ walletId }) => walletId).sort())
    await world.runtime.dispose()
  })

  it.each(['were not stored', 'were of another wallet'])(
    'no recovery secret is said before that either, if the backups for which its key was handed in %s',
    async (how) => {
      const world = await makeWalletWorld()
      const made = await world.runtime.runPromise(createMissingWallets())
      await keepRecovery(world, world.newRecovery())
      if (how === 'were of another wallet') await world.runtime.runPromise(createWallet({ type: 'SOLANA' }))
      const isDown = new ApiError({ message: 'the service is down', status: 503 })
      world.answer('createKeyShares', () => {
        throw isDown
      })
      expect(await world.runtime.runPromise(Effect.flip(setUpAccount()))).toBe(isDown)
      expect(world.asked.filter(({ operation }) => operation === 'createRecoveryPublicKeys')).toHaveLength(1)
      expect(await world.runtime.runPromise(Effect.flip(setUpAccount()))).toBe(isDown)
      world.answer('createKeyShares', () => undefined)
      const failed = recoveryBackups(world).length
      const said = await world.runtime.runPromise(setUpAccount())

      expect(said.recoverySecret).not.toBeNull()
      expect(recoveryBackups(world).slice(failed).sort()).toEqual(made.map(({ walletId }) => walletId).sort())
      await world.runtime.dispose()
    },
  )

  it('a co-signer that names another address is not believed, not even under its key', async () => {
    const world = await makeWalletWorld()
    const elsewhere = Frame.encodeConfirmed({ address: '11111111111111111111111111111111', capsule: new Uint8Array(1) })
    world.cosigner.between((exchange, frame, say) =>
      frame.operation === 'CONFIRM' ? say('OK', elsewhere) : exchange(),
    )

    const error = await world.runtime.runPromise(Effect.flip(createWallet({ type: 'SOLANA' })))

    expect(error.message).toContain('error creating account of type SOLANA')
    expect(error).toHaveProperty('cause._tag', 'AddressDiffers')
    expect(await sharesOf(world)).toEqual([])
    expect(await candidatesOf(world)).toHaveLength(1)
    await world.runtime.dispose()
  })
})
