import type { TransactionInput } from '../../adapters/browser/sdk.ts'
import { makeActionHook } from './useAction.ts'

/** Signs a serialised transaction, which the app sends itself. */
export const useSignTransaction = makeActionHook({
  name: 'signTransaction',
  act: (client, call, input: TransactionInput) => client.signTransaction(input, call),
})
