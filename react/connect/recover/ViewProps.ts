import type { Recovery, RecoveryState } from '../../../adapters/browser/connect.ts'

/** What the component of one state gets. */
export type ViewProps<Status extends RecoveryState['status']> = {
  readonly recovery: Recovery
  readonly state: Extract<RecoveryState, { readonly status: Status }>
}
