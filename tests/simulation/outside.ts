/** What the co-signers of one deployment keep outside the database, and what stands for the world around the service. */
import type { Seen } from '../../adapters/service/database/Incarnation.ts'

/** It is one folder on a disk that all replicas share: it outlives each of them, and a restore may bring back an older one. */
export type Outside = {
  marks: Map<string, number>
  seen: Seen | undefined
}

export const emptyOutside = (): Outside => ({ marks: new Map(), seen: undefined })

export const copyOf = ({ marks, seen }: Outside): Outside => ({ marks: new Map(marks), seen })
