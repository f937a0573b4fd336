/**
 * The SDK for web apps and servers: the spec's verbs as promises (spec §7, design 6). Nothing is touched before the first
 * call, neither window nor storage nor network, so that it can be imported and constructed by any server renderer.
 */
import { base64 } from '@scure/base'
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import * as Cause from 'effect/Cause'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import type * as Layer from 'effect/Layer'
import type * as ManagedRuntime from 'effect/ManagedRuntime'
import * as Result from 'effect/Result'
import * as Schedule from 'effect/Schedule'
import { arrive, enter, finishSetup, lookAgain, lookOnce, resume, type Entered, type Resumed } from '../../domain/client/arrive.ts'
import { checkUserExists } from '../../domain/client/checkUserExists.ts'
import { createUser } from '../../domain/client/createUser.ts'
import { createWallet, resumeWallets, type NewWallet } from '../../domain/client/createWallet.ts'
import { getSupportedAuthMethods } from '../../domain/client/getSupportedAuthMethods.ts'
import { keepSessionAlive } from '../../domain/client/keepSessionAlive.ts'
import type { Login } from '../../domain/client/login.ts'
import { logout, type Logout } from '../../domain/client/logout.ts'
import type { Popup } from '../../domain/client/ports/Popup.ts'
import { Progress, type Step } from '../../domain/client/ports/Progress.ts'
import { reportFailure } from '../../domain/client/reportFailure.ts'
import { resendVerificationCode } from '../../domain/client/resendVerificationCode.ts'
import { isSilence } from '../../domain/client/runProtocol.ts'
import { sessionSnapshot } from '../../domain/client/sessionSnapshot.ts'
import type { AccountSetup } from '../../domain/client/setUpAccount.ts'
import { setUpPasskey } from '../../domain/client/setUpPasskey.ts'
import { setUpPassword } from '../../domain/client/setUpPassword.ts'
import { refreshKeys } from '../../domain/client/sign.ts'
import { signMessage } from '../../domain/client/signMessage.ts'
import { sendTransaction, signTransaction } from '../../domain/client/signTransaction.ts'
import { tellTabs, type TabNews } from '../../domain/client/tabNews.ts'
import { touch } from '../../domain/client/touch.ts'
import { exportSession, importSession } from '../../domain/client/transferSession.ts'
import { verifyEmail } from '../../domain/client/verifyEmail.ts'
import { listWallets } from '../../domain/client/wallets.ts'
import { ApiError, connectionCanceled } from '../../domain/model/ApiError.ts'
import type { AuthMethod } from '../../domain/model/Credential.ts'
import type { TrackedMethod } from '../../domain/model/Diagnostics.ts'
import * as EventNames from '../../domain/model/Events.ts'
import type { Detail, Name } from '../../domain/model/Events.ts'
import * as Identity from '../../domain/model/Identity.ts'
import type { KeyGeneration } from '../../domain/model/KeyShare.ts'
import * as Signature from '../../domain/model/Signature.ts'
import type { Wallet } from '../../domain/model/Wallet.ts'
import { keepAliveWhileUsed, listenToTabs } from './attendance.ts'
import { Listeners } from './Events.ts'
import { PopupWindow } from './Popup.ts'
import { makeRuntime, settingsOf, type ParaOptions } from './runtime.ts'
import { SessionView, type SessionSource } from './SessionView.ts'

export type { StorageOverride } from './Storage.ts'
export type { ParaOptions } from './runtime.ts'
export type { SessionSource } from './SessionView.ts'
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
    return this.#run(checkUserExists({ kind: 'email', email: identity.email }), call)
  }

  /** Signs a user up and has a code mailed. Answers the user's id. */
  createUser(identity: { readonly email: string }, call?: CallOptions): Promise<string> {
    this.#resuming?.abort()
    return this.#run(createUser({ kind: 'email', email: identity.email }), call, { tracked: 'createUser' })
  }

  /** Proves the mailed code. */
  async verifyEmail(code: string, call?: CallOptions): Promise<void> {
    // Touch says who it is from now on.
    await this.#run(Effect.andThen(verifyEmail(code), touch(false)), call)
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
   * recovery secret opens the user's half of the keys: show it once, and keep it nowhere. Where the browser opens no window it
   * fails with `PopupBlocked`, whose `continueUrl` a link may follow.
   */
  setUpPassword(call?: CallOptions): Promise<AccountSetup> {
    return this.#enter(Effect.andThen(setUpPassword(), finishSetup()), call, 'waitForPasskeyAndCreateWallet')
  }

  /** The same with a passkey, which the user's device keeps. It works on pages of this portal only. */
  setUpPasskey(call?: CallOptions): Promise<AccountSetup> {
    return this.#enter(Effect.andThen(setUpPasskey(), finishSetup()), call, 'waitForPasskeyAndCreateWallet')
  }

  /** Makes the wallets that are missing, after a sign-up that was left in the middle. */
  finishSetup(call?: CallOptions): Promise<AccountSetup> {
    return this.#enter(finishSetup(), call, 'waitForPasskeyAndCreateWallet')
  }

  /**
   * Opens the portal, in which the user logs in; brings the key shares to this device. Where the browser opens no window it
   * fails with `PopupBlocked`, whose `continueUrl` a link may follow.
   */
  login(identity: { readonly email: string }, options: Login & CallOptions = {}): Promise<Entered> {
    const found = Effect.fromResult(Identity.required(Identity.fromAuthObject(identity)))
    const flow = Effect.flatMap(found, (known) => enter(known, options))
    return this.#enter(flow, options, 'waitForLoginAndSetup')
  }

  /**
   * Waits for the end of what was begun at the portal before this page was loaded, or was followed by a link: it says what that
   * was, or `null` where there was nothing. A page does so by itself once somebody subscribes to its session.
   */
  resume(call?: CallOptions): Promise<Resumed> {
    return this.#enter(resume(), call, 'waitForLoginAndSetup')
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
    await this.#run(logout(options), options)
  }

  /** The user's wallets; `address` is null until the key of a wallet was generated. */
  getWallets(call?: CallOptions): Promise<readonly Wallet[]> {
    return this.#run(listWallets(), call)
  }

  createWallet(wallet: NewWallet & CallOptions = {}): Promise<KeyGeneration> {
    return this.#run(Effect.tap(createWallet(wallet), tellTabs({ type: 'wallets' })), wallet)
  }

  /**
   * Makes new key shares for a wallet; its key and address stay. The shares of all other devices are out of date from then
   * on, and come back by a login.
   */
  async refreshKeys(walletId?: string, call?: CallOptions): Promise<void> {
    await this.#run(refreshKeys(walletId), call)
  }

  /** EIP-191 for EVM, ADR-036 for Cosmos, the bytes themselves for Solana. */
  async signMessage(input: SignMessageInput, call?: CallOptions): Promise<MessageSignature> {
    const bytes = typeof input.message === 'string' ? utf8ToBytes(input.message) : input.message
    const { wallet, signature } = await this.#run(signMessage(input.walletId, bytes), call, { tracked: 'signMessage' })
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
    const flow = signTransaction(input.walletId, unsigned(input))
    return toTransactionSignature(await this.#run(flow, call, { tracked: 'signTransaction' }))
  }

  /** Signs an EVM transaction and has it sent; answers its hash as well. */
  async sendTransaction(
    input: TransactionInput,
    call?: CallOptions,
  ): Promise<TransactionSignature & { readonly transactionHash: `0x${string}` }> {
    const flow = sendTransaction(input.walletId, unsigned(input))
    const sent = await this.#run(flow, call, { tracked: 'signTransaction' })
    return { ...toTransactionSignature(sent), transactionHash: toHex(sent.transactionHash) }
  }

  /** The session as text, with the key shares unless they are excluded: then it is worth as much as they are. */
  exportSession(options: { readonly excludeSigners?: boolean } & CallOptions = {}): Promise<string> {
    return this.#run(exportSession(options), options)
  }

  async importSession(text: string, call?: CallOptions): Promise<void> {
    await this.#run(Effect.andThen(importSession(text), Effect.andThen(lookAgain(), tellTabs({ type: 'signed-in' }))), call)
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
    if (verb.entering === true) this.#entering += 1
    const exit = await this.#work().runPromiseExit(told, signal === undefined ? {} : { signal })
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
    const insisting = Effect.retry(lookAgain(), { schedule: Schedule.spaced('2 seconds'), while: isUnreachable })
    await this.#quietly(Effect.andThen(arrive(), insisting))
    await this.#show()
    this.#resuming = new AbortController()
    const { signal } = this.#resuming
    await this.#quietly(resume(), signal)
    if (!signal.aborted && this.session.get().status !== 'anonymous') await this.#quietly(resumeWallets(), signal)
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

const isUnreachable = (error: { readonly _tag: string }): boolean => isSilence(error)

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
