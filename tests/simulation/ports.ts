/**
 * Every port of the service, filled in memory, in this one place. Flows, repositories and the incarnation are the product's own;
 * what stands for something else is what lies outside the process: disk, threads, mail, chain, authenticators and chance.
 */
import { hash } from 'node:crypto'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { base64urlnopad } from '@scure/base'
import * as Clock from 'effect/Clock'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Option from 'effect/Option'
import type { Kysely } from 'kysely'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { ChainRpc } from '../../adapters/service/chains/Chain.ts'
import { ChainNodesHttp } from '../../adapters/service/chains/ChainNodes.ts'
import { Database, make as makeDatabase, TransactionDatabase } from '../../adapters/service/database/Database.ts'
import { DatabaseGenerationFenced } from '../../adapters/service/database/DatabaseGeneration.ts'
import type { Tables } from '../../adapters/service/database/Tables.ts'
import { notificationsOfProcess } from '../../adapters/service/database/Notifications.ts'
import { messageDelivery } from '../../adapters/service/deliveryWorker.ts'
import { repositories } from '../../adapters/service/layers.ts'
import { StartRefusal } from '../../adapters/service/StartRefusal.ts'
import type { RunKeys } from '../../adapters/service/vault/RunKeys.ts'
import { generationParts } from '../../domain/service/generationParts.ts'
import { WaitsNode } from '../../adapters/service/node/Waits.ts'
import { upkeep } from '../../adapters/service/upkeep.ts'
import { noble } from '../../domain/crypto/Signatures.ts'
import { developmentHosts } from '../../domain/model/Environment.ts'
import { BroadcastRefused, Chain, ChainUnavailable } from '../../domain/service/ports/Chain.ts'
import { Claims, keyOfRound, type HeldClaim } from '../../domain/service/ports/Claims.ts'
import { CosignerEngine } from '../../domain/service/ports/CosignerEngine.ts'
import { Deployment } from '../../domain/service/ports/Deployment.ts'
import { Failpoints } from '../../domain/service/ports/Failpoints.ts'
import { FailureLog } from '../../domain/service/ports/FailureLog.ts'
import { Jwts } from '../../domain/service/ports/Jwts.ts'
import { Mail, NotSent, type Message } from '../../domain/service/ports/Mail.ts'
import { ProcessLimits } from '../../domain/service/ports/ProcessLimits.ts'
import { PasskeyRefused, PasskeyVerifier } from '../../domain/service/ports/PasskeyVerifier.ts'
import { SecureRandom } from '../../domain/service/ports/SecureRandom.ts'
import { ShareKeys } from '../../domain/service/ports/ShareKeys.ts'
import { Signatures } from '../../domain/service/ports/Signatures.ts'
import { Sms } from '../../domain/service/ports/Sms.ts'
import { StaticFiles, StaticFileUnavailable } from '../../domain/service/ports/StaticFiles.ts'
import { UserMessages } from '../../domain/service/ports/UserMessages.ts'
import { Vault, VaultRefusal, type AssociatedData } from '../../domain/service/ports/Vault.ts'
import { Watermarks } from '../../domain/service/ports/Watermarks.ts'
import { openMessage } from '../../domain/service/userMessages.ts'
import type { Mark } from '../../domain/service/ports/Watermarks.ts'
import type { Room } from './fullDisk.ts'
import { uuidOf } from './guard.ts'
import type { Outside } from './outside.ts'
import { openUnder, sealUnder, shareKeysOf } from './shareKeys.ts'

export type Parts = {
  /** The process's randomness. */
  readonly bytes: (length: number) => Uint8Array
  readonly kysely: Kysely<Tables>
  readonly outside: Outside
  readonly room: Room
  /** A claim is deleted, by the key of its round. */
  readonly swept: (round: string) => void
  readonly engine: CosignerEngine['Service']
  readonly clock: Clock.Clock
  /** Either side of a failpoint is an event: what returns here goes on in the next one. */
  readonly reach: (failpoint: string) => Effect.Effect<void>
  readonly mailed: (message: Message) => void
  readonly sent: (signed: Uint8Array) => NodeAnswer
  readonly keepsUp: boolean
  /** Whether the process refuses a folder that is older than the database of this generation. */
  readonly refusesOlderFolder: (databaseGeneration: string) => boolean
  /** Mail waits in the outbox for its worker; otherwise it is delivered with its transaction. */
  readonly postsMail: boolean
}

/** `refused`: the nonce is used by another transaction. The same again is taken, as it was. */
export type NodeAnswer = 'taken' | 'refused' | 'silence'

export const servicePorts = (parts: Parts) => {
  const { bytes, kysely, outside, room, swept, engine, clock, reach, mailed, sent } = parts
  const { keepsUp, refusesOlderFolder, postsMail } = parts
  /** One write: all of them are raised or none. */
  const raiseAll = (marks: readonly Mark[]) => {
    const higher = marks.filter(([name, value]) => value > (outside.watermarks.get(name) ?? 0))
    for (const [name, value] of higher) room(name, value)
    for (const [name, value] of higher) outside.watermarks.set(name, value)
  }
  const around = Layer.mergeAll(
    Layer.succeed(Clock.Clock, clock),
    Layer.succeed(Database, makeDatabase(kysely)),
    Layer.succeed(SecureRandom, {
      bytes: (length) => Effect.sync(() => bytes(length)),
      uuid: Effect.sync(() => uuidOf(bytes(16))),
      token: Effect.sync(() => base64urlnopad.encode(bytes(32))),
      digits: (length) => Effect.sync(() => [...bytes(length)].map((byte) => byte % 10).join('')),
    }),
    Layer.succeed(Vault, openVault(outside, room)),
    Layer.succeed(Claims, claimsOf(outside, room, swept)),
    Layer.succeed(ShareKeys, shareKeysOf(outside)),
    Layer.succeed(Signatures, noble),
    Layer.succeed(Watermarks, {
      raise: (name, value) => Effect.sync(() => raiseAll([[name, value]])),
      raiseAll: (marks) => Effect.sync(() => raiseAll(marks)),
      read: (name) => Effect.sync(() => outside.watermarks.get(name) ?? 0),
    }),
    Layer.succeed(Failpoints, { reach }),
    Layer.succeed(CosignerEngine, engine),
    Layer.succeed(Deployment, {
      environment: 'DEV',
      apiOrigin: developmentHosts.api,
      portalOrigin: developmentHosts.portal,
      connectOrigin: developmentHosts.connect,
      operatorName: 'Tandem',
    }),
    ChainNodesHttp(new Map()),
    chainOf(sent),
    noPasskeys,
    statementsAlone,
    Layer.succeed(StaticFiles, { read: (file) => Effect.fail(new StaticFileUnavailable({ file })) }),
    WaitsNode,
    Layer.succeed(ProcessLimits, { take: () => Effect.void }),
    Layer.succeed(FailureLog, { write: () => Effect.void }),
  )
  const databaseGeneration = DatabaseGenerationFenced({
    fenceFile: {
      read: () => outside.fence,
      write: (mark) => {
        outside.fence = mark
      },
    },
    refuseOlderFolder: (generation) =>
      refusesOlderFolder(generation)
        ? new StartRefusal({ message: 'the folder is older than the database' })
        : undefined,
  })
  const flows = Layer.merge(databaseGeneration, postsMail ? deliveredByWorker(mailed) : deliveredAtOnce(mailed)).pipe(
    Layer.provideMerge(repositories),
    Layer.provideMerge(Layer.merge(TransactionDatabase, notificationsOfProcess({ isAlone: false }))),
    Layer.provideMerge(around),
  )
  return keepsUp
    ? upkeep(runKeysOf(outside), { audits: undefined, unverifiedUsers: undefined }).pipe(Layer.provideMerge(flows))
    : flows
}

/** The node of every chain of EVM, as `ChainRpc` asks it: it is asked for the hash of what it refuses, too. */
const chainOf = (sent: Parts['sent']) =>
  Layer.effect(
    Chain,
    Effect.map(Chain, (chain) =>
      Chain.of({
        ...chain,
        broadcast: (signed, chainId) =>
          Effect.suspend((): Effect.Effect<string, BroadcastRefused | ChainUnavailable> => {
            const answer = sent(signed)
            if (answer === 'refused') return Effect.fail(new BroadcastRefused({ reason: 'nonce too low' }))
            return answer === 'taken'
              ? Effect.succeed(`0x${bytesToHex(keccak_256(signed))}`)
              : Effect.fail(new ChainUnavailable({ chainId }))
          }),
      }),
    ),
  ).pipe(Layer.provide(ChainRpc(new Map())))

type Delivery = Layer.Layer<UserMessages, never, Database | Failpoints | UserMessages | Vault>

/** As in a process with the role of the API: a message waits in the outbox until its worker looks there. */
const deliveredByWorker = (mailed: Parts['mailed']): Delivery => {
  const providers = Layer.merge(
    Layer.succeed(Mail, { send: (message) => Effect.sync(() => mailed(message)) }),
    Layer.succeed(Sms, { send: () => Effect.fail(new NotSent({ reason: 'no telephone here', isFinal: true })) }),
  )
  return Layer.merge(Layer.effect(UserMessages, UserMessages), messageDelivery.pipe(Layer.provide(providers)))
}

/** No worker runs here: a mail is delivered when its transaction is committed. */
const deliveredAtOnce = (mailed: Parts['mailed']): Delivery =>
  Layer.effect(
    UserMessages,
    Effect.gen(function* () {
      const [{ whenCommitted }, vault] = [yield* Database, yield* Vault]
      return UserMessages.of({
        ...(yield* UserMessages),
        add: Effect.fnUntraced(function* (message) {
          const { isSent, ...content } = yield* Effect.orDie(Effect.provideService(openMessage(message), Vault, vault))
          if (isSent) yield* whenCommitted(() => mailed(content))
        }),
      })
    }),
  )

/** What adapters/service/vault/Claims.ts does with files: the first claim of a round counts. */
const claimsOf = ({ claims }: Outside, room: Room, swept: Parts['swept']): Claims['Service'] => {
  const settled = new Set<string>()
  const unsettled = (held: readonly HeldClaim[]) => held.filter((claim) => !settled.has(keyOfRound(claim)))
  const over = (now: number): readonly HeldClaim[] =>
    [...claims.values()].filter(({ expiresAt }) => now > expiresAt + claimsKeptForMs)
  return {
    hold: (claim) =>
      Effect.sync(() => {
        const round = keyOfRound(claim)
        if (!claims.has(round)) room('claim')
        const first = claims.get(round) ?? claim
        claims.set(round, first)
        return first.requestHash === claim.requestHash && first.seedHash === claim.seedHash
      }),
    latest: Effect.sync(() => [...claims.values()].slice(-8)),
    unsettled: ({ walletId, protocolId }) =>
      Effect.sync(() =>
        unsettled([...claims.values()])
          .filter((claim) => claim.walletId === walletId && claim.protocolId !== protocolId)
          .slice(-8),
      ),
    over: (now) => Effect.sync(() => unsettled(over(now))),
    settle: (round) => Effect.sync(() => void settled.add(keyOfRound(round))),
    sweep: (now) =>
      Effect.sync(() => {
        for (const claim of over(now)) {
          const round = keyOfRound(claim)
          claims.delete(round)
          swept(round)
        }
      }),
  }
}

/** How long claims outlive their runs. */
const claimsKeptForMs = 60 * 60_000

/** What is sealed lies open, and opens only in its place and while its share key stands. */
const openVault = (outside: Outside, room: Room): Vault['Service'] => ({
  holds: () => true,
  seal: (associatedData, plaintext) =>
    Effect.sync(() => {
      const { sharing } = associatedData
      const bytes = labelled(associatedData, plaintext)
      return sharing === undefined ? bytes : sealUnder(outside, room, sharing, bytes)
    }),
  open: (associatedData, sealed) =>
    Effect.suspend(() => {
      const label = labelOf(associatedData)
      const { sharing } = associatedData
      const opened = sharing === undefined ? sealed : openUnder(outside, sharing, sealed)
      return opened !== undefined && label.every((byte, at) => opened[at] === byte)
        ? Effect.succeed(opened.slice(label.length))
        : Effect.fail(new VaultRefusal({ associatedData }))
    }),
  sealRun: (generation, _associatedData, plaintext) =>
    Effect.sync(() => {
      outside.runKeys.add(generation)
      return plaintext.slice()
    }),
  openRun: (generation, associatedData, sealed) =>
    Effect.suspend(() =>
      outside.runKeys.has(generation)
        ? Effect.succeed(sealed.slice())
        : Effect.fail(new VaultRefusal({ associatedData })),
    ),
  mac: (purpose, text) => hash('sha256', `${purpose}/${text}`, 'hex'),
})

const labelOf = ({ table, id, epoch }: AssociatedData): Uint8Array => utf8ToBytes(`${table}/${id}/${epoch ?? ''}/`)

const labelled = (associatedData: AssociatedData, plaintext: Uint8Array): Uint8Array => {
  const label = labelOf(associatedData)
  const sealed = new Uint8Array(label.length + plaintext.length)
  sealed.set(label)
  sealed.set(plaintext, label.length)
  return sealed
}

/** What adapters/service/vault/RunKeys.ts does with files, but for the days. What they seal lies open. */
const runKeysOf = ({ runKeys }: Outside): RunKeys => ({
  toSeal: () => new Uint8Array(32),
  toOpen: () => new Uint8Array(32),
  destroyOld: (current) => {
    const { database } = generationParts(current)
    for (const generation of runKeys) if (generationParts(generation).database !== database) runKeys.delete(generation)
  },
})

/** No JWTs are asked for here. Statements of approvers, whose keys are of Ed25519, are read at once, as no promise would be. */
const statementsAlone = Layer.succeed(Jwts, {
  makeKey: Effect.die(new Error('no JWTs here')),
  sign: () => Effect.die(new Error('no JWTs here')),
  verify: () => Effect.succeed(Option.none()),
  read: (jws, { crv, x }) => Effect.sync(() => (crv === 'Ed25519' ? readSigned(jws, x) : Option.none())),
})

const readSigned = (jws: string, x: string): Option.Option<unknown> => {
  const [header = '', payload = '', signature = ''] = jws.split('.')
  const [key, signed] = [x, signature].map((text) => Buffer.from(text, 'base64url'))
  const isSigned = key && signed && noble.ed25519(key, Buffer.from(`${header}.${payload}`), signed)
  return isSigned === true ? Option.some(JSON.parse(Buffer.from(payload, 'base64url').toString())) : Option.none()
}

const noPasskeys = Layer.succeed(PasskeyVerifier, {
  register: () => Effect.fail(new PasskeyRefused({ reason: 'no passkeys here' })),
  assert: () => Effect.fail(new PasskeyRefused({ reason: 'no passkeys here' })),
})
