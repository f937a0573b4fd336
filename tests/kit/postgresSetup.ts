/** Once per run: one PostgreSQL for every world, and in it a migrated database that each world's own is a copy of. */
import * as Effect from 'effect/Effect'
import type { TestProject } from 'vitest/node'
import { nameOf, startPostgres } from './postgres.ts'
import { databaseIn } from './databasePlace.ts'

export default async (project: TestProject): Promise<() => Promise<void>> => {
  const server = await startPostgres()
  const url = await server.createDatabase()
  await Effect.runPromise(Effect.provide(Effect.void, databaseIn({ kind: 'postgres', url })))
  project.provide('postgres', { url: server.url, template: nameOf(url) })
  return server.stop
}

declare module 'vitest' {
  interface ProvidedContext {
    postgres: { readonly url: string; readonly template: string }
  }
}
