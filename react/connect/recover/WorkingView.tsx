import { View } from '../../portal/views/View.tsx'
import { WalletSteps } from './WalletSteps.tsx'
import type { ViewProps } from './ViewProps.ts'

/** What is being done, wallet by wallet. */
export const WorkingView = ({ state }: ViewProps<'working'>) => (
  <View
    title="Recovering your wallets"
    lead={
      <p>
        Your browser and the co-signer make new halves of each key, and your new credential gets a backup. Until the
        last step, everything stays as it was. Keep this page open.
      </p>
    }
  >
    <WalletSteps progress={state.progress} finishing={state.isFinishing ? 'working' : 'waiting'} />
  </View>
)
