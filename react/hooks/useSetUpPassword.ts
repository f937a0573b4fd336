import { makeActionHook } from './useAction.ts'

/**
 * Lets a verified user make a password on the portal, whose window opens with the call, and then makes the wallets.
 * `data.recoverySecret` opens the user's half of their keys: show it once.
 */
export const useSetUpPassword = makeActionHook({
  name: 'setUpPassword',
  act: (client, call) => client.setUpPassword(call),
  isSingle: true,
  makesKeys: true,
  saysSecret: true,
})
