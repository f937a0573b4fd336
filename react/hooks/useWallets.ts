import type { Wallet } from '../../adapters/browser/sdk.ts'
import { useSession } from './useSession.ts'

/** The wallets of whoever is signed in; none before that. */
export const useWallets = (): readonly Wallet[] => useSession().wallets
