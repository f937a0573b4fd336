/**
 * Replicas of the service on one database, the network, and a user's devices; and the state in which each schedule begins: a
 * user who signed up on a laptop, logged in on a phone, and signed on both.
 */
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import { finishSetup } from '../../domain/client/accountEntry.ts'
import { passwordSetup, setUpCredential } from '../../domain/client/setUpCredential.ts'
import { createUser, verifyEmail } from '../../domain/client/users.ts'
import { type AccountSetup } from '../../domain/client/setUpAccount.ts'
import type { Identity } from '../../domain/model/Identity.ts'
import * as partners from '../../domain/service/partners.ts'
import { applyPolicy } from '../../domain/service/policies.ts'
import type { Job } from '../../domain/service/ports/CosignerEngine.ts'
import { shopSettings } from '../kit/shop.ts'
import type { Witness } from '../kit/toyProtocols.ts'
import { ToyChain } from './chain.ts'
import { Coverage } from './coverage.ts'
import {
  Device,
  deviceSecret,
  emptyMemory,
  memoryOf,
  shop,
  supportedWalletTypes,
  type Memory,
  type Surroundings,
} from './device.ts'
import type { FullDisk } from './fullDisk.ts'
import * as Network from './network.ts'
import { copyOf, emptyOutside, type Outside } from './outside.ts'
import type { Decision } from './permissions.ts'
import { policies } from './policies.ts'
import { protocolsOf, type Protocols } from './protocols.ts'
import { Replica } from './replica.ts'
import { shapes } from './rows/memoryDatabase.ts'
import { Rows, type Snapshot } from './rows/Rows.ts'
import type { Sim } from './Sim.ts'
import type { Swarm } from './swarm.ts'
import { loggingIn, makingSecondWallet, makingWallet, signing, text } from './verbs.ts'

/** Where a schedule begins. */
export type Base = {
  readonly now: number
  readonly rows: Snapshot
  readonly outside: Outside
  readonly devices: readonly { readonly name: string; readonly memory: Memory }[]
  readonly apiKey: string
  readonly partnerId: string
  readonly secretKey: string
  readonly user: User
  readonly walletId: string
  /** Beside it, with a policy or where the swarm has a second one. */
  readonly secondWalletId: string | undefined
  readonly deviceKeys: number
  readonly envelopes: ReadonlyMap<string, Envelope>
  /** The secret that the sign-up gave the person to keep. */
  readonly recoverySecret: string
  /** Hex: of the wallet. */
  readonly publicKey: string
}

type Changeable<A> = { -readonly [K in keyof A]: A[K] }

export type Envelope = { readonly publicKey: string; readonly plaintext: string }

export type User = { readonly userId: string; readonly email: string; readonly password: string }

/** The view of a running world. */
export type Watch = Network.Watch & {
  readonly computed?: (job: Job) => void
  readonly accepted?: (decision: Decision) => void
  readonly shown?: Surroundings['shown']
  /** A process did not start, because the folder is older than the database. */
  readonly refused?: () => void
  /** A write to the co-signers' folder failed; and a request is answered that failed by it. */
  readonly unmarked?: (what: string) => void
  readonly unwritten?: (write: FullDisk) => void
  /** A claim is deleted, by the key of its round. */
  readonly swept?: (round: string) => void
}

/** Replicas, network and devices over a state. */
export class World {
  readonly sim: Sim
  /** It may change while a schedule runs: in the end nothing goes wrong any more. */
  readonly swarm: Changeable<Swarm>
  readonly rows: Rows
  readonly outside: Outside
  readonly witness: Witness = { met: [], cheats: false }
  readonly protocols: Protocols
  readonly coverage = new Coverage()
  readonly replicas: readonly Replica[]
  readonly network: Network.Network
  readonly devices: Device[] = []
  readonly mailbox = new Map<string, string>()
  readonly chain: ToyChain
  /** How far clocks are ahead, by the name of the process or device, in ms. */
  readonly ahead = new Map<string, number>()
  /** The database generation for which the operator accepts that the folder is older. */
  acceptedGeneration: string | undefined
  deviceKeys: number
  /** Every envelope that a device made, by its ciphertext. */
  readonly envelopes: Map<string, Envelope>
  readonly #accepted: (decision: Decision) => void
  readonly #shown: Surroundings['shown']

  constructor(sim: Sim, swarm: Swarm, base: Base | undefined, watch: Watch = {}) {
    this.sim = sim
    this.swarm = { ...swarm }
    this.protocols = protocolsOf(swarm.onKernel)
    this.rows = new Rows(shapes)
    if (base !== undefined) this.rows.restore(base.rows)
    this.chain = new ToyChain(this.protocols, () => sendersIn(this.rows))
    this.outside = base === undefined ? emptyOutside() : { ...copyOf(base.outside), drawn: { ...base.outside.drawn } }
    this.deviceKeys = base?.deviceKeys ?? 0
    this.envelopes = new Map(base?.envelopes)
    const { rows, outside, witness, protocols, coverage, swarm: changing } = this
    const ground = {
      sim,
      swarm: changing,
      rows,
      outside,
      witness,
      protocols,
      coverage,
      mailed: ({ to, code }: { readonly to: string; readonly code?: string | undefined }) => {
        if (code !== undefined) this.mailbox.set(to, code)
      },
      sent: (signed: Uint8Array) => this.chain.take(signed),
      computed: watch.computed ?? (() => undefined),
      ahead: (name: string) => this.ahead.get(name) ?? 0,
      refusesOlderFolder: (generation: string) =>
        changing.restores?.refuses === true && generation !== this.acceptedGeneration,
      refused: watch.refused ?? (() => undefined),
      unmarked: watch.unmarked ?? (() => undefined),
      unwritten: watch.unwritten ?? (() => undefined),
      swept: watch.swept ?? (() => undefined),
    }
    this.replicas = ['A', 'B'].slice(0, swarm.replicas).map((name) => new Replica(ground, name))
    this.network = new Network.Network(sim, changing, this.replicas, watch)
    this.#accepted = watch.accepted ?? (() => undefined)
    this.#shown = watch.shown ?? (() => undefined)
  }

  surroundings(apiKey: string, password: string): Surroundings {
    const { sim, witness, protocols, network } = this
    return {
      sim,
      witness,
      protocols,
      apiKey,
      password,
      send: network.send,
      ahead: (name) => this.ahead.get(name) ?? 0,
      nextSecret: () => deviceSecret(this.deviceKeys++),
      sealed: (ciphertext, envelope) => void this.envelopes.set(ciphertext, envelope),
      accepted: this.#accepted,
      shown: this.#shown,
    }
  }

  addDevice(around: Surroundings, name: string, memory: Memory): Device {
    const device = new Device(around, name, memory)
    this.devices.push(device)
    return device
  }

  start(): void {
    for (const replica of this.replicas) replica.start()
  }

  stop(): void {
    for (const replica of this.replicas) replica.stop()
  }
}

/** Keys of wallets that can sign a transaction of EVM. */
const sendersIn = (rows: Rows): readonly string[] =>
  rows
    .rows('wallets')
    .flatMap(({ scheme, public_key: key }) => (scheme === 'DKLS' && typeof key === 'string' ? [key] : []))

/** Plays how the state came to be, in the plainest order and without any fault. */
export const makeBase = async (sim: Sim, swarm: Swarm): Promise<Base> => {
  const world = new World(sim, swarm, undefined)
  world.start()
  const [replica] = world.replicas
  await sim.run(() => replica?.isUp === true)

  const settled = async <A, E>(start: (ended: (exit: Exit.Exit<A, E>) => void) => void): Promise<A> => {
    let exit: Exit.Exit<A, E> | undefined
    start((ended) => {
      exit = ended
    })
    await sim.run(() => exit !== undefined)
    if (exit === undefined)
      throw new Error(`the base cannot be made: ${sim.violation?.seen ?? 'nothing happens any more'}`)
    if (Exit.isFailure(exit)) throw new Error(`the base cannot be made: ${String(exit.cause)}`)
    return exit.value
  }

  const { apiKey, secretKey, partner } = await settled<Effect.Success<ReturnType<typeof partners.create>>, unknown>(
    (ended) => replica?.run(partners.create({ ...shopSettings, supportedWalletTypes, origins: [shop] }), ended),
  )
  const [email, password] = ['ada@example.com', 'correct horse battery staple']
  const identity: Identity = { kind: 'email', email }
  const around = world.surroundings(apiKey, password)
  const laptop = world.addDevice(around, 'laptop', emptyMemory())
  const phone = world.addDevice(around, 'phone', emptyMemory())

  const first = laptop.openTab()
  const userId = await settled<string, unknown>((ended) => first.run(createUser(identity), ended))
  await settled<unknown, unknown>((ended) => first.run(verifyEmail(world.mailbox.get(email) ?? ''), ended))
  const { walletIds, recoverySecret } = await settled<AccountSetup, unknown>((ended) =>
    first.run(Effect.andThen(setUpCredential(passwordSetup), finishSetup()), ended),
  )
  const [walletId = ''] = walletIds
  if (swarm.policy !== undefined) await settled<unknown, unknown>((ended) => first.run(makingSecondWallet, ended))
  const { second: otherType } = swarm
  if (otherType !== undefined) await settled<unknown, unknown>((ended) => first.run(makingWallet(otherType), ended))
  const second = phone.openTab()
  await settled<unknown, unknown>((ended) => second.run(loggingIn(email), ended))
  for (const tab of [first, second]) {
    await settled<unknown, unknown>((ended) => tab.run(signing(walletId, text('hello')), ended))
  }
  const { document } = policies.open
  if (swarm.policy !== undefined)
    await settled<unknown, unknown>((ended) => replica?.run(applyPolicy(partner.id, document), ended))
  world.stop()
  return {
    now: sim.now,
    rows: world.rows.snapshot(),
    outside: copyOf(world.outside),
    devices: world.devices.map(({ name, memory }) => ({ name, memory: memoryOf(memory) })),
    apiKey,
    partnerId: partner.id,
    secretKey,
    user: { userId, email, password },
    walletId,
    secondWalletId: world.rows
      .rows('wallets')
      .map(({ id }) => String(id))
      .find((id) => id !== walletId),
    deviceKeys: world.deviceKeys,
    envelopes: new Map(world.envelopes),
    recoverySecret: recoverySecret ?? '',
    publicKey: String(world.rows.rows('wallets')[0]?.['public_key']),
  }
}
