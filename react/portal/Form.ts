import type { Portal, PortalState } from '../../adapters/browser/portal.ts'

/** Properties of the pages with an action. They stay drawn during the work. */
export type Form = {
  readonly portal: Portal
  readonly state: Extract<PortalState, { readonly status: 'ready' | 'working' }>
}
