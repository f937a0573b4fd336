import * as Data from 'effect/Data'

/** The process cannot start. The message is one sentence; it is printed without a stack, and the exit code is 1. */
export class StartRefusal extends Data.TaggedError('StartRefusal')<{ readonly message: string }> {}
