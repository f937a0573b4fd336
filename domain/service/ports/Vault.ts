import * as Context from 'effect/Context'
import * as Data from 'effect/Data'
import type * as Effect from 'effect/Effect'
import type { Ring, SealedTable } from './SealedTables.ts'
import type { Sharing } from './ShareKeys.ts'

/** The associated data of a sealed secret: what is sealed for one row opens as no other. */
export type AssociatedData = {
  readonly table: SealedTable
  /** Of the wallet, record or session that the secret belongs to. */
  readonly id: string
  readonly epoch?: number | undefined
  /** It opens only while the share key of this sharing exists. */
  readonly sharing?: Sharing | undefined
}

/**
 * Seals secrets at rest. `seal` and `open` use a data key per record, wrapped by the active key of the table's ring. A
 * process without that ring cannot seal, which is a defect, and what it opens is refused. `sealRun` and `openRun` use the
 * run key of the quarter of an hour and of the run's generation, which opens nothing after the next quarter: the state of
 * a protocol run is worth as much as a share, so no backup may hold anything that opens it.
 */
export class Vault extends Context.Service<
  Vault,
  {
    /** Whether this process has the keys of that ring. */
    readonly holds: (ring: Ring) => boolean
    readonly seal: (associatedData: AssociatedData, plaintext: Uint8Array) => Effect.Effect<Uint8Array>
    readonly open: (associatedData: AssociatedData, sealed: Uint8Array) => Effect.Effect<Uint8Array, VaultRefusal>
    readonly sealRun: (
      generation: string,
      associatedData: AssociatedData,
      plaintext: Uint8Array,
    ) => Effect.Effect<Uint8Array>
    readonly openRun: (
      generation: string,
      associatedData: AssociatedData,
      sealed: Uint8Array,
    ) => Effect.Effect<Uint8Array, VaultRefusal>
    /**
     * HMAC-SHA-256 with a pepper for each purpose, hex(32): tokens, codes and keys are stored and decoys made by it.
     */
    readonly mac: (purpose: string, text: string) => string
  }
>()('tandem/service/Vault') {}

/** Sealed with other associated data, under a key that is gone, or changed since. */
export class VaultRefusal extends Data.TaggedError('VaultRefusal')<{ readonly associatedData: AssociatedData }> {
  override readonly message = 'sealed value cannot be decrypted'
}
