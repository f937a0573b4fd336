import { makeActionHook } from './useAction.ts'

/**
 * Lets a verified user make a passkey on the portal, whose window opens with the call, and then makes the wallets.
 * `data.recoverySecret` opens the user's half of their keys: show it once.
 */
export const useSetUpPasskey = makeActionHook({
  name: 'setUpPasskey',
  act: (client, call) => client.setUpPasskey(call),
  isSingle: true,
  makesKeys: true,
  saysSecret: true,
})
