/** Base OTs as a dealer would give them. */
import { concatBytes } from '@noble/hashes/utils.js'
import { kappa, keyLength } from '../../domain/mpc/dkls/Parameters.ts'

export const bit = (bytes: Uint8Array, index: number): number => ((bytes[index >> 3] ?? 0) >> (index & 7)) & 1

/** Seeds and bits as a vector of base OTs would leave them. */
export const dealtSeeds = (random: (length: number) => Uint8Array) => {
  const zeroSeeds = random(keyLength * kappa)
  const oneSeeds = random(keyLength * kappa)
  const delta = random(kappa / 8)
  const chosen = Array.from({ length: kappa }, (_, i) =>
    (bit(delta, i) ? oneSeeds : zeroSeeds).subarray(i * keyLength, (i + 1) * keyLength),
  )
  return { zeroSeeds, oneSeeds, delta, seeds: concatBytes(...chosen) }
}
