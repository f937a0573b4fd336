import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'
import type { RsaPair } from './Rsa.ts'

/**
 * The spec's RSA pair of a passkey whose device has no PRF (design 8.13, facts 2.2): the seed is the only output of the
 * generator from which the primes are searched, so that the same seed gives the same pair.
 */
export class SeededRsa extends Context.Service<
  SeededRsa,
  {
    readonly generate: (seed: string) => Effect.Effect<RsaPair>
  }
>()('tandem/client/SeededRsa') {}
