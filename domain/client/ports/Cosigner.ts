import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'
import type { ApiError } from '../../model/ApiError.ts'

/**
 * The co-signer: one URL, the bytes of one frame in, those of its answer out (`domain/mpc/Frame.ts`), and the check of its
 * signatures.
 */
export class Cosigner extends Context.Service<
  Cosigner,
  {
    readonly exchange: (frame: Uint8Array) => Effect.Effect<Uint8Array, ApiError>
    /**
     * ECDSA on P-256 with SHA-256 under an uncompressed key of 65 bytes: r ‖ s in 64 bytes, s high or low. False for malformed
     * bytes, and where the platform cannot check it.
     */
    readonly isSigned: (publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array) => Effect.Effect<boolean>
  }
>()('tandem/client/Cosigner') {}
