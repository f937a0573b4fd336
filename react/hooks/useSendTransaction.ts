import type { TransactionInput } from '../../adapters/browser/sdk.ts'
import { useAction } from './useAction.ts'
import { useClient } from './useClient.ts'

/** Signs a serialised transaction and has it sent. A second call sends a second one. */
export const useSendTransaction = () => {
  const client = useClient()
  const { run, runAsync, outcome } = useAction((call, input: TransactionInput) => client.sendTransaction(input, call))
  return { ...outcome, sendTransaction: run, sendTransactionAsync: runAsync }
}
