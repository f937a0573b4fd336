/** `npm test`: the checks, every test, and the smoke run against stacks that were just started, on either database. */
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildPages } from '../react/build.ts'
import { obtainChromium, whyNot } from './browser/kit/chromium.ts'
import { withStack } from './kit/stack.ts'
import { startPostgres } from './kit/postgres.ts'
import { checks, node, root, runSteps, type Step } from './steps.ts'

/** How many tests passed and failed, as vitest wrote it down. A file that cannot be loaded is a failed test. */
const counts = { passed: 0, failed: 0 }

const vitest = (name: string, configuration: string): Step => ({
  name,
  run: async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tandem-tests-'))
    const report = join(folder, 'report.json')
    try {
      const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
      const parameters = ['run', '-c', configuration, ...reporters]
      const passed = await node('node_modules/vitest/vitest.mjs', { parameters })
      const { numPassedTests, numFailedTests, testResults } = JSON.parse(await readFile(report, 'utf8')) as Report
      const unloaded = testResults.filter(({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0)
      counts.passed += numPassedTests
      counts.failed += numFailedTests + unloaded.length
      return passed
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
})

/** What the stacks of the tests serve and compute with: the pages, the worker's files and the kernel. */
const pages: Step = {
  name: 'pages and kernel',
  run: async () => {
    await buildPages()
    return true
  },
}

const tests = vitest('tests', 'tests/vitest.config.ts')

/** Without Chromium the run says so, and fails where nobody is there to read it. */
const browserTests: Step = {
  name: 'tests in Chromium',
  run: async () => {
    if (obtainChromium() !== undefined) return vitest('tests in Chromium', 'tests/browser/vitest.config.ts').run()
    console.error(whyNot)
    return process.env['CI'] !== 'true'
  },
}

type Report = {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly testResults: readonly { readonly status: string; readonly assertionResults: readonly unknown[] }[]
}

const smokeScript = 'tests/smoke/main.ts'

const smoke: readonly Step[] = [
  { name: 'smoke on PGlite', run: () => withStack({}, (environment) => node(smokeScript, { environment })) },
  {
    name: 'smoke on PostgreSQL',
    run: async () => {
      const server = await startPostgres()
      try {
        const DATABASE_URL = await server.createDatabase()
        return await withStack({ DATABASE_URL }, (environment) => node(smokeScript, { environment }))
      } finally {
        await server.stop()
      }
    },
  },
]

const steps = await runSteps([...checks, pages, tests, browserTests, ...(existsSync(join(root, smokeScript)) ? smoke : [])])
console.log(`${counts.passed + steps.passed} passed, ${counts.failed + steps.failed} failed`)
process.exitCode = steps.failed === 0 ? 0 : 1
