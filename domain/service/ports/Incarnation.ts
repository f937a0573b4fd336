import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'

/**
 * To which life of the database and of the process a run belongs: `<database incarnation>.<boot id>`. The first part
 * changes when the database turns out to be older than it was, or continues on another timeline; the second is drawn at
 * each start and never stored in a form that a copy could bring back as its own. A run of another life never goes on.
 */
export class Incarnation extends Context.Service<
  Incarnation,
  {
    /** Of the runs that this process begins now. */
    readonly current: Effect.Effect<string>
    /**
     * Whether a run of this incarnation may go on: the database part is the standing one, and the boot is this process's
     * own or of a process that was alive after this one had started.
     */
    readonly isCurrent: (incarnation: string) => Effect.Effect<boolean>
  }
>()('tandem/service/Incarnation') {}
