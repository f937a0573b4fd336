/** `tandem start`: as `adapters/service/main.ts`, but a file may have its settings. */
import * as Result from 'effect/Result'
import { readConfiguration } from '../service/config.ts'
import { runService } from '../service/runService.ts'
import { withSecretFiles } from '../service/settings.ts'
import { secretNames } from '../service/settingsReference.ts'
import { StartRefusal } from '../service/StartRefusal.ts'
import { wrongConfiguration } from './deployment.ts'
import type { Call, Finding, Problem } from './Verb.ts'

/** Ends when it listens; what listens keeps the process. */
export const start = async ({
  variables: given,
  readVariables,
  options,
}: Call): Promise<Result.Result<Finding, Problem>> => {
  const roles = (options('role') ?? []).map((role) => `--role=${role}`)
  // Once: the file of a secret may be a pipe.
  const read = withSecretFiles(given, secretNames)
  const configuration = Result.flatMap(read, (variables) => readConfiguration(variables, roles))
  if (Result.isFailure(read)) return Result.fail(wrongConfiguration(read.failure.message))
  if (Result.isFailure(configuration)) return Result.fail(wrongConfiguration(configuration.failure.message))
  const variables = read.success
  try {
    const addresses = await runService(configuration.success, { variables, arguments_: roles, readVariables })
    return Result.succeed({ exitCode: 0, text: '', data: { addresses } })
  } catch (cause) {
    if (!(cause instanceof StartRefusal)) throw cause
    return Result.fail({ code: 'failed', message: cause.message, fix: 'tandem doctor' })
  }
}
