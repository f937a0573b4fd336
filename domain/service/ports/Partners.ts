import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'
import type * as Option from 'effect/Option'
import type { PartnerRecord, PartnerKeyKind } from '../Partner.ts'

export type PartnerKey = {
  readonly mac: string
  readonly kind: PartnerKeyKind
  readonly createdAt: number
  /** The beginning of the day, UTC, of its last use; null before its first. */
  readonly lastUsedOn: number | null
  readonly endsAt: number | null
}

/** Partners and their keys. A key is known by its MAC alone: its text is shown once, when it is made. */
export class Partners extends Context.Service<
  Partners,
  {
    readonly find: (id: string) => Effect.Effect<Option.Option<PartnerRecord>>
    /** Also by a key that has ended: what that means is not decided here. Its use is noted, once a day. */
    readonly findByKey: (keyMac: string) => Effect.Effect<
      Option.Option<{
        readonly partner: PartnerRecord
        readonly kind: PartnerKeyKind
        readonly endsAt: number | null
      }>
    >
    /** As it is stored now, locked for the surrounding transaction. */
    readonly lock: (id: string) => Effect.Effect<Option.Option<PartnerRecord>>
    /** By name. */
    readonly list: Effect.Effect<readonly PartnerRecord[]>
    readonly create: (partner: PartnerRecord, now: number) => Effect.Effect<void>
    /** Its settings and origins; not whether it is frozen. */
    readonly replace: (partner: PartnerRecord) => Effect.Effect<void>
    readonly setFrozenAt: (id: string, at: number | null) => Effect.Effect<void>
    /** The oldest first. */
    readonly keysOf: (partnerId: string) => Effect.Effect<readonly PartnerKey[]>
    readonly addKey: (key: {
      readonly mac: string
      readonly partnerId: string
      readonly kind: PartnerKeyKind
      readonly now: number
    }) => Effect.Effect<void>
    readonly endKey: (mac: string, endsAt: number) => Effect.Effect<void>
    readonly removeKey: (mac: string) => Effect.Effect<void>
    /** Of the pages of all partners, and of the portals that are their own. */
    readonly origins: Effect.Effect<ReadonlySet<string>>
    readonly setOrigins: (id: string, origins: readonly string[]) => Effect.Effect<void>
  }
>()('tandem/service/Partners') {}
