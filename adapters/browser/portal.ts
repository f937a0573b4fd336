/**
 * A page of the portal as its React components see it: a state and verbs. A verb's promise resolves when it is over;
 * its outcome is in the state. The flows of `domain/client` do the work, with time, windows and the service behind
 * ports.
 */
import * as Clock from 'effect/Clock'
import type * as Context from 'effect/Context'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import * as Layer from 'effect/Layer'
import * as Redacted from 'effect/Redacted'
import * as Result from 'effect/Result'
import * as Scope from 'effect/Scope'
import { preparePasskey } from '../../domain/client/portal/createPasskey.ts'
import { preparePassword } from '../../domain/client/portal/createPassword.ts'
import { exportWithPasskey, exportWithPassword, type PrivateKey } from '../../domain/client/portal/exportPrivateKey.ts'
import { loginWithPasskey } from '../../domain/client/portal/loginWithPasskey.ts'
import { loginWithPassword } from '../../domain/client/portal/loginWithPassword.ts'
import {
  acceptReview,
  acceptWithPasskey,
  acceptWithPassword,
  denyReview,
  loadReview,
  lookAtReview,
  type Review,
  type ReviewEnd,
} from '../../domain/client/portal/review.ts'
import {
  startPortalSession,
  beginPage,
  endsHere,
  identityOf,
  isForOpenerAlone,
  tell,
  type NewPortalSession,
  type PortalSession,
} from '../../domain/client/portal/portalSession.ts'
import type { Api } from '../../domain/client/ports/Api.ts'
import { Navigation } from '../../domain/client/ports/Navigation.ts'
import type { Opener } from '../../domain/client/ports/Opener.ts'
import { Passkeys } from '../../domain/client/ports/Passkeys.ts'
import type { PasswordHash } from '../../domain/client/ports/PasswordHash.ts'
import { Progress } from '../../domain/client/ports/Progress.ts'
import type { Random } from '../../domain/client/ports/Random.ts'
import type { Rsa, SeededRsa } from '../../domain/client/ports/Rsa.ts'
import { Settings } from '../../domain/client/ports/Settings.ts'
import type { ApiError } from '../../domain/model/ApiError.ts'
import * as ConnectUrl from '../../domain/model/ConnectUrl.ts'
import { fromWire } from '../../domain/model/Credential.ts'
import * as Identity from '../../domain/model/Identity.ts'
import * as PortalUrl from '../../domain/model/PortalUrl.ts'
import type { PortalPage } from '../../domain/model/PortalUrl.ts'
import type { Theme } from '../../domain/model/Theme.ts'
import { hostOf, originOf } from '../../domain/model/Url.ts'
import { failureOf, failureToBegin, type Failure } from './portal/failure.ts'
import { holdKey, type HeldKey } from './portal/heldKey.ts'
import { shownAccount, type Known, type PortalState, type Requester } from './portal/PortalState.ts'
import { begun, planOf } from './portal/work.ts'
import { makeStore, type Readable } from './store.ts'

export type { Failure } from './portal/failure.ts'
export type { PortalPage } from '../../domain/model/PortalUrl.ts'
export type { PortalState, Requester } from './portal/PortalState.ts'
export type { Content, Review } from '../../domain/client/portal/review.ts'
export type { WorkStep, WorkStepName } from './portal/work.ts'

export type Portal = Readable<PortalState> & {
  /** The page's host with its port, shown to be compared with the address bar. */
  readonly host: string
  /** How the app wants its pages to look. */
  readonly theme: Theme
  /** Whether deciding buttons may be pressed (attention.ts). Deciding verbs do nothing before. */
  readonly attention: Readable<boolean>
  /** The person confirms that this app is meant. */
  readonly proceed: () => Promise<void>
  readonly createPassword: (password: string) => Promise<void>
  readonly loginWithPassword: (password: string) => Promise<void>
  readonly createPasskey: () => Promise<void>
  readonly loginWithPasskey: () => Promise<void>
  readonly exportWithPassword: (password: string) => Promise<void>
  readonly exportWithPasskey: () => Promise<void>
  /** Accepts exactly what the page shows. */
  readonly acceptReview: () => Promise<void>
  readonly acceptWithPassword: (password: string) => Promise<void>
  readonly acceptWithPasskey: () => Promise<void>
  /** Works before the page had attention as well: it signs nothing. */
  readonly denyReview: () => Promise<void>
  /** Shows the exported key, or hides it. */
  readonly showKey: (isShown: boolean) => void
  /** `0x` and 64 digits; only while the key is shown. */
  readonly privateKey: () => string | undefined
  /** Whether it is in the clipboard now. */
  readonly copyKey: () => Promise<boolean>
  /** Begins again where a page could not begin. */
  readonly retry: () => Promise<void>
  /** The person cancels. */
  readonly leave: () => Promise<void>
}

/** The dependencies of a page. */
export type PortalServices = Api | Rsa | PasswordHash | Random | Opener | Navigation | Passkeys | SeededRsa | Settings

export type PortalParts = {
  readonly url: string
  readonly services: Layer.Layer<PortalServices, ApiError>
  readonly attention: Readable<boolean>
}

/** Which page an address shows. */
const pageAt = (url: string): PortalPage | undefined => {
  const type = Result.getOrUndefined(PortalUrl.read(url))?.addressedPage.type
  return PortalUrl.pages.find((page) => page === type)
}

/** The theme in an address. */
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
  let attempt = Scope.makeUnsafe()
  let context: Context.Context<PortalServices> | undefined
  let asked: Effect.Effect<PortalSession, ApiError, Api> | undefined
  let portalSession: PortalSession | undefined
  let held: HeldKey | undefined
  /** The prepared credential, which a retry sends again. `password` is undefined for a passkey. */
  let prepared: { readonly password: Redacted.Redacted | undefined; readonly commit: Commit } | undefined

  /** The services are built with the first flow that succeeds in it, and last as long as the window. */
  const run = <A, E>(flow: Effect.Effect<A, E, PortalServices>) =>
    Effect.runPromiseExit(
      Effect.gen(function* () {
        context ??= yield* Layer.buildWithScope(services, lasting)
        return yield* Effect.provide(flow, context)
      }),
    )

  const begin = async (page: PortalPage) => {
    asked = portalSession = prepared = undefined
    store.set({ status: 'starting', page, requester: undefined })
    const former = attempt
    const scope = (attempt = Scope.makeUnsafe())
    const flow = Effect.gen(function* () {
      yield* Scope.close(former, Exit.void)
      const newPortalSession = yield* startPortalSession()
      store.set({ status: 'starting', page, requester: requesterOf(newPortalSession) })
      const begun = yield* beginPage(newPortalSession)
      if (begun.kind === 'entered') return yield* enter(page, begun.portalSession)
      asked = begun.proceed
      const account = shownAccount(newPortalSession.parameters)
      store.set({
        status: 'asking',
        page,
        requester: requesterOf(newPortalSession),
        account,
        named: 'link',
        why: 'ask',
      })
    })
    const exit = await run(Effect.provideService(flow, Scope.Scope, scope))
    if (Exit.isFailure(exit)) fail(failureToBegin(exit.cause))
  }

  /** A page that returns by redirect asks the person first: it could not prove its opener. */
  const enter = Effect.fn('portal.enter')(function* (page: PortalPage, entered: PortalSession) {
    portalSession = entered
    const known = { page, requester: requesterOf(entered), account: accountOf(entered) }
    if (entered.admission.kind !== 'redirect') return yield* showReady(known)
    store.set({ status: 'asking', ...known, named: isNamed(entered) ? 'service' : 'link', why: 'redirect' })
  })

  /** The person's turn, or the end of a review that was decided before. */
  const showReady = Effect.fn('portal.showReady')(function* (known: Known) {
    const ready = yield* readyOn(known.page, portalSession)
    if ('end' in ready) {
      store.set({ status: 'reviewed', ...known, end: ready.end, by: undefined })
      return
    }
    store.set({ status: 'ready', ...known, failure: undefined, ...ready })
    if (ready.reviewing !== undefined) yield* Effect.forkScoped(endReview(ready.reviewing.review))
  })

  /**
   * At the end of its time nothing can be accepted here any more; the partner or another window may have accepted before.
   * The end of a decision that is on its way shows what became of it.
   */
  const endReview = Effect.fn('portal.endReview')(function* ({ endsAt, by }: Review) {
    yield* Effect.sleep(Math.max(0, endsAt - (yield* Clock.currentTimeMillis)))
    const state = store.get()
    if (state.status !== 'ready' || portalSession === undefined) return
    const { page, requester, account } = state
    const seen = yield* lookAtReview(portalSession)
    // The person may have decided or left during the look.
    if (store.get().status !== 'ready') return
    const end = seen === 'pending' ? 'expired' : (seen ?? 'over')
    store.set({ status: 'reviewed', page, requester, account, end, by })
  })

  /** How a review ended before or during a try that failed: the try itself may have accepted it, or another did. */
  const endAfter = async ({ code }: Failure, reviewing: Reviewing): Promise<ReviewEnd | 'expired' | undefined> => {
    const isUnanswered = unanswered.has(code)
    if (portalSession === undefined || reviewing === undefined || !(isUnanswered || isOver(reviewing))) return undefined
    const exit = await run(lookAtReview(portalSession))
    const seen = Exit.isSuccess(exit) ? exit.value : undefined
    if (seen === 'used' || seen === 'over') return seen
    if (!isOver(reviewing)) return undefined
    // A decision without an answer may still arrive.
    return seen === 'pending' && !isUnanswered ? 'expired' : 'over'
  }

  const proceed = async () => {
    const state = store.get()
    if (state.status !== 'asking' || !attention.get()) return
    const { page, requester, account } = state
    store.set({ status: 'starting', page, requester })
    const exit = await run(
      Effect.gen(function* () {
        if (asked !== undefined) portalSession = yield* asked
        const whose = portalSession === undefined ? account : accountOf(portalSession)
        yield* showReady({ page, requester, account: whose })
      }).pipe(Effect.provideService(Scope.Scope, attempt)),
    )
    if (Exit.isFailure(exit)) fail(failureToBegin(exit.cause))
  }

  /** Does the page's work: one at a time, and unless it is `harmless` only while the person's attention is given. */
  const work = async <E>(
    flow: (portalSession: PortalSession) => Effect.Effect<Worked | PrivateKey | Decided, E, PortalServices>,
    { harmless = false } = {},
  ) => {
    const state = store.get()
    if (state.status !== 'ready' || portalSession === undefined || (!harmless && !attention.get())) return
    const { page, requester, account, passkeys, recoverUrl, exporting, reviewing } = state
    const known = { page, requester, account }
    const ready = { passkeys, recoverUrl, exporting, reviewing }
    let steps = planOf(page)
    store.set({ status: 'working', ...known, ...ready, steps })
    const told = Effect.provideService(flow(portalSession), Progress, ({ step }) => {
      steps = begun(steps, step)
      store.set({ status: 'working', ...known, ...ready, steps })
    })
    const exit = await run(told)
    if (Exit.isSuccess(exit)) {
      if ('secret' in exit.value) {
        hold(known, exit.value)
        return
      }
      if ('end' in exit.value) {
        store.set({ status: 'reviewed', ...known, end: exit.value.end, by: reviewing?.review.by })
        return
      }
      const ends = portalSession.admission.kind === 'redirect' ? 'returns' : 'closes'
      store.set({ status: 'done', ...known, ends, missing: exit.value.missing })
      return
    }
    const failure = failureOf(exit.cause)
    const end = await endAfter(failure, reviewing)
    if (end !== undefined) store.set({ status: 'reviewed', ...known, end, by: reviewing?.review.by })
    else if (failure.retry === 'again') store.set({ status: 'ready', ...known, ...ready, failure })
    else fail(failure)
  }

  /** Decides about the review that the page shows. */
  const decide = <E>(
    flow: (portalSession: PortalSession, review: Review) => Effect.Effect<ReviewEnd, E, PortalServices>,
    options?: { readonly harmless: boolean },
  ) => {
    const state = store.get()
    const reviewing = state.status === 'ready' ? state.reviewing : undefined
    if (reviewing === undefined) return Promise.resolve()
    const { review } = reviewing
    return work((portalSession) => Effect.map(flow(portalSession, review), (end) => ({ end })), options)
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

  /** A prepared commit without an answer is sent again unchanged, as long as the password is the same. */
  const commitPassword = (password: Redacted.Redacted) => (portalSession: PortalSession) =>
    Effect.gen(function* () {
      const isPrepared =
        prepared?.password !== undefined && Redacted.value(prepared.password) === Redacted.value(password)
      const commit = prepared && isPrepared ? prepared.commit : yield* preparePassword(portalSession, password)
      prepared = { password, commit }
      yield* commit
      prepared = undefined
      return { missing: 0 }
    })

  /** A retry stores the passkey that was made already, so the device does not make another one. */
  const commitPasskey = (portalSession: PortalSession) =>
    Effect.gen(function* () {
      const commit = prepared === undefined ? yield* preparePasskey(portalSession) : prepared.commit
      prepared = { password: undefined, commit }
      yield* commit
      prepared = undefined
      return { missing: 0 }
    })

  const leave = async () => {
    const state = store.get()
    held?.wipe()
    if (state.status === 'exported' || state.status === 'reviewed') {
      if (state.status === 'exported') {
        const { page, requester, account } = state
        store.set({ status: 'done', page, requester, account, ends: 'closes', missing: 0 })
      }
      await run(Effect.flatMap(Navigation, ({ close }) => close))
      return
    }
    const requester = 'requester' in state ? state.requester : undefined
    const isReturning = portalSession?.admission.kind === 'redirect' && !endsHere(portalSession)
    const returnUrl = isReturning ? portalSession?.returnUrl : undefined
    const failure = state.status === 'ready' || state.status === 'failed' ? state.failure : undefined
    store.set({ status: 'left', requester, isCertain: failure === undefined || !unanswered.has(failure.code) })
    // On an export the app has nothing else to wait for, so it is told of the cancellation.
    const told =
      portalSession !== undefined && isForOpenerAlone(portalSession) ? tell(portalSession, 'cancelled') : Effect.void
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
    createPassword: (password) => work(commitPassword(Redacted.make(password))),
    loginWithPassword: (password) =>
      work((portalSession) => Effect.map(loginWithPassword(portalSession, Redacted.make(password)), countMissing)),
    createPasskey: () => work(commitPasskey),
    loginWithPasskey: () => work((portalSession) => Effect.map(loginWithPasskey(portalSession), countMissing)),
    exportWithPassword: (password) =>
      work((portalSession) => exportWithPassword(portalSession, Redacted.make(password))),
    exportWithPasskey: () => work(exportWithPasskey),
    acceptReview: () => decide(acceptReview),
    acceptWithPassword: (password) =>
      decide((portalSession, review) => acceptWithPassword(portalSession, review, Redacted.make(password))),
    acceptWithPasskey: () => decide(acceptWithPasskey),
    denyReview: () => decide(denyReview, { harmless: true }),
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

/** After these it is unknown whether the service has done what it was asked. */
const unanswered: ReadonlySet<string> = new Set(['Offline', 'Unavailable', 'RequestStillRunning', 'InternalError'])

type Decided = { readonly end: ReviewEnd }

type Reviewing = Extract<PortalState, { readonly status: 'ready' }>['reviewing']

const isOver = ({ review }: NonNullable<Reviewing>): boolean => Date.now() >= review.endsAt

type Commit = Effect.Success<ReturnType<typeof preparePassword> | ReturnType<typeof preparePasskey>>

/** How many wallets have no backup that this credential opens. */
type Worked = { readonly missing: number }

const countMissing = ({ missing }: { readonly missing: readonly string[] }): Worked => ({ missing: missing.length })

const requesterOf = ({ partner, hostOrigin }: NewPortalSession): Requester => ({
  app: partner.displayName,
  origin: hostOrigin,
})

/** The account by the service, or before a login by the link, which is not verified. */
const accountOf = (portalSession: PortalSession): string | undefined =>
  shownAccount((isNamed(portalSession) ? portalSession.identity : portalSession.parameters) ?? {})

const isNamed = ({ identity = {} }: PortalSession): boolean => Identity.fromAuthObject(identity) !== undefined

/** What a page offers when it is ready for the person. */
const readyOn = Effect.fn('portal.readyOn')(function* (page: PortalPage, portalSession: PortalSession | undefined) {
  const { hosts, apiKey } = yield* Settings
  const identity = portalSession === undefined ? undefined : identityOf(portalSession)
  const email = identity?.kind === 'email' ? identity.email : undefined
  const isLogin = page === 'login-password' || page === 'login-passkey'
  const recoverUrl = isLogin && apiKey !== undefined ? ConnectUrl.recover(hosts.connect, { apiKey, email }) : undefined
  const { walletAddress: address, authMethods = [] } = portalSession ?? {}
  const methods = authMethods.map(fromWire)
  const exporting = address === undefined ? undefined : { address, methods }
  const review = page === 'review' && portalSession !== undefined ? yield* loadReview(portalSession) : undefined
  if (typeof review === 'string') return { end: review }
  const reviewing = review && { review, methods }
  return { passkeys: yield* passkeysOn(page), recoverUrl, exporting, reviewing }
})

/** Only a page about passkeys asks the browser whether it has them. */
const passkeysOn = Effect.fn('portal.passkeysOn')(function* (page: PortalPage) {
  const { canCreate, canGet } = yield* Passkeys
  if (page === 'create-passkey') return yield* canCreate
  return page === 'login-passkey' || page === 'export' || page === 'review' ? yield* canGet : false
})
