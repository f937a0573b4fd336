import * as Effect from 'effect/Effect'
import type { HandlersOf } from '../../../generated/handlers.ts'
import type { StaticFile } from '../../../domain/model/PortalUrl.ts'
import { StaticFiles } from '../../../domain/service/ports/StaticFiles.ts'
import type { Incoming } from './Incoming.ts'

export const assets = {
  getPrimeWorker: () => script('prime.worker.min.js'),
  getMpcModule: () => read('main.wasm'),
  getMpcWorkerBundle: () => script('mpcWorker-bundle.js'),
} satisfies HandlersOf<'assets', Incoming, unknown>

const read = (file: StaticFile) => Effect.flatMap(StaticFiles, (files) => files.read(file))

const script = (file: StaticFile) => Effect.map(read(file), (bytes) => new TextDecoder().decode(bytes))
