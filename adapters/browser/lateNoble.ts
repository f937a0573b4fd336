/** Noble's arithmetic for a worker whose kernel may not run. */
import type { Arithmetic } from '../../domain/mpc/Arithmetic.ts'

/**
 * Undefined in the package's worker, which is one file and has no room for it: the package's build writes another file
 * in the place of this one, and has noble in a second worker.
 */
export const loadNoble: (() => Promise<Arithmetic>) | undefined = async () =>
  (await import('../../domain/mpc/noble.ts')).noble
