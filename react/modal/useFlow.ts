import { useEffect, useReducer, useRef } from 'react'
import type { Step } from '../../adapters/browser/sdk.ts'
import type { AuthMethod } from '../../domain/model/Credential.ts'
import { useClient } from '../hooks/useClient.ts'
import { useCreateUser, useLogout, useResendVerificationCode, useVerifyEmail } from '../hooks/actions.ts'
import { useSession } from '../hooks/useSession.ts'
import { operatorName } from './Operator.tsx'
import { problemOf, type Doing } from './Problem.ts'
import { isWithPortal } from './progressLines.ts'
import { first, next, type View } from './View.ts'

export type Flow = {
  readonly view: View
  readonly type: (email: string) => void
  readonly submitEmail: (email: string) => void
  /** Signs up although the service says that the address exists: in strict mode it always says so. */
  readonly signUp: (email: string) => void
  readonly submitCode: (code: string) => void
  readonly resendCode: () => void
  /** To be called in the click, which opens a window of the portal. */
  readonly openWindow: (method: AuthMethod) => void
  readonly finish: () => void
  readonly signOut: () => void
  /** Cancels a recovery that the user did not begin. */
  readonly stopRecovery: () => void
  /** Back to the question before. A window of the portal is closed. */
  readonly back: () => void
  readonly opened: () => void
  /** The modal closes: waiting for the window is cancelled, key generation continues. */
  readonly left: () => void
}

/**
 * Binds the modal's views to the public hooks: one call at a time, whose outcome goes to the reducer of the views.
 * `onOver` is called after a login and a logout, when the modal can close. Verbs that make keys are called on the client:
 * the views list every step, of which a hook has the latest alone, and the provider shows their recovery secret, which a
 * hook would leave to the modal.
 */
export const useFlow = (portalHost: string, onOver: () => void): Flow => {
  const client = useClient()
  const session = useSession()
  const { createUserAsync, reset: cancelCreateUser } = useCreateUser()
  const { verifyEmailAsync, reset: cancelVerifyEmail } = useVerifyEmail()
  const { resendVerificationCodeAsync, reset: cancelResend } = useResendVerificationCode()
  const { logoutAsync, reset: cancelLogout } = useLogout()
  const [view, tell] = useReducer(next, first)
  const current = useRef<AbortController>(undefined)

  useEffect(() => tell({ type: 'session', session }), [session])

  const attempt = (doing: Doing, act: (call: Call) => Promise<void>, cancel: () => void = nothing) => {
    current.current?.abort()
    const controller = new AbortController()
    const { signal } = controller
    signal.addEventListener('abort', cancel)
    current.current = controller
    const onProgress = (step: Step) => {
      if (!signal.aborted) tell({ type: 'step', step })
    }
    act({ signal, onProgress }).catch((error: unknown) => {
      if (signal.aborted) return
      const session = client.session.get()
      const hasAccount = session.setup === 'wallets'
      const operator = operatorName(session, portalHost)
      const problem = problemOf(error, hasAccount && doing === 'set-up' ? 'finishing' : doing, portalHost, operator)
      tell({ type: 'failed', problem, hasAccount })
      // The session changed during the call, when changes were ignored.
      if (session.status === 'locked') tell({ type: 'session', session })
    })
  }
  const signUp = async (email: string, { signal }: Call) => {
    signal.throwIfAborted()
    await createUserAsync({ email })
    tell({ type: 'stranger' })
  }
  const back = () => {
    current.current?.abort()
    tell({ type: 'back' })
  }

  return {
    view,
    back,
    type: (email) => tell({ type: 'typed', email }),
    submitEmail: (email) => {
      tell({ type: 'asked' })
      const ask = async (call: Call) => {
        const exists = view.at === 'locked' || (await client.checkUserExists({ email }, { signal: call.signal }))
        if (!exists) return signUp(email, call)
        tell({ type: 'known', methods: await client.getSupportedAuthMethods({ email }, { signal: call.signal }) })
      }
      attempt('asking', ask, cancelCreateUser)
    },
    signUp: (email) => {
      tell({ type: 'asked' })
      attempt('asking', (call) => signUp(email, call), cancelCreateUser)
    },
    submitCode: (code) => {
      tell({ type: 'asked' })
      const verify = async () => {
        await verifyEmailAsync(code)
        tell({ type: 'verified' })
      }
      attempt('verifying', verify, cancelVerifyEmail)
    },
    resendCode: () => {
      tell({ type: 'asked' })
      const resend = async () => {
        await resendVerificationCodeAsync()
        tell({ type: 'resent' })
      }
      attempt('verifying', resend, cancelResend)
    },
    openWindow: (method) => {
      tell({ type: 'window' })
      if (view.at === 'login') {
        const { email } = view
        attempt('login', async (call) => {
          const { missing } = await client.login({ email, method }, call)
          tell({ type: 'done', missing: missing.length })
          if (missing.length === 0) onOver()
        })
      } else {
        attempt('set-up', async (call) => {
          await (method === 'PASSKEY' ? client.setUpPasskey(call) : client.setUpPassword(call))
          tell({ type: 'done', missing: 0 })
        })
      }
    },
    finish: () => {
      tell({ type: 'window' })
      attempt('finishing', async (call) => {
        await client.finishSetup(call)
        tell({ type: 'done', missing: 0 })
      })
    },
    signOut: () => {
      tell(view.at === 'account' ? { type: 'busy', busy: 'signing-out' } : { type: 'asked' })
      const leave = async () => {
        await logoutAsync()
        onOver()
      }
      attempt('signing-out', leave, cancelLogout)
    },
    stopRecovery: () => {
      tell({ type: 'busy', busy: 'stopping' })
      attempt('stopping', async ({ signal }) => {
        await client.cancelRecovery({ signal })
        tell({ type: 'stopped' })
      })
    },
    opened: () => tell({ type: 'opened', session: client.session.get() }),
    left: () => {
      if (view.at === 'working' && isWithPortal(view.steps)) back()
    },
  }
}

const nothing = () => undefined

type Call = { readonly signal: AbortSignal; readonly onProgress: (step: Step) => void }

/** What the component of one view gets. */
export type ViewProps<At extends View['at']> = {
  readonly view: Extract<View, { readonly at: At }>
  readonly flow: Flow
  readonly portalHost: string
}
