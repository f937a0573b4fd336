/**
 * The service's flows on a real database, with real worker threads and a clock that can be turned: what tests of
 * wallets, key shares and the co-signer stand on. Users and sessions are put where identity's own flows would have put
 * them.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { ed25519 } from '@noble/curves/ed25519.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import * as Cause from 'effect/Cause'
import * as Duration from 'effect/Duration'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import * as Layer from 'effect/Layer'
import * as ManagedRuntime from 'effect/ManagedRuntime'
import * as Option from 'effect/Option'
import * as Result from 'effect/Result'
import { sql } from 'kysely'
import { pino } from 'pino'
import { readConfiguration, type Configuration } from '../../adapters/service/config.ts'
import { Database } from '../../adapters/service/database/Database.ts'
import { layersOf } from '../../adapters/service/layers.ts'
import type { RingStores } from '../../adapters/service/vault/vaultOf.ts'
import * as Address from '../../domain/model/Address.ts'
import { schemeForType } from '../../domain/model/Wallet.ts'
import type { WalletType } from '../../domain/model/WalletTypes.ts'
import * as DeviceKey from '../../domain/crypto/DeviceKey.ts'
import type { Page } from '../../domain/crypto/Opener.ts'
import * as RootKey from '../../domain/crypto/RootKey.ts'
import { Caller } from '../../domain/service/Caller.ts'
import * as PortalSession from '../../domain/service/PortalSession.ts'
import type { PartnerRecord } from '../../domain/service/Partner.ts'
import { CosignerEngine } from '../../domain/service/ports/CosignerEngine.ts'
import { Mail, type Message } from '../../domain/service/ports/Mail.ts'
import { PortalSessions, type Entrance } from '../../domain/service/ports/PortalSessions.ts'
import { Partners } from '../../domain/service/ports/Partners.ts'
import { Reply } from '../../domain/service/ports/Reply.ts'
import { Sessions } from '../../domain/service/ports/Sessions.ts'
import { Users } from '../../domain/service/ports/Users.ts'
import { Wallets } from '../../domain/service/ports/Wallets.ts'
import { exchangeFrame } from '../../domain/service/protocol.ts'
import * as recoveries from '../../domain/service/recoveries.ts'
import { createWallet, type WalletRequest } from '../../domain/service/wallets.ts'
import { clockAt } from './clock.ts'
import { delivered } from './delivered.ts'
import { makeDevice, type Device, type Exchanged } from './device.ts'
import { shopSettings } from './shop.ts'

export type WorldOptions = {
  /** A database of the caller's making, or `undefined` for any. */
  readonly database?: Layer.Layer<Database> | undefined
  /** What is kept outside the database; a world that is given a folder leaves it behind. */
  readonly dataFolder?: string | undefined
  readonly configuration?: Partial<Configuration> | undefined
  /** Where the key rings rest; otherwise in files of the folder. */
  readonly ringStores?: RingStores | undefined
  /** Whether periodic work is done; by default it is. */
  readonly isScheduled?: boolean | undefined
}

type Services = ManagedRuntime.ManagedRuntime.Services<ReturnType<typeof runtimeOf>>

/** A flow that needs its caller yet. */
type Flow<A, E> = Effect.Effect<A, E, Services | Caller | Reply>

export type World = {
  readonly dataFolder: string
  /** What was mailed, once all that flows have written is delivered. */
  readonly mails: () => Promise<readonly Message[]>
  readonly run: <A, E>(flow: Effect.Effect<A, E, Services>) => Promise<A>
  /** Runs a flow as a caller; a refusal is a value. */
  readonly as: <A, E>(caller: Partial<Caller>, flow: Flow<A, E>) => Promise<Outcome<A>>
  /** Every row of every table, as text: bytes as hex. */
  readonly dump: () => Promise<Dump>
  /** Turns the clock. */
  readonly advance: (ms: number) => void
  readonly now: () => number
  readonly stop: () => Promise<void>
}

export type Dump = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>

export type Outcome<A> =
  | { readonly kind: 'success'; readonly value: A }
  | { readonly kind: 'refused'; readonly tag: string; readonly message: string }

export const startWorld = async (options: WorldOptions = {}): Promise<World> => {
  const dataFolder = options.dataFolder ?? mkdtempSync(join(tmpdir(), 'tandem-world-'))
  let ahead = 0
  const now = () => Date.now() + ahead
  const mails: Message[] = []
  const runtime = runtimeOf({ ...options, dataFolder }, await databaseOf(options), now, mails)
  await runtime.context()
  return {
    dataFolder,
    mails: async () => {
      await runtime.runPromise(delivered)
      return mails
    },
    now,
    advance: (ms) => {
      ahead += ms
    },
    run: (flow) => runtime.runPromise(flow),
    dump: () => runtime.runPromise(dump),
    as: async (caller, flow) => {
      const provided = flow.pipe(
        Effect.provideService(Caller, { ...nobody, ...caller }),
        Effect.provideService(Reply, { setSessionToken: () => Effect.void }),
      )
      return outcomeOf(await runtime.runPromiseExit(provided))
    },
    stop: async () => {
      await runtime.dispose()
      if (options.dataFolder === undefined) rmSync(dataFolder, { recursive: true, force: true })
    },
  }
}

/** The kit of databases needs a test around it, which a process of its own has not. */
const databaseOf = async ({ database }: WorldOptions): Promise<Layer.Layer<Database>> =>
  database ?? (await import('./database.ts')).anyDatabase()

const runtimeOf = (
  options: WorldOptions & { readonly dataFolder: string },
  database: Layer.Layer<Database>,
  now: () => number,
  mails: Message[],
) => {
  const configuration = Result.getOrThrow(
    readConfiguration({ DATA_FOLDER: options.dataFolder, LOG_LEVEL: 'silent', COSIGNER_THREADS: '1' }),
  )
  const mail = Layer.succeed(Mail, { send: (message) => Effect.sync(() => void mails.push(message)) })
  const sleep = options.isScheduled === false ? shortPauses : undefined
  const stand = { mail, clock: clockAt(now, sleep), database, ringStores: options.ringStores }
  return ManagedRuntime.make(layersOf({ ...configuration, ...options.configuration }, pino({ level: 'silent' }), stand))
}

const dump = Effect.gen(function* () {
  const { root } = yield* Database
  const tables = yield* Effect.promise(() => root.introspection.getTables())
  const names = tables.map(({ name }) => name).filter((name) => !name.startsWith('kysely'))
  const rows = yield* Effect.forEach(names, (name) =>
    Effect.promise(async () => {
      const found = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(root)
      return [name, found.rows.map(asText)] as const
    }),
  )
  const all: Dump = Object.fromEntries(rows)
  return all
})

const asText = (row: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(row).map(([name, held]) => [name, held instanceof Uint8Array ? bytesToHex(held) : held]),
  )

/** Periodic work is never done: pauses of a second and more do not end. */
const shortPauses = (duration: Duration.Duration): Effect.Effect<void> =>
  Duration.toMillis(duration) >= 1_000 ? Effect.never : Effect.promise(() => setTimeout(Duration.toMillis(duration)))

const outcomeOf = <A>(exit: Exit.Exit<A, unknown>): Outcome<A> => {
  if (Exit.isSuccess(exit)) return { kind: 'success', value: exit.value }
  const failure = Option.getOrUndefined(Cause.findErrorOption(exit.cause))
  if (!(failure instanceof Error) || !('_tag' in failure)) throw Cause.squash(exit.cause)
  return { kind: 'refused', tag: String(failure._tag), message: failure.message }
}

export const nobody: Caller = {
  partner: undefined,
  apiKey: true,
  secretKey: false,
  session: undefined,
  portal: undefined,
  recovery: undefined,
  token: undefined,
  origin: undefined,
  device: true,
  idempotencyKey: undefined,
  waitSeconds: 0,
  left: Effect.never,
  network: '127.0.0.1',
}

export const value = <A>(outcome: Outcome<A>): A => {
  if (outcome.kind === 'refused') throw new Error(`refused: ${outcome.message}`)
  return outcome.value
}

export const makePartner = async (world: World, settings: Partial<PartnerRecord> = {}): Promise<PartnerRecord> => {
  const partner: PartnerRecord = {
    id: randomUUID(),
    ...shopSettings,
    origins: ['http://shop.localhost'],
    supportedWalletTypes: [{ type: 'EVM' }, { type: 'SOLANA' }, { type: 'COSMOS', prefix: 'cosmos' }],
    ...settings,
  }
  await world.run(Effect.flatMap(Partners, (partners) => partners.create(partner, world.now())))
  return partner
}

export type TestUser = { readonly userId: string; readonly root: Uint8Array; readonly rootPublicKey: Uint8Array }

export const makeUser = async (world: World): Promise<TestUser> => {
  const root = randomBytes(32)
  const rootPublicKey = RootKey.publicKeyOf(root)
  const identity = { kind: 'email', email: `${randomUUID()}@example.com` } as const
  const user = await world.run(
    Effect.gen(function* () {
      const users = yield* Users
      const made = yield* users.findOrCreate({ id: randomUUID(), identity, now: world.now() })
      yield* users.setFirstCredential(made.id, bytesToHex(rootPublicKey))
      return made
    }),
  )
  return { userId: user.id, root, rootPublicKey }
}

export type SignedIn = {
  readonly user: TestUser
  readonly partner: PartnerRecord
  readonly sessionId: string
  readonly lookupId: string
  /** Hex: the root key's certificate of the device key, whether the session has it or not. */
  readonly certificate: string
  readonly device: Device
  /** Runs a flow as this session. */
  readonly as: World['as']
  readonly caller: () => Promise<Partial<Caller>>
  readonly createWallet: (asked: WalletRequest) => Promise<Outcome<Effect.Success<ReturnType<typeof createWallet>>>>
}

/** A session of the user's, with a device key that the root key certified unless told otherwise. */
export const signIn = async (
  world: World,
  user: TestUser,
  partner: PartnerRecord,
  { certified = true, deviceSecretKey }: { readonly certified?: boolean; readonly deviceSecretKey?: Uint8Array } = {},
): Promise<SignedIn> => {
  const session = await beginSession(world, user, partner, certified, deviceSecretKey)
  const authentication = {
    userId: user.userId,
    authMethod: 'PASSWORD' as const,
    authenticatedAt: world.now(),
    currentWalletIds: {},
    needsWallet: true,
    deviceCertificate: certified ? session.certificate : null,
    openingResult: null,
  }
  await world.run(
    Effect.flatMap(Sessions, (sessions) => sessions.authenticate(session.sessionId, authentication, world.now())),
  )
  return session
}

/** A session that has its device key and no signed-in user yet. */
export const beginSession = async (
  world: World,
  user: TestUser,
  partner: PartnerRecord,
  signsRequests = true,
  deviceSecretKey?: Uint8Array,
  origin = 'http://shop.localhost',
): Promise<SignedIn> => {
  const sessionId = randomUUID()
  const cosigner = await world.run(Effect.flatMap(CosignerEngine, ({ identity }) => identity))
  const caller = async (): Promise<Partial<Caller>> => {
    const found = await world.run(Effect.flatMap(Sessions, (sessions) => sessions.find(sessionId)))
    const session = Option.getOrUndefined(found)
    const recovery = session === undefined ? undefined : await world.run(recoveries.readyOf(session))
    return { session, recovery, partner, origin }
  }
  const exchange = async (bytes: Uint8Array): Promise<Exchanged> => {
    const outcome = await world.as(await caller(), exchangeFrame(bytes))
    return outcome.kind === 'success' ? { kind: 'answered', bytes: outcome.value } : outcome
  }
  const device = makeDevice({
    userId: user.userId,
    partnerId: partner.id,
    sessionId,
    cosigner,
    exchange,
    ...(deviceSecretKey === undefined ? {} : { secretKey: deviceSecretKey }),
  })
  const issuedAt = world.now()
  const certificate = RootKey.certifyDevice(user.root, {
    userId: user.userId,
    partnerId: partner.id,
    origin,
    sessionId,
    devicePublicKey: device.publicKey,
    issuedAt,
    expiresAt: issuedAt + 24 * 60 * 60_000,
  })
  const session = { id: sessionId, lookupId: randomUUID(), partnerId: partner.id, origin, userProven: false }
  await world.run(
    Effect.gen(function* () {
      const sessions = yield* Sessions
      const begun = { ...session, state: 'NEW', userId: null, identity: null, now: issuedAt } as const
      yield* sessions.create(begun, randomUUID())
      yield* sessions.registerKeys(sessionId, {
        loginPublicKey: null,
        loginKeyThumbprint: null,
        devicePublicKey: bytesToHex(device.publicKey),
        deviceKeyThumb: bytesToHex(DeviceKey.thumbprint(device.publicKey)),
        deviceSignsRequests: signsRequests,
        recoveryPublicKey: null,
      })
    }),
  )
  return {
    user,
    partner,
    sessionId,
    lookupId: session.lookupId,
    certificate: bytesToHex(certificate),
    device,
    caller,
    as: async (further, flow) => world.as({ ...(await caller()), ...further }, flow),
    createWallet: async (asked) => world.as(await caller(), createWallet(user.userId, asked)),
  }
}

/** A page that a session opened and that verified a user, or none; `as` runs a flow with its token as it stands. */
export const openLogin = async (
  world: World,
  session: { sessionId: string },
  partner: PartnerRecord,
  userId?: string,
  {
    page = 'login-password',
    forUser = null,
    entrance = { variant: 'opener' },
  }: { page?: Page; /** Whose page it is from its beginning. */ forUser?: string | null; entrance?: Entrance } = {},
) => {
  const id = randomUUID()
  await world.run(
    Effect.gen(function* () {
      const portalSessions = yield* PortalSessions
      const now = world.now()
      const portalOrigin = 'http://portal.localhost'
      const of = { id, sessionId: session.sessionId, partnerId: partner.id, portalOrigin, now }
      const portalSession = { ...of, page, recordId: null, userId: forUser, secretHash: '00' }
      yield* portalSessions.create({ ...portalSession, expiresAt: now + 600_000 })
      if (entrance.variant === 'opener') yield* portalSessions.ticket(id, session.sessionId, now)
      yield* portalSessions.enter(id, entrance, randomUUID())
      if (userId !== undefined) yield* portalSessions.verify(id, userId, now)
    }),
  )
  const portal = async (): Promise<Partial<Caller>> => {
    const portalSession = Option.getOrThrow(
      await world.run(Effect.flatMap(PortalSessions, (portalSessions) => portalSessions.find(id))),
    )
    return { portal: PortalSession.tokenOf(portalSession), partner, session: undefined }
  }
  return {
    id,
    as: async <A, E>(flow: Flow<A, E>) => world.as(await portal(), flow),
    verify: (of: string) =>
      world.run(Effect.flatMap(PortalSessions, (portalSessions) => portalSessions.verify(id, of, world.now()))),
  }
}

/** A wallet whose key exists for all but the co-signer. */
export const putWallet = async (world: World, user: TestUser, partner: PartnerRecord, type: WalletType, slot = 0) => {
  const publicKey = type === 'SOLANA' ? ed25519.keygen().publicKey : secp256k1.keygen().publicKey
  const shareId = bytesToHex(randomBytes(32))
  const made = {
    epoch: 1,
    shareId,
    publicKey: bytesToHex(publicKey),
    address: Address.fromPublicKey(type, publicKey),
    rootPublicKey: user.rootPublicKey.length === 0 ? null : bytesToHex(user.rootPublicKey),
  }
  return world.run(
    Effect.gen(function* () {
      const wallets = yield* Wallets
      const { userId } = user
      const found = yield* wallets.findOrCreate({
        id: randomUUID(),
        userId,
        partnerId: partner.id,
        type,
        slot,
        scheme: schemeForType(type),
        cosmosPrefix: type === 'COSMOS' ? 'cosmos' : null,
        now: world.now(),
      })
      yield* wallets.activate(found.id, made, world.now())
      return { walletId: found.id, ...made }
    }),
  )
}
