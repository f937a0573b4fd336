/** A reporter of vitest: what each file held and cost, one line of JSON each, in the file that TANDEM_COSTS names. */
import { appendFileSync } from 'node:fs'
import type { Reporter, TestModule } from 'vitest/node'

export type FileCost = {
  /** From the folder of the repository. */
  readonly file: string
  /** Of a worker: imports, hooks and tests. */
  readonly seconds: number
  readonly passed: number
  /** A file that cannot be loaded, or whose hooks fail, is one more. */
  readonly failed: number
}

export default class CostReporter implements Reporter {
  onTestModuleEnd(module: TestModule): void {
    const { prepareDuration, setupDuration, collectDuration, duration } = module.diagnostic()
    const states = [...module.children.allTests()].map((test) => test.result().state)
    const failed = states.filter((state) => state === 'failed').length
    const cost: FileCost = {
      file: module.relativeModuleId,
      seconds: (prepareDuration + setupDuration + collectDuration + duration) / 1_000,
      passed: states.filter((state) => state === 'passed').length,
      failed: failed + (module.errors().length > 0 || (failed === 0 && !module.ok()) ? 1 : 0),
    }
    appendFileSync(process.env['TANDEM_COSTS'] ?? '', `${JSON.stringify(cost)}\n`)
  }
}
