import * as Data from 'effect/Data'

/**
 * The process cannot start. The message is one sentence; it is printed without a stack. `of`: what it is about, for the exit code of
 * `tandem start`: the settings and what they name beside the database, or a database that cannot be opened.
 */
export class StartRefusal extends Data.TaggedError('StartRefusal')<{
  readonly message: string
  readonly of?: 'configuration' | 'database'
}> {}
