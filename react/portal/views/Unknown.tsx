import { View } from './View.tsx'

/** Not an address of a page, or one that was reloaded after its parameters were removed. */
export const Unknown = () => (
  <View
    title="There is no page here"
    lead={
      'Pages for your wallet are opened by the app that you use it with. Nothing was changed. ' +
      'Go back to the app and start again there.'
    }
  />
)
