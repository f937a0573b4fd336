import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'
import type { Progress } from '../../mpc/ClientRun.ts'
import type { Abort, Context as RunContext } from '../../mpc/Protocol.ts'
import type { ShareRecord } from '../../mpc/ShareRecord.ts'
import type { WorkerFailed } from '../../model/MpcWorker.ts'
import type { OperationTimedOut } from '../../model/Timeout.ts'

/** What a run works with: the context that binds it, and the party's own records. */
export type Run = {
  readonly context: RunContext
  readonly share?: ShareRecord
  /** The bytes of an OT record (`domain/mpc/dkls/OtRecord.ts`). */
  readonly ot?: Uint8Array
}

/** A run that was begun. Its secrets stay where it is computed, and serve one response each. */
export type BegunRun = {
  /** The run's first message (domain/mpc/README.md#messages). */
  readonly request: Uint8Array
  /**
   * Reads the response to request `round`, the first being 1: a message whose frame was authenticated before.
   */
  readonly receive: (round: number, response: Uint8Array) => Effect.Effect<Progress, WorkerFailed | OperationTimedOut>
}

/** Where the protocols' steps are computed: in a worker in a browser, on this thread in Node. */
export class Mpc extends Context.Service<
  Mpc,
  {
    /** Loads what a run will need, while the person is still busy. It never fails. */
    readonly prepare: Effect.Effect<void>
    readonly begin: (run: Run) => Effect.Effect<BegunRun | Abort, WorkerFailed | OperationTimedOut>
  }
>()('tandem/client/Mpc') {}
