import { afterEach, describe, expect, it, vi } from 'vitest'
import type { CallOptions } from '../../adapters/browser/sdk.ts'
import { makeAction, singleFlight, untilPortalIsDone, type ActionOptions } from '../../react/hooks/actions.ts'
import { pending } from './fakeClient.ts'

/** An action whose calls the test ends, and its inputs. */
const controlled = (mayLeave?: typeof untilPortalIsDone, options?: ActionOptions<string>) => {
  type Made = {
    readonly call: Required<CallOptions>
    readonly input: string
    readonly answer: ReturnType<typeof pending<string>>
  }
  const calls: Made[] = []
  const action = makeAction(
    (call, input: string) => {
      const answer = pending<string>()
      calls.push({ call, input, answer })
      call.signal.addEventListener('abort', () => answer.reject(new Error('Connection canceled')))
      return answer.promise
    },
    mayLeave,
    () => options ?? {},
  )
  return { action, calls }
}

const settled = (promise: Promise<unknown>) =>
  promise.then(
    () => 'answered',
    (error: unknown) => String(error),
  )

afterEach(() => vi.unstubAllGlobals())

describe('an action', () => {
  it('calls the SDK before the click is over, which is when a window may open', () => {
    const { action, calls } = controlled()

    const answer = action.run('hello')

    expect(calls.map(({ input }) => input)).toEqual(['hello'])
    expect(action.get().status).toBe('pending')
    action.reset()
    return settled(answer)
  })

  it('shows the latest step while it is pending, and its data when it is done', async () => {
    const { action, calls } = controlled()
    const seen: unknown[] = []
    action.subscribe(() => seen.push(action.get().progress?.step ?? action.get().status))

    const answer = action.run('hello')
    calls[0]!.call.onProgress({ step: 'signing', round: 1, of: 2 })
    calls[0]!.call.onProgress({ step: 'verifying' })
    calls[0]!.answer.resolve('signature')

    expect(await answer).toBe('signature')
    expect(seen).toEqual(['pending', 'signing', 'verifying', 'success'])
    expect(action.get()).toEqual({ status: 'success', data: 'signature', error: undefined, progress: undefined })
  })

  it('keeps the step at which it failed, and fails for its caller too', async () => {
    const { action, calls } = controlled()

    const answer = action.run('hello')
    calls[0]!.call.onProgress({ step: 'backing-up', type: 'EVM' })
    calls[0]!.answer.reject(new Error('Connection error'))

    await expect(answer).rejects.toThrow('Connection error')
    const state = action.get()
    expect([state.status, state.error?.message, state.progress?.step]).toEqual([
      'error',
      'Connection error',
      'backing-up',
    ])
  })

  it('turns anything that was thrown into an error', async () => {
    const { action, calls } = controlled()

    const answer = action.run('hello')
    calls[0]!.answer.reject(null)

    await expect(answer).rejects.toThrow('Error is null')
  })

  it('shows the latest of two calls, and both get their result', async () => {
    const { action, calls } = controlled()

    const [first, second] = [action.run('one'), action.run('two')]
    calls[1]!.answer.resolve('second')
    await second
    calls[0]!.answer.resolve('first')

    expect(await first).toBe('first')
    expect(action.get().data).toBe('second')
  })

  it('is cancelled by a reset, and shows no result', async () => {
    const { action, calls } = controlled()

    const answer = action.run('hello')
    action.reset()

    expect(await settled(answer)).toBe('Error: Connection canceled')
    expect(calls[0]!.call.signal.aborted).toBe(true)
    expect(action.get().status).toBe('idle')
  })

  it('is cancelled when its component unmounts', async () => {
    const { action } = controlled()

    const answer = action.run('hello')
    action.leave()

    expect(await settled(answer)).toBe('Error: Connection canceled')
  })

  it.each(['portal', 'waiting'] as const)('closes the window with its component while it is at %s', async (step) => {
    const { action, calls } = controlled(untilPortalIsDone)

    const answer = action.run('hello')
    calls[0]!.call.onProgress({ step })
    action.leave()

    expect(await settled(answer)).toBe('Error: Connection canceled')
  })

  it('finishes a key that is being made although its component has unmounted', async () => {
    const { action, calls } = controlled(untilPortalIsDone)

    const answer = action.run('hello')
    calls[0]!.call.onProgress({ step: 'generating', type: 'EVM', round: 1, of: 3 })
    action.leave()
    calls[0]!.answer.resolve('wallet')

    expect(await answer).toBe('wallet')
    expect(calls[0]!.call.signal.aborted).toBe(false)
  })
})

describe('callbacks', () => {
  /** An action, and the callbacks that were called. */
  const told = (mayLeave?: typeof untilPortalIsDone) => {
    const heard: string[] = []
    const options: ActionOptions<string> = {
      onSuccess: (data) => heard.push(`success ${data}`),
      onError: (error) => heard.push(`error ${error.message}`),
    }
    return { ...controlled(mayLeave, options), heard }
  }

  it('are called once for each call, after the state changed, although only the latest call is shown', async () => {
    const states: string[] = []
    const { action, calls } = controlled(undefined, {
      onSuccess: (data) => states.push(`${data} ${action.get().status}`),
      onError: (error) => states.push(`${error.message} ${action.get().status}`),
    })

    const answers = [action.run('one'), action.run('two'), action.run('three')].map(settled)
    calls[0]!.answer.resolve('first')
    calls[1]!.answer.reject(new Error('second'))
    await Promise.all([answers[0], answers[1]])
    calls[2]!.answer.resolve('third')
    await answers[2]

    expect(states).toEqual(['first pending', 'second pending', 'third success'])
  })

  it('are called once for two clicks of a single flight', async () => {
    const { action, calls, heard } = told()
    const single = singleFlight(action)

    const answers = [single.run('one'), single.run('two')]
    calls[0]!.answer.resolve('done')
    await Promise.all(answers)

    expect(heard).toEqual(['success done'])
  })

  it('are not called for a cancelled call, but for one that succeeded before the cancellation', async () => {
    const { action, calls, heard } = told()

    const cancelled = action.run('one')
    action.reset()
    await settled(cancelled)
    expect(heard).toEqual([])

    const done = action.run('two')
    calls[1]!.answer.resolve('sent')
    action.reset()
    await done
    expect(heard).toEqual(['success sent'])
  })

  it('are not called after the component has unmounted, neither for a finished key nor for a failure', async () => {
    const { action, calls, heard } = told(untilPortalIsDone)

    const answers = [action.run('one'), action.run('two')].map(settled)
    for (const { call } of calls) call.onProgress({ step: 'generating', type: 'EVM', round: 1, of: 3 })
    action.leave()
    calls[0]!.answer.resolve('wallet')
    calls[1]!.answer.reject(new Error('Connection error'))

    expect(await Promise.all(answers)).toEqual(['answered', 'Error: Connection error'])
    expect(heard).toEqual([])
  })

  it('are called for a component that was mounted again, as under StrictMode', async () => {
    const { action, calls, heard } = told()

    action.leave()
    action.enter()
    const answer = action.run('one')
    calls[0]!.answer.resolve('done')
    await answer

    expect(heard).toEqual(['success done'])
  })

  it.each(['onSuccess', 'onError'] as const)('do not lose a result when they throw: %s', async (name) => {
    const uncaught: (() => void)[] = []
    vi.stubGlobal('queueMicrotask', (task: () => void) => uncaught.push(task))
    const { action, calls } = controlled(undefined, {
      [name]: () => {
        throw new Error('of the app')
      },
    })

    const answer = action.run('one')
    if (name === 'onSuccess') calls[0]!.answer.resolve('signature')
    else calls[0]!.answer.reject(new Error('Connection error'))

    expect(await settled(answer)).toBe(name === 'onSuccess' ? 'answered' : 'Error: Connection error')
    const { status, data, error } = action.get()
    expect([status, data ?? error?.message]).toEqual(
      name === 'onSuccess' ? ['success', 'signature'] : ['error', 'Connection error'],
    )
    expect(uncaught.map((task) => String(thrownBy(task)))).toEqual(['Error: of the app'])
  })
})

const thrownBy = (task: () => void): unknown => {
  try {
    task()
  } catch (thrown) {
    return thrown
  }
  return undefined
}

describe('a single flight', () => {
  it('opens one window for two clicks, and another one when the first is over', async () => {
    const { action, calls } = controlled()
    const single = singleFlight(action)

    const [first, second] = [single.run('one'), single.run('two')]
    calls[0]!.answer.resolve('done')

    expect(await Promise.all([first, second])).toEqual(['done', 'done'])
    expect(calls.length).toBe(1)
    const third = single.run('three')
    expect(calls.map(({ input }) => input)).toEqual(['one', 'three'])
    calls[1]!.answer.resolve('again')
    expect(await third).toBe('again')
  })
})
