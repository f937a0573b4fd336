#!/usr/bin/env node
// The command `tandem` where a link leads here: the same as `npm run tandem`, in any folder, whose files its arguments name.
import { join } from 'node:path'

process.argv.splice(2, 0, '--max-semi-space-size=8', join(import.meta.dirname, '..', 'cli', 'main.ts'))
await import('./run.mjs')
