/**
 * The SDK for web apps and servers: every verb as a promise. Window, storage and network are not accessed before the
 * first call, so any server renderer can import and construct it.
 */
import type * as Layer from 'effect/Layer'
import type { Popup } from '../../domain/client/ports/Popup.ts'
import { connectionCanceled, connectionError, fromCause } from '../../domain/model/ApiError.ts'
import type { Name as EventName } from '../../domain/model/Events.ts'
import { OperationTimedOut } from '../../domain/model/Timeout.ts'
import { timeoutOf } from '../../domain/model/TransactionReview.ts'
import type { Engine } from './engine.ts'
import { faultOf } from './inputs.ts'
import { Listeners, type EventDetail } from './Listeners.ts'
import { openPortalWindow } from './portalWindow.ts'
import { clearAddress } from './returned.ts'
import type { ParaOptions } from './runtime.ts'
import { BrowserRequired, SecureContextRequired, withCode } from './SdkError.ts'
import { SessionView, type SessionSource } from './SessionView.ts'
import {
  verbNames,
  verbs,
  type CallOptions,
  type InputOf,
  type ResultOf,
  type VerbName,
  type Verb,
  type Verbs,
} from './verbs.ts'

export {
  isSdkError,
  type Coded,
  type ErrorCode,
  type ErrorFields,
  type RefusalCode,
  type SdkError,
  type SdkErrorCode,
} from './SdkError.ts'
export type { EventDetail } from './Listeners.ts'
export type { KeyValueArea, StorageOverride } from './Storage.ts'
export type { ParaOptions } from './runtime.ts'
export type { SessionSource } from './SessionView.ts'
export type {
  AuthorizationInput,
  ByEmail,
  CallOptions,
  CosmosAminoInput,
  CosmosDirectInput,
  CosmosSignature,
  DelegatedSession,
  ExportedSession,
  MessageSignature,
  OfCosmosWallet,
  OfWallet,
  PreSignedMessage,
  PreSignMessageInput,
  Sent,
  SentCosmosTransaction,
  SentSolanaTransaction,
  SentTransaction,
  SignedAuthorization,
  Signing,
  SignMessageInput,
  SolanaSendInput,
  SolanaSignature,
  SolanaTransactionInput,
  TransactionInput,
  TransactionSignature,
  TypedDataInput,
} from './verbs.ts'
export type { NewWallet } from '../../domain/client/createWallet.ts'
export type { Entered, Resumed } from '../../domain/client/accountEntry.ts'
export type { PrivateKeyExport } from '../../domain/client/exportPrivateKey.ts'
export type { Login, LoggedIn } from '../../domain/client/login.ts'
export type { Logout } from '../../domain/client/logout.ts'
export type { MailLook } from '../../domain/client/ports/Settings.ts'
export type { Reviewing, Step } from '../../domain/client/ports/Progress.ts'
export type { PreSigned } from '../../domain/client/preSignMessage.ts'
export type { EventData, Name as EventName } from '../../domain/model/Events.ts'
export type { SessionSnapshot } from '../../domain/model/SessionSnapshot.ts'
export type { AccountSetup } from '../../domain/client/setUpAccount.ts'
export type { KeyGeneration } from '../../domain/model/KeyShare.ts'
export type { AminoDocument, DirectDocument } from '../../domain/model/CosmosMessage.ts'
export type { AuthMethod } from '../../domain/model/Credential.ts'
export type { CurrentWalletIds } from '../../domain/model/CurrentWalletIds.ts'
export type { Loading } from '../../domain/model/MpcWorker.ts'
export type { Hosts } from '../../domain/model/Environment.ts'
export type { Theme } from '../../domain/model/Theme.ts'
export type { PregenIdentifierType, Scheme, Wallet } from '../../domain/model/Wallet.ts'
export type { WalletType, WalletTypeSetting, WalletTypesMap } from '../../domain/model/WalletTypes.ts'

/** Has each verb of the table as a method. */
abstract class VerbMethods {
  protected abstract run<Name extends VerbName>(
    name: Name,
    input: InputOf<Name>,
    call?: CallOptions,
  ): Promise<ResultOf<Name>>

  static {
    for (const name of verbNames) {
      const { inputs } = verbs[name]
      const value = function (this: VerbMethods, ...args: readonly unknown[]) {
        return this.run(name, args.slice(0, inputs) as never, args[inputs] as CallOptions | undefined)
      }
      Object.defineProperty(this.prototype, name, { value, writable: true })
    }
  }

  /** A verb may be taken off the SDK: `const { signMessage } = para`. */
  constructor() {
    const own = this as unknown as Record<VerbName, () => unknown>
    for (const name of verbNames) own[name] = own[name].bind(this)
  }
}

const WithVerbs = VerbMethods as abstract new () => VerbMethods & Verbs

export class Para extends WithVerbs {
  /**
   * The session for a view: `useSyncExternalStore(session.subscribe, session.get, session.getServer)`.
   */
  readonly session: SessionSource
  /**
   * Opens the portal's pages where there is no `window.open`: a layer of the port Popup. The package's types do not name
   * Effect.
   */
  protected readonly popups: unknown
  /** One function, so that the page's event has it once. */
  readonly #start = () => this.#startEngine()
  readonly #view = new SessionView(this.#start)
  readonly #listeners = new Listeners()
  readonly #environment: string
  readonly #apiKey: string | undefined
  readonly #options: ParaOptions
  #loading: Promise<Engine> | undefined
  /** Why the session was not started. */
  #reason: string | undefined

  /**
   * `environment`: DEV, SANDBOX, BETA or PROD, or one of their other names. The publishable key comes from the
   * operator.
   */
  constructor(environment: string, apiKey: string | undefined, options: ParaOptions = {}) {
    super()
    this.#environment = environment
    this.#apiKey = apiKey
    this.#options = options
    this.session = this.#view
    this.on = this.on.bind(this)
    this.dispose = this.dispose.bind(this)
  }

  /** Adds a listener for an event, for example `paraWalletCreated`. Returns a function that removes it. */
  on<Name extends EventName>(name: Name, listener: (detail: EventDetail<Name>) => void): () => void {
    return this.#listeners.on(name, listener)
  }

  /** Releases what the SDK holds in memory. Stored data stays, and the next call starts again. */
  async dispose(): Promise<void> {
    const loading = this.#loading
    this.#loading = undefined
    const engine = await loading?.catch(() => undefined)
    if (typeof window !== 'undefined') window.removeEventListener('online', this.#start)
    await engine?.dispose()
  }

  protected override async run<Name extends VerbName>(
    name: Name,
    input: InputOf<Name>,
    call?: CallOptions,
  ): Promise<ResultOf<Name>> {
    try {
      return await this.#begin(name, input, call)
    } catch (error) {
      throw withCode(error instanceof Error ? error : fromCause(error))
    }
  }

  /** A needed window opens here, within the click, before any code is loaded: after an await the browser would block it. */
  async #begin<Name extends VerbName>(
    name: Name,
    input: InputOf<Name>,
    { signal, ...options }: CallOptions = {},
  ): Promise<ResultOf<Name>> {
    const fault = faultOf(name, input)
    if (fault !== undefined) throw fault
    const { opens, readsAddress }: Verb = verbs[name]
    if (readsAddress === true) clearAddress()
    requireSecureContext()
    const needsWindow = opens !== undefined && this.popups === undefined
    if (needsWindow && typeof window === 'undefined') throw new BrowserRequired({ verb: name })
    const opened = needsWindow ? openPortalWindow(opens) : undefined
    try {
      return await within(limitOf(name, input), signal, async (ended) => {
        const engine = await this.#engine()
        return engine.run(name, input, { ...options, signal: ended }, opened)
      })
    } catch (error) {
      opened?.close()
      throw error
    }
  }

  /** The engine is loaded with the first call or the first subscriber to the session. */
  #engine(): Promise<Engine> {
    this.#loading ??= this.#load()
    return this.#loading
  }

  async #load(): Promise<Engine> {
    try {
      requireSecureContext()
      const Engine = await loadEngine()
      return new Engine({
        environment: this.#environment,
        apiKey: this.#apiKey,
        options: this.#options,
        listeners: this.#listeners,
        view: this.#view,
        popups: this.popups as Layer.Layer<Popup> | undefined,
      })
    } catch (error) {
      this.#loading = undefined
      throw error
    }
  }

  /** Perhaps no call follows that would tell the app of a wrong setting: the console does, once. */
  #startEngine(): void {
    if (typeof window === 'undefined') return
    clearAddress()
    void this.#engine().then(
      (engine) => engine.start(),
      (error: unknown) => {
        const { code, message } = withCode(error as Error)
        if (code === 'ConnectionError') window.addEventListener('online', this.#start, { once: true })
        else if (code !== this.#reason) console.error(`${code}: ${message}`)
        this.#reason = code
      },
    )
  }
}

/** Elsewhere a page has neither WebCrypto nor locks. What is no browser does not say. */
const requireSecureContext = () => {
  const { isSecureContext } = globalThis as { readonly isSecureContext?: boolean }
  if (isSecureContext === false) throw new SecureContextRequired()
}

/** A page that cannot fetch its own code has no connection. */
const loadEngine = async () => {
  try {
    // Vite 6 reads names that are taken apart here as those of the file, which a bundler may have renamed.
    const engine = await import('./engine.ts')
    return engine.Engine
  } catch {
    throw connectionError()
  }
}

/** Of a signature with the time that its review may take. */
const limitOf = (name: VerbName, [input]: readonly unknown[]): number => {
  const { timeoutMs } = (input ?? {}) as { readonly timeoutMs?: number }
  return verbs[name].withinMs + (timeoutMs === undefined ? 0 : timeoutOf(timeoutMs))
}

/** Ends the work when its time is over or the caller cancels it; the signal's reason is the error. It answers at once. */
const within = async <A>(
  ms: number,
  cancelled: AbortSignal | undefined,
  work: (ended: AbortSignal) => Promise<A>,
): Promise<A> => {
  const ending = new AbortController()
  const cancel = () => ending.abort(connectionCanceled())
  if (cancelled?.aborted === true) cancel()
  cancelled?.addEventListener('abort', cancel)
  let timer: ReturnType<typeof setTimeout> | undefined
  const isOver = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const error = new OperationTimedOut({ ms })
      ending.abort(error)
      reject(error)
    }, ms)
  })
  try {
    return await Promise.race([work(ending.signal), isOver])
  } finally {
    clearTimeout(timer)
    cancelled?.removeEventListener('abort', cancel)
  }
}
