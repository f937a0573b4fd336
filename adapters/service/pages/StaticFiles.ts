import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import type { StaticFile } from '../../../domain/model/PortalUrl.ts'
import { StaticFiles, StaticFileUnavailable } from '../../../domain/service/ports/StaticFiles.ts'
import { readBuilt } from './BuiltPages.ts'

/** Reads and checks the files each time, so that a new build is served at once and a changed file is not served. */
export const StaticFilesIn = (folder: string) =>
  Layer.succeed(StaticFiles, {
    read: Effect.fn('staticFiles.read')(function* (file: StaticFile) {
      const bytes = yield* Effect.promise(() => readBuilt(folder, 'static', `js/${file}`))
      return bytes ?? (yield* new StaticFileUnavailable({ file }))
    }),
  })
