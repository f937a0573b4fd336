/**
 * Runs the SDK's flows from the first call on, and watches the page while its session is subscribed to.
 */
import * as Cause from 'effect/Cause'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import * as Fiber from 'effect/Fiber'
import * as Latch from 'effect/Latch'
import type * as Layer from 'effect/Layer'
import * as Queue from 'effect/Queue'
import * as Schedule from 'effect/Schedule'
import { refreshSession, ensureSession } from '../../domain/client/refreshSession.ts'
import { Events } from '../../domain/client/ports/Events.ts'
import { Mpc } from '../../domain/client/ports/Mpc.ts'
import type { Popup } from '../../domain/client/ports/Popup.ts'
import { Progress } from '../../domain/client/ports/Progress.ts'
import { reportFailure } from '../../domain/client/reportFailure.ts'
import { sessionSnapshot } from '../../domain/client/sessionSnapshot.ts'
import { leaveTabSession } from '../../domain/client/sessionToken.ts'
import type { TabNews } from '../../domain/client/tabNews.ts'
import { keepSessionAlive } from '../../domain/client/touch.ts'
import { hasUnfinishedWallets, isPortalSessionUnderWay } from '../../domain/client/unfinished.ts'
import { ApiError, connectionCanceled, connectionError, fromCause, isSilence } from '../../domain/model/ApiError.ts'
import * as EventNames from '../../domain/model/Events.ts'
import { retryTimeoutMs } from '../../domain/model/Limits.ts'
import { flowsOf, loadPortal, loadWallets, type Services } from './flows.ts'
import { watchTabs, keepAliveWhileUsed, watchToken } from './pageEvents.ts'
import type { Listeners } from './Listeners.ts'
import { PopupWindow, withOpened } from './Popup.ts'
import { hasReturned } from './returned.ts'
import { makeRuntime, settingsOf, type ParaOptions } from './runtime.ts'
import { withCode } from './SdkError.ts'
import { StorageFailed } from './StorageFailed.ts'
import type { SessionView } from './SessionView.ts'
import { verbs, type CallOptions, type InputOf, type ResultOf, type Verb, type VerbName } from './verbs.ts'

type Parts = {
  readonly environment: string
  readonly apiKey: string | undefined
  readonly options: ParaOptions
  readonly listeners: Listeners
  readonly view: SessionView
  readonly popups: Layer.Layer<Popup> | undefined
}

export class Engine {
  readonly #runtime: ReturnType<typeof makeRuntime>
  readonly #view: SessionView
  /** Verbs that are changing who is signed in, and the latch that is open while there are none. */
  #entering = 0
  readonly #settled = Latch.makeUnsafe(true)
  /** The number of look-ups so far, and of the one that is shown: a late answer shows nothing older. */
  #looks = 0
  #shown = 0
  /** The wait for what an earlier page load began at the portal. */
  #waiting: Fiber.Fiber<void> | undefined
  /** What goes on around the page. */
  #page: Fiber.Fiber<void> | undefined

  constructor({ environment, apiKey, options, listeners, view, popups = PopupWindow }: Parts) {
    this.#runtime = makeRuntime(settingsOf(environment, apiKey, options), options, listeners, popups)
    this.#view = view
  }

  /**
   * Runs a verb's flow and throws its failure as it is; a flow that was ended fails with the signal's reason. `opened`: the
   * window that the click opened for it, `null` where the browser opened none.
   */
  async run<Name extends VerbName>(
    name: Name,
    input: InputOf<Name>,
    { signal, onProgress }: CallOptions = {},
    opened?: Window | null,
  ): Promise<ResultOf<Name>> {
    const { ends, entering, tracked }: Verb = verbs[name]
    if (ends === true) this.#waiting?.interruptUnsafe()
    const flow = loaded(flowsOf[name], ({ flows }) => flows[name](...input)).pipe(
      (verb) => (opened === undefined ? verb : withOpened(opened, verb)),
      (verb) => (onProgress === undefined ? verb : Effect.provideService(verb, Progress, onProgress)),
      (verb) => (entering === true ? this.#whileEntering(verb) : verb),
    )
    const exit = await this.#runtime.runPromiseExit(flow, signal === undefined ? {} : { signal })
    if (Exit.isSuccess(exit)) {
      await this.#runtime.runPromise(this.#show)
      return exit.value
    }
    const error = errorOf(exit.cause, signal)
    const isCancelled = error instanceof ApiError && error.message === connectionCanceled().message
    // The session has ended without this page's knowledge.
    const isOver = error instanceof ApiError && error.status === 401
    const look = Effect.andThen(isOver ? quietly(inTime(refreshSession())) : Effect.void, this.#show)
    // The page that has ended its call does not wait for the service.
    if (signal?.aborted === true) this.#runtime.runFork(look)
    else await this.#runtime.runPromise(look)
    if (!isCancelled && tracked !== undefined) this.#runtime.runFork(quietly(inTime(reportFailure(tracked, error))))
    throw error
  }

  async dispose(): Promise<void> {
    this.#page?.interruptUnsafe()
    await this.#runtime.dispose()
  }

  /** From the first subscriber on: a redirect's result, other tabs, and the person's activity. */
  start(): void {
    this.#page ??= this.#runtime.runFork(
      Effect.scoped(
        Effect.gen({ self: this }, function* () {
          const news = yield* Queue.unbounded<TabNews['type']>()
          yield* Effect.forkScoped(quietly(watchTabs((heard) => Queue.offerUnsafe(news, heard))))
          yield* during(watchToken((heard) => Queue.offerUnsafe(news, heard)))
          yield* during(
            keepAliveWhileUsed(() => {
              if (this.#view.get().userId !== undefined) this.#runtime.runFork(quietly(keepSessionAlive()))
            }),
          )
          yield* Effect.forkScoped(this.#begin)
          // One after the other, so that the last one decides.
          return yield* Effect.forever(Effect.flatMap(Queue.take(news), (heard) => this.#onTabMessage(heard)))
        }),
      ),
    )
  }

  /** The protocols' code is loaded while the person is at the portal. */
  #whileEntering<A, E>(verb: Effect.Effect<A, E, Services>): Effect.Effect<A, E, Services> {
    const begin = Effect.gen({ self: this }, function* () {
      this.#entering += 1
      this.#settled.closeUnsafe()
      yield* Effect.forkDetach(quietly(Effect.flatMap(Mpc, ({ prepare }) => prepare)))
    })
    const end = Effect.sync(() => {
      this.#entering -= 1
      if (this.#entering === 0) this.#settled.openUnsafe()
    })
    return Effect.acquireUseRelease(
      begin,
      () => verb,
      () => end,
    )
  }

  /** Shows the session. A verb that changes who is signed in shows it when it is over. */
  get #show(): Effect.Effect<void, never, Services> {
    const look = Effect.gen({ self: this }, function* () {
      if (this.#entering > 0) return
      this.#looks += 1
      const number = this.#looks
      yield* Effect.ignore(inTime(ensureSession()))
      const snapshot = yield* sessionSnapshot
      if (number < this.#shown) return
      this.#shown = number
      this.#view.show(snapshot)
    })
    return quietly(look)
  }

  /** While the page is offline the look-up is repeated until there is an answer. */
  get #begin(): Effect.Effect<void, never, Services> {
    return Effect.gen({ self: this }, function* () {
      if (hasReturned()) yield* quietly(loaded(loadPortal, ({ resumeFromRedirect }) => resumeFromRedirect()))
      yield* quietly(Effect.retry(refreshSession(), { schedule: Schedule.spaced('2 seconds'), while: isSilence }))
      yield* this.#show
      this.#waiting = yield* Effect.forkChild(this.#awaitPortalSession)
      yield* Fiber.await(this.#waiting)
      this.#waiting = undefined
    })
  }

  get #awaitPortalSession(): Effect.Effect<void, never, Services> {
    return Effect.gen({ self: this }, function* () {
      if (yield* isPortalSessionUnderWay)
        yield* quietly(loaded(loadPortal, ({ awaitPortalSession }) => awaitPortalSession()))
      const isSignedIn = ['ready', 'locked'].includes(this.#view.get().status)
      const resumed = loaded(loadWallets, ({ resumeWallets }) => resumeWallets())
      if (isSignedIn) yield* quietly(Effect.flatMap(hasUnfinishedWallets, (is) => (is ? resumed : Effect.void)))
      yield* this.#show
    })
  }

  #onTabMessage(news: TabNews['type']): Effect.Effect<void, never, Services> {
    return Effect.gen({ self: this }, function* () {
      // A tab that is logging in has a session of its own; it looks for news when it is done.
      const hasOwnSession = this.#entering > 0
      yield* this.#settled.await
      // This tab's own unfinished login is dropped for the session of the other tab.
      if (!hasOwnSession && news === 'signed-in' && this.#waiting === undefined) yield* quietly(leaveTabSession)
      yield* quietly(refreshSession())
      const before = this.#view.get().userId
      yield* this.#show
      const isGone = news === 'signed-out' && before !== undefined && this.#view.get().userId === undefined
      if (isGone) yield* quietly(Effect.flatMap(Events, ({ emit }) => emit(EventNames.logout, { data: null })))
    })
  }
}

/** Work in the background: its failure is logged and changes nothing for the caller. */
const quietly = <R>(flow: Effect.Effect<unknown, unknown, R>): Effect.Effect<void, never, R> =>
  Effect.asVoid(Effect.catchCause(flow, (cause) => Effect.logDebug('work in the background failed', cause)))

/** What ended a flow from outside, or its failure. A defect has no code of its own, unless the browser's storage failed. */
const errorOf = (cause: Cause.Cause<unknown>, signal: AbortSignal | undefined): Error => {
  if (Cause.hasInterruptsOnly(cause)) return asError(signal?.reason ?? connectionCanceled())
  const error = asError(Cause.squash(cause))
  const isDefect = !cause.reasons.some(Cause.isFailReason) && !(error instanceof StorageFailed)
  return isDefect ? withCode(error, 'UnknownError') : error
}

const asError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : fromCause(thrown))

/** A service that does not answer holds no call up. */
const inTime = <A, E, R>(request: Effect.Effect<A, E, R>) => Effect.timeout(request, retryTimeoutMs)

/** Until the scope is closed. */
const during = (stop: () => void) => Effect.addFinalizer(() => Effect.sync(stop))

/** A failure to fetch a flow's code counts as no answer. */
const loaded = <Code, A, E, R>(load: () => Promise<Code>, use: (code: Code) => Effect.Effect<A, E, R>) =>
  Effect.flatMap(Effect.tryPromise({ try: load, catch: () => connectionError() }), use)
