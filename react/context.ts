import { createContext, useContext } from 'react'
import type { Provided } from './Provided.ts'

export const ProviderContext = createContext<Provided | undefined>(undefined)

export const useProvided = (): Provided => {
  const provided = useContext(ProviderContext)
  if (provided === undefined) throw new Error('hooks of Tandem need a <WalletProvider> above them')
  return provided
}
