/**
 * The state of one verb of the SDK for one component: what a hook shows is what happened to its latest call. It is a
 * store outside of React, so that a call begins within the click, and not with a later render.
 */
import type { Step } from '../../adapters/browser/sdk.ts'
import { fromCause } from '../../domain/model/ApiError.ts'

/** One status, never several booleans; `progress` is the latest step of a verb that has steps. */
export type ActionState<A> =
  | (Silent & { readonly status: 'idle' })
  | (Omit<Silent, 'progress'> & { readonly status: 'pending'; readonly progress: Step | undefined })
  | (Omit<Silent, 'data'> & { readonly status: 'success'; readonly data: A })
  | { readonly status: 'error'; readonly data: undefined; readonly error: Error; readonly progress: Step | undefined }

type Silent = { readonly data: undefined; readonly error: undefined; readonly progress: undefined }

/** What the SDK's verbs take as their last argument. */
export type Call = { readonly signal: AbortSignal; readonly onProgress: (step: Step) => void }

export type Act<I extends readonly unknown[], A> = (call: Call, ...input: I) => Promise<A>

export type Action<I extends readonly unknown[], A> = {
  readonly get: () => ActionState<A>
  readonly subscribe: (listener: () => void) => () => void
  readonly run: (...input: I) => Promise<A>
  /** Forgets the outcome. A call that is under way is cancelled. */
  readonly reset: () => void
  /** The component is gone: calls are cancelled, but for those that have come too far for it. */
  readonly leave: () => void
}

/** Of several calls at once the latest is shown; each of them answers its own caller. */
export const makeAction = <I extends readonly unknown[], A>(
  act: Act<I, A>,
  mayLeave: (progress: Step | undefined) => boolean = always,
): Action<I, A> => {
  const listeners = new Set<() => void>()
  const calls = new Map<AbortController, Step | undefined>()
  let latest: AbortController | undefined
  let state: ActionState<A> = idle

  const show = (next: ActionState<A>) => {
    state = next
    for (const listener of listeners) listener()
  }
  const cancel = (isMeant: (progress: Step | undefined) => boolean) => {
    for (const [controller, progress] of calls) if (isMeant(progress)) controller.abort()
  }

  const run = async (...input: I): Promise<A> => {
    const controller = new AbortController()
    latest = controller
    calls.set(controller, undefined)
    show({ ...idle, status: 'pending' })
    try {
      const data = await act(
        {
          signal: controller.signal,
          onProgress: (progress) => {
            calls.set(controller, progress)
            if (latest === controller) show({ ...idle, status: 'pending', progress })
          },
        },
        ...input,
      )
      if (latest === controller) show({ ...idle, status: 'success', data })
      return data
    } catch (cause) {
      const error = cause instanceof Error ? cause : fromCause(cause)
      if (latest === controller) show({ ...idle, status: 'error', error, progress: calls.get(controller) })
      throw error
    } finally {
      calls.delete(controller)
    }
  }

  return {
    get: () => state,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    run,
    reset: () => {
      latest = undefined
      cancel(always)
      show(idle)
    },
    leave: () => cancel(mayLeave),
  }
}

/** A verb that opens a window: while one is open, another call is the same call, and opens no second window. */
export const singleFlight = <I extends readonly unknown[], A>(action: Action<I, A>): Action<I, A> => {
  let underWay: Promise<A> | undefined
  return {
    ...action,
    run: (...input) => {
      if (underWay !== undefined && action.get().status === 'pending') return underWay
      underWay = action.run(...input)
      return underWay
    },
  }
}

/** A window of the portal may be left; a key that is being made, or a share that is being stored, is finished. */
export const untilPortalIsDone = (progress: Step | undefined): boolean =>
  progress === undefined || progress.step === 'portal' || progress.step === 'waiting'

const always = () => true

const idle = { status: 'idle', data: undefined, error: undefined, progress: undefined } as const
