import type { Portal, PortalState } from '../../adapters/browser/portal.ts'

/** What the pages get on which a person does something. They are drawn while it is done, too. */
export type Form = {
  readonly portal: Portal
  readonly state: Extract<PortalState, { readonly status: 'ready' | 'working' }>
}
