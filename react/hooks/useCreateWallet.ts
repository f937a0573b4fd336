import type { NewWallet } from '../../domain/client/createWallet.ts'
import { useKeyAction } from './useAction.ts'
import { useClient } from './useClient.ts'

/** Makes a wallet of a type whose key is never whole. After a failure the same call goes on where it can. */
export const useCreateWallet = () => {
  const client = useClient()
  const { run, runAsync, outcome } = useKeyAction((call, wallet: NewWallet = {}) =>
    client.createWallet({ ...wallet, ...call }),
  )
  return { ...outcome, createWallet: run, createWalletAsync: runAsync }
}
