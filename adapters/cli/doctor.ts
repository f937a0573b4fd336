/** `tandem doctor`: what is wrong with a deployment, seen from the machine that it runs on. It changes nothing. */
import * as Result from 'effect/Result'
import { readConfiguration } from '../service/config.ts'
import type { Check } from './doctor/Check.ts'
import { checkDatabase } from './doctor/database.ts'
import { checkHosts } from './doctor/hosts.ts'
import { checkKeys } from './doctor/keys.ts'
import { checkMachine } from './doctor/machine.ts'
import { checkChains, checkMail, checkSms } from './doctor/outside.ts'
import { checkSettings } from './doctor/settings.ts'
import { problemsFound } from './problemsFound.ts'
import type { Call, Finding, Problem } from './Verb.ts'

const checks: readonly Check[] = [
  (configuration) => checkMachine(configuration),
  (configuration) => checkHosts(configuration),
  checkDatabase,
  checkKeys,
  checkMail,
  checkSms,
  checkChains,
]

export const doctor = async ({ variables }: Call): Promise<Result.Result<Finding, Problem>> => {
  // Read once: the file of a secret may be a pipe.
  const configuration = readConfiguration(variables)
  const ofSettings = checkSettings(variables, configuration)
  // Without a configuration there is nothing else to look at.
  const others = Result.isFailure(configuration)
    ? []
    : await Promise.all(checks.map((check) => check(configuration.success)))
  const problems = [...ofSettings, ...others.flat()]
  if (problems.length === 0) return Result.succeed({ exitCode: 0, text: 'No problems found.', data: { problems } })
  const lines = problems.map(({ code, sentence, fix }) => `✗ ${code} ${sentence}\n      Fix: ${fix}`)
  return Result.succeed(problemsFound(lines, problems))
}
