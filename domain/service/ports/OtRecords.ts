import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'

/** The service's side of the OT state that it has with one device. `sealed` is null once it is erased by a lock. */
export type OtRecordRow = {
  readonly walletId: string
  /** hex(32) */
  readonly otId: string
  /** hex(32): the device key of the run that made it. No other device signs with it. */
  readonly deviceKeyThumb: string
  /**
   * The generation of the database in which it was made (`generationParts`). In another one it is of no use: that
   * database may lack a failed check of these transfers.
   */
  readonly databaseLife: string
  readonly epoch: number
  /** hex(32) */
  readonly shareId: string
  readonly sealed: Uint8Array | null
}

/** Read together with the provider's share (`ProviderShares`). */
export class OtRecords extends Context.Service<
  OtRecords,
  {
    readonly put: (record: OtRecordRow, now: number) => Effect.Effect<void>
    /** Deletes one. Its device enrols anew. */
    readonly remove: (walletId: string, otId: string) => Effect.Effect<void>
    /** Deletes those of every other sharing. */
    readonly removeOthers: (walletId: string, shareId: string) => Effect.Effect<void>
    readonly removeAll: (walletId: string) => Effect.Effect<void>
    /** Erases the state of all devices, of this epoch and those before. The rows stay, so that a frame that names one is told of the lock. */
    readonly eraseUpTo: (walletId: string, epoch: number, now: number) => Effect.Effect<void>
    /**
     * Deletes at most `limit` of those that were made before and whose device key no session has, and says how many there were.
     * No frame names one of them: a frame is signed by the device key of its session, also of a delegated one, and a record serves
     * the device key alone that made it. A device that registers such a key once more is answered `DeviceNotAttached` and enrols
     * anew, in a run with a fresh seed: no record that was deleted is made again. Without the row of an erased record a wallet stays
     * locked, by its state and by the marks.
     */
    readonly sweep: (before: number, limit: number) => Effect.Effect<number>
  }
>()('tandem/service/OtRecords') {}
