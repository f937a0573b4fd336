/**
 * `npm test`: what every change has to pass. `npm run test:long` (`--long`): the same files with all their numbers. Either
 * with paths, and with what vitest takes, runs those files alone.
 */
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildPages } from '../react/build.ts'
import { obtainChromium, whyNot } from './browser/kit/chromium.ts'
import { costTable, slowestFiles, type Measured } from './costs.ts'
import { startPostgres } from './kit/postgres.ts'
import { withStack, type Variables } from './kit/stack.ts'
import { node, quickChecks, root, runSteps, type Step } from './steps.ts'

const parameters = process.argv.slice(2)
const isLong = parameters[0] === '--long'
const chosen = isLong ? parameters.slice(1) : parameters
const chosesBrowser = chosen.some((one) => one.includes('tests/browser'))

/** How many tests passed and failed, as vitest wrote it down. A file that cannot be loaded is a failed test. */
const counts = { passed: 0, failed: 0 }
const measured: Measured[] = []

const vitest = (name: string, configuration: string, ...usual: readonly string[]): Step => ({
  name,
  run: async () => {
    const report = join(temporary, `${name}.json`)
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
    const passed = await node('node_modules/vitest/vitest.mjs', {
      parameters: ['run', '-c', configuration, ...reporters, ...(isLong || chosen.length > 0 ? chosen : usual)],
      environment: { TANDEM_TESTS: isLong ? 'long' : 'usual' },
    })
    const { numPassedTests, numFailedTests, testResults } = JSON.parse(await readFile(report, 'utf8')) as Report
    await rm(report)
    const unloaded = testResults.filter(({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0)
    counts.passed += numPassedTests
    counts.failed += numFailedTests + unloaded.length
    for (const { name: file, startTime, endTime, assertionResults } of testResults) {
      measured.push({ file: file.slice(root.length + 1), seconds: (endTime - startTime) / 1000, tests: assertionResults.length })
    }
    return passed
  },
})

type Report = {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    /** Milliseconds since 1970: of the first test and after the last, without imports. */
    readonly startTime: number
    readonly endTime: number
    readonly assertionResults: readonly unknown[]
  }[]
}

/** What the stacks of the tests serve and compute with: the pages, the worker's files and the kernel. */
const pages: Step = {
  name: 'pages and kernel',
  run: async () => {
    await buildPages()
    return true
  },
}

const tests = vitest('tests', 'tests/vitest.config.ts')
const inChromium = vitest('tests in Chromium', 'tests/browser/vitest.config.ts', '--tagsFilter=usual')

/** Without Chromium the run says so, and fails in continuous integration, where a person would not read it. */
const browserTests: Step = {
  name: inChromium.name,
  run: async () => {
    if (obtainChromium() !== undefined) return inChromium.run()
    console.error(whyNot)
    return process.env['CI'] !== 'true'
  },
}

const smoke = (variables: Variables) => withStack(variables, (environment) => node('tests/smoke/main.ts', { environment }))

const smokeOnPglite: Step = { name: 'smoke on PGlite', run: () => smoke({}) }

const smokeOnPostgres: Step = {
  name: 'smoke on PostgreSQL',
  run: async () => {
    const server = await startPostgres()
    try {
      return await smoke({ DATABASE_URL: await server.createDatabase() })
    } finally {
      await server.stop()
    }
  },
}

/** Tests make their files in a folder of the run: what one does not remove shows here. */
const nothingLeft: Step = {
  name: 'no file is left behind',
  run: async () => {
    const left = await readdir(temporary)
    if (left.length > 0) console.error(`left in the folder for temporary files: ${left.join(', ')}`)
    return left.length === 0
  },
}

const stepsOf = (): readonly Step[] => {
  if (chosen.length > 0) return [pages, chosesBrowser ? browserTests : tests]
  if (isLong) return [pages, tests, browserTests, smokeOnPostgres, nothingLeft]
  return [...quickChecks, pages, tests, browserTests, smokeOnPglite, nothingLeft]
}

const temporary = await mkdtemp(join(tmpdir(), 'tandem-tests-'))
// PostgreSQL runs as another user where this is root, and needs its own folder in it.
await chmod(temporary, 0o711)
process.env['TMPDIR'] = temporary
const { passed, failed } = await runSteps(stepsOf())
await rm(temporary, { recursive: true, force: true })
if (chosen.length === 0) console.log(`${costTable(measured, isLong)}\n\n${slowestFiles(measured)}\n`)
console.log(`${counts.passed + passed} passed, ${counts.failed + failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
