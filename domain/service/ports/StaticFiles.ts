import * as Context from 'effect/Context'
import * as Data from 'effect/Data'
import type * as Effect from 'effect/Effect'
import type { StaticFile } from '../../model/PortalFiles.ts'

/** The files that workers load, as they were built. */
export class StaticFiles extends Context.Service<
  StaticFiles,
  {
    readonly read: (file: StaticFile) => Effect.Effect<Uint8Array, StaticFileUnavailable>
  }
>()('tandem/service/StaticFiles') {}

/** It is missing, or its digest differs from the built one. */
export class StaticFileUnavailable extends Data.TaggedError('StaticFileUnavailable')<{ readonly file: StaticFile }> {
  override readonly message = `${this.file} is not as it was built`
}
