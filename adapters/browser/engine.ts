/**
 * Runs the SDK's flows from the first call on, and watches the page while its session is subscribed to.
 */
import * as Cause from 'effect/Cause'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import type * as Layer from 'effect/Layer'
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
import { isPortalSessionUnderWay } from '../../domain/client/underWay.ts'
import { ApiError, connectionCanceled, connectionError, isSilence } from '../../domain/model/ApiError.ts'
import * as EventNames from '../../domain/model/Events.ts'
import type * as AllFlows from './flows.ts'
import type { Services } from './flows.ts'
import { watchTabs, keepAliveWhileUsed, watchToken } from './pageEvents.ts'
import type { Listeners } from './Listeners.ts'
import { PopupWindow, withOpened } from './Popup.ts'
import { hasReturned } from './returned.ts'
import { makeRuntime, settingsOf, type ParaOptions } from './runtime.ts'
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
  /** Verbs that are changing who is signed in. */
  #entering = 0
  /** Another tab had news meanwhile. */
  #hasMissedNews = false
  #tabMessages = Promise.resolve()
  /** The number of look-ups so far, and of the one that is shown. */
  #looks = 0
  #shown = 0
  #waiting: AbortController | undefined
  /** Ends what goes on around the page. */
  #leave: (() => void) | undefined

  constructor({ environment, apiKey, options, listeners, view, popups = PopupWindow }: Parts) {
    this.#runtime = makeRuntime(settingsOf(environment, apiKey, options), options, listeners, popups)
    this.#view = view
  }

  /** Runs a verb's flow. `opened`: the window that the click opened for it, `null` where the browser opened none. */
  run<Name extends VerbName>(
    name: Name,
    input: InputOf<Name>,
    call: CallOptions = {},
    opened?: Window | null,
  ): Promise<ResultOf<Name>> {
    const verb: Verb = verbs[name]
    if (verb.ends === true) this.#waiting?.abort()
    const flow = withFlows(({ flows }) => flows[name](...input))
    return this.#finish(opened === undefined ? flow : withOpened(opened, flow), call, verb)
  }

  async dispose(): Promise<void> {
    this.#leave?.()
    this.#waiting?.abort()
    await this.#runtime.dispose()
  }

  /** From the first subscriber on: a redirect's result, other tabs, and the person's activity. */
  start(): void {
    if (this.#leave !== undefined) return
    const listening = new AbortController()
    const onTabMessage = (news: TabNews['type']) => this.#onTabMessage(news)
    void this.#quietly(watchTabs(onTabMessage), listening.signal)
    const stops = [
      () => listening.abort(),
      watchToken(onTabMessage),
      keepAliveWhileUsed(() => {
        if (this.#view.get().userId !== undefined) void this.#quietly(keepSessionAlive())
      }),
    ]
    this.#leave = () => {
      for (const stop of stops) stop()
    }
    void this.#begin()
  }

  /** Throws a flow's failure as it is; a cancelled flow fails with 'Connection canceled'. */
  async #finish<A, E>(flow: Effect.Effect<A, E, Services>, call: CallOptions, verb: Verb): Promise<A> {
    const { signal, onProgress } = call
    const told = onProgress === undefined ? flow : Effect.provideService(flow, Progress, onProgress)
    if (verb.entering === true) {
      this.#entering += 1
      // The protocols' code is loaded while the person is at the portal.
      void this.#quietly(Effect.flatMap(Mpc, ({ prepare }) => prepare))
    }
    const exit = await this.#runtime.runPromiseExit(told, signal === undefined ? {} : { signal })
    if (verb.entering === true) this.#entering -= 1
    if (this.#entering === 0 && this.#hasMissedNews) {
      this.#hasMissedNews = false
      await this.#quietly(refreshSession())
    }
    if (Exit.isSuccess(exit)) {
      await this.#show()
      return exit.value
    }
    const isCancelled = signal?.aborted === true && Cause.hasInterruptsOnly(exit.cause)
    const error = isCancelled ? connectionCanceled() : Cause.squash(exit.cause)
    // The session has ended without this page's knowledge.
    if (error instanceof ApiError && error.status === 401) await this.#quietly(refreshSession())
    await this.#show()
    if (!isCancelled && verb.tracked !== undefined) void this.#quietly(reportFailure(verb.tracked, error))
    throw error
  }

  /** Background work: its failure is logged and changes nothing for the caller. */
  async #quietly(flow: Effect.Effect<unknown, unknown, Services>, signal?: AbortSignal): Promise<void> {
    const logged = Effect.catchCause(flow, (cause) => Effect.logDebug('work in the background failed', cause))
    await this.#runtime.runPromiseExit(logged, signal === undefined ? {} : { signal })
  }

  /** Shows the session, unless a later look-up was shown already. */
  async #show(): Promise<void> {
    if (this.#entering > 0) return
    this.#looks += 1
    const look = this.#looks
    const exit = await this.#runtime.runPromiseExit(Effect.andThen(Effect.ignore(ensureSession()), sessionSnapshot))
    if (Exit.isFailure(exit) || look < this.#shown) return
    this.#shown = look
    this.#view.show(exit.value)
  }

  /** While the page is offline the look-up is repeated until there is an answer. */
  async #begin(): Promise<void> {
    if (hasReturned()) await this.#quietly(withFlows((flows) => flows.resumeFromRedirect()))
    await this.#quietly(Effect.retry(refreshSession(), { schedule: Schedule.spaced('2 seconds'), while: isSilence }))
    await this.#show()
    this.#waiting = new AbortController()
    const { signal } = this.#waiting
    const wait = Effect.flatMap(isPortalSessionUnderWay, (isUnderWay) =>
      isUnderWay ? withFlows((flows) => flows.awaitPortalSession()) : Effect.void,
    )
    await this.#quietly(wait, signal)
    const isSignedIn = ['ready', 'locked'].includes(this.#view.get().status)
    const resumeWallets = withFlows((flows) => flows.resumeWallets())
    if (isSignedIn && !signal.aborted) await this.#quietly(resumeWallets, signal)
    if (signal.aborted) return
    this.#waiting = undefined
    await this.#show()
  }

  /** Handles news one after the other, so that the last one decides. */
  #onTabMessage(news: TabNews['type']): void {
    this.#tabMessages = this.#tabMessages.finally(() => this.#handleTabMessage(news))
  }

  async #handleTabMessage(news: TabNews['type']): Promise<void> {
    // A tab that is logging in has a session of its own; it looks for news when it is done.
    if (this.#entering > 0) {
      this.#hasMissedNews = true
      return
    }
    // This tab's own unfinished login is dropped for the session of the other tab.
    if (news === 'signed-in' && this.#waiting === undefined) await this.#quietly(leaveTabSession)
    await this.#quietly(refreshSession())
    const before = this.#view.get().userId
    await this.#show()
    const isGone = news === 'signed-out' && before !== undefined && this.#view.get().userId === undefined
    if (isGone) await this.#quietly(Effect.flatMap(Events, ({ emit }) => emit(EventNames.logout, { data: null })))
  }
}

/** The flows' code is loaded with the first of them. A failure to fetch it counts as no answer. */
const withFlows = <A, E, R>(use: (flows: typeof AllFlows) => Effect.Effect<A, E, R>) =>
  Effect.flatMap(Effect.tryPromise({ try: () => import('./flows.ts'), catch: () => connectionError() }), use)
