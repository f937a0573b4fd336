import type { AuthMethod } from '../../domain/model/Credential.ts'
import { useAccountAction } from './useAction.ts'
import { useClient } from './useClient.ts'

export type LoginInput = {
  readonly email: string
  /** Without it, a passkey where there is one. */
  readonly method?: AuthMethod
}

/** Logs in on the portal, whose window opens with the call: call it in a click, and await nothing before. */
export const useLogin = () => {
  const client = useClient()
  const { run, runAsync, outcome } = useAccountAction((call, { email, ...options }: LoginInput) =>
    client.login({ email }, { ...options, ...call }),
  )
  return { ...outcome, login: run, loginAsync: runAsync }
}
