import { describe, expect, it } from 'vitest'
import { makeAction, singleFlight, untilPortalIsDone, type Call } from '../../react/hooks/Action.ts'
import { pending } from './fakeClient.ts'

/** An action whose calls the test ends, and what it was called with. */
const controlled = (mayLeave?: typeof untilPortalIsDone) => {
  type Made = { readonly call: Call; readonly input: string; readonly answer: ReturnType<typeof pending<string>> }
  const calls: Made[] = []
  const action = makeAction((call, input: string) => {
    const answer = pending<string>()
    calls.push({ call, input, answer })
    call.signal.addEventListener('abort', () => answer.reject(new Error('Connection canceled')))
    return answer.promise
  }, mayLeave)
  return { action, calls }
}

const settled = (promise: Promise<unknown>) => promise.then(() => 'answered', (error: unknown) => String(error))

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
    expect([state.status, state.error?.message, state.progress?.step]).toEqual(['error', 'Connection error', 'backing-up'])
  })

  it('makes an error of whatever was thrown', async () => {
    const { action, calls } = controlled()

    const answer = action.run('hello')
    calls[0]!.answer.reject(null)

    await expect(answer).rejects.toThrow('Error is null')
  })

  it('shows the latest of two calls and answers both', async () => {
    const { action, calls } = controlled()

    const [first, second] = [action.run('one'), action.run('two')]
    calls[1]!.answer.resolve('second')
    await second
    calls[0]!.answer.resolve('first')

    expect(await first).toBe('first')
    expect(action.get().data).toBe('second')
  })

  it('is cancelled by a reset, and shows nothing of it', async () => {
    const { action, calls } = controlled()

    const answer = action.run('hello')
    action.reset()

    expect(await settled(answer)).toBe('Error: Connection canceled')
    expect(calls[0]!.call.signal.aborted).toBe(true)
    expect(action.get().status).toBe('idle')
  })

  it('is cancelled when its component goes', async () => {
    const { action } = controlled()

    const answer = action.run('hello')
    action.leave()

    expect(await settled(answer)).toBe('Error: Connection canceled')
  })

  it.each(['portal', 'waiting'] as const)('lets the window go with its component while it is at %s', async (step) => {
    const { action, calls } = controlled(untilPortalIsDone)

    const answer = action.run('hello')
    calls[0]!.call.onProgress({ step })
    action.leave()

    expect(await settled(answer)).toBe('Error: Connection canceled')
  })

  it('finishes a key that is being made although its component is gone', async () => {
    const { action, calls } = controlled(untilPortalIsDone)

    const answer = action.run('hello')
    calls[0]!.call.onProgress({ step: 'generating', type: 'EVM', round: 1, of: 3 })
    action.leave()
    calls[0]!.answer.resolve('wallet')

    expect(await answer).toBe('wallet')
    expect(calls[0]!.call.signal.aborted).toBe(false)
  })
})

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
