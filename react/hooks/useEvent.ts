import { useEffect, useEffectEvent } from 'react'
import type { Detail, Name } from '../../domain/model/Events.ts'
import { useClient } from './useClient.ts'

/** Hears an event of the SDK while the component is there, for example `paraWalletCreated`. */
export const useEvent = (name: Name, listener: (detail: Detail<unknown>) => void): void => {
  const client = useClient()
  const hear = useEffectEvent(listener)
  useEffect(() => client.on(name, (detail) => hear(detail)), [client, name])
}
