import { ed25519 } from '@noble/curves/ed25519.js'
import { p256 } from '@noble/curves/nist.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import * as Redacted from 'effect/Redacted'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { resumeFromRedirect } from '../../../domain/client/accountEntry.ts'
import { passwordSetup, setUpCredential } from '../../../domain/client/setUpCredential.ts'
import { checkUserExists, createUser, resendVerificationCode, verifyEmail } from '../../../domain/client/users.ts'
import { deviceRoot } from '../../../domain/client/certifiedKeys.ts'
import { prepareLoginKeys } from '../../../domain/client/sessionKeys.ts'
import { login } from '../../../domain/client/login.ts'
import { loginWithPassword } from '../../../domain/client/portal/loginWithPassword.ts'
import { DeviceKeys } from '../../../domain/client/ports/DeviceKeys.ts'
import { DeviceTokens } from '../../../domain/client/ports/DeviceTokens.ts'
import { Navigation } from '../../../domain/client/ports/Navigation.ts'
import { Popup, PopupBlocked } from '../../../domain/client/ports/Popup.ts'
import { Rsa } from '../../../domain/client/ports/Rsa.ts'
import { ShareStore } from '../../../domain/client/ports/ShareStore.ts'
import { SessionState } from '../../../domain/client/SessionState.ts'
import { unredeemed } from '../../../domain/client/portalSessionSecret.ts'
import { returnFromPortal } from '../../../domain/client/portalReturn.ts'
import { currentSession, touch } from '../../../domain/client/touch.ts'
import * as DeviceKey from '../../../domain/crypto/DeviceKey.ts'
import * as RootKey from '../../../domain/crypto/RootKey.ts'
import type { Success } from '../../../generated/handlers.ts'
import { email, hostOrigin, makeAccountWorld, partnerId, userId } from '../../kit/accountWorld.ts'
import { openPage } from '../../kit/pageFlows.ts'
import { personWhoLeaves, personWith, type Play } from '../../kit/portalPlayer.ts'

const password = 'a sturdy passphrase'
const ada = { kind: 'email', email } as const
type World = ReturnType<typeof makeAccountWorld>
type Backup = Success<'listPasswordKeyShares'>['keyShares'][number]

const signUp = Effect.gen(function* () {
  yield* createUser(ada)
  yield* verifyEmail('123456')
  return yield* setUpCredential(passwordSetup)
})

describe.concurrent('a sign-up with a password', () => {
  it('leaves a certified device and a recovery key that the root key signed', async () => {
    const world = makeAccountWorld()
    const { runtime, events } = world.makeDevice(personWith(password))

    const { session, key, recovery } = await runtime.runPromise(
      Effect.gen(function* () {
        const session = yield* signUp
        const key = yield* Effect.flatMap(DeviceKeys, ({ find }) => find(session.sessionId))
        const recovery = yield* Effect.flatMap(ShareStore, ({ pendingRecovery }) => pendingRecovery.get(userId))
        return { session, key: Option.getOrThrow(key), recovery: Option.getOrThrow(recovery) }
      }),
    )

    const root = world.rootPublicKey()
    const { certification } = key
    expect(session).toMatchObject({ isAuthenticated: true, needsWallet: true, userId })
    expect(certification?.rootPublicKey).toBe(bytesToHex(root))
    const device = {
      userId,
      partnerId,
      origin: hostOrigin,
      sessionId: session.sessionId,
      devicePublicKey: hexToBytes(key.publicKey),
    }
    const certificate = hexToBytes(certification?.certificate ?? '')
    expect(RootKey.checkCertificate(root, certificate, device, Date.now())).toMatchObject({ _tag: 'Success' })
    const recipient = { kind: 'RECOVERY', userId, publicKey: hexToBytes(recovery.publicKey) } as const
    expect(RootKey.isSignedRecipient(root, recipient, hexToBytes(recovery.signature ?? ''))).toBe(true)
    expect(events).toEqual([{ name: 'paraAccountCreation', data: { userId } }])
    await runtime.dispose()
  })

  it('keeps the recovery key of another user who signed up here before and has not seen its secret', async () => {
    const world = makeAccountWorld()
    const { runtime } = world.makeDevice(personWith(password))
    const another = {
      userId: 'another',
      secretKey: Redacted.make('11'.repeat(32)),
      publicKey: '22'.repeat(64),
      signature: '33',
    }

    const keys = await runtime.runPromise(
      Effect.gen(function* () {
        const { pendingRecovery } = yield* ShareStore
        yield* pendingRecovery.set(another)
        yield* signUp
        return yield* pendingRecovery.list
      }),
    )

    expect(keys).toMatchObject([another, { userId }])
    await runtime.dispose()
  })

  it('whose page returned in this tab is complete before anything else continues', async () => {
    const world = makeAccountWorld()
    let come: (url: string) => void = () => undefined
    const comesBack = new Promise<string>((resolve) => (come = resolve))
    const { runtime } = world.makeDevice(personWith(password), { returns: (url) => Effect.sync(() => come(url)) })
    const blocked = await runtime.runPromise(
      Effect.gen(function* () {
        yield* createUser(ada)
        yield* verifyEmail('123456')
        return yield* Effect.updateService(Effect.flip(setUpCredential(passwordSetup)), Popup, (popups) => ({
          ...popups,
          open: () => Effect.fail(new PopupBlocked({})),
        }))
      }),
    )
    const { continueUrl = '' } = blocked as PopupBlocked
    const follow = Effect.flatMap(Popup, ({ open }) =>
      Effect.flatMap(open('CREATE_PASSKEY'), ({ navigate }) => navigate(continueUrl)),
    )
    await runtime.runPromise(follow)
    const address = await comesBack

    const { root, recovery } = await runtime.runPromise(
      Effect.gen(function* () {
        yield* resumeFromRedirect(address)
        const { sessionId } = yield* currentSession
        const recovery = yield* Effect.flatMap(ShareStore, ({ pendingRecovery }) => pendingRecovery.get(userId))
        return { root: yield* deviceRoot(sessionId), recovery }
      }),
    )

    expect(Option.getOrNull(root)).toBe(bytesToHex(world.rootPublicKey()))
    expect(Option.getOrThrow(recovery).signature).toHaveLength(128)
    await runtime.dispose()
  })

  it('whose page is left sets up no account', async () => {
    const world = makeAccountWorld()
    const { runtime, events } = world.makeDevice(personWhoLeaves)

    const error = await runtime.runPromise(Effect.flip(signUp))

    expect(error).toMatchObject({ message: 'exitted login without setting up user' })
    expect(world.operations('page')).toContain('closeOpening')
    expect(events).toEqual([])
    await runtime.dispose()
  })

  it('whose result does not sign this device’s recovery key is refused', async () => {
    const world = makeAccountWorld()
    const { runtime, events } = world.makeDevice(personWith(password))
    const exchange = Effect.flatMap(ShareStore, ({ pendingRecovery }) =>
      pendingRecovery.set({ userId, secretKey: Redacted.make('11'.repeat(32)), publicKey: '22'.repeat(64) }),
    )
    world.answer('createPassword', (_, own) => {
      void runtime.runPromise(exchange)
      return own()
    })

    const { error, session, key } = await runtime.runPromise(
      Effect.gen(function* () {
        const error = yield* Effect.flip(signUp)
        const session = yield* Effect.flatMap(SessionState, ({ get }) => get)
        const [{ id = '' } = {}] = world.sessions.values()
        const key = yield* Effect.flatMap(DeviceKeys, ({ find }) => find(id))
        return { error, session, key }
      }),
    )

    expect(error).toMatchObject({ _tag: 'OpenerNotProven' })
    expect([Option.isNone(session), Option.isNone(key), events]).toEqual([true, true, []])
    await runtime.dispose()
  })

  it('requires an API key, an identity of a known kind, and a code', async () => {
    const world = makeAccountWorld()
    const { runtime } = world.makeDevice(personWith(password))

    const known = await runtime.runPromise(checkUserExists(ada))
    const early = await runtime.runPromise(Effect.flip(verifyEmail('123456')))
    await runtime.runPromise(createUser(ada))
    await runtime.runPromise(resendVerificationCode())
    const wrong = await runtime.runPromise(Effect.flip(verifyEmail('000000')))

    expect(known).toBe(false)
    expect(early).toMatchObject({ message: 'no signed-in user' })
    expect(wrong).toMatchObject({ message: 'invalid verification code', status: 400 })
    expect(world.asked.find(({ operation }) => operation === 'createUser')?.input).toEqual({ body: { email } })
    await runtime.dispose()
  })
})

describe('a login with a password', () => {
  let world: World
  let signedUp: ReturnType<World['makeDevice']>
  let sessionId = ''
  let share: ReturnType<World['makeShare']>
  let suspect: ReturnType<World['makeShare']>
  let honest: readonly Backup[] = []

  /** Logs in on a device of its own, and says what it then holds. */
  const loginWith = async (play: Play) => {
    const device = world.makeDevice(play)
    const outcome = await device.runtime.runPromise(
      Effect.gen(function* () {
        const result = yield* Effect.result(login(ada))
        const held = yield* Effect.flatMap(ShareStore, ({ list }) => list)
        return { result, held: held.map(({ shareText }) => shareText) }
      }),
    )
    await device.runtime.dispose()
    return { ...outcome, events: device.events, logs: device.logs }
  }
  const backUp = (of: typeof share) => signedUp.runtime.runPromise(world.backUp(sessionId, of))

  beforeAll(async () => {
    world = makeAccountWorld()
    signedUp = world.makeDevice(personWith(password))
    sessionId = (await signedUp.runtime.runPromise(signUp)).sessionId
    share = world.makeShare(world.rootPublicKey())
    suspect = world.makeShare(world.rootPublicKey())
    world.listWallet(share)
    world.listWallet(suspect)
    await backUp(share)
    await backUp(suspect)
    honest = world.backups()
  })
  afterAll(() => signedUp.runtime.dispose())

  it('brings every share to the second device', async () => {
    const { result, held, events } = await loginWith(personWith(password))

    expect(result).toMatchObject({ success: { userId, needsWallet: false, missing: [] } })
    expect(new Set(held.map(Redacted.value))).toEqual(
      new Set([share, suspect].map(({ shareText }) => Redacted.value(shareText))),
    )
    expect(events.map(({ name }) => name)).toEqual(['paraLogin'])
    expect(world.temporary()).toEqual([])
  })

  it('sends neither the password nor a share in a form that the service could read', async () => {
    const said = JSON.stringify(world.asked)

    const secrets = [password, ...[share, suspect].map(({ shareText }) => Redacted.value(shareText))]
    const scalars = secrets.slice(1).flatMap((text) => /"secret":"([0-9a-f]{64})"/.exec(text)?.[1] ?? [])
    expect(scalars).toHaveLength(2)
    for (const secret of [...secrets, ...scalars]) expect(said).not.toContain(JSON.stringify(secret).slice(1, -1))
  })

  it('lets a person try again, with another challenge', async () => {
    const play: Play = Effect.gen(function* () {
      const begun = yield* openPage()
      if (begun.kind !== 'entered') return
      const error = yield* Effect.flip(loginWithPassword(begun.portalSession, Redacted.make('not the passphrase')))
      expect(error).toMatchObject({ message: 'invalid password' })
      yield* loginWithPassword(begun.portalSession, Redacted.make(password))
    })
    const before = world.operations('page').filter((operation) => operation === 'getPasskeyChallenge').length

    const { result } = await loginWith(play)

    expect(result).toMatchObject({ success: { missing: [] } })
    const after = world.operations('page').filter((operation) => operation === 'getPasskeyChallenge').length
    expect(after - before).toBe(1)
  })

  it('sends the device token that the last login in this browser left, and goes on without one', async () => {
    const kept = new Map<string, string>()
    const deviceTokens = {
      find: (passwordId: string) => Effect.sync(() => kept.get(passwordId)),
      keep: (passwordId: string, token: string) => Effect.sync(() => void kept.set(passwordId, token)),
    }
    const sent: (string | undefined)[] = []
    world.answer('verifyPassword', ({ body }, own) => {
      sent.push(body.deviceToken)
      return own()
    })

    await loginWith(personWith(password))
    await loginWith(Effect.provideService(personWith(password), DeviceTokens, deviceTokens))
    await loginWith(Effect.provideService(personWith(password), DeviceTokens, deviceTokens))

    world.answer('verifyPassword', () => undefined)
    expect(sent).toEqual([undefined, undefined, expect.any(String)])
  })

  /** A database writer's own device, under a root key of their own. */
  const forged = (backup: Backup, of: typeof share = suspect): Backup => {
    const seed = ed25519.utils.randomSecretKey()
    const secret = p256.utils.randomSecretKey()
    const devicePublicKey = p256.getPublicKey(secret, false)
    const device = { userId, partnerId, origin: hostOrigin, sessionId, devicePublicKey }
    const message = DeviceKey.backupMessage({
      userId,
      walletId: backup.walletId,
      shareId: of.shareId,
      publicKey: of.publicKey,
      encryptor: 'PASSWORD',
      keyRef: world.passwordId,
      encryptedShare: backup.encryptedShare,
      encryptedKey: backup.encryptedKey,
    })
    return {
      ...backup,
      deviceSignature: bytesToHex(p256.sign(message, secret, { prehash: true })),
      certificate: bytesToHex(RootKey.certifyDevice(seed, { ...device, issuedAt: 0, expiresAt: Date.now() + 60_000 })),
    }
  }
  const changed = (text: string | undefined) => (text ?? '').replace(/^./, (digit) => (digit === '0' ? '1' : '0'))
  const without = ({ deviceSignature: _, certificate: __, ...backup }: Backup): Backup => backup

  const refused: Record<string, [string, (backup: Backup) => Backup]> = {
    'whose signature is another': [
      'wrong signature',
      (backup) => ({ ...backup, deviceSignature: changed(backup.deviceSignature) }),
    ],
    'whose certificate leads to another root key': ['wrong signature', forged],
    'without its certificate': ['wrong signature', ({ certificate: _, ...backup }) => backup],
    'without a signature': ['not signed', without],
    'whose ciphertext changed': [
      'not readable',
      (backup) => ({ ...backup, encryptedShare: changed(backup.encryptedShare) }),
    ],
    'that is encrypted to another key': [
      'not readable',
      (backup) => ({ ...backup, encryptedKey: changed(backup.encryptedKey) }),
    ],
    'of the other wallet': ['another wallet', (backup) => ({ ...(honest[0] ?? backup), walletId: backup.walletId })],
  }

  it.each(Object.entries(refused))('leaves out a share %s, and names its wallet', async (_, [reason, tamper]) => {
    world.setBackups(honest.map((backup) => (backup.walletId === suspect.walletId ? tamper(backup) : backup)))

    const { result, held, logs } = await loginWith(personWith(password))

    expect(result).toMatchObject({ success: { needsWallet: false, missing: [suspect.walletId] } })
    expect(held).toEqual([share.shareText])
    expect(logs).toEqual([`a backup of wallet ${suspect.walletId} is left out: ${reason}`])
  })

  /** A backup of a share that is not the wallet's, in the place of the wallet's own. */
  const plant = async (own: typeof share, change: (backup: Backup) => Backup = (backup) => backup) => {
    world.setBackups(honest)
    await backUp(own)
    const planted = world.backups().at(-1)
    world.setBackups([...honest.slice(0, 1), ...(planted === undefined ? [] : [change(planted)])])
  }
  const nameAsActive = (own: typeof share) =>
    world.answer('verifyPassword', (_, answers) => {
      const answer = answers()
      const active = { walletId: own.walletId, epoch: 1, shareId: bytesToHex(own.shareId) }
      return { ...answer, activeShares: [...answer.activeShares.slice(0, 1), active] }
    })

  it('leaves out an older share than the active one', async () => {
    await plant(world.makeShare(world.rootPublicKey(), suspect.walletId))

    const { result, logs } = await loginWith(personWith(password))

    expect(result).toMatchObject({ success: { missing: [suspect.walletId] } })
    expect(logs).toEqual([`a backup of wallet ${suspect.walletId} is left out: not active`])
  })

  it('leaves out a share without a signature and without a pinned root key', async () => {
    const own = world.makeShare(new Uint8Array(0), suspect.walletId)
    await plant(own, without)
    nameAsActive(own)

    const { result, logs } = await loginWith(personWith(password))

    world.answer('verifyPassword', () => undefined)
    expect(result).toMatchObject({ success: { missing: [suspect.walletId] } })
    expect(logs).toEqual([`a backup of wallet ${suspect.walletId} is left out: not signed`])
  })

  it('leaves out a writer’s own share, though it is consistent, rightly pinned and named as active', async () => {
    const own = world.makeShare(world.rootPublicKey(), suspect.walletId)
    await plant(own, (backup) => forged(backup, own))
    nameAsActive(own)

    const { result, held, logs } = await loginWith(personWith(password))

    world.answer('verifyPassword', () => undefined)
    expect(result).toMatchObject({ success: { missing: [suspect.walletId] } })
    expect(held).toEqual([share.shareText])
    expect(logs).toEqual([`a backup of wallet ${suspect.walletId} is left out: wrong signature`])
  })

  it('delivers no share when one is pinned to another root key', async () => {
    const pinned = world.makeShare(RootKey.publicKeyOf(ed25519.utils.randomSecretKey()), suspect.walletId)
    await plant(pinned)
    nameAsActive(pinned)
    const asked = world.asked.length
    let stopped: unknown
    const play: Play = Effect.gen(function* () {
      stopped = yield* Effect.flip(personWith(password))
      yield* (yield* Navigation).close
    })

    const { result, held } = await loginWith(play)

    world.answer('verifyPassword', () => undefined)
    expect(stopped).toMatchObject({ _tag: 'RootKeyDiffers' })
    expect(result).toMatchObject({ failure: { _tag: 'PopupClosed' } })
    expect(held).toEqual([])
    const operations = world.asked.slice(asked).map(({ operation }) => operation)
    expect(operations).not.toContain('createTemporaryShares')
    expect(operations).not.toContain('setWallets')
  })

  it('succeeds although no wallet has a backup', async () => {
    world.setBackups([])

    const { result, held } = await loginWith(personWith(password))

    expect(result).toMatchObject({ success: { needsWallet: true, missing: [share.walletId, suspect.walletId] } })
    expect(held).toEqual([])
    world.setBackups(honest)
  })

  it.each([
    ['too cheap', { algorithm: 'argon2id', memoryKiB: 1_024, iterations: 2, parallelism: 1 }],
    ['too dear', { algorithm: 'argon2id', memoryKiB: 1_048_576, iterations: 3, parallelism: 1 }],
  ] as const)('does not compute a hash that is %s', async (_, kdf) => {
    world.answer('listPasswords', (_, own) => ({ passwords: own().passwords.map((record) => ({ ...record, kdf })) }))
    let stopped: unknown
    const play: Play = Effect.gen(function* () {
      stopped = yield* Effect.flip(personWith(password))
      yield* (yield* Navigation).close
    })
    const verified = world.operations('page').filter((operation) => operation === 'verifyPassword').length

    await loginWith(play)

    world.answer('listPasswords', () => undefined)
    expect(stopped).toMatchObject({ _tag: 'KdfRefused' })
    expect(world.operations('page').filter((operation) => operation === 'verifyPassword')).toHaveLength(verified)
  })

  it('delivers no share once the login key was replaced in the database', async () => {
    let recipient: string | undefined
    const play: Play = Effect.gen(function* () {
      const begun = yield* openPage()
      if (begun.kind !== 'entered') return
      recipient = begun.portalSession.recipient
      const swapped = yield* Effect.flatMap(Rsa, ({ generate }) => generate)
      for (const session of world.sessions.values()) session.loginPublicKey = swapped.publicKey
      yield* Effect.ignore(loginWithPassword(begun.portalSession, Redacted.make(password)))
      yield* (yield* Navigation).close
    })

    const { held } = await loginWith(play)

    expect(recipient).toMatch(/^2d2d2d2d2d/)
    expect(held).toEqual([])
    expect(world.temporary()).toEqual([])
  })

  it('returns by redirect to the tab that waits, where the page had no opener', async () => {
    let land: (outcome: string) => void = () => undefined
    const landed = new Promise<string>((resolve) => (land = resolve))
    const device = world.makeDevice(personWith(password), {
      returns: (url) =>
        Effect.promise(async () => {
          const landing = world.makeDevice(Effect.void)
          land(await landing.runtime.runPromise(returnFromPortal(url)))
          await landing.runtime.dispose()
        }),
    })

    const asked = world.asked.length
    const loggedIn = await device.runtime.runPromise(login(ada))

    const calls = world.asked.slice(asked)
    const inputsOf = (operation: string) =>
      calls.filter((call) => call.operation === operation).map(({ input }) => input)
    expect(JSON.stringify(inputsOf('setWallets'))).toMatch(/sealedResult/)
    expect(JSON.stringify(inputsOf('setWallets'))).not.toMatch(/deviceCertificate|recoverySignature/)
    expect(inputsOf('redeemOpening')).toMatchObject([
      { body: { proof: expect.any(String) } },
      { body: { proof: expect.any(String), deviceCertificate: expect.stringMatching(/^01/) } },
    ])
    const held = await device.runtime.runPromise(Effect.flatMap(ShareStore, ({ list }) => list))
    expect(await landed).toBe('taken')
    expect(loggedIn).toMatchObject({ userId, missing: [] })
    expect(held.map(({ shareText }) => shareText)).toEqual([share.shareText, suspect.shareText])
    await device.runtime.dispose()
  })

  it('redeems a returned code in its own session only', async () => {
    const returned = await codeOf()
    const thief = world.makeDevice(personWhoLeaves)

    const outcome = await thief.runtime.runPromise(
      Effect.gen(function* () {
        const session = yield* touch(false)
        yield* prepareLoginKeys(session)
        return yield* returnFromPortal(returned)
      }),
    )

    expect(outcome).toBe('nothing')
    expect(world.operations('host').at(-1)).toBe('redeemOpening')
    expect([...world.sessions.values()].at(-1)?.isAuthenticated).toBe(false)
    expect(await thief.runtime.runPromise(unredeemed)).toEqual(Option.none())
    await thief.runtime.dispose()
  })

  it('takes a returned code only where a login was begun', async () => {
    const returned = await codeOf()
    const victim = world.makeDevice(personWhoLeaves)
    const asked = world.operations('host').length

    const outcome = await victim.runtime.runPromise(returnFromPortal(returned))

    expect(outcome).toBe('nothing')
    expect(world.operations('host').slice(asked)).toEqual(['touchSession'])
    await victim.runtime.dispose()
  })

  /** The address that a login without an opener ends at, when the tab that waited is gone. */
  const codeOf = async () => {
    let returned = ''
    const device = world.makeDevice(personWith(password), {
      returns: (url) => Effect.sync(() => void (returned = url)),
    })
    const waiting = device.runtime.runPromiseExit(login(ada))
    await expect.poll(() => returned).not.toBe('')
    await device.runtime.dispose()
    await waiting
    return returned
  }
})
