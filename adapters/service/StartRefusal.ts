import * as Data from 'effect/Data'

/** The process cannot start, and one sentence says why. It is shown without a stack, and the exit code is 1. */
export class StartRefusal extends Data.TaggedError('StartRefusal')<{ readonly message: string }> {}
