import type { Flow } from './useFlow.ts'
import type { View } from './View.ts'

/** What the component of one view gets. */
export type ViewProps<At extends View['at']> = {
  readonly view: Extract<View, { readonly at: At }>
  readonly flow: Flow
  readonly portalHost: string
}
