import * as Redacted from 'effect/Redacted'
import { databaseAt } from '../../adapters/service/database/open.ts'

/** Where a database is, in a form that a test can write down and tell a process of its own. */
export type DatabasePlace =
  { readonly kind: 'pglite'; readonly folder: string } | { readonly kind: 'postgres'; readonly url: string }

export const databaseIn = (place: DatabasePlace) =>
  databaseAt(place.kind === 'pglite' ? place : { kind: 'postgres', url: Redacted.make(place.url), prepares: true }, {
    migrates: true,
  })
