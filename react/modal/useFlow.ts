import { useEffect, useReducer, useRef } from 'react'
import type { SessionSnapshot, Step } from '../../adapters/browser/sdk.ts'
import type { AuthMethod } from '../../domain/model/Credential.ts'
import type { Client } from '../Client.ts'
import { problemOf, type Doing } from './Problem.ts'
import { isWithPortal } from './progressLines.ts'
import { first, next, type View } from './View.ts'

export type Flow = {
  readonly view: View
  readonly type: (email: string) => void
  readonly submitEmail: (email: string) => void
  /** Signs up, whatever the service says of the address: where it tells nobody who exists. */
  readonly signUp: (email: string) => void
  readonly submitCode: (code: string) => void
  readonly resendCode: () => void
  /** In the click: a window of the portal opens. */
  readonly openWindow: (method: AuthMethod) => void
  readonly finish: () => void
  readonly signOut: () => void
  /** Ends a recovery that somebody else may have begun. */
  readonly stopRecovery: () => void
  /** Back to the question before. A window of the portal is closed. */
  readonly back: () => void
  readonly opened: (session: SessionSnapshot) => void
  /** The modal goes: what only waits for the window is given up, what makes keys goes on. */
  readonly left: () => void
}

/**
 * Binds the modal's views to the SDK: one call at a time, and what happens to it is told to the rule of the views. `onOver`
 * is for a login and a logout, after which there is nothing more to ask.
 */
export const useFlow = (client: Client, portalHost: string, onOver: () => void): Flow => {
  const [view, tell] = useReducer(next, first)
  const current = useRef<AbortController>(undefined)

  useEffect(() => {
    const hear = () => tell({ type: 'session', session: client.session.get() })
    hear()
    return client.session.subscribe(hear)
  }, [client])

  const attempt = (doing: Doing, act: (call: Call) => Promise<void>) => {
    current.current?.abort()
    const controller = new AbortController()
    const { signal } = controller
    current.current = controller
    const onProgress = (step: Step) => {
      if (!signal.aborted) tell({ type: 'step', step })
    }
    act({ signal, onProgress }).catch((error: unknown) => {
      if (signal.aborted) return
      const session = client.session.get()
      const hasAccount = session.setup === 'wallets'
      const problem = problemOf(error, hasAccount && doing === 'set-up' ? 'finishing' : doing, portalHost)
      tell({ type: 'failed', problem, hasAccount })
      // Said while this was at work, and not heard.
      if (session.status === 'locked') tell({ type: 'session', session })
    })
  }
  const signUp = async (email: string, { signal }: Call) => {
    await client.createUser({ email }, { signal })
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
      attempt('asking', async (call) => {
        const exists = await client.checkUserExists({ email }, { signal: call.signal })
        if (!exists) return signUp(email, call)
        tell({ type: 'known', methods: await client.getSupportedAuthMethods({ email }, { signal: call.signal }) })
      })
    },
    signUp: (email) => {
      tell({ type: 'asked' })
      attempt('asking', (call) => signUp(email, call))
    },
    submitCode: (code) => {
      tell({ type: 'asked' })
      attempt('verifying', async ({ signal }) => {
        await client.verifyEmail(code, { signal })
        tell({ type: 'verified' })
      })
    },
    resendCode: () => {
      tell({ type: 'asked' })
      attempt('verifying', async ({ signal }) => {
        await client.resendVerificationCode({ signal })
        tell({ type: 'resent' })
      })
    },
    openWindow: (method) => {
      tell({ type: 'window' })
      if (view.at === 'login') {
        const { email } = view
        attempt('login', async (call) => {
          const { missing } = await client.login({ email }, { method, ...call })
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
      tell({ type: 'asked' })
      attempt('signing-out', async ({ signal }) => {
        await client.logout({ signal })
        onOver()
      })
    },
    stopRecovery: () => {
      attempt('stopping', async ({ signal }) => {
        await client.cancelRecovery({ signal })
        tell({ type: 'stopped' })
      })
    },
    opened: (session) => tell({ type: 'opened', session }),
    left: () => {
      if (view.at === 'working' && isWithPortal(view.steps)) back()
    },
  }
}

type Call = { readonly signal: AbortSignal; readonly onProgress: (step: Step) => void }
