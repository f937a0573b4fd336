/**
 * One signed-in device of a user without a service: the SDK's wallet flows over the real adapters of Node, a real
 * co-signer (`cosigner.ts`), and an `Api` whose answers a test gives.
 */
import { ed25519 } from '@noble/curves/ed25519.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import * as Clock from 'effect/Clock'
import * as Duration from 'effect/Duration'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as ManagedRuntime from 'effect/ManagedRuntime'
import * as Queue from 'effect/Queue'
import * as Redacted from 'effect/Redacted'
import { DeviceKeysWebCrypto } from '../../adapters/browser/DeviceKeys.ts'
import { EventsOf } from '../../adapters/browser/Events.ts'
import { Listeners } from '../../adapters/browser/Listeners.ts'
import { LocksWeb } from '../../adapters/browser/Locks.ts'
import { MpcInline } from '../../adapters/browser/Mpc.ts'
import { RandomWebCrypto } from '../../adapters/browser/Random.ts'
import { RsaWebCrypto } from '../../adapters/browser/Rsa.ts'
import { ShareStoreText } from '../../adapters/browser/ShareStore.ts'
import { StorageMemory } from '../../adapters/browser/Storage.ts'
import { TabsWeb } from '../../adapters/browser/Tabs.ts'
import { Api } from '../../domain/client/ports/Api.ts'
import { DeviceKeys } from '../../domain/client/ports/DeviceKeys.ts'
import { Popup, PopupBlocked, type OpenPopup, type WindowMessage } from '../../domain/client/ports/Popup.ts'
import { Rsa } from '../../domain/client/ports/Rsa.ts'
import { Settings } from '../../domain/client/ports/Settings.ts'
import { SessionState, SessionStateMemory } from '../../domain/client/SessionState.ts'
import { WalletStateMemory } from '../../domain/client/WalletState.ts'
import * as PasswordKeys from '../../domain/crypto/PasswordKeys.ts'
import * as RootKey from '../../domain/crypto/RootKey.ts'
import * as RsaKey from '../../domain/crypto/RsaKey.ts'
import { developmentHosts } from '../../domain/model/Environment.ts'
import type { Kind } from '../../domain/model/Popup.ts'
import { schemeForType } from '../../domain/model/Wallet.ts'
import type { WalletType } from '../../domain/model/WalletTypes.ts'
import type { Input, OperationId } from '../../generated/handlers.ts'
import { clockAt } from './clock.ts'
import { makeCosigner } from './cosigner.ts'
import { fakeApi, type Answers } from './fakeApi.ts'
import { listedWallet } from './listedWallet.ts'

export const userId = '6f1a2f0e-0c1b-4d52-9d6c-1e0f3a5b7c01'
const partnerId = '6f1a2f0e-0c1b-4d52-9d6c-1e0f3a5b7c02'
const sessionId = '6f1a2f0e-0c1b-4d52-9d6c-1e0f3a5b7c03'
const passwordId = '6f1a2f0e-0c1b-4d52-9d6c-1e0f3a5b7c04'

const session = {
  isAuthenticated: true,
  sessionId,
  sessionLookupId: sessionId,
  partnerId,
  userId,
  email: 'ada@example.com',
}

/** What was asked of the service, in order. */
export type Asked = {
  readonly operation: OperationId
  readonly input: unknown
  /** What it was granted; absent where it was refused. */
  answered?: unknown
}

/** A clock that pauses between two tries advance, so that they take no time; a longer pause is a timeout of a try. */
const shortPauses = () => {
  const machine = Effect.runSync(Clock.Clock)
  let ahead = 0
  const pauses: number[] = []
  const sleep = (duration: Duration.Duration): Effect.Effect<void> => {
    const ms = Duration.toMillis(duration)
    if (ms > 2_000) return machine.sleep(duration)
    const turn = Effect.sync(() => {
      ahead += ms
      pauses.push(ms)
    })
    return Effect.andThen(Effect.yieldNow, turn)
  }
  return { clock: clockAt(() => machine.currentTimeMillisUnsafe() + ahead, sleep), pauses }
}

/** The host's windows: which kinds it opened, where they are, and whether the browser blocks them. */
const makePopups = () => {
  const opened: { readonly kind: Kind; url: string; isClosed: boolean }[] = []
  const blocking = { isOn: false }
  const layer = Layer.succeed(Popup, {
    open: (kind) =>
      Effect.suspend(() => {
        if (blocking.isOn) return Effect.fail(new PopupBlocked({}))
        const window = { kind, url: '', isClosed: false }
        opened.push(window)
        return Effect.succeed({
          navigate: (url) => Effect.sync(() => void (window.url = url)),
          close: Effect.sync(() => void (window.isClosed = true)),
          closed: Effect.sync(() => window.isClosed),
          post: () => Effect.void,
        } satisfies OpenPopup)
      }),
    messages: Queue.unbounded<WindowMessage>(),
  })
  return { layer, opened, block: () => void (blocking.isOn = true) }
}

export const makeWalletWorld = async () => {
  const rootSeed = ed25519.utils.randomSecretKey()
  const rootPublicKey = RootKey.publicKeyOf(rootSeed)
  const asked: Asked[] = []
  const instead = new Map<OperationId, (input: never) => unknown>()
  const wallets = new Map<string, WalletType>()
  const events: { readonly name: string; readonly data: unknown }[] = []
  let deviceKey = new Uint8Array(0)
  let credential = { publicKey: '', privateKey: Redacted.make(''), signature: '' }
  const recoveryPublicKeys: { readonly id: string; readonly publicKey: string; readonly rootSignature: string }[] = []
  /** Whether the service shows a wallet's address once its key is confirmed. */
  let showsAddresses = true

  const cosigner = makeCosigner({
    userId,
    partnerId,
    devicePublicKey: () => deviceKey,
    typeOf: (walletId) => wallets.get(walletId) ?? 'EVM',
  })

  const answers: Answers = {
    createWallet: ({ body }: Input<'createWallet'>) => {
      const type = (body.type ?? 'EVM') as WalletType
      const unfinished = [...wallets].find(([id, known]) => known === type && !cosigner.addresses.has(id))
      const [walletId = crypto.randomUUID()] = unfinished ?? []
      wallets.set(walletId, type)
      return {
        walletId,
        protocolId: crypto.randomUUID(),
        lead: true,
        cosigner: { name: cosigner.name, publicKey: bytesToHex(cosigner.publicKey) },
      }
    },
    listWallets: () => ({
      wallets: [...wallets].map(([walletId, type]) => {
        const address = showsAddresses ? (cosigner.addresses.get(walletId) ?? null) : null
        const publicKey = address === null ? undefined : cosigner.publicKeys.get(walletId)
        const listed = listedWallet({ walletId, address: '', ...(publicKey && { publicKey }) }, { userId, partnerId })
        return { ...listed, type, scheme: schemeForType(type), address, keyGenComplete: address !== null }
      }),
    }),
    listPasskeys: () => ({ keys: [] }),
    listPasswords: () => ({
      passwords: [
        {
          id: passwordId,
          userId,
          salt: 'aa'.repeat(PasswordKeys.saltLength),
          kdf: { algorithm: 'argon2id', ...PasswordKeys.kdfFloor, parallelism: 1 },
          status: 'COMPLETE',
          rootPublicKey: bytesToHex(rootPublicKey),
          sigDerivedPublicKey: credential.publicKey,
          rootSignature: credential.signature,
        },
      ],
    }),
    listRecoveryPublicKeys: () => ({ recoveryPublicKeys }),
    createRecoveryPublicKeys: ({ body }: Input<'createRecoveryPublicKeys'>) => {
      for (const [index, publicKey] of body.publicKeys.entries()) {
        recoveryPublicKeys.push({
          id: crypto.randomUUID(),
          publicKey,
          rootSignature: body.rootSignatures?.[index] ?? '',
        })
      }
      return { recoveryPublicKeys }
    },
    touchSession: () => ({
      ...session,
      currentWalletIds: Object.fromEntries([...wallets].map(([walletId, type]) => [type, [walletId]])),
      needsWallet: wallets.size === 0,
      supportedWalletTypes: [{ type: 'EVM' }, { type: 'SOLANA' }, { type: 'COSMOS' }],
      cosmosPrefix: 'cosmos',
      serverTime: Date.now(),
      operator: { name: 'Tandem' },
    }),
    createKeyShares: () => ({}),
    getCosignerKeys: () => ({
      name: cosigner.name,
      links: cosigner.links.map(({ oldKey, newKey, from, isCompromised, signature }) => ({
        oldPublicKey: bytesToHex(oldKey),
        newPublicKey: bytesToHex(newKey),
        from,
        isCompromised,
        signature: bytesToHex(signature),
      })),
    }),
    distributeCapsuleShare: () => ({}),
  }

  const own = fakeApi(answers, (operation, input) => instead.get(operation)?.(input as never))
  const api = Layer.succeed(Api, {
    call: (operation, input) =>
      Effect.suspend(() => {
        const call: Asked = { operation, input }
        asked.push(call)
        return Effect.tap(own.call(operation, input), (success) => Effect.sync(() => void (call.answered = success)))
      }),
  })
  const popups = makePopups()
  const listeners = new Listeners()
  for (const name of ['paraWalletCreated', 'paraSignMessage', 'paraAccountSetup', 'paraSignTransaction'] as const) {
    listeners.on(name, ({ data }) => events.push({ name, data }))
  }
  const stores = Layer.mergeAll(DeviceKeysWebCrypto, ShareStoreText).pipe(
    Layer.provideMerge(Layer.merge(StorageMemory, LocksWeb())),
  )
  const layer = Layer.mergeAll(
    api,
    cosigner.layer,
    stores,
    SessionStateMemory,
    WalletStateMemory,
    RandomWebCrypto,
    RsaWebCrypto,
    LocksWeb(),
    EventsOf(listeners),
    popups.layer,
    TabsWeb,
    MpcInline.pipe(Layer.provide(RandomWebCrypto)),
    Layer.succeed(Settings, {
      environment: 'DEV',
      hosts: developmentHosts,
      apiKey: 'a key',
      origin: '',
      theme: {},
      mailLook: {},
      supportedWalletTypes: [{ type: 'EVM' }, { type: 'SOLANA' }, { type: 'COSMOS' }],
    }),
  )
  const { clock, pauses } = shortPauses()
  const runtime = ManagedRuntime.make(Layer.provideMerge(layer, Layer.succeed(Clock.Clock, clock)))

  await runtime.runPromise(
    Effect.gen(function* () {
      const keys = yield* DeviceKeys
      deviceKey = Uint8Array.from(hexToBytes((yield* keys.create(sessionId)).publicKey))
      const certificate = RootKey.certifyDevice(rootSeed, {
        userId,
        partnerId,
        origin: '',
        sessionId,
        devicePublicKey: deviceKey,
        issuedAt: 0,
        expiresAt: Number.MAX_SAFE_INTEGER,
      })
      yield* keys.certify(sessionId, {
        rootPublicKey: bytesToHex(rootPublicKey),
        certificate: bytesToHex(certificate),
      })
      const pair = yield* (yield* Rsa).generate
      const publicKey = RsaKey.publicPem(pair.publicKey) ?? new Uint8Array(0)
      credential = {
        ...pair,
        signature: bytesToHex(
          RootKey.signRecipient(rootSeed, { kind: 'PASSWORD', userId, recordId: passwordId, publicKey }),
        ),
      }
      yield* (yield* SessionState).set({ ...session, clockOffset: 0, missing: [] })
    }),
  )

  return {
    runtime,
    cosigner,
    /** The types of those that the service has. */
    wallets,
    asked,
    events,
    popups,
    /** Milliseconds that the SDK paused between its tries, in order: on this world's clock alone. */
    pauses,
    passwordId,
    rootPublicKey,
    devicePublicKey: deviceKey,
    /** A recovery key of this device, as it is when a page of the portal has signed it. */
    newRecovery: () => {
      const secretKey = secp256k1.utils.randomSecretKey()
      const publicKey = secp256k1.getPublicKey(secretKey, false).slice(1)
      return {
        userId,
        secretKey: Redacted.make(bytesToHex(secretKey)),
        publicKey: bytesToHex(publicKey),
        signature: bytesToHex(RootKey.signRecipient(rootSeed, { kind: 'RECOVERY', userId, publicKey })),
      }
    },
    /** The password's RSA pair, so that a test can open a backup. */
    credential: () => credential,
    answer: <Id extends OperationId>(operation: Id, answer: (input: Input<Id>) => unknown) => {
      instead.set(operation, answer)
    },
    hideAddresses: () => {
      showsAddresses = false
    },
  }
}
