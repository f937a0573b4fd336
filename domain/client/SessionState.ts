/**
 * What the host knows of its session, in memory: the last answer of touch, and what only the host can know (flows 1).
 */
import * as Context from 'effect/Context'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Option from 'effect/Option'
import * as Ref from 'effect/Ref'
import type { Session } from '../model/Session.ts'

export type HostSession = Session & {
  /** The service's clock minus ours, in milliseconds: signatures over requests carry the service's time. */
  readonly clockOffset: number
  /** Wallets that the last login named as without a backup for its credential: they need recovery (flows A12). */
  readonly missing: readonly string[]
  /** What a committed opening left behind, should the page's own message be lost (flows 3.9). */
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
