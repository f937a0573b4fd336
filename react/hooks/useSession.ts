import { useSyncExternalStore } from 'react'
import type { SessionSnapshot } from '../../adapters/browser/sdk.ts'
import { useClient } from './useClient.ts'

/** Whether a user is signed in, and who; and who runs the service. 'loading' until this browser knows it, and always on a server. */
export const useSession = (): SessionSnapshot => {
  const { session } = useClient()
  return useSyncExternalStore(session.subscribe, session.get, session.getServer)
}
