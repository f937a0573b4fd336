/** One run of a wallet at a time (flows 7, 8.1), so that a ban can stop all there is. */
import * as Clock from 'effect/Clock'
import * as Effect from 'effect/Effect'
import { Incarnation } from '../ports/Incarnation.ts'
import { Runs } from '../ports/Runs.ts'
import { isLive, type Run } from '../Run.ts'
import { AnotherRunInProgress } from './refusals.ts'

/**
 * A new run of the same device for the same thing takes the place of the older one; any other run makes it wait. A refresh
 * holds up neither signatures nor attaches: the old shares sign until the new ones are committed, and the commit ends what
 * is under way.
 */
export const requireOnlyRun = Effect.fn('protocol.requireOnlyRun')(function* (
  walletId: string,
  beginning: Pick<Run, 'kind' | 'deviceKeyThumb' | 'digest'>,
) {
  const runs = yield* Runs
  const { isCurrent } = yield* Incarnation
  const now = yield* Clock.currentTimeMillis
  for (const run of yield* runs.unfinished(walletId)) {
    if (!isLive(run, yield* isCurrent(run.incarnation), now)) continue
    const isSame =
      run.kind === beginning.kind &&
      run.deviceKeyThumb === beginning.deviceKeyThumb &&
      run.digest === beginning.digest
    if (!isSame && areApart(run.kind, beginning.kind)) continue
    if (!isSame) return yield* new AnotherRunInProgress()
    yield* runs.end(run, { state: 'SUPERSEDED', reason: 'a new run for the same' })
  }
})

const areApart = (one: Run['kind'], other: Run['kind']): boolean => (one === 'refresh') !== (other === 'refresh')
