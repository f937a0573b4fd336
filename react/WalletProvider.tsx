import { useEffect, useState, useSyncExternalStore, type ReactNode } from 'react'
import { ProviderContext } from './context.ts'
import { provide, type Provided, type WalletSettings } from './Provided.ts'

/**
 * Gives the components beneath it the SDK. Its settings are read once: for another key, give it another React `key`. It
 * renders on a server, and touches window, storage and network only when it has come to a page.
 */
export const WalletProvider = ({ children, ...settings }: WalletProviderProps) => {
  const [provided] = useState(() => provide(settings))
  useEffect(() => provided.hold(), [provided])
  return (
    <ProviderContext value={provided}>
      {children}
      <ModalPlace modal={provided.modal} />
    </ProviderContext>
  )
}

/** Nothing, until somebody opened the modal and its code has come. */
const ModalPlace = ({ modal }: Pick<Provided, 'modal'>) => {
  useSyncExternalStore(modal.subscribe, modal.get, modal.getServer)
  return modal.draw()
}

export type WalletProviderProps = WalletSettings & { readonly children?: ReactNode }
