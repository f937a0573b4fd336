import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { isLong } from '../kit/long.ts'

/** One stack and one Chromium for all of it. Much of the time is spent waiting, so four files go at once; three in the long run. */
export default defineConfig({
  test: {
    root: fileURLToPath(new URL('../..', import.meta.url)),
    include: ['tests/browser/**/*.test.ts'],
    globalSetup: ['tests/browser/kit/setup.ts'],
    tags: [{ name: 'usual', description: 'Of each kind one, for npm test' }],
    testTimeout: 300_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    pool: 'forks',
    maxWorkers: isLong ? 3 : 4,
    reporters: ['default'],
  },
})
