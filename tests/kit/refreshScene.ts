/**
 * One wallet, its user and two devices, for what may happen to a refresh: the client's flows and the service's own,
 * on a real database, with a line between them that loses, doubles and holds back, devices that crash, are wiped and log in
 * again, a co-signer that dies at its failpoints, and a database that turns out to be an older one.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ed25519 } from '@noble/curves/ed25519.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { p256 } from '@noble/curves/nist.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import * as Cause from 'effect/Cause'
import * as Clock from 'effect/Clock'
import * as Duration from 'effect/Duration'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import * as Layer from 'effect/Layer'
import * as ManagedRuntime from 'effect/ManagedRuntime'
import * as Option from 'effect/Option'
import * as Queue from 'effect/Queue'
import * as Redacted from 'effect/Redacted'
import * as References from 'effect/References'
import * as Result from 'effect/Result'
import { sql } from 'kysely'
import { LocksWeb } from '../../adapters/browser/Locks.ts'
import { MpcInline } from '../../adapters/browser/Mpc.ts'
import { RandomWebCrypto } from '../../adapters/browser/Random.ts'
import { ShareStoreText } from '../../adapters/browser/ShareStore.ts'
import { StorageWeb } from '../../adapters/browser/Storage.ts'
import { Database } from '../../adapters/service/database/Database.ts'
import { keySharesOfWallet, listed } from '../../adapters/service/http/answers.ts'
import { resumeWallets } from '../../domain/client/createWallet.ts'
import { logout } from '../../domain/client/logout.ts'
import { Api } from '../../domain/client/ports/Api.ts'
import { Cosigner } from '../../domain/client/ports/Cosigner.ts'
import { DeviceKeys, type DeviceKeyRecord } from '../../domain/client/ports/DeviceKeys.ts'
import { Events } from '../../domain/client/ports/Events.ts'
import { Locks } from '../../domain/client/ports/Locks.ts'
import { Mpc } from '../../domain/client/ports/Mpc.ts'
import { Popup } from '../../domain/client/ports/Popup.ts'
import { Rsa, RsaRefusal } from '../../domain/client/ports/Rsa.ts'
import { Settings } from '../../domain/client/ports/Settings.ts'
import { ShareStore } from '../../domain/client/ports/ShareStore.ts'
import { Tabs } from '../../domain/client/ports/Tabs.ts'
import { asked as askedOf } from '../../domain/client/otherRequests.ts'
import { signLock } from '../../domain/client/heldShare.ts'
import { refresh } from '../../domain/client/refreshKeys.ts'
import { SessionState, SessionStateMemory, type HostSession } from '../../domain/client/SessionState.ts'
import { sign } from '../../domain/client/sign.ts'
import { WalletStateMemory } from '../../domain/client/WalletState.ts'
import { defaultKdf } from '../../domain/crypto/PasswordKeys.ts'
import * as RootKey from '../../domain/crypto/RootKey.ts'
import * as RsaKey from '../../domain/crypto/RsaKey.ts'
import * as Address from '../../domain/model/Address.ts'
import { ApiError, connectionError } from '../../domain/model/ApiError.ts'
import { developmentHosts } from '../../domain/model/Environment.ts'
import { reviewTimeoutMs } from '../../domain/model/Limits.ts'
import type { Scheme } from '../../domain/mpc/Scheme.ts'
import * as ShareRecord from '../../domain/mpc/ShareRecord.ts'
import * as ShareText from '../../domain/mpc/ShareText.ts'
import * as SigningRequest from '../../domain/mpc/SigningRequest.ts'
import { getCosignerKeys } from '../../domain/service/cosignerKeys.ts'
import * as keyShares from '../../domain/service/keyShares.ts'
import type { PartnerRecord } from '../../domain/service/Partner.ts'
import { Claims } from '../../domain/service/ports/Claims.ts'
import { CosignerEngine } from '../../domain/service/ports/CosignerEngine.ts'
import { Failpoints } from '../../domain/service/ports/Failpoints.ts'
import { DatabaseGeneration } from '../../domain/service/ports/DatabaseGeneration.ts'
import { KeyShares } from '../../domain/service/ports/KeyShares.ts'
import { Passwords } from '../../domain/service/ports/Passwords.ts'
import { ProviderShares } from '../../domain/service/ports/ProviderShares.ts'
import { ringOf } from '../../domain/service/ports/SealedTables.ts'
import { Vault, type AssociatedData } from '../../domain/service/ports/Vault.ts'
import { Wallets } from '../../domain/service/ports/Wallets.ts'
import { Watermarks } from '../../domain/service/ports/Watermarks.ts'
import { exchangeFrame } from '../../domain/service/protocol.ts'
import { shareAssociatedData } from '../../domain/service/protocol/associatedData.ts'
import * as refreshes from '../../domain/service/refreshes.ts'
import * as sessions from '../../domain/service/sessions.ts'
import * as wallets from '../../domain/service/wallets.ts'
import type { Input, OperationId } from '../../generated/handlers.ts'
import { VaultOf } from '../../adapters/service/vault/Vault.ts'
import { claimsOf } from './claims.ts'
import { clockAt } from './clock.ts'
import { vaultKeysIn } from './rings.ts'
import {
  makePartner,
  makeUser,
  openLogin,
  signIn,
  startWorld,
  value,
  type Outcome,
  type SignedIn,
  type World,
} from './cosignerWorld.ts'
import {
  belongTogether,
  dealShares,
  isSigned,
  learnKey,
  sealedOpenly,
  toyEngine,
  toyMpc,
  type Witness,
} from './toyProtocols.ts'
import { verifyP256 } from '../../domain/crypto/Signatures.ts'

export type Arithmetic = 'toy' | 'real'

/** The fate of the n-th request of a device, and whether its connection is dead from then on. */
export type Fault = {
  readonly at: number
  readonly kind:
    | 'request lost'
    | 'answer lost'
    | 'sent twice'
    | 'comes late'
    | 'comes again late'
    | 'device crashes before'
    | 'device crashes after'
    | 'co-signer dies'
    | 'another tab starts'
  readonly lasts: boolean
  /** The failpoint of this request at which the co-signer dies. */
  readonly failpoint: number
}

/** How a verb ended on a device: a refusal is named by its code or its tag. */
export type Ended =
  { readonly kind: 'done' } | { readonly kind: 'failed'; readonly tag: string } | { readonly kind: 'gone' }

export type ModelWorld = Awaited<ReturnType<typeof startModelWorld>>

/** One world for many wallets; each scene has a co-signer's memory and a clock of its own. */
export const startModelWorld = async (arithmetic: Arithmetic, database?: Layer.Layer<Database>) => {
  const world = await startWorld({
    database,
    // Toy protocols need no threads.
    ...(arithmetic === 'toy' ? { configuration: { roles: ['api'] } } : {}),
  })
  const partner = await makePartner(world)
  const folder = mkdtempSync(join(tmpdir(), 'tandem-scenes-'))
  const vault = await vaultWithRuns(world, folder)
  return {
    makeScene: (scheme: Scheme) => makeScene(world, partner, { arithmetic, vault }, scheme),
    stop: async () => {
      await world.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The fields of a wallet that differ in an older database. */
const tablesOfWallet = [
  'rounds',
  'runs',
  'refreshes',
  'key_shares',
  'ot_records',
  'provider_shares',
  'wallets',
] as const

type Snapshot = Readonly<Record<string, readonly Record<string, unknown>[]>>

export type Scene = Awaited<ReturnType<typeof makeScene>>
export type SceneDevice = Scene['devices'][number]

/** A process without the co-signer's role has no ring for runs, so those of toy protocols are sealed under one of their own. */
const vaultWithRuns = async (world: World, folder: string): Promise<Vault['Service']> => {
  const of = Effect.map(Vault, (vault) => vault)
  const service = await world.run(of)
  const cosigner = await Effect.runPromise(Effect.provide(of, VaultOf(vaultKeysIn(folder))))
  const owner = ({ table }: AssociatedData) => (ringOf[table] === 'cosigner' ? cosigner : service)
  return {
    holds: cosigner.holds,
    seal: (associatedData, plaintext) => owner(associatedData).seal(associatedData, plaintext),
    open: (associatedData, sealed) => owner(associatedData).open(associatedData, sealed),
    sealRun: cosigner.sealRun,
    openRun: cosigner.openRun,
    mac: service.mac,
  }
}

type Means = { readonly arithmetic: Arithmetic; readonly vault: Vault['Service'] }

const makeScene = async (base: World, partner: PartnerRecord, { arithmetic, vault }: Means, scheme: Scheme) => {
  const witness: Witness = { met: [], cheats: false }
  const faults: string[] = []
  const watermarks = new Map<string, number>()
  const raise = (name: string, mark: number) => void watermarks.set(name, Math.max(mark, watermarks.get(name) ?? 0))
  const claims = new Map<string, string>()
  const cell = {
    databaseGeneration: randomUUID(),
    isRestored: false,
    deaths: undefined as number | undefined,
    ahead: 0,
  }
  const now = () => base.now() + cell.ahead
  const clock = clockAt(now)
  const engine = toyEngine(toyKey, witness)

  /** Flows of this scene: its clock, its database generation, its marks, and its co-signer's deaths. */
  const inScene = <A, E, R>(flow: Effect.Effect<A, E, R>) =>
    flow.pipe(
      Effect.provideService(Clock.Clock, clock),
      Effect.provideService(DatabaseGeneration, {
        current: Effect.sync(() => cell.databaseGeneration),
        currentBy: () => Effect.sync(() => cell.databaseGeneration),
        isCurrent: (databaseGeneration) => Effect.sync(() => databaseGeneration === cell.databaseGeneration),
      }),
      Effect.provideService(Claims, {
        ...claimsOf(),
        hold: ({ protocolId, step, requestHash, seedHash }) =>
          Effect.sync(() => {
            const [round, said] = [`${protocolId}/${step}`, `${requestHash}/${seedHash}`]
            if (!claims.has(round)) claims.set(round, said)
            return claims.get(round) === said
          }),
      }),
      Effect.provideService(Watermarks, {
        raise: (name, mark) => Effect.sync(() => raise(name, mark)),
        raiseAll: (marks) => Effect.sync(() => marks.forEach(([name, mark]) => raise(name, mark))),
        read: (name) => Effect.sync(() => watermarks.get(name) ?? 0),
      }),
      Effect.provideService(Failpoints, { reach: () => Effect.suspend(reach) }),
    )
  const reach = () => {
    if (cell.deaths === undefined) return Effect.void
    cell.deaths -= 1
    if (cell.deaths >= 0) return Effect.void
    cell.deaths = undefined
    return Effect.die(new Death())
  }
  const withToys = <A, E, R>(flow: Effect.Effect<A, E, R>) =>
    flow.pipe(Effect.provideService(CosignerEngine, engine), Effect.provideService(Vault, vault))
  const world: World = {
    ...base,
    now,
    run: (flow) => base.run(arithmetic === 'toy' ? withToys(flow) : flow),
    as: (caller, flow) => base.as(caller, arithmetic === 'toy' ? withToys(inScene(flow)) : inScene(flow)),
  }

  const user = await makeUser(world)
  const type = scheme === 'DKLS' ? 'EVM' : 'SOLANA'
  const made = await world.run(
    Effect.gen(function* () {
      const { findOrCreate, activate } = yield* Wallets
      const { id: walletId } = yield* findOrCreate({
        id: randomUUID(),
        userId: user.userId,
        partnerId: partner.id,
        type,
        slot: 0,
        scheme,
        cosmosPrefix: null,
        now: world.now(),
      })
      const halves = dealShares(scheme, { walletId, rootPublicKey: user.rootPublicKey }, randomBytes)
      const { provider } = halves
      const [shareId, publicKey] = [bytesToHex(provider.shareId), bytesToHex(provider.publicKey)]
      const address = Address.fromPublicKey(type, provider.publicKey)
      const rootPublicKey = bytesToHex(user.rootPublicKey)
      yield* activate(walletId, { epoch: 1, shareId, publicKey, address, rootPublicKey }, world.now())
      const sharing = { walletId, epoch: 1, shareId }
      const sealed =
        arithmetic === 'toy'
          ? sealedOpenly(provider).sealed
          : yield* (yield* Vault).seal(shareAssociatedData(sharing), ShareRecord.encode(provider))
      yield* (yield* ProviderShares).put({ ...sharing, sealed, capsule: sealed }, world.now())
      return { walletId, address, publicKey, ...halves }
    }),
  )
  const { walletId, address } = made
  const hello = helloIn[scheme]
  if (arithmetic === 'toy') learnKey(made.user, made.provider)
  const cosigner = await world.run(Effect.flatMap(CosignerEngine, ({ identity }) => identity))
  const shareText = ShareText.write({
    share: made.user,
    userId: user.userId,
    partnerId: partner.id,
    cosignerName: cosigner.name,
    cosignerKey: cosigner.publicKey,
  })

  const passwordId = randomUUID()
  const rootSignature = bytesToHex(
    RootKey.signRecipient(user.root, {
      kind: 'PASSWORD',
      userId: user.userId,
      recordId: passwordId,
      publicKey: hexToBytes(credentialKey),
    }),
  )
  await world.run(
    Effect.gen(function* () {
      const passwords = yield* Passwords
      const now = world.now()
      const record = { id: passwordId, userId: user.userId, partnerId: partner.id, sessionId: randomUUID(), salt: '00' }
      yield* passwords.create({ ...record, sealedPepper: new Uint8Array(32), expiresAt: now, now })
      yield* passwords.complete(passwordId, {
        rootPublicKey: bytesToHex(user.rootPublicKey),
        wrappedRootKey: 'v2.cm9vdA',
        rootSignature,
        sigDerivedPublicKey: credentialKey,
        salt: '00',
        kdf: defaultKdf,
        encryptedWalletPrivateKey: 'v2.d3JhcHBlZA',
        encryptionKeyHash: '11',
        sealedVerifier: new Uint8Array(32),
      })
    }),
  )

  /** Requests in transit, which may arrive at any later time. */
  const late: (() => Promise<unknown>)[] = []
  const underWay = new Set<Promise<unknown>>()

  const follow = (promise: Promise<unknown>) => {
    underWay.add(promise)
    void promise.finally(() => underWay.delete(promise))
  }

  const makeDevice = (name: string) => {
    const local = new Map<string, string>()
    const keys = new Map<string, { readonly secret: Uint8Array; record: DeviceKeyRecord }>()
    const storage = { local: areaOf(local), session: areaOf(new Map()) }
    const line: { fault: Fault | undefined; sent: number; isDead: boolean } = {
      fault: undefined,
      sent: 0,
      isDead: false,
    }
    /** A session is looked up once, because it does not change. */
    let signedIn: (SignedIn & { seen?: ReturnType<SignedIn['caller']> | undefined }) | undefined
    const send = async <A>(run: () => Promise<Outcome<A>>): Promise<Outcome<A> | 'silence'> => {
      line.sent += 1
      const fault = line.fault?.at === line.sent ? line.fault : undefined
      if (line.isDead) return 'silence'
      line.isDead = fault?.lasts ?? false
      const arrive = (): Promise<Outcome<A> | 'silence'> => {
        const answered = run().catch((cause: unknown) => {
          if (cause instanceof Death) return 'silence' as const
          faults.push(`${name}: the service fails with ${String(cause)}`)
          return 'silence' as const
        })
        follow(answered)
        return answered
      }
      switch (fault?.kind) {
        case undefined:
          return arrive()
        case 'request lost':
          return 'silence'
        case 'answer lost':
          await arrive()
          return 'silence'
        case 'sent twice': {
          const [, second] = await Promise.all([arrive(), arrive()])
          return second
        }
        case 'comes late':
          late.push(arrive)
          return 'silence'
        case 'comes again late':
          late.push(arrive)
          return arrive()
        case 'device crashes before':
          crash()
          return new Promise(() => undefined)
        case 'device crashes after':
          await arrive()
          crash()
          return new Promise(() => undefined)
        case 'another tab starts':
          follow(otherTab())
          return arrive()
        case 'co-signer dies': {
          cell.deaths = fault.failpoint
          const answered = await arrive()
          cell.deaths = undefined
          return answered
        }
      }
    }

    const asked = <A>(run: () => Promise<Outcome<A>>): Effect.Effect<A, ApiError> =>
      Effect.flatMap(
        Effect.promise(() => send(run)),
        (outcome) => {
          if (outcome === 'silence') return Effect.fail(connectionError())
          if (outcome.kind === 'success') return Effect.succeed(outcome.value)
          return Effect.fail(new ApiError({ message: outcome.message, code: outcome.tag, status: 409 }))
        },
      )

    /** The session that sends, fixed before the request arrives. */
    const sender = () => {
      const by = signedIn
      return async () => (by === undefined ? { partner } : await (by.seen ??= by.caller()))
    }

    type Sender = ReturnType<typeof sender>
    type Answers = { readonly [Id in OperationId]?: (input: Input<Id>, caller: Sender) => Promise<Outcome<unknown>> }
    const answers: Answers = {
      refreshKeys: async (_, caller) => world.as(await caller(), refreshes.refreshKeys(user.userId, walletId)),
      getRefreshDone: async ({ query }, caller) =>
        world.as(await caller(), refreshes.getRefreshDone(user.userId, walletId, query?.protocolId)),
      createKeyShares: async ({ body }, caller) =>
        world.as(await caller(), keyShares.createKeyShares(user.userId, body.keyShares)),
      listWalletKeyShares: async ({ query }, caller) =>
        world.as(
          await caller(),
          Effect.map(keyShares.listWalletKeyShares(user.userId, walletId, query), keySharesOfWallet),
        ),
      distributeCapsuleShare: async (_, caller) =>
        world.as(await caller(), wallets.distributeCapsuleShare(user.userId, walletId)),
      listWallets: async (_, caller) =>
        world.as(
          await caller(),
          Effect.map(wallets.listWallets(user.userId), (found) => listed(found)),
        ),
      logout: async (_, caller) => world.as(await caller(), sessions.logout()),
      getCosignerKeys: async (_, caller) => world.as(await caller(), getCosignerKeys()),
      listPasskeys: () => told({ keys: [] }),
      listPasswords: () =>
        told({
          passwords: [{ id: passwordId, status: 'COMPLETE', sigDerivedPublicKey: credentialKey, rootSignature }],
        }),
      listRecoveryPublicKeys: () => told({ recoveryPublicKeys: [] }),
    }
    const api = Layer.succeed(Api, {
      call: (operation, input) =>
        Effect.suspend(() => {
          const answer = answers[operation] as ((input: never, caller: Sender) => Promise<Outcome<never>>) | undefined
          const caller = sender()
          if (answer === undefined) return Effect.die(new Error(`unexpected call of ${operation}`))
          return asked(() => answer(input as never, caller))
        }),
    })

    const layerOf = () => {
      const base_ = Layer.mergeAll(
        api,
        Layer.succeed(Cosigner, {
          isSigned: (...signed) => Effect.sync(() => verifyP256(...signed)),
          exchange: (frame) =>
            Effect.suspend(() => {
              const caller = sender()
              return asked(async () => world.as(await caller(), exchangeFrame(frame)))
            }),
        }),
        Layer.succeed(DeviceKeys, {
          create: () => Effect.die(new Error('keys are made at the login')),
          makePortable: Effect.die(new Error('nothing is delegated here')),
          keep: () => Effect.die(new Error('nothing is delegated here')),
          find: (sessionId) => Effect.sync(() => Option.fromUndefinedOr(keys.get(sessionId)?.record)),
          sign: (sessionId, message) =>
            Effect.sync(() => p256.sign(message, keys.get(sessionId)?.secret ?? new Uint8Array(0), { prehash: true })),
          certify: () => Effect.void,
          remove: (sessionId) => Effect.sync(() => void keys.delete(sessionId)),
        }),
        openEnvelopes,
        StorageWeb(storage),
        LocksWeb(storage),
        RandomWebCrypto,
        SessionStateMemory,
        WalletStateMemory,
        Layer.succeed(Events, { emit: () => Effect.void }),
        Layer.mock(Popup, {}),
        Layer.succeed(Tabs, { post: () => Effect.void, messages: () => Queue.unbounded<unknown>() }),
        Layer.succeed(Settings, {
          environment: 'DEV',
          hosts: developmentHosts,
          apiKey: 'a key',
          origin: 'http://shop.localhost',
          theme: {},
          mailLook: {},
          supportedWalletTypes: [{ type }],
        }),
        Layer.succeed(Clock.Clock, hastyClock(world.now)),
        Layer.succeed(References.MinimumLogLevel, 'None'),
      )
      const mpc = arithmetic === 'toy' ? Layer.succeed(Mpc, toyMpc(witness, randomBytes)) : MpcInline
      return Layer.mergeAll(ShareStoreText, mpc).pipe(Layer.provideMerge(base_))
    }

    const openPage = () => {
      const controller = new AbortController()
      return { controller, runtime: ManagedRuntime.make(layerOf()), isNew: true }
    }
    let page = openPage()

    type Ports = ManagedRuntime.ManagedRuntime.Services<ReturnType<typeof openPage>['runtime']>

    const crash = () => {
      const { controller } = page
      page = openPage()
      controller.abort()
    }

    /** Runs a verb in the page that is open. */
    const run = async <A, E extends { readonly _tag: string }>(
      verb: Effect.Effect<A, E, Ports>,
      fault?: Fault,
    ): Promise<{ readonly ended: Ended; readonly value?: A }> => {
      if (page.isNew) {
        const session = hostSession()
        page.isNew = false
        if (session !== undefined)
          await page.runtime.runPromise(Effect.flatMap(SessionState, ({ set }) => set(session)))
      }
      Object.assign(line, { fault, sent: 0, isDead: false })
      const { runtime, controller } = page
      const exit = await runtime.runPromiseExit(verb, { signal: controller.signal })
      Object.assign(line, { fault: undefined, isDead: false })
      if (Exit.isSuccess(exit)) return { ended: { kind: 'done' }, value: exit.value }
      if (controller.signal.aborted) return { ended: { kind: 'gone' } }
      const failure = Option.getOrUndefined(Cause.findErrorOption(exit.cause))
      if (failure === undefined) {
        faults.push(`${name} fails with ${Cause.pretty(exit.cause)}`)
        return { ended: { kind: 'gone' } }
      }
      const tag = failure instanceof ApiError ? (failure.code ?? failure.message) : failure._tag
      return { ended: { kind: 'failed', tag } }
    }

    /** What a page does at its start, on the same storage and under the same locks. */
    const otherTab = async () => {
      const { runtime, controller } = page
      const exit = await runtime.runPromiseExit(resumeWallets(), { signal: controller.signal })
      const isFault =
        Exit.isFailure(exit) && !controller.signal.aborted && Option.isNone(Cause.findErrorOption(exit.cause))
      if (isFault) faults.push(`another tab of ${name} fails with ${Cause.pretty(exit.cause)}`)
    }

    const hostSession = (): HostSession | undefined =>
      signedIn === undefined
        ? undefined
        : {
            isAuthenticated: true,
            sessionId: signedIn.sessionId,
            sessionLookupId: signedIn.lookupId,
            partnerId: partner.id,
            userId: user.userId,
            clockOffset: 0,
            missing: [],
          }

    const startSession = async () => {
      const secret = p256.utils.randomSecretKey()
      signedIn = await signIn(world, user, partner, { deviceSecretKey: secret })
      const certification = { certificate: signedIn.certificate, rootPublicKey: bytesToHex(user.rootPublicKey) }
      const publicKey = bytesToHex(signedIn.device.publicKey)
      keys.set(signedIn.sessionId, { secret, record: { publicKey, weak: true, certification } })
      crash()
      return signedIn
    }

    const hold = (text: string) =>
      run(
        Effect.flatMap(ShareStore, (shares) =>
          Effect.andThen(
            shares.put({ walletId, userId: user.userId, address, shareText: Redacted.make(text) }),
            shares.unlockAll,
          ),
        ),
      )

    return {
      name,
      startSession,
      hold,
      isSignedIn: () => signedIn !== undefined,
      refresh: async (fault?: Fault) =>
        (
          await run(
            Effect.flatMap(Locks, ({ alone }) => alone(signLock(walletId), refresh(walletId))),
            fault,
          )
        ).ended,
      sign: async (fault?: Fault) => {
        const { ended, value: signed } = await run(
          sign(walletId, askedOf(hello), { kind: 'SIGN_MESSAGE_REVIEW', timeoutMs: reviewTimeoutMs }),
          fault,
        )
        if (signed !== undefined && !isRight(signed.signature)) faults.push(`${name} has a wrong signature`)
        return ended
      },
      /** The page is left at once, and a new one continues from its storage. */
      reload: async (fault?: Fault) => {
        crash()
        return signedIn === undefined ? { kind: 'done' as const } : (await run(resumeWallets(), fault)).ended
      },
      /** A login without its pages: a session of its own, and the share of the newest backup. */
      login: async (fault?: Fault) => {
        const host = await startSession()
        const login = await openLogin(world, host, partner, user.userId)
        const backups = value(await login.as(keyShares.listPasswordKeyShares(user.userId, passwordId)))
        const [newest] = backups.filter(({ wallet }) => wallet.id === walletId)
        if (newest !== undefined) await hold(Buffer.from(newest.share.encryptedShare, 'hex').toString())
        // Backups of a later sharing are not in an older database before the device that has it stores them.
        else if (!cell.isRestored) faults.push(`${name} finds no backup of the share that stands`)
        return (await run(resumeWallets(), fault)).ended
      },
      /** Without a fault it succeeds. */
      logout: async (fault?: Fault) => {
        const by = signedIn
        const { ended } = await run(logout(), fault)
        if (ended.kind === 'failed' && fault !== undefined) return ended
        if (by !== undefined) by.seen = undefined
        if (ended.kind !== 'done') faults.push(`${name} cannot log out: ${JSON.stringify(ended)}`)
        signedIn = undefined
        return ended
      },
      wipe: () => {
        local.clear()
        keys.clear()
        signedIn = undefined
        crash()
      },
      /** Every share text on it, of the share and of the candidate. */
      held: async (): Promise<readonly ShareRecord.ShareRecord[]> => {
        const { value: texts = [] } = await run(
          Effect.gen(function* () {
            const shares = yield* ShareStore
            return [...(yield* shares.list), ...(yield* shares.candidates)].map((one) => one.shareText)
          }),
        )
        return texts.map((text) => Result.getOrThrow(ShareText.open(text)).share)
      },
      candidates: async () => (await run(Effect.flatMap(ShareStore, (shares) => shares.candidates))).value?.length ?? 0,
    }
  }

  const isRight = (signature: Uint8Array): boolean => {
    const { message } = Result.getOrThrow(SigningRequest.payloadDigest(hello, scheme))
    if (arithmetic === 'toy') return isSigned(made.user, message, signature)
    if (scheme === 'ED25519') return ed25519.verify(signature, message, made.user.publicKey)
    return secp256k1.verify(signature.subarray(0, 64), message, made.user.publicKey, { prehash: false })
  }

  const rows = (table: (typeof tablesOfWallet)[number]) =>
    base.run(
      Effect.flatMap(Database, ({ root }) =>
        Effect.promise(async () => {
          const key = sql.ref(table === 'wallets' ? 'id' : 'wallet_id')
          return (
            await sql<Record<string, unknown>>`select * from ${sql.table(table)} where ${key} = ${walletId}`.execute(
              root,
            )
          ).rows
        }),
      ),
    )

  const restore = (snapshot: Snapshot) =>
    base.run(
      Effect.flatMap(Database, ({ root }) =>
        Effect.promise(() =>
          root.transaction().execute(async (db) => {
            // Runs and rounds reference the wallet, which stays and is set back.
            for (const table of tablesOfWallet.slice(0, -1)) {
              await sql`delete from ${sql.table(table)} where wallet_id = ${walletId}`.execute(db)
            }
            const [wallet = {}] = snapshot['wallets'] ?? []
            await db.updateTable('wallets').set(wallet).where('id', '=', walletId).execute()
            for (const table of [...tablesOfWallet.slice(0, -1)].toReversed()) {
              const old = snapshot[table] ?? []
              if (old.length > 0) await db.insertInto(table).values(old).execute()
            }
          }),
        ),
      ),
    )

  const settled = async () => {
    while (underWay.size > 0) await Promise.all(underWay)
  }

  const devices = [makeDevice('laptop'), makeDevice('phone')] as const
  const [laptop, phone] = devices
  for (const device of devices) {
    await device.startSession()
    await device.hold(Redacted.value(shareText))
  }
  // As after a sign-up: the share is backed up to the one credential.
  const first = {
    walletId,
    userId: user.userId,
    partnerId: partner.id,
    epoch: 1,
    shareId: bytesToHex(made.user.shareId),
  }
  const envelope = { encryptedShare: Buffer.from(Redacted.value(shareText)).toString('hex'), encryptedKey: '00' }
  const signatures = { protocolId: null, deviceSignature: null, certificate: null }
  await world.run(
    Effect.flatMap(KeyShares, ({ add }) =>
      add({
        ...first,
        ...envelope,
        ...signatures,
        id: randomUUID(),
        encryptor: 'PASSWORD',
        keyRef: passwordId,
        createdAt: world.now(),
      }),
    ),
  )

  return {
    scheme,
    devices,
    witness,
    faults,
    laptop,
    phone,
    advance: (ms: number) => {
      cell.ahead += ms
    },
    settled,
    /** Delayed requests arrive now. */
    deliverLate: async () => {
      await Promise.all(late.splice(0).map((arrive) => arrive()))
      await settled()
    },
    snapshot: async (): Promise<Snapshot> =>
      Object.fromEntries(await Promise.all(tablesOfWallet.map(async (table) => [table, await rows(table)] as const))),
    restore: async (snapshot: Snapshot) => {
      await settled()
      await restore(snapshot)
      Object.assign(cell, { databaseGeneration: randomUUID(), isRestored: true })
    },
    /** What both sides hold of the wallet, and whether its key and address are the first ones. */
    look: async () => {
      const [wallet] = await rows('wallets')
      const provider = await rows('provider_shares')
      const backups = (await rows('key_shares')).map(
        ({ encrypted_share }) =>
          Result.getOrThrow(ShareText.open(Redacted.make(Buffer.from(String(encrypted_share), 'hex').toString())))
            .share,
      )
      const held = (await Promise.all(devices.map((device) => device.held()))).flat()
      return {
        isSameWallet: wallet?.['address'] === address && wallet['public_key'] === made.publicKey,
        active: String(wallet?.['share_id']),
        state: String(wallet?.['state']),
        provider: provider.map(({ share_id, sealed }) => ({
          shareId: String(share_id),
          share: arithmetic === 'toy' ? ShareRecord.decode(sealed as Uint8Array) : undefined,
        })),
        backups,
        held,
      }
    },
    belongTogether,
  }
}

/** The process of a service that dies takes the transaction with it. */
class Death extends Error {}

const told = <A>(answer: A): Promise<Outcome<A>> => Promise.resolve({ kind: 'success', value: answer })

const toyKey = p256.utils.randomSecretKey()

const helloIn: Readonly<Record<Scheme, SigningRequest.SigningRequest>> = {
  DKLS: { kind: 'eip191', message: Buffer.from('hello').toString('hex') },
  ED25519: { kind: 'solanaMessage', message: Buffer.from('hello').toString('hex') },
}

const areaOf = (entries: Map<string, string>) => ({
  getItem: (key: string) => entries.get(key) ?? null,
  setItem: (key: string, text: string) => void entries.set(key, text),
  removeItem: (key: string) => void entries.delete(key),
})

/** The modulus of a key without a private half: envelopes are not encrypted here. */
const credentialKey = RsaKey.publicPemHex(hexToBytes(`3082010a0282010100${'c5'.repeat(256)}0203010001`))

const openEnvelopes = Layer.succeed(Rsa, {
  generate: Effect.succeed({ publicKey: '', privateKey: Redacted.make('') }),
  encrypt: (_, { plaintext }) =>
    Effect.succeed({
      encryptedMessageHex: Buffer.from(Redacted.value(plaintext)).toString('hex'),
      encryptedKeyHex: '00',
    }),
  decrypt: () => Effect.fail(new RsaRefusal()),
  seal: () => Effect.fail(new RsaRefusal()),
  open: () => Effect.fail(new RsaRefusal()),
})

/** Pauses take no time, and no wait times out. */
const hastyClock = (now: () => number): Clock.Clock =>
  clockAt(now, (duration) =>
    Effect.callback<void>((resume) => {
      const timer = setTimeout(() => resume(Effect.void), Duration.toMillis(duration) > 1_000 ? 60_000 : 0)
      return Effect.sync(() => clearTimeout(timer))
    }),
  )
