/**
 * `npm test`: what every change has to pass. `npm run test:long` (`--long`): the same files with all their numbers. Either
 * with paths, and after them with what vitest takes, runs those files alone.
 */
import { existsSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { chmod, mkdtemp, readdir } from 'node:fs/promises'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildPages } from '../react/build.ts'
import { obtainChromium, whyNot } from './browser/kit/chromium.ts'
import type { FileCost } from './costReporter.ts'
import { costTable, slowestFiles, sum } from './costs.ts'
import { overTcp, startPostgres } from './kit/postgres.ts'
import { withStack, type Variables } from './kit/stack.ts'
import { node, quickChecks, runSteps, type Step } from './steps.ts'

const [first, ...others] = process.argv.slice(2)
const isLong = first === '--long'
const chosen = isLong || first === undefined ? others : [first, ...others]
const isPath = (parameter: string) => parameter.startsWith('tests/')
const isOfBrowser = (parameter: string) => parameter.startsWith('tests/browser')

const costs: FileCost[] = []

/** Runs these files, or all; a run in which no test ran has failed. */
const vitest = (name: string, configuration: string, parameters: readonly string[]): Step => ({
  name,
  run: async () => {
    const report = join(temporary, `${name}.jsonl`)
    const reporters = ['--reporter=default', '--reporter=./tests/costReporter.ts']
    const passed = await node('node_modules/vitest/vitest.mjs', {
      parameters: ['run', '-c', configuration, ...reporters, ...parameters],
      environment: { TANDEM_TESTS: isLong ? 'long' : 'usual', TANDEM_COSTS: report },
    })
    const lines = existsSync(report) ? readFileSync(report, 'utf8').trim().split('\n') : []
    rmSync(report, { force: true })
    const files = lines.map((line) => JSON.parse(line) as FileCost)
    costs.push(...files)
    const hasRun = files.some((file) => file.passed + file.failed > 0)
    if (!hasRun) console.error('no test ran')
    return passed && hasRun
  },
})

const parametersOf = (isOurs: (path: string) => boolean) => chosen.filter((one) => !isPath(one) || isOurs(one))

const tests = vitest(
  'tests',
  'tests/vitest.config.ts',
  parametersOf((path) => !isOfBrowser(path)),
)
const inChromium = vitest(
  'tests in Chromium',
  'tests/browser/vitest.config.ts',
  isLong || chosen.length > 0 ? parametersOf(isOfBrowser) : ['--tagsFilter=usual'],
)

/** Without Chromium the run says so, and fails in continuous integration, where a person would not read it. */
const browserTests: Step = {
  name: inChromium.name,
  run: async () => {
    if (obtainChromium() !== undefined) return inChromium.run()
    console.error(whyNot)
    return process.env['CI'] !== 'true'
  },
}

/** What the stacks of the tests serve and compute with: the pages, the worker's files and the kernel. */
const pages: Step = {
  name: 'pages and kernel',
  run: async () => {
    await buildPages()
    return true
  },
}

const smoke = (variables: Variables) =>
  withStack(variables, (environment) => node('tests/smoke/main.ts', { environment }))

const smokeOnPglite: Step = { name: 'smoke on PGlite', run: () => smoke({}) }

const smokeOnPostgres: Step = {
  name: 'smoke on PostgreSQL',
  run: async () => {
    const server = await startPostgres()
    try {
      return await smoke({ DATABASE_URL: overTcp(await server.createDatabase()) })
    } finally {
      await server.stop()
    }
  },
}

/** Each test removes the folders that it made in the run's folder for temporary files; other programs may leave theirs. */
const nothingLeft: Step = {
  name: 'no file is left behind',
  run: async () => {
    const left = (await readdir(temporary)).filter((name) => name.startsWith('tandem'))
    if (left.length > 0) console.error(`left in the folder for temporary files: ${left.join(', ')}`)
    return left.length === 0
  },
}

const stepsOf = (): readonly Step[] => {
  const paths = chosen.filter(isPath)
  if (chosen.length > 0) {
    return [
      pages,
      ...(paths.every(isOfBrowser) && paths.length > 0 ? [] : [tests]),
      ...(paths.some(isOfBrowser) ? [browserTests] : []),
    ]
  }
  if (isLong) return [pages, tests, browserTests, smokeOnPostgres, nothingLeft]
  return [...quickChecks, pages, tests, browserTests, smokeOnPglite, nothingLeft]
}

/**
 * In memory where there is room, which makes a database in a sixth of the time and waits for no disk; the long run is on
 * the disk. What is killed by SIGKILL leaves its folder there.
 */
const placeForFiles = (): string => {
  const memory = '/dev/shm'
  if (isLong || process.platform !== 'linux' || !existsSync(memory)) return tmpdir()
  const { bavail, bsize } = statfsSync(memory)
  return Math.min(bavail * bsize, freemem()) < roomInMemory ? tmpdir() : memory
}
const roomInMemory = 4 * 2 ** 30

const temporary = await mkdtemp(join(placeForFiles(), 'tandem-tests-'))
// PostgreSQL runs as another user where this is root, and needs its own folder in it.
await chmod(temporary, 0o711)
for (const name of ['TMPDIR', 'TEMP', 'TMP']) process.env[name] = temporary
// Where tests/package/packed.ts packs the SDK for all files of the run.
process.env['TANDEM_PACKED'] = join(temporary, 'package')
process.once('exit', () => rmSync(temporary, { recursive: true, force: true, maxRetries: 5 }))
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1))

const { passed, failed } = await runSteps(stepsOf())
if (chosen.length === 0) console.log(`${costTable(costs, isLong)}\n\n${slowestFiles(costs)}\n`)
console.log(
  `${sum(costs.map((file) => file.passed)) + passed} passed, ${sum(costs.map((file) => file.failed)) + failed} failed`,
)
process.exitCode = failed === 0 ? 0 : 1
