import { createContext, useContext } from 'react'
import type { Theme } from '../domain/model/Theme.ts'
import type { Client } from './Client.ts'
import type { ModalStore } from './ModalStore.ts'

/** What a provider holds for the components beneath it. */
export type Provided = {
  readonly client: () => Client
  readonly modal: ModalStore
  /** Runs a verb whose caller shows the recovery secret itself. */
  readonly withSecretShown: <A>(verb: () => Promise<A>) => Promise<A>
  /** Called when the provider mounts. One that remounts at once, as under StrictMode, is not closed in between. */
  readonly hold: () => () => void
  readonly appName: string | undefined
  readonly portalHost: string
  /** The recovery page, for a user who has lost the passkey or password. */
  readonly recoverUrl: (email: string) => string
  readonly theme: Theme
}

export const ProviderContext = createContext<Provided | undefined>(undefined)

export const useProvided = (): Provided => {
  const provided = useContext(ProviderContext)
  if (provided === undefined) throw new Error('hooks of Tandem need a <WalletProvider> above them')
  return provided
}
