/** The hooks of verbs as components have them: what each returns, and how its calls end with its component. */
import { act } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { CallOptions, Step } from '../../adapters/browser/sdk.ts'
import { ProviderContext } from '../../react/context.ts'
import * as entry from '../../react/index.ts'
import type { ActionOptions } from '../../react/index.ts'
import { makeModalStore } from '../../react/ModalStore.ts'
import { provide } from '../../react/Provided.ts'
import { anonymous, fakeClient, pending } from './fakeClient.ts'
import { mount } from './mount.ts'

/** The verbs that have a hook, and what is special about each. */
const verbs = {
  cancelRecovery: [],
  checkUserExists: [],
  createShortLink: [],
  createUser: [],
  createWallet: ['makes keys'],
  endDelegation: [],
  exportPrivateKey: ['one at a time'],
  exportSession: [],
  finishSetup: ['one at a time', 'makes keys', 'says the secret'],
  getSupportedAuthMethods: [],
  importSession: [],
  listDelegations: [],
  login: ['one at a time', 'makes keys', 'says the secret'],
  logout: [],
  preSignMessage: [],
  refreshKeys: [],
  resendVerificationCode: [],
  sendCosmosTransaction: [],
  sendSolanaTransaction: [],
  sendTransaction: [],
  setUpPasskey: ['one at a time', 'makes keys', 'says the secret'],
  setUpPassword: ['one at a time', 'makes keys', 'says the secret'],
  signAuthorization: [],
  signCosmosAmino: [],
  signCosmosDirect: [],
  signMessage: [],
  signRawHash: [],
  signSolanaTransaction: [],
  signTransaction: [],
  signTypedData: [],
  verifyEmail: [],
} as const
type Name = keyof typeof verbs
const names = Object.keys(verbs) as Name[]

type Options = ActionOptions<unknown>
type Result = Readonly<Record<string, (...input: unknown[]) => unknown>>

const hookOf = (name: Name) => {
  const hooks = entry as unknown as Readonly<Record<string, (options?: Options) => Result>>
  return hooks[`use${name[0]!.toUpperCase()}${name.slice(1)}`]!
}

/** A component with the hook of a verb, and the calls that its client gets. */
const stage = async (name: Name, options?: Options) => {
  const calls: { readonly options: CallOptions; readonly answer: ReturnType<typeof pending<unknown>> }[] = []
  const verb = (...input: unknown[]) => {
    const call = { options: input.at(-1) as CallOptions, answer: pending<unknown>() }
    call.options.signal?.addEventListener('abort', () => call.answer.reject(new Error('Connection canceled')))
    calls.push(call)
    return call.answer.promise
  }
  const client = fakeClient({ [name]: verb })
  const saying: string[] = []
  const provided = {
    ...provide({ environment: 'DEV', apiKey: 'key', client }),
    withSecretShown: <A,>(run: () => Promise<A>) => {
      saying.push(name)
      return run()
    },
  }
  const useVerb = hookOf(name)
  const results: Result[] = []
  const Component = ({ options: given }: { readonly options: Options | undefined }) => {
    const result = useVerb(given)
    results.push(result)
    return null
  }
  const tree = (children: React.ReactNode) => (
    <ProviderContext.Provider value={provided}>{children}</ProviderContext.Provider>
  )
  const page = await mount(tree(<Component options={options} />))
  const input = name === 'login' ? [{ email: 'ada@example.com' }] : []
  return {
    calls,
    saying,
    now: () => results.at(-1)!,
    call: () => act(async () => results.at(-1)![name]!(...input)),
    callAsync: () => results.at(-1)![`${name}Async`]!(...input) as Promise<unknown>,
    report: (step: Step) => act(async () => calls[0]!.options.onProgress?.(step)),
    succeed: (data: unknown, at = 0) => act(async () => calls[at]!.answer.resolve(data)),
    fail: (message: string, at = 0) => act(async () => calls[at]!.answer.reject(new Error(message))),
    rerender: (next: Options) => page.render(tree(<Component options={next} />)),
    leave: () => page.render(tree(null)),
  }
}

const generating: Step = { step: 'generating', type: 'EVM', round: 1, of: 3 }

afterEach(() => vi.unstubAllGlobals())

describe.each(names)('the hook of %s', (name) => {
  const traits: readonly string[] = verbs[name]

  it('returns the verb in both forms, and one status with what belongs to it', async () => {
    const { now, call, report, fail, succeed, calls } = await stage(name)
    const { [name]: verb, [`${name}Async`]: verbAsync, reset, ...idle } = now()

    expect([verb, verbAsync, reset].map((found) => typeof found)).toEqual(['function', 'function', 'function'])
    const blank = { data: undefined, error: undefined, progress: undefined, isPending: false }
    expect(idle).toEqual({ ...blank, status: 'idle' })
    await call()
    expect(now()).toMatchObject({ ...blank, status: 'pending', isPending: true })
    await report(generating)
    expect(now()).toMatchObject({ ...blank, status: 'pending', isPending: true, progress: generating })
    await fail('Connection error')
    expect(now()).toMatchObject({
      ...blank,
      status: 'error',
      error: new Error('Connection error'),
      progress: generating,
    })
    await call()
    await succeed('data', 1)
    expect(now()).toMatchObject({ ...blank, status: 'success', data: 'data' })
    await act(async () => now()['reset']!())
    expect(now()).toMatchObject({ ...blank, status: 'idle' })
    expect([now()[name], now()['reset']]).toEqual([verb, reset])
    expect(calls).toHaveLength(2)
  })

  it(traits.includes('one at a time') ? 'makes one call of two clicks' : 'makes two calls of two clicks', async () => {
    const { call, calls } = await stage(name)

    await call()
    await call()

    expect(calls).toHaveLength(traits.includes('one at a time') ? 1 : 2)
  })

  it(`${traits.includes('makes keys') ? 'finishes' : 'cancels'} keys that are being made when its component unmounts`, async () => {
    const { call, calls, report, leave } = await stage(name)

    await call()
    await report(generating)
    await leave()

    expect(calls[0]!.options.signal?.aborted).toBe(!traits.includes('makes keys'))
  })

  it('is cancelled when its component unmounts before that', async () => {
    const { call, calls, leave } = await stage(name)

    await call()
    await leave()

    expect(calls[0]!.options.signal?.aborted).toBe(true)
  })

  it(`leaves a recovery secret to ${traits.includes('says the secret') ? 'its caller' : 'the dialog'}`, async () => {
    const { call, saying } = await stage(name)

    await call()

    expect(saying).toEqual(traits.includes('says the secret') ? [name] : [])
  })
})

describe('the callbacks of a hook', () => {
  it('of the latest render are called once for each call', async () => {
    const heard: unknown[] = []
    const options = (render: string): Options => ({
      onSuccess: (data) => heard.push([render, data]),
      onError: (error) => heard.push([render, error.message]),
    })
    const { call, succeed, fail, rerender } = await stage('signMessage', options('first'))

    await call()
    await rerender(options('second'))
    await succeed('signature')
    await call()
    await fail('Connection error', 1)

    expect(heard).toEqual([
      ['second', 'signature'],
      ['second', 'Connection error'],
    ])
  })

  it('are not called once the component has unmounted, while the caller still gets the result', async () => {
    const heard: unknown[] = []
    const { callAsync, report, succeed, leave } = await stage('createWallet', { onSuccess: (data) => heard.push(data) })

    let answer: Promise<unknown> | undefined
    await act(async () => {
      answer = callAsync()
    })
    await report(generating)
    await leave()
    await succeed('wallet')

    expect(await answer).toBe('wallet')
    expect(heard).toEqual([])
  })
})

describe('an event', () => {
  it('is received once, by the listener of the latest render, and not after the component has unmounted', async () => {
    const client = fakeClient()
    const provided = provide({ environment: 'DEV', apiKey: 'key', client })
    const heard: unknown[] = []
    const Component = ({ render }: { readonly render: string }) => {
      entry.useEvent('paraWalletCreated', ({ data }) => heard.push([render, data]))
      return null
    }
    const tree = (children: React.ReactNode) => (
      <ProviderContext.Provider value={provided}>{children}</ProviderContext.Provider>
    )
    const page = await mount(tree(<Component render="first" />))

    client.emit('paraWalletCreated', 1)
    await page.render(tree(<Component render="second" />))
    client.emit('paraWalletCreated', 2)
    await page.render(tree(null))
    client.emit('paraWalletCreated', 3)

    expect(heard).toEqual([
      ['first', 1],
      ['second', 2],
    ])
  })
})

describe('the dialog', () => {
  const stageDialog = async (load: () => Promise<() => null>) => {
    const client = fakeClient()
    const provided = { ...provide({ environment: 'DEV', apiKey: 'key', client }), modal: makeModalStore(load) }
    let modal: ReturnType<typeof entry.useModal> | undefined
    const Component = () => {
      modal = entry.useModal()
      return null
    }
    await mount(
      <ProviderContext.Provider value={provided}>
        <Component />
      </ProviderContext.Provider>,
    )
    return { client, now: () => modal! }
  }

  it('is open until the user is signed in, or it is closed or cannot be shown: then the promise of signing in ends', async () => {
    const { client, now } = await stageDialog(async () => () => null)
    const ended: string[] = []
    const signIn = (name: string) =>
      act(
        async () =>
          void now()
            .signIn()
            .then(() => ended.push(name)),
      )

    await signIn('signed in')
    expect([now().status, ended]).toEqual(['open', []])
    await act(async () => client.setSession({ status: 'needs-setup', wallets: [] }))
    expect(ended).toEqual([])
    await act(async () => client.setSession({ status: 'ready', wallets: [] }))
    expect(ended).toEqual(['signed in'])

    await act(async () => client.setSession(anonymous))
    await signIn('closed')
    expect([ended, client.subscribers()]).toEqual([['signed in'], 1])
    await act(async () => now().close())
    expect([ended, client.subscribers()]).toEqual([['signed in', 'closed'], 0])

    const broken = await stageDialog(() => Promise.reject(new Error('offline')))
    await act(async () => broken.now().signIn())
    expect(broken.now().status).toBe('failed')
  })
})
