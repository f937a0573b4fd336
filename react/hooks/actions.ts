/**
 * A hook for each verb of the SDK. The state of a verb for one component, that of its latest call, is a store outside of
 * React, so that a call begins within the click and not with a later render.
 */
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import {
  verbs,
  type CallOptions,
  type InputOf,
  type ResultOf,
  type Verb,
  type VerbName,
} from '../../adapters/browser/verbs.ts'
import type { Step } from '../../adapters/browser/sdk.ts'
import { withCode, type SdkError } from '../../adapters/browser/SdkError.ts'
import { uncaught } from '../../adapters/browser/uncaught.ts'
import { fromCause } from '../../domain/model/ApiError.ts'
import type { Client } from '../Client.ts'
import { useProvided } from '../context.ts'
import { useClient } from './useClient.ts'
import { useLatest } from './useLatest.ts'

/** What every action hook returns. */
export type ActionResult<Name extends VerbName> = ActionState<ResultOf<Name>> & {
  readonly isPending: boolean
  readonly reset: () => void
} & NamedCalls<Name>

type NamedCalls<Name extends VerbName> = {
  /** For a click: a failure is in `error`. */
  readonly [K in Name]: (...input: InputOf<Name>) => void
} & {
  /** For code that continues afterwards: it rejects with the SDK's error. */
  readonly [K in `${Name}Async`]: (...input: InputOf<Name>) => Promise<ResultOf<Name>>
}

/** The hook of a verb: Verbs in adapters/browser/verbs.ts says what it takes and returns. */
const makeActionHook = <Name extends VerbName>(name: Name) => {
  const useVerb = (options: ActionOptions<ResultOf<Name>> = {}): ActionResult<Name> => useAction(name, options)
  return useVerb
}

export const useCancelRecovery = makeActionHook('cancelRecovery')
export const useCheckUserExists = makeActionHook('checkUserExists')
export const useCreateShortLink = makeActionHook('createShortLink')
export const useCreateUser = makeActionHook('createUser')
export const useCreateWallet = makeActionHook('createWallet')
export const useEndDelegation = makeActionHook('endDelegation')
export const useExportPrivateKey = makeActionHook('exportPrivateKey')
export const useExportSession = makeActionHook('exportSession')
export const useFindWallet = makeActionHook('findWallet')
export const useFinishSetup = makeActionHook('finishSetup')
export const useGetSupportedAuthMethods = makeActionHook('getSupportedAuthMethods')
export const useGetToken = makeActionHook('getToken')
export const useImportSession = makeActionHook('importSession')
export const useListDelegations = makeActionHook('listDelegations')
export const useLogin = makeActionHook('login')
export const useLogout = makeActionHook('logout')
export const usePreSignMessage = makeActionHook('preSignMessage')
export const useRefreshKeys = makeActionHook('refreshKeys')
export const useResendVerificationCode = makeActionHook('resendVerificationCode')
export const useSendCosmosTransaction = makeActionHook('sendCosmosTransaction')
export const useSendSolanaTransaction = makeActionHook('sendSolanaTransaction')
export const useSendTransaction = makeActionHook('sendTransaction')
export const useSetUpPasskey = makeActionHook('setUpPasskey')
export const useSetUpPassword = makeActionHook('setUpPassword')
export const useSignAuthorization = makeActionHook('signAuthorization')
export const useSignCosmosAmino = makeActionHook('signCosmosAmino')
export const useSignCosmosDirect = makeActionHook('signCosmosDirect')
export const useSignMessage = makeActionHook('signMessage')
export const useSignRawHash = makeActionHook('signRawHash')
export const useSignSolanaTransaction = makeActionHook('signSolanaTransaction')
export const useSignTransaction = makeActionHook('signTransaction')
export const useSignTypedData = makeActionHook('signTypedData')
export const useVerifyEmail = makeActionHook('verifyEmail')

/** Binds a verb to a component: its calls are cancelled when the component unmounts. */
const useAction = <Name extends VerbName>(name: Name, options: ActionOptions<ResultOf<Name>>): ActionResult<Name> => {
  const client = useClient()
  const { withSecretShown } = useProvided()
  const latest = useLatest(options)
  const [action] = useState(() => {
    const { opens, entering, makesKeys, saysSecret }: Verb = verbs[name]
    const bound: Act<InputOf<Name>, ResultOf<Name>> = (call, ...input) => callVerb(client, name, input, call)
    const said: typeof bound = (call, ...input) => withSecretShown(() => bound(call, ...input))
    const mayLeave = makesKeys === true ? untilPortalIsDone : undefined
    const made = makeAction(saysSecret === true ? said : bound, mayLeave, () => latest.current)
    return opens === undefined && entering !== true ? made : singleFlight(made)
  })
  const state = useSyncExternalStore(action.subscribe, action.get, action.get)
  useEffect(() => {
    action.enter()
    return action.leave
  }, [action])
  const run = useCallback(
    (...input: InputOf<Name>) => {
      action.run(...input).catch(isInState)
    },
    [action],
  )
  const named = { [name]: run, [`${name}Async`]: action.run } as NamedCalls<Name>
  return { ...state, isPending: state.status === 'pending', reset: action.reset, ...named }
}

/** The options of the call come after the input, which may be left out. */
const callVerb = <Name extends VerbName>(
  client: Client,
  name: Name,
  [input]: InputOf<Name>,
  call: CallOptions,
): Promise<ResultOf<Name>> => {
  const verb = client[name] as (...args: readonly unknown[]) => Promise<ResultOf<Name>>
  return verb.apply(client, verbs[name].inputs === 0 ? [call] : [input, call])
}

/** The failure of a call that is not awaited is in the action's state. */
const isInState = () => undefined

/** One status, never several booleans; `progress` is the latest step of a verb that has steps. */
export type ActionState<A> =
  | (Silent & { readonly status: 'idle' })
  | (Omit<Silent, 'progress'> & { readonly status: 'pending'; readonly progress: Step | undefined })
  | (Omit<Silent, 'data'> & { readonly status: 'success'; readonly data: A })
  | {
      readonly status: 'error'
      readonly data: undefined
      readonly error: SdkError
      readonly progress: Step | undefined
    }

type Silent = { readonly data: undefined; readonly error: undefined; readonly progress: undefined }

/** Callbacks of the component. Each call runs one of them once, unless it was cancelled or the component unmounted. */
export type ActionOptions<A> = {
  readonly onSuccess?: ((data: A) => void) | undefined
  readonly onError?: ((error: SdkError) => void) | undefined
}

export type Act<I extends readonly unknown[], A> = (call: Required<CallOptions>, ...input: I) => Promise<A>

export type Action<I extends readonly unknown[], A> = {
  readonly get: () => ActionState<A>
  readonly subscribe: (listener: () => void) => () => void
  readonly run: (...input: I) => Promise<A>
  /** Clears the outcome and cancels a call that is under way. */
  readonly reset: () => void
  /** The component mounts: StrictMode does it again after a leave. */
  readonly enter: () => void
  /** The component unmounts: callbacks run no more, and calls are cancelled, except those that are past their point of no return. */
  readonly leave: () => void
}

/** Of several calls at once the latest is shown; each of them answers its own caller. */
export const makeAction = <I extends readonly unknown[], A>(
  act: Act<I, A>,
  mayLeave: (progress: Step | undefined) => boolean = always,
  options: () => ActionOptions<A> = none,
): Action<I, A> => {
  const listeners = new Set<() => void>()
  const calls = new Map<AbortController, Step | undefined>()
  let latest: AbortController | undefined
  let state: ActionState<A> = idle
  let hasLeft = false

  const show = (next: ActionState<A>) => {
    state = next
    for (const listener of listeners) uncaught(listener)
  }
  const cancel = (isMeant: (progress: Step | undefined) => boolean) => {
    for (const [controller, progress] of calls) if (isMeant(progress)) controller.abort()
  }
  const tell = <B>(callback: ((value: B) => void) | undefined, value: B) => {
    if (!hasLeft) uncaught(() => callback?.(value))
  }

  const run = async (...input: I): Promise<A> => {
    const controller = new AbortController()
    latest = controller
    calls.set(controller, undefined)
    show({ ...idle, status: 'pending' })
    let data: A
    try {
      data = await act(
        {
          signal: controller.signal,
          onProgress: (progress) => {
            calls.set(controller, progress)
            if (latest === controller) show({ ...idle, status: 'pending', progress })
          },
        },
        ...input,
      )
    } catch (cause) {
      const error = withCode(cause instanceof Error ? cause : fromCause(cause))
      if (latest === controller) show({ ...idle, status: 'error', error, progress: calls.get(controller) })
      if (!controller.signal.aborted) tell(options().onError, error)
      throw error
    } finally {
      calls.delete(controller)
    }
    if (latest === controller) show({ ...idle, status: 'success', data })
    tell(options().onSuccess, data)
    return data
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
    enter: () => {
      hasLeft = false
    },
    leave: () => {
      hasLeft = true
      cancel(mayLeave)
    },
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

/** Waiting for the portal's window can be cancelled; key generation and the storage of a share are finished. */
export const untilPortalIsDone = (progress: Step | undefined): boolean =>
  progress === undefined || progress.step === 'portal' || progress.step === 'waiting'

const always = () => true
const none = () => ({})

const idle = { status: 'idle', data: undefined, error: undefined, progress: undefined } as const
