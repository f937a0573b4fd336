import { useEffect } from 'react'
import type { EventDetail, EventName } from '../../adapters/browser/sdk.ts'
import { useClient } from './useClient.ts'
import { useLatest } from './useLatest.ts'

/** Listens to an event of the SDK while the component is mounted, for example `paraWalletCreated`. */
export const useEvent = <Name extends EventName>(name: Name, listener: (detail: EventDetail<Name>) => void): void => {
  const client = useClient()
  const latest = useLatest(listener)
  useEffect(() => client.on(name, (detail) => latest.current(detail)), [client, name, latest])
}
