import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'
import type { Progress } from '../../mpc/ClientRun.ts'
import type { Abort, Context as RunContext } from '../../mpc/Protocol.ts'
import type { ShareRecord } from '../../mpc/ShareRecord.ts'
import type { WorkerFailed } from '../../model/MpcWorker.ts'
import type { OperationTimedOut } from '../../model/Timeout.ts'

/** What a run works with: what binds it, and the party's own records. */
export type Run = {
  readonly context: RunContext
  readonly share?: ShareRecord
  readonly ot?: Uint8Array
}

/** A run that was begun. Its secrets stay where it is computed, and serve one response each (mpc-review 6). */
export type BegunRun = {
  readonly request: Uint8Array
  /** Reads the response to request `round`, the first being 1, once the frame that brought it was authenticated. */
  readonly receive: (round: number, response: Uint8Array) => Effect.Effect<Progress, WorkerFailed | OperationTimedOut>
}

/** Where the protocols' steps are computed: a worker in a browser, this thread in Node. */
export class Mpc extends Context.Service<
  Mpc,
  {
    /** Loads what a run will need, while a person is still busy. It never fails. */
    readonly prepare: Effect.Effect<void>
    readonly begin: (run: Run) => Effect.Effect<BegunRun | Abort, WorkerFailed | OperationTimedOut>
  }
>()('tandem/client/Mpc') {}
