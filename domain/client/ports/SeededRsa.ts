import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'
import type { RsaPair } from './Rsa.ts'

/**
 * The spec's RSA pair of a passkey whose device has no PRF (design 8.13, facts 2.2): the seed is the only output of the
 * generator from which the primes are searched. Where they are searched decides which are found first, so that nothing may
 * depend on finding a pair again: its private key is wrapped like any other.
 */
export class SeededRsa extends Context.Service<
  SeededRsa,
  {
    readonly generate: (seed: string) => Effect.Effect<RsaPair>
  }
>()('tandem/client/SeededRsa') {}
