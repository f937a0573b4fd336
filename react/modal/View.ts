/**
 * The modal's views as a pure reducer: one question per view, and an event decides which one is next. Nothing here
 * calls the SDK.
 */
import type { AuthMethod } from '../../domain/model/Credential.ts'
import type { SessionSnapshot, Step } from '../../adapters/browser/sdk.ts'
import type { Doing, Problem, Purpose } from './Problem.ts'

export type View =
  /** The session is being asked for. */
  | { readonly at: 'start' }
  | {
      readonly at: 'email'
      readonly email: string
      readonly isBusy: boolean
      readonly problem?: Problem | undefined
    }
  /** A user is signed in who cannot sign on this device: a login of the same user brings the key shares. */
  | {
      readonly at: 'locked'
      readonly email: string
      readonly isBusy: boolean
      readonly problem?: Problem | undefined
    }
  | {
      readonly at: 'code'
      readonly email: string
      readonly isBusy: boolean
      /** The number of refused codes: the field is emptied after each. */
      readonly refusals: number
      /** A second code was sent: the first is no longer valid. */
      readonly isResent: boolean
      readonly problem?: Problem | undefined
    }
  /** The e-mail is proven: passkey or password? */
  | { readonly at: 'protect'; readonly email: string; readonly problem?: Problem | undefined }
  | {
      readonly at: 'login'
      readonly email: string
      readonly methods: readonly AuthMethod[]
      readonly isBusy: boolean
      /** It is of the user who is signed in already. */
      readonly isLocked: boolean
      readonly problem?: Problem | undefined
    }
  /** A window of the portal is open, or the work after it is under way. */
  | {
      readonly at: 'working'
      readonly purpose: Purpose | 'finish'
      readonly steps: readonly Step[]
      /** The view to which a failure leads back. */
      readonly back: Extract<View, { at: 'protect' | 'login' | 'unfinished' }>
    }
  /** Signed in, but wallets are missing: a sign-up was interrupted. */
  | { readonly at: 'unfinished'; readonly email: string; readonly problem?: Problem | undefined }
  | {
      readonly at: 'account'
      readonly busy?: Busy | undefined
      /** Wallets that the login could not bring here: they need recovery. */
      readonly missing: number
      /** A recovery, if there was one, is cancelled. */
      readonly isStopped?: boolean | undefined
      readonly problem?: Problem | undefined
    }

/** What goes on in the account's view: the user signs out, or recoveries are being cancelled. */
type Busy = Extract<Doing, 'signing-out' | 'stopping'>

export type Happened =
  | { readonly type: 'opened'; readonly session: SessionSnapshot }
  | { readonly type: 'session'; readonly session: SessionSnapshot }
  | { readonly type: 'typed'; readonly email: string }
  | { readonly type: 'asked' }
  | { readonly type: 'stranger' }
  | { readonly type: 'known'; readonly methods: readonly AuthMethod[] }
  | { readonly type: 'verified' }
  | { readonly type: 'resent' }
  | { readonly type: 'window' }
  | { readonly type: 'step'; readonly step: Step }
  | { readonly type: 'done'; readonly missing: number }
  | { readonly type: 'busy'; readonly busy: Busy }
  | { readonly type: 'stopped' }
  | { readonly type: 'back' }
  /** `hasAccount`: the window has done its work, and only wallets are missing. */
  | { readonly type: 'failed'; readonly problem: Problem; readonly hasAccount: boolean }

export const first: View = { at: 'start' }

export const next = (view: View, happened: Happened): View => {
  switch (happened.type) {
    case 'opened':
      return view.at === 'working' || view.at === 'code' || view.at === 'protect' ? view : viewOf(happened.session)
    case 'session':
      return followed(view, happened.session)
    case 'typed':
      return view.at === 'email' || view.at === 'locked' ? { ...view, email: happened.email, problem: undefined } : view
    case 'asked':
      return 'isBusy' in view ? { ...view, isBusy: true, problem: undefined } : view
    case 'stranger':
      return 'email' in view ? { at: 'code', email: view.email, isBusy: false, refusals: 0, isResent: false } : view
    case 'known':
      return view.at === 'email' || view.at === 'locked' ? toLogin(view, happened.methods) : view
    case 'verified':
      return view.at === 'code' ? { at: 'protect', email: view.email } : view
    case 'resent':
      return view.at === 'code' ? { ...view, isBusy: false, isResent: true } : view
    case 'window':
      return opened(view)
    case 'step':
      return view.at === 'working' ? { ...view, steps: [...view.steps, happened.step] } : view
    case 'done':
      return { at: 'account', missing: happened.missing }
    case 'busy':
      return view.at === 'account' ? { ...view, busy: happened.busy, problem: undefined } : view
    case 'stopped':
      return view.at === 'account' ? { ...view, busy: undefined, isStopped: true } : view
    case 'back':
      return view.at === 'working' ? view.back : emailView('email' in view ? view.email : '')
    case 'failed':
      return failed(view, happened)
  }
}

/** The question of the view, as the dialog's title. */
export const titleOf = (view: View, appName: string): string => {
  switch (view.at) {
    case 'start':
    case 'email':
      return `Sign in to ${appName}`
    case 'locked':
      return 'Sign in again'
    case 'code':
      return 'Check your email'
    case 'protect':
      return 'Protect your wallets'
    case 'login':
      return 'Welcome back'
    case 'working':
      return view.purpose === 'login' ? 'Signing you in' : 'Creating your wallets'
    case 'unfinished':
      return 'One more step'
    case 'account':
      return 'Your account'
  }
}

/** The first view, by the state of the session. */
const viewOf = ({ status, setup, email = '' }: SessionSnapshot): View => {
  switch (status) {
    case 'loading':
      return first
    case 'anonymous':
      return emailView(email)
    case 'needs-setup':
      return setup === 'credential' ? { at: 'protect', email } : { at: 'unfinished', email }
    case 'locked':
      return { at: 'locked', email, isBusy: false }
    case 'ready':
      return { at: 'account', missing: 0 }
  }
}

const emailView = (email: string) => ({ at: 'email', email, isBusy: false }) as const

const toLogin = ({ at, email }: Extract<View, { at: 'email' | 'locked' }>, methods: readonly AuthMethod[]): View => ({
  at: 'login',
  email,
  methods,
  isBusy: false,
  isLocked: at === 'locked',
})

/** Changes by another tab or by the end of the session. A call that is under way here is left to its own outcome. */
const followed = (view: View, session: SessionSnapshot): View => {
  if (view.at === 'working' || session.status === 'loading') return view
  const isSignedIn = session.status === 'ready'
  const isStale =
    view.at === 'start' || (view.at === 'account' ? !isSignedIn : isSignedIn || isOvertaken(view, session))
  return isStale ? viewOf(session) : view
}

/** The session's state wins over the view: a step may be done already, or has to be done again. */
const isOvertaken = (view: View, { status, setup }: SessionSnapshot): boolean => {
  switch (view.at) {
    case 'email':
      return (status === 'needs-setup' || status === 'locked') && !view.isBusy
    case 'locked':
      return status !== 'locked'
    case 'login':
      return view.isLocked && status !== 'locked'
    case 'protect':
      return status === 'locked' || setup === 'wallets'
    case 'unfinished':
      return status === 'locked'
    default:
      return false
  }
}

const opened = (view: View): View => {
  switch (view.at) {
    case 'protect':
      return { at: 'working', purpose: 'set-up', steps: [], back: { at: 'protect', email: view.email } }
    case 'login':
      return {
        at: 'working',
        purpose: 'login',
        steps: [],
        back: { at: 'login', email: view.email, methods: view.methods, isBusy: false, isLocked: view.isLocked },
      }
    case 'unfinished':
      return { at: 'working', purpose: 'finish', steps: [], back: { at: 'unfinished', email: view.email } }
    default:
      return view
  }
}

/** A failure leads back to the question before it; earlier steps are kept. */
const failed = (view: View, { problem, hasAccount }: Extract<Happened, { type: 'failed' }>): View => {
  switch (view.at) {
    case 'start':
      return view
    case 'working':
      return hasAccount && view.purpose === 'set-up'
        ? { at: 'unfinished', email: view.back.email, problem }
        : { ...view.back, problem }
    case 'protect':
    case 'unfinished':
      return { ...view, problem }
    case 'code':
      return { ...view, isBusy: false, isResent: false, refusals: view.refusals + (problem.isOfField ? 1 : 0), problem }
    case 'account':
      return { ...view, busy: undefined, problem }
    default:
      return { ...view, isBusy: false, problem }
  }
}
