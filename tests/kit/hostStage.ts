/**
 * A host page whose every port answers at once and is seen by the test: for flows that depend on the clock alone. Keys
 * are real where something is signed; nothing here waits for anything but the test clock.
 */
import { p256 } from '@noble/curves/nist.js'
import { bytesToHex, randomBytes } from '@noble/hashes/utils.js'
import { base64urlnopad } from '@scure/base'
import * as Clock from 'effect/Clock'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Logger from 'effect/Logger'
import * as Option from 'effect/Option'
import * as Queue from 'effect/Queue'
import * as Redacted from 'effect/Redacted'
import * as TestClock from 'effect/testing/TestClock'
import { Api, type ApiCallOptions } from '../../domain/client/ports/Api.ts'
import { Cosigner } from '../../domain/client/ports/Cosigner.ts'
import { DeviceKeys, type DeviceKeyRecord } from '../../domain/client/ports/DeviceKeys.ts'
import { Events } from '../../domain/client/ports/Events.ts'
import { Locks } from '../../domain/client/ports/Locks.ts'
import { Navigation } from '../../domain/client/ports/Navigation.ts'
import { Popup, type OpenPopup, type WindowMessage } from '../../domain/client/ports/Popup.ts'
import { Random } from '../../domain/client/ports/Random.ts'
import { Rsa, RsaRefusal, type RsaPair } from '../../domain/client/ports/Rsa.ts'
import { Settings } from '../../domain/client/ports/Settings.ts'
import {
  ShareStore,
  type PendingRecovery,
  type StoredShare,
  type UnconfirmedShare,
} from '../../domain/client/ports/ShareStore.ts'
import { Storage } from '../../domain/client/ports/Storage.ts'
import { Tabs } from '../../domain/client/ports/Tabs.ts'
import { SessionStateMemory } from '../../domain/client/SessionState.ts'
import { WalletStateMemory } from '../../domain/client/WalletState.ts'
import { ApiError, connectionError } from '../../domain/model/ApiError.ts'
import { developmentHosts } from '../../domain/model/Environment.ts'
import type { Input, OperationId, Success } from '../../generated/handlers.ts'

export const hostOrigin = 'https://shop.example'

export type Call = {
  readonly operation: OperationId
  readonly input: unknown
  readonly options?: ApiCallOptions
  readonly at: number
}

type Answers = {
  readonly [Id in OperationId]?: (input: Input<Id>, options?: ApiCallOptions) => Success<Id> | ApiError
}

/** An area that can be read from outside. */
const areaOf = (entries: Map<string, string>) => ({
  get: (key: string) => Effect.sync(() => entries.get(key)),
  set: (key: string, value: string) => Effect.sync(() => void entries.set(key, value)),
  remove: (key: string) => Effect.sync(() => void entries.delete(key)),
})

type StageOptions = {
  readonly url?: string
  readonly pair?: RsaPair
  /** Empty for a server. */
  readonly origin?: string
}

export const makeHostStage = (answers: Answers, options: StageOptions = {}) => {
  const calls: Call[] = []
  const logs: string[] = []
  const events: { readonly name: string; readonly data: unknown }[] = []
  /** Events whose order matters, one line each. */
  const story: string[] = []
  const posted: { readonly message: unknown; readonly targetOrigin: string }[] = []
  const local = new Map<string, string>()
  const session = new Map<string, string>()
  const shares = new Map<string, StoredShare>()
  const keys = new Map<string, { readonly secret: Uint8Array; readonly record: DeviceKeyRecord }>()
  const pending: {
    recovery: PendingRecovery | undefined
    backups: readonly string[]
    candidates: readonly UnconfirmedShare[]
  } = { recovery: undefined, backups: [], candidates: [] }
  const inbox = Effect.runSync(Queue.unbounded<WindowMessage>())
  const tabs = Effect.runSync(Queue.unbounded<unknown>())
  const window = { isClosed: false, url: '', replaced: '' }

  const popup: OpenPopup = {
    navigate: (url) => Effect.sync(() => void (window.url = url)),
    close: Effect.sync(() => void (window.isClosed = true)),
    closed: Effect.sync(() => window.isClosed),
    post: (message, targetOrigin) => Effect.sync(() => void posted.push({ message, targetOrigin })),
  }

  const api = Layer.succeed(Api, {
    call: (operation, input, callOptions) =>
      Effect.flatMap(Clock.currentTimeMillis, (at) =>
        Effect.suspend(() => {
          calls.push({ operation, input, at, ...(callOptions === undefined ? {} : { options: callOptions }) })
          story.push(operation)
          const answer = (answers[operation] as ((...asked: never[]) => unknown) | undefined)?.(
            input as never,
            callOptions as never,
          )
          if (answer instanceof ApiError) return Effect.fail(answer)
          if (answer === undefined) return Effect.die(new Error(`unexpected call of ${operation}`))
          return Effect.succeed(answer as never)
        }),
      ),
  })

  const layer = Layer.mergeAll(
    api,
    Layer.mock(Cosigner, {}),
    Layer.succeed(Popup, {
      open: (kind) =>
        Effect.sync(() => {
          story.push(`open ${kind}`)
          return popup
        }),
      messages: Effect.succeed(inbox),
    }),
    Layer.succeed(Storage, { local: areaOf(local), session: areaOf(session) }),
    Layer.succeed(DeviceKeys, {
      create: (sessionId) =>
        Effect.sync(() => {
          const secret = keys.get(sessionId)?.secret ?? p256.utils.randomSecretKey()
          const record = keys.get(sessionId)?.record ?? {
            publicKey: bytesToHex(p256.getPublicKey(secret, false)),
            weak: true,
          }
          keys.set(sessionId, { secret, record })
          return record
        }),
      makePortable: Effect.sync(() => {
        const secret = p256.utils.randomSecretKey()
        const point = p256.getPublicKey(secret, false)
        const [x, y, d] = [point.slice(1, 33), point.slice(33), secret].map((bytes) => base64urlnopad.encode(bytes))
        const jwk = { kty: 'EC', crv: 'P-256', x, y, d }
        return { publicKey: bytesToHex(point), privateKey: Redacted.make(JSON.stringify(jwk)) }
      }),
      keep: (sessionId, privateKey) =>
        Effect.sync(() => {
          const [, d] = /"d":"([\w-]{43})"/.exec(Redacted.value(privateKey)) ?? []
          if (d === undefined) return false
          const secret = base64urlnopad.decode(d)
          keys.set(sessionId, {
            secret,
            record: { publicKey: bytesToHex(p256.getPublicKey(secret, false)), weak: true },
          })
          return true
        }),
      find: (sessionId) => Effect.sync(() => Option.fromUndefinedOr(keys.get(sessionId)?.record)),
      sign: (sessionId, message) =>
        Effect.sync(() => p256.sign(message, keys.get(sessionId)?.secret ?? new Uint8Array(32), { prehash: true })),
      certify: (sessionId, certification) =>
        Effect.sync(() => {
          const key = keys.get(sessionId)
          if (key !== undefined) keys.set(sessionId, { ...key, record: { ...key.record, certification } })
        }),
      remove: (sessionId) => Effect.sync(() => void keys.delete(sessionId)),
    }),
    Layer.mock(ShareStore, {
      put: (share) =>
        Effect.sync(() => {
          story.push('share stored')
          shares.set(share.walletId, share)
        }),
      find: (walletId) => Effect.sync(() => Option.fromUndefinedOr(shares.get(walletId))),
      list: Effect.sync(() => [...shares.values()]),
      candidates: Effect.sync(() => pending.candidates),
      unlockAll: Effect.sync(() => void story.push('bans lifted')),
      backupPending: Effect.sync(() => pending.backups),
      forgetUser: ({ keepPregen, userId }) =>
        Effect.sync(() => {
          story.push(`shares forgotten, pregen ${keepPregen ? 'kept' : 'too'}`)
          if (pending.recovery?.userId === userId) pending.recovery = undefined
          pending.candidates = pending.candidates.filter((candidate) => candidate.userId !== userId)
          for (const [id, share] of shares) if (share.userId === userId) shares.delete(id)
        }),
      pendingRecovery: {
        list: Effect.sync(() => (pending.recovery === undefined ? [] : [pending.recovery])),
        get: (userId) =>
          Effect.sync(() => Option.filter(Option.fromUndefinedOr(pending.recovery), (key) => key.userId === userId)),
        set: (recovery) => Effect.sync(() => void (pending.recovery = recovery)),
        remove: () => Effect.sync(() => void (pending.recovery = undefined)),
      },
    }),
    Layer.succeed(Rsa, {
      generate: Effect.sync(() => options.pair ?? { publicKey: '', privateKey: Redacted.make('') }),
      // Envelopes with their recipient in plain text: these flows depend on who can open them, not on the cipher.
      encrypt: (publicKey, { plaintext }) =>
        Effect.succeed({
          encryptedMessageHex: bytesToHex(new TextEncoder().encode(Redacted.value(plaintext))),
          encryptedKeyHex: publicKey,
        }),
      decrypt: (_, { encryptedMessageHex }) =>
        Effect.succeed(Redacted.make(Buffer.from(encryptedMessageHex, 'hex').toString())),
      seal: (_, message) => Effect.succeed(new Uint8Array([...message, ...new Uint8Array(224)])),
      open: (privateKey, sealed) =>
        options.pair !== undefined && Redacted.value(privateKey) === Redacted.value(options.pair.privateKey)
          ? Effect.succeed(sealed.slice(0, 32))
          : Effect.fail(new RsaRefusal()),
    }),
    Layer.succeed(Random, {
      source: randomBytes,
      bytes: (length) => Effect.sync(() => randomBytes(length)),
      uuid: Effect.sync(() => crypto.randomUUID()),
    }),
    Layer.succeed(Events, {
      emit: (name, { data }) =>
        Effect.sync(() => {
          story.push(`event ${name}`)
          events.push({ name, data })
        }),
    }),
    Layer.succeed(Locks, { alone: (_, effect) => effect }),
    Layer.succeed(Tabs, {
      post: (channel, message) => Effect.sync(() => void posted.push({ message, targetOrigin: channel })),
      messages: () => Effect.succeed(tabs),
    }),
    Layer.succeed(Navigation, {
      url: Effect.succeed(options.url ?? `${hostOrigin}/`),
      replace: (url) => Effect.sync(() => void (window.replaced = url)),
      redirect: () => Effect.void,
      close: Effect.void,
      hidden: Effect.never,
    }),
    Layer.succeed(Settings, {
      environment: 'DEV',
      hosts: developmentHosts,
      apiKey: 'a key',
      origin: options.origin ?? hostOrigin,
      theme: {},
      mailLook: { brandColor: '#123456' },
      supportedWalletTypes: [{ type: 'EVM' }],
    }),
    SessionStateMemory,
    WalletStateMemory,
    Logger.layer([Logger.make(({ message }) => void logs.push(String(message)))]),
  )

  return {
    layer,
    calls,
    logs,
    events,
    story,
    posted,
    local,
    session,
    shares,
    keys,
    pending,
    popup,
    window,
    says: (message: WindowMessage) => Queue.offerUnsafe(inbox, message),
    tabSays: (message: unknown) => Queue.offerUnsafe(tabs, message),
    /** When the operation was called, in milliseconds of the test clock. */
    times: (operation: OperationId) => calls.filter((call) => call.operation === operation).map(({ at }) => at),
  }
}

export type HostStage = ReturnType<typeof makeHostStage>

/** Runs on the test clock, beginning at 0. */
export const clocked = <A, E, R>(layer: Layer.Layer<R>, effect: Effect.Effect<A, E, R>): Promise<A> =>
  Effect.runPromise(effect.pipe(Effect.provide(layer), Effect.provide(TestClock.layer())))

export const silence = connectionError()
