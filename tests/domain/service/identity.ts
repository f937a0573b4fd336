/**
 * The flows of identity on a database and a clock that the test advances: partners, their host pages, and the portal's
 * pages as the service sees them. The HTTP edge is played here: the caller, and the answer's header.
 */
import { createPublicKey, generateKeyPairSync, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { p256 } from '@noble/curves/nist.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, hexToBytes, randomBytes } from '@noble/hashes/utils.js'
import * as Clock from 'effect/Clock'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as ManagedRuntime from 'effect/ManagedRuntime'
import * as Option from 'effect/Option'
import * as Redacted from 'effect/Redacted'
import { TestClock } from 'effect/testing'
import { afterAll, beforeAll } from 'vitest'
import { AuditDatabase } from '../../../adapters/service/database/Audit.ts'
import { ChallengesDatabase } from '../../../adapters/service/database/Challenges.ts'
import { CodesDatabase } from '../../../adapters/service/database/Codes.ts'
import { Database } from '../../../adapters/service/database/Database.ts'
import { ExportsDatabase } from '../../../adapters/service/database/Exports.ts'
import { KeySharesDatabase } from '../../../adapters/service/database/KeyShares.ts'
import { PoliciesDatabase } from '../../../adapters/service/database/Policies.ts'
import { DelegationsDatabase } from '../../../adapters/service/database/Delegations.ts'
import { PortalSessionsDatabase } from '../../../adapters/service/database/PortalSessions.ts'
import { DatabaseGenerationOfCosigners } from '../../../adapters/service/database/DatabaseGeneration.ts'
import { PendingTransactionsDatabase } from '../../../adapters/service/database/PendingTransactions.ts'
import { SpendsDatabase } from '../../../adapters/service/database/Spends.ts'
import { OtRecordsDatabase } from '../../../adapters/service/database/OtRecords.ts'
import { OutboxDatabase } from '../../../adapters/service/database/Outbox.ts'
import { PartnersDatabase } from '../../../adapters/service/database/Partners.ts'
import { PasskeysDatabase } from '../../../adapters/service/database/Passkeys.ts'
import { PasswordsDatabase } from '../../../adapters/service/database/Passwords.ts'
import { PinnedRootsDatabase } from '../../../adapters/service/database/PinnedRoots.ts'
import { ProviderSharesDatabase } from '../../../adapters/service/database/ProviderShares.ts'
import { RateLimitsDatabase } from '../../../adapters/service/database/RateLimits.ts'
import { RecoveriesDatabase } from '../../../adapters/service/database/Recoveries.ts'
import { RecoveryPublicKeysDatabase } from '../../../adapters/service/database/RecoveryPublicKeys.ts'
import { RefreshesDatabase } from '../../../adapters/service/database/Refreshes.ts'
import { RunsDatabase } from '../../../adapters/service/database/Runs.ts'
import { SessionsDatabase } from '../../../adapters/service/database/Sessions.ts'
import type { Tables } from '../../../adapters/service/database/Tables.ts'
import { TemporarySharesDatabase } from '../../../adapters/service/database/TemporaryShares.ts'
import { UserMessagesDatabase } from '../../../adapters/service/database/UserMessages.ts'
import { UsersDatabase } from '../../../adapters/service/database/Users.ts'
import { WalletsDatabase } from '../../../adapters/service/database/Wallets.ts'
import { EncryptedWalletPrivateKeysDatabase } from '../../../adapters/service/database/EncryptedWalletPrivateKeys.ts'
import { FailpointsNode } from '../../../adapters/service/node/Failpoints.ts'
import { SecureRandomNode } from '../../../adapters/service/node/SecureRandom.ts'
import { SignaturesOpenssl } from '../../../adapters/service/node/Signatures.ts'
import { WaitsNode } from '../../../adapters/service/node/Waits.ts'
import { shareKeysIn } from '../../../adapters/service/vault/ShareKeys.ts'
import { ShareKeysFolder } from '../../../adapters/service/vault/ShareKeysFolder.ts'
import { noSms } from '../../../adapters/service/sms/Twilio.ts'
import { VaultOf } from '../../../adapters/service/vault/Vault.ts'
import { WatermarksFile } from '../../../adapters/service/vault/Watermarks.ts'
import { PasskeyVerifierWebAuthn } from '../../../adapters/service/webauthn/PasskeyVerifier.ts'
import * as CredentialWrap from '../../../domain/crypto/CredentialWrap.ts'
import * as DeviceKey from '../../../domain/crypto/DeviceKey.ts'
import * as Export from '../../../domain/crypto/Export.ts'
import * as Hpke from '../../../domain/crypto/Hpke.ts'
import * as PasswordKeys from '../../../domain/crypto/PasswordKeys.ts'
import * as RootKey from '../../../domain/crypto/RootKey.ts'
import * as RsaKey from '../../../domain/crypto/RsaKey.ts'
import { Caller } from '../../../domain/service/Caller.ts'
import * as Opener from '../../../domain/crypto/Opener.ts'
import * as commits from '../../../domain/service/commits.ts'
import * as handshakes from '../../../domain/service/handshakes.ts'
import * as portalSessions from '../../../domain/service/portalSessions.ts'
import type { PartnerRecord } from '../../../domain/service/Partner.ts'
import * as partners from '../../../domain/service/partners.ts'
import * as passwords from '../../../domain/service/passwords.ts'
import { Deployment } from '../../../domain/service/ports/Deployment.ts'
import { Mail, type Message } from '../../../domain/service/ports/Mail.ts'
import { Reply } from '../../../domain/service/ports/Reply.ts'
import { UserMessages } from '../../../domain/service/ports/UserMessages.ts'
import { Wallets } from '../../../domain/service/ports/Wallets.ts'
import { defaultRates, Rates } from '../../../domain/service/rates.ts'
import * as recoveries from '../../../domain/service/recoveries.ts'
import * as sessions from '../../../domain/service/sessions.ts'
import * as userMessages from '../../../domain/service/userMessages.ts'
import * as users from '../../../domain/service/users.ts'
import { vaultKeysIn } from '../../kit/rings.ts'
import { anyDatabase, type MakeDatabase } from '../../kit/database.ts'
import { shopSettings } from '../../kit/shop.ts'

export const shop = 'https://shop.localhost'
export const portalOrigin = 'https://portal.localhost:3003'
export const connectOrigin = 'https://connect.localhost:3008'

export const minutes = (count: number) => count * 60_000

const settings: Omit<PartnerRecord, 'id'> = { ...shopSettings, origins: [shop], returnUrls: [`${shop}/account`] }

const repositories = Layer.mergeAll(
  AuditDatabase,
  ChallengesDatabase,
  CodesDatabase,
  ExportsDatabase,
  KeySharesDatabase,
  DelegationsDatabase,
  PortalSessionsDatabase,
  DatabaseGenerationOfCosigners,
  OtRecordsDatabase,
  OutboxDatabase,
  PartnersDatabase,
  PasskeysDatabase,
  PasswordsDatabase,
  PinnedRootsDatabase,
  ProviderSharesDatabase,
  RateLimitsDatabase,
  RecoveriesDatabase,
  RecoveryPublicKeysDatabase,
  RefreshesDatabase,
  RunsDatabase,
  SessionsDatabase,
  TemporarySharesDatabase,
  UserMessagesDatabase,
  UsersDatabase,
  WalletsDatabase,
  EncryptedWalletPrivateKeysDatabase,
  PendingTransactionsDatabase,
  PoliciesDatabase,
  SpendsDatabase,
)

const atOnce = { burst: 100, perMs: 1 }

/** Says when a flow has written a mail. */
const heard = (written: () => void) =>
  Layer.effect(
    UserMessages,
    Effect.map(UserMessages, (messages) => ({
      ...messages,
      add: (...told) => Effect.tap(messages.add(...told), () => Effect.sync(written)),
    })),
  )

const worldLayer = (mails: Message[], written: () => void, makeDatabase: MakeDatabase) =>
  heard(written).pipe(
    Layer.provideMerge(repositories),
    Layer.provideMerge(
      Layer.mergeAll(
        SecureRandomNode,
        SignaturesOpenssl,
        WaitsNode,
        PasskeyVerifierWebAuthn,
        FailpointsNode(undefined),
        outsideDatabase,
        Layer.succeed(Mail, { send: (message) => Effect.sync(() => void mails.push(message)) }),
        noSms,
        Layer.succeed(Deployment, {
          environment: 'BETA',
          apiOrigin: 'https://api.example',
          portalOrigin,
          connectOrigin,
          operatorName: 'Tandem',
        }),
        // Tests ask for codes in a row; users.test.ts has the wait between them.
        Layer.succeed(Rates, { ...defaultRates, R6_COOLDOWN: atOnce, R6_HOUR: atOnce }),
        TestClock.layer(),
      ),
    ),
    Layer.provideMerge(makeDatabase()),
  )

/** The service's files outside the database, in a folder that is deleted with the world. */
const outsideDatabase = Layer.unwrap(
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), 'tandem-identity-'))),
      (folder) => Effect.sync(() => rmSync(folder, { recursive: true })),
    ),
    (folder) =>
      Layer.merge(
        Layer.merge(
          WatermarksFile(join(folder, 'watermarks')),
          ShareKeysFolder(shareKeysIn(join(folder, 'share-keys'))),
        ),
        VaultOf(vaultKeysIn(folder)),
      ),
  ),
)

type Services = Layer.Success<ReturnType<typeof worldLayer>>
type PerCall = Caller | Reply | Services

type KnownPartner = Effect.Success<ReturnType<typeof partners.create>>

/** The edge of one request. */
export type Edge = {
  readonly key?: string | undefined
  readonly token?: string | undefined
  readonly origin?: string | undefined
  readonly device?: boolean
  readonly waitSeconds?: number
  readonly network?: string
  readonly deployment?: Partial<Deployment['Service']>
}

/** One world for all tests of a file. */
export const useWorld = (makeDatabase: MakeDatabase = anyDatabase) => {
  const mails: Message[] = []
  let isWritten = false
  const written = () => {
    isWritten = true
  }
  const runtime = ManagedRuntime.make(worldLayer(mails, written, makeDatabase))
  let count = 0
  /** No worker runs here. */
  const deliverWritten = Effect.suspend(() => {
    if (!isWritten) return Effect.void
    isWritten = false
    return userMessages.deliverDue('mail')
  })

  const run = <A, E>(effect: Effect.Effect<A, E, Services>) => runtime.runPromise(effect)

  /** The edge of the service: it resolves tokens to callers, and keeps the answer's header. */
  const request = <A, E>(edge: Edge, flow: Effect.Effect<A, E, PerCall>) =>
    Effect.gen(function* () {
      const key = edge.key === undefined ? undefined : Option.getOrUndefined(yield* partners.fromKey(edge.key))
      const token = edge.token ?? ''
      const session = Option.getOrUndefined(yield* sessions.fromToken(token))
      const portal = Option.getOrUndefined(yield* portalSessions.fromToken(token))
      const partner = key?.partner ?? (yield* partners.find(session?.partnerId ?? portal?.partnerId ?? ''))
      const reply: string[] = []
      const caller = {
        partner,
        apiKey: key !== undefined,
        secretKey: key?.kind === 'secret',
        session,
        portal,
        recovery: session === undefined ? undefined : yield* recoveries.readyOf(session),
        token: edge.token === undefined ? undefined : Redacted.make(edge.token),
        origin: edge.origin,
        device: edge.device ?? false,
        idempotencyKey: undefined,
        waitSeconds: edge.waitSeconds ?? 0,
        left: Effect.never,
        network: edge.network ?? '192.0.2.1',
      }
      const deployment = { ...(yield* Deployment), ...edge.deployment }
      const answer = yield* Effect.ensuring(flow, deliverWritten).pipe(
        Effect.provideService(Caller, caller),
        Effect.provideService(Reply, { setSessionToken: (text) => Effect.sync(() => void reply.push(text)) }),
        Effect.provideService(Deployment, deployment),
      )
      return { answer, token: reply.at(-1) }
    })

  const send = async <A, E>(edge: Edge, flow: Effect.Effect<A, E, PerCall>) => await run(request(edge, flow))

  /** The refusal's tag and sentence. */
  const refusal = async <A, E extends { readonly _tag: string; readonly message: string }>(
    edge: Edge,
    flow: Effect.Effect<A, E, PerCall>,
  ) => {
    const { _tag, message } = await run(Effect.flip(request(edge, flow)))
    return `${_tag}: ${message}`
  }

  const advance = (ms: number) => run(TestClock.adjust(ms))

  const state: { first: KnownPartner | undefined } = { first: undefined }
  const createPartner = (changes: Partial<Omit<PartnerRecord, 'id'>> = {}) =>
    run(partners.create({ ...settings, ...changes }))
  beforeAll(async () => {
    state.first = await createPartner()
  })
  afterAll(() => runtime.dispose())

  const partner = (): KnownPartner => {
    if (state.first === undefined) throw new Error('the world is not there yet')
    return state.first
  }

  return {
    mails,
    run,
    send,
    refusal,
    advance,
    partner,
    createPartner,
    now: () => run(Clock.currentTimeMillis),
    /** An address that was not used before. */
    email: () => `person${++count}@example.org`,
    /** The code of the last mail to this address. */
    codeTo: (email: string) => mails.findLast(({ to }) => to === email)?.code ?? 'none',
    host: (of: KnownPartner = partner(), origin: string | undefined = shop) => new Host({ send, refusal }, of, origin),
    /** What was audited of a partner: event and detail, in the order of their times. */
    audits: (partnerId: string) =>
      run(
        Effect.flatMap(Database, ({ query }) =>
          query((db) =>
            db
              .selectFrom('audits')
              .select(['event', 'detail'])
              .where('partner_id', '=', partnerId)
              .orderBy('at')
              .execute(),
          ),
        ),
      ).then((rows) => rows.map(({ event, detail }) => [event, detail])),
    /** Every row of every table, as text. */
    dump: () =>
      run(
        Effect.gen(function* () {
          const database = yield* Database
          const tables = yield* database.query((db) => db.introspection.getTables())
          const rows: string[] = []
          for (const { name } of tables) {
            const all = yield* database.query((db) =>
              db
                .selectFrom(name as keyof Tables)
                .selectAll()
                .execute(),
            )
            rows.push(...all.map((row) => JSON.stringify(row, bytesAsHex)))
          }
          return rows.join('\n')
        }),
      ),
  }
}

const bytesAsHex = (_: string, value: unknown) => (value instanceof Uint8Array ? bytesToHex(value) : value)

export type World = ReturnType<typeof useWorld>

type Edges = Pick<World, 'send' | 'refusal'>

/** A host page with our SDK: its keys, and the token that it was given last. */
export class Host {
  readonly edges: Edges
  readonly partner: KnownPartner
  readonly origin: string | undefined
  readonly device = p256.utils.randomSecretKey()
  readonly network = `2001:db8::${bytesToHex(randomBytes(2))}:${bytesToHex(randomBytes(2))}`
  readonly recovery = secp256k1.utils.randomSecretKey()
  token: string | undefined
  sessionId = ''
  lookupId = ''

  constructor(edges: Edges, partner: KnownPartner, origin: string | undefined) {
    this.edges = edges
    this.partner = partner
    this.origin = origin
  }

  edge(changes: Edge = {}): Edge {
    return { key: this.partner.apiKey, token: this.token, origin: this.origin, network: this.network, ...changes }
  }

  async call<A, E>(flow: Effect.Effect<A, E, PerCall>, changes: Edge = {}): Promise<A> {
    const { answer, token } = await this.edges.send(this.edge(changes), flow)
    if (token !== undefined) this.token = token
    return answer
  }

  refused<A, E extends { readonly _tag: string; readonly message: string }>(
    flow: Effect.Effect<A, E, PerCall>,
    changes: Edge = {},
  ) {
    return this.edges.refusal(this.edge(changes), flow)
  }

  async touch(regenerate = false, changes: Edge = {}) {
    const answer = await this.call(sessions.touchSession(regenerate), changes)
    this.sessionId = answer.session.id
    this.lookupId = answer.session.lookupId
    return answer
  }

  get devicePublicKey() {
    return bytesToHex(p256.getPublicKey(this.device, false))
  }

  get recoveryPublicKey() {
    return bytesToHex(secp256k1.getPublicKey(this.recovery, false).slice(1))
  }

  keys(changes: { readonly loginPublicKey?: string; readonly recoveryPublicKey?: string } = {}, device = this.device) {
    const devicePublicKey = p256.getPublicKey(device, false)
    const { recoveryPublicKey } = changes
    const message = DeviceKey.sessionKeysMessage({
      sessionId: this.sessionId,
      loginPublicKey: changes.loginPublicKey,
      devicePublicKey,
      recoveryPublicKey: recoveryPublicKey === undefined ? undefined : hexToBytes(recoveryPublicKey),
    })
    const proof = bytesToHex(p256.sign(message, device, { prehash: true, lowS: false, format: 'compact' }))
    return { sessionId: this.sessionId, devicePublicKey: bytesToHex(devicePublicKey), ...changes, proof }
  }

  register(changes: { readonly loginPublicKey?: string; readonly recoveryPublicKey?: string } = {}) {
    return this.call(sessions.registerSessionKeys(this.keys(changes)))
  }

  /** A page of the portal that this host opened and answers for. */
  async open(page: Opener.Page, record?: string): Promise<PortalPage> {
    const opened = await this.visit(page, record)
    const ticket = await this.call(handshakes.createOpeningTicket(opened.openingId, { page, record }), {
      device: true,
    })
    await opened.enter({ ticket })
    return opened
  }

  /** The page of an export, and its own key, which this host's device has signed. */
  async openExport(walletId: string): Promise<{ readonly page: PortalPage; readonly recipientPublicKey: Uint8Array }> {
    const visit = { page: 'export', record: walletId } as const
    const page = await this.visit(visit.page, walletId)
    const { openingId } = page
    const ticket = await this.call(handshakes.createOpeningTicket(openingId, visit), { device: true })
    const recipientPublicKey = Hpke.publicKeyOf(randomBytes(32))
    const hostSecret = randomBytes(32)
    const nonce = Export.nonceOf(recipientPublicKey)
    const asked = { ...visit, openingId, sessionId: this.sessionId, portalOrigin, nonce, ticket: hexToBytes(ticket) }
    const message = DeviceKey.openerMessage({ ...asked, hostSecret })
    await page.enter({
      ticket,
      recipientPublicKey: bytesToHex(recipientPublicKey),
      deviceSignature: bytesToHex(p256.sign(message, this.device, { prehash: true })),
      hostSecretHash: bytesToHex(sha256(hostSecret)),
    })
    return { page, recipientPublicKey }
  }

  /** The page before any proof. */
  async visit(page: Opener.Page, record?: string): Promise<PortalPage> {
    const visit = { sessionId: this.sessionId, page, record }
    const { answer } = await this.edges.send(
      { key: this.partner.apiKey, origin: portalOrigin },
      portalSessions.createOpening(visit),
    )
    return new PortalPage(this.edges, this, answer.openingId, answer.openingSecret)
  }
}

type Entered = Effect.Success<ReturnType<typeof handshakes.createOpeningToken>>

/** A page of the portal. */
export class PortalPage {
  readonly edges: Edges
  readonly host: Host
  readonly openingId: string
  readonly openingSecret: string
  token: string | undefined
  entered: Entered | undefined

  constructor(edges: Edges, host: Host, openingId: string, openingSecret: string) {
    this.edges = edges
    this.host = host
    this.openingId = openingId
    this.openingSecret = openingSecret
  }

  edge(changes: Edge = {}): Edge {
    return { key: this.host.partner.apiKey, token: this.token, origin: portalOrigin, ...changes }
  }

  async call<A, E>(flow: Effect.Effect<A, E, PerCall>, changes: Edge = {}): Promise<A> {
    const { answer, token } = await this.edges.send(this.edge(changes), flow)
    if (token !== undefined) this.token = token
    return answer
  }

  refused<A, E extends { readonly _tag: string; readonly message: string }>(
    flow: Effect.Effect<A, E, PerCall>,
    changes: Edge = {},
  ) {
    return this.edges.refusal(this.edge(changes), flow)
  }

  async enter(request: Omit<handshakes.TokenRequest, 'openingSecret'>, changes: Edge = {}) {
    const { openingSecret } = this
    this.entered = await this.call(
      handshakes.createOpeningToken(this.openingId, { openingSecret, ...request }),
      changes,
    )
    return this.entered
  }

  get challenge() {
    return hexToBytes(this.entered?.challenge ?? '')
  }
}

/** A person at the portal: the keys of the password, and the root key that it wraps. */
export class Person {
  readonly email: string
  readonly masterKey = randomBytes(32)
  readonly rootSeed = randomBytes(32)
  readonly credentialKey = rsaPublicKeys[0]
  userId = ''
  passwordId = ''

  constructor(email: string) {
    this.email = email
  }

  get rootPublicKey() {
    return bytesToHex(RootKey.publicKeyOf(this.rootSeed))
  }

  certificate(host: Host, now: number, changes: Partial<RootKey.DeviceCertificate> = {}) {
    return bytesToHex(
      RootKey.certifyDevice(this.rootSeed, {
        userId: this.userId,
        partnerId: host.partner.partner.id,
        origin: host.origin ?? '',
        sessionId: host.sessionId,
        devicePublicKey: hexToBytes(host.devicePublicKey),
        issuedAt: now,
        expiresAt: now + minutes(24 * 60),
        ...changes,
      }),
    )
  }

  /** The fields of either credential that come from the root key. */
  rootFields(kind: RootKey.CredentialKind, recordId: string, host: Host, now: number) {
    const publicKey = RsaKey.publicPem(this.credentialKey) ?? new Uint8Array()
    const { userId, rootSeed } = this
    const recovery = { kind: 'RECOVERY', userId, publicKey: hexToBytes(host.recoveryPublicKey) } as const
    return {
      sigDerivedPublicKey: this.credentialKey,
      rootPublicKey: this.rootPublicKey,
      wrappedRootKey: `v2.${'r'.repeat(60)}`,
      rootSignature: bytesToHex(RootKey.signRecipient(rootSeed, { kind, userId, recordId, publicKey })),
      recoverySignature: bytesToHex(RootKey.signRecipient(rootSeed, recovery)),
      deviceCertificate: this.certificate(host, now),
      sealedResult: `v2.${'s'.repeat(60)}`,
    }
  }

  completion(host: Host, now: number, pepper: Uint8Array) {
    const wrapping = PasswordKeys.passwordWrappingKeys(this.masterKey, pepper, this.passwordId)
    return {
      ...this.rootFields('PASSWORD', this.passwordId, host, now),
      status: 'COMPLETE',
      salt: '00112233445566778899aabbccddeeff',
      kdf: PasswordKeys.defaultKdf,
      authPublicKey: bytesToHex(PasswordKeys.authKey(this.masterKey, this.passwordId).publicKey),
      encryptedWalletPrivateKey: `v2.${'e'.repeat(60)}`,
      encryptionKeyHash: bytesToHex(CredentialWrap.encryptionKeyHash(wrapping)),
    }
  }

  /** The proof that the password page sends. */
  proof(page: PortalPage, changes: Partial<PasswordKeys.PasswordProof> = {}, masterKey = this.masterKey) {
    const { seed, publicKey } = PasswordKeys.authKey(masterKey, this.passwordId)
    const signature = PasswordKeys.signPassword(seed, {
      portalHost: 'portal.localhost:3003',
      partnerId: page.host.partner.partner.id,
      sessionId: page.host.sessionId,
      openingId: page.openingId,
      passwordId: this.passwordId,
      loginKeyThumbprint: RsaKey.loginKeyThumbprint(rsaPublicKeys[1]) ?? new Uint8Array(),
      challenge: page.challenge,
      ...changes,
    })
    return { passwordId: this.passwordId, publicKey: bytesToHex(publicKey), signature: bytesToHex(signature) }
  }
}

/** A host whose user showed the mailed code. */
export const verifiedHost = async (world: World, email: string, of = world.partner()) => {
  const host = world.host(of)
  await host.touch()
  await host.register({ recoveryPublicKey: host.recoveryPublicKey })
  const userId = await host.call(users.createUser({ email }))
  await host.call(users.verifyEmail(userId, world.codeTo(email)))
  return { host, userId }
}

/** Up to the page create-password, with its token. */
export const atCreatePassword = async (world: World, email = world.email()) => {
  const { host, userId } = await verifiedHost(world, email)
  const person = new Person(email)
  person.userId = userId
  person.passwordId = (await host.call(passwords.createPassword(userId), { device: true })).id
  const page = await host.open('create-password', person.passwordId)
  const pepper = hexToBytes(page.entered?.password?.pepper ?? '')
  const body = person.completion(host, await world.now(), pepper)
  return { host, person, page, pepper, body }
}

/** A user with a password, and the host that it was made on. */
export const signUp = async (world: World, email = world.email()) => {
  const made = await atCreatePassword(world, email)
  await made.page.call(passwords.updatePassword(made.person.userId, made.person.passwordId, made.body))
  return made
}

/** A page that has made a password by a redirect: the record is PENDING until the host's session redeems it. */
export const redirectedPassword = async (world: World) => {
  const { host, page: first, person, pepper } = await atCreatePassword(world)
  const proof = Opener.redeemProof(randomBytes(32))
  await first.call(portalSessions.closeOpening(first.openingId, first.openingSecret))
  const page = await host.visit('create-password', person.passwordId)
  await page.enter({ redirect: true, redeemHash: bytesToHex(Opener.redeemHash(proof)) })
  const { deviceCertificate: _, ...body } = person.completion(host, await world.now(), pepper)
  await page.call(passwords.updatePassword(person.userId, person.passwordId, body))
  return { host, person, pepper, redeem: commits.redeemOpening(page.openingId, { proof: bytesToHex(proof) }) }
}

/** A wallet of the user with a key. Returns its current sharing. */
export const makeWallet = (world: World, userId: string) => {
  const sharing = { walletId: randomUUID(), epoch: 1, shareId: '11'.repeat(32) }
  const made = { ...sharing, publicKey: '02'.repeat(33), address: `0x${'22'.repeat(20)}`, rootPublicKey: null }
  return world.run(
    Effect.gen(function* () {
      const { findOrCreate, activate } = yield* Wallets
      const kind = { type: 'EVM', scheme: 'DKLS', slot: 0, cosmosPrefix: null } as const
      yield* findOrCreate({ id: sharing.walletId, partnerId: world.partner().partner.id, userId, ...kind, now: 0 })
      yield* activate(sharing.walletId, made, 0)
      return sharing
    }),
  )
}

/** A new browser up to the page login-password, with its token. */
export const atLogin = async (world: World, of = world.partner(), page: Opener.Page = 'login-password') => {
  const host = world.host(of)
  await host.touch()
  await host.register({ loginPublicKey: rsaPublicKeys[1] })
  return { host, page: await host.open(page) }
}

/** Two are enough for all tests: making one takes a while. */
const rsaPublicKey = () =>
  RsaKey.publicPemHex(
    Uint8Array.from(
      createPublicKey(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey).export({
        type: 'pkcs1',
        format: 'der',
      }),
    ),
  )
export const rsaPublicKeys = [rsaPublicKey(), rsaPublicKey(), rsaPublicKey()] as const
