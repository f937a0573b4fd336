/**
 * A user, devices and the portal, without a service: the account flows over the real adapters of Node, against an
 * `Api` that keeps in memory what the flows need it to keep. A test may put another answer in the place of any of its
 * own, as a service does whose database an attacker writes.
 */
import { bytesToHex, hexToBytes, randomBytes } from '@noble/hashes/utils.js'
import * as Clock from 'effect/Clock'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Logger from 'effect/Logger'
import * as ManagedRuntime from 'effect/ManagedRuntime'
import { DeviceKeysWebCrypto } from '../../adapters/browser/DeviceKeys.ts'
import { EventsOf } from '../../adapters/browser/Events.ts'
import { Listeners } from '../../adapters/browser/Listeners.ts'
import { LocksWeb } from '../../adapters/browser/Locks.ts'
import { RandomWebCrypto } from '../../adapters/browser/Random.ts'
import { RsaWebCrypto } from '../../adapters/browser/Rsa.ts'
import { ShareStoreText } from '../../adapters/browser/ShareStore.ts'
import { StorageMemory } from '../../adapters/browser/Storage.ts'
import { TabsBroadcast } from '../../adapters/browser/Tabs.ts'
import { Api } from '../../domain/client/ports/Api.ts'
import { DeviceKeys } from '../../domain/client/ports/DeviceKeys.ts'
import { Navigation } from '../../domain/client/ports/Navigation.ts'
import { Rsa } from '../../domain/client/ports/Rsa.ts'
import { Settings } from '../../domain/client/ports/Settings.ts'
import { SessionStateMemory } from '../../domain/client/SessionState.ts'
import { WalletStateMemory } from '../../domain/client/WalletState.ts'
import * as DeviceKey from '../../domain/crypto/DeviceKey.ts'
import * as OpenerMessages from '../../domain/crypto/Opener.ts'
import * as PasswordKeys from '../../domain/crypto/PasswordKeys.ts'
import * as RsaKey from '../../domain/crypto/RsaKey.ts'
import { ApiError } from '../../domain/model/ApiError.ts'
import { developmentHosts } from '../../domain/model/Environment.ts'
import * as EventNames from '../../domain/model/Events.ts'
import type { Input, OperationId, Success } from '../../generated/handlers.ts'
import { fakeApi, type Answers } from './fakeApi.ts'
import { listedWallet } from './listedWallet.ts'
import { noPasskeys } from './passkeyDevice.ts'
import { PasswordHashOnce } from './passwordHash.ts'
import { playedPopups, type Browser, type Play } from './portalPlayer.ts'
import { makeUserShare } from './userShare.ts'

export const userId = '5b0c7a10-1f6e-4c1d-9a44-0d7d8c3b1a01'
export const partnerId = '5b0c7a10-1f6e-4c1d-9a44-0d7d8c3b1a02'
export const hostOrigin = 'https://shop.example'
export const email = 'ada@example.com'

/** The least that a page accepts: tests need not be slow. */
const kdf: PasswordKeys.Kdf = { algorithm: 'argon2id', ...PasswordKeys.kdfFloor, parallelism: 1 }

const partner = {
  id: partnerId,
  displayName: 'Shop',
  policiesEnabled: false,
  supportedAuthMethods: ['PASSWORD' as const],
}

type Session = {
  readonly id: string
  readonly lookupId: string
  userId?: string
  devicePublicKey?: string
  loginPublicKey?: string
  recoveryPublicKey?: string
  openingResult?: { readonly openingId: string; readonly sealedResult: string }
  isAuthenticated: boolean
  needsWallet: boolean
  currentWalletIds: Record<string, readonly string[]>
}

type PortalSession = {
  readonly id: string
  readonly sessionId: string
  readonly secret: string
  readonly page: OpenerMessages.Page
  readonly record?: string
  readonly ticket: string
  readonly challenge: string
  state: 'LIVE' | 'CLOSED' | 'DEFERRED'
  /** Whether its page has proven the password. */
  isVerified: boolean
  redeemHash?: string
  commit?: () => void
}

type Caller = { readonly kind: 'host' | 'page'; session?: Session; portalSession?: PortalSession }

/** Each call, with its caller and time. */
export type Asked = {
  readonly by: Caller['kind']
  readonly operation: OperationId
  readonly input: unknown
  readonly at: number
  /** The answer; absent where it was refused. */
  answered?: unknown
}

const refuse = (status: number, message: string): never => {
  throw new ApiError({ status, message })
}

export const makeAccountWorld = () => {
  const sessions = new Map<string, Session>()
  const portalSessions = new Map<string, PortalSession>()
  const asked: Asked[] = []
  const instead = new Map<string, (input: never, own: () => never) => unknown>()
  const passwordId = crypto.randomUUID()
  const pepper = bytesToHex(randomBytes(32))
  let password: Input<'updatePassword'>['body'] | undefined
  let wallets: Success<'listWallets'>['wallets'] = []
  let backups: Success<'listPasswordKeyShares'>['keyShares'] = []
  let temporary: Input<'createTemporaryShares'>['body']['shares'] = []
  let activeShares: Success<'verifyPassword'>['activeShares'] = []
  let now = 0

  const newSession = (): Session => {
    const session: Session = {
      id: crypto.randomUUID(),
      lookupId: crypto.randomUUID(),
      isAuthenticated: false,
      needsWallet: false,
      currentWalletIds: {},
    }
    sessions.set(session.id, session)
    return session
  }
  const sessionOf = (caller: Caller): Session => (caller.session ??= newSession())
  const portalSessionOf = (id: string): PortalSession => portalSessions.get(id) ?? refuse(404, 'not found')
  const pageOf = (caller: Caller): { portalSession: PortalSession; session: Session } => {
    const { portalSession } = caller
    if (portalSession === undefined) return refuse(401, 'no signed-in user')
    return { portalSession, session: sessions.get(portalSession.sessionId) ?? refuse(404, 'not found') }
  }
  const verifiedPageOf = (caller: Caller): ReturnType<typeof pageOf> => {
    const page = pageOf(caller)
    return page.portalSession.isVerified ? page : refuse(404, 'not found')
  }
  const commit = (portalSession: PortalSession, change: () => void) => {
    if (portalSession.state === 'DEFERRED') portalSession.commit = change
    else change()
    if (portalSession.state === 'LIVE') portalSession.state = 'CLOSED'
  }
  const resultOf = (portalSession: PortalSession, sealedResult: string | undefined) =>
    sealedResult === undefined ? {} : { openingResult: { openingId: portalSession.id, sealedResult } }

  const callsOf = (caller: Caller): Answers => ({
    touchSession: ({ query }) => {
      if (query?.regenerate === 'true' && !sessionOf(caller).isAuthenticated) caller.session = newSession()
      const session = sessionOf(caller)
      return {
        isAuthenticated: session.isAuthenticated,
        sessionId: session.id,
        sessionLookupId: session.lookupId,
        partnerId,
        currentWalletIds: session.currentWalletIds,
        needsWallet: session.needsWallet,
        supportedWalletTypes: [{ type: 'EVM' }],
        cosmosPrefix: 'cosmos',
        serverTime: now,
        operator: { name: 'Tandem' },
        ...(session.userId === undefined ? {} : { userId: session.userId, email }),
        ...(session.openingResult === undefined ? {} : { openingResult: session.openingResult }),
      }
    },
    checkUserExists: () => ({ exists: password !== undefined }),
    createUser: () => {
      if (password !== undefined) refuse(409, 'user already exists')
      sessionOf(caller)
      return { userId }
    },
    verifyEmail: ({ body }) => {
      if (body.verificationCode !== '123456') refuse(400, 'invalid verification code')
      sessionOf(caller).userId = userId
      return {}
    },
    resendVerificationCode: () => ({}),
    getSupportedAuthMethods: () => ({ supportedAuthMethods: ['PASSWORD'] }),
    getPartner: () => ({ partner }),
    registerSessionKeys: ({ body }) => {
      const session = sessionOf(caller)
      const message = DeviceKey.sessionKeysMessage({
        sessionId: session.id,
        devicePublicKey: hexToBytes(body.devicePublicKey),
        loginPublicKey: body.loginPublicKey,
        recoveryPublicKey: body.recoveryPublicKey === undefined ? undefined : hexToBytes(body.recoveryPublicKey),
      })
      if (!DeviceKey.verify(hexToBytes(body.devicePublicKey), message, hexToBytes(body.proof)))
        refuse(400, 'invalid session keys')
      Object.assign(session, body)
      return {}
    },
    createPassword: () => ({ id: passwordId, partnerId }),
    createOpeningTicket: ({ path }) => ({ ticket: portalSessionOf(path.openingId).ticket }),
    getOpening: ({ path }) => ({ state: portalSessionOf(path.openingId).state === 'CLOSED' ? 'CLOSED' : 'LIVE' }),
    redeemOpening: ({ path, body }) => {
      const portalSession = portalSessionOf(path.openingId)
      if (portalSession.sessionId !== sessionOf(caller).id) refuse(404, 'not found')
      const hash = bytesToHex(OpenerMessages.redeemHash(hexToBytes(body.proof)))
      if (hash !== portalSession.redeemHash) refuse(403, 'opener not proven')
      portalSession.commit?.()
      return {}
    },
    listWallets: () => ({ wallets }),
    listTemporaryShares: ({ query }) => ({
      temporaryShares: temporary
        .filter(({ sessionLookupId }) => sessionLookupId === query.sessionLookupId)
        .map(({ sessionLookupId: _, ...share }) => ({ ...share, userId })),
    }),
    deleteTemporaryShares: () => {
      temporary = []
      return {}
    },
    logout: () => ({}),
    keepSessionAlive: () => ({}),

    createOpening: ({ body }) => {
      const session = sessions.get(body.sessionId ?? '') ?? refuse(404, 'not found')
      const { devicePublicKey, loginPublicKey, recoveryPublicKey } = session
      const portalSession: PortalSession = {
        id: crypto.randomUUID(),
        sessionId: session.id,
        secret: bytesToHex(randomBytes(32)),
        page: body.page,
        ticket: bytesToHex(randomBytes(32)),
        challenge: bytesToHex(randomBytes(32)),
        state: 'LIVE',
        isVerified: false,
        ...(body.record === undefined ? {} : { record: body.record }),
      }
      portalSessions.set(portalSession.id, portalSession)
      return {
        openingId: portalSession.id,
        openingSecret: portalSession.secret,
        mode: devicePublicKey === undefined ? 'ask' : 'opener',
        origin: hostOrigin,
        partner,
        returnUrl: `${hostOrigin}/`,
        ...(devicePublicKey === undefined ? {} : { devicePublicKey }),
        ...(loginPublicKey === undefined ? {} : { loginPublicKey }),
        ...(recoveryPublicKey === undefined ? {} : { recoveryPublicKey }),
      }
    },
    createOpeningToken: ({ path, body }) => {
      const portalSession = portalSessions.get(path.openingId) ?? refuse(403, 'opener not proven')
      if (body.openingSecret !== portalSession.secret) refuse(403, 'opener not proven')
      if (body.redirect === true) {
        portalSession.state = 'DEFERRED'
        portalSession.redeemHash = body.redeemHash ?? ''
      } else if (body.asked !== true && body.ticket !== portalSession.ticket) refuse(403, 'opener not proven')
      caller.portalSession = portalSession
      return {
        sessionLookupId: sessions.get(portalSession.sessionId)?.lookupId ?? '',
        challenge: portalSession.challenge,
        serverTime: now,
        ...(portalSession.page === 'create-password' ? { identity: { email }, kdf, pepper } : {}),
      }
    },
    getPasskeyChallenge: () => ({
      challenge: Buffer.from(pageOf(caller).portalSession.challenge, 'hex').toString('base64'),
    }),
    beatOpening: () => ({}),
    closeOpening: ({ path }) => {
      const portalSession = portalSessionOf(path.openingId)
      if (portalSession.state === 'LIVE') portalSession.state = 'CLOSED'
      return {}
    },
    listPasswords: () => ({
      passwords:
        password === undefined ? [] : [{ id: passwordId, salt: password.salt ?? '', kdf: password.kdf ?? kdf }],
    }),
    verifyPassword: ({ body }) => {
      const { portalSession, session } = pageOf(caller)
      const { sigDerivedPublicKey, encryptedWalletPrivateKey, rootPublicKey, wrappedRootKey } = password ?? {}
      const isRight = PasswordKeys.isPasswordProof(
        hexToBytes(password?.authPublicKey ?? ''),
        {
          portalHost: 'localhost:3003',
          partnerId,
          sessionId: session.id,
          openingId: portalSession.id,
          passwordId,
          loginKeyThumbprint: RsaKey.loginKeyThumbprint(session.loginPublicKey ?? '') ?? new Uint8Array(0),
          challenge: hexToBytes(portalSession.challenge),
        },
        hexToBytes(body.signature),
      )
      if (!isRight || sigDerivedPublicKey === undefined) return refuse(401, 'invalid password')
      portalSession.isVerified = true
      return {
        userId,
        credentialId: passwordId,
        sigDerivedPublicKey,
        ewpk: encryptedWalletPrivateKey ?? '',
        pepper,
        activeShares,
        deviceToken: `${portalSession.id}.${'5f'.repeat(32)}`,
        ...(rootPublicKey === undefined ? {} : { rootPublicKey }),
        ...(wrappedRootKey === undefined ? {} : { wrappedRootKey }),
      }
    },
    updatePassword: ({ body }) => {
      const { portalSession, session } = pageOf(caller)
      commit(portalSession, () => {
        password = body
        const result = resultOf(portalSession, body.sealedResult)
        Object.assign(session, { userId, isAuthenticated: true, needsWallet: true, ...result })
      })
      return {}
    },
    listPasswordKeyShares: () => {
      verifiedPageOf(caller)
      return { keyShares: backups }
    },
    createTemporaryShares: ({ body }) => {
      verifiedPageOf(caller)
      temporary = body.shares
      return {}
    },
    setWallets: ({ body }) => {
      const { portalSession, session } = verifiedPageOf(caller)
      commit(portalSession, () => {
        const { walletIds: currentWalletIds, needsWallet = false, sealedResult } = body
        const result = resultOf(portalSession, sealedResult)
        Object.assign(session, { userId, isAuthenticated: true, needsWallet, currentWalletIds, ...result })
      })
      return {}
    },
  })

  const apiFor = (kind: Caller['kind']) => {
    const api = fakeApi(callsOf({ kind }), (operation, input, own) =>
      instead.get(operation)?.(input as never, own as never),
    )
    return Layer.succeed(Api, {
      call: (operation, input) =>
        Effect.flatMap(Clock.currentTimeMillis, (at) => {
          now = at
          const call: Asked = { by: kind, operation, input, at }
          asked.push(call)
          return Effect.tap(api.call(operation, input), (success) => Effect.sync(() => void (call.answered = success)))
        }),
    })
  }

  /** A device of the user: a host page of its own, and a popup in which `play` happens. */
  const makeDevice = (play: Play, { returns }: Pick<Browser, 'returns'> = {}) => {
    const events: { readonly name: string; readonly data: unknown }[] = []
    const logs: string[] = []
    const listeners = new Listeners()
    for (const name of EventNames.told) listeners.on(name, ({ data }) => events.push({ name, data }))
    const stores = Layer.mergeAll(DeviceKeysWebCrypto, ShareStoreText).pipe(
      Layer.provideMerge(Layer.mergeAll(StorageMemory, LocksWeb())),
    )
    const settings = Layer.succeed(Settings, {
      environment: 'DEV',
      hosts: developmentHosts,
      apiKey: 'a key',
      origin: hostOrigin,
      theme: {},
      mailLook: {},
      supportedWalletTypes: [{ type: 'EVM' }],
    })
    const popups = playedPopups({
      hostOrigin,
      play,
      returns,
      page: () => Layer.mergeAll(apiFor('page'), RsaWebCrypto, RandomWebCrypto, PasswordHashOnce, noPasskeys, settings),
    })
    const layer = Layer.mergeAll(
      apiFor('host'),
      stores,
      popups,
      SessionStateMemory,
      WalletStateMemory,
      RandomWebCrypto,
      RsaWebCrypto,
      TabsBroadcast,
      EventsOf(listeners),
      Logger.layer([Logger.make(({ message }) => void logs.push(String(message)))]),
      Layer.succeed(Navigation, {
        url: Effect.succeed(hostOrigin),
        replace: () => Effect.void,
        redirect: () => Effect.void,
        close: Effect.void,
        hidden: Effect.never,
      }),
      settings,
    )
    return { runtime: ManagedRuntime.make(layer), events, logs }
  }

  /** A wallet of the user: its share as text, as `rootPublicKey` pins it. */
  const makeShare = (rootPublicKey: Uint8Array, walletId?: string) =>
    makeUserShare({ userId, partnerId, rootPublicKey, walletId })
  type Share = ReturnType<typeof makeShare>

  /** Lists the wallet and names its active share, as after keygen. */
  const listWallet = (share: Share) => {
    wallets = [...wallets, listedWallet(share, { userId, partnerId })]
    activeShares = [...activeShares, { walletId: share.walletId, epoch: 1, shareId: bytesToHex(share.shareId) }]
  }

  /** A backup of the share to the user's password, signed by the device of this session. */
  const backUp = Effect.fn('kit.backUp')(function* (sessionId: string, share: Share) {
    const keys = yield* DeviceKeys
    const { encryptedMessageHex: encryptedShare, encryptedKeyHex: encryptedKey } = yield* (yield* Rsa).encrypt(
      password?.sigDerivedPublicKey ?? '',
      { plaintext: share.shareText, messageKey: randomBytes(16) },
    )
    const message = DeviceKey.backupMessage({
      userId,
      walletId: share.walletId,
      shareId: share.shareId,
      publicKey: share.publicKey,
      encryptor: 'PASSWORD',
      keyRef: passwordId,
      encryptedShare,
      encryptedKey,
    })
    const deviceSignature = bytesToHex(yield* keys.sign(sessionId, message))
    const key = yield* Effect.flatMap(keys.find(sessionId), Effect.fromOption)
    backups = [
      ...backups,
      {
        walletId: share.walletId,
        walletScheme: 'DKLS',
        partnerId,
        encryptedShare,
        encryptedKey,
        type: 'USER',
        encryptor: 'PASSWORD',
        passwordId,
        shareId: bytesToHex(share.shareId),
        epoch: 1,
        deviceSignature,
        certificate: key.certification?.certificate ?? '',
      },
    ]
  })

  return {
    passwordId,
    asked,
    makeDevice,
    makeShare,
    listWallet,
    backUp,
    sessions,
    portalSessions,
    operations: (by: Caller['kind']) => asked.filter((call) => call.by === by).map(({ operation }) => operation),
    backups: () => backups,
    setBackups: (changed: typeof backups) => {
      backups = changed
    },
    temporary: () => temporary,
    setTemporary: (changed: typeof temporary) => {
      temporary = changed
    },
    /** Another answer than the service's own; `undefined` leaves it as it is. */
    answer: <Id extends OperationId>(
      operation: Id,
      answer: (input: Input<Id>, own: () => Success<Id>) => Success<Id> | undefined,
    ) => {
      instead.set(operation, answer)
    },
    rootPublicKey: () => hexToBytes(password?.rootPublicKey ?? ''),
  }
}
