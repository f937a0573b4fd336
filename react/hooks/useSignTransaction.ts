import type { TransactionInput } from '../../adapters/browser/sdk.ts'
import { useAction } from './useAction.ts'
import { useClient } from './useClient.ts'

/** Signs a serialised transaction, which the app sends itself. */
export const useSignTransaction = () => {
  const client = useClient()
  const { run, runAsync, outcome } = useAction((call, input: TransactionInput) => client.signTransaction(input, call))
  return { ...outcome, signTransaction: run, signTransactionAsync: runAsync }
}
