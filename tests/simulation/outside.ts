/** What the co-signers of one deployment keep outside the database. */
import type { FenceMark } from '../../adapters/service/database/fence.ts'
import type { HeldClaim } from '../../domain/service/ports/Claims.ts'

/** One folder on a disk that all replicas share: it outlives each of them, and a restore may set it back. */
export type Outside = {
  watermarks: Map<string, number>
  fence: FenceMark | undefined
  /** Request and seed of each round that was claimed, by wallet, protocol id and step. */
  claims: Map<string, HeldClaim>
  /** Sharings whose share key stands, by wallet, epoch and share id. */
  shareKeys: Set<string>
  /** Generations whose run key stands: the days of the real ones are left out. */
  runKeys: Set<string>
}

export const emptyOutside = (): Outside => ({
  watermarks: new Map(),
  fence: undefined,
  claims: new Map(),
  shareKeys: new Set(),
  runKeys: new Set(),
})

export const copyOf = ({ watermarks, fence, claims, shareKeys, runKeys }: Outside): Outside => ({
  watermarks: new Map(watermarks),
  fence,
  claims: new Map(claims),
  shareKeys: new Set(shareKeys),
  runKeys: new Set(runKeys),
})
