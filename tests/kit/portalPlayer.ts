/**
 * A browser's two windows in memory, and a person in front of the second: the host's popup runs the portal's own logic,
 * and the person types a password or takes a passkey. Messages obey the platform's rules: they are cloned, they reach only a window of
 * their target origin, and they carry the window that they come from.
 */
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Queue from 'effect/Queue'
import * as Redacted from 'effect/Redacted'
import * as Ref from 'effect/Ref'
import type * as Scope from 'effect/Scope'
import { ApiHttp } from '../../adapters/browser/Api.ts'
import { DeviceKeysWebCrypto } from '../../adapters/browser/DeviceKeys.ts'
import { RandomWebCrypto } from '../../adapters/browser/Random.ts'
import { RsaWebCrypto } from '../../adapters/browser/Rsa.ts'
import { StorageMemory } from '../../adapters/browser/Storage.ts'
import { originOf } from '../../domain/model/Url.ts'
import { exportWithPassword, type PrivateKey } from '../../domain/client/portal/exportPrivateKey.ts'
import { loginWithPasskey } from '../../domain/client/portal/loginWithPasskey.ts'
import { loginWithPassword } from '../../domain/client/portal/loginWithPassword.ts'
import type { PortalSession } from '../../domain/client/portal/portalSession.ts'
import { acceptReview, acceptWithPassword, loadReview, type Review } from '../../domain/client/portal/review.ts'
import type { Api } from '../../domain/client/ports/Api.ts'
import { Navigation } from '../../domain/client/ports/Navigation.ts'
import { Opener, type OpenerMessage } from '../../domain/client/ports/Opener.ts'
import type { Passkeys } from '../../domain/client/ports/Passkeys.ts'
import type { PasswordHash } from '../../domain/client/ports/PasswordHash.ts'
import { Popup, type OpenPopup, type WindowMessage } from '../../domain/client/ports/Popup.ts'
import type { Random } from '../../domain/client/ports/Random.ts'
import type { Rsa, SeededRsa } from '../../domain/client/ports/Rsa.ts'
import { Settings } from '../../domain/client/ports/Settings.ts'
import { SessionStateMemory } from '../../domain/client/SessionState.ts'
import type { Environment, Hosts } from '../../domain/model/Environment.ts'
import { createPasskey, createPassword, openPage } from './pageFlows.ts'
import { noPasskeys } from './passkeyDevice.ts'

/** What a page of the portal works with, apart from its windows. */
export type PageServices = Api | Rsa | PasswordHash | Random | Passkeys | SeededRsa | Settings

/** The play of a page from its load. It ends when the page has finished. */
export type Play = Effect.Effect<unknown, unknown, PageServices | Opener | Navigation | Scope.Scope>

/** One browser with a host page at `hostOrigin`; `page` builds what a portal page at this address works with. */
export type Browser = {
  readonly hostOrigin: string
  readonly page: (url: string) => Layer.Layer<PageServices>
  readonly play: Play
  /** Where a page goes that has lost its opener. Pages have theirs unless this is said. */
  readonly returns?: ((url: string) => Effect.Effect<void>) | undefined
}

/** The host's Popup port, whose popups are played. */
export const playedPopups = (browser: Browser): Layer.Layer<Popup> =>
  Layer.effect(
    Popup,
    Effect.gen(function* () {
      const scope = yield* Effect.scope
      const toHost = makeHub<WindowMessage>()
      return Popup.of({
        open: () => makeWindow(browser, toHost, scope),
        messages: toHost.subscribe,
      })
    }),
  )

/** What a person does on the page of a review. */
type Reviewing = (
  portalSession: PortalSession,
  password: string,
) => Effect.Effect<unknown, unknown, PageServices | Opener | Navigation | Scope.Scope>

const acceptWhatIsShown: Reviewing = (portalSession, password) =>
  Effect.flatMap(loadReview(portalSession), (review) =>
    typeof review === 'string' ? Effect.void : acceptWith(portalSession, review, password),
  )

/** With the password where the review asks for it. */
export const acceptWith = (portalSession: PortalSession, review: Review, password: string) =>
  review.stepUp
    ? acceptWithPassword(portalSession, review, Redacted.make(password))
    : acceptReview(portalSession, review)

/** A person who knows one password, has one device, and follows every page. `shown`: told of the key that an export shows. */
export const personWith = (
  password: string,
  reviewing = acceptWhatIsShown,
  shown: (walletId: string, key: PrivateKey) => void = () => undefined,
): Play =>
  Effect.gen(function* () {
    const begun = yield* openPage()
    const portalSession = begun.kind === 'entered' ? begun.portalSession : yield* begun.proceed
    switch (portalSession.page) {
      case 'create-password':
        return yield* createPassword(portalSession, password)
      case 'create-passkey':
        return yield* createPasskey(portalSession)
      case 'login-passkey':
        return yield* loginWithPasskey(portalSession)
      case 'export':
        return yield* Effect.map(exportWithPassword(portalSession, Redacted.make(password)), (key) =>
          shown(portalSession.record ?? '', key),
        )
      case 'review':
        return yield* reviewing(portalSession, password)
      default:
        return yield* loginWithPassword(portalSession, Redacted.make(password))
    }
  })

/** Closes the window as soon as the page has begun. */
export const personWhoLeaves: Play = Effect.gen(function* () {
  yield* openPage()
  yield* (yield* Navigation).close
})

/** The portal against a real service, over HTTP: what the smoke run and end-to-end tests give to the host. */
export const portalPlayer = (options: {
  readonly environment: Environment
  readonly hosts: Hosts
  readonly hostOrigin: string
  readonly password: string
  readonly passwordHash: Layer.Layer<PasswordHash>
}): Layer.Layer<Popup> =>
  playedPopups({
    hostOrigin: options.hostOrigin,
    play: personWith(options.password),
    page: (url) => {
      const settings = Layer.succeed(Settings, {
        environment: options.environment,
        hosts: options.hosts,
        apiKey: new URL(url).searchParams.get('apiKey') ?? undefined,
        origin: originOf(url),
        theme: {},
        mailLook: {},
        supportedWalletTypes: undefined,
      })
      const memory = DeviceKeysWebCrypto.pipe(
        Layer.provideMerge(Layer.mergeAll(StorageMemory, SessionStateMemory, settings)),
      )
      const api = Layer.provide(ApiHttp(), memory)
      return Layer.mergeAll(RsaWebCrypto, options.passwordHash, RandomWebCrypto, noPasskeys, settings, api)
    },
  })

const makeWindow = Effect.fn('kit.window')(function* (
  browser: Browser,
  toHost: Hub<WindowMessage>,
  scope: Scope.Scope,
) {
  const address = yield* Ref.make('')
  const isClosed = yield* Ref.make(false)
  const toPage = makeHub<OpenerMessage>()
  const hides = makeHub<void>()
  const hidden = Effect.scoped(Effect.flatMap(hides.subscribe, Queue.take))
  const close = Effect.andThen(Ref.set(isClosed, true), hides.publish())

  const popup: OpenPopup = {
    closed: Ref.get(isClosed),
    close,
    post: (message, targetOrigin) =>
      Effect.gen(function* () {
        if (targetOrigin !== originOf(yield* Ref.get(address))) return
        const data: unknown = structuredClone(message)
        yield* toPage.publish({ fromOpener: true, origin: browser.hostOrigin, data })
      }),
    navigate: (url) =>
      Effect.gen(function* () {
        yield* Ref.set(address, url)
        const windows = Layer.mergeAll(openerOf(url), navigationOf(url))
        const page = Effect.scoped(Effect.andThen(played(browser.play, close), Effect.never)).pipe(
          Effect.provide([browser.page(url), windows]),
        )
        // A closed page has a moment for its last call, like a beacon.
        yield* Effect.forkIn(Effect.raceFirst(page, Effect.andThen(hidden, Effect.sleep('100 millis'))), scope)
      }),
  }

  const openerOf = (url: string) =>
    Layer.succeed(Opener, {
      present: Effect.succeed(browser.returns === undefined),
      post: (message, targetOrigin) =>
        Effect.gen(function* () {
          if (targetOrigin !== browser.hostOrigin) return
          const data: unknown = structuredClone(message)
          yield* toHost.publish({ source: popup, origin: originOf(url), data })
        }),
      messages: toPage.subscribe,
    })
  const navigationOf = (url: string) =>
    Layer.succeed(Navigation, {
      url: Effect.succeed(url),
      replace: () => Effect.void,
      redirect: browser.returns ?? (() => close),
      close,
      hidden,
    })
  return popup
})

/** A page stays until its window is closed. The person closes a page that failed. */
const played = (play: Play, close: Effect.Effect<void>) =>
  Effect.catchCause(play, (cause) => Effect.andThen(Effect.logDebug('a played page failed', cause), close))

/** A listener gets every message from then on. */
type Hub<A> = {
  readonly publish: (message: A) => Effect.Effect<void>
  readonly subscribe: Effect.Effect<Queue.Queue<A>, never, Scope.Scope>
}

const makeHub = <A>(): Hub<A> => {
  const queues = new Set<Queue.Queue<A>>()
  return {
    publish: (message) => Effect.sync(() => queues.forEach((queue) => Queue.offerUnsafe(queue, message))),
    subscribe: Effect.acquireRelease(
      Effect.tap(Queue.unbounded<A>(), (queue) => Effect.sync(() => queues.add(queue))),
      (queue) => Effect.sync(() => queues.delete(queue)),
    ),
  }
}
