import { useAction } from './useAction.ts'
import { useClient } from './useClient.ts'

/** Mails another code; the one before counts no more. */
export const useResendVerificationCode = () => {
  const client = useClient()
  const { run, runAsync, outcome } = useAction((call) => client.resendVerificationCode(call))
  return { ...outcome, resendVerificationCode: run, resendVerificationCodeAsync: runAsync }
}
