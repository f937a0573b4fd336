import type { PortalState } from '../../../adapters/browser/portal.ts'
import { Notice } from '../../ui/Notice.tsx'
import { doneTitles } from '../words.ts'
import { View } from './View.tsx'

/** Visible for a moment only: the window closes, or returns to the app. */
export const Done = ({ state }: { readonly state: Extract<PortalState, { readonly status: 'done' }> }) => {
  const { app, origin } = state.requester
  const lead =
    state.ends === 'returns' ? `Taking you back to ${origin}.` : `You can close this window and continue in ${app}.`
  return (
    <View title={doneTitles[state.page]} lead={lead}>
      {state.missing > 0 && (
        <Notice
          tone="warning"
          title={
            state.missing === 1 ? 'One wallet could not be opened' : `${state.missing} wallets could not be opened`
          }
        >
          It has no backup that opens with what you used here. Nothing was lost: {app} shows how to recover it.
        </Notice>
      )}
    </View>
  )
}
