import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import { useProvided } from '../context.ts'
import { makeAction, singleFlight, untilPortalIsDone, type Act, type Action, type ActionState } from './Action.ts'

/** What every action hook gives beside its verb in two forms. */
export type Outcome<A> = ActionState<A> & { readonly reset: () => void }

export type Bound<I extends readonly unknown[], A> = {
  /** For a click: what it fails with is in `error`. */
  readonly run: (...input: I) => void
  /** For code that goes on afterwards: it fails with what the SDK fails with. */
  readonly runAsync: (...input: I) => Promise<A>
  readonly outcome: Outcome<A>
}

/** Binds a verb to a component. It is cancelled when the component goes. */
export const useAction = <I extends readonly unknown[], A>(act: Act<I, A>): Bound<I, A> => {
  const [action] = useState(() => makeAction(act))
  return useBound(action)
}

/** Binds a verb that opens a window of the portal: one at a time. The window closes when the component goes. */
export const useWindowAction = <I extends readonly unknown[], A>(act: Act<I, A>): Bound<I, A> => {
  const [action] = useState(() => singleFlight(makeAction(act)))
  return useBound(action)
}

/** Binds a verb that makes keys: it may be left until they are under way, and is finished from then on. */
export const useKeyAction = <I extends readonly unknown[], A>(act: Act<I, A>): Bound<I, A> => {
  const [action] = useState(() => makeAction(act, untilPortalIsDone))
  return useBound(action)
}

/**
 * Binds a verb that sets an account up or logs in: one at a time, so that a second click opens no second window.
 * Whoever calls it shows the recovery secret that it may answer.
 */
export const useAccountAction = <I extends readonly unknown[], A>(act: Act<I, A>): Bound<I, A> => {
  const { sayingSecret } = useProvided()
  const [action] = useState(() => {
    const saying: Act<I, A> = (call, ...input) => sayingSecret(() => act(call, ...input))
    return singleFlight(makeAction(saying, untilPortalIsDone))
  })
  return useBound(action)
}

const useBound = <I extends readonly unknown[], A>(action: Action<I, A>): Bound<I, A> => {
  const state = useSyncExternalStore(action.subscribe, action.get, action.get)
  useEffect(() => action.leave, [action])
  const run = useCallback(
    (...input: I) => {
      action.run(...input).catch(isInState)
    },
    [action],
  )
  return { run, runAsync: action.run, outcome: { ...state, reset: action.reset } }
}

/** The failure of a call that nobody awaits is shown as the action's state. */
const isInState = () => undefined
