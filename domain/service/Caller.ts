/** Who calls, as proven before any flow runs (domain/service/README.md#callers-and-sessions). One per request. */
import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'
import type * as Redacted from 'effect/Redacted'
import type { PortalToken } from './PortalSession.ts'
import type { PartnerRecord } from './Partner.ts'
import type { RecoveryRecord } from './Recovery.ts'
import type { SessionRecord } from './Session.ts'

export type Caller = {
  /** That of the API key, else of the session or portal session. */
  readonly partner: PartnerRecord | undefined
  /** A key of the partner, of either kind, came with the request. */
  readonly apiKey: boolean
  /** The key was the partner's secret one: its server calls. */
  readonly secretKey: boolean
  /** Found by a live session token. */
  readonly session: SessionRecord | undefined
  /** Found by a live portal token. Never together with `session`: a token is one or the other. */
  readonly portal: PortalToken | undefined
  /** That of `session` while it is READY; or a FINISHED one, found by the token of the session that it ended. */
  readonly recovery: RecoveryRecord | undefined
  /** The text of `x-capsule-sid`, else of the session cookie, for the calls that deal with the token itself. */
  readonly token: Redacted.Redacted | undefined
  /** The header `Origin`: an origin, 'null', or none at all (a server or a test). */
  readonly origin: string | undefined
  /** The request carries the signature of the session's device key, over this method, target, time and body. */
  readonly device: boolean
  readonly idempotencyKey: string | undefined
  /** `Prefer: wait=n`, at most 20; 0 where nothing was asked. */
  readonly waitSeconds: number
  /** Done when the client is gone before its answer. */
  readonly left: Effect.Effect<void>
  /** The client's network, by which limits count: an address, or the range that it is in. */
  readonly network: string
}

export const Caller = Context.Service<Caller>('tandem/service/Caller')
