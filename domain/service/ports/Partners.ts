import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'
import type * as Option from 'effect/Option'
import type { PartnerRecord, PartnerKeyKind } from '../Partner.ts'

/** Partners and their keys. A key is known by its MAC alone: its text is shown once, when it is made. */
export class Partners extends Context.Service<
  Partners,
  {
    readonly find: (id: string) => Effect.Effect<Option.Option<PartnerRecord>>
    readonly findByKey: (
      keyMac: string,
    ) => Effect.Effect<Option.Option<{ readonly partner: PartnerRecord; readonly kind: PartnerKeyKind }>>
    readonly create: (partner: PartnerRecord, now: number) => Effect.Effect<void>
    readonly addKey: (key: {
      readonly mac: string
      readonly partnerId: string
      readonly kind: PartnerKeyKind
      readonly now: number
    }) => Effect.Effect<void>
    /** Of the pages of all partners, and of the portals that are their own. */
    readonly origins: Effect.Effect<ReadonlySet<string>>
    readonly setOrigins: (id: string, origins: readonly string[]) => Effect.Effect<void>
  }
>()('tandem/service/Partners') {}
