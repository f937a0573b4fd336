/**
 * A wallet has one run at a time over all replicas, and a refresh beside it, so that no two guesses are checked at
 * once.
 */
import * as Clock from 'effect/Clock'
import * as Effect from 'effect/Effect'
import { DatabaseGeneration } from '../ports/DatabaseGeneration.ts'
import { Runs } from '../ports/Runs.ts'
import { endedByRestart, type Run } from '../Run.ts'
import { end } from './ending.ts'
import { AnotherRunInProgress } from './refusals.ts'

/**
 * A new run supersedes an older one of the same kind, device and digest, unless that one's evaluation is open; any
 * other older run refuses it. A refresh does not block signatures or device enrolments: the old shares sign until the
 * new ones are committed, and the commit ends what is under way. Runs that cannot go on are ended here, so that the OT
 * record of their open evaluation is deleted before the next one begins
 * (domain/service/protocol/README.md#supersession).
 */
export const requireOnlyRun = Effect.fn('protocol.requireOnlyRun')(function* (
  walletId: string,
  beginning: Pick<Run, 'kind' | 'deviceKeyThumb' | 'digest'>,
) {
  const runs = yield* Runs
  const { isCurrent } = yield* DatabaseGeneration
  const now = yield* Clock.currentTimeMillis
  for (const run of yield* runs.unfinished(walletId)) {
    const isOver = now >= run.expiresAt
    if (isOver || !(yield* isCurrent(run.generation))) {
      // A setup of an earlier process may lack its CONFIRM alone, and may still get it.
      if (isOver || run.kind === 'sign') yield* end(run, 'lapsed', isOver ? 'out of time' : endedByRestart)
      continue
    }
    const isSame =
      run.kind === beginning.kind && run.deviceKeyThumb === beginning.deviceKeyThumb && run.digest === beginning.digest
    if (!isSame && areApart(run.kind, beginning.kind)) continue
    const move = yield* end(run, isSame ? 'superseded' : 'another begins', 'a new run for the same')
    if (move.kind === 'in progress') return yield* new AnotherRunInProgress()
  }
})

const areApart = (one: Run['kind'], other: Run['kind']): boolean => (one === 'refresh') !== (other === 'refresh')
