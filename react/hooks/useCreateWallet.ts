import type { NewWallet } from '../../domain/client/createWallet.ts'
import { makeActionHook } from './useAction.ts'

/** Makes a wallet of a type. After a failure the same call continues where it can. */
export const useCreateWallet = makeActionHook({
  name: 'createWallet',
  act: (client, call, wallet: NewWallet = {}) => client.createWallet({ ...wallet, ...call }),
  makesKeys: true,
})
