import { useEffect } from 'react'
import type { Detail, Name } from '../../domain/model/Events.ts'
import { useClient } from './useClient.ts'
import { useLatest } from './useLatest.ts'

/** Listens to an event of the SDK while the component is mounted, for example `paraWalletCreated`. */
export const useEvent = (name: Name, listener: (detail: Detail<unknown>) => void): void => {
  const client = useClient()
  const latest = useLatest(listener)
  useEffect(() => client.on(name, (detail) => latest.current(detail)), [client, name, latest])
}
