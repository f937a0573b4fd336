import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** Files that put other modules in the place of some: each needs modules of its own. */
const mocking = ['tests/mpc/{ed25519Noble,wiping}.test.ts', 'tests/react/passkeyPages.test.tsx']

/** Files whose worlds need a database. */
const worlds = ['tests/{contract,ports,service}/**/*.test.ts', 'tests/domain/{refreshModel,client/recovery,service/**/*}.test.ts', 'tests/adapters/{development,service}/**/*.test.ts']

export default defineConfig({
  test: {
    root: fileURLToPath(new URL('..', import.meta.url)),
    testTimeout: 60_000,
    hookTimeout: 120_000,
    pool: 'forks',
    maxWorkers: 2,
    setupFiles: ['tests/kit/eachFile.ts'],
    reporters: ['default'],
    projects: [
      {
        extends: true,
        test: {
          name: 'plain',
          include: ['tests/{mpc,react}/**/*.test.{ts,tsx}', 'tests/domain/**/*.test.ts', 'tests/adapters/browser/**/*.test.ts'],
          exclude: [...mocking, ...worlds],
          isolate: false,
        },
      },
      { extends: true, test: { name: 'worlds', include: worlds, globalSetup: ['tests/kit/postgresSetup.ts'], isolate: false } },
      { extends: true, test: { name: 'mocking', include: mocking } },
    ],
  },
})
