import type { Portal, PortalState } from '../../../adapters/browser/portal.ts'
import { Button } from '../../ui/Button.tsx'
import { endWords } from '../reviewWords.ts'
import { View } from './View.tsx'

/** How a review ended. After a decision the window closes by itself, unless the browser keeps it. */
export const Reviewed = ({ portal, state }: ReviewedProps) => {
  const { title, text } = endWords(state.end, state.requester.app, state.by)
  return (
    <View title={title} lead={text}>
      <Button variant="secondary" onClick={() => void portal.leave()}>
        Close this window
      </Button>
    </View>
  )
}

export type ReviewedProps = {
  readonly portal: Portal
  readonly state: Extract<PortalState, { readonly status: 'reviewed' }>
}
