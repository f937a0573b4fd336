import { makeActionHook } from './useAction.ts'

/** Mails another code; the one before is no longer valid. */
export const useResendVerificationCode = makeActionHook({
  name: 'resendVerificationCode',
  act: (client, call) => client.resendVerificationCode(call),
})
