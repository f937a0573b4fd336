import { useAccountAction } from './useAction.ts'
import { useClient } from './useClient.ts'

/**
 * Lets a verified user make a passkey on the portal, whose window opens with the call, and then makes the wallets.
 * `data.recoverySecret` opens the user's half of their keys: show it once.
 */
export const useSetUpPasskey = () => {
  const client = useClient()
  const { run, runAsync, outcome } = useAccountAction((call) => client.setUpPasskey(call))
  return { ...outcome, setUpPasskey: run, setUpPasskeyAsync: runAsync }
}
