/**
 * A page of the portal whose every port answers at once and is seen by the test: its calls, the window with which it
 * begins a handshake, and where it redirects. The host that may answer it has the session's keys, or pretends to.
 */
import { p256 } from '@noble/curves/nist.js'
import { bytesToHex, hexToBytes, randomBytes } from '@noble/hashes/utils.js'
import * as Clock from 'effect/Clock'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Queue from 'effect/Queue'
import { expect, vi } from 'vitest'
import type { Portal, PortalState } from '../../adapters/browser/portal.ts'
import { Api } from '../../domain/client/ports/Api.ts'
import { Navigation } from '../../domain/client/ports/Navigation.ts'
import { Opener, type OpenerMessage } from '../../domain/client/ports/Opener.ts'
import { PasswordHash } from '../../domain/client/ports/PasswordHash.ts'
import { Random } from '../../domain/client/ports/Random.ts'
import { Rsa } from '../../domain/client/ports/Rsa.ts'
import { Settings } from '../../domain/client/ports/Settings.ts'
import * as DeviceKey from '../../domain/crypto/DeviceKey.ts'
import * as OpenerMessages from '../../domain/crypto/Opener.ts'
import * as RsaKey from '../../domain/crypto/RsaKey.ts'
import { ApiError } from '../../domain/model/ApiError.ts'
import { developmentHosts } from '../../domain/model/Environment.ts'
import type { OperationId, Success } from '../../generated/handlers.ts'
import { hostOrigin, type Call } from './hostStage.ts'
import { pair, partnerId, portalOrigin, sessionId } from './loginScene.ts'

export const openingId = 'ab0c7a10-1f6e-4c1d-9a44-0d7d8c3b1a09'

const address = (path: string, parameters: Record<string, string>) =>
  `${portalOrigin}${path}?${new URLSearchParams(parameters).toString()}`

/** The address of a password login, as the host builds it. */
export const loginAddress = (encryptionKey: string = pair.publicKey) =>
  address('/web/passwords/login', { apiKey: 'a key', sessionId, encryptionKey })

/** The page's deployment. */
export const pageSettings = Layer.succeed(Settings, {
  environment: 'DEV',
  hosts: developmentHosts,
  apiKey: 'a key',
  origin: portalOrigin,
  theme: {},
  mailLook: {},
  supportedWalletTypes: undefined,
})

/**
 * What the service answers, call by call; the last answer stays. Each is a value, an ApiError that the call fails with, or
 * a function of the call's input that gives one of them.
 */
type Answers = { readonly [Id in OperationId]?: readonly unknown[] }

export const makePageStage = (
  options: {
    readonly url?: string
    readonly opened?: Partial<Success<'createOpening'>>
    readonly opener?: boolean
    readonly answers?: Answers
  } = {},
) => {
  const deviceSecret = p256.utils.randomSecretKey()
  const calls: Call[] = []
  const handshakes: {
    readonly handshake: OpenerMessages.Handshake
    readonly targetOrigin: string
    readonly at: number
  }[] = []
  const said: { readonly message: unknown; readonly targetOrigin: string }[] = []
  const place = { shown: '', redirected: '', isClosed: false }
  const inbox = Effect.runSync(Queue.unbounded<OpenerMessage>())
  const hides = Effect.runSync(Queue.unbounded<void>())

  /** The usual answer of createOpening. */
  const opened = {
    openingId,
    openingSecret: '44'.repeat(32),
    mode: 'opener',
    origin: hostOrigin,
    partner: { id: partnerId, displayName: 'Shop', policiesEnabled: false, supportedAuthMethods: ['PASSWORD'] },
    devicePublicKey: bytesToHex(p256.getPublicKey(deviceSecret, false)),
    loginPublicKey: pair.publicKey,
    returnUrl: `${hostOrigin}/back`,
    ...options.opened,
  }
  const usual: Answers = {
    createOpening: [opened],
    createOpeningToken: [{ sessionLookupId: 'lookup', challenge: '55'.repeat(32), serverTime: 0 }],
    beatOpening: [{}],
    closeOpening: [{}],
    getPasskeyChallenge: [{ challenge: btoa('another challenge') }],
  }
  const answers = new Map<string, readonly unknown[]>(Object.entries({ ...usual, ...options.answers }))

  const layer = Layer.mergeAll(
    Layer.succeed(Api, {
      call: (operation, input) =>
        Effect.flatMap(Clock.currentTimeMillis, (at) => {
          calls.push({ operation, input, at })
          const [next, ...later] = answers.get(operation) ?? []
          if (next === undefined) throw new Error(`unexpected call of ${operation}`)
          if (later.length > 0) answers.set(operation, later)
          const answer: unknown = typeof next === 'function' ? (next as (input: unknown) => unknown)(input) : next
          return answer instanceof ApiError ? Effect.fail(answer) : Effect.succeed(answer as never)
        }),
    }),
    Layer.succeed(Opener, {
      present: Effect.succeed(options.opener ?? true),
      post: (message, targetOrigin) =>
        Effect.map(Clock.currentTimeMillis, (at) => {
          said.push({ message, targetOrigin })
          const handshake = OpenerMessages.readHandshake(message)
          if (handshake !== undefined) handshakes.push({ handshake, targetOrigin, at })
        }),
      messages: Effect.succeed(inbox),
    }),
    Layer.succeed(Navigation, {
      url: Effect.succeed(options.url ?? loginAddress()),
      replace: (url) => Effect.sync(() => void (place.shown = url)),
      redirect: (url) => Effect.sync(() => void (place.redirected = url)),
      close: Effect.sync(() => void (place.isClosed = true)),
      hidden: Queue.take(hides),
    }),
    Layer.succeed(Random, {
      source: randomBytes,
      bytes: (length) => Effect.sync(() => randomBytes(length)),
      uuid: Effect.sync(() => crypto.randomUUID()),
    }),
    Layer.mock(PasswordHash, {}),
    pageSettings,
    // An envelope without encryption: these flows do not depend on it.
    Layer.mock(Rsa, {
      seal: (_, message) => Effect.succeed(new Uint8Array([...message, ...new Uint8Array(224)])),
    }),
  )

  /** A host's answer in the handshake. `as` is what it signs, `says` what it sends. */
  const answerTo = (
    handshake: OpenerMessages.Handshake,
    changes: { readonly as?: Partial<DeviceKey.OpenerProof>; readonly says?: object; readonly by?: Uint8Array } = {},
  ) => {
    const [ticket, hostSecret] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)]
    const message = DeviceKey.openerMessage({
      openingId,
      sessionId,
      portalOrigin,
      page: handshake.page,
      record: handshake.record,
      nonce: hexToBytes(handshake.nonce),
      ticket,
      loginKeyThumbprint: RsaKey.loginKeyThumbprint(pair.publicKey),
      hostSecret,
      ...changes.as,
    })
    return {
      v: 1,
      type: 'tandem.answer',
      openingId,
      ticket: bytesToHex(ticket),
      unsealed: handshake.sealed?.slice(0, 64),
      hostSecret: bytesToHex(hostSecret),
      deviceSignature: bytesToHex(p256.sign(message, changes.by ?? deviceSecret, { prehash: true })),
      ...changes.says,
    }
  }

  const says = (message: Partial<OpenerMessage>) =>
    Queue.offerUnsafe(inbox, { fromOpener: true, origin: hostOrigin, data: undefined, ...message })

  return {
    layer,
    calls,
    handshakes,
    said,
    place,
    opened,
    answerTo,
    says,
    /** The page's opener answers its handshake as the session's own host. */
    proves: async (changes: Parameters<typeof answerTo>[1] = {}) => {
      const { handshake } = await vi.waitFor(() => firstOf(handshakes), patience)
      says({ data: answerTo(handshake, changes) })
    },
    hides: () => Queue.offerUnsafe(hides, undefined),
    answer: (operation: OperationId, ...list: NonNullable<Answers[OperationId]>) => void answers.set(operation, list),
    operations: () => calls.map(({ operation }) => operation),
    inputs: (operation: OperationId) => calls.filter((call) => call.operation === operation).map(({ input }) => input),
  }
}

const patience = { timeout: 10_000, interval: 5 }

const firstOf = <A>([first]: readonly A[]): A => {
  if (first === undefined) throw new Error('the page has not begun a handshake')
  return first
}

/** The page's state, once it has this status. */
export const until = async <S extends PortalState['status']>(portal: Portal, status: S) => {
  await vi.waitFor(() => expect(portal.get().status).toBe(status), patience)
  return portal.get() as Extract<PortalState, { readonly status: S }>
}
