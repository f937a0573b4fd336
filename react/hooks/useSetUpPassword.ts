import { useAccountAction } from './useAction.ts'
import { useClient } from './useClient.ts'

/**
 * Lets a verified user make a password on the portal, whose window opens with the call, and then makes the wallets.
 * `data.recoverySecret` opens the user's half of their keys: show it once.
 */
export const useSetUpPassword = () => {
  const client = useClient()
  const { run, runAsync, outcome } = useAccountAction((call) => client.setUpPassword(call))
  return { ...outcome, setUpPassword: run, setUpPasswordAsync: runAsync }
}
