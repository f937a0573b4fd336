import { describe, expect, it } from 'vitest'
import type { SessionSnapshot } from '../../adapters/browser/sdk.ts'
import type { Problem } from '../../react/modal/Problem.ts'
import { first, next, type Happened, type View } from '../../react/modal/View.ts'
import { anonymous, loading } from './fakeClient.ts'

const ready: SessionSnapshot = { status: 'ready', userId: 'u', email: 'ada@example.com', wallets: [] }
const problem: Problem = { title: 'No connection', text: 'Try again.', isOfField: false }

const after = (...happened: readonly Happened[]): View => happened.reduce(next, first)

const opened: Happened = { type: 'opened', session: anonymous }
const typed: Happened = { type: 'typed', email: 'ada@example.com' }
const typedView = { at: 'email', email: 'ada@example.com' }
const toCode: readonly Happened[] = [opened, typed, { type: 'asked' }, { type: 'stranger' }]
const toProtect: readonly Happened[] = [...toCode, { type: 'asked' }, { type: 'verified' }]
const toLogin: readonly Happened[] = [opened, typed, { type: 'asked' }, { type: 'known', methods: ['PASSWORD'] }]

describe('the modal', () => {
  it('waits for the session and then shows its next step', () => {
    expect(after({ type: 'opened', session: loading })).toEqual({ at: 'start' })
    expect(after({ type: 'opened', session: loading }, { type: 'session', session: anonymous }).at).toBe('email')
    expect(after({ type: 'opened', session: ready }).at).toBe('account')
    expect(after({ type: 'opened', session: { ...ready, status: 'locked' } })).toEqual({
      at: 'locked',
      email: 'ada@example.com',
      isBusy: false,
    })
  })

  it('continues a sign-up that a reload interrupted', () => {
    const interrupted = { ...ready, status: 'needs-setup' } as const

    expect(after({ type: 'opened', session: { ...interrupted, setup: 'credential' } }).at).toBe('protect')
    expect(after({ type: 'opened', session: { ...interrupted, setup: 'wallets' } }).at).toBe('unfinished')
  })

  it('leads a stranger from the code to a window and to the account', () => {
    expect(after(...toCode)).toMatchObject({ at: 'code', email: 'ada@example.com', isBusy: false })
    expect(after(...toProtect)).toEqual({ at: 'protect', email: 'ada@example.com' })
    const working = after(...toProtect, { type: 'window' }, { type: 'step', step: { step: 'portal' } })
    expect(working).toMatchObject({ at: 'working', purpose: 'set-up', steps: [{ step: 'portal' }] })
    expect(next(working, { type: 'done', missing: 0 })).toEqual({ at: 'account', missing: 0 })
  })

  it('shows what the account is busy with until it is over, and that a recovery is cancelled', () => {
    const stopping = after({ type: 'opened', session: ready }, { type: 'busy', busy: 'stopping' })
    expect(stopping).toEqual({ at: 'account', missing: 0, busy: 'stopping' })
    expect(next(stopping, { type: 'stopped' })).toEqual({ at: 'account', missing: 0, isStopped: true })
    const failed = next(stopping, { type: 'failed', problem, hasAccount: false })
    expect(failed).toEqual({ at: 'account', missing: 0, problem })
    expect(next(failed, { type: 'busy', busy: 'signing-out' })).toEqual({
      at: 'account',
      missing: 0,
      busy: 'signing-out',
    })
  })

  it('offers a known user the methods that they can sign in with', () => {
    expect(after(...toLogin)).toMatchObject({ at: 'login', methods: ['PASSWORD'] })
    expect(after(...toLogin, { type: 'window' })).toMatchObject({ at: 'working', purpose: 'login' })
  })

  it('lets a stranger sign up where the service does not tell which accounts exist', () => {
    expect(after(...toLogin, { type: 'asked' }, { type: 'stranger' })).toMatchObject({
      at: 'code',
      email: 'ada@example.com',
    })
  })

  it('keeps its step after a failure, and shows the failure', () => {
    const failed: Happened = { type: 'failed', problem, hasAccount: false }

    expect(after(opened, typed, { type: 'asked' }, failed)).toMatchObject({ ...typedView, isBusy: false, problem })
    expect(after(...toCode, { type: 'asked' }, failed)).toMatchObject({ at: 'code', isBusy: false, problem })
    expect(after(...toProtect, { type: 'window' }, failed)).toEqual({
      at: 'protect',
      email: 'ada@example.com',
      problem,
    })
    expect(after(...toLogin, { type: 'window' }, failed)).toMatchObject({ at: 'login', methods: ['PASSWORD'], problem })
  })

  it('goes on with the wallets once the window has done its work', () => {
    expect(after(...toProtect, { type: 'window' }, { type: 'failed', problem, hasAccount: true })).toEqual({
      at: 'unfinished',
      email: 'ada@example.com',
      problem,
    })
  })

  it('asks for a login where the window finished and this page missed the result', () => {
    const failed: Happened = { type: 'failed', problem, hasAccount: false }
    const locked: Happened = { type: 'session', session: { ...ready, status: 'locked' } }
    const again = { at: 'locked', email: 'ada@example.com' }

    expect(after(...toProtect, { type: 'window' }, failed, locked)).toMatchObject(again)
    expect(after({ type: 'opened', session: { ...ready, status: 'needs-setup' } }, locked)).toMatchObject(again)
  })

  it('clears the failure with the next try', () => {
    const view = after(
      ...toProtect,
      { type: 'window' },
      { type: 'failed', problem, hasAccount: false },
      { type: 'window' },
    )

    expect(view).toMatchObject({ at: 'working', back: { at: 'protect', email: 'ada@example.com' } })
    expect(next(view, { type: 'back' })).toEqual({ at: 'protect', email: 'ada@example.com' })
  })

  it('empties the field after a wrong code, and leaves it after a lost connection', () => {
    const wrong: Happened = { type: 'failed', problem: { ...problem, isOfField: true }, hasAccount: false }

    expect(after(...toCode, { type: 'asked' }, wrong)).toMatchObject({ refusals: 1 })
    expect(after(...toCode, { type: 'asked' }, { type: 'failed', problem, hasAccount: false })).toMatchObject({
      refusals: 0,
    })
  })

  it('shows the same step after it was closed in the middle of a sign-up', () => {
    expect(after(...toCode, opened).at).toBe('code')
    expect(after(...toProtect, opened).at).toBe('protect')
    expect(after(...toProtect, { type: 'window' }, opened).at).toBe('working')
    expect(after(...toLogin, opened).at).toBe('email')
  })

  it('follows a login and a logout of another tab, but never while it is at work itself', () => {
    const inSession: Happened = { type: 'session', session: ready }

    expect(after(...toCode, inSession).at).toBe('account')
    expect(after({ type: 'opened', session: ready }, { type: 'session', session: anonymous }).at).toBe('email')
    expect(after(...toProtect, { type: 'window' }, inSession).at).toBe('working')
    expect(after(...toProtect, { type: 'session', session: loading }).at).toBe('protect')
    expect(after(...toProtect, { type: 'session', session: { ...anonymous, email: 'ada@example.com' } }).at).toBe(
      'protect',
    )
  })

  it('continues at the step that another tab, or a return from the portal, has reached', () => {
    const verified: Happened = { type: 'session', session: { ...ready, status: 'needs-setup', setup: 'credential' } }
    const made: Happened = { type: 'session', session: { ...ready, status: 'needs-setup', setup: 'wallets' } }
    const locked: Happened = { type: 'opened', session: { ...ready, status: 'locked' } }

    expect(after(locked, made).at).toBe('unfinished')
    expect(after(locked, { type: 'known', methods: ['PASSWORD'] }, made).at).toBe('unfinished')
    expect(after(opened, { type: 'session', session: { ...ready, status: 'locked' } }).at).toBe('locked')
    expect(after(...toLogin, { type: 'session', session: anonymous }).at).toBe('login')
    expect(after(opened, verified).at).toBe('protect')
    expect(after(...toProtect, made).at).toBe('unfinished')
    expect(after(opened, typed, { type: 'asked' }, verified)).toMatchObject({ at: 'email', isBusy: true })
    expect(after(...toCode, verified).at).toBe('code')
  })

  it('shows the wallets that a login could not deliver', () => {
    expect(after(...toLogin, { type: 'window' }, { type: 'done', missing: 2 })).toMatchObject({
      at: 'account',
      missing: 2,
    })
  })
})
