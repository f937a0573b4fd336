import { useWindowAction } from './useAction.ts'
import { useClient } from './useClient.ts'

/**
 * Lets the user export the private key of a DKLS wallet in the portal, whose window opens with the call and alone shows
 * the key. `data` says whether it was there to be seen: 'accepted' or 'cancelled'.
 */
export const useExportPrivateKey = () => {
  const client = useClient()
  const { run, runAsync, outcome } = useWindowAction((call, wallet: { readonly walletId?: string } = {}) =>
    client.exportPrivateKey({ ...wallet, ...call }),
  )
  return { ...outcome, exportPrivateKey: run, exportPrivateKeyAsync: runAsync }
}
