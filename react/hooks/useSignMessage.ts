import type { SignMessageInput } from '../../adapters/browser/sdk.ts'
import { useAction } from './useAction.ts'
import { useClient } from './useClient.ts'

/** Signs text or bytes with the user's wallet, or with the one of `walletId`. */
export const useSignMessage = () => {
  const client = useClient()
  const { run, runAsync, outcome } = useAction((call, input: SignMessageInput) => client.signMessage(input, call))
  return { ...outcome, signMessage: run, signMessageAsync: runAsync }
}
