/** The dialog's calls for each input of the person, their cancellation, and the next view. */
import { act, type ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { CallOptions } from '../../adapters/browser/sdk.ts'
import { accountSetup } from '../../domain/model/Events.ts'
import { ProviderContext } from '../../react/context.ts'
import type { Client } from '../../react/index.ts'
import { AccountView } from '../../react/modal/AccountView.tsx'
import { CodeView } from '../../react/modal/CodeView.tsx'
import { LockedView } from '../../react/modal/LockedView.tsx'
import { LoginView } from '../../react/modal/LoginView.tsx'
import { useFlow, type Flow } from '../../react/modal/useFlow.ts'
import { provide } from '../../react/Provided.ts'
import { anonymous, fakeClient, pending } from './fakeClient.ts'
import { mount } from './mount.ts'

const email = 'ada@example.com'
const ready = { status: 'ready', userId: 'ada', email, wallets: [] } as const
const verified = { ...ready, status: 'needs-setup', setup: 'credential' } as const

type Verb = Exclude<keyof Client, 'session' | 'on' | 'dispose'>
type Made = {
  readonly verb: Verb
  readonly input: readonly unknown[]
  readonly call: CallOptions
  readonly answer: ReturnType<typeof pending<unknown>>
}

const verbs: readonly Verb[] = [
  'cancelRecovery',
  'checkUserExists',
  'createUser',
  'finishSetup',
  'getSupportedAuthMethods',
  'login',
  'logout',
  'resendVerificationCode',
  'setUpPasskey',
  'setUpPassword',
  'verifyEmail',
]

/** The flow of a dialog, and the calls that its client gets: a cancelled one fails, as the SDK's do. */
const stage = async (session: Parameters<typeof fakeClient>[1] = anonymous) => {
  const calls: Made[] = []
  const made =
    (verb: Verb) =>
    async (...all: unknown[]) => {
      const { signal, onProgress, ...own } = all.at(-1) as CallOptions
      const call = { ...(signal && { signal }), ...(onProgress && { onProgress }) }
      const input = Object.keys(own).length > 0 ? [...all.slice(0, -1), own] : all.slice(0, -1)
      if (signal?.aborted === true) throw new Error('Connection canceled')
      const answer = pending<unknown>()
      calls.push({ verb, input, call, answer })
      signal?.addEventListener('abort', () => answer.reject(new Error('Connection canceled')))
      return answer.promise
    }
  const client = fakeClient(Object.fromEntries(verbs.map((verb) => [verb, made(verb)])), session)
  const provided = provide({ environment: 'DEV', apiKey: 'key', client })
  provided.hold()
  const over = vi.fn()
  const flows: Flow[] = []
  const Dialog = () => {
    const flow = useFlow('portal.example.com', over)
    flows.push(flow)
    return null
  }
  const tree = (children: ReactNode, of = provided) => (
    <ProviderContext.Provider value={of}>{children}</ProviderContext.Provider>
  )
  await mount(tree(<Dialog />))
  const last = (verb: Verb) => calls.findLast((call) => call.verb === verb)!
  return {
    client,
    over,
    secret: () => provided.modal.get().recoverySecret,
    view: () => flows.at(-1)!.view,
    /** The view as a browser gets it. */
    draw: () => {
      const flow = flows.at(-1)!
      const props = { flow, portalHost: 'portal.example.com' }
      const { view } = flow
      const drawn = { ...client, session: { ...client.session, getServer: client.session.get } }
      return renderToStaticMarkup(
        tree(
          <>
            {view.at === 'account' && <AccountView view={view} {...props} />}
            {view.at === 'code' && <CodeView view={view} {...props} />}
            {view.at === 'locked' && <LockedView view={view} {...props} />}
            {view.at === 'login' && <LoginView view={view} {...props} />}
          </>,
          provide({ environment: 'DEV', apiKey: 'key', client: drawn }),
        ),
      )
    },
    calls: () => calls.map(({ verb, input }) => [verb, ...input]),
    isCancelled: (verb: Verb) => last(verb).call.signal?.aborted,
    tell: (does: (flow: Flow) => void) => act(async () => does(flows.at(-1)!)),
    answer: (verb: Verb, value: unknown) => last(verb).answer.resolve(value),
    succeed: (verb: Verb, value?: unknown) => act(async () => last(verb).answer.resolve(value)),
    fail: (verb: Verb, error: unknown) => act(async () => last(verb).answer.reject(error)),
    report: (verb: Verb, ...steps: Parameters<NonNullable<CallOptions['onProgress']>>[0][]) =>
      act(async () => {
        for (const step of steps) last(verb).call.onProgress?.(step)
      }),
    setSession: (next: Parameters<typeof client.setSession>[0]) => act(async () => client.setSession(next)),
  }
}

/** The dialog with the code's view. */
const atCode = async () => {
  const staged = await stage()
  await staged.tell((flow) => flow.type(email))
  await staged.tell((flow) => flow.submitEmail(email))
  await staged.succeed('checkUserExists', false)
  await staged.succeed('createUser', 'ada')
  expect(staged.view()).toMatchObject({ at: 'code', email, isBusy: false })
  return staged
}

const refused = (tag: string) => Object.assign(new Error(tag), { _tag: tag })

afterEach(() => vi.unstubAllGlobals())

describe('a failure that the operator decided', () => {
  it.each([
    ['by name', { ...anonymous, operator: { name: 'Corner Bank' } }, 'Corner Bank'],
    ['by the portal’s host before the service has named them', anonymous, 'the wallet service at portal.example.com'],
  ])('names them %s', async (_, session, operator) => {
    const { tell, fail, view } = await stage(session)
    await tell((flow) => flow.type(email))
    await tell((flow) => flow.submitEmail(email))
    await fail('checkUserExists', refused('PartnerFrozen'))

    expect(view()).toMatchObject({
      problem: { text: `Nothing was changed. It is stopped for now by ${operator}.` },
    })
  })
})

describe('a sign-up', () => {
  it('asks whether the user exists, makes the user, and asks for the code', async () => {
    const { calls } = await atCode()

    expect(calls()).toEqual([
      ['checkUserExists', { email }],
      ['createUser', { email }],
    ])
  })

  it('creates no user when the person goes back as the answer arrives', async () => {
    const { tell, answer, view, isCancelled, calls } = await stage()

    await tell((flow) => flow.type(email))
    await tell((flow) => flow.submitEmail(email))
    await tell((flow) => {
      answer('checkUserExists', false)
      flow.back()
    })

    expect(isCancelled('checkUserExists')).toBe(true)
    expect(calls()).toEqual([['checkUserExists', { email }]])
    expect(view()).toEqual({ at: 'email', email, isBusy: false })
  })

  it('cancels the creation of a user when the person goes back, and shows no failure', async () => {
    const { tell, succeed, view, isCancelled } = await stage()

    await tell((flow) => flow.type(email))
    await tell((flow) => flow.submitEmail(email))
    await succeed('checkUserExists', false)
    await tell((flow) => flow.back())

    expect(isCancelled('createUser')).toBe(true)
    expect(view()).toEqual({ at: 'email', email, isBusy: false })
  })

  it('continues with a passkey or a password when the code is proven', async () => {
    const { tell, succeed, setSession, view, calls } = await atCode()

    await tell((flow) => flow.submitCode('123456'))
    expect(view()).toMatchObject({ at: 'code', isBusy: true })
    await setSession(verified)
    await succeed('verifyEmail')

    expect(calls().at(-1)).toEqual(['verifyEmail', '123456'])
    expect(view()).toEqual({ at: 'protect', email })
  })

  it('counts a refused code, and shows the reason', async () => {
    const { tell, fail, view } = await atCode()

    await tell((flow) => flow.submitCode('000000'))
    await fail('verifyEmail', refused('InvalidVerificationCode'))

    expect(view()).toMatchObject({ at: 'code', refusals: 1, isBusy: false, problem: { title: 'Incorrect code' } })
  })

  it('cancels the check of a code when another code is asked for', async () => {
    const { tell, succeed, view, isCancelled } = await atCode()

    await tell((flow) => flow.submitCode('123456'))
    await tell((flow) => flow.resendCode())
    expect(isCancelled('verifyEmail')).toBe(true)
    await succeed('resendVerificationCode')

    expect(view()).toMatchObject({ at: 'code', isResent: true, isBusy: false })
    expect(view()).toMatchObject({ problem: undefined })
  })
})

describe('a window of the portal', () => {
  const atLogin = async () => {
    const staged = await stage()
    await staged.tell((flow) => flow.type(email))
    await staged.tell((flow) => flow.submitEmail(email))
    await staged.succeed('checkUserExists', true)
    await staged.succeed('getSupportedAuthMethods', ['PASSWORD'])
    return staged
  }

  it('is opened within the click, and every step that it reports is listed', async () => {
    const { tell, report, view, calls } = await atLogin()

    await tell((flow) => {
      flow.openWindow('PASSWORD')
      expect(calls().at(-1)).toEqual(['login', { email, method: 'PASSWORD' }])
    })
    await report('login', { step: 'portal' }, { step: 'receiving' }, { step: 'verifying' })

    expect(view()).toMatchObject({
      at: 'working',
      steps: [{ step: 'portal' }, { step: 'receiving' }, { step: 'verifying' }],
    })
  })

  it('ends with the account, and the dialog closes when no wallet is missing', async () => {
    const { tell, succeed, setSession, view, over } = await atLogin()

    await tell((flow) => flow.openWindow('PASSWORD'))
    await setSession(ready)
    expect(view().at).toBe('working')
    await succeed('login', { missing: [] })

    expect(view()).toEqual({ at: 'account', missing: 0 })
    expect(over).toHaveBeenCalledOnce()
  })

  it('is closed when the person goes back, and opens again', async () => {
    const { tell, view, calls, isCancelled } = await atLogin()

    await tell((flow) => flow.openWindow('PASSWORD'))
    await tell((flow) => flow.back())
    expect(isCancelled('login')).toBe(true)
    expect(view()).toMatchObject({ at: 'login', email })
    await tell((flow) => flow.openWindow('PASSWORD'))

    expect(calls().filter(([verb]) => verb === 'login')).toHaveLength(2)
    expect(view().at).toBe('working')
  })

  it('leaves the recovery secret to the provider, which shows it however the call ends', async () => {
    const { tell, client, secret } = await stage(verified)

    await tell((flow) => flow.openWindow('PASSKEY'))
    client.emit(accountSetup, { walletIds: [], recoverySecret: 'secret' })

    expect(secret()).toBe('secret')
  })
})

describe('a signed-in user who cannot sign on this device', () => {
  const locked = { ...ready, status: 'locked' } as const
  const wordsOf = (drawn: string) => drawn.replace(/<[^>]*>/g, '')

  it('logs in again under the same address, which no field changes, and is asked nothing else', async () => {
    const { tell, succeed, view, draw, calls } = await stage(locked)

    expect(view()).toEqual({ at: 'locked', email, isBusy: false })
    expect(wordsOf(draw())).toContain(`You are signed in as ${email}.`)
    expect(draw()).not.toMatch(/<input|New here/)
    await tell((flow) => flow.submitEmail(email))
    await succeed('getSupportedAuthMethods', ['PASSWORD'])
    expect(wordsOf(draw())).toContain(`You are signed in as ${email}.`)
    expect(wordsOf(draw())).not.toMatch(/different email|have an account yet/)
    await tell((flow) => flow.openWindow('PASSWORD'))

    expect(calls()).toEqual([
      ['getSupportedAuthMethods', { email }],
      ['login', { email, method: 'PASSWORD' }],
    ])
    await tell((flow) => flow.back())
    expect(view()).toMatchObject({ at: 'login', isLocked: true })
  })

  it('gives the address where the session has none', async () => {
    const { view, draw, tell } = await stage({ ...locked, email: undefined } as never)

    expect(draw()).toMatch(/<input[^>]*name="email"/)
    expect(draw()).not.toContain('New here')
    await tell((flow) => flow.type(email))
    expect(view()).toEqual({ at: 'locked', email, isBusy: false, problem: undefined })
  })

  it('may sign out instead, and reads why that failed', async () => {
    const { tell, fail, succeed, setSession, view, over, draw } = await stage(locked)

    await tell((flow) => flow.signOut())
    expect(view()).toMatchObject({ at: 'locked', isBusy: true })
    await fail('logout', refused('TooManyAttempts'))
    expect(view()).toMatchObject({ at: 'locked', isBusy: false })
    expect(wordsOf(draw())).toContain('Too many attempts')
    await tell((flow) => flow.signOut())
    await setSession(anonymous)
    await succeed('logout')

    expect(over).toHaveBeenCalledOnce()
    expect(view().at).toBe('email')
  })
})

describe('the account', () => {
  it('is left by a logout, after which the dialog closes', async () => {
    const { tell, succeed, setSession, view, over, calls } = await stage(ready)

    expect(view().at).toBe('account')
    await tell((flow) => flow.signOut())
    expect(view()).toMatchObject({ busy: 'signing-out' })
    await setSession(anonymous)
    await succeed('logout')

    expect(calls()).toEqual([['logout', undefined]])
    expect(over).toHaveBeenCalledOnce()
    expect(view().at).toBe('email')
  })

  it('stays when the logout fails, and shows the failure', async () => {
    const { tell, fail, view, over } = await stage(ready)

    await tell((flow) => flow.signOut())
    await fail('logout', refused('ApiError'))

    expect(view()).toMatchObject({ at: 'account', busy: undefined, problem: { isOfField: false } })
    expect(over).not.toHaveBeenCalled()
  })

  it('shows that a recovery is being cancelled, with no button that can be pressed meanwhile, and then that it is', async () => {
    const { tell, succeed, view, draw } = await stage(ready)
    expect(draw()).not.toContain('aria-disabled="true"')

    await tell((flow) => flow.stopRecovery())
    expect(view()).toMatchObject({ busy: 'stopping' })
    const [signOut, stop] = draw().match(/<button.*?<\/button>/g) ?? []
    expect(signOut).toMatch(/aria-disabled="true".*>Sign out</)
    expect(stop).toMatch(/aria-disabled="true".*>Cancelling…</)
    await succeed('cancelRecovery')

    expect(view()).toMatchObject({ busy: undefined, isStopped: true })
    expect(draw()).toMatch(/role="status">.*No recovery of your account is under way/)
  })

  it('has an empty region for that news from the start, as the code has for another code', async () => {
    const regions = (drawn: string) => drawn.match(/<div[^>]*data-tone="success"[^>]*role="status"[^>]*><\/div>/g)
    expect(regions((await stage(ready)).draw())).toHaveLength(1)
    const { tell, succeed, draw } = await atCode()
    expect(regions(draw())).toHaveLength(1)
    await tell((flow) => flow.resendCode())
    await succeed('resendVerificationCode')

    expect(regions(draw())).toBeNull()
    expect(draw()).toMatch(/data-tone="success"[^>]*role="status"[^>]*>.*A new code is on its way/)
  })

  it('is left with a logout in another tab, and shown with a login there', async () => {
    const { setSession, view } = await stage(ready)

    await setSession(anonymous)
    expect(view().at).toBe('email')
    await setSession(ready)
    expect(view().at).toBe('account')
  })
})
