import * as Context from 'effect/Context'
import * as Data from 'effect/Data'
import type * as Effect from 'effect/Effect'
import type { Sharing } from './ShareKeys.ts'

/** Where a secret rests. It is the associated data of the sealing: what is sealed for one row opens in no other. */
export type Place = {
  readonly table: string
  /** Of the wallet, record or session that the secret belongs to. */
  readonly id: string
  readonly epoch?: number | undefined
  /** What is sealed for this place opens for as long as the share key of the sharing stands, and no longer. */
  readonly sharing?: Sharing | undefined
}

/**
 * What keeps secrets at rest (design 4, mpc-review 3). `seal` and `open` use a data key per record, wrapped by the
 * key-encryption key. `sealRun` and `openRun` use the run key of the day and of the run's incarnation, which is destroyed
 * within a day: state of protocol runs is as good as a share, so no backup may hold anything that opens it.
 */
export class Vault extends Context.Service<
  Vault,
  {
    readonly seal: (place: Place, plaintext: Uint8Array) => Effect.Effect<Uint8Array>
    readonly open: (place: Place, sealed: Uint8Array) => Effect.Effect<Uint8Array, VaultRefusal>
    readonly sealRun: (incarnation: string, place: Place, plaintext: Uint8Array) => Effect.Effect<Uint8Array>
    readonly openRun: (incarnation: string, place: Place, sealed: Uint8Array) => Effect.Effect<Uint8Array, VaultRefusal>
    /** HMAC-SHA-256 with a pepper of the purpose's own, hex(32): how tokens, codes, keys and decoys are known. */
    readonly mac: (purpose: string, text: string) => string
  }
>()('tandem/service/Vault') {}

/** Sealed for another place, under a key that is gone, or changed since. */
export class VaultRefusal extends Data.TaggedError('VaultRefusal')<{ readonly place: Place }> {
  override readonly message = 'what is stored here cannot be opened'
}
