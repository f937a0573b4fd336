import type { PortalState } from '../../../adapters/browser/portal.ts'
import { View } from './View.tsx'

/** The person cancelled. Most browsers close the window; some leave that to the person. */
export const Left = ({ state }: { readonly state: Extract<PortalState, { readonly status: 'left' }> }) => (
  <View
    title="Cancelled"
    lead={`${outcome(state.isCertain)} You can close this window and go back to ${state.requester?.app ?? 'the app'}.`}
  />
)

const outcome = (isCertain: boolean): string =>
  isCertain
    ? 'Nothing was changed.'
    : 'If your last try arrived, the app continues by itself; if not, nothing was changed.'
