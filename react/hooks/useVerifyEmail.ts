import { useAction } from './useAction.ts'
import { useClient } from './useClient.ts'

/** Proves the code that was mailed. */
export const useVerifyEmail = () => {
  const client = useClient()
  const { run, runAsync, outcome } = useAction((call, code: string) => client.verifyEmail(code, call))
  return { ...outcome, verifyEmail: run, verifyEmailAsync: runAsync }
}
