import { join } from 'node:path'
import type { Plugin } from 'vite'

const replacement = join(import.meta.dirname, 'untracedEffect.ts')

/** Builds the sources with flows that have no spans. */
export const untraced: Plugin = {
  name: 'tandem:untraced',
  enforce: 'pre',
  resolveId: (id, importer) => (id === 'effect/Effect' && importer !== replacement ? replacement : undefined),
}
