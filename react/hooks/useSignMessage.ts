import type { SignMessageInput } from '../../adapters/browser/sdk.ts'
import { makeActionHook } from './useAction.ts'

/** Signs text or bytes with the user's wallet, or with the one of `walletId`. */
export const useSignMessage = makeActionHook({
  name: 'signMessage',
  act: (client, call, input: SignMessageInput) => client.signMessage(input, call),
})
