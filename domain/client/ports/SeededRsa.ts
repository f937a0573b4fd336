import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'
import type { RsaPair } from './Rsa.ts'

/**
 * The RSA pair of a passkey whose device has no PRF: the seed is the only output of the generator from which the primes
 * are searched. Which primes are found first depends on where they are searched, so nothing may rely on finding a pair
 * again: its private key is wrapped like any other.
 */
export class SeededRsa extends Context.Service<
  SeededRsa,
  {
    readonly generate: (seed: string) => Effect.Effect<RsaPair>
  }
>()('tandem/client/SeededRsa') {}
