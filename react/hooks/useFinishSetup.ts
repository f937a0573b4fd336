import { makeActionHook } from './useAction.ts'

/** Makes the wallets that an interrupted sign-up left out, for a session that 'needs-setup'. */
export const useFinishSetup = makeActionHook({
  name: 'finishSetup',
  act: (client, call) => client.finishSetup(call),
  isSingle: true,
  makesKeys: true,
  saysSecret: true,
})
