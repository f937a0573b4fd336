import type { AuthMethod } from '../../domain/model/Credential.ts'
import { makeActionHook } from './useAction.ts'

export type LoginInput = {
  readonly email: string
  /** Without it, a passkey where there is one. */
  readonly method?: AuthMethod
}

/** Logs in on the portal, whose window opens with the call: call it in a click, and await nothing before. */
export const useLogin = makeActionHook({
  name: 'login',
  act: (client, call, { email, ...options }: LoginInput) => client.login({ email }, { ...options, ...call }),
  isSingle: true,
  makesKeys: true,
  saysSecret: true,
})
