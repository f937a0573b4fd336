/**
 * The SDK for web apps and servers: every verb as a promise. Window, storage and network are not accessed before the
 * first call, so any server renderer can import and construct it.
 */
import type * as Layer from 'effect/Layer'
import type { Popup } from '../../domain/client/ports/Popup.ts'
import type { Detail, Name as EventName } from '../../domain/model/Events.ts'
import type { Engine } from './engine.ts'
import { Listeners } from './Listeners.ts'
import { openPortalWindow } from './portalWindow.ts'
import { clearAddress } from './returned.ts'
import type { ParaOptions } from './runtime.ts'
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

export type { StorageOverride } from './Storage.ts'
export type { ParaOptions } from './runtime.ts'
export type { SessionSource } from './SessionView.ts'
export type {
  AuthorizationInput,
  CallOptions,
  CosmosAminoInput,
  CosmosDirectInput,
  CosmosSignature,
  MessageSignature,
  PreSignedMessage,
  PreSignMessageInput,
  SentCosmosTransaction,
  SentSolanaTransaction,
  SentTransaction,
  SignedAuthorization,
  SignMessageInput,
  SolanaSendInput,
  SolanaSignature,
  SolanaTransactionInput,
  TransactionInput,
  TransactionSignature,
  TypedDataInput,
} from './verbs.ts'
export type { Entered, Resumed } from '../../domain/client/accountEntry.ts'
export type { PrivateKeyExport } from '../../domain/client/exportPrivateKey.ts'
export type { Login, LoggedIn } from '../../domain/client/login.ts'
export type { Step } from '../../domain/client/ports/Progress.ts'
export type { SessionSnapshot } from '../../domain/model/SessionSnapshot.ts'
export type { AccountSetup } from '../../domain/client/setUpAccount.ts'
export type { KeyGeneration } from '../../domain/model/KeyShare.ts'
export type { Wallet } from '../../domain/model/Wallet.ts'

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
      Object.defineProperty(this.prototype, name, { value })
    }
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
  readonly #view = new SessionView(() => this.#startEngine())
  readonly #listeners = new Listeners()
  readonly #environment: string
  readonly #apiKey: string | undefined
  readonly #options: ParaOptions
  #loading: Promise<Engine> | undefined

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
  }

  /** Adds a listener for an event, for example `paraWalletCreated`. Returns a function that removes it. */
  on(name: EventName, listener: (detail: Detail<unknown>) => void): () => void {
    return this.#listeners.on(name, listener)
  }

  /** Releases what the SDK holds in memory. Stored data stays, and the next call starts again. */
  async dispose(): Promise<void> {
    const loading = this.#loading
    this.#loading = undefined
    const engine = await loading?.catch(() => undefined)
    await engine?.dispose()
  }

  /** A needed window opens here, within the click, before any code is loaded: after an await the browser would block it. */
  protected override async run<Name extends VerbName>(
    name: Name,
    input: InputOf<Name>,
    call?: CallOptions,
  ): Promise<ResultOf<Name>> {
    const { opens, readsAddress }: Verb = verbs[name]
    if (readsAddress === true) clearAddress()
    const isOpened = opens !== undefined && this.popups === undefined && typeof window !== 'undefined'
    const opened = isOpened ? openPortalWindow(opens) : undefined
    try {
      const engine = await this.#engine()
      return await engine.run(name, input, call, opened)
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
      const { Engine } = await import('./engine.ts')
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

  #startEngine(): void {
    if (typeof window === 'undefined') return
    clearAddress()
    void this.#engine().then(
      (engine) => engine.start(),
      () => window.addEventListener('online', () => this.#startEngine(), { once: true }),
    )
  }
}
