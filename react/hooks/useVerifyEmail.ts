import { makeActionHook } from './useAction.ts'

/** Proves the e-mail address by the mailed code. */
export const useVerifyEmail = makeActionHook({
  name: 'verifyEmail',
  act: (client, call, code: string) => client.verifyEmail(code, call),
})
