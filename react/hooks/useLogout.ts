import type { Logout } from '../../domain/client/logout.ts'
import { makeActionHook } from './useAction.ts'

/** Ends the session and deletes its key shares from this device. Refuses to delete the only copy of one. */
export const useLogout = makeActionHook({
  name: 'logout',
  act: (client, call, options: Logout = {}) => client.logout({ ...options, ...call }),
})
