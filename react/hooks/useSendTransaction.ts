import type { TransactionInput } from '../../adapters/browser/sdk.ts'
import { makeActionHook } from './useAction.ts'

/** Signs a serialised transaction and has it sent. A second call sends a second one. */
export const useSendTransaction = makeActionHook({
  name: 'sendTransaction',
  act: (client, call, input: TransactionInput) => client.sendTransaction(input, call),
})
