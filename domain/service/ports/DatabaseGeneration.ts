import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'

/** The database's part, as a statement that reads a run reads it too: what it says is of the same moment as the run. */
export type GenerationRow = {
  readonly id: string
  readonly fence: number
  /** The timeline that the row was written in, and the one that the database goes on in. */
  readonly timeline: string
  readonly timelineNow: string
}

/**
 * The generation of the database and the boot of the process to which a run belongs: `<database generation>.<boot id>`
 * (domain/service/protocol/README.md#database-generations). The first part changes when the database turns out to be
 * older than it was, or continues on another timeline. The second is drawn at each start and never stored in a form
 * that a copy could bring back as its own. A run of another generation or boot does not go on.
 */
export class DatabaseGeneration extends Context.Service<
  DatabaseGeneration,
  {
    /** Of the runs that this process begins now. */
    readonly current: Effect.Effect<string>
    /** The same by a row that this transaction has read. */
    readonly currentBy: (row: GenerationRow | undefined) => Effect.Effect<string>
    /**
     * Whether a run of this generation may go on: its database part is the current one, and its boot is that of this
     * process, or of one that was alive after this one had started. Without a row that this transaction has read, it is read.
     */
    readonly isCurrent: (generation: string, row?: GenerationRow) => Effect.Effect<boolean>
  }
>()('tandem/service/DatabaseGeneration') {}
