/** The service's port `Database` on rows in memory, by default new and empty ones. */
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import { Database, make } from '../../../adapters/service/database/Database.ts'
import { kyselyOn } from './kyselyOn.ts'
import { readMigratedShapes } from './migratedShapes.ts'
import { Rows } from './Rows.ts'
import type { Hooks } from './Rows.ts'

/** The tables as the migrations define them. */
export const shapes = await readMigratedShapes()

export const memoryDatabase = (rows?: Rows, hooks: Hooks = {}): Layer.Layer<Database> =>
  Layer.effect(
    Database,
    Effect.sync(() => make(kyselyOn(rows ?? new Rows(shapes), hooks))),
  )
