import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'
import type * as Option from 'effect/Option'

/**
 * The service's side of the OT state that it has with one device. `sealed` is null once it is burned.
 */
export type OtRecordRow = {
  readonly walletId: string
  readonly otId: string
  /** hex(32): the device key of the run that made it. No other device signs with it. */
  readonly deviceKeyThumb: string
  /**
   * The life of the database in which it was made (`databaseLifeOf`). In another one it is of no use: the database may have
   * forgotten a check of these transfers that failed.
   */
  readonly databaseLife: string
  readonly epoch: number
  readonly shareId: string
  readonly sealed: Uint8Array | null
}

export class OtRecords extends Context.Service<
  OtRecords,
  {
    readonly put: (record: OtRecordRow, now: number) => Effect.Effect<void>
    readonly find: (walletId: string, otId: string) => Effect.Effect<Option.Option<OtRecordRow>>
    /** No device has this one any more: it attaches anew. */
    readonly remove: (walletId: string, otId: string) => Effect.Effect<void>
    /** Those of every other sharing are gone for good. */
    readonly removeOthers: (walletId: string, shareId: string) => Effect.Effect<void>
    readonly removeAll: (walletId: string) => Effect.Effect<void>
    /** Erases the state of all devices; the rows stay and say so. */
    readonly burnAll: (walletId: string, now: number) => Effect.Effect<void>
  }
>()('tandem/service/OtRecords') {}
