import { equal } from '../../../domain/crypto/Equal.ts'
import type { ShareRecord } from '../../../domain/mpc/ShareRecord.ts'
import type { Job } from '../../../domain/service/ports/CosignerEngine.ts'

/**
 * Whether the step may use this share. The sealed share says which root key certifies devices, because the database may have been
 * changed. A recovery's refresh moves it to a new root key, which takes the user's half of this sharing.
 */
export const isUnderRoot = (
  { rootPublicKey }: Pick<ShareRecord, 'rootPublicKey'>,
  { context, newRoot }: Pick<Job, 'context' | 'newRoot'>,
): boolean => {
  const movesRoot = newRoot && context.kind === 'refresh' && context.rootPublicKey.length === 32
  return movesRoot || equal(rootPublicKey, context.rootPublicKey)
}
