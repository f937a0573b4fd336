import type { Wallet } from '../../adapters/browser/sdk.ts'
import { useSession } from './useSession.ts'

/** The signed-in user's wallets; none before that. */
export const useWallets = (): readonly Wallet[] => useSession().wallets
