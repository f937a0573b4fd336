/** Who calls, as far as it was proven before any flow runs (flows, notation: K, SK, S, P, R, +D). One per request. */
import * as Context from 'effect/Context'
import type { PortalToken } from './Opening.ts'
import type { Partner } from './Partner.ts'
import type { Recovery } from './Recovery.ts'
import type { Session } from './Session.ts'

export type Caller = {
  /** By the API key, the secret key, or the session's own. */
  readonly partner: Partner | undefined
  /** A key of the partner, of either kind, came with the request. */
  readonly apiKey: boolean
  /** The key was the partner's secret one: its server calls. */
  readonly secretKey: boolean
  /** By a live host token. */
  readonly session: Session | undefined
  /** By a live portal token. Never together with `session`: a token has one audience. */
  readonly portal: PortalToken | undefined
  /** That of `session`, while it is READY; or one that ended its session with all others, while it can be asked again. */
  readonly recovery: Recovery | undefined
  /** The text of `x-capsule-sid`, for the calls that deal with the token itself. */
  readonly token: string | undefined
  /** The header `Origin`: an origin, 'null', or none at all (a server or a test). */
  readonly origin: string | undefined
  /** The request carries the signature of the session's device key, over this method, target, time and body. */
  readonly device: boolean
  readonly idempotencyKey: string | undefined
  /** `Prefer: wait=n`, at most 20; 0 where nothing was asked. */
  readonly waitSeconds: number
  readonly ip: string
}

export const Caller = Context.Service<Caller>('tandem/service/Caller')
