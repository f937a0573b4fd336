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

export class Audit extends Context.Service<
  Audit,
  {
    /** The record of what was done. Written in the surrounding transaction, if there is one. */
    readonly record: (entry: AuditEntry) => Effect.Effect<void>
    /** Deletes at most `limit` records that are older, and says how many there were. */
    readonly sweep: (before: number, limit: number) => Effect.Effect<number>
  }
>()('tandem/service/Audit') {}
