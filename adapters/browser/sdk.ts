/**
 * The SDK for web apps and servers: the spec's verbs as promises (spec §7, design 6). Nothing is touched before the first
 * call, neither window nor storage nor network, so that it can be imported and constructed by any server renderer.
 */
import * as Cause from 'effect/Cause'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import type * as Layer from 'effect/Layer'
import type * as ManagedRuntime from 'effect/ManagedRuntime'
import * as Option from 'effect/Option'
import * as Schedule from 'effect/Schedule'
import type { Entered, Resumed } from '../../domain/client/arrive.ts'
import type { NewWallet } from '../../domain/client/createWallet.ts'
import { keepSessionAlive } from '../../domain/client/keepSessionAlive.ts'
import type { Login } from '../../domain/client/login.ts'
import type { Logout } from '../../domain/client/logout.ts'
import { lookAgain, lookOnce } from '../../domain/client/lookAgain.ts'
import { openWindow, type Opened } from '../../domain/client/openWindow.ts'
import type { Popup } from '../../domain/client/ports/Popup.ts'
import { Progress, type Step } from '../../domain/client/ports/Progress.ts'
import { reportFailure } from '../../domain/client/reportFailure.ts'
import { sessionSnapshot } from '../../domain/client/sessionSnapshot.ts'
import type { AccountSetup } from '../../domain/client/setUpAccount.ts'
import { tellTabs, type TabNews } from '../../domain/client/tabNews.ts'
import { touch } from '../../domain/client/touch.ts'
import { isVisitUnderWay } from '../../domain/client/underWay.ts'
import { listWallets } from '../../domain/client/wallets.ts'
import { ApiError, connectionCanceled, connectionError } from '../../domain/model/ApiError.ts'
import type { AuthMethod } from '../../domain/model/Credential.ts'
import type { TrackedMethod } from '../../domain/model/Diagnostics.ts'
import * as EventNames from '../../domain/model/Events.ts'
import type { Detail, Name } from '../../domain/model/Events.ts'
import type { KeyGeneration } from '../../domain/model/KeyShare.ts'
import type { Kind } from '../../domain/model/Popup.ts'
import type { Wallet } from '../../domain/model/Wallet.ts'
import { keepAliveWhileUsed, listenToTabs } from './attendance.ts'
import { Listeners } from './Events.ts'
import type * as Flows from './flows.ts'
import { PopupWindow } from './Popup.ts'
import { makeRuntime, settingsOf, type ParaOptions } from './runtime.ts'
import { SessionView, type SessionSource } from './SessionView.ts'
import type {
  MessageSignature,
  SentTransaction,
  SignMessageInput,
  TransactionInput,
  TransactionSignature,
} from './signatures.ts'

export type { StorageOverride } from './Storage.ts'
export type { ParaOptions } from './runtime.ts'
export type { SessionSource } from './SessionView.ts'
export type {
  MessageSignature,
  SentTransaction,
  SignMessageInput,
  TransactionInput,
  TransactionSignature,
} from './signatures.ts'
export type { Entered, Resumed } from '../../domain/client/arrive.ts'
export type { Login, LoggedIn } from '../../domain/client/login.ts'
export type { Step } from '../../domain/client/ports/Progress.ts'
export type { SessionSnapshot } from '../../domain/client/sessionSnapshot.ts'
export type { AccountSetup } from '../../domain/client/setUpAccount.ts'
export type { KeyGeneration } from '../../domain/model/KeyShare.ts'
export type { Wallet } from '../../domain/model/Wallet.ts'

/** Anything may be cancelled, and tells what it is doing. */
export type CallOptions = {
  readonly signal?: AbortSignal
  /** Told each step when it begins. */
  readonly onProgress?: (step: Step) => void
}

type Services = ManagedRuntime.ManagedRuntime.Services<ReturnType<typeof makeRuntime>>

/** What a verb is beside its flow. */
type Verb = {
  /** Its failures are told to the operator outside production (spec §8). */
  readonly tracked?: TrackedMethod
  /** It changes who is signed in: that is shown when it is over, and not while it goes on. */
  readonly entering?: boolean
}

export class Para {
  /** Who is signed in, for whoever shows it: `useSyncExternalStore(session.subscribe, session.get, session.getServer)`. */
  readonly session: SessionSource
  /** How pages of the portal are opened. What embeds the SDK without `window.open` opens them in its own way. */
  protected readonly popups: Layer.Layer<Popup> = PopupWindow
  readonly #view = new SessionView(() => this.#attend())
  readonly #listeners = new Listeners()
  readonly #environment: string
  readonly #apiKey: string | undefined
  readonly #options: ParaOptions
  #runtime: ReturnType<typeof makeRuntime> | undefined
  /** Ends what goes on around the page. */
  #leave: (() => void) | undefined
  /** Verbs that are changing who is signed in. */
  #entering = 0
  #resuming: AbortController | undefined

  /** `environment`: DEV, SANDBOX, BETA or PROD, or one of their other names. The publishable key comes from the operator. */
  constructor(environment: string, apiKey: string | undefined, options: ParaOptions = {}) {
    this.#environment = environment
    this.#apiKey = apiKey
    this.#options = options
    this.session = this.#view
  }

  /** Hears an event of the spec, for example `paraWalletCreated`. The answer stops it. */
  on(name: Name, listener: (detail: Detail<unknown>) => void): () => void {
    return this.#listeners.on(name, listener)
  }

  /** Whether somebody has signed up with this e-mail. */
  checkUserExists(identity: { readonly email: string }, call?: CallOptions): Promise<boolean> {
    return this.#run(withFlows((flows) => flows.checkUserExists(byEmail(identity))), call)
  }

  /** Signs a user up and has a code mailed. Answers the user's id. */
  createUser(identity: { readonly email: string }, call?: CallOptions): Promise<string> {
    this.#resuming?.abort()
    return this.#run(withFlows((flows) => flows.createUser(byEmail(identity))), call, { tracked: 'createUser' })
  }

  /** Proves the mailed code. */
  async verifyEmail(code: string, call?: CallOptions): Promise<void> {
    // Touch says who it is from now on.
    await this.#run(withFlows((flows) => Effect.andThen(flows.verifyEmail(code), touch(false))), call)
  }

  async resendVerificationCode(call?: CallOptions): Promise<void> {
    await this.#run(withFlows((flows) => flows.resendVerificationCode()), call)
  }

  /** With what the user can log in. */
  getSupportedAuthMethods(identity: { readonly email: string }, call?: CallOptions): Promise<readonly AuthMethod[]> {
    return this.#run(withFlows((flows) => flows.getSupportedAuthMethods(byEmail(identity))), call)
  }

  /**
   * Opens the portal, in which a verified user makes a password, and then creates a wallet of each supported type. The
   * recovery secret opens the user's half of the keys: show it once, and keep it nowhere. Where the browser opens no window it
   * fails with `PopupBlocked`, whose `continueUrl` a link may follow.
   */
  setUpPassword(call?: CallOptions): Promise<AccountSetup> {
    const flow = throughWindow('CREATE_PASSKEY', (flows, opened) =>
      Effect.andThen(flows.setUpPassword(opened), flows.finishSetup()),
    )
    return this.#enter(flow, call, 'waitForPasskeyAndCreateWallet')
  }

  /** The same with a passkey, which the user's device keeps. It works on pages of this portal only. */
  setUpPasskey(call?: CallOptions): Promise<AccountSetup> {
    const flow = throughWindow('CREATE_PASSKEY', (flows, opened) =>
      Effect.andThen(flows.setUpPasskey(opened), flows.finishSetup()),
    )
    return this.#enter(flow, call, 'waitForPasskeyAndCreateWallet')
  }

  /** Makes the wallets that are missing, after a sign-up that was left in the middle. */
  finishSetup(call?: CallOptions): Promise<AccountSetup> {
    const flow = withFlows((flows) => flows.finishSetup())
    return this.#enter(flow, call, 'waitForPasskeyAndCreateWallet')
  }

  /**
   * Opens the portal, in which the user logs in; brings the key shares to this device. Where the browser opens no window it
   * fails with `PopupBlocked`, whose `continueUrl` a link may follow.
   */
  login(identity: { readonly email: string }, options: Login & CallOptions = {}): Promise<Entered> {
    const flow = throughWindow('LOGIN_PASSKEY', (flows, opened) => flows.enter(identity, options, opened))
    return this.#enter(flow, options, 'waitForLoginAndSetup')
  }

  /**
   * Waits for the end of what was begun at the portal before this page was loaded, or was followed by a link: it says what that
   * was, or `null` where there was nothing. A page does so by itself once somebody subscribes to its session.
   */
  resume(call?: CallOptions): Promise<Resumed> {
    const flow = withFlows((flows) => flows.resume())
    return this.#enter(flow, call, 'waitForLoginAndSetup')
  }

  /** Whether somebody is signed in. */
  async isSessionActive(call?: CallOptions): Promise<boolean> {
    return (await this.#run(touch(false), call)).isAuthenticated
  }

  /** Extends the session; false on any failure. */
  keepSessionAlive(call?: CallOptions): Promise<boolean> {
    return this.#run(keepSessionAlive(), call)
  }

  async logout(options: Logout & CallOptions = {}): Promise<void> {
    this.#resuming?.abort()
    await this.#run(withFlows((flows) => flows.logout(options)), options)
  }

  /** The user's wallets; `address` is null until the key of a wallet was generated. */
  getWallets(call?: CallOptions): Promise<readonly Wallet[]> {
    return this.#run(listWallets(), call)
  }

  createWallet(wallet: NewWallet & CallOptions = {}): Promise<KeyGeneration> {
    const flow = withFlows((flows) => flows.createWallet(wallet))
    return this.#run(Effect.tap(flow, tellTabs({ type: 'wallets' })), wallet)
  }

  /**
   * Makes new key shares for a wallet; its key and address stay. The shares of all other devices are out of date from then
   * on, and come back by a login.
   */
  async refreshKeys(walletId?: string, call?: CallOptions): Promise<void> {
    await this.#run(withFlows((flows) => flows.refreshKeys(walletId)), call)
  }

  /** EIP-191 for EVM, ADR-036 for Cosmos, the bytes themselves for Solana. */
  signMessage(input: SignMessageInput, call?: CallOptions): Promise<MessageSignature> {
    const flow = withFlows((flows) =>
      Effect.map(flows.signMessage(input.walletId, flows.messageOf(input)), flows.toMessageSignature),
    )
    return this.#run(flow, call, { tracked: 'signMessage' })
  }

  /** Signs an EVM transaction, which the app sends itself. */
  signTransaction(input: TransactionInput, call?: CallOptions): Promise<TransactionSignature> {
    const flow = withFlows((flows) =>
      Effect.map(flows.signTransaction(input.walletId, flows.unsigned(input)), flows.toTransactionSignature),
    )
    return this.#run(flow, call, { tracked: 'signTransaction' })
  }

  /** Signs an EVM transaction and has it sent; answers its hash as well. */
  sendTransaction(input: TransactionInput, call?: CallOptions): Promise<SentTransaction> {
    const flow = withFlows((flows) =>
      Effect.map(flows.sendTransaction(input.walletId, flows.unsigned(input)), flows.toSentTransaction),
    )
    return this.#run(flow, call, { tracked: 'signTransaction' })
  }

  /** The session as text, with the key shares unless they are excluded: then it is worth as much as they are. */
  exportSession(options: { readonly excludeSigners?: boolean } & CallOptions = {}): Promise<string> {
    return this.#run(withFlows((flows) => flows.exportSession(options)), options)
  }

  async importSession(text: string, call?: CallOptions): Promise<void> {
    const flow = withFlows((flows) => flows.importSession(text))
    await this.#run(Effect.andThen(flow, Effect.andThen(lookAgain(), tellTabs({ type: 'signed-in' }))), call)
  }

  /** Lets go of what the SDK holds in memory. What is stored stays, and another call begins anew. */
  async dispose(): Promise<void> {
    this.#leave?.()
    this.#leave = undefined
    this.#resuming?.abort()
    const runtime = this.#runtime
    this.#runtime = undefined
    await runtime?.dispose()
  }

  /** A flow that changes who is signed in. Another one that waits for its end is given up for it. */
  #enter<A, E>(flow: Effect.Effect<A, E, Services>, call: CallOptions | undefined, tracked: TrackedMethod): Promise<A> {
    this.#resuming?.abort()
    return this.#run(flow, call, { tracked, entering: true })
  }

  /** Runs a flow. What it fails with is thrown as it is; a cancelled one is 'Connection canceled' (spec §8). */
  async #run<A, E>(flow: Effect.Effect<A, E, Services>, call: CallOptions = {}, verb: Verb = {}): Promise<A> {
    const { signal, onProgress } = call
    const told = onProgress === undefined ? flow : Effect.provideService(flow, Progress, onProgress)
    const runtime = this.#work()
    if (verb.entering === true) this.#entering += 1
    const exit = await runtime.runPromiseExit(told, signal === undefined ? {} : { signal })
    if (verb.entering === true) this.#entering -= 1
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

  #work(): ReturnType<typeof makeRuntime> {
    return (this.#runtime ??= makeRuntime(
      settingsOf(this.#environment, this.#apiKey, this.#options),
      this.#options,
      this.#listeners,
      this.popups,
    ))
  }

  /** Work that nobody waits for, and whose failure changes nothing for him who caused it. */
  async #quietly(flow: Effect.Effect<unknown, unknown, Services>, signal?: AbortSignal): Promise<void> {
    const logged = Effect.catchCause(flow, (cause) => Effect.logDebug('work in the background failed', cause))
    await this.#work().runPromiseExit(logged, signal === undefined ? {} : { signal })
  }

  async #show(): Promise<void> {
    if (this.#entering > 0) return
    const exit = await this.#work().runPromiseExit(Effect.andThen(Effect.ignore(lookOnce()), sessionSnapshot))
    if (Exit.isSuccess(exit)) this.#view.show(exit.value)
  }

  /** From the first who looks at the session on, and in a page only: what comes back, other tabs, and whoever is at work. */
  #attend(): void {
    if (typeof window === 'undefined' || this.#leave !== undefined) return
    const stops = [
      listenToTabs((news) => void this.#hear(news)),
      keepAliveWhileUsed(() => {
        if (this.session.get().userId !== undefined) void this.#quietly(keepSessionAlive())
      }),
    ]
    this.#leave = () => {
      for (const stop of stops) stop()
    }
    void this.#begin()
  }

  /** Whoever is offline is asked again until there is an answer. */
  async #begin(): Promise<void> {
    const returns = hasReturned() ? withFlows((flows) => flows.arrive()) : Effect.void
    const insisting = Effect.retry(lookAgain(), { schedule: Schedule.spaced('2 seconds'), while: isUnreachable })
    await this.#quietly(Effect.andThen(returns, insisting))
    await this.#show()
    this.#resuming = new AbortController()
    const { signal } = this.#resuming
    const goOn = Effect.flatMap(isVisitUnderWay, (isUnderWay) =>
      isUnderWay ? withFlows((flows) => flows.awaitVisit()) : Effect.void,
    )
    await this.#quietly(goOn, signal)
    const isSignedIn = ['ready', 'locked'].includes(this.session.get().status)
    if (isSignedIn && !signal.aborted) await this.#quietly(withFlows((flows) => flows.resumeWallets()), signal)
    if (!signal.aborted) await this.#show()
  }

  async #hear(news: TabNews['type']): Promise<void> {
    // A tab that is logging in has a session of its own, and hears the others itself.
    if (this.#entering > 0) return
    await this.#quietly(lookAgain())
    const before = this.session.get().userId
    await this.#show()
    const isGone = news === 'signed-out' && before !== undefined && this.session.get().userId === undefined
    if (isGone) this.#listeners.emit(EventNames.logout, { data: null })
  }
}

/** The flows come with the first verb. A chunk that cannot be fetched is an answer that did not come. */
const withFlows = <A, E, R>(use: (flows: typeof Flows) => Effect.Effect<A, E, R>) =>
  Effect.flatMap(
    Effect.tryPromise({ try: () => import('./flows.ts'), catch: () => connectionError() }),
    use,
  )

/** The window opens in the click, before the flows are there to use it; nothing that fails leaves it open. */
const throughWindow = <A, E, R>(
  kind: Kind,
  use: (flows: typeof Flows, opened: Opened) => Effect.Effect<A, E, R>,
) =>
  Effect.flatMap(openWindow(kind), (opened) =>
    Effect.onError(
      withFlows((flows) => use(flows, opened)),
      () => (Option.isSome(opened) ? opened.value.close : Effect.void),
    ),
  )

const byEmail = ({ email }: { readonly email: string }) => ({ kind: 'email', email }) as const

/** A page of the portal sent its result here. */
const hasReturned = () => window.location.hash.startsWith('#tandem=')

/** Nobody answered. */
const isUnreachable = (error: { readonly _tag: string; readonly status?: number | undefined }): boolean =>
  error._tag === 'ApiError' && error.status === undefined
