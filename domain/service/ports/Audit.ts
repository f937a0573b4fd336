import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'

/** What happened, to whom, by which session. Never a secret, share, code or token. */
export type AuditEntry = {
  /** `<object>.<what happened>`: 'user.created', 'opener.mismatch', 'password.refused'. */
  readonly event: string
  readonly partnerId?: string | undefined
  readonly userId?: string | undefined
  readonly sessionId?: string | undefined
  readonly subject?: string | undefined
  readonly detail?: Readonly<Record<string, string | number | boolean>>
}

/** The record of what was done. Written in the surrounding transaction, if there is one. */
export class Audit extends Context.Service<Audit, { readonly record: (entry: AuditEntry) => Effect.Effect<void> }>()(
  'tandem/service/Audit',
) {}
