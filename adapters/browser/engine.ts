/**
 * What runs the SDK's flows from the first call on, and keeps an eye on the page while somebody looks at its session.
 */
import * as Cause from 'effect/Cause'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import type * as Layer from 'effect/Layer'
import type * as ManagedRuntime from 'effect/ManagedRuntime'
import * as Schedule from 'effect/Schedule'
import { keepSessionAlive } from '../../domain/client/keepSessionAlive.ts'
import { lookAgain, lookOnce } from '../../domain/client/lookAgain.ts'
import { Events } from '../../domain/client/ports/Events.ts'
import { Mpc } from '../../domain/client/ports/Mpc.ts'
import type { Popup } from '../../domain/client/ports/Popup.ts'
import { Progress, type Step } from '../../domain/client/ports/Progress.ts'
import { reportFailure } from '../../domain/client/reportFailure.ts'
import { sessionSnapshot } from '../../domain/client/sessionSnapshot.ts'
import { leaveTabSession } from '../../domain/client/sessionToken.ts'
import type { TabNews } from '../../domain/client/tabNews.ts'
import { touch } from '../../domain/client/touch.ts'
import { isVisitUnderWay } from '../../domain/client/underWay.ts'
import { listWallets } from '../../domain/client/wallets.ts'
import { ApiError, connectionCanceled, connectionError, isSilence } from '../../domain/model/ApiError.ts'
import type { TrackedMethod } from '../../domain/model/Diagnostics.ts'
import * as EventNames from '../../domain/model/Events.ts'
import type { Wallet } from '../../domain/model/Wallet.ts'
import { hearTabs, keepAliveWhileUsed, watchToken } from './attendance.ts'
import type { Listeners } from './Listeners.ts'
import { PopupWindow } from './Popup.ts'
import { hasReturned } from './returned.ts'
import { makeRuntime, settingsOf, type ParaOptions } from './runtime.ts'
import type { SessionView } from './SessionView.ts'
import type * as AllVerbs from './verbs.ts'

export type Verbs = typeof AllVerbs

export type Services = ManagedRuntime.ManagedRuntime.Services<ReturnType<typeof makeRuntime>>

/** What a verb is beside its flow. */
export type Verb = {
  /** Its failures are told to the operator outside production (spec §8). */
  readonly tracked?: TrackedMethod
  /** It ends the wait for what an earlier page load began at the portal. */
  readonly ends?: boolean
  /** It changes who is signed in: that is shown when it is over, and not while it goes on. */
  readonly entering?: boolean
}

type Call = { readonly signal?: AbortSignal; readonly onProgress?: (step: Step) => void }

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
  #hearing = Promise.resolve()
  /** Looks at the session so far, and the one that is shown. */
  #looks = 0
  #shown = 0
  #waiting: AbortController | undefined
  /** Ends what goes on around the page. */
  #leave: (() => void) | undefined

  constructor({ environment, apiKey, options, listeners, view, popups = PopupWindow }: Parts) {
    this.#runtime = makeRuntime(settingsOf(environment, apiKey, options), options, listeners, popups)
    this.#view = view
  }

  /** Runs a flow of the verbs, which are loaded now if they are not there yet. */
  run<A, E>(use: (verbs: Verbs) => Effect.Effect<A, E, Services>, call?: Call, verb: Verb = {}): Promise<A> {
    if (verb.ends === true) this.#waiting?.abort()
    return this.#finish(withVerbs(use), call, verb)
  }

  async isSessionActive(call?: Call): Promise<boolean> {
    return (await this.#finish(touch(false), call)).isAuthenticated
  }

  keepSessionAlive(call?: Call): Promise<boolean> {
    return this.#finish(keepSessionAlive(), call)
  }

  getWallets(call?: Call): Promise<readonly Wallet[]> {
    return this.#finish(listWallets(), call)
  }

  async dispose(): Promise<void> {
    this.#leave?.()
    this.#waiting?.abort()
    await this.#runtime.dispose()
  }

  /** From the first who looks at the session on: what comes back, other tabs, and whoever is at work. */
  attend(): void {
    if (this.#leave !== undefined) return
    const listening = new AbortController()
    const hear = (news: TabNews['type']) => this.#hear(news)
    void this.#quietly(hearTabs(hear), listening.signal)
    const stops = [
      () => listening.abort(),
      watchToken(hear),
      keepAliveWhileUsed(() => {
        if (this.#view.get().userId !== undefined) void this.#quietly(keepSessionAlive())
      }),
    ]
    this.#leave = () => {
      for (const stop of stops) stop()
    }
    void this.#begin()
  }

  /** What a flow fails with is thrown as it is; a cancelled one is 'Connection canceled' (spec §8). */
  async #finish<A, E>(flow: Effect.Effect<A, E, Services>, call: Call = {}, verb: Verb = {}): Promise<A> {
    const { signal, onProgress } = call
    const told = onProgress === undefined ? flow : Effect.provideService(flow, Progress, onProgress)
    if (verb.entering === true) {
      this.#entering += 1
      // The person is at the portal: what makes the keys is there when it is needed.
      void this.#quietly(Effect.flatMap(Mpc, ({ prepare }) => prepare))
    }
    const exit = await this.#runtime.runPromiseExit(told, signal === undefined ? {} : { signal })
    if (verb.entering === true) this.#entering -= 1
    if (this.#entering === 0 && this.#hasMissedNews) {
      this.#hasMissedNews = false
      await this.#quietly(lookAgain())
    }
    if (Exit.isSuccess(exit)) {
      await this.#show()
      return exit.value
    }
    const isCancelled = signal?.aborted === true && Cause.hasInterruptsOnly(exit.cause)
    const error = isCancelled ? connectionCanceled() : Cause.squash(exit.cause)
    // The session is over although this page believed in it.
    if (error instanceof ApiError && error.status === 401) await this.#quietly(lookAgain())
    await this.#show()
    if (!isCancelled && verb.tracked !== undefined) void this.#quietly(reportFailure(verb.tracked, error))
    throw error
  }

  /** Work that nobody waits for, and whose failure changes nothing for him who caused it. */
  async #quietly(flow: Effect.Effect<unknown, unknown, Services>, signal?: AbortSignal): Promise<void> {
    const logged = Effect.catchCause(flow, (cause) => Effect.logDebug('work in the background failed', cause))
    await this.#runtime.runPromiseExit(logged, signal === undefined ? {} : { signal })
  }

  /** A look that took longer than a later one is not news any more. */
  async #show(): Promise<void> {
    if (this.#entering > 0) return
    this.#looks += 1
    const look = this.#looks
    const exit = await this.#runtime.runPromiseExit(Effect.andThen(Effect.ignore(lookOnce()), sessionSnapshot))
    if (Exit.isFailure(exit) || look < this.#shown) return
    this.#shown = look
    this.#view.show(exit.value)
  }

  /** Whoever is offline is asked again until there is an answer. */
  async #begin(): Promise<void> {
    if (hasReturned()) await this.#quietly(withVerbs((verbs) => verbs.arrive()))
    await this.#quietly(Effect.retry(lookAgain(), { schedule: Schedule.spaced('2 seconds'), while: isSilence }))
    await this.#show()
    this.#waiting = new AbortController()
    const { signal } = this.#waiting
    const wait = Effect.flatMap(isVisitUnderWay, (isUnderWay) =>
      isUnderWay ? withVerbs((verbs) => verbs.awaitVisit()) : Effect.void,
    )
    await this.#quietly(wait, signal)
    const isSignedIn = ['ready', 'locked'].includes(this.#view.get().status)
    if (isSignedIn && !signal.aborted) await this.#quietly(withVerbs((verbs) => verbs.resumeWallets()), signal)
    if (signal.aborted) return
    this.#waiting = undefined
    await this.#show()
  }

  /** One word after the other: the answer to the last one is what stands. */
  #hear(news: TabNews['type']): void {
    this.#hearing = this.#hearing.finally(() => this.#attendTo(news))
  }

  async #attendTo(news: TabNews['type']): Promise<void> {
    // A tab that is logging in has a session of its own, and hears the others itself.
    if (this.#entering > 0) {
      this.#hasMissedNews = true
      return
    }
    // Nobody goes on with what this tab had begun on its own.
    if (news === 'signed-in' && this.#waiting === undefined) await this.#quietly(leaveTabSession)
    await this.#quietly(lookAgain())
    const before = this.#view.get().userId
    await this.#show()
    const isGone = news === 'signed-out' && before !== undefined && this.#view.get().userId === undefined
    if (isGone) await this.#quietly(Effect.flatMap(Events, ({ emit }) => emit(EventNames.logout, { data: null })))
  }
}

/** Code that cannot be fetched is an answer that did not come. */
const withVerbs = <A, E, R>(use: (verbs: Verbs) => Effect.Effect<A, E, R>) =>
  Effect.flatMap(Effect.tryPromise({ try: () => import('./verbs.ts'), catch: () => connectionError() }), use)
