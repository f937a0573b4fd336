/**
 * The SDK for web apps and servers: the spec's verbs as promises (spec §7, design 6). Nothing is touched before the first
 * call, neither window nor storage nor network, so that it can be imported and constructed by any server renderer.
 */
import { base64 } from '@scure/base'
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import * as Cause from 'effect/Cause'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import * as Layer from 'effect/Layer'
import * as ManagedRuntime from 'effect/ManagedRuntime'
import * as References from 'effect/References'
import * as Result from 'effect/Result'
import { checkUserExists } from '../../domain/client/checkUserExists.ts'
import { createUser } from '../../domain/client/createUser.ts'
import { createWallet, type NewWallet } from '../../domain/client/createWallet.ts'
import { getSupportedAuthMethods } from '../../domain/client/getSupportedAuthMethods.ts'
import { keepSessionAlive } from '../../domain/client/keepSessionAlive.ts'
import { login, type LoggedIn, type Login } from '../../domain/client/login.ts'
import { logout, type Logout } from '../../domain/client/logout.ts'
import type { Popup } from '../../domain/client/ports/Popup.ts'
import { Settings, type MailLook } from '../../domain/client/ports/Settings.ts'
import { resendVerificationCode } from '../../domain/client/resendVerificationCode.ts'
import { SessionStateMemory } from '../../domain/client/SessionState.ts'
import { resumeAccount, setUpAccount } from '../../domain/client/setUpAccount.ts'
import { setUpPassword } from '../../domain/client/setUpPassword.ts'
import { signMessage } from '../../domain/client/signMessage.ts'
import { sendTransaction, signTransaction } from '../../domain/client/signTransaction.ts'
import { touch } from '../../domain/client/touch.ts'
import { exportSession, importSession } from '../../domain/client/transferSession.ts'
import { verifyEmail } from '../../domain/client/verifyEmail.ts'
import { listWallets } from '../../domain/client/wallets.ts'
import { WalletStateMemory } from '../../domain/client/WalletState.ts'
import { connectionCanceled } from '../../domain/model/ApiError.ts'
import type { AuthMethod } from '../../domain/model/Credential.ts'
import * as Environment from '../../domain/model/Environment.ts'
import type { Detail, Name } from '../../domain/model/Events.ts'
import * as Identity from '../../domain/model/Identity.ts'
import type { KeyGeneration } from '../../domain/model/KeyShare.ts'
import * as Signature from '../../domain/model/Signature.ts'
import type { Theme } from '../../domain/model/Theme.ts'
import type { Wallet } from '../../domain/model/Wallet.ts'
import * as WalletTypes from '../../domain/model/WalletTypes.ts'
import { ApiHttp } from './Api.ts'
import { CosignerHttp } from './Cosigner.ts'
import { DeviceKeysWebCrypto } from './DeviceKeys.ts'
import { EventsOf, Listeners } from './Events.ts'
import { LocksWeb } from './Locks.ts'
import { MpcInline } from './Mpc.ts'
import { PopupWindow } from './Popup.ts'
import { RandomWebCrypto } from './Random.ts'
import { RsaWebCrypto } from './Rsa.ts'
import { ShareStoreText } from './ShareStore.ts'
import { StorageWeb, type StorageOverride } from './Storage.ts'
import { TabsBroadcast } from './Tabs.ts'

export type { StorageOverride } from './Storage.ts'
export type { LoggedIn } from '../../domain/client/login.ts'
export type { KeyGeneration } from '../../domain/model/KeyShare.ts'
export type { Wallet } from '../../domain/model/Wallet.ts'

/** What an app may choose. */
export type ParaOptions = {
  /** Hosts of an own deployment; DEV has the local ports as defaults (spec §9). */
  readonly hosts?: Partial<Environment.Hosts>
  /** For example `{ EVM: true, SOLANA: { optional: true } }`; without it, the partner's setting counts. */
  readonly supportedWalletTypes?: WalletTypes.WalletTypesMap
  readonly theme?: Theme
  readonly mailLook?: MailLook
  /** Storage instead of the browser's, for example on a server. What it holds are secrets. */
  readonly storage?: StorageOverride
  /** On a server: the origin of the app for which it speaks. A page's own origin cannot be changed. */
  readonly origin?: string
  /** The least that is logged to the console; warnings by default. */
  readonly logLevel?: 'Debug' | 'Info' | 'Warn' | 'Error' | 'None'
}

/** Anything that may be cancelled. */
export type CallOptions = { readonly signal?: AbortSignal }

/** `walletId` is optional everywhere: without it, it is the first usable one of the current wallets (spec §5). */
export type SignMessageInput = {
  readonly walletId?: string
  /** Text is signed as UTF-8. */
  readonly message: string | Uint8Array
}

/** A signature over a message. Wallets of EVM and Cosmos have r, s and v; Solana's is 64 bytes in base64 (spec §9). */
export type MessageSignature = {
  readonly walletId: string
  readonly address: string
  /** EVM and Cosmos: r 64, s 64 and v 2 hexadecimal digits, v being 00 or 01. Solana: base64. */
  readonly signature: string
  /** EVM: the same with 0x and v as 1b or 1c, as Ethereum's tools expect it. */
  readonly ethereumSignature?: `0x${string}`
  readonly bytes: Uint8Array
}

export type TransactionInput = {
  readonly walletId?: string
  /** Serialised and not signed: bytes, or hexadecimal digits with or without 0x. */
  readonly transaction: string | Uint8Array
  /** Decimal, and the same as in the transaction. */
  readonly chainId: string | number | bigint
}

/** Scalars are 32 bytes in hexadecimal digits with 0x; `yParity` is v as 0 or 1. */
export type TransactionSignature = {
  readonly walletId: string
  readonly address: string
  readonly r: `0x${string}`
  readonly s: `0x${string}`
  readonly yParity: 0 | 1
}

type Services = ManagedRuntime.ManagedRuntime.Services<ReturnType<typeof makeRuntime>>

export class Para {
  /** How pages of the portal are opened. What embeds the SDK without `window.open` opens them in its own way. */
  protected readonly popups: Layer.Layer<Popup> = PopupWindow
  readonly #listeners = new Listeners()
  readonly #environment: string
  readonly #apiKey: string | undefined
  readonly #options: ParaOptions
  #runtime: ReturnType<typeof makeRuntime> | undefined

  /** `environment`: DEV, SANDBOX, BETA or PROD, or one of their other names. The publishable key comes from the operator. */
  constructor(environment: string, apiKey: string | undefined, options: ParaOptions = {}) {
    this.#environment = environment
    this.#apiKey = apiKey
    this.#options = options
  }

  /** Hears an event of the spec, for example `paraWalletCreated`. The answer stops it. */
  on(name: Name, listener: (detail: Detail<unknown>) => void): () => void {
    return this.#listeners.on(name, listener)
  }

  /** Whether somebody has signed up with this e-mail. */
  checkUserExists(identity: { readonly email: string }, call?: CallOptions): Promise<boolean> {
    return this.#run(checkUserExists({ kind: 'email', email: identity.email }), call)
  }

  /** Signs a user up and has a code mailed. Answers the user's id. */
  createUser(identity: { readonly email: string }, call?: CallOptions): Promise<string> {
    return this.#run(createUser({ kind: 'email', email: identity.email }), call)
  }

  /** Proves the mailed code. */
  async verifyEmail(code: string, call?: CallOptions): Promise<void> {
    await this.#run(verifyEmail(code), call)
  }

  async resendVerificationCode(call?: CallOptions): Promise<void> {
    await this.#run(resendVerificationCode(), call)
  }

  /** With what the user can log in. */
  getSupportedAuthMethods(identity: { readonly email: string }, call?: CallOptions): Promise<readonly AuthMethod[]> {
    return this.#run(getSupportedAuthMethods({ kind: 'email', email: identity.email }), call)
  }

  /**
   * Opens the portal, in which a verified user makes a password, and then creates a wallet of each supported type. The
   * recovery secret opens the user's half of the keys: show it once, and keep it nowhere.
   */
  setUpPassword(call?: CallOptions): Promise<{ readonly walletIds: readonly string[]; readonly recoverySecret: string | null }> {
    return this.#run(Effect.andThen(setUpPassword(), setUpAccount()), call)
  }

  /** Opens the portal, in which the user logs in; brings the key shares to this device. */
  login(identity: { readonly email: string }, options: Login & CallOptions = {}): Promise<LoggedIn> {
    return this.#run(
      Effect.gen(function* () {
        const found = yield* Effect.fromResult(Identity.required(Identity.fromAuthObject(identity)))
        const loggedIn = yield* login(found, options)
        const resumed = resumeAccount(loggedIn.needsWallet)
        yield* loggedIn.needsWallet
          ? resumed
          : Effect.catch(resumed, (error) => Effect.logWarning('an unfinished wallet stays unfinished', error._tag))
        yield* listWallets()
        return loggedIn
      }),
      options,
    )
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
    await this.#run(logout(options), options)
  }

  /** The user's wallets; `address` is null until the key of a wallet was generated. */
  getWallets(call?: CallOptions): Promise<readonly Wallet[]> {
    return this.#run(listWallets(), call)
  }

  createWallet(wallet: NewWallet & CallOptions = {}): Promise<KeyGeneration> {
    return this.#run(createWallet(wallet), wallet)
  }

  /** EIP-191 for EVM, ADR-036 for Cosmos, the bytes themselves for Solana. */
  async signMessage(input: SignMessageInput, call?: CallOptions): Promise<MessageSignature> {
    const bytes = typeof input.message === 'string' ? utf8ToBytes(input.message) : input.message
    const { wallet, signature } = await this.#run(signMessage(input.walletId, bytes), call)
    const common = { walletId: wallet.id, address: wallet.address ?? '', bytes: signature }
    if (wallet.scheme === 'ED25519') return { ...common, signature: base64.encode(signature) }
    const parts = Result.getOrThrow(Signature.fromBytes(signature))
    return {
      ...common,
      signature: Signature.toHex(parts),
      ...(wallet.type === 'COSMOS' ? {} : { ethereumSignature: Signature.toEthereumHex(parts) }),
    }
  }

  /** Signs an EVM transaction, which the app sends itself. */
  async signTransaction(input: TransactionInput, call?: CallOptions): Promise<TransactionSignature> {
    return toTransactionSignature(await this.#run(signTransaction(input.walletId, unsigned(input)), call))
  }

  /** Signs an EVM transaction and has it sent; answers its hash as well. */
  async sendTransaction(
    input: TransactionInput,
    call?: CallOptions,
  ): Promise<TransactionSignature & { readonly transactionHash: `0x${string}` }> {
    const sent = await this.#run(sendTransaction(input.walletId, unsigned(input)), call)
    return { ...toTransactionSignature(sent), transactionHash: toHex(sent.transactionHash) }
  }

  /** The session as text, with the key shares unless they are excluded: then it is worth as much as they are. */
  exportSession(options: { readonly excludeSigners?: boolean } & CallOptions = {}): Promise<string> {
    return this.#run(exportSession(options), options)
  }

  async importSession(text: string, call?: CallOptions): Promise<void> {
    await this.#run(importSession(text), call)
  }

  /** Lets go of what the SDK holds in memory. What is stored stays. */
  async dispose(): Promise<void> {
    await this.#runtime?.dispose()
    this.#runtime = undefined
  }

  /** Runs a flow. What it fails with is thrown as it is; a cancelled one is 'Connection canceled' (spec §8). */
  async #run<A, E>(flow: Effect.Effect<A, E, Services>, call: CallOptions = {}): Promise<A> {
    this.#runtime ??= makeRuntime(
      settingsOf(this.#environment, this.#apiKey, this.#options),
      this.#options,
      this.#listeners,
      this.popups,
    )
    const exit = await this.#runtime.runPromiseExit(flow, call.signal === undefined ? {} : { signal: call.signal })
    if (Exit.isSuccess(exit)) return exit.value
    throw call.signal?.aborted === true && Cause.hasInterruptsOnly(exit.cause)
      ? connectionCanceled()
      : Cause.squash(exit.cause)
  }
}

const settingsOf = (name: string, apiKey: string | undefined, options: ParaOptions): Settings['Service'] => {
  const environment = Result.getOrThrow(Environment.parse(name))
  const whole = options.hosts === undefined ? undefined : { ...Environment.developmentHosts, ...options.hosts }
  return {
    environment,
    hosts: Result.getOrThrow(Environment.hosts(name, whole === undefined ? {} : { [environment]: whole })),
    apiKey,
    origin: typeof window === 'undefined' ? (options.origin ?? '') : window.location.origin,
    theme: options.theme ?? {},
    mailLook: options.mailLook ?? {},
    supportedWalletTypes:
      options.supportedWalletTypes === undefined
        ? undefined
        : Result.getOrThrow(WalletTypes.fromMap(options.supportedWalletTypes)),
  }
}

const makeRuntime = (
  settings: Settings['Service'],
  options: ParaOptions,
  listeners: Listeners,
  popups: Layer.Layer<Popup>,
) => {
  const base = Layer.mergeAll(
    Layer.succeed(Settings, settings),
    StorageWeb(options.storage),
    SessionStateMemory,
    WalletStateMemory,
    RandomWebCrypto,
    RsaWebCrypto,
    LocksWeb(options.storage),
    TabsBroadcast,
    EventsOf(listeners),
    popups,
  )
  const stores = Layer.mergeAll(DeviceKeysWebCrypto, ShareStoreText, MpcInline).pipe(Layer.provideMerge(base))
  const remote = Layer.mergeAll(ApiHttp(), CosignerHttp()).pipe(Layer.provideMerge(stores))
  return ManagedRuntime.make(
    Layer.merge(remote, Layer.succeed(References.MinimumLogLevel, options.logLevel ?? 'Warn')),
  )
}

const unsigned = ({ transaction, chainId }: TransactionInput) => ({
  transaction: typeof transaction === 'string' ? hexToBytes(transaction.replace(/^0x/, '')) : transaction,
  chainId: String(chainId),
})

const toTransactionSignature = ({
  wallet,
  signature,
}: {
  readonly wallet: Wallet
  readonly signature: Uint8Array
}): TransactionSignature => {
  const { r, s, v } = Result.getOrThrow(Signature.fromBytes(signature))
  return { walletId: wallet.id, address: wallet.address ?? '', r: toHex(r), s: toHex(s), yParity: v }
}

const toHex = (bytes: Uint8Array): `0x${string}` => `0x${bytesToHex(bytes)}`
