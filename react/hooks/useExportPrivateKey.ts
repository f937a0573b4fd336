import { makeActionHook } from './useAction.ts'

/**
 * Lets the user export the private key of a DKLS wallet in the portal. Its window opens with the call, and only that
 * page shows the key. `data`: 'accepted' when the page had the key to show, else 'cancelled'.
 */
export const useExportPrivateKey = makeActionHook({
  name: 'exportPrivateKey',
  act: (client, call, wallet: { readonly walletId?: string } = {}) => client.exportPrivateKey({ ...wallet, ...call }),
  isSingle: true,
})
