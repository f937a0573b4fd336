import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'
import type { ApiError } from '../../model/ApiError.ts'

/** The co-signer: one URL, the bytes of one frame in, those of its answer out (`domain/mpc/Frame.ts`). */
export class Cosigner extends Context.Service<
  Cosigner,
  {
    readonly exchange: (frame: Uint8Array) => Effect.Effect<Uint8Array, ApiError>
  }
>()('tandem/client/Cosigner') {}
