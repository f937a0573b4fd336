import { useSyncExternalStore } from 'react'
import type { SessionSnapshot } from '../../adapters/browser/sdk.ts'
import { useClient } from './useClient.ts'

/** Whether somebody is signed in, and who: 'loading' until this browser knows it, and on a server always. */
export const useSession = (): SessionSnapshot => {
  const { session } = useClient()
  return useSyncExternalStore(session.subscribe, session.get, session.getServer)
}
