import { fileURLToPath } from 'node:url'
import { configDefaults, defineConfig } from 'vitest/config'
import { isLong } from './kit/long.ts'

/** Files that put other modules in the place of some, or load them anew: each needs a process of its own. */
const mocking = [
  'tests/adapters/browser/{mpc,refreshAnswers}.test.ts',
  'tests/adapters/service/cosignerWorker.test.ts',
  'tests/mpc/{ed25519Noble,wiping}.test.ts',
  'tests/react/passkeyPages.test.tsx',
]

/** Files whose worlds need a database. */
const worlds = [
  'tests/{bridges,contract,ports,service}/**/*.test.ts',
  'tests/domain/{refreshModel,client/{publicClient,recovery},service/**/*}.test.ts',
  'tests/adapters/{development,service}/**/*.test.ts',
]

/** A stack and a Chromium, which their own configuration brings. */
const browser = 'tests/browser/**'

export default defineConfig({
  test: {
    root: fileURLToPath(new URL('..', import.meta.url)),
    setupFiles: ['tests/kit/eachFile.ts'],
    testTimeout: isLong ? 180_000 : 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    pool: 'forks',
    // Two cores compute for four: much of the time is spent waiting. What the long run adds is computed.
    maxWorkers: isLong ? 3 : 4,
    reporters: ['default'],
    projects: [
      {
        extends: true,
        test: {
          name: 'plain',
          include: ['tests/**/*.test.{ts,tsx}'],
          exclude: [...configDefaults.exclude, ...mocking, ...worlds, browser],
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'worlds',
          include: worlds,
          exclude: [...configDefaults.exclude, ...mocking],
          globalSetup: ['tests/kit/postgresSetup.ts'],
          isolate: false,
        },
      },
      { extends: true, test: { name: 'mocking', include: mocking } },
    ],
  },
})
