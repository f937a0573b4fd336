/** One run of a wallet at a time, on all replicas together, so that a ban can stop all there is. */
import * as Clock from 'effect/Clock'
import * as Effect from 'effect/Effect'
import { Incarnation } from '../ports/Incarnation.ts'
import { Runs } from '../ports/Runs.ts'
import { endedByRestart, type Run } from '../Run.ts'
import { end } from './ending.ts'
import { AnotherRunInProgress } from './refusals.ts'

/**
 * A new run of the same device for the same thing takes the place of the older one, unless that one's evaluation is open;
 * any other run makes it wait. A refresh holds up neither signatures nor attaches: the old shares sign until the new ones
 * are committed, and the commit ends what is under way. Runs that can go on no more are ended here at the latest, so that
 * what an evaluation of theirs had at stake is spent before the next one begins.
 */
export const requireOnlyRun = Effect.fn('protocol.requireOnlyRun')(function* (
  walletId: string,
  beginning: Pick<Run, 'kind' | 'deviceKeyThumb' | 'digest'>,
) {
  const runs = yield* Runs
  const { isCurrent } = yield* Incarnation
  const now = yield* Clock.currentTimeMillis
  for (const run of yield* runs.unfinished(walletId)) {
    const isOver = now >= run.expiresAt
    if (isOver || !(yield* isCurrent(run.incarnation))) {
      // A setup of an earlier process may still be confirmed.
      if (isOver || run.kind === 'sign') yield* end(run, 'lapsed', isOver ? 'out of time' : endedByRestart)
      continue
    }
    const isSame =
      run.kind === beginning.kind &&
      run.deviceKeyThumb === beginning.deviceKeyThumb &&
      run.digest === beginning.digest
    if (!isSame && areApart(run.kind, beginning.kind)) continue
    const move = yield* end(run, isSame ? 'superseded' : 'another begins', 'a new run for the same')
    if (move.kind === 'in progress') return yield* new AnotherRunInProgress()
  }
})

const areApart = (one: Run['kind'], other: Run['kind']): boolean => (one === 'refresh') !== (other === 'refresh')
