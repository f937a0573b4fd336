#!/usr/bin/env node
// The command `tandem` where a link leads here: the same as `npm run tandem`, in any folder, whose files its arguments name.
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

process.argv.splice(
  2,
  0,
  '--max-semi-space-size=8',
  join(dirname(fileURLToPath(import.meta.url)), '..', 'cli', 'main.ts'),
)
await import('./run.mjs')
