import type { Logout } from '../../domain/client/logout.ts'
import { useAction } from './useAction.ts'
import { useClient } from './useClient.ts'

/** Ends the session and deletes its key shares from this device. Refuses to delete the only copy of one. */
export const useLogout = () => {
  const client = useClient()
  const { run, runAsync, outcome } = useAction((call, options: Logout = {}) =>
    client.logout({ ...options, ...call }),
  )
  return { ...outcome, logout: run, logoutAsync: runAsync }
}
