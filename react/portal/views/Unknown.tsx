import { View } from './View.tsx'

/** An address that is none of the portal's, or one whose page was reloaded after its parameters were used. */
export const Unknown = () => (
  <View
    title="There is no page here"
    lead={
      'Pages for your wallet are opened by the app that you use it with. Nothing was changed. ' +
      'Go back to the app and begin again there.'
    }
  />
)
