/** What the host knows of its session, in memory: the last answer of touch, and what only the host can know. */
import * as Context from 'effect/Context'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Option from 'effect/Option'
import * as Ref from 'effect/Ref'
import type { Session } from '../model/Session.ts'

export type HostSession = Session & {
  /** The service's clock minus this one, in milliseconds: signatures over requests are dated by the service's clock. */
  readonly clockOffset: number
  /** Wallets that the last login named as without a backup for its credential: they need recovery. */
  readonly missing: readonly string[]
  /** The wallet whose share on this device the co-signer has refused as out of date or locked since the last login. */
  readonly refused?: string | undefined
  /** What the last committed portal session left for the host, in case the page's own message is lost. */
  readonly openingResult?: { readonly openingId: string; readonly sealedResult: string }
}

export class SessionState extends Context.Service<
  SessionState,
  {
    readonly get: Effect.Effect<Option.Option<HostSession>>
    readonly set: (session: HostSession) => Effect.Effect<void>
    readonly clear: Effect.Effect<void>
  }
>()('tandem/client/SessionState') {}

export const SessionStateMemory = Layer.effect(
  SessionState,
  Effect.map(Ref.make(Option.none<HostSession>()), (ref) => ({
    get: Ref.get(ref),
    set: (session) => Ref.set(ref, Option.some(session)),
    clear: Ref.set(ref, Option.none()),
  })),
)
