/** What the co-signers of one deployment keep outside the database. */
import type { FenceMark } from '../../adapters/service/database/fence.ts'
import type { HeldClaim } from '../../domain/service/ports/Claims.ts'

/** One folder on a disk that all replicas share: it outlives each of them, and a restore may set it back. */
export type Outside = {
  watermarks: Map<string, number>
  fence: FenceMark | undefined
  /** Request and seed of each round that was claimed, by wallet, protocol id and step. */
  claims: Map<string, HeldClaim>
  /** The share keys that stand, as serial numbers, by wallet, epoch and share id. */
  shareKeys: Map<string, number>
  /** How many share keys were drawn: no copy sets it back, because a key that is made again is another one. */
  readonly drawn: { count: number }
  /** Generations whose run key stands: the days of the real ones are left out. */
  runKeys: Set<string>
}

export const emptyOutside = (): Outside => ({
  watermarks: new Map(),
  fence: undefined,
  claims: new Map(),
  shareKeys: new Map(),
  drawn: { count: 0 },
  runKeys: new Set(),
})

export const copyOf = ({ watermarks, fence, claims, shareKeys, drawn, runKeys }: Outside): Outside => ({
  watermarks: new Map(watermarks),
  fence,
  claims: new Map(claims),
  shareKeys: new Map(shareKeys),
  drawn,
  runKeys: new Set(runKeys),
})
