import type { PortalState } from '../../adapters/browser/portal.ts'
import { useOperator } from '../operator.tsx'
import { Steps } from '../ui/Steps.tsx'
import { stepWords, workTitles } from './words.ts'
import { View } from './views/View.tsx'

/** The steps of the page's work. */
export const Working = ({ state }: { readonly state: Extract<PortalState, { readonly status: 'working' }> }) => {
  const operator = useOperator()
  return (
    <View title={workTitles[state.page]} lead="Keep this window open until it is done.">
      <Steps
        label={workTitles[state.page]}
        steps={state.steps.map(({ step, state: stepState }) => ({
          id: step,
          label: stepWords(step, state.page, state.requester.app, operator.name),
          state: stepState,
        }))}
      />
    </View>
  )
}
