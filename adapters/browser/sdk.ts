/**
 * The SDK for web apps and servers: the spec's verbs as promises (spec §7, design 6). Nothing is touched before the
 * first call, neither window nor storage nor network, so that it can be imported and constructed by any server
 * renderer.
 */
import type * as Effect from 'effect/Effect'
import type * as Layer from 'effect/Layer'
import type { Entered, Resumed } from '../../domain/client/arrive.ts'
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
export type { Entered, Resumed } from '../../domain/client/arrive.ts'
export type { PrivateKeyExport } from '../../domain/client/exportPrivateKey.ts'
export type { Login, LoggedIn } from '../../domain/client/login.ts'
export type { Step } from '../../domain/client/ports/Progress.ts'
export type { SessionSnapshot } from '../../domain/model/SessionSnapshot.ts'
export type { AccountSetup } from '../../domain/client/setUpAccount.ts'
export type { KeyGeneration } from '../../domain/model/KeyShare.ts'
export type { Wallet } from '../../domain/model/Wallet.ts'

/** Anything may be cancelled, and tells what it is doing. */
export type CallOptions = {
  readonly signal?: AbortSignal
  /** Told each step when it begins. */
  readonly onProgress?: (step: Step) => void
}

/** An e-mail address, as the verbs take it. */
type ByEmail = { readonly email: string }

export class Para {
  /**
   * Who is signed in, for whoever shows it: `useSyncExternalStore(session.subscribe, session.get, session.getServer)`.
   */
  readonly session: SessionSource
  /** What embeds the SDK without `window.open` opens the portal's pages in its own way. */
  protected readonly popups: Layer.Layer<Popup> | undefined
  readonly #view = new SessionView(() => this.#attend())
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

  /** Hears an event of the spec, for example `paraWalletCreated`. The answer stops it. */
  on(name: Name, listener: (detail: Detail<unknown>) => void): () => void {
    return this.#listeners.on(name, listener)
  }

  /** Whether somebody has signed up with this e-mail. */
  checkUserExists(identity: ByEmail, call?: CallOptions): Promise<boolean> {
    return this.#run((verbs) => verbs.checkUserExists(identity), call)
  }

  /** Signs a user up and has a code mailed. Answers the user's id. */
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

  /** With what the user can log in. */
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
   * Waits for the end of what was begun at the portal before this page was loaded, or was followed by a link: it says
   * what that was, or `null` where there was nothing. A page waits by itself once somebody subscribes to its session.
   */
  resume(call?: CallOptions): Promise<Resumed> {
    clearAddress()
    return this.#enter((verbs) => verbs.resume(), call, { tracked: loggingIn.tracked })
  }

  /** Whether somebody is signed in. */
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
   * Ends a recovery of the signed-in account, which a mail has announced and its user did not begin. The answer is the
   * same whether or not there was one.
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
   * Makes new key shares for a wallet; its key and address stay. The shares of all other devices are out of date from
   * then on, and come back by a login.
   */
  refreshKeys(walletId?: string, call?: CallOptions): Promise<void> {
    return this.#run((verbs) => verbs.refreshKeys(walletId), call)
  }

  /**
   * Opens the portal, in which the user exports the private key of a DKLS wallet: of the one of `walletId`, or of the
   * first current one. The page alone shows the key, and this app never gets it; from then on it is whole somewhere.
   * `accepted`: it was there to be seen. Where the browser opens no window it fails with `PopupBlocked`.
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

  /** Signs an EVM transaction and has it sent; answers its hash as well. */
  sendTransaction(input: TransactionInput, call?: CallOptions): Promise<SentTransaction> {
    return this.#run((verbs) => verbs.sendTransaction(input), call, { tracked: 'signTransaction' })
  }

  /** The session as text, with the key shares unless they are excluded: then it is worth as much as they are. */
  exportSession(options: { readonly excludeSigners?: boolean } & CallOptions = {}): Promise<string> {
    return this.#run((verbs) => verbs.exportSession(options), options)
  }

  importSession(text: string, call?: CallOptions): Promise<void> {
    return this.#run((verbs) => verbs.importSession(text), call, { ends: true })
  }

  /**
   * A short address for a page of the portal, for example the `continueUrl` of `PopupBlocked`. It opens once, within
   * ten minutes; its key is in the fragment, which no server sees (spec §2).
   */
  createShortLink(link: string, call?: CallOptions): Promise<string> {
    return this.#run((verbs) => verbs.createShortLink(link), call)
  }

  /** Lets go of what the SDK holds in memory. What is stored stays, and another call begins anew. */
  async dispose(): Promise<void> {
    const loading = this.#loading
    this.#loading = undefined
    const engine = await loading?.catch(() => undefined)
    await engine?.dispose()
  }

  /**
   * For what changes who is signed in. Where a window is needed it opens here and now, within the click, before
   * anything is loaded for it (flows 2.1).
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

  async #run<A, E>(
    use: (verbs: Verbs) => Effect.Effect<A, E, Services>,
    call?: CallOptions,
    verb?: Verb,
  ): Promise<A> {
    return (await this.#engine()).run(use, call, verb)
  }

  /** All that works is loaded with the first call, or for the first who looks at the session. */
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

  #attend(): void {
    if (typeof window === 'undefined') return
    clearAddress()
    void this.#engine().then(
      (engine) => engine.attend(),
      () => window.addEventListener('online', () => this.#attend(), { once: true }),
    )
  }
}

/** The window that the click opened, none, or one that is opened when it is needed. */
type Opened = Window | null | undefined

const settingUp = { kind: 'CREATE_PASSKEY', tracked: 'waitForPasskeyAndCreateWallet' } as const
/** The user shows a credential there, as for a login. */
const exporting = 'LOGIN_PASSKEY'
const loggingIn = { kind: 'LOGIN_PASSKEY', tracked: 'waitForLoginAndSetup' } as const
