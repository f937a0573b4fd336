import { useEffect, useState, useSyncExternalStore, type ReactNode } from 'react'
import { ProviderContext, type Provided } from './context.ts'
import { provide, type WalletSettings } from './Provided.ts'

/**
 * Provides the SDK to the components beneath it. Its settings are read once: to change them, give it another React
 * `key`. It renders on a server, and accesses window, storage and network only in a page.
 */
export const WalletProvider = ({ children, ...settings }: WalletProviderProps) => {
  const [provided] = useState(() => provide(settings))
  useEffect(() => provided.hold(), [provided])
  return (
    <ProviderContext.Provider value={provided}>
      {children}
      <ModalMount modal={provided.modal} />
    </ProviderContext.Provider>
  )
}

/** Renders nothing until the modal was opened and its code is loaded. */
const ModalMount = ({ modal }: Pick<Provided, 'modal'>) => {
  useSyncExternalStore(modal.subscribe, modal.get, modal.getServer)
  return modal.draw()
}

export type WalletProviderProps = WalletSettings & { readonly children?: ReactNode }
