import type { WalletProgress } from '../../../adapters/browser/connect.ts'
import { Steps, type StepState } from '../../ui/Steps.tsx'
import { doingWords, shortWalletWords } from '../words.ts'

/** One line for each wallet, and one for the finish, in which all of them change at once. */
export const WalletSteps = ({ progress, finishing }: WalletStepsProps) => (
  <Steps
    label="What happens"
    steps={[
      ...progress.map(({ wallet, state, doing }) => ({
        id: wallet.walletId,
        label: shortWalletWords(wallet),
        state,
        detail: state === 'working' && doing !== undefined ? doingWords(doing) : undefined,
      })),
      { id: 'finishing', label: 'Putting the new shares in place', state: finishing },
    ]}
  />
)

export type WalletStepsProps = { readonly progress: readonly WalletProgress[]; readonly finishing: StepState }
