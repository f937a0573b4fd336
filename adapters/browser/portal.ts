/**
 * A page of the portal as its React components see it: a state that changes, and verbs. The verbs promise nothing but
 * that they are through; what became of them is in the state. Time, windows and the service are behind the ports of
 * `domain/client`, whose flows do the work.
 */
import type * as Context from 'effect/Context'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import * as Layer from 'effect/Layer'
import * as Result from 'effect/Result'
import * as Scope from 'effect/Scope'
import { preparePasskey } from '../../domain/client/portal/createPasskey.ts'
import { preparePassword } from '../../domain/client/portal/createPassword.ts'
import { exportWithPasskey, exportWithPassword, type PrivateKey } from '../../domain/client/portal/exportPrivateKey.ts'
import { loginWithPasskey } from '../../domain/client/portal/loginWithPasskey.ts'
import { loginWithPassword } from '../../domain/client/portal/loginWithPassword.ts'
import {
  arrive,
  beginPage,
  identityOf,
  isForOpenerAlone,
  tell,
  type Arrival,
  type PortalOpening,
} from '../../domain/client/portal/opening.ts'
import { hostOf, originOf } from '../../domain/client/origin.ts'
import type { Api } from '../../domain/client/ports/Api.ts'
import { Navigation } from '../../domain/client/ports/Navigation.ts'
import type { Opener } from '../../domain/client/ports/Opener.ts'
import { Passkeys } from '../../domain/client/ports/Passkeys.ts'
import type { PasswordHash } from '../../domain/client/ports/PasswordHash.ts'
import { Progress } from '../../domain/client/ports/Progress.ts'
import type { Random } from '../../domain/client/ports/Random.ts'
import type { Rsa } from '../../domain/client/ports/Rsa.ts'
import type { SeededRsa } from '../../domain/client/ports/SeededRsa.ts'
import { Settings } from '../../domain/client/ports/Settings.ts'
import type { ApiError } from '../../domain/model/ApiError.ts'
import * as ConnectUrl from '../../domain/model/ConnectUrl.ts'
import { fromWire } from '../../domain/model/Credential.ts'
import * as Identity from '../../domain/model/Identity.ts'
import * as PortalUrl from '../../domain/model/PortalUrl.ts'
import type { Theme } from '../../domain/model/Theme.ts'
import { shownAccount } from './portal/account.ts'
import { failureOf, failureToBegin } from './portal/failure.ts'
import { holdKey, type HeldKey } from './portal/heldKey.ts'
import { pages, type PortalPage } from './portal/pages.ts'
import type { Known, PortalState, Requester } from './portal/PortalState.ts'
import { begun, planOf } from './portal/work.ts'
import { makeStore, type Readable } from './store.ts'

export type { Failure } from './portal/failure.ts'
export type { PortalPage } from './portal/pages.ts'
export type { PortalState, Requester } from './portal/PortalState.ts'
export type { WorkStep, WorkStepName } from './portal/work.ts'

export type Portal = Readable<PortalState> & {
  /** Where this page is, for whoever compares: its host, with its port. */
  readonly host: string
  /** How the app wants its pages to look. */
  readonly theme: Theme
  /** Whether what decides may be pressed (flows A14). Verbs that decide do nothing before. */
  readonly attention: Readable<boolean>
  /** The person means this app. */
  readonly proceed: () => Promise<void>
  readonly createPassword: (password: string) => Promise<void>
  readonly loginWithPassword: (password: string) => Promise<void>
  readonly createPasskey: () => Promise<void>
  readonly loginWithPasskey: () => Promise<void>
  readonly exportWithPassword: (password: string) => Promise<void>
  readonly exportWithPasskey: () => Promise<void>
  /** Shows the exported key, or hides it. */
  readonly showKey: (isShown: boolean) => void
  /** `0x` and 64 digits; only while the key is shown. */
  readonly privateKey: () => string | undefined
  /** Whether it is in the clipboard now. */
  readonly copyKey: () => Promise<boolean>
  /** Begins again where a page could not begin. */
  readonly retry: () => Promise<void>
  /** The person does not want to; nothing was decided. */
  readonly leave: () => Promise<void>
}

/** What a page works with. */
export type PortalServices =
  | Api
  | Rsa
  | PasswordHash
  | Random
  | Opener
  | Navigation
  | Passkeys
  | SeededRsa
  | Settings

export type PortalParts = {
  readonly url: string
  readonly services: Layer.Layer<PortalServices, ApiError>
  readonly attention: Readable<boolean>
}

/** Which page an address shows. */
export const pageAt = (url: string): PortalPage | undefined => {
  const type = Result.getOrUndefined(PortalUrl.read(url))?.visit.type
  return pages.find((page) => page === type)
}

/** What an address says of the look of its page. */
export const themeAt = (url: string): Theme => {
  const read = Result.getOrUndefined(PortalUrl.read(url))
  return read === undefined ? {} : PortalUrl.theme(read.parameters)
}

export const makePortal = ({ url, services, attention }: PortalParts): Portal => {
  const page = pageAt(url)
  const lasting = Scope.makeUnsafe()
  const store = makeStore<PortalState>(
    page === undefined ? { status: 'unknown' } : { status: 'starting', page, requester: undefined },
  )
  let attempt: Scope.Closeable | undefined
  let context: Context.Context<PortalServices> | undefined
  let asked: Effect.Effect<PortalOpening, ApiError, Api> | undefined
  let opening: PortalOpening | undefined
  let held: HeldKey | undefined
  /** What was made for the password, or for no password but a passkey. */
  let prepared: { readonly password: string | undefined; readonly commit: Commit } | undefined

  /** The services are built by the first flow that can, and last as long as the window. */
  const run = <A, E>(flow: Effect.Effect<A, E, PortalServices>) =>
    Effect.runPromiseExit(
      Effect.gen(function* () {
        context ??= yield* Layer.buildWithScope(services, lasting)
        return yield* Effect.provide(flow, context)
      }),
    )

  const begin = async (page: PortalPage) => {
    asked = opening = prepared = undefined
    store.set({ status: 'starting', page, requester: undefined })
    const former = attempt
    const scope = (attempt = Scope.makeUnsafe())
    const flow = Effect.gen(function* () {
      if (former !== undefined) yield* Scope.close(former, Exit.void)
      const arrival = yield* arrive()
      store.set({ status: 'starting', page, requester: requesterOf(arrival) })
      const begun = yield* beginPage(arrival)
      if (begun.kind === 'entered') return yield* enter(page, begun.opening)
      asked = begun.proceed
      const account = shownAccount(arrival.parameters)
      store.set({ status: 'asking', page, requester: requesterOf(arrival), account, named: 'link', why: 'ask' })
    })
    const exit = await run(Effect.provideService(flow, Scope.Scope, scope))
    if (Exit.isFailure(exit)) fail(failureToBegin(exit.cause))
  }

  /** A page that returns by redirect tells the person first, who has not seen it decide that. */
  const enter = Effect.fn('portal.enter')(function* (page: PortalPage, entered: PortalOpening) {
    opening = entered
    const known = { page, requester: requesterOf(entered), account: accountOf(entered) }
    const next: PortalState =
      entered.admission.kind === 'redirect'
        ? { status: 'asking', ...known, named: isNamed(entered) ? 'service' : 'link', why: 'redirect' }
        : { status: 'ready', ...known, failure: undefined, ...(yield* readyOn(page, entered)) }
    store.set(next)
  })

  const proceed = async () => {
    const state = store.get()
    if (state.status !== 'asking' || !attention.get()) return
    const { page, requester, account } = state
    store.set({ status: 'starting', page, requester })
    const exit = await run(
      Effect.gen(function* () {
        if (asked !== undefined) opening = yield* asked
        const whose = opening === undefined ? account : accountOf(opening)
        const ready = yield* readyOn(page, opening)
        store.set({ status: 'ready', page, requester, account: whose, failure: undefined, ...ready })
      }),
    )
    if (Exit.isFailure(exit)) fail(failureToBegin(exit.cause))
  }

  /** Does the page's work, once at a time, and only for somebody who has seen the page. */
  const work = async <E>(flow: (opening: PortalOpening) => Effect.Effect<Worked | PrivateKey, E, PortalServices>) => {
    const state = store.get()
    if (state.status !== 'ready' || opening === undefined || !attention.get()) return
    const { page, requester, account, passkeys, recoverUrl, exporting } = state
    const known = { page, requester, account }
    const ready = { passkeys, recoverUrl, exporting }
    let steps = planOf(page)
    store.set({ status: 'working', ...known, ...ready, steps })
    const told = Effect.provideService(flow(opening), Progress, ({ step }) => {
      steps = begun(steps, step)
      store.set({ status: 'working', ...known, ...ready, steps })
    })
    const exit = await run(told)
    if (Exit.isSuccess(exit)) {
      if ('secret' in exit.value) {
        hold(known, exit.value)
        return
      }
      const ends = opening.admission.kind === 'redirect' ? 'returns' : 'closes'
      store.set({ status: 'done', ...known, ends, missing: exit.value.missing })
      return
    }
    const failure = failureOf(exit.cause)
    if (failure.retry === 'again') store.set({ status: 'ready', ...known, ...ready, failure })
    else fail(failure)
  }

  const hold = (known: Known, { secret, address }: PrivateKey) => {
    store.set({ status: 'exported', ...known, address, key: 'hidden' })
    held = holdKey({
      secret,
      attention,
      away: run(Effect.flatMap(Navigation, ({ hidden }) => hidden)),
      onWiped: () => {
        if (store.get().status === 'exported') store.set({ status: 'exported', ...known, address, key: 'gone' })
      },
    })
  }

  const showKey = (isShown: boolean) => {
    const state = store.get()
    if (state.status !== 'exported' || state.key === 'gone' || (isShown && !attention.get())) return
    store.set({ ...state, key: isShown ? 'shown' : 'hidden' })
  }

  const privateKey = () => {
    const state = store.get()
    return state.status === 'exported' && state.key === 'shown' ? held?.text() : undefined
  }

  const copyKey = async () => {
    const text = held?.text()
    if (text === undefined || !attention.get()) return false
    return navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    )
  }

  const fail = (failure: ReturnType<typeof failureOf>) => {
    const state = store.get()
    const requester = 'requester' in state ? state.requester : undefined
    store.set({ status: 'failed', page, requester, failure })
  }

  /** What was prepared and got no answer is sent again as it was, as long as the person keeps the password. */
  const commitPassword = (password: string) => (opening: PortalOpening) =>
    Effect.gen(function* () {
      const commit =
        prepared?.password === password ? prepared.commit : yield* preparePassword(opening, password)
      prepared = { password, commit }
      yield* commit
      prepared = undefined
      return { missing: 0 }
    })

  /** A passkey that was made is the one that is stored: the device is not asked for another one. */
  const commitPasskey = (opening: PortalOpening) =>
    Effect.gen(function* () {
      const commit = prepared === undefined ? yield* preparePasskey(opening) : prepared.commit
      prepared = { password: undefined, commit }
      yield* commit
      prepared = undefined
      return { missing: 0 }
    })

  const leave = async () => {
    const state = store.get()
    held?.wipe()
    if (state.status === 'exported') {
      const { page, requester, account } = state
      store.set({ status: 'done', page, requester, account, ends: 'closes', missing: 0 })
      await run(Effect.flatMap(Navigation, ({ close }) => close))
      return
    }
    const requester = 'requester' in state ? state.requester : undefined
    const isReturning = opening?.admission.kind === 'redirect'
    const returnUrl = isReturning ? opening?.returnUrl : undefined
    const failure = state.status === 'ready' || state.status === 'failed' ? state.failure : undefined
    store.set({ status: 'left', requester, isCertain: failure === undefined || !unanswered.has(failure.code) })
    // An app that waits for an export waits for nothing else.
    const told = opening !== undefined && isForOpenerAlone(opening) ? tell(opening, 'cancelled') : Effect.void
    const away = Effect.flatMap(Navigation, ({ close, redirect }) =>
      returnUrl === undefined ? close : redirect(returnUrl),
    )
    await run(Effect.andThen(told, away))
  }

  if (page !== undefined) void begin(page)
  return {
    subscribe: store.subscribe,
    get: store.get,
    host: hostOf(originOf(url)),
    theme: themeAt(url),
    attention,
    proceed,
    createPassword: (password) => work(commitPassword(password)),
    loginWithPassword: (password) => work((opening) => Effect.map(loginWithPassword(opening, password), countMissing)),
    createPasskey: () => work(commitPasskey),
    loginWithPasskey: () => work((opening) => Effect.map(loginWithPasskey(opening), countMissing)),
    exportWithPassword: (password) => work((opening) => exportWithPassword(opening, password)),
    exportWithPasskey: () => work(exportWithPasskey),
    showKey,
    privateKey,
    copyKey,
    retry: async () => {
      const state = store.get()
      if (state.status === 'failed' && state.failure.retry === 'reopen' && page !== undefined) await begin(page)
    },
    leave,
  }
}

/** After these nobody here knows whether the service has done what it was asked. */
const unanswered: ReadonlySet<string> = new Set(['Offline', 'Unavailable', 'RequestStillRunning', 'InternalError'])

type Commit = Effect.Success<ReturnType<typeof preparePassword> | ReturnType<typeof preparePasskey>>

/** How many wallets have no backup that this credential opens. */
type Worked = { readonly missing: number }

const countMissing = ({ missing }: { readonly missing: readonly string[] }): Worked => ({ missing: missing.length })

const requesterOf = ({ partner, hostOrigin }: Arrival): Requester => ({
  app: partner.displayName,
  origin: hostOrigin,
})

/** Before a login only the link may say whose page it is. */
const accountOf = (opening: PortalOpening): string | undefined =>
  shownAccount((isNamed(opening) ? opening.identity : opening.parameters) ?? {})

const isNamed = ({ identity = {} }: PortalOpening): boolean => Identity.fromAuthObject(identity) !== undefined

/** What a page offers once it is the person's turn. */
const readyOn = Effect.fn('portal.readyOn')(function* (page: PortalPage, opening: PortalOpening | undefined) {
  const { hosts, apiKey } = yield* Settings
  const identity = opening === undefined ? undefined : identityOf(opening)
  const email = identity?.kind === 'email' ? identity.email : undefined
  const isLogin = page === 'login-password' || page === 'login-passkey'
  const recoverUrl = isLogin && apiKey !== undefined ? ConnectUrl.recover(hosts.connect, { apiKey, email }) : undefined
  const { walletAddress: address, authMethods = [] } = opening ?? {}
  const exporting = address === undefined ? undefined : { address, methods: authMethods.map(fromWire) }
  return { passkeys: yield* passkeysOn(page), recoverUrl, exporting }
})

/** Only a page about passkeys asks whether it can do what it is for. */
const passkeysOn = Effect.fn('portal.passkeysOn')(function* (page: PortalPage) {
  const { canCreate, canGet } = yield* Passkeys
  if (page === 'create-passkey') return yield* canCreate
  return page === 'login-passkey' || page === 'export' ? yield* canGet : false
})
