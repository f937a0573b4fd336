import { useAccountAction } from './useAction.ts'
import { useClient } from './useClient.ts'

/** Makes the wallets that an interrupted sign-up left out, for a session that 'needs-setup'. */
export const useFinishSetup = () => {
  const client = useClient()
  const { run, runAsync, outcome } = useAccountAction((call) => client.finishSetup(call))
  return { ...outcome, finishSetup: run, finishSetupAsync: runAsync }
}
