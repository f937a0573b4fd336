/**
 * A browser of the user's: what it keeps over tabs, and tabs that run the SDK's own flows. A tab that is closed leaves its locks
 * and nothing else; storage that is cleared takes everything.
 */
import { p256 } from '@noble/curves/nist.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import * as Clock from 'effect/Clock'
import type * as Context from 'effect/Context'
import * as Effect from 'effect/Effect'
import type * as Exit from 'effect/Exit'
import * as Layer from 'effect/Layer'
import * as Option from 'effect/Option'
import * as Queue from 'effect/Queue'
import * as Scope from 'effect/Scope'
import { ShareStoreText } from '../../adapters/browser/ShareStore.ts'
import { StorageMemory, StorageWeb } from '../../adapters/browser/Storage.ts'
import { originOf } from '../../domain/model/Url.ts'
import type { SupportedWalletTypes } from '../../domain/model/WalletTypes.ts'
import { DeviceKeys, type DeviceKeyRecord } from '../../domain/client/ports/DeviceKeys.ts'
import { Events } from '../../domain/client/ports/Events.ts'
import { Locks } from '../../domain/client/ports/Locks.ts'
import { Mpc } from '../../domain/client/ports/Mpc.ts'
import { Navigation } from '../../domain/client/ports/Navigation.ts'
import { Random } from '../../domain/client/ports/Random.ts'
import { Settings } from '../../domain/client/ports/Settings.ts'
import { Tabs } from '../../domain/client/ports/Tabs.ts'
import * as chain from '../../domain/client/cosignerChain.ts'
import * as others from '../../domain/client/otherRequests.ts'
import * as refreshing from '../../domain/client/refreshKeys.ts'
import * as reviews from '../../domain/client/review.ts'
import { Following, Mending, OtherRequests, Reviewing } from '../../domain/client/lateCode.ts'
import type { PrivateKey } from '../../domain/client/portal/exportPrivateKey.ts'
import { SessionStateMemory } from '../../domain/client/SessionState.ts'
import { WalletStateMemory } from '../../domain/client/WalletState.ts'
import { developmentHosts } from '../../domain/model/Environment.ts'
import { noPasskeys } from '../kit/passkeyDevice.ts'
import { personWith, playedPopups } from '../kit/portalPlayer.ts'
import type { Guessing, Witness } from '../kit/toyProtocols.ts'
import { apiOver, cosignerOver } from './api.ts'
import { uuidOf } from './guard.ts'
import { LockTable } from './locks.ts'
import type { Send } from './network.ts'
import type { Decision } from './permissions.ts'
import type { Protocols } from './protocols.ts'
import { reviewing } from './reviewing.ts'
import type { Mortal, Sim } from './Sim.ts'
import { toyPasswordHash, toyRsa, type Sealed } from './toyCrypto.ts'

export type HeldKey = { readonly secret: Uint8Array; readonly record: DeviceKeyRecord }

/** What a browser keeps of one origin. */
export type Memory = { readonly local: Map<string, string>; readonly keys: Map<string, HeldKey> }

export const memoryOf = ({ local, keys }: Memory): Memory => ({ local: new Map(local), keys: new Map(keys) })

export const emptyMemory = (): Memory => ({ local: new Map(), keys: new Map() })

/** The environment of a device. */
export type Surroundings = {
  readonly sim: Sim
  readonly send: Send
  readonly witness: Witness
  readonly protocols: Protocols
  readonly apiKey: string
  readonly password: string
  /** How far this device's clock is ahead, in ms. */
  readonly ahead: (name: string) => number
  /** The n-th device key of the schedule: making one takes a curve. */
  readonly nextSecret: () => Uint8Array
  readonly sealed: Sealed
  /** Told of each acceptance of a review by the person, before it is sent. */
  readonly accepted: (decision: Decision) => void
  /** Told of each key that a page of an export shows. */
  readonly shown: (walletId: string, key: PrivateKey) => void
}

export const shop = 'http://shop.localhost'

/** A sign-up makes a wallet of the first type. */
export const supportedWalletTypes: SupportedWalletTypes = [
  { type: 'EVM' },
  { type: 'SOLANA', optional: true },
  { type: 'COSMOS', optional: true },
]

export class Device {
  readonly name: string
  readonly memory: Memory
  readonly around: Surroundings
  readonly locks: LockTable
  readonly #tabs = new Set<Tab>()
  #opened = 0

  constructor(around: Surroundings, name: string, memory: Memory) {
    this.around = around
    this.name = name
    this.memory = memory
    this.locks = new LockTable(around.sim)
  }

  openTab(options: { readonly name?: string; readonly origin?: string; readonly guessing?: Guessing } = {}): Tab {
    this.#opened += 1
    const tab = new Tab(this, options.name ?? `${this.name}.${this.#opened}`, options)
    this.#tabs.add(tab)
    return tab
  }

  /** The browser clears what the origin keeps, under every tab. */
  evict(): void {
    this.memory.local.clear()
    this.memory.keys.clear()
  }

  close(tab: Tab): void {
    tab.owner.alive = false
    this.#tabs.delete(tab)
    this.locks.released()
  }

  /** A message of one tab reaches all others. */
  hear(from: Tab, channel: string, message: unknown): void {
    for (const tab of this.#tabs) if (tab !== from) tab.hear(channel, message)
  }
}

type TabServices = Layer.Success<ReturnType<typeof tabLayer>>

export class Tab {
  readonly owner: Mortal
  readonly device: Device
  readonly #inboxes = new Map<string, Set<Queue.Queue<unknown>>>()
  readonly #layer: ReturnType<typeof tabLayer>
  #context: Context.Context<TabServices> | undefined

  constructor(device: Device, name: string, options: { readonly origin?: string; readonly guessing?: Guessing }) {
    this.device = device
    this.owner = { name, alive: true }
    this.#layer = tabLayer(this, options.origin ?? shop, options.guessing)
  }

  /** Runs a flow of the SDK; the first one builds what the tab works with. */
  run<A, E>(flow: Effect.Effect<A, E, TabServices>, ended: (exit: Exit.Exit<A, E>) => void): void {
    const { sim } = this.device.around
    const prepared = Effect.suspend(() => {
      if (this.#context !== undefined) return Effect.provide(flow, this.#context)
      return Effect.flatMap(Layer.buildWithScope(this.#layer, Scope.makeUnsafe()), (context) => {
        this.#context = context
        return Effect.provide(flow, context)
      })
    })
    sim.fork(this.owner, Effect.provideService(prepared, Clock.Clock, this.clock), ended)
  }

  get clock(): Clock.Clock {
    const { sim, ahead } = this.device.around
    return sim.clockOf(this.owner, { ahead: () => ahead(this.device.name) })
  }

  hear(channel: string, message: unknown): void {
    const { sim } = this.device.around
    for (const inbox of this.#inboxes.get(channel) ?? []) {
      sim.add(this.owner, `hears ${channel}`, () => void Queue.offerUnsafe(inbox, structuredClone(message)))
    }
  }

  inbox(channel: string): Effect.Effect<Queue.Dequeue<unknown>, never, Scope.Scope> {
    const inboxes = this.#inboxes.get(channel) ?? new Set<Queue.Queue<unknown>>()
    this.#inboxes.set(channel, inboxes)
    return Effect.acquireRelease(
      Effect.tap(Queue.unbounded<unknown>(), (queue) => Effect.sync(() => inboxes.add(queue))),
      (queue) => Effect.sync(() => inboxes.delete(queue)),
    )
  }
}

const tabLayer = (tab: Tab, origin: string, guessing: Guessing | undefined) => {
  const { device, owner } = tab
  const { around, memory } = device
  const { sim, send, witness, protocols, apiKey, password, sealed, accepted, shown } = around
  const bytes = sim.bytesOf(owner.name)
  const settings = Layer.succeed(Settings, settingsAt(origin, apiKey))
  const random = Layer.succeed(Random, {
    source: bytes,
    bytes: (length) => Effect.sync(() => bytes(length)),
    uuid: Effect.sync(() => uuidOf(bytes(16))),
  })
  const popups = playedPopups({
    hostOrigin: origin,
    play: personWith(password, reviewing(sim, accepted), shown),
    page: (url) => {
      const page = Layer.succeed(Settings, settingsAt(originOf(url), apiKey))
      const own = Layer.mergeAll(page, StorageMemory, SessionStateMemory, keysIn(emptyMemory(), around))
      const api = apiOver(send, owner).pipe(Layer.provide(own))
      return Layer.mergeAll(api, toyRsa(bytes, sealed), toyPasswordHash, random, noPasskeys, page)
    },
  })
  const base = Layer.mergeAll(
    Layer.succeed(Clock.Clock, tab.clock),
    Layer.succeed(Mending, Effect.succeed(refreshing)),
    Layer.succeed(Reviewing, Effect.succeed(reviews)),
    Layer.succeed(OtherRequests, Effect.succeed(others)),
    Layer.succeed(Following, Effect.succeed(chain)),
    settings,
    random,
    popups,
    StorageWeb({ local: areaOf(memory.local), session: areaOf(new Map()) }),
    keysIn(memory, around),
    toyRsa(bytes, sealed),
    Layer.succeed(Locks, device.locks.portOf(owner)),
    Layer.succeed(Mpc, protocols.mpc(witness, bytes, guessing)),
    SessionStateMemory,
    WalletStateMemory,
    Layer.succeed(Events, { emit: () => Effect.void }),
    Layer.succeed(Tabs, {
      post: (channel, message) => Effect.sync(() => device.hear(tab, channel, message)),
      messages: (channel) => tab.inbox(channel),
    }),
    Layer.succeed(Navigation, {
      url: Effect.succeed(`${origin}/`),
      replace: () => Effect.void,
      redirect: () => Effect.void,
      close: Effect.void,
      hidden: Effect.never,
    }),
  )
  return Layer.mergeAll(apiOver(send, owner), cosignerOver(send, owner), ShareStoreText).pipe(Layer.provideMerge(base))
}

const settingsAt = (origin: string, apiKey: string): Settings['Service'] => ({
  environment: 'DEV',
  hosts: developmentHosts,
  apiKey,
  origin,
  theme: {},
  mailLook: {},
  supportedWalletTypes,
})

const areaOf = (entries: Map<string, string>) => ({
  getItem: (key: string) => entries.get(key) ?? null,
  setItem: (key: string, text: string) => void entries.set(key, text),
  removeItem: (key: string) => void entries.delete(key),
})

/** The secret of the n-th device key. */
export const deviceSecret = (index: number): Uint8Array => sha256(utf8ToBytes(`device key ${index}`))

const keysIn = ({ keys }: Memory, { nextSecret }: Surroundings) =>
  Layer.succeed(DeviceKeys, {
    create: (sessionId) =>
      Effect.sync(() => {
        const known = keys.get(sessionId)
        if (known !== undefined) return known.record
        const secret = nextSecret()
        const record: DeviceKeyRecord = { publicKey: bytesToHex(p256.getPublicKey(secret, false)), weak: true }
        keys.set(sessionId, { secret, record })
        return record
      }),
    makePortable: Effect.die(new Error('nothing is delegated here')),
    keep: () => Effect.die(new Error('nothing is delegated here')),
    find: (sessionId) => Effect.sync(() => Option.fromUndefinedOr(keys.get(sessionId)?.record)),
    sign: (sessionId, message) =>
      Effect.sync(() => {
        const key = keys.get(sessionId)
        if (key === undefined) throw new Error('a session signs only with a device key')
        return p256.sign(message, key.secret, { prehash: true })
      }),
    certify: (sessionId, certification) =>
      Effect.sync(() => {
        const key = keys.get(sessionId)
        if (key !== undefined) keys.set(sessionId, { ...key, record: { ...key.record, certification } })
      }),
    remove: (sessionId) => Effect.sync(() => void keys.delete(sessionId)),
  })
