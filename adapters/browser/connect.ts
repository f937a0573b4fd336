/**
 * The recovery page as its React components see it: a state and verbs (domain/client/README.md#recovery). A verb's
 * promise resolves when it is over; its outcome is in the state. Opened backups stay in this page's memory.
 */
import * as Cause from 'effect/Cause'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import * as Option from 'effect/Option'
import * as Ref from 'effect/Ref'
import { Mpc } from '../../domain/client/ports/Mpc.ts'
import { Progress, type Step } from '../../domain/client/ports/Progress.ts'
import { forgetSession } from '../../domain/client/forgetSession.ts'
import { cancelRecovery } from '../../domain/client/recovery/cancelRecovery.ts'
import { noBackups, openAgain, openBackups, type OpenedBackups } from '../../domain/client/recovery/openBackups.ts'
import {
  recoverWallets,
  RecoveryStopped,
  resumeRecovery,
  type Prepared,
} from '../../domain/client/recovery/recoverWallets.ts'
import { renewCredential } from '../../domain/client/recovery/renewCredential.ts'
import {
  type Recoverable,
  sendRecoveryCode,
  startRecovery,
  verifyRecovery,
} from '../../domain/client/recovery/startRecovery.ts'
import { forgetRecovery } from '../../domain/client/recovery/unacknowledgedSecret.ts'
import { passkeySetup, passwordSetup } from '../../domain/client/setUpCredential.ts'
import type { ApiError } from '../../domain/model/ApiError.ts'
import type { AuthMethod } from '../../domain/model/Credential.ts'
import type { Failure, LeftWallet, RecoverableWallet, RecoveryState, WalletProgress } from './connect/RecoveryState.ts'
import type { Services } from './flows.ts'
import { withOpened } from './Popup.ts'
import { failureOf } from './portal/failure.ts'
import { makeStore, type Readable } from './store.ts'

export type {
  Doing,
  Failure,
  Finished,
  LeftWallet,
  RecoverableWallet,
  RecoveryState,
  WalletProgress,
} from './connect/RecoveryState.ts'

export type Recovery = Readable<RecoveryState> & {
  /** The page's host with its port, shown to be compared with the address bar. */
  readonly host: string
  /** The portal's, in whose window the new credential is made. */
  readonly portalHost: () => string
  readonly submitEmail: (email: string) => Promise<void>
  readonly submitCode: (code: string) => Promise<void>
  readonly resendCode: () => Promise<void>
  /** The recovery secret's text, as it was given at sign-up. */
  readonly submitSecret: (text: string) => Promise<void>
  /** Tries the secret once more on the wallets that it did not open: another device may have stored a backup. */
  readonly checkAgain: () => Promise<void>
  /** The person goes on without the wallets that the secret did not open. */
  readonly leaveBehind: () => void
  /** The person confirms that the addresses are theirs. */
  readonly confirmAddresses: () => void
  /** To be called in the click, which opens a window of the portal. The recovery continues when that has finished. */
  readonly setUp: (method: AuthMethod) => Promise<void>
  /** Closes the portal's window. */
  readonly closeWindow: () => void
  /** After a failure at a wallet: continues with the remaining ones. */
  readonly goOn: () => Promise<void>
  /** The person has kept the new secret: it is deleted here. */
  readonly kept: () => Promise<void>
  /** Cancels the recovery, at the service too, and begins with the e-mail address. */
  readonly startOver: () => Promise<void>
  /** Looks again after the page could not be reached. */
  readonly retry: () => Promise<void>
}

export type RecoveryParts = {
  readonly host: string
  readonly portalHost: () => string
  readonly email: string | undefined
  /** Runs a flow, and says how it ended. */
  readonly run: <A, E>(flow: Effect.Effect<A, E, Services>, signal?: AbortSignal) => Promise<Exit.Exit<A, E | ApiError>>
  /** Opens a window within the click, where there are windows; otherwise the flow opens one. */
  readonly openWindow: () => Window | null | undefined
}

const credentials = { PASSWORD: passwordSetup, PASSKEY: passkeySetup } as const

export const makeRecovery = ({ host, portalHost, email = '', run, openWindow }: RecoveryParts): Recovery => {
  const store = makeStore<RecoveryState>({ status: 'starting' })
  let recoverable: Recoverable | undefined
  let opened: OpenedBackups | undefined
  let prepared: Prepared = Ref.makeUnsafe<ReadonlySet<string>>(new Set())
  let method: AuthMethod = 'PASSWORD'
  /** Aborts the current recovery. Work of an earlier one finds its own controller aborted and changes no state. */
  let attempt = new AbortController()
  let window: AbortController | undefined
  /** The earlier recovery's logout: the next one begins after it. */
  let leaving: Promise<unknown> = Promise.resolve()

  const forget = () => {
    recoverable = opened = undefined
    prepared = Ref.makeUnsafe<ReadonlySet<string>>(new Set())
  }
  /** Aborts the current recovery and drops what it opened. */
  const beginAnew = () => {
    attempt.abort()
    window?.abort()
    attempt = new AbortController()
    forget()
  }
  /** The exit of a flow, or `undefined` when another recovery has begun meanwhile. */
  const ended = async <A, E>(flow: Effect.Effect<A, E, Services>, { signal } = attempt) => {
    const own = attempt.signal
    const exit = await run(flow, signal)
    return own.aborted ? undefined : exit
  }
  const quietly = (flow: Effect.Effect<unknown, unknown, Services>) =>
    run(Effect.catchCause(flow, (cause) => Effect.logDebug('work in the background failed', cause)))
  const stopped = (failure: Failure, address: string) => {
    forget()
    store.set({ status: 'stopped', email: address, progress: [], isFinishing: false, failure, canGoOn: false })
  }
  /** The session of the recovery ended, or its time is over: there is nothing to go back to. */
  const failed = (failure: Failure | undefined, address: string, back: () => void) => {
    if (failure?.code === 'LinkExpired') stopped(failure, address)
    else back()
  }

  const begin = async () => {
    beginAnew()
    store.set({ status: 'starting' })
    const exit = await ended(resumeRecovery())
    if (exit === undefined) return
    store.set(Exit.isSuccess(exit) ? begunWith(exit.value) : notBegun(failureAt(exit.cause)))
  }

  const begunWith = (unacknowledged: Effect.Success<ReturnType<typeof resumeRecovery>>): RecoveryState =>
    Option.match(unacknowledged, {
      onNone: () => ({ status: 'email', email, isBusy: false }),
      onSome: ({ secret, isFinished }) => ({ status: 'secret-made', secret, isCertain: isFinished }),
    })

  /** An earlier visit may have left a secret that was not shown, which could not be read now. */
  const notBegun = (failure: Failure): RecoveryState =>
    silent.has(failure.code)
      ? { status: 'unreachable' }
      : { status: 'stopped', email, progress: [], isFinishing: true, failure, canGoOn: true }

  const submitEmail = async (address: string) => {
    const state = store.get()
    if (state.status !== 'email' || state.isBusy) return
    beginAnew()
    store.set({ status: 'email', email: address, isBusy: true })
    const left = leaving
    const exit = await ended(
      Effect.andThen(
        Effect.promise(() => left),
        startRecovery(address),
      ),
    )
    if (exit === undefined) return
    if (Exit.isSuccess(exit)) {
      store.set({ status: 'code', email: address, isBusy: false, refusals: 0, isResent: false })
      return
    }
    const failure = failureAt(exit.cause)
    if (failure.code === 'EarlierSecretNotShown') return begin()
    store.set({ status: 'email', email: address, isBusy: false, failure })
  }

  const submitCode = async (code: string) => {
    const state = store.get()
    if (state.status !== 'code' || state.isBusy) return
    store.set({ ...state, isBusy: true, isResent: false, failure: undefined })
    const exit = await ended(verifyRecovery(state.email, code))
    if (exit === undefined) return
    if (Exit.isSuccess(exit)) {
      recoverable = exit.value
      const { userId, wallets } = recoverable
      if (wallets.length === 0) opened = noBackups(userId)
      store.set(
        wallets.length === 0
          ? { status: 'credential', email: state.email, wallets, isOpen: false }
          : { status: 'secret', email: state.email, wallets, isBusy: false },
      )
      return
    }
    const failure = failureAt(exit.cause)
    const refusals = state.refusals + (failure.code === 'InvalidVerificationCode' ? 1 : 0)
    failed(failure, state.email, () => store.set({ ...state, isResent: false, refusals, failure }))
  }

  const resendCode = async () => {
    const state = store.get()
    if (state.status !== 'code' || state.isBusy) return
    store.set({ ...state, isBusy: true, isResent: false, failure: undefined })
    const exit = await ended(sendRecoveryCode(state.email))
    if (exit === undefined) return
    if (Exit.isSuccess(exit)) {
      store.set({ ...state, isBusy: false, isResent: true, failure: undefined })
      return
    }
    const failure = failureAt(exit.cause)
    failed(failure, state.email, () => store.set({ ...state, isResent: false, failure }))
  }

  const submitSecret = async (text: string) => {
    const state = store.get()
    if (state.status !== 'secret' || state.isBusy || recoverable === undefined) return
    store.set({ ...state, isBusy: true, failure: undefined })
    void quietly(Effect.flatMap(Mpc, ({ prepare }) => prepare))
    const exit = await ended(openBackups(recoverable, text))
    if (exit === undefined) return
    if (Exit.isSuccess(exit)) {
      opened = exit.value
      store.set(openedState(state.email, opened))
      return
    }
    const failure = failureAt(exit.cause, state.wallets)
    failed(failure, state.email, () => store.set({ ...state, isBusy: false, failure }))
  }

  const checkAgain = async () => {
    const state = store.get()
    if (state.status !== 'leaving' || state.isBusy || opened === undefined) return
    store.set({ ...state, isBusy: true, failure: undefined })
    const exit = await ended(openAgain(opened))
    if (exit === undefined) return
    if (Exit.isSuccess(exit)) {
      opened = exit.value
      store.set(openedState(state.email, opened))
      return
    }
    const failure = failureAt(exit.cause)
    failed(failure, state.email, () => store.set({ ...state, isBusy: false, failure }))
  }

  const leaveBehind = () => {
    const state = store.get()
    if (state.status !== 'leaving' || state.isBusy) return
    store.set({ status: 'credential', email: state.email, wallets: state.wallets, isOpen: false })
  }

  const confirmAddresses = () => {
    const state = store.get()
    if (state.status === 'comparing') store.set({ ...state, status: 'credential', isOpen: false })
  }

  const setUp = async (chosen: AuthMethod) => {
    const state = store.get()
    if (state.status !== 'credential' || state.isOpen || opened === undefined) return
    const popup = openWindow()
    const { userId } = opened
    method = chosen
    store.set({ ...state, isOpen: true, failure: undefined })
    window = new AbortController()
    const owner = { userId, identity: { kind: 'email', email: state.email } } as const
    const renewal = renewCredential(credentials[chosen], owner)
    const exit = await ended(popup === undefined ? renewal : withOpened(popup, renewal), window)
    if (exit === undefined) return
    if (Exit.isSuccess(exit)) return recover(state.email)
    const failure = window.signal.aborted ? undefined : failureAt(exit.cause)
    failed(failure, state.email, () => store.set({ ...state, isOpen: false, failure }))
  }

  const recover = async (address: string) => {
    if (opened === undefined) return
    const backups = opened
    const wallets = backups.wallets.map(({ wallet }) => wallet)
    const closed = backups.leftBehind.map(({ wallet }) => wallet)
    const now = Ref.getUnsafe(prepared)
    const work = {
      email: address,
      isFinishing: false,
      progress: wallets.map((wallet): WalletProgress => ({
        wallet,
        state: now.has(wallet.walletId) ? 'done' : 'waiting',
      })),
    }
    const tell = (step: Step) => {
      // A finish that was refused because a wallet changed is followed by the work on that wallet.
      work.isFinishing = step.step === 'finishing' || (work.isFinishing && step.step !== 'recovering')
      work.progress = toldOf([...work.progress, ...openedNow(closed, work.progress, step)], step)
      store.set({ status: 'working', ...work })
    }
    store.set({ status: 'working', ...work })
    const exit = await ended(Effect.provideService(recoverWallets(backups, prepared), Progress, tell))
    if (exit === undefined) return
    if (Exit.isSuccess(exit)) {
      const { secret, ...ended } = exit.value
      const finished = { wallets: ended.wallets, leftBehind: leftOf(ended), method }
      forget()
      store.set({ status: 'secret-made', secret, isCertain: true, finished })
      leaving = quietly(forgetSession())
      return
    }
    const failure = failureAt(exit.cause, [...wallets, ...closed])
    // The session is over, so the service can no longer say whether the recovery was finished.
    if (work.isFinishing && failure.code === 'LinkExpired') return begin()
    if (failure.code === 'EarlierSecretNotShown') return begin()
    if (!mayGoOn(failure)) forget()
    store.set({
      status: 'stopped',
      ...work,
      progress: work.progress.map((one) => (one.state === 'working' ? { ...one, state: 'failed' } : one)),
      failure,
      canGoOn: mayGoOn(failure),
    })
  }

  void begin()
  return {
    subscribe: store.subscribe,
    get: store.get,
    host,
    portalHost,
    submitEmail,
    submitCode,
    resendCode,
    submitSecret,
    checkAgain,
    leaveBehind,
    confirmAddresses,
    setUp,
    closeWindow: () => window?.abort(),
    goOn: async () => {
      const state = store.get()
      if (state.status === 'stopped' && state.canGoOn) await (opened === undefined ? begin() : recover(state.email))
    },
    kept: async () => {
      const state = store.get()
      if (state.status !== 'secret-made') return
      await quietly(forgetRecovery(state.secret))
      if (store.get() !== state) return
      // The visit that made the secret has left its session already.
      if (state.finished === undefined) leaving = quietly(forgetSession())
      store.set(
        state.isCertain ? { status: 'done', finished: state.finished } : { status: 'email', email, isBusy: false },
      )
    },
    startOver: async () => {
      const state = store.get()
      if (!('email' in state) || state.status === 'working') return
      if (state.status === 'stopped' && state.isFinishing && state.canGoOn) return
      beginAnew()
      store.set({ status: 'email', email: state.email, isBusy: false })
      leaving = quietly(cancelRecovery(state.email))
      await leaving
    },
    retry: begin,
  }
}

/** What the secret opened, or which wallets it did not. */
const openedState = (email: string, opened: OpenedBackups): RecoveryState => {
  const known = { email, wallets: opened.wallets.map(({ wallet }) => wallet) }
  const leftBehind = leftOf(opened)
  if (leftBehind.length > 0) return { status: 'leaving', ...known, leftBehind, isBusy: false }
  return opened.isSigned ? { status: 'credential', ...known, isOpen: false } : { status: 'comparing', ...known }
}

const leftOf = ({ leftBehind }: Pick<OpenedBackups, 'leftBehind'>): readonly LeftWallet[] =>
  leftBehind.map(({ wallet, cause }) => ({ wallet, code: cause._tag }))

/** A wallet that was to stay behind and opens now: it joins the others when the work on it begins. */
const openedNow = (
  closed: readonly RecoverableWallet[],
  progress: readonly WalletProgress[],
  step: Step,
): readonly WalletProgress[] =>
  closed
    .filter(({ walletId }) => step.step === 'recovering' && walletId === step.walletId)
    .filter(({ walletId }) => !progress.some(({ wallet }) => wallet.walletId === walletId))
    .map((wallet) => ({ wallet, state: 'waiting' }))

/** The service no longer knows the recovery, or its wallets have newer shares: it has to begin again. */
const over: ReadonlySet<string> = new Set(['KeyShareOutOfDate', 'LinkExpired', 'NotFound', 'OpenerNotProven'])

/** No answer, or one that says that the service cannot answer now. */
const silent: ReadonlySet<string> = new Set(['InternalError', 'Offline', 'RequestStillRunning', 'Unavailable'])

const mayGoOn = ({ code }: Failure): boolean => !over.has(code)

const failureAt = (cause: Cause.Cause<unknown>, wallets: readonly WalletProgress['wallet'][] = []): Failure => {
  const error = Option.getOrUndefined(Cause.findErrorOption(cause))
  const walletId = typeof error === 'object' && error !== null && 'walletId' in error ? error.walletId : undefined
  const { code, sentence } = failureOf(error instanceof RecoveryStopped ? Cause.fail(error.cause) : cause)
  const wallet = wallets.find((one) => one.walletId === walletId)
  return { code, sentence, ...(wallet === undefined ? {} : { wallet }) }
}

/** A wallet is being worked on from the step that names it until a step names another one. */
const toldOf = (progress: readonly WalletProgress[], step: Step): WalletProgress[] => {
  switch (step.step) {
    case 'recovering':
      return progress.map(({ wallet, state }) =>
        wallet.walletId === step.walletId
          ? { wallet, state: 'working' }
          : { wallet, state: state === 'working' ? 'done' : state },
      )
    case 'finishing':
      return progress.map(({ wallet }) => ({ wallet, state: 'done' }))
    case 'refreshing':
      return doing(progress, { step: step.step, round: step.round, of: step.of })
    case 'storing':
    case 'backing-up':
    case 'confirming':
      return doing(progress, { step: step.step })
    default:
      return [...progress]
  }
}

const doing = (progress: readonly WalletProgress[], now: WalletProgress['doing']): WalletProgress[] =>
  progress.map((one) => (one.state === 'working' ? { ...one, doing: now } : one))
