/** The shop's configuration, from /config.json of its own origin; nothing is built in. */
import type { WalletProviderProps } from '../index.ts'

export type Chain = { readonly id: number; readonly url: string }

export type Config = Pick<WalletProviderProps, 'environment' | 'apiKey' | 'hosts'> & {
  /** The local chain of a development stack, where there is one. */
  readonly chain?: Chain | undefined
}

export const readConfig = async (): Promise<Config> => {
  const answer = await fetch('/config.json')
  if (!answer.ok) throw new Error(`/config.json answers ${answer.status}`)
  return (await answer.json()) as Config
}
