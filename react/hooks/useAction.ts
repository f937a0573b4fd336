import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import type { Client } from '../Client.ts'
import { useProvided } from '../context.ts'
import {
  makeAction,
  singleFlight,
  untilPortalIsDone,
  type Act,
  type ActionOptions,
  type ActionState,
  type Call,
} from './Action.ts'
import { useClient } from './useClient.ts'
import { useLatest } from './useLatest.ts'

/** A verb of the SDK, and what its hook has to know of it. */
export type Verb<Name extends string, I extends readonly unknown[], A> = {
  readonly name: Name
  readonly act: (client: Client, call: Call, ...input: I) => Promise<A>
  /** A call during another one is the same call, so that a second click opens no second window of the portal. */
  readonly isSingle?: boolean
  /** Its component's unmount cancels it only until the portal is done: a key that is being made is finished. */
  readonly makesKeys?: boolean
  /** It may return a recovery secret, which the caller shows: the dialog does not open for it. */
  readonly saysSecret?: boolean
}

/** What every action hook returns. */
export type ActionResult<Name extends string, I extends readonly unknown[], A> = ActionState<A> & {
  readonly isPending: boolean
  readonly reset: () => void
} & {
  /** For a click: a failure is in `error`. */
  readonly [K in Name]: (...input: I) => void
} & {
  /** For code that continues afterwards: it rejects with the SDK's error. */
  readonly [K in `${Name}Async`]: (...input: I) => Promise<A>
}

/** The hook of a verb. */
export const makeActionHook = <Name extends string, I extends readonly unknown[], A>(verb: Verb<Name, I, A>) => {
  const useVerb = (options: ActionOptions<A> = {}): ActionResult<Name, I, A> => useAction(verb, options)
  return useVerb
}

/** Binds a verb to a component: its calls are cancelled when the component unmounts. */
const useAction = <Name extends string, I extends readonly unknown[], A>(
  { name, act, isSingle = false, makesKeys = false, saysSecret = false }: Verb<Name, I, A>,
  options: ActionOptions<A>,
): ActionResult<Name, I, A> => {
  const client = useClient()
  const { withSecretShown } = useProvided()
  const latest = useLatest(options)
  const [action] = useState(() => {
    const bound: Act<I, A> = (call, ...input) => act(client, call, ...input)
    const said: Act<I, A> = (call, ...input) => withSecretShown(() => bound(call, ...input))
    const made = makeAction(saysSecret ? said : bound, makesKeys ? untilPortalIsDone : undefined, () => latest.current)
    return isSingle ? singleFlight(made) : made
  })
  const state = useSyncExternalStore(action.subscribe, action.get, action.get)
  useEffect(() => {
    action.enter()
    return action.leave
  }, [action])
  const run = useCallback(
    (...input: I) => {
      action.run(...input).catch(isInState)
    },
    [action],
  )
  const verbs = { [name]: run, [`${name}Async`]: action.run }
  return { ...state, isPending: state.status === 'pending', reset: action.reset, ...verbs }
}

/** The failure of a call that is not awaited is in the action's state. */
const isInState = () => undefined
