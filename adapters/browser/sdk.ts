/**
 * The SDK for web apps and servers: every verb as a promise. Window, storage and network are not accessed before the
 * first call, so any server renderer can import and construct it.
 */
import type * as Effect from 'effect/Effect'
import type * as Layer from 'effect/Layer'
import type { Entered, Resumed } from '../../domain/client/accountEntry.ts'
import type { NewWallet } from '../../domain/client/createWallet.ts'
import type { PrivateKeyExport } from '../../domain/client/exportPrivateKey.ts'
import type { Login } from '../../domain/client/login.ts'
import type { Logout } from '../../domain/client/logout.ts'
import type { Popup } from '../../domain/client/ports/Popup.ts'
import type { Step } from '../../domain/client/ports/Progress.ts'
import type { AccountSetup } from '../../domain/client/setUpAccount.ts'
import type { AuthMethod } from '../../domain/model/Credential.ts'
import type { TrackedMethod } from '../../domain/model/Diagnostics.ts'
import type { Detail, Name } from '../../domain/model/Events.ts'
import type { KeyGeneration } from '../../domain/model/KeyShare.ts'
import type { Kind } from '../../domain/model/Popup.ts'
import type { Wallet } from '../../domain/model/Wallet.ts'
import type { Engine, Services, Verb, Verbs } from './engine.ts'
import { Listeners } from './Listeners.ts'
import { openPortalWindow } from './portalWindow.ts'
import { clearAddress } from './returned.ts'
import type { ParaOptions } from './runtime.ts'
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
export type { Entered, Resumed } from '../../domain/client/accountEntry.ts'
export type { PrivateKeyExport } from '../../domain/client/exportPrivateKey.ts'
export type { Login, LoggedIn } from '../../domain/client/login.ts'
export type { Step } from '../../domain/client/ports/Progress.ts'
export type { SessionSnapshot } from '../../domain/model/SessionSnapshot.ts'
export type { AccountSetup } from '../../domain/client/setUpAccount.ts'
export type { KeyGeneration } from '../../domain/model/KeyShare.ts'
export type { Wallet } from '../../domain/model/Wallet.ts'

/** Options of every verb: cancellation and progress. */
export type CallOptions = {
  readonly signal?: AbortSignal
  /** Called with each step when it begins. */
  readonly onProgress?: (step: Step) => void
}

/** An e-mail address, as the verbs take it. */
type ByEmail = { readonly email: string }

export class Para {
  /**
   * The session for a view: `useSyncExternalStore(session.subscribe, session.get, session.getServer)`.
   */
  readonly session: SessionSource
  /** Opens the portal's pages where there is no `window.open`. */
  protected readonly popups: Layer.Layer<Popup> | undefined
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
    this.#environment = environment
    this.#apiKey = apiKey
    this.#options = options
    this.session = this.#view
  }

  /** Adds a listener for an event, for example `paraWalletCreated`. Returns a function that removes it. */
  on(name: Name, listener: (detail: Detail<unknown>) => void): () => void {
    return this.#listeners.on(name, listener)
  }

  /** Whether a user with this e-mail address can log in. Always true when the partner's strict mode hides it. */
  checkUserExists(identity: ByEmail, call?: CallOptions): Promise<boolean> {
    return this.#run((verbs) => verbs.checkUserExists(identity), call)
  }

  /** Signs a user up and sends a code by mail. Returns the user's id. */
  createUser(identity: ByEmail, call?: CallOptions): Promise<string> {
    return this.#run((verbs) => verbs.createUser(identity), call, { tracked: 'createUser', ends: true })
  }

  /** Proves the mailed code. */
  verifyEmail(code: string, call?: CallOptions): Promise<void> {
    return this.#run((verbs) => verbs.verifyEmail(code), call)
  }

  resendVerificationCode(call?: CallOptions): Promise<void> {
    return this.#run((verbs) => verbs.resendVerificationCode(), call)
  }

  /** The credentials with which the user can log in. */
  getSupportedAuthMethods(identity: ByEmail, call?: CallOptions): Promise<readonly AuthMethod[]> {
    return this.#run((verbs) => verbs.getSupportedAuthMethods(identity), call)
  }

  /**
   * Opens the portal, in which a verified user makes a password, and then creates a wallet of each supported type. The
   * recovery secret opens the user's half of the keys: show it once, and keep it nowhere. Where the browser opens no
   * window it fails with `PopupBlocked`, whose `continueUrl` a link may follow.
   */
  setUpPassword(call?: CallOptions): Promise<AccountSetup> {
    return this.#enter((verbs, opened) => verbs.setUpPassword(opened), call, settingUp)
  }

  /** The same with a passkey, which the user's device keeps. It works on pages of this portal only. */
  setUpPasskey(call?: CallOptions): Promise<AccountSetup> {
    return this.#enter((verbs, opened) => verbs.setUpPasskey(opened), call, settingUp)
  }

  /** Makes the wallets that are missing, after a sign-up that was left in the middle. */
  finishSetup(call?: CallOptions): Promise<AccountSetup> {
    return this.#enter((verbs) => verbs.finishSetup(), call, { tracked: settingUp.tracked })
  }

  /**
   * Opens the portal, in which the user logs in; brings the key shares to this device. Where the browser opens no
   * window it fails with `PopupBlocked`, whose `continueUrl` a link may follow.
   */
  login(identity: ByEmail, options: Login & CallOptions = {}): Promise<Entered> {
    return this.#enter((verbs, opened) => verbs.enter(identity, options, opened), options, loggingIn)
  }

  /**
   * Waits for the end of what was begun at the portal before this page was loaded, or by a followed link. Returns what
   * it was, or `null`. A page does this by itself as soon as its session has a subscriber.
   */
  resume(call?: CallOptions): Promise<Resumed> {
    clearAddress()
    return this.#enter((verbs) => verbs.resume(), call, { tracked: loggingIn.tracked })
  }

  /** Whether a user is signed in. */
  async isSessionActive(call?: CallOptions): Promise<boolean> {
    return (await this.#engine()).isSessionActive(call)
  }

  /** Extends the session; false on any failure. */
  async keepSessionAlive(call?: CallOptions): Promise<boolean> {
    return (await this.#engine()).keepSessionAlive(call)
  }

  logout(options: Logout & CallOptions = {}): Promise<void> {
    return this.#run((verbs) => verbs.logout(options), options, { ends: true })
  }

  /**
   * Cancels a recovery of the signed-in account that a mail has announced and its user did not begin. The answer is the
   * same when there was none.
   */
  cancelRecovery(call?: CallOptions): Promise<void> {
    return this.#run((verbs) => verbs.cancelRecovery(), call)
  }

  /** The user's wallets; `address` is null until the key of a wallet was generated. */
  async getWallets(call?: CallOptions): Promise<readonly Wallet[]> {
    return (await this.#engine()).getWallets(call)
  }

  createWallet(wallet: NewWallet & CallOptions = {}): Promise<KeyGeneration> {
    return this.#run((verbs) => verbs.createWallet(wallet), wallet)
  }

  /**
   * Makes new key shares for a wallet; its key and address stay. The shares of all other devices are out of date
   * afterwards, and those devices have to log in again.
   */
  refreshKeys(walletId?: string, call?: CallOptions): Promise<void> {
    return this.#run((verbs) => verbs.refreshKeys(walletId), call)
  }

  /**
   * Opens the portal, in which the user exports the private key of a DKLS wallet: `walletId`, or the first current one.
   * Only that page shows the key; the app never gets it. `accepted`: the page had it to show. Where the browser opens
   * no window it fails with `PopupBlocked`.
   */
  exportPrivateKey(options: { readonly walletId?: string } & CallOptions = {}): Promise<PrivateKeyExport> {
    return this.#open(exporting, (verbs, opened) => verbs.exportPrivateKey(options.walletId, opened), options)
  }

  /** EIP-191 for EVM, ADR-036 for Cosmos, the bytes themselves for Solana. */
  signMessage(input: SignMessageInput, call?: CallOptions): Promise<MessageSignature> {
    return this.#run((verbs) => verbs.signMessage(input), call, { tracked: 'signMessage' })
  }

  /** Signs an EVM transaction, which the app sends itself. */
  signTransaction(input: TransactionInput, call?: CallOptions): Promise<TransactionSignature> {
    return this.#run((verbs) => verbs.signTransaction(input), call, { tracked: 'signTransaction' })
  }

  /** Signs an EVM transaction and has the service send it; returns its hash as well. */
  sendTransaction(input: TransactionInput, call?: CallOptions): Promise<SentTransaction> {
    return this.#run((verbs) => verbs.sendTransaction(input), call, { tracked: 'signTransaction' })
  }

  /** The session as text. Unless key shares are excluded it contains them, and has to be protected like them. */
  exportSession(options: { readonly excludeSigners?: boolean } & CallOptions = {}): Promise<string> {
    return this.#run((verbs) => verbs.exportSession(options), options)
  }

  importSession(text: string, call?: CallOptions): Promise<void> {
    return this.#run((verbs) => verbs.importSession(text), call, { ends: true })
  }

  /**
   * A short address for a page of the portal, for example the `continueUrl` of `PopupBlocked`. It opens once, within
   * ten minutes; its key is in the fragment, which is not sent to a server.
   */
  createShortLink(link: string, call?: CallOptions): Promise<string> {
    return this.#run((verbs) => verbs.createShortLink(link), call)
  }

  /** Releases what the SDK holds in memory. Stored data stays, and the next call starts again. */
  async dispose(): Promise<void> {
    const loading = this.#loading
    this.#loading = undefined
    const engine = await loading?.catch(() => undefined)
    await engine?.dispose()
  }

  /**
   * For verbs that change who is signed in. A needed window opens here, within the click, before any code is loaded:
   * after an await the browser would block it.
   */
  #enter<A, E>(
    use: (verbs: Verbs, opened: Opened) => Effect.Effect<A, E, Services>,
    call: CallOptions | undefined,
    { kind, tracked }: { readonly kind?: Kind; readonly tracked: TrackedMethod },
  ): Promise<A> {
    return this.#open(kind, use, call, { tracked, ends: true, entering: true })
  }

  async #open<A, E>(
    kind: Kind | undefined,
    use: (verbs: Verbs, opened: Opened) => Effect.Effect<A, E, Services>,
    call?: CallOptions,
    verb?: Verb,
  ): Promise<A> {
    const opens = kind !== undefined && this.popups === undefined && typeof window !== 'undefined'
    const opened = opens ? openPortalWindow(kind) : undefined
    try {
      return await this.#run((verbs) => use(verbs, opened), call, verb)
    } catch (error) {
      opened?.close()
      throw error
    }
  }

  async #run<A, E>(use: (verbs: Verbs) => Effect.Effect<A, E, Services>, call?: CallOptions, verb?: Verb): Promise<A> {
    return (await this.#engine()).run(use, call, verb)
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
        popups: this.popups,
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

/** The window that the click opened, none, or one that the flow opens. */
type Opened = Window | null | undefined

const settingUp = { kind: 'CREATE_PASSKEY', tracked: 'waitForPasskeyAndCreateWallet' } as const
/** The user presents a credential there, as for a login. */
const exporting = 'LOGIN_PASSKEY'
const loggingIn = { kind: 'LOGIN_PASSKEY', tracked: 'waitForLoginAndSetup' } as const
