import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'
import type * as Option from 'effect/Option'

/** The co-signer's frame key: hex(65), and the secret half, sealed; a worker opens it. */
export type CosignerKeyRow = {
  readonly publicKey: string
  readonly sealed: Uint8Array
}

export class CosignerKeys extends Context.Service<
  CosignerKeys,
  {
    readonly find: (name: string) => Effect.Effect<Option.Option<CosignerKeyRow>>
    /** Of several first starts at once one makes it, and all get it. */
    readonly findOrCreate: <R>(
      name: string,
      make: Effect.Effect<CosignerKeyRow, never, R>,
      now: number,
    ) => Effect.Effect<CosignerKeyRow, never, R>
  }
>()('tandem/service/CosignerKeys') {}
